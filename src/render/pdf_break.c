/* Where a name in a narrow column is broken: behind a separator or before a capital. Pango knows words of prose alone, and breaks the
 * names of code at whatever letter is the last on its line. */
#include "render/pdf_break.h"

#include <string.h>

static bool
is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool
is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

/* As before "Backprop" and "Filter" in "Conv2DBackpropFilter". */
static bool
begins_word(struct tp_slice name, size_t at)
{
	return is_upper(name.ptr[at]) &&
		(is_lower(name.ptr[at - 1]) || (at + 1 < name.len && is_lower(name.ptr[at + 1])));
}

static bool
begins_part(struct tp_slice name, size_t at)
{
	char before = name.ptr[at - 1], after = name.ptr[at];

	return before != after &&
		(memchr("/_.:,;>)]-+= ", before, 13) != NULL || after == '<' || after == '(');
}

/* The last byte of (from, at] before which a line may end: behind a separator that leaves no more than half of the line empty, else between
 * words. A line of less than a third says too little: 0. */
static size_t
last_break(struct tp_slice name, size_t from, size_t at, size_t letters)
{
	for (size_t i = at; i > from + letters / 2; i--)
		if (begins_part(name, i))
			return i;
	for (size_t i = at; i > from + letters / 3; i--)
		if (begins_part(name, i) || begins_word(name, i))
			return i;
	return 0;
}

static bool
is_ascii(struct tp_slice name)
{
	for (size_t i = 0; i < name.len; i++)
		if ((unsigned char)name.ptr[i] < ' ' || (unsigned char)name.ptr[i] > '~')
			return false;
	return true;
}

size_t
tp_pdf_break_name(struct tp_slice name, size_t letters, size_t more, size_t *ends, size_t most)
{
	enum { LEAST_LAST = 3 };
	size_t from = 0, count = 0;

	if (name.len <= LEAST_LAST || !is_ascii(name))
		return 0;
	while (name.len - from + more > letters && count + 1 < most) {
		size_t at = from + letters < name.len - LEAST_LAST ? from + letters : name.len - LEAST_LAST;

		from = last_break(name, from, at, letters);
		if (from == 0)
			return 0;
		ends[count++] = from;
	}
	if (name.len - from + more > letters)
		return 0;
	ends[count++] = name.len;
	return count;
}

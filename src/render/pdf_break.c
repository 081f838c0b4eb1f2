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

/* Whether a line may end before byte `at`. */
static bool
breaks_at(struct tp_slice name, size_t at)
{
	char before = name.ptr[at - 1], after = name.ptr[at];

	if (before == after)
		return false;
	return memchr("/_.:,;>)]-+= ", before, 13) != NULL || after == '<' || after == '(' ||
		begins_word(name, at);
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

		/* A line of less than a third says too little, and so does a letter alone on the last. */
		while (at > from + letters / 3 && !breaks_at(name, at))
			at--;
		if (at <= from + letters / 3)
			return 0;
		ends[count++] = from = at;
	}
	if (name.len - from + more > letters)
		return 0;
	ends[count++] = name.len;
	return count;
}

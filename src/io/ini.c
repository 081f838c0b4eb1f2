/* One line after the other; a line that is indented belongs to the setting above it, and is none of ours. */
#include "io/ini.h"

static struct tp_slice
trimmed(struct tp_slice s)
{
	while (s.len != 0 && (unsigned char)*s.ptr <= ' ')
		s = tp_slice_from(s, 1);
	while (s.len != 0 && (unsigned char)s.ptr[s.len - 1] <= ' ')
		s.len--;
	return s;
}

static struct tp_slice
next_line(struct tp_slice *text)
{
	const char *end = memchr(text->ptr, '\n', text->len);
	struct tp_slice line = {text->ptr, end != NULL ? (size_t)(end - text->ptr) : text->len};

	*text = tp_slice_from(*text, line.len + (end != NULL));
	return line;
}

/* "[ name ]" */
static bool
opens(struct tp_slice line, struct tp_slice *section)
{
	const char *end = line.len != 0 && *line.ptr == '[' ? memchr(line.ptr, ']', line.len) : NULL;

	if (end == NULL)
		return false;
	*section = trimmed((struct tp_slice){line.ptr + 1, (size_t)(end - line.ptr) - 1});
	return true;
}

struct tp_slice
tp_ini_value(struct tp_slice text, struct tp_slice section, struct tp_slice name)
{
	struct tp_slice open = {"", 0};

	while (text.len != 0) {
		struct tp_slice line = next_line(&text);

		if (opens(line, &open) || !tp_slice_eq(open, section) || line.len == 0 ||
			strchr(" \t#;", *line.ptr) != NULL)
			continue;
		const char *equals = memchr(line.ptr, '=', line.len);

		if (equals == NULL)
			continue;
		struct tp_slice left = {line.ptr, (size_t)(equals - line.ptr)};

		if (tp_slice_eq(trimmed(left), name))
			return trimmed(tp_slice_from(line, left.len + 1));
	}
	return (struct tp_slice){"", 0};
}

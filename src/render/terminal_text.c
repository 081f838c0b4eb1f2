/* Words in lines: cleaned, measured in columns, wrapped, and coloured where there are colours. */
#include "render/terminal.h"

#include "base/arena.h"
#include "base/utf8.h"
#include "chart/visible.h"

static const char *const looks[] = {
	[TP_TERMINAL_PLAIN] = "",
	[TP_TERMINAL_STRONG] = "\033[1m",
	[TP_TERMINAL_FAINT] = "\033[2m",
	[TP_TERMINAL_BAD] = "\033[1;31m",
	[TP_TERMINAL_WARN] = "\033[1;33m",
	[TP_TERMINAL_GOOD] = "\033[1;32m",
};

enum tp_terminal_look
tp_terminal_judged(enum tp_judge judge)
{
	static const enum tp_terminal_look by_judge[] = {
		[TP_JUDGE_NONE] = TP_TERMINAL_STRONG,
		[TP_JUDGE_BAD] = TP_TERMINAL_BAD,
		[TP_JUDGE_WARN] = TP_TERMINAL_WARN,
		[TP_JUDGE_GOOD] = TP_TERMINAL_GOOD,
		[TP_JUDGE_UNDECIDED] = TP_TERMINAL_STRONG,
		[TP_JUDGE_ABSENT] = TP_TERMINAL_FAINT,
	};

	return by_judge[judge];
}

struct tp_slice
tp_terminal_clean(struct tp_terminal *t, struct tp_slice text)
{
	return tp_utf8_line(t->arena, text);
}

struct tp_slice
tp_terminal_sentence(struct tp_terminal *t, struct tp_text text)
{
	return tp_terminal_clean(t, tp_text_shown(text, t->arena));
}

unsigned
tp_terminal_width(struct tp_slice text)
{
	unsigned width = 0;
	size_t length;

	for (; text.len != 0; text = tp_slice_from(text, length))
		width += tp_columns_of(tp_utf8_next(text, &length));
	return width;
}

/* Blanks that no line is broken at are plain ones from here on: whoever searches for "62.0 %" types one of those. */
static void
put_plain(struct tp_sink *out, struct tp_slice text)
{
	size_t length;

	for (; text.len != 0; text = tp_slice_from(text, length)) {
		uint32_t character = tp_utf8_next(text, &length);

		if (character == 0xa0 || character == 0x202f)
			tp_sink_puts(out, " ");
		else
			tp_sink_write(out, text.ptr, length);
	}
}

void
tp_terminal_put(struct tp_terminal *t, enum tp_terminal_look look, struct tp_slice text)
{
	bool dressed = t->colour && look != TP_TERMINAL_PLAIN && text.len != 0;

	tp_sink_puts(t->out, dressed ? looks[look] : "");
	put_plain(t->out, text);
	tp_sink_puts(t->out, dressed ? "\033[0m" : "");
}

void
tp_terminal_blanks(struct tp_terminal *t, unsigned count)
{
	while (count-- > 0)
		tp_sink_puts(t->out, " ");
}

void
tp_terminal_left(struct tp_terminal *t, struct tp_slice text, unsigned columns)
{
	unsigned width = tp_terminal_width(text);

	tp_terminal_put(t, TP_TERMINAL_PLAIN, text);
	tp_terminal_blanks(t, columns > width ? columns - width : 0);
}

void
tp_terminal_right(struct tp_terminal *t, struct tp_slice text, unsigned columns)
{
	unsigned width = tp_terminal_width(text);

	tp_terminal_blanks(t, columns > width ? columns - width : 0);
	tp_terminal_put(t, TP_TERMINAL_PLAIN, text);
}

struct tp_slice
tp_terminal_fit(struct tp_terminal *t, struct tp_slice text, unsigned columns)
{
	size_t end = 0, length;
	unsigned width = 0;

	if (tp_terminal_width(text) <= columns)
		return text;
	for (; end < text.len; end += length) {
		width += tp_columns_of(tp_utf8_next(tp_slice_from(text, end), &length));
		if (width + 1 > columns)
			break;
	}
	return tp_arena_printf(t->arena, "%.*s…", (int)end, text.ptr);
}

struct tp_slice
tp_terminal_line(struct tp_slice *rest, unsigned columns)
{
	struct tp_slice text = *rest;
	size_t at = 0, end = 0, length; /* end: of the last word that fits */
	unsigned width = 0;

	for (; at < text.len; at += length) {
		unsigned more = tp_columns_of(tp_utf8_next(tp_slice_from(text, at), &length));

		if (text.ptr[at] == ' ')
			end = at;
		else if (width + more > columns && at != 0)
			break;
		width += more;
	}
	if (at >= text.len || end == 0)
		end = at;
	*rest = tp_slice_from(text, end);
	while (rest->len != 0 && rest->ptr[0] == ' ')
		*rest = tp_slice_from(*rest, 1);
	return (struct tp_slice){text.ptr, end};
}

void
tp_terminal_flow(struct tp_terminal *t, bool indented, enum tp_terminal_look look, size_t led,
	struct tp_slice text)
{
	enum { INDENT = 2 };
	unsigned indent = indented ? INDENT : 0;
	struct tp_slice rest = text;

	while (rest.len != 0) {
		struct tp_slice line = tp_terminal_line(&rest, t->columns - indent);
		size_t from = (size_t)(line.ptr - text.ptr);
		size_t dressed = led > from ? led - from : 0;

		dressed = dressed < line.len ? dressed : line.len;
		tp_terminal_blanks(t, indent);
		tp_terminal_put(t, look, (struct tp_slice){line.ptr, dressed});
		tp_terminal_put(t, TP_TERMINAL_PLAIN, tp_slice_from(line, dressed));
		tp_sink_puts(t->out, "\n");
		indent = INDENT;
	}
}

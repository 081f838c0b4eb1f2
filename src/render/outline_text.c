/* Texts and values in the outline, with what no terminal may obey shown as signs. */
#include "render/outline.h"

void
tp_outline_indent(struct tp_outline *o, unsigned more)
{
	for (unsigned i = 0; i < o->depth + more; i++)
		tp_sink_puts(o->out, "  ");
}

/* Length of the mark at the start of s that turns the direction of text, else 0: U+200E, U+200F, U+202A to U+202E, U+2066
 * to U+2069. */
static size_t
turn(struct tp_slice s)
{
	if (s.len < 3 || s.ptr[0] != '\xe2')
		return 0;
	unsigned char block = (unsigned char)s.ptr[1], c = (unsigned char)s.ptr[2];
	bool marks = block == 0x80 && (c == 0x8e || c == 0x8f);
	bool embeds = block == 0x80 && c >= 0xaa && c <= 0xae;
	bool isolates = block == 0x81 && c >= 0xa6 && c <= 0xa9;

	return marks || embeds || isolates ? 3 : 0;
}

/* Puts what stands for a character that may not be put as it is; returns its length, 0 when it may. */
static size_t
put_sign(struct tp_outline *o, struct tp_slice s)
{
	unsigned char c = (unsigned char)s.ptr[0];

	if (c < ' ') {
		tp_sink_printf(
			o->out, "\xe2\x90%c", 0x80 + c); /* U+2400 and on: the signs for control characters */
		return 1;
	}
	if (c == 0x7f) {
		tp_sink_puts(o->out, "\u2421");
		return 1;
	}
	if (turn(s) != 0)
		tp_sink_printf(o->out, "[U+20%02X]", ((s.ptr[1] & 1) << 6) | (s.ptr[2] & 0x3f));
	return turn(s);
}

void
tp_outline_put(struct tp_outline *o, struct tp_slice text)
{
	for (size_t at = 0; at < text.len;) {
		size_t sign = put_sign(o, tp_slice_from(text, at));

		if (sign == 0)
			tp_sink_write(o->out, text.ptr + at, 1);
		at += sign ? sign : 1;
	}
}

void
tp_outline_value(struct tp_outline *o, struct tp_value v)
{
	char buf[TP_VALUE_BUF];

	tp_outline_put(o, tp_value_text(v, buf));
}

void
tp_outline_between(
	struct tp_outline *o, const char *before, struct tp_slice text, const char *after)
{
	if (text.len == 0)
		return;
	tp_sink_puts(o->out, before);
	tp_outline_put(o, text);
	tp_sink_puts(o->out, after);
}

void
tp_outline_judge(struct tp_outline *o, enum tp_judge judge)
{
	tp_outline_between(o, "", tp_judge_glyph(judge), " ");
}

void
tp_outline_sentence(struct tp_outline *o, struct tp_text text)
{
	char buf[TP_VALUE_BUF];

	for (size_t i = 0; i < text.count; i++) {
		const struct tp_span *span = &text.spans[i];
		bool last = i + 1 == text.count || !tp_slice_eq(span->href, text.spans[i + 1].href);

		tp_outline_put(o, tp_span_shown(span, buf));
		if (span->judge != TP_JUDGE_NONE)
			tp_sink_puts(o->out, " ");
		if (last)
			tp_outline_between(o, " [", span->href, "]");
	}
}

void
tp_outline_head(struct tp_outline *o, const struct tp_block *b, const char *kind)
{
	tp_outline_indent(o, 0);
	tp_sink_printf(o->out, "%s ", kind);
	tp_outline_put(o, b->id);
	tp_sink_puts(o->out, ": ");
}

/* Texts and values in the outline, with what no terminal may obey shown as signs. */
#include "render/outline.h"

#include "base/utf8.h"

void
tp_outline_indent(struct tp_outline *o, unsigned more)
{
	for (unsigned i = 0; i < o->depth + more; i++)
		tp_sink_puts(o->out, "  ");
}

/* Puts what stands for a character that may not be put as it is. */
static void
put_sign(struct tp_outline *o, uint32_t character)
{
	if (character < ' ')
		tp_sink_printf(o->out, "\xe2\x90%c",
			(int)(0x80 + character)); /* U+2400 and on: the signs for control characters */
	else if (character == 0x7f)
		tp_sink_puts(o->out, "\u2421");
	else if (character == TP_UTF8_ILL_FORMED)
		tp_sink_puts(o->out, "\ufffd");
	else
		tp_sink_printf(o->out, "[U+%04X]", (unsigned)character);
}

void
tp_outline_put(struct tp_outline *o, struct tp_slice text)
{
	size_t length;

	for (; text.len != 0; text = tp_slice_from(text, length)) {
		uint32_t character = tp_utf8_next(text, &length);

		if (tp_utf8_shown(character))
			tp_sink_write(o->out, text.ptr, length);
		else
			put_sign(o, character);
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

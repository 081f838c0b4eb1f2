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

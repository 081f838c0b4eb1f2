/* What a sentence shows, without its styles and links. */
#include "report/text.h"

#include "base/arena.h"

struct tp_slice
tp_span_shown(const struct tp_span *span, char buf[static TP_VALUE_BUF])
{
	if (span->judge != TP_JUDGE_NONE)
		return tp_judge_glyph(span->judge);
	return span->has_value ? tp_value_text(span->value, buf) : span->text;
}

struct tp_slice
tp_text_shown(struct tp_text text, struct tp_arena *a)
{
	char buf[TP_VALUE_BUF];
	size_t len = 0;

	for (size_t i = 0; i < text.count; i++)
		len += tp_span_shown(&text.spans[i], buf).len + 1;
	char *shown = tp_arena_alloc(a, len);

	len = 0;
	for (size_t i = 0; i < text.count; i++) {
		struct tp_slice piece = tp_span_shown(&text.spans[i], buf);

		if (piece.len != 0)
			memcpy(shown + len, piece.ptr, piece.len);
		len += piece.len;
		/* A glyph that leads a sentence stands apart from it. */
		if (text.spans[i].judge != TP_JUDGE_NONE && i + 1 < text.count)
			shown[len++] = ' ';
	}
	return (struct tp_slice){shown, len};
}

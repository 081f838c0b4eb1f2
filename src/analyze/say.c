/* Phrases. */
#include "analyze/say.h"

#include "base/arena.h"

struct tp_value
tp_say_number(const struct tp_pass_ctx *ctx, size_t count, const char *one, const char *many)
{
	char buf[TP_VALUE_BUF];
	struct tp_slice figure = tp_value_text(tp_count(count), buf);

	return tp_text_value(
		tp_arena_printf(ctx->keep, "%.*s %s", TP_ARG(figure), count == 1 ? one : many));
}

void
tp_say_how(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section,
	const char *id, const char *text)
{
	struct tp_block *fold = tp_doc_section(doc, section, TP_SECTION_FOLD, id, "How computed");
	struct tp_slice inside = tp_arena_printf(ctx->keep, "%s/text", id);

	tp_doc_paragraph(doc, fold, TP_PARAGRAPH_BODY, inside.ptr,
		TP_SAY(doc, "{}", tp_text_value(tp_slice_of(text))));
}

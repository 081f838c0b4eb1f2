/* Figures that the profiler worked out itself, in place of those that cannot be worked out. */
#include "analyze/facts/precomputed.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "model/precomputed.h"
#include "model/profile.h"

const struct tp_precomputed *
tp_precomputed(const struct tp_pass_ctx *ctx)
{
	const struct tp_profile *p = ctx->profile;

	return p->event_count == 0 && p->host_count != 0 ? p->precomputed : NULL;
}

void
tp_precomputed_fill(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const char *id,
	struct tp_value value, const char *field, struct tp_slice file)
{
	struct tp_metric *m = doc->metrics;

	while (m != NULL && !tp_slice_eq(m->id, tp_slice_of(id)))
		m = m->next;
	if (m == NULL || tp_known(m->value) || !tp_known(value))
		return;
	m->value = value;
	m->how =
		tp_arena_printf(ctx->keep, "precomputed by the profiler: %s of %.*s", field, TP_ARG(file));
}

void
tp_precomputed_source(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section,
	const char *id, struct tp_slice file)
{
	(void)ctx;
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_SOURCE, id,
		TP_SAY(doc, "Precomputed by the profiler (`{}`), as there are no events.",
			tp_text_value(file)));
}

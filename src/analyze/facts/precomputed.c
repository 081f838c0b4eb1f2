/* Figures that the profiler worked out itself, in place of those that cannot be worked out. */
#include "analyze/facts/precomputed.h"

#include "analyze/core/say.h"
#include "analyze/facts/environment.h"
#include "base/arena.h"
#include "model/precomputed.h"
#include "model/profile.h"

#include <math.h>

const struct tp_precomputed *
tp_precomputed(const struct tp_pass_ctx *ctx)
{
	const struct tp_profile *p = ctx->profile;

	return p->event_count == 0 && p->host_count != 0 ? p->precomputed : NULL;
}

void
tp_environment_from_precomputed(const struct tp_pass_ctx *ctx, struct tp_environment *e)
{
	const struct tp_precomputed *g = tp_precomputed(ctx);

	if (g == NULL || e->cores != 0)
		return;
	struct tp_slice type = g->device_type.len != 0 ? g->device_type : g->hardware;

	/* That no device is in them says nothing of what there was. */
	e->device_type = type;
	if (type.len == 0)
		return;
	e->precomputed_from = g->environment_from.len != 0 ? g->environment_from : g->steps_from;
	e->cores = g->core_count;
	e->devices = 0;
}

void
tp_environment_stated(const struct tp_pass_ctx *ctx, struct tp_environment *e)
{
	const struct tp_precomputed *g = tp_precomputed(ctx);

	if (g == NULL)
		return;
	e->stated_in = g->environment_from;
	if (g->batch != 0) {
		e->batch_of_step = g->batch;
		e->batch = (struct tp_batch){g->batch_of_core, TP_S("the tool file does not say it")};
	}
	e->capture_precomputed = g->captured.len != 0 || g->capture_ms != 0;
	if (g->captured.len != 0)
		e->capture_start = tp_text_value(g->captured);
	if (g->capture_ms != 0)
		e->capture_length = tp_integer((int64_t)g->capture_ms * 1000000, TP_UNIT_NS);
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
		TP_SAY(doc, "Precomputed by the profiler (`{}`): no events were there to work it out from.",
			tp_text_value(file)));
}

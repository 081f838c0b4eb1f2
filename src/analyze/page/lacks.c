/* The list "Not in this profile, and how to capture it": what passes say of themselves (struct tp_lack), as far as it is not there
 * and belongs to runs of this framework on these devices. */
#include "analyze/core/pass.h"
#include "analyze/page/method.h"

#include "analyze/core/say.h"
#include "analyze/facts/environment.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"

static unsigned
on_devices(const struct tp_profile *p)
{
	unsigned on = 0;

	for (uint32_t i = 0; i < p->device_count; i++) {
		on |= p->devices[i].kind == TP_DEVICE_GPU   ? TP_LACK_ON_GPU
			: tp_environment_counts(&p->devices[i]) ? TP_LACK_ON_TPU
													: 0;
	}
	for (uint32_t i = 0; p->torch != NULL && i < p->torch->trace_count; i++)
		on |= p->torch->traces[i]->gpu_count != 0 ? TP_LACK_ON_GPU : 0;
	return on != 0 ? on : TP_LACK_ON_CPU;
}

/* Where the run's program ran, as far as events say it. */
static unsigned
where_it_ran(const struct tp_pass_ctx *ctx)
{
	if (tp_profile_is_tracks_alone(ctx->profile))
		return TP_LACK_ON_TRACKS;
	return ctx->profile->event_count == 0 ? TP_LACK_UNTIMED : on_devices(ctx->profile);
}

static const char *
how_to_capture(const struct tp_lack *lack, enum tp_framework framework)
{
	const char *const how[] = {
		[TP_FRAMEWORK_UNKNOWN] = lack->any,
		[TP_FRAMEWORK_JAX] = lack->jax,
		[TP_FRAMEWORK_TENSORFLOW] = lack->tensorflow,
		[TP_FRAMEWORK_PYTORCH_XLA] = lack->pytorch_xla,
		[TP_FRAMEWORK_PYTORCH] = lack->pytorch,
	};

	/* PyTorch's own profiler has nothing in common with the others. */
	if (framework == TP_FRAMEWORK_PYTORCH)
		return how[framework];
	return how[framework] != NULL ? how[framework] : lack->any;
}

/* Through the passes in the order of the page. */
struct walk {
	const struct tp_pass_ctx *ctx;
	enum tp_framework framework;
	unsigned where;
	const struct tp_pass *pass;
	size_t pass_index, next; /* in ctx->passes; of its lack that comes next */
	/* Of the one in hand. */
	const struct tp_lack *lack;
	const char *how;
	struct tp_slice why;
};

/* The pass that comes next in the page, by place and then by the order of the list; false when none does. */
static bool
next_pass(struct walk *w)
{
	const struct tp_pass *best = NULL;
	size_t best_index = 0;

	for (size_t i = 0; w->ctx->passes[i] != NULL; i++) {
		const struct tp_pass *p = w->ctx->passes[i];
		bool later = w->pass == NULL || p->place > w->pass->place ||
			(p->place == w->pass->place && i > w->pass_index);

		if (later && (best == NULL || p->place < best->place)) {
			best = p;
			best_index = i;
		}
	}
	w->pass = best;
	w->pass_index = best_index;
	w->next = 0;
	return best != NULL;
}

static struct walk
begin(const struct tp_pass_ctx *ctx)
{
	const struct tp_environment *e = tp_result(ctx, &tp_pass_environment);
	struct walk w = {.ctx = ctx, .framework = e->framework, .where = where_it_ran(ctx)};

	next_pass(&w);
	return w;
}

static bool
is_lacking(struct walk *w)
{
	w->how = how_to_capture(w->lack, w->framework);
	if ((w->lack->on & w->where) == 0 || w->how == NULL)
		return false;
	w->why = w->lack->why != NULL ? w->lack->why(w->ctx) : tp_skipped(w->ctx, w->pass);
	return w->why.len != 0;
}

static bool
next(struct walk *w)
{
	do {
		const struct tp_lack *lacks = w->pass->lacks;

		while (lacks != NULL && lacks[w->next].what != NULL) {
			w->lack = &lacks[w->next++];
			if (is_lacking(w))
				return true;
		}
	} while (next_pass(w));
	return false;
}

size_t
tp_lacks_count(const struct tp_pass_ctx *ctx)
{
	struct walk w = begin(ctx);
	size_t count = 0;

	while (next(&w))
		count++;
	return count;
}

void
tp_lacks_present(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	struct walk w = begin(ctx);
	size_t count = tp_lacks_count(ctx);

	if (count == 0)
		return;
	struct tp_block *list = tp_doc_section(doc, section, TP_SECTION_SUB, "method/absent",
		"Not in this profile, and how to capture it");

	list->section.aside = TP_SAY(doc, "{}", tp_say_number(ctx, count, "thing", "things"));
	while (next(&w)) {
		struct tp_text text = TP_SAY(doc, "*{}*, because {}. ",
			tp_text_value(tp_slice_of(w.lack->what)), tp_text_value(w.why));

		tp_doc_paragraph(doc, list, TP_PARAGRAPH_BODY,
			tp_arena_printf(ctx->keep, "method/absent/%s", w.lack->id).ptr,
			tp_doc_join(doc, text, TP_SAY0(doc, w.how)));
	}
}

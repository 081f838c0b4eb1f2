/* What the finding on padding says: the worst operation by name, with the sizes that would fit. */
#include "analyze/facts/environment.h"
#include "analyze/ops/op_profile.h"
#include "analyze/ops/ops.h"
#include "analyze/ops/ops_present.h"
#include "analyze/ops/padding.h"
#include "base/arena.h"
#include "model/profile.h"

#include <string.h>

/* The first operation to which space-to-depth applies and that matters: at least a tenth of all that is lost. */
static const struct tp_padding_fit *
find_image(const struct tp_padding *p, uint64_t *features, double *fit)
{
	for (size_t i = 0; i < p->count && p->fits[i].lost_ps >= 0.1 * p->lost_ps; i++) {
		if (tp_padding_space_to_depth(&p->fits[i].product, features, fit))
			return &p->fits[i];
	}
	return NULL;
}

static struct tp_text
space_to_depth(const struct tp_pass_ctx *ctx, struct tp_doc *doc, uint64_t features)
{
	const struct tp_environment *env = tp_result(ctx, &tp_pass_environment);
	struct tp_value after = tp_count(features), before = tp_count(features / 4);

	if (env != NULL && env->framework == TP_FRAMEWORK_TENSORFLOW)
		return TP_SAY(doc,
			"Space-to-depth in the input pipeline: `tf.nn.space_to_depth(image, 2)` makes {} "
			"features of {}; adapt the first kernel to it.",
			after, before);
	return TP_SAY(doc,
		"Space-to-depth in the input pipeline: reshape and transpose each 2 × 2 pixels into "
		"features, {} instead of {}; adapt the first kernel to it.",
		after, before);
}

static struct tp_text
larger(struct tp_doc *doc, enum tp_dim_meaning meaning, const struct tp_fit_dim *d)
{
	struct tp_value name = tp_text_value(tp_slice_of(tp_dim_meaning_name(meaning)));
	struct tp_value size = tp_number((double)d->size, TP_UNIT_COUNT);
	struct tp_value padded = tp_number((double)d->padded, TP_UNIT_COUNT);
	struct tp_value multiple = tp_number((double)d->multiple, TP_UNIT_COUNT);

	if (meaning == TP_DIM_BATCH)
		return TP_SAY(doc,
			"Raise the batch on each core from {} to {}, or another multiple of {}, if memory "
			"allows.",
			size, padded, multiple);
	return TP_SAY(doc,
		"Make the {} dimension a multiple of {}: {} takes no more time than {} with today's "
		"padding.",
		name, multiple, padded, size);
}

enum { MOST_ACTIONS = 3 };

/* Something to do, and what share of the operation's time the same data would take less. */
struct step {
	struct tp_text text;
	double saved_ps;
};

static double
saved_ps(const struct tp_padding *p, const struct tp_padding_fit *f, double fit)
{
	return (double)p->ops->ops[f->op].self_ps * (1 - f->product.fit / fit);
}

/* Keeps the steps that save most, the largest first. */
static void
keep_step(struct step *list, size_t *count, struct step one)
{
	size_t at = *count;

	while (at > 0 && list[at - 1].saved_ps < one.saved_ps)
		at--;
	if (at == MOST_ACTIONS)
		return;
	*count += *count < MOST_ACTIONS;
	memmove(list + at + 1, list + at, (*count - at - 1) * sizeof *list);
	list[at] = one;
}

static void
add_actions(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_padding *p,
	struct tp_finding *f)
{
	const struct tp_padding_fit *first = &p->fits[0];
	const struct tp_product_fit *worst = &first->product;
	const struct tp_fit_shape *s = &worst->shapes[worst->worst];
	struct tp_text *actions = tp_new_array(ctx->keep, struct tp_text, MOST_ACTIONS);
	struct step steps[MOST_ACTIONS];
	size_t count = 0;
	uint64_t features;
	double fit;
	const struct tp_padding_fit *image = find_image(p, &features, &fit);

	if (image != NULL)
		keep_step(steps, &count,
			(struct step){space_to_depth(ctx, doc, features), saved_ps(p, image, fit)});
	for (uint32_t i = 0; i < s->count; i++) {
		const struct tp_fit_dim *d = &s->dims[i];
		enum tp_dim_meaning meaning = tp_layer_meaning(worst, worst->worst, d->meaning);

		/* More channels than an image has would hold no data. */
		if (d->padded == d->size || d->size == 0 || meaning == TP_DIM_NONE ||
			(image == first && meaning == TP_DIM_FEATURE))
			continue;
		fit = worst->fit * (double)d->padded / (double)d->size;
		keep_step(steps, &count, (struct step){larger(doc, meaning, d), saved_ps(p, first, fit)});
	}
	for (size_t i = 0; i < count; i++)
		actions[i] = steps[i].text;
	f->action_count = count;
	f->actions = actions;
}

void
tp_padding_advise(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_padding *p = tp_padding_known(ctx);

	if (p == NULL || p->count == 0)
		return;
	const struct tp_product_fit *worst = &p->fits[0].product;
	struct tp_value name =
		tp_text_value(tp_op_short_name(ctx, p->ops->ops[p->fits[0].op].op->label));
	struct tp_value fit = tp_number(worst->fit, TP_UNIT_SHARE);
	struct tp_value dims = tp_text_value(tp_fit_dims_text(worst, worst->worst, false, ctx->keep));
	struct tp_value sizes = tp_text_value(tp_fit_dims_text(worst, worst->worst, true, ctx->keep));
	struct tp_slice best = tp_padding_best_option(worst, ctx->keep);

	finding->title =
		TP_SAY(doc, "Padding takes {} of busy time: data fills {} of the tiles of `{}`",
			finding->measured, fit, name);
	finding->brief = best.len != 0 ? TP_SAY(doc, "What would fit best: {}.", tp_text_value(best))
								   : TP_SAY(doc, "Choose sizes that fill tiles: {}.", sizes);
	finding->saw = tp_doc_join(doc, finding->saw,
		TP_SAY(doc, " Most by `{}`: {}; data fills {} of its tiles.", name, dims, fit));
	add_actions(ctx, doc, p, finding);
}

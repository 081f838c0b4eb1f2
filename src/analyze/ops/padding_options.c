/* What would fit: sizes that fill the tiles of the operations that lose most, how well, and what that saves for the same data; and
 * what the finding on padding says of it. */
#include "analyze/ops/padding.h"

#include "analyze/core/say.h"
#include "analyze/facts/environment.h"
#include "analyze/ops/op_use.h"
#include "analyze/ops/padding_columns.h"
#include "analyze/ops/padding_words.h"
#include "base/arena.h"
#include "base/order.h"
#include "model/profile.h"
#include "report/draft.h"

#include <math.h>
#include <stdlib.h>

/* Other sizes of the worst array, and how it would fit then. */
struct option {
	struct tp_slice name, sizes;
	double fit;
};

/* With the dimensions of `mask` (bits by position) as large as their tiles. */
static struct option
pad_dims(const struct tp_product_fit *p, uint64_t mask, struct tp_arena *arena)
{
	const struct tp_fit_shape *s = &p->shapes[p->worst];
	struct option out = {.fit = 1};

	for (uint32_t i = 0; i < s->count; i++) {
		const struct tp_fit_dim *d = &s->dims[i];
		bool chosen = mask >> i & 1;
		const char *name = tp_dim_meaning_names[tp_layer_meaning(p, p->worst, d->meaning)];
		unsigned long long size = chosen ? d->padded : d->size;

		out.fit *= chosen || d->padded == 0 ? 1 : (double)d->size / (double)d->padded;
		if (d->padded == d->size)
			continue;
		out.sizes = tp_arena_printf(
			arena, "%.*s%s%s %llu", TP_ARG(out.sizes), out.sizes.len ? ", " : "", name, size);
		if (chosen)
			out.name = tp_arena_printf(
				arena, "%.*s%s%s %llu", TP_ARG(out.name), out.name.len ? " and " : "", name, size);
	}
	return out;
}

/* The sizes of a tensor after space-to-depth by 2: the input of a convolution with too few features, whose spatial dimensions are
 * even. False when that is not what it is. The image of the gradient of a kernel is the same as that of the layer, although HLO
 * calls its batch a feature there. */
static bool
fits_after_space_to_depth(const struct tp_product_fit *p, uint64_t *features, double *fit)
{
	enum { MOST_CHANNELS = 4, BLOCK = 2 };
	const struct tp_fit_shape *s = &p->shapes[TP_FIT_LHS];
	bool image = false;

	if (!p->convolution || p->worst != TP_FIT_LHS)
		return false;
	*fit = 1;
	for (uint32_t i = 0; i < s->count; i++) {
		const struct tp_fit_dim *d = &s->dims[i];
		enum tp_dim_meaning meaning = tp_layer_meaning(p, TP_FIT_LHS, d->meaning);
		uint64_t size = d->size;

		if (meaning == TP_DIM_SPATIAL && size % BLOCK == 0)
			size /= BLOCK;
		else if (meaning == TP_DIM_SPATIAL)
			return false;
		if (meaning == TP_DIM_FEATURE && size <= MOST_CHANNELS) {
			image = true;
			size *= BLOCK * BLOCK;
			*features = size;
		}
		if (size != 0 && d->multiple != 0)
			*fit *= (double)size / (ceil((double)size / (double)d->multiple) * (double)d->multiple);
	}
	/* Two spatial dimensions make BLOCK × BLOCK features of one. */
	return image && s->count == 4 && *fit > p->fit;
}

/* The same data takes the share of the time that today's fit is of the new one. */
static double
less_ps(const struct tp_op_total *t, double today, double fit)
{
	return fit > today ? (double)t->self_ps * (1 - today / fit) : 0;
}

/* The best fit first: it saves most of the same operation's time. */
TP_ORDER(by_fit, struct option, TP_DOWN(fit), tp_slice_cmp(a->name, b->name));

/* Space-to-depth, alone and with the dimensions of `mask` as large as their tiles. */
static size_t
add_space_to_depth(const struct tp_product_fit *p, uint64_t mask, uint64_t features, double fit,
	struct option *out, struct tp_arena *arena)
{
	const struct tp_fit_shape *s = &p->shapes[p->worst];
	struct tp_slice size = tp_arena_printf(arena, "feature %llu", (unsigned long long)features);

	out[0] = (struct option){TP_S("space-to-depth by 2"), size, fit};
	if (mask == 0)
		return 1;
	struct option padded = pad_dims(p, mask, arena);

	for (uint32_t i = 0; i < s->count; i++)
		fit *= mask >> i & 1 ? (double)s->dims[i].padded / (double)s->dims[i].size : 1;
	out[1] = (struct option){
		tp_arena_printf(arena, "%.*s and %.*s", TP_ARG(out[0].name), TP_ARG(padded.name)),
		tp_arena_printf(arena, "%.*s, %.*s", TP_ARG(padded.name), TP_ARG(size)), fit};
	return 2;
}

/* What there is to choose from, the best first. More channels than an image has would hold no data: space-to-depth stands for
 * that dimension. */
static size_t
list_options(const struct tp_product_fit *p, struct option *out, struct tp_arena *arena)
{
	const struct tp_fit_shape *s = &p->shapes[p->worst];
	uint64_t all = 0, features;
	size_t count = 0, dims = 0;
	double fit;
	bool image = fits_after_space_to_depth(p, &features, &fit);

	for (uint32_t i = 0; i < s->count; i++) {
		enum tp_dim_meaning meaning = tp_layer_meaning(p, p->worst, s->dims[i].meaning);

		/* A dimension that the array has not cannot be made larger. */
		if (s->dims[i].padded == s->dims[i].size || meaning == TP_DIM_NONE ||
			(image && meaning == TP_DIM_FEATURE))
			continue;
		all |= UINT64_C(1) << i;
		dims++;
		out[count++] = pad_dims(p, UINT64_C(1) << i, arena);
	}
	if (dims > 1)
		out[count++] = pad_dims(p, all, arena);
	if (image)
		count += add_space_to_depth(p, all, features, fit, out + count, arena);
	qsort(out, count, sizeof *out, by_fit);
	return count;
}

/* "space-to-depth by 2 and batch 128": what would fit best; empty: nothing would fit better. */
static struct tp_slice
best_option(const struct tp_product_fit *p, struct tp_arena *arena)
{
	struct option *list = tp_new_array(arena, struct option, p->shapes[p->worst].count + 3);

	return list_options(p, list, arena) != 0 ? list[0].name : (struct tp_slice){NULL, 0};
}

static void
fill_option(struct option_cells *cells, struct tp_slice name, struct tp_slice sizes, double fit)
{
	cells->name.value = tp_text_value(name);
	cells->sizes.value = tp_text_value(sizes);
	cells->fit.value = tp_number(fit, TP_UNIT_SHARE);
	cells->fit.swatch = TP_HUE_COMPUTE;
}

/* Today's sizes, and below them what would fit. */
static void
options_of(struct tp_draft *draft, const struct tp_pass_ctx *ctx, const struct tp_padding *p,
	const struct tp_padding_fit *f)
{
	const struct tp_op_total *t = &p->ops->ops[f->op];
	const struct tp_product_fit *fit = &f->product;
	struct tp_slice of = tp_op_row_name(ctx, t);
	/* A row a dimension, one for all, and two with space-to-depth. */
	struct option *list = tp_new_array(ctx->keep, struct option, fit->shapes[fit->worst].count + 3);
	size_t count = list_options(fit, list, ctx->keep);
	struct option_cells *cells = tp_draft_row_of(draft, of, TP_ROW_GROUP, 0, NULL);

	fill_option(cells, tp_arena_printf(ctx->keep, "%.*s: now", TP_ARG(t->op->label)),
		pad_dims(fit, 0, ctx->keep).sizes, fit->fit);
	cells->less.value = tp_missing(TP_S(why_as_now));
	for (size_t i = 0; i < count; i++) {
		const struct option *o = &list[i];

		cells = tp_draft_row_of(draft,
			tp_arena_printf(ctx->keep, "%.*s/%.*s", TP_ARG(of), TP_ARG(o->name)), TP_ROW_NORMAL, 1,
			NULL);
		fill_option(cells, o->name, o->sizes, o->fit);
		cells->less.value = tp_op_time(p->ops, tp_number(less_ps(t, fit->fit, o->fit), TP_UNIT_PS));
	}
}

enum { MOST_OPTIONS = 3 };

void
tp_padding_options(const struct tp_pass_ctx *ctx, const struct tp_padding *p, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "padding/would-fit", option_columns);

	for (size_t i = 0; i < p->count && i < MOST_OPTIONS && p->fits[i].lost_ps > 0; i++)
		options_of(&draft, ctx, p, &p->fits[i]);
	struct tp_table *t = tp_draft_finish(&draft, SIZE_MAX);

	t->tree = true;
	t->caption = TP_S(caption_options);
}

/* The first operation to which space-to-depth applies and that matters: at least a tenth of all that is lost. */
static const struct tp_padding_fit *
find_image(const struct tp_padding *p, uint64_t *features, double *fit)
{
	for (size_t i = 0; i < p->count && p->fits[i].lost_ps >= 0.1 * p->lost_ps; i++) {
		if (fits_after_space_to_depth(&p->fits[i].product, features, fit))
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
		return TP_SAY(doc, text_space_to_depth_tensorflow, after, before);
	return TP_SAY(doc, text_space_to_depth, after, before);
}

static struct tp_text
larger(struct tp_doc *doc, enum tp_dim_meaning meaning, const struct tp_fit_dim *d)
{
	struct tp_value name = tp_text_value(tp_slice_of(tp_dim_meaning_names[meaning]));
	struct tp_value size = tp_number((double)d->size, TP_UNIT_COUNT);
	struct tp_value padded = tp_number((double)d->padded, TP_UNIT_COUNT);
	struct tp_value multiple = tp_number((double)d->multiple, TP_UNIT_COUNT);

	if (meaning == TP_DIM_BATCH)
		return TP_SAY(doc, text_batch, size, padded, multiple);
	return TP_SAY(doc, text_dimension, name, multiple, padded, size);
}

enum { MOST_ACTIONS = 3 };

/* Something to do, and what share of the operation's time the same data would take less. */
struct step {
	struct tp_text text;
	double saved_ps;
};

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
			(struct step){space_to_depth(ctx, doc, features),
				less_ps(&p->ops->ops[image->op], image->product.fit, fit)});
	for (uint32_t i = 0; i < s->count; i++) {
		const struct tp_fit_dim *d = &s->dims[i];
		enum tp_dim_meaning meaning = tp_layer_meaning(worst, worst->worst, d->meaning);

		/* More channels than an image has would hold no data. */
		if (d->padded == d->size || d->size == 0 || meaning == TP_DIM_NONE ||
			(image == first && meaning == TP_DIM_FEATURE))
			continue;
		fit = worst->fit * (double)d->padded / (double)d->size;
		keep_step(steps, &count,
			(struct step){
				larger(doc, meaning, d), less_ps(&p->ops->ops[first->op], worst->fit, fit)});
	}
	for (size_t i = 0; i < count; i++)
		actions[i] = steps[i].text;
	f->action_count = count;
	f->actions = actions;
}

void
tp_padding_advise(const struct tp_pass_ctx *ctx, const struct tp_padding *p, struct tp_doc *doc,
	struct tp_finding *finding)
{
	if (p == NULL || p->count == 0)
		return;
	const struct tp_product_fit *worst = &p->fits[0].product;
	struct tp_value name =
		tp_text_value(tp_op_short_name(ctx, p->ops->ops[p->fits[0].op].op->label));
	struct tp_value fit = tp_number(worst->fit, TP_UNIT_SHARE);
	struct tp_value dims = tp_text_value(tp_fit_dims_text(worst, worst->worst, false, ctx->keep));
	struct tp_value sizes = tp_text_value(tp_fit_dims_text(worst, worst->worst, true, ctx->keep));
	struct tp_slice best = best_option(worst, ctx->keep);

	finding->title = TP_SAY(doc, text_finding, finding->measured, fit, name);
	finding->brief = best.len != 0 ? TP_SAY(doc, text_best_fit, tp_text_value(best))
								   : TP_SAY(doc, text_choose, sizes);
	TP_SAY_MORE(doc, finding->saw, text_finding_most, name, dims, fit);
	add_actions(ctx, doc, p, finding);
}

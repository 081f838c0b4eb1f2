/* What would fit: sizes that fill the tiles of the operations that lose most, how well, and what that saves for the same data. */
#include "analyze/ops/padding_present.h"

#include "analyze/core/say.h"
#include "analyze/ops/ops.h"
#include "base/arena.h"
#include "model/profile.h"
#include "report/draft.h"

#include <math.h>
#include <stdlib.h>

static const struct tp_column option_columns[] = {
	TP_COLUMN("name", "What would fit"),
	TP_COLUMN("sizes", "Sizes"),
	TP_SHARE_COLUMN("fit_share", "Fit", .bar = true),
	TP_COLUMN("less_ms", "Less time for the same data", .unit = TP_UNIT_MS, .decimals = 1),
};
enum { NAME, SIZES, FIT, LESS, COLUMNS };

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
		const char *name = tp_dim_meaning_name(tp_layer_meaning(p, p->worst, d->meaning));
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

/* The image of the gradient of a kernel is the same as that of the layer, although HLO calls its batch a feature there. */
bool
tp_padding_space_to_depth(const struct tp_product_fit *p, uint64_t *features, double *fit)
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

static void
add_option(struct tp_draft *draft, struct tp_slice of, const struct tp_padding *p,
	const struct tp_padding_fit *f, const struct option *o)
{
	double less = less_ps(&p->ops->ops[f->op], f->product.fit, o->fit);
	struct tp_cell *cell = tp_draft_row(draft,
		tp_arena_printf(draft->doc->arena, "%.*s/%.*s", TP_ARG(of), TP_ARG(o->name)), TP_ROW_NORMAL,
		1);

	cell[NAME].value = tp_text_value(o->name);
	cell[SIZES].value = tp_text_value(o->sizes);
	cell[FIT].value = tp_number(o->fit, TP_UNIT_SHARE);
	cell[FIT].swatch = TP_HUE_COMPUTE;
	cell[LESS].value = tp_op_time(p->ops, tp_number(less, TP_UNIT_PS));
}

/* The best fit first: it saves most of the same operation's time. */
static int
by_fit(const void *left, const void *right)
{
	const struct option *a = left, *b = right;

	return a->fit != b->fit ? (a->fit > b->fit ? -1 : 1) : tp_slice_cmp(a->name, b->name);
}

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
	bool image = tp_padding_space_to_depth(p, &features, &fit);

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

struct tp_slice
tp_padding_best_option(const struct tp_product_fit *p, struct tp_arena *arena)
{
	struct option *list = tp_new_array(arena, struct option, p->shapes[p->worst].count + 3);

	return list_options(p, list, arena) != 0 ? list[0].name : (struct tp_slice){NULL, 0};
}

static void
options_of(struct tp_draft *draft, const struct tp_pass_ctx *ctx, const struct tp_padding *p,
	const struct tp_padding_fit *f)
{
	const struct tp_op_total *t = &p->ops->ops[f->op];
	const struct tp_product_fit *fit = &f->product;
	struct tp_slice of = tp_padding_row_name(ctx, t);
	/* A row a dimension, one for all, and two with space-to-depth. */
	struct option *list = tp_new_array(ctx->keep, struct option, fit->shapes[fit->worst].count + 3);
	size_t count = list_options(fit, list, ctx->keep);
	struct tp_cell *cell = tp_draft_row(draft, of, TP_ROW_GROUP, 0);

	cell[NAME].value =
		tp_text_value(tp_arena_printf(ctx->keep, "%.*s: today", TP_ARG(t->op->label)));
	cell[SIZES].value = tp_text_value(pad_dims(fit, 0, ctx->keep).sizes);
	cell[FIT].value = tp_number(fit->fit, TP_UNIT_SHARE);
	cell[FIT].swatch = TP_HUE_COMPUTE;
	cell[LESS].value = tp_missing(TP_S("as it is today"));
	for (size_t i = 0; i < count; i++)
		add_option(draft, of, p, f, &list[i]);
}

enum { MOST_OPTIONS = 3 };

void
tp_padding_options(const struct tp_pass_ctx *ctx, const struct tp_padding *p, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_draft draft =
		tp_draft_table(doc, section, "padding/would-fit", option_columns, COLUMNS);

	for (size_t i = 0; i < p->count && i < MOST_OPTIONS && p->fits[i].lost_ps > 0; i++)
		options_of(&draft, ctx, p, &p->fits[i]);
	struct tp_table *t = tp_draft_finish(&draft, SIZE_MAX);

	t->tree = true;
	t->caption = TP_S("Sizes with which the operations that lose most would fit better, by the "
					  "time that the same data would take less");
}

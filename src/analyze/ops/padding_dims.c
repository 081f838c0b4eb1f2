/* Each dimension against its tile: as a picture of the worst array, and as a table. */
#include "analyze/ops/padding_present.h"

#include "analyze/core/say.h"
#include "analyze/ops/ops.h"
#include "base/arena.h"
#include "model/profile.h"
#include "report/draft.h"

/* The two dimensions of the worst array that lie in tiles; false when there is none or only one. */
static bool
find_tile(const struct tp_product_fit *p, const struct tp_fit_dim *sides[2])
{
	const struct tp_fit_shape *s = &p->shapes[p->worst];

	sides[0] = sides[1] = NULL;
	for (uint32_t i = 0; i < s->count; i++) {
		const struct tp_fit_dim *d = &s->dims[i];

		if (d->axis == TP_AXIS_LANE)
			sides[0] = d;
		else if (d->axis == TP_AXIS_SUBLANE)
			sides[1] = d;
	}
	return sides[0] != NULL && sides[1] != NULL && sides[0]->size != 0 && sides[1]->size != 0;
}

/* The worst array's place in its tiles, drawn. */
void
tp_padding_picture(const struct tp_pass_ctx *ctx, const struct tp_padding *p, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_product_fit *worst = &p->fits[0].product;
	const struct tp_fit_dim *sides[2];

	if (!(p->lost_ps > 0) || !find_tile(worst, sides))
		return;
	double *values = tp_new_array(ctx->keep, double, 4);
	struct tp_series *series = tp_new_array(ctx->keep, struct tp_series, 2);
	struct tp_slice *labels = tp_new_array(ctx->keep, struct tp_slice, 2);
	struct tp_value names[2];

	for (size_t k = 0; k < 2; k++) {
		labels[k] = tp_slice_of(
			tp_dim_meaning_name(tp_layer_meaning(worst, worst->worst, sides[k]->meaning)));
		names[k] = tp_text_value(labels[k]);
		values[k] = (double)sides[k]->size;
		values[2 + k] = (double)(sides[k]->padded - sides[k]->size);
	}
	series[0] = (struct tp_series){
		.key = TP_S("data"), .label = TP_S("Data"), .hue = TP_HUE_COMPUTE, .values = values};
	series[1] = (struct tp_series){
		.key = TP_S("padding"), .label = TP_S("Padding"), .hue = TP_HUE_IDLE, .values = values + 2};
	struct tp_text said = TP_SAY(doc,
		"The {} of `{}` in its tiles: of {} places along lanes the {} dimension fills {}, of {} "
		"along sublanes the {} dimension {}.",
		tp_text_value(tp_slice_of(tp_fit_role_name(worst->worst))), tp_text_value(worst->name),
		tp_number((double)sides[0]->padded, TP_UNIT_COUNT), names[0],
		tp_number(values[0], TP_UNIT_COUNT), tp_number((double)sides[1]->padded, TP_UNIT_COUNT),
		names[1], tp_number(values[1], TP_UNIT_COUNT));

	tp_doc_add(doc, section, TP_BLOCK_CHART, TP_S("padding/tile"))->chart = (struct tp_chart){
		.kind = TP_CHART_TILE,
		.alt = tp_text_shown(said, ctx->keep),
		.unit = TP_UNIT_COUNT,
		.series = series,
		.series_count = 2,
		.labels = labels,
		.point_count = 2,
		.marked = SIZE_MAX,
		.legend = true,
	};
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "padding/tile/text", said);
}

enum { DIM_NAME, DIM_SIZE, DIM_PADDED, DIM_AXIS, DIM_USED, DIM_MULTIPLE, DIM_LAYOUT, DIM_COLUMNS };

static const struct tp_column dim_columns[DIM_COLUMNS] = {
	[DIM_NAME] = TP_COLUMN("name", "Operation, array, dimension"),
	[DIM_SIZE] = TP_COUNT_COLUMN("size", "Logical"),
	[DIM_PADDED] = TP_COUNT_COLUMN("padded", "Tiled"),
	[DIM_AXIS] = TP_COLUMN("axis", "Axis"),
	[DIM_USED] = TP_SHARE_COLUMN("used_share", "Used", .bar = true),
	[DIM_MULTIPLE] = TP_COUNT_COLUMN("multiple", "Fits in multiples of"),
	[DIM_LAYOUT] = TP_COLUMN("layout", "Layout", .code = true),
};

static struct tp_slice
axis_name(enum tp_axis axis)
{
	switch (axis) {
	case TP_AXIS_LANE:
		return TP_S("lane");
	case TP_AXIS_SUBLANE:
		return TP_S("sublane");
	case TP_AXIS_OTHER:
		return TP_S("tiled");
	case TP_AXIS_NONE:
		break;
	}
	return TP_S("");
}

static void
dimensions_of(struct tp_draft *draft, const struct tp_pass_ctx *ctx, const struct tp_fit_shape *s,
	const char *role, struct tp_slice of)
{
	struct tp_slice name = tp_arena_printf(ctx->keep, "%.*s/%s", TP_ARG(of), role);
	struct tp_cell *cell = tp_draft_row(draft, name, TP_ROW_NORMAL, 1);

	cell[DIM_NAME].value = tp_text_value(tp_slice_of(role));
	cell[DIM_USED].value = tp_padding_fit_value(s->fit);
	cell[DIM_USED].swatch = TP_HUE_COMPUTE;
	cell[DIM_LAYOUT].value = tp_text_value(s->text);
	for (uint32_t i = 0; i < s->count; i++) {
		const struct tp_fit_dim *d = &s->dims[i];

		cell = tp_draft_row(
			draft, tp_arena_printf(ctx->keep, "%.*s/%u", TP_ARG(name), i), TP_ROW_NORMAL, 2);
		cell[DIM_NAME].value = tp_text_value(tp_slice_of(tp_dim_meaning_name(d->meaning)));
		cell[DIM_SIZE].value = tp_number((double)d->size, TP_UNIT_COUNT);
		cell[DIM_PADDED].value = tp_number((double)d->padded, TP_UNIT_COUNT);
		cell[DIM_AXIS].value = tp_text_value(axis_name(d->axis));
		cell[DIM_USED].value =
			tp_share((double)d->size, (double)d->padded, TP_S("the array has no element"));
		cell[DIM_USED].swatch = TP_HUE_COMPUTE;
		if (d->multiple > 1)
			cell[DIM_MULTIPLE].value = tp_number((double)d->multiple, TP_UNIT_COUNT);
		else
			cell[DIM_MULTIPLE].value = tp_text_value(TP_S("any"));
	}
}

void
tp_padding_dimensions(const struct tp_pass_ctx *ctx, const struct tp_padding *p, struct tp_doc *doc,
	struct tp_block *section)
{
	bool all = ctx->options->top == SIZE_MAX;

	/* What fits needs no explanation, unless everything is asked for. */
	if (!(p->lost_ps > 0) && !all)
		return;
	struct tp_block *part = tp_doc_section(
		doc, section, TP_SECTION_SUB, "padding/by-dimension", "Dimension by dimension");

	part->section.spare = true;
	struct tp_draft draft =
		tp_draft_table(doc, part, "padding/dimensions", dim_columns, DIM_COLUMNS);
	size_t shown = 0;

	for (size_t i = 0; i < p->count && i < ctx->options->top; i++) {
		if (!(p->fits[i].lost_ps > 0) && !all)
			break;
		const struct tp_padding_fit *f = &p->fits[i];
		const struct tp_op_total *t = &p->ops->ops[f->op];
		struct tp_slice of = tp_padding_row_name(ctx, t), name = t->op->label;
		struct tp_cell *cell = tp_draft_row(&draft, of, TP_ROW_GROUP, 0);

		if (!tp_slice_eq(f->product.name, name))
			name = tp_arena_printf(ctx->keep, "%.*s, in it %.*s%s", TP_ARG(name),
				TP_ARG(f->product.name), f->products > 1 ? ", the worst of several" : "");
		cell[DIM_NAME].value = tp_text_value(name);
		cell[DIM_USED].value = tp_padding_fit_value(f->product.fit);
		cell[DIM_USED].swatch = TP_HUE_COMPUTE;
		for (enum tp_fit_role role = 0; role < TP_FIT_ROLES; role++)
			dimensions_of(&draft, ctx, &f->product.shapes[role], tp_fit_role_name(role), of);
		shown = i == 0 ? draft.rows.count : shown;
	}
	/* The first operation stands open, as an example of how to read the others. */
	struct tp_table *table = tp_draft_finish(&draft, shown);

	table->tree = true;
	table->caption =
		TP_S("Each dimension, the fastest in memory first, of the operations that lose most");
}

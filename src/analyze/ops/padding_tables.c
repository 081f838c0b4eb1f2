/* The tables on padding: operations by time lost, each dimension against its tile, other large buffers. */
#include "analyze/ops/padding.h"

#include "analyze/core/say.h"
#include "analyze/ops/op_use.h"
#include "base/arena.h"
#include "model/profile.h"
#include "report/draft.h"

#include <math.h>

/* Of busy time: what is less is not judged. */
#define WORTH_JUDGING 0.01

/* What does not fit is told where there are tiles. */
static struct tp_value
fit_value(double fit)
{
	return isfinite(fit) ? tp_number(fit, TP_UNIT_SHARE)
						 : tp_missing(TP_S("the layout has no tiles"));
}

static void
put_fit(struct tp_cell *cell, struct tp_value fit)
{
	cell->value = fit;
	cell->swatch = TP_HUE_COMPUTE;
}

static const struct tp_column op_columns[] = {
	TP_COLUMN("name", "Operation", .code = true),
	TP_COLUMN("padded", "Size → smallest that fits"),
	TP_SHARE_COLUMN("fit_share", "Fit", .bar = true),
	TP_SHARE_COLUMN("matrix_unit_share", "Matrix unit, at most",
		TP_FIELD(struct tp_padding_fit, matrix_share, TP_UNIT_SHARE,
			.missing = "the size of this device's matrix unit is not known")),
	TP_COLUMN("self_ms", "Self time", .unit = TP_UNIT_MS, .decimals = 1),
	TP_COLUMN("lost_ms", "Lost", .unit = TP_UNIT_MS, .decimals = 1, .sorted = true),
	TP_COLUMN("padding_mib", "Padding moved", .unit = TP_UNIT_MIB, .decimals = 1),
	TP_COLUMN("framework_op", "Framework operation", .code = true),
	TP_COLUMN("program", "Program", .code = true),
};
struct op_cells {
	struct tp_cell name, dims, fit, matrix, self, lost, moved, framework, program;
};
TP_CELLS_ARE_COLUMNS(struct op_cells, op_columns);

static enum tp_judge
judge_fit(const struct tp_padding_fit *f, int64_t busy_ps)
{
	if (!(f->lost_ps >= WORTH_JUDGING * (double)busy_ps))
		return TP_JUDGE_NONE;
	return f->product.fit < 0.25 ? TP_JUDGE_BAD
		: f->product.fit < 0.5   ? TP_JUDGE_WARN
								 : TP_JUDGE_NONE;
}

/* "lhs: batch 16 → 128, feature 3 → 8". What a dimension is padded to is the smallest size that would fit. */
static struct tp_slice
padded_text(const struct tp_padding_fit *f, struct tp_arena *arena)
{
	struct tp_slice dims = tp_fit_dims_text(&f->product, f->product.worst, false, arena);

	if (dims.len == 0)
		return TP_S("");
	return tp_arena_printf(arena, "%s: %.*s",
		f->product.worst == TP_FIT_OUTPUT ? "result" : tp_fit_role_names[f->product.worst],
		TP_ARG(dims));
}

static void
operations(const struct tp_pass_ctx *ctx, const struct tp_padding *p, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "padding/operations", op_columns);

	for (size_t i = 0; i < p->count; i++) {
		const struct tp_padding_fit *f = &p->fits[i];
		const struct tp_op_total *t = &p->ops->ops[f->op];
		struct op_cells *cells =
			tp_draft_row_of(&draft, tp_op_row_name(ctx, t), TP_ROW_NORMAL, 0, f);

		cells->name.value = tp_text_value(t->op->label);
		cells->dims.value = tp_text_value(padded_text(f, ctx->keep));
		cells->fit.value = fit_value(f->product.fit);
		cells->fit.swatch = t->hue;
		cells->fit.judge = judge_fit(f, p->ops->busy_ps);
		cells->self.value = tp_op_time(p->ops, tp_integer(t->self_ps, TP_UNIT_PS));
		cells->lost.value = isfinite(f->product.fit)
			? tp_op_time(p->ops, tp_number(f->lost_ps, TP_UNIT_PS))
			: tp_missing(TP_S("the fit is not known"));
		cells->moved.value = f->moved_known
			? tp_number((double)f->lost_bytes, TP_UNIT_BYTES)
			: tp_missing(TP_S("the tool file does not say how large the arrays are"));
		cells->framework.value = tp_text_value(tp_op_framework_text(t->op->framework));
		cells->program.value = tp_text_value(t->program);
	}
	tp_draft_finish(&draft, ctx->options->top)->caption =
		TP_S("Operations with a convolution or dot, by device time lost to padding");
}

static const struct tp_column dim_columns[] = {
	TP_COLUMN("name", "Operation, array, dimension"),
	TP_COUNT_COLUMN("size", "Logical"),
	TP_COUNT_COLUMN("padded", "Tiled"),
	TP_COLUMN("axis", "Axis"),
	TP_SHARE_COLUMN("used_share", "Used", .bar = true),
	TP_COUNT_COLUMN("multiple", "Fits in multiples of"),
	TP_COLUMN("layout", "Layout", .code = true),
};
struct dim_cells {
	struct tp_cell name, size, padded, axis, used, multiple, layout;
};
TP_CELLS_ARE_COLUMNS(struct dim_cells, dim_columns);

static struct tp_slice
axis_name(enum tp_axis axis)
{
	static const char *const names[] = {
		[TP_AXIS_LANE] = "lane",
		[TP_AXIS_SUBLANE] = "sublane",
		[TP_AXIS_OTHER] = "tiled",
		[TP_AXIS_NONE] = "",
	};

	return tp_slice_of(names[axis]);
}

static void
dimensions_of(struct tp_draft *draft, const struct tp_pass_ctx *ctx, const struct tp_fit_shape *s,
	const char *role, struct tp_slice of)
{
	struct tp_slice name = tp_arena_printf(ctx->keep, "%.*s/%s", TP_ARG(of), role);
	struct dim_cells *cells = tp_draft_row_of(draft, name, TP_ROW_NORMAL, 1, NULL);

	cells->name.value = tp_text_value(tp_slice_of(role));
	put_fit(&cells->used, fit_value(s->fit));
	cells->layout.value = tp_text_value(s->text);
	for (uint32_t i = 0; i < s->count; i++) {
		const struct tp_fit_dim *d = &s->dims[i];

		cells = tp_draft_row_of(
			draft, tp_arena_printf(ctx->keep, "%.*s/%u", TP_ARG(name), i), TP_ROW_NORMAL, 2, NULL);
		cells->name.value = tp_text_value(tp_slice_of(tp_dim_meaning_names[d->meaning]));
		cells->size.value = tp_number((double)d->size, TP_UNIT_COUNT);
		cells->padded.value = tp_number((double)d->padded, TP_UNIT_COUNT);
		cells->axis.value = tp_text_value(axis_name(d->axis));
		put_fit(&cells->used,
			tp_share((double)d->size, (double)d->padded, TP_S("the array has no element")));
		cells->multiple.value = d->multiple > 1 ? tp_number((double)d->multiple, TP_UNIT_COUNT)
												: tp_text_value(TP_S("any"));
	}
}

static void
dimensions(const struct tp_pass_ctx *ctx, const struct tp_padding *p, struct tp_doc *doc,
	struct tp_block *section)
{
	bool all = ctx->options->top == SIZE_MAX;

	/* What fits needs no explanation, unless everything is asked for. */
	if (!(p->lost_ps > 0) && !all)
		return;
	struct tp_block *part = tp_doc_section(
		doc, section, TP_SECTION_SUB, "padding/by-dimension", "Dimension by dimension");

	part->section.spare = true;
	struct tp_draft draft = TP_DRAFT_TABLE(doc, part, "padding/dimensions", dim_columns);
	size_t shown = 0;

	for (size_t i = 0; i < p->count && i < ctx->options->top; i++) {
		if (!(p->fits[i].lost_ps > 0) && !all)
			break;
		const struct tp_padding_fit *f = &p->fits[i];
		const struct tp_op_total *t = &p->ops->ops[f->op];
		struct tp_slice of = tp_op_row_name(ctx, t), name = t->op->label;
		struct dim_cells *cells = tp_draft_row_of(&draft, of, TP_ROW_GROUP, 0, NULL);

		if (!tp_slice_eq(f->product.name, name))
			name = tp_arena_printf(ctx->keep, "%.*s, in it %.*s%s", TP_ARG(name),
				TP_ARG(f->product.name), f->products > 1 ? ", the worst of several" : "");
		cells->name.value = tp_text_value(name);
		put_fit(&cells->used, fit_value(f->product.fit));
		for (enum tp_fit_role role = 0; role < TP_FIT_ROLES; role++)
			dimensions_of(&draft, ctx, &f->product.shapes[role], tp_fit_role_names[role], of);
		shown = i == 0 ? draft.rows.count : shown;
	}
	/* The first operation stands open, as an example of how to read the others. */
	struct tp_table *table = tp_draft_finish(&draft, shown);

	table->tree = true;
	table->caption =
		TP_S("Each dimension, the fastest in memory first, of the operations that lose most");
}

static const struct tp_column buffer_columns[] = {
	TP_COLUMN("name", "Operation", .code = true),
	TP_COLUMN("shape", "Result", .code = true, TP_TEXT_FIELD(struct tp_padded_buffer, shape)),
	TP_COLUMN("bytes_mib", "Data", .unit = TP_UNIT_MIB, .decimals = 1,
		TP_FIELD(struct tp_padded_buffer, bytes, TP_UNIT_BYTES)),
	TP_COLUMN("padded_mib", "With padding", .unit = TP_UNIT_MIB, .decimals = 1, .sorted = true,
		TP_FIELD(struct tp_padded_buffer, padded_bytes, TP_UNIT_BYTES)),
	TP_COLUMN("expansion_times", "Expansion", .unit = TP_UNIT_TIMES, .decimals = 1),
	TP_COLUMN("self_ms", "Self time", .unit = TP_UNIT_MS, .decimals = 1),
};
struct buffer_cells {
	struct tp_cell name, shape, bytes, padded, expansion, self;
};
TP_CELLS_ARE_COLUMNS(struct buffer_cells, buffer_columns);

static void
buffers(const struct tp_pass_ctx *ctx, const struct tp_padding *p, struct tp_doc *doc,
	struct tp_block *section)
{
	if (p->buffer_count == 0)
		return;
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "padding/buffers", buffer_columns);

	for (size_t i = 0; i < p->buffer_count; i++) {
		const struct tp_padded_buffer *b = &p->buffers[i];
		const struct tp_op_total *t = &p->ops->ops[b->op];
		struct buffer_cells *cells =
			tp_draft_row_of(&draft, tp_op_row_name(ctx, t), TP_ROW_NORMAL, 0, b);

		cells->name.value = tp_text_value(t->op->label);
		cells->name.swatch = t->hue;
		cells->expansion.value = b->bytes != 0
			? tp_number((double)b->padded_bytes / (double)b->bytes, TP_UNIT_TIMES)
			: tp_missing(TP_S("the array has no element"));
		cells->self.value = tp_op_time(p->ops, tp_integer(t->self_ps, TP_UNIT_PS));
	}
	tp_draft_finish(&draft, ctx->options->top)->caption =
		TP_S("Other operations whose result holds 1 MiB of padding or more");
}

void
tp_padding_tables(const struct tp_pass_ctx *ctx, const struct tp_padding *p, struct tp_doc *doc,
	struct tp_block *section)
{
	if (p->count != 0)
		operations(ctx, p, doc, section);
	if (p->lost_ps > 0)
		tp_padding_options(ctx, p, doc, section);
	if (p->count != 0)
		dimensions(ctx, p, doc, section);
	buffers(ctx, p, doc, section);
}

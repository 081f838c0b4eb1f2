/* The tables on padding: operations by time lost, other large buffers; and the order of all parts. */
#include "analyze/ops/padding_present.h"

#include "analyze/core/say.h"
#include "analyze/ops/ops.h"
#include "analyze/ops/ops_present.h"
#include "base/arena.h"
#include "model/profile.h"
#include "report/draft.h"

#include <math.h>

/* Of busy time: what is less is not judged. */
#define WORTH_JUDGING 0.01

enum {
	OP_NAME,
	OP_DIMS,
	OP_FIT,
	OP_MATRIX,
	OP_SELF,
	OP_LOST,
	OP_MOVED,
	OP_FRAMEWORK,
	OP_PROGRAM,
	OP_COLUMNS
};

static const struct tp_column op_columns[OP_COLUMNS] = {
	[OP_NAME] = TP_COLUMN("name", "Operation", .code = true),
	[OP_DIMS] = TP_COLUMN("padded", "Size → smallest that fits"),
	[OP_FIT] = TP_SHARE_COLUMN("fit_share", "Fit", .bar = true),
	[OP_MATRIX] = TP_SHARE_COLUMN("matrix_unit_share", "Matrix unit, at most"),
	[OP_SELF] = TP_COLUMN("self_ms", "Self time", .unit = TP_UNIT_MS, .decimals = 1),
	[OP_LOST] = TP_COLUMN("lost_ms", "Lost", .unit = TP_UNIT_MS, .decimals = 1, .sorted = true),
	[OP_MOVED] = TP_COLUMN("padding_mib", "Padding moved", .unit = TP_UNIT_MIB, .decimals = 1),
	[OP_FRAMEWORK] = TP_COLUMN("framework_op", "Framework operation", .code = true),
	[OP_PROGRAM] = TP_COLUMN("program", "Program", .code = true),
};

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
		f->product.worst == TP_FIT_OUTPUT ? "result" : tp_fit_role_name(f->product.worst),
		TP_ARG(dims));
}

static void
operations(const struct tp_pass_ctx *ctx, const struct tp_padding *p, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_draft draft =
		tp_draft_table(doc, section, "padding/operations", op_columns, OP_COLUMNS);

	for (size_t i = 0; i < p->count; i++) {
		const struct tp_padding_fit *f = &p->fits[i];
		const struct tp_op_total *t = &p->ops->ops[f->op];
		struct tp_cell *cell = tp_draft_row(&draft, tp_padding_row_name(ctx, t), TP_ROW_NORMAL, 0);

		cell[OP_NAME].value = tp_text_value(t->op->label);
		cell[OP_DIMS].value = tp_text_value(padded_text(f, ctx->keep));
		cell[OP_FIT].value = tp_padding_fit_value(f->product.fit);
		cell[OP_FIT].swatch = t->hue;
		cell[OP_FIT].judge = judge_fit(f, p->ops->busy_ps);
		cell[OP_MATRIX].value = isfinite(f->matrix_share)
			? tp_number(f->matrix_share, TP_UNIT_SHARE)
			: tp_missing(TP_S("the size of this device's matrix unit is not known"));
		cell[OP_SELF].value = tp_op_time(p->ops, tp_integer(t->self_ps, TP_UNIT_PS));
		cell[OP_LOST].value = isfinite(f->product.fit)
			? tp_op_time(p->ops, tp_number(f->lost_ps, TP_UNIT_PS))
			: tp_missing(TP_S("the fit is not known"));
		cell[OP_MOVED].value = f->moved_known
			? tp_number((double)f->lost_bytes, TP_UNIT_BYTES)
			: tp_missing(TP_S("the tool file does not say how large the arrays are"));
		cell[OP_FRAMEWORK].value = tp_text_value(tp_op_framework_text(t->op->framework));
		cell[OP_PROGRAM].value = tp_text_value(t->program);
	}
	tp_draft_finish(&draft, ctx->options->top)->caption =
		TP_S("Operations with a convolution or dot, by device time lost to padding");
}

enum { BUF_NAME, BUF_SHAPE, BUF_BYTES, BUF_PADDED, BUF_TIMES, BUF_SELF, BUF_COLUMNS };

static const struct tp_column buffer_columns[BUF_COLUMNS] = {
	[BUF_NAME] = TP_COLUMN("name", "Operation", .code = true),
	[BUF_SHAPE] = TP_COLUMN("shape", "Result", .code = true),
	[BUF_BYTES] = TP_COLUMN("bytes_mib", "Data", .unit = TP_UNIT_MIB, .decimals = 1),
	[BUF_PADDED] =
		TP_COLUMN("padded_mib", "With padding", .unit = TP_UNIT_MIB, .decimals = 1, .sorted = true),
	[BUF_TIMES] = TP_COLUMN("expansion_times", "Expansion", .unit = TP_UNIT_TIMES, .decimals = 1),
	[BUF_SELF] = TP_COLUMN("self_ms", "Self time", .unit = TP_UNIT_MS, .decimals = 1),
};

static void
buffers(const struct tp_pass_ctx *ctx, const struct tp_padding *p, struct tp_doc *doc,
	struct tp_block *section)
{
	if (p->buffer_count == 0)
		return;
	struct tp_draft draft =
		tp_draft_table(doc, section, "padding/buffers", buffer_columns, BUF_COLUMNS);

	for (size_t i = 0; i < p->buffer_count; i++) {
		const struct tp_padded_buffer *b = &p->buffers[i];
		const struct tp_op_total *t = &p->ops->ops[b->op];
		struct tp_cell *cell = tp_draft_row(&draft, tp_padding_row_name(ctx, t), TP_ROW_NORMAL, 0);

		cell[BUF_NAME].value = tp_text_value(t->op->label);
		cell[BUF_NAME].swatch = t->hue;
		cell[BUF_SHAPE].value = tp_text_value(b->shape);
		cell[BUF_BYTES].value = tp_number((double)b->bytes, TP_UNIT_BYTES);
		cell[BUF_PADDED].value = tp_number((double)b->padded_bytes, TP_UNIT_BYTES);
		cell[BUF_TIMES].value = b->bytes != 0
			? tp_number((double)b->padded_bytes / (double)b->bytes, TP_UNIT_TIMES)
			: tp_missing(TP_S("the array has no element"));
		cell[BUF_SELF].value = tp_op_time(p->ops, tp_integer(t->self_ps, TP_UNIT_PS));
	}
	tp_draft_finish(&draft, ctx->options->top)->caption =
		TP_S("Other operations whose result holds 1 MiB of padding or more");
}

void
tp_padding_tables(const struct tp_pass_ctx *ctx, const struct tp_padding *p, struct tp_doc *doc,
	struct tp_block *section)
{
	tp_padding_picture(ctx, p, doc, section);
	if (p->count != 0)
		operations(ctx, p, doc, section);
	if (p->lost_ps > 0)
		tp_padding_options(ctx, p, doc, section);
	if (p->count != 0)
		tp_padding_dimensions(ctx, p, doc, section);
	buffers(ctx, p, doc, section);
}

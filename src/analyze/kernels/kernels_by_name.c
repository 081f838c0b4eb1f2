/* Kernels by name, as PyTorch's users know the table. */
#include "analyze/core/say.h"
#include "analyze/kernels/kernels.h"
#include "analyze/torch_steps/torch_say.h"
#include "base/arena.h"
#include "report/draft.h"

#include <math.h>

/* Rows; what is beyond is in the sums, and in the table by launch. */
enum { MOST_ROWS = 1000 };

enum column {
	NAME,
	TOTAL,
	SHARE,
	CALLS,
	MEAN,
	MAX,
	MIN,
	TENSOR,
	OCCUPANCY,
	BLOCKS,
	LAUNCHES,
	WHOLE,
	COLUMNS
};

static const struct tp_column columns[] = {
	[NAME] = TP_COLUMN("kernel", "Kernel", .code = true),
	[TOTAL] = TP_COLUMN("total_us", "Total", .unit = TP_UNIT_US, .decimals = 1, .sorted = true),
	[SHARE] = TP_SHARE_COLUMN("kernel_share", "Of kernel time", .bar = true),
	[CALLS] = TP_COUNT_COLUMN("calls", "Calls"),
	[MEAN] = TP_COLUMN("mean_us", "Mean", .unit = TP_UNIT_US, .decimals = 1),
	[MAX] = TP_COLUMN("max_us", "Longest", .unit = TP_UNIT_US, .decimals = 1),
	[MIN] = TP_COLUMN("min_us", "Shortest", .unit = TP_UNIT_US, .decimals = 1),
	[TENSOR] = TP_COLUMN("tensor_cores", "Tensor cores"),
	[OCCUPANCY] = TP_SHARE_COLUMN("occupancy_share", "Occupancy"),
	[BLOCKS] = TP_COLUMN("blocks_per_sm", "Blocks an SM", .unit = TP_UNIT_COUNT, .decimals = 2),
	[LAUNCHES] = TP_COUNT_COLUMN("launches", "Kinds of launch"),
	[WHOLE] = TP_COLUMN("name", "Whole name", .code = true),
};

static struct tp_value
mean(const struct tp_weighted *w, enum tp_unit unit)
{
	double value = tp_weighted_mean(w);

	return isfinite(value) ? tp_number(value, unit)
						   : tp_missing(TP_S("the trace does not say how it was launched"));
}

static void
fill(const struct tp_pass_ctx *ctx, const struct tp_kernels *k, const struct tp_kernel_total *t,
	struct tp_cell *cell)
{
	cell[NAME].value = tp_text_value(tp_kernel_fit(t->short_name, ctx->keep));
	cell[TOTAL].value = tp_integer(t->total_ps, TP_UNIT_PS);
	cell[SHARE].value = tp_share((double)t->total_ps, (double)k->total_ps, TP_S("no time"));
	cell[SHARE].swatch = tp_kernel_is_collective(t->name) ? TP_HUE_COLLECTIVE : TP_HUE_COMPUTE;
	cell[CALLS].value = tp_count(t->calls);
	cell[MEAN].value = tp_number((double)t->total_ps / 1e6 / (double)t->calls, TP_UNIT_US);
	cell[MAX].value = tp_integer(t->max_ps, TP_UNIT_PS);
	cell[MIN].value = tp_integer(t->min_ps, TP_UNIT_PS);
	cell[TENSOR].value = tp_kernel_tensor_cores(t->tensor_core, t->eligible);
	cell[OCCUPANCY].value = mean(&t->occupancy, TP_UNIT_SHARE);
	cell[BLOCKS].value = mean(&t->blocks_per_sm, TP_UNIT_COUNT);
	cell[LAUNCHES].value = tp_count(t->launches);
	cell[WHOLE].value = tp_text_value(t->name);
}

void
tp_kernels_by_name_present(const struct tp_pass_ctx *ctx, const struct tp_kernels *k,
	struct tp_doc *doc, struct tp_block *section)
{
	struct tp_draft draft = tp_draft_table(doc, section, "kernels/by-name", columns, COLUMNS);
	struct tp_slice all = tp_torch_all(ctx);
	size_t shown = k->total_count < MOST_ROWS ? k->total_count : MOST_ROWS;

	for (size_t i = 0; i < shown; i++)
		fill(
			ctx, k, &k->totals[i], tp_draft_row(&draft, k->totals[i].short_name, TP_ROW_NORMAL, 0));
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->numbered = true;
	table->caption = shown == k->total_count
		? tp_arena_printf(ctx->keep, "Kernels by time, over all GPUs of %.*s", TP_ARG(all))
		: tp_arena_printf(ctx->keep, "The %zu longest of %zu kernels, over all GPUs of %.*s", shown,
			  k->total_count, TP_ARG(all));
}

/* What the report says about GPU kernels: where their time goes, tensor cores, the list; copies. */
#include "analyze/kernels/kernels.h"

#include "analyze/core/say.h"
#include "analyze/facts/op_times.h"
#include "base/arena.h"
#include "base/map.h"
#include "model/profile.h"
#include "report/draft.h"

#include <math.h>
#include <stdlib.h>

/* Rows of the list; what is beyond is summed up in one. */
enum { MOST_ROWS = 2000 };

/* Labels of charts are cut at their ends, so what tells kernels apart comes first: "scalar_sum_op · EigenMetaKernel". */
static struct tp_slice
label(struct tp_slice name, struct tp_arena *keep)
{
	const char *open = memchr(name.ptr, '<', name.len);

	if (open == NULL || !tp_slice_ends(name, TP_S(">")))
		return tp_kernel_fit(name, keep);
	struct tp_slice holder = {name.ptr, (size_t)(open - name.ptr)};
	struct tp_slice work = tp_slice_from(name, holder.len + 1);

	work.len--;
	return tp_kernel_fit(tp_arena_printf(keep, "%.*s · %.*s", TP_ARG(work), TP_ARG(holder)), keep);
}

/* One series a class of time, so that each bar has the colour of its class. */
static void
bars(const struct tp_pass_ctx *ctx, const struct tp_kernels *k, struct tp_doc *doc,
	struct tp_block *section)
{
	enum { MOST = 8 };
	static const enum tp_hue hues[] = {TP_HUE_COMPUTE, TP_HUE_COLLECTIVE};
	const struct tp_kernel_sum *sums = k->sums;
	size_t shown = k->sum_count < MOST ? k->sum_count : MOST;
	struct tp_slice *labels = tp_new_array(ctx->keep, struct tp_slice, shown);
	struct tp_series *series = tp_new_array(ctx->keep, struct tp_series, 2);
	size_t series_count = 0;
	char buf[TP_VALUE_BUF];

	for (size_t i = 0; i < shown; i++)
		labels[i] = label(sums[i].short_name, ctx->keep);
	for (size_t h = 0; h < 2; h++) {
		double *values = tp_new_array(ctx->keep, double, shown);
		bool any = false;

		for (size_t i = 0; i < shown; i++) {
			if (tp_kernel_is_collective(sums[i].short_name) != (hues[h] == TP_HUE_COLLECTIVE))
				continue;
			/* Kernels that took no time have no share, but a place. */
			values[i] = k->total_ps != 0 ? (double)sums[i].total_ps / (double)k->total_ps : 0;
			any = true;
		}
		if (any)
			series[series_count++] = (struct tp_series){.key = tp_hue_name(hues[h]),
				.label = TP_S("of kernel time"),
				.hue = hues[h],
				.values = values};
	}
	struct tp_slice first = tp_value_text(
		tp_share((double)sums[0].total_ps, (double)k->total_ps, TP_S("no time")), buf);
	struct tp_chart *chart = &tp_doc_add(doc, section, TP_BLOCK_CHART, TP_S("kernels/top"))->chart;

	*chart = (struct tp_chart){
		.kind = TP_CHART_BARS,
		.alt = tp_arena_printf(ctx->keep,
			"Share of kernel time of the %zu longest %s, all launches together; the first, %.*s, "
			"has %.*s.",
			shown, tp_plural(shown, "kernel", "kernels"),
			TP_ARG(tp_kernel_fit(sums[0].short_name, ctx->keep)), TP_ARG(first)),
		.unit = TP_UNIT_SHARE,
		.series = series,
		.series_count = series_count,
		.labels = labels,
		.point_count = shown,
		.marked = SIZE_MAX,
	};
}

static const struct tp_column columns[] = {
	TP_COLUMN("kernel", "Kernel", .code = true),
	TP_COLUMN("total_us", "Total", .unit = TP_UNIT_US, .decimals = 1, .sorted = true),
	TP_SHARE_COLUMN("kernel_share", "Of kernel time", .bar = true),
	TP_COUNT_COLUMN("calls", "Calls"),
	TP_COLUMN("mean_us", "Mean", .unit = TP_UNIT_US, .decimals = 1),
	TP_COLUMN("tensor_cores", "Tensor cores"),
	TP_SHARE_COLUMN("occupancy_share", "Occupancy"),
	TP_COLUMN("operation", "Operation", .code = true),
	TP_COLUMN("min_us", "Shortest", .unit = TP_UNIT_US, .decimals = 1),
	TP_COLUMN("max_us", "Longest", .unit = TP_UNIT_US, .decimals = 1),
	TP_COLUMN("grid", "Grid"),
	TP_COLUMN("block", "Block"),
	TP_COLUMN("blocks_per_sm", "Blocks an SM", .unit = TP_UNIT_COUNT, .decimals = 2),
	TP_COUNT_COLUMN("registers", "Registers"),
	TP_COLUMN("shared_bytes", "Shared memory", .unit = TP_UNIT_BYTES),
	TP_COLUMN("limited_by", "Limited by"),
	TP_COLUMN("name", "Whole name", .code = true),
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static struct tp_value
three(const struct tp_pass_ctx *ctx, bool stated, const uint32_t n[static 3])
{
	if (!stated)
		return tp_missing(TP_S("the profile does not state it"));
	return tp_text_value(tp_arena_printf(ctx->keep, "%u,%u,%u", n[0], n[1], n[2]));
}

static struct tp_value
stated(bool is, uint64_t number, enum tp_unit unit)
{
	return is ? tp_integer((int64_t)number, unit)
			  : tp_missing(TP_S("the profile does not state it"));
}

static struct tp_value
operation(const struct tp_pass_ctx *ctx, const struct tp_kernel_row *row)
{
	if (row->achieved && row->op.len == 0 && row->untold != 0)
		return tp_missing(TP_S("the trace does not tell which call launched it"));
	if (row->achieved && row->op.len == 0)
		return tp_missing(row->no_call == row->calls ? TP_S("launched before the trace began")
				: row->no_call == 0
				? TP_S("launched outside of operators")
				: TP_S("launched before the trace began, or outside of operators"));
	if (!row->several_ops)
		return tp_text_value(row->op);
	if (row->several_types || row->op_type.len == 0)
		return tp_text_value(TP_S("several"));
	return tp_text_value(tp_arena_printf(ctx->keep, "several %.*s", TP_ARG(row->op_type)));
}

static void
fill_row(const struct tp_pass_ctx *ctx, const struct tp_kernels *k, const struct tp_kernel_row *row,
	struct tp_cell *cell)
{
	const struct tp_kernel_launch *l = &row->launch;
	double occupancy = tp_kernel_occupancy(row);

	cell[0].value = tp_text_value(tp_kernel_fit(row->short_name, ctx->keep));
	cell[1].value = tp_integer(row->total_ps, TP_UNIT_PS);
	cell[2].value = tp_share((double)row->total_ps, (double)k->total_ps, TP_S("no time"));
	cell[2].swatch = tp_kernel_is_collective(row->name) ? TP_HUE_COLLECTIVE : TP_HUE_COMPUTE;
	cell[3].value = tp_count(row->calls);
	cell[4].value = tp_number((double)row->total_ps / 1e6 / (double)row->calls, TP_UNIT_US);
	cell[5].value = tp_kernel_tensor_cores(row->tensor_core, row->eligible);
	cell[6].value = isfinite(occupancy) ? tp_number(occupancy, TP_UNIT_SHARE)
										: tp_missing(row->occupancy.reason);
	cell[7].value = operation(ctx, row);
	cell[8].value = tp_integer(row->min_ps, TP_UNIT_PS);
	cell[9].value = tp_integer(row->max_ps, TP_UNIT_PS);
	cell[10].value = three(ctx, l->has_grid, l->grid);
	cell[11].value = three(ctx, l->has_block, l->block);
	cell[12].value = isfinite(row->blocks_per_sm)
		? tp_number(row->blocks_per_sm, TP_UNIT_COUNT)
		: tp_missing(TP_S("the profile does not state the number of multiprocessors"));
	cell[13].value = stated(l->has_registers, l->registers, TP_UNIT_COUNT);
	cell[14].value = stated(l->has_shared, tp_launch_shared_bytes(l), TP_UNIT_BYTES);
	cell[15].value = isfinite(row->occupancy.share) ? tp_text_value(row->occupancy.limit)
													: tp_missing(row->occupancy.reason);
	cell[16].value = tp_text_value(row->name);
}

/* What is beyond the last row. */
static void
fill_rest(
	const struct tp_pass_ctx *ctx, const struct tp_kernels *k, size_t from, struct tp_cell *cell)
{
	uint64_t calls = 0;
	int64_t total_ps = 0;

	for (size_t i = from; i < k->count; i++) {
		calls += k->rows[i].calls;
		total_ps = tp_add_ps(total_ps, k->rows[i].total_ps);
	}
	for (size_t c = 0; c < COLUMNS; c++)
		cell[c].value = tp_missing(TP_S("of several rows"));
	cell[0].value = tp_say_number(ctx, k->count - from, "more row", "more rows");
	cell[1].value = tp_integer(total_ps, TP_UNIT_PS);
	cell[2].value = tp_share((double)total_ps, (double)k->total_ps, TP_S("no time"));
	cell[3].value = tp_count(calls);
	cell[4].value = tp_number((double)total_ps / 1e6 / (double)calls, TP_UNIT_US);
}

/* Of PyTorch the table by name stands first, and this one below it. */
static struct tp_block *
by_launch(const struct tp_kernels *k, struct tp_doc *doc, struct tp_block *section)
{
	return k->torch ? tp_doc_section(doc, section, TP_SECTION_SUB, "kernels/by-launch",
						  "By launch and operator")
					: section;
}

static void
graphs(const struct tp_pass_ctx *ctx, const struct tp_kernels *k, struct tp_doc *doc,
	struct tp_block *section)
{
	if (k->graph_calls == 0)
		return;
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "kernels/graphs",
		TP_SAY(doc,
			"{} ran in CUDA graphs, started by {}: one launch starts all kernels of a graph, so "
			"the operator of each is the one that launched the graph.",
			tp_say_number(ctx, (size_t)k->graph_calls, "kernel call", "kernel calls"),
			tp_say_number(ctx, (size_t)k->graph_launches, "launch", "launches")));
}

static void
list(const struct tp_pass_ctx *ctx, const struct tp_kernels *k, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_column *shown_columns = tp_new_array(ctx->keep, struct tp_column, COLUMNS);

	memcpy(shown_columns, columns, sizeof columns);
	if (k->torch)
		shown_columns[7].title = TP_S("Operator");
	struct tp_draft draft = tp_draft_table(doc, section, "kernels/list", shown_columns, COLUMNS);

	size_t shown = k->count < MOST_ROWS ? k->count : MOST_ROWS;

	for (size_t i = 0; i < shown; i++)
		fill_row(
			ctx, k, &k->rows[i], tp_draft_row(&draft, k->rows[i].short_name, TP_ROW_NORMAL, 0));
	if (shown < k->count)
		fill_rest(ctx, k, shown, tp_draft_row(&draft, TP_S("rest"), TP_ROW_TOTAL, 0));
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->numbered = true;
	table->caption = TP_S("Kernels by time, each launch configuration apart, over all GPUs");
}

static const struct tp_column copy_columns[] = {
	TP_COLUMN("kind", "Copy, fill"),
	TP_COLUMN("from", "From memory"),
	TP_COLUMN("to", "To memory"),
	TP_COUNT_COLUMN("calls", "Calls"),
	TP_COLUMN("total_us", "Total", .unit = TP_UNIT_US, .decimals = 1, .sorted = true),
	TP_COLUMN("bytes", "Bytes", .unit = TP_UNIT_BYTES),
	TP_COLUMN("gb_per_s", "Rate", .unit = TP_UNIT_GB_PER_S, .decimals = 2),
};
enum { COPY_COLUMNS = sizeof copy_columns / sizeof *copy_columns };

static void
copies(const struct tp_pass_ctx *ctx, const struct tp_kernels *k, struct tp_doc *doc,
	struct tp_block *section)
{
	if (k->copy_count == 0)
		return;
	struct tp_block *sub =
		tp_doc_section(doc, section, TP_SECTION_SUB, "kernels/copies", "Copies and fills");
	struct tp_draft draft =
		tp_draft_table(doc, sub, "kernels/copies/list", copy_columns, COPY_COLUMNS);
	struct tp_slice no_bytes = TP_S("the profile does not state the bytes of each");

	for (size_t i = 0; i < k->copy_count; i++) {
		const struct tp_copy_row *c = &k->copies[i];
		struct tp_cell *cell = tp_draft_row(&draft,
			tp_arena_printf(ctx->keep, "%.*s%s%.*s%s%.*s", TP_ARG(c->kind), c->from.len ? "/" : "",
				TP_ARG(c->from), c->to.len ? "/" : "", TP_ARG(c->to)),
			TP_ROW_NORMAL, 0);

		cell[0].value = tp_text_value(c->kind);
		cell[1].value = tp_text_value(c->from);
		cell[2].value = tp_text_value(c->to);
		cell[3].value = tp_count(c->calls);
		cell[4].value = tp_integer(c->total_ps, TP_UNIT_PS);
		cell[5].value =
			c->has_bytes ? tp_number((double)c->bytes, TP_UNIT_BYTES) : tp_missing(no_bytes);
		cell[6].value = !c->has_bytes ? tp_missing(no_bytes)
			: c->total_ps > 0
			? tp_number((double)c->bytes * 1e12 / (double)c->total_ps, TP_UNIT_BYTES_PER_S)
			: tp_missing(TP_S("they took no time that was measured"));
	}
	tp_draft_finish(&draft, ctx->options->top)->caption =
		TP_S("Copies and fills by direction and memory, over all GPUs");
}

/* The grey half: tensor cores. */
static struct tp_text
so_what(const struct tp_kernels *k, struct tp_doc *doc)
{
	struct tp_slice none = TP_S("no time");
	struct tp_value used = tp_share((double)k->tensor_ps, (double)k->total_ps, none);
	struct tp_value unused = tp_share((double)k->unused_ps, (double)k->total_ps, none);

	if (!k->tensor_cores)
		return TP_SAY0(doc, "");
	if (k->tensor_ps == 0 && k->unused_ps == 0)
		return k->untold_ps != 0 ? TP_SAY(doc,
									   "Kernels that may use tensor cores take {}; their names do "
									   "not tell.",
									   tp_share((double)k->untold_ps, (double)k->total_ps, none))
			: k->ops_known
			? TP_SAY0(doc, "None uses tensor cores, and none belongs to an operation that could.")
			: TP_SAY0(doc,
				  "None uses tensor cores; what operations they are of, the profile does not say.");
	if (k->unused_ps == 0)
		return TP_SAY(doc, "{} of kernel time uses tensor cores.", used);
	if (k->tensor_ps == 0)
		return TP_SAY(doc, "None uses tensor cores; {} of kernel time could.", unused);
	return TP_SAY(doc, "{} of kernel time uses tensor cores, {} could and does not.", used, unused);
}

/* Where the driver and our formula differ, the driver's figure stands, and the reader is told. */
static void
remark(const struct tp_pass_ctx *ctx, const struct tp_kernels *k, struct tp_doc *doc,
	struct tp_block *section)
{
	if (k->occupancy_differs == 0)
		return;
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "kernels/occupancy-differs",
		TP_SAY(doc,
			"For {} the profile states another occupancy than registers, shared memory and threads "
			"give; its own stands in the table.",
			tp_say_number(ctx, k->occupancy_differs, "row", "rows")));
}

static const char how[] =
	"Kernels are the events on GPU streams that say how they were launched, those shorter than a "
	"nanosecond aside. A row is a kernel of one grid, block, registers and shared memory for one "
	"framework operation, where the profile tells it; times are sums over calls and GPUs, and "
	"streams may overlap. Occupancy is the share of a multiprocessor's warps that the blocks can "
	"fill at once: as the profile states it, else from threads, registers and shared memory of a "
	"block against the limits of the GPU's generation. Blocks an SM: blocks of the grid over "
	"multiprocessors; below 1 some have nothing to do. Tensor cores: \"used\" where the kernel's "
	"name tells so (NVIDIA's tensor, AMD's matrix cores), \"not used\" where the operation is a "
	"product or convolution that could use them, \"possible\" where a compiler wrote the kernel "
	"and its name does not tell.";

static const char how_torch[] =
	"A row by name is a kernel of any launch; below, one of one grid, block, registers and shared "
	"memory that one operator launched. Times are sums over calls, GPUs, workers and spans, and "
	"streams may overlap. The operator is found by the kernel's correlation number: the call of "
	"the runtime or driver with the same number, and the operator that made that call. Kernels "
	"whose call is not in the trace were launched before it began, and have none. Occupancy: the "
	"profiler's estimate of the achieved one, the lesser of the theoretical and of the grid's "
	"threads over those that all multiprocessors hold; where it has none (ROCm) the same from grid "
	"and block, which is an upper bound, for registers are not recorded. Means of occupancy and of "
	"blocks an SM (blocks of the grid over multiprocessors; below 1 some have nothing to do) are "
	"weighted by time. Tensor cores: \"used\" where the kernel's name tells so (NVIDIA's tensor, "
	"AMD's matrix cores), \"not used\" where the operator is a product, convolution or attention "
	"that could use them, \"possible\" where a compiler wrote the kernel and its name does not "
	"tell.";

void
tp_kernels_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_kernels *k = result;

	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "kernels", "Kernels");

	if (k->count != 0) {
		section->section.key_figure =
			tp_say_number(ctx, k->torch ? k->total_count : k->sum_count, "kernel", "kernels");
		section->section.answer =
			TP_SAY(doc, "`{}` takes {} of kernel time; all kernels took {} in {}.",
				tp_text_value(tp_kernel_fit(k->sums[0].short_name, ctx->keep)),
				tp_share((double)k->sums[0].total_ps, (double)k->total_ps, TP_S("no time")),
				tp_number((double)k->total_ps / 1e9, TP_UNIT_MS),
				tp_say_number(ctx, (size_t)k->calls, "call", "calls"));
		section->section.so_what = so_what(k, doc);
		if (k->torch && k->sum_count != k->total_count)
			tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "kernels/same-name",
				TP_SAY(doc,
					"Kernels of one name together, whatever their template arguments: {} of {} "
					"kernels.",
					tp_say_number(ctx, k->sum_count, "name", "names"), tp_count(k->total_count)));
		bars(ctx, k, doc, section);
		graphs(ctx, k, doc, section);
		if (k->torch)
			tp_kernels_by_name_present(ctx, k, doc, section);
		list(ctx, k, doc, by_launch(k, doc, section));
		remark(ctx, k, doc, section);
	} else {
		section->section.key_figure = tp_missing(TP_S(""));
		section->section.answer =
			TP_SAY0(doc, "The profile does not say how kernels were launched.");
	}
	copies(ctx, k, doc, section);
	tp_say_how(ctx, doc, section, "kernels/how", k->torch ? how_torch : how);
	tp_say_source(ctx, doc, section, "kernels/source",
		k->torch ? "events kernel, gpu_memcpy, gpu_memset"
				 : "events of GPU streams, their kernel_details and memcpy_details");
}

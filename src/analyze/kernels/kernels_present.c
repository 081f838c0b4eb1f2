/* What the report says about GPU kernels: where their time goes, tensor cores, lists by name and by launch. */
#include "analyze/kernels/kernels.h"

#include "analyze/core/say.h"
#include "analyze/facts/kernel_family.h"
#include "analyze/facts/kernel_name.h"
#include "analyze/facts/op_times.h"
#include "analyze/kernels/kernels_words.h"
#include "analyze/torch_steps/torch_say.h"
#include "base/arena.h"
#include "base/utf8.h"
#include "report/draft.h"

#include <math.h>
#include <strings.h>

/* Rows of the list; what is beyond is summed up in one. Names are in the sums, and in the list. */
enum { MOST_ROWS = 2000, MOST_NAMES = 1000 };

/* In bytes; what is cut ends in an ellipsis. A chart cuts its labels to its room. */
enum { LONGEST_NAME = 48, LONGEST_LABEL = 240 };

bool
tp_kernel_is_collective(struct tp_slice name)
{
	return name.len >= 4 &&
		(strncasecmp(name.ptr, "nccl", 4) == 0 || strncasecmp(name.ptr, "rccl", 4) == 0);
}

static struct tp_value
tensor_cores(enum tp_tensor_core used, bool eligible)
{
	switch (used) {
	case TP_TENSOR_CORE_USED:
		return tp_text_value(TP_S("used"));
	case TP_TENSOR_CORE_NOT_TOLD:
		return tp_text_value(eligible ? TP_S("possible") : TP_S("unknown"));
	case TP_TENSOR_CORE_NOT_USED:
		break;
	}
	return tp_text_value(eligible ? TP_S("not used") : TP_S("no"));
}

/* Labels of charts are cut at their ends, so what tells kernels apart comes first: "scalar_sum_op · EigenMetaKernel". */
static struct tp_slice
label(struct tp_slice name, struct tp_arena *keep)
{
	const char *open = memchr(name.ptr, '<', name.len);

	if (open == NULL || !tp_slice_ends(name, TP_S(">")))
		return tp_utf8_shorten(keep, name, LONGEST_LABEL);
	struct tp_slice holder = {name.ptr, (size_t)(open - name.ptr)};
	struct tp_slice work = tp_slice_from(name, holder.len + 1);

	work.len--;
	return tp_utf8_shorten(
		keep, tp_arena_printf(keep, "%.*s · %.*s", TP_ARG(work), TP_ARG(holder)), LONGEST_LABEL);
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
	struct tp_slice first = tp_say_value(
		ctx, tp_share((double)sums[0].total_ps, (double)k->total_ps, TP_S(why_no_time)));
	struct tp_chart *chart = &tp_doc_add(doc, section, TP_BLOCK_CHART, TP_S("kernels/top"))->chart;

	*chart = (struct tp_chart){
		.kind = TP_CHART_BARS,
		.alt = tp_arena_printf(ctx->keep, text_chart_alt, shown,
			tp_plural(shown, "kernel", "kernels"),
			TP_ARG(tp_utf8_shorten(ctx->keep, sums[0].short_name, LONGEST_NAME)), TP_ARG(first)),
		.unit = TP_UNIT_SHARE,
		.series = series,
		.series_count = series_count,
		.labels = labels,
		.point_count = shown,
		.marked = SIZE_MAX,
	};
}

#define US_COLUMN(key, title, ...)                                                                 \
	TP_COLUMN(key, title, .unit = TP_UNIT_US, .decimals = 1, __VA_ARGS__)

/* What both tables begin with. */
#define SUM_COLUMNS(row)                                                                           \
	TP_COLUMN("kernel", "Kernel", .code = true),                                                   \
		US_COLUMN("total_us", "Total", .sorted = true, TP_FIELD(row, total_ps, TP_UNIT_PS)),       \
		TP_SHARE_COLUMN("kernel_share", "Of kernel time", .bar = true),                            \
		TP_COUNT_COLUMN("calls", "Calls", TP_COUNT_FIELD(row, calls))
struct sum_cells {
	struct tp_cell kernel, total, share, calls;
};
#define MEAN_COLUMN US_COLUMN("mean_us", "Mean")

/* The computed ones of these. */
static void
fill_sums(const struct tp_kernels *k, int64_t total_ps, uint64_t calls, struct sum_cells *cells,
	struct tp_cell *mean)
{
	cells->share.value = tp_share((double)total_ps, (double)k->total_ps, TP_S(why_no_time));
	mean->value = tp_number((double)total_ps / 1e6 / (double)calls, TP_UNIT_US);
}

static void
fill_kernel(const struct tp_pass_ctx *ctx, struct tp_slice shown, struct tp_slice name,
	struct sum_cells *cells)
{
	bool told = tp_slice_ends(shown, TP_S("]"));

	/* What tells it from others stands at its end. */
	cells->kernel.value =
		tp_text_value(told ? shown : tp_utf8_shorten(ctx->keep, shown, LONGEST_NAME));
	if (!tp_slice_eq(cells->kernel.value.text, shown))
		cells->kernel.full = shown; /* of which a page shows what it has room for */
	cells->share.swatch = tp_kernel_is_collective(name) ? TP_HUE_COLLECTIVE : TP_HUE_COMPUTE;
}

static const struct tp_column name_columns[] = {
	SUM_COLUMNS(struct tp_kernel_total),
	MEAN_COLUMN,
	US_COLUMN("max_us", "Longest", TP_FIELD(struct tp_kernel_total, max_ps, TP_UNIT_PS)),
	US_COLUMN("min_us", "Shortest", TP_FIELD(struct tp_kernel_total, min_ps, TP_UNIT_PS)),
	TP_COLUMN("family", "Family"),
	TP_COLUMN("tensor_cores", "Tensor cores"),
	TP_SHARE_COLUMN("occupancy_share", "Occupancy"),
	TP_COLUMN("blocks_per_sm", "Blocks per SM", .unit = TP_UNIT_COUNT, .decimals = 2),
	TP_COUNT_COLUMN(
		"launches", "Launch configurations", TP_COUNT_FIELD(struct tp_kernel_total, launches)),
	TP_COLUMN("name", "Full name", .code = true, TP_TEXT_FIELD(struct tp_kernel_total, name)),
};
struct name_cells {
	struct sum_cells sums;
	struct tp_cell mean, longest, shortest, family, tensor_cores, occupancy, blocks_per_sm,
		launches, name;
};
TP_CELLS_ARE_COLUMNS(struct name_cells, name_columns);

#define NO_LAUNCH "the trace does not say how it was launched"

static struct tp_value
mean(const struct tp_weighted *w, enum tp_unit unit)
{
	double value = tp_weighted_mean(w);

	return isfinite(value) ? tp_number(value, unit) : tp_missing(TP_S(NO_LAUNCH));
}

/* As PyTorch's users know the table. */
static void
by_name(const struct tp_pass_ctx *ctx, const struct tp_kernels *k, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "kernels/by-name", name_columns);
	struct tp_slice all = tp_torch_all(ctx);
	size_t shown = k->total_count < MOST_NAMES ? k->total_count : MOST_NAMES;

	for (size_t i = 0; i < shown; i++) {
		const struct tp_kernel_total *t = &k->totals[i];
		struct name_cells *cells = tp_draft_row_of(&draft, t->short_name, TP_ROW_NORMAL, 0, t);

		fill_kernel(ctx, t->shown, t->name, &cells->sums);
		fill_sums(k, t->total_ps, t->calls, &cells->sums, &cells->mean);
		cells->family.value = tp_text_value(tp_kernel_family(t->short_name));
		cells->tensor_cores.value = tensor_cores(t->tensor_core, t->eligible);
		cells->occupancy.value =
			tp_occupancy_value(tp_weighted_mean(&t->occupancy), TP_S(NO_LAUNCH));
		cells->blocks_per_sm.value = mean(&t->blocks_per_sm, TP_UNIT_COUNT);
	}
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->numbered = true;
	table->caption = shown == k->total_count
		? tp_arena_printf(ctx->keep, caption_names, TP_ARG(all))
		: tp_arena_printf(ctx->keep, caption_some_names, shown, k->total_count, TP_ARG(all));
}

static const struct tp_column launch_columns[] = {
	SUM_COLUMNS(struct tp_kernel_row),
	TP_COLUMN("tensor_cores", "Tensor cores"),
	TP_SHARE_COLUMN("occupancy_share", "Occupancy"),
	TP_COLUMN("operation", "Operation", .code = true),
	/* By these rows of one kernel differ, so that they are seen. */
	TP_COLUMN("grid", "Grid"),
	TP_COLUMN("block", "Block"),
	MEAN_COLUMN,
	US_COLUMN("min_us", "Shortest", TP_FIELD(struct tp_kernel_row, min_ps, TP_UNIT_PS)),
	US_COLUMN("max_us", "Longest", TP_FIELD(struct tp_kernel_row, max_ps, TP_UNIT_PS)),
	TP_COLUMN("blocks_per_sm", "Blocks per SM", .unit = TP_UNIT_COUNT, .decimals = 2,
		TP_COUNT_FIELD(struct tp_kernel_row, blocks_per_sm,
			.missing = "the profile does not state the number of multiprocessors")),
	TP_COUNT_COLUMN("registers", "Registers"),
	TP_COLUMN("shared_bytes", "Shared memory", .unit = TP_UNIT_BYTES),
	TP_COLUMN("limited_by", "Limited by"),
	TP_COLUMN("name", "Full name", .code = true, TP_TEXT_FIELD(struct tp_kernel_row, name)),
};
struct launch_cells {
	struct sum_cells sums;
	struct tp_cell tensor_cores, occupancy, operation, grid, block, mean, shortest, longest,
		blocks_per_sm, registers, shared, limit, name;
};
TP_CELLS_ARE_COLUMNS(struct launch_cells, launch_columns);

static struct tp_value
stated(bool is, struct tp_value value)
{
	return is ? value : tp_missing(TP_S(why_not_stated));
}

static struct tp_value
three(const struct tp_pass_ctx *ctx, const uint32_t n[static 3])
{
	return tp_text_value(tp_arena_printf(ctx->keep, "%u,%u,%u", n[0], n[1], n[2]));
}

static struct tp_value
operation(const struct tp_pass_ctx *ctx, const struct tp_kernel_row *row)
{
	if (row->achieved && row->op.len == 0 && row->untold != 0)
		return tp_missing(TP_S(why_no_call));
	if (row->achieved && row->op.len == 0)
		return tp_missing(row->no_call == row->calls ? TP_S(why_before_trace)
				: row->no_call == 0                  ? TP_S(why_outside_operators)
													 : TP_S(why_before_or_outside));
	if (!row->several_ops)
		return tp_text_value(row->op);
	if (row->several_types || row->op_type.len == 0)
		return tp_text_value(TP_S("several"));
	return tp_text_value(tp_arena_printf(ctx->keep, "several %.*s", TP_ARG(row->op_type)));
}

static void
fill_launch(const struct tp_pass_ctx *ctx, const struct tp_kernels *k,
	const struct tp_kernel_row *row, struct launch_cells *cells)
{
	const struct tp_kernel_launch *l = &row->launch;
	double occupancy = tp_kernel_occupancy(row);

	fill_kernel(ctx, row->shown, row->name, &cells->sums);
	fill_sums(k, row->total_ps, row->calls, &cells->sums, &cells->mean);
	cells->tensor_cores.value = tensor_cores(row->tensor_core, row->eligible);
	cells->occupancy.value = tp_occupancy_value(occupancy, row->occupancy.reason);
	cells->operation.value = operation(ctx, row);
	cells->grid.value = stated(l->has_grid, three(ctx, l->grid));
	cells->block.value = stated(l->has_block, three(ctx, l->block));
	cells->registers.value = stated(l->has_registers, tp_count(l->registers));
	cells->shared.value = stated(l->has_shared, tp_bytes(tp_launch_shared_bytes(l)));
	cells->limit.value = isfinite(row->occupancy.share) ? tp_text_value(row->occupancy.limit)
														: tp_missing(row->occupancy.reason);
}

/* What is beyond the last row. */
static void
add_rest(
	const struct tp_pass_ctx *ctx, const struct tp_kernels *k, size_t from, struct tp_draft *draft)
{
	struct launch_cells *cells = tp_draft_rest_row(draft, TP_S("rest"), why_several_rows);
	uint64_t calls = 0;
	int64_t total_ps = 0;

	for (size_t i = from; i < k->count; i++) {
		calls += k->rows[i].calls;
		total_ps = tp_add_ps(total_ps, k->rows[i].total_ps);
	}
	cells->sums.kernel.value = tp_say_number(ctx, k->count - from, "more row", "more rows");
	cells->sums.total.value = tp_integer(total_ps, TP_UNIT_PS);
	cells->sums.calls.value = tp_count(calls);
	fill_sums(k, total_ps, calls, &cells->sums, &cells->mean);
}

static void
graphs(const struct tp_pass_ctx *ctx, const struct tp_kernels *k, struct tp_doc *doc,
	struct tp_block *section)
{
	if (k->graph_calls == 0)
		return;
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "kernels/graphs",
		TP_SAY(doc, text_graphs,
			tp_say_number(ctx, (size_t)k->graph_calls, "kernel call", "kernel calls"),
			tp_say_number(ctx, (size_t)k->graph_launches, "launch", "launches")));
}

static void
list(const struct tp_pass_ctx *ctx, const struct tp_kernels *k, struct tp_doc *doc,
	struct tp_block *section)
{
	enum { COLUMNS = sizeof launch_columns / sizeof *launch_columns };
	struct tp_column *columns = tp_new_array(ctx->keep, struct tp_column, COLUMNS);
	struct tp_draft draft = tp_draft_table(doc, section, "kernels/list", columns, COLUMNS);
	size_t shown = k->count < MOST_ROWS ? k->count : MOST_ROWS;

	memcpy(columns, launch_columns, sizeof launch_columns);
	if (k->torch)
		columns[TP_COLUMN_OF(struct launch_cells, operation)].title = TP_S("Operator");
	for (size_t i = 0; i < shown; i++)
		fill_launch(ctx, k, &k->rows[i],
			tp_draft_row_of(&draft, k->rows[i].short_name, TP_ROW_NORMAL, 0, &k->rows[i]));
	if (shown < k->count)
		add_rest(ctx, k, shown, &draft);
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->numbered = true;
	table->caption = TP_S(caption_launches);
}

/* The grey half: tensor cores. */
static struct tp_text
so_what(const struct tp_kernels *k, struct tp_doc *doc)
{
	struct tp_slice none = TP_S(why_no_time);
	struct tp_value used = tp_share((double)k->tensor_ps, (double)k->total_ps, none);
	/* Of PyTorch it is known which kernels a call launched: those beside one that uses tensor cores could not. */
	struct tp_value of_calls = tp_doc_value(doc, "torch.tensor_core_unused_share");
	struct tp_value unused =
		tp_known(of_calls) ? of_calls : tp_share((double)k->unused_ps, (double)k->total_ps, none);
	bool any_unused = tp_known(unused) && unused.number > 0;

	if (k->tensor_cores != TP_TENSOR_CORES_THERE)
		return TP_SAY0(doc, "");
	if (k->tensor_ps == 0 && !any_unused)
		return k->untold_ps != 0 ? TP_SAY(doc, text_tensor_untold,
									   tp_share((double)k->untold_ps, (double)k->total_ps, none))
			: k->ops_known       ? TP_SAY0(doc, text_tensor_none_could)
								 : TP_SAY0(doc, text_tensor_none_no_operations);
	if (!any_unused)
		return TP_SAY(doc, text_tensor, used);
	if (k->tensor_ps == 0)
		return TP_SAY(doc, text_tensor_could, unused);
	return TP_SAY(doc, text_tensor_some_could, used, unused);
}

/* Where the driver and our formula differ, the driver's figure stands, and the reader is told. */
static void
remark(const struct tp_pass_ctx *ctx, const struct tp_kernels *k, struct tp_doc *doc,
	struct tp_block *section)
{
	if (k->occupancy_differs == 0)
		return;
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "kernels/occupancy-differs",
		TP_SAY(
			doc, text_occupancy_differs, tp_say_number(ctx, k->occupancy_differs, "row", "rows")));
}

void
tp_kernels_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_kernels *k = result;
	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "kernels", "Kernels");

	if (k->count != 0) {
		section->section.key_figure =
			tp_say_number(ctx, k->torch ? k->total_count : k->sum_count, "kernel", "kernels");
		section->section.answer =
			TP_SAY(doc, k->sums[0].several ? text_longest_of_name : text_longest,
				tp_text_value(tp_utf8_shorten(ctx->keep, k->sums[0].short_name, LONGEST_NAME)),
				tp_share((double)k->sums[0].total_ps, (double)k->total_ps, TP_S(why_no_time)),
				tp_ps_in_ms((double)k->total_ps),
				tp_say_number(ctx, (size_t)k->calls, "call", "calls"));
		section->section.so_what = so_what(k, doc);
		if (k->torch && k->sum_count != k->total_count)
			tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "kernels/same-name",
				TP_SAY(doc, text_same_name, tp_say_number(ctx, k->sum_count, "name", "names"),
					tp_count(k->total_count)));
		bars(ctx, k, doc, section);
		graphs(ctx, k, doc, section);
		if (k->torch)
			by_name(ctx, k, doc, tp_doc_choice(doc, section, "kernels/names", title_names));
		list(ctx, k, doc,
			k->torch ? tp_doc_choice(doc, section, "kernels/by-launch", title_launches) : section);
		remark(ctx, k, doc, section);
	} else {
		section->section.key_figure = tp_missing(TP_S(""));
		section->section.answer = TP_SAY0(doc, text_no_launches);
	}
	tp_copies_present(ctx, k, doc, section);
	tp_say_how(ctx, doc, section, "kernels/how", k->torch ? how_torch : how_kernels);
	tp_say_source(
		ctx, doc, section, "kernels/source", k->torch ? source_torch_kernels : source_kernels);
}

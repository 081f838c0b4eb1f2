/* Headline figures of operators; and what operators compute: over all, and a table by operator and input shapes. */
#include "analyze/core/say.h"
#include "analyze/ops/op_use.h"
#include "analyze/torch/operators/torch_ops.h"
#include "analyze/torch/operators/torch_ops_words.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "analyze/torch_steps/torch_say.h"
#include "base/arena.h"
#include "base/order.h"
#include "base/utf8.h"
#include "model/profile.h"
#include "model/torch.h"
#include "report/draft.h"

#include <stdlib.h>

#define TP_TORCH_NOT_RUN                                                                           \
	"no device work of the operators whose FLOP are known was recorded: while a CUDA graph is "    \
	"captured, kernels do not run"

enum { MOST_ROWS = 1000, LONGEST_SHAPES = 96 };

/* Of the device time of products, convolutions and attention: where the FLOP of less are known, they tell nothing of a GPU. Torch
 * up to 1.10 records the shapes of convolutions and not their strides: of a ResNet only its last layer was known. */
#define KNOWN_SHARE 0.5

static double
flops_ps(const struct tp_torch_ops *o, const struct tp_torch_op_sums *s)
{
	return (double)(o->on_device ? s->flops_device_ps : s->flops_host_ps);
}

static struct tp_slice
no_flop(const struct tp_torch_ops *o)
{
	static const char *const why[] = {
		[TP_TORCH_NO_SHAPES] = why_no_shapes,
		[TP_TORCH_NO_OPERATORS] = why_none_of_any,
		[TP_TORCH_NO_PRODUCTS] = why_no_products,
		[TP_TORCH_NO_USE_OF_SHAPES] = why_no_flop,
	};

	return tp_slice_of(why[o->no_flop]);
}

static struct tp_value
flop_per_s(const struct tp_torch_ops *o, const struct tp_torch_op_sums *s)
{
	if (s->flops == 0)
		return tp_missing(no_flop(o));
	return flops_ps(o, s) > 0
		? tp_number((double)s->flops / flops_ps(o, s) * 1e12, TP_UNIT_FLOP_PER_S)
		: tp_missing(TP_S(TP_TORCH_NOT_RUN));
}

static struct tp_value
of_peak(const struct tp_torch_ops *o, double rate)
{
	return tp_use_of_peak(
		rate, o->peak_flop_per_s, o->on_device ? o->no_peak : TP_S(why_no_work_of_any));
}

static struct tp_value
peak_share(const struct tp_torch_ops *o, const struct tp_torch_op_sums *s)
{
	struct tp_value rate = flop_per_s(o, s);

	return tp_known(rate) ? of_peak(o, rate.number) : rate;
}

/* Of how much of the device work FLOP are known. */
static struct tp_slice
flop_coverage(const struct tp_pass_ctx *ctx, const struct tp_torch_ops *o)
{
	if (o == NULL || o->sums.flops == 0 || o->work.ps == 0)
		return TP_S("");
	return tp_arena_printf(ctx->keep, "operators with %.1f %% of device time",
		100 * (double)o->sums.flops_device_ps / (double)o->work.ps);
}

/* Device time of operators that compute, whether their FLOP are known or not. */
static double
computing_ps(const struct tp_torch_ops *o)
{
	double ps = 0;

	for (uint32_t i = 0; i < o->name_count; i++)
		ps += tp_torch_op_eligible(o->by_name[i].name) ? (double)o->by_name[i].sums.device_self_ps
													   : 0;
	return ps;
}

/* FLOP of the steps over their time and GPUs. */
static struct tp_value
step_rate(const struct tp_torch_ops *o)
{
	if (o->sums.flops == 0)
		return tp_missing(no_flop(o));
	if (!(o->step_peak_ps > 0))
		return tp_missing(TP_S(why_no_steps));
	if (o->step_flops == 0)
		return tp_missing(o->on_device && o->sums.flops_device_ps == 0
				? TP_S(TP_TORCH_NOT_RUN)
				: TP_S(why_no_flop_in_steps));
	if ((double)o->sums.flops_device_ps < KNOWN_SHARE * computing_ps(o))
		return tp_missing(TP_S(why_little_flop));
	return tp_number((double)o->step_flops / o->step_peak_ps * 1e12, TP_UNIT_FLOP_PER_S);
}

/* The same over what the GPUs could have done. */
static struct tp_value
utilization(const struct tp_torch_ops *o)
{
	struct tp_value rate = step_rate(o);

	return tp_known(rate) ? of_peak(o, rate.number) : rate;
}

static void
flop_metrics(const struct tp_pass_ctx *ctx, const struct tp_torch_ops *o, struct tp_doc *doc)
{
	struct tp_value skipped = tp_missing(tp_skipped_itself(ctx));
	struct tp_value none = o == NULL ? skipped : tp_missing(no_flop(o));
	bool any = o != NULL && o->sums.flops != 0;
	const struct {
		const char *id, *label;
		struct tp_value value;
		const char *how;
	} figures[] = {
		{"torch.op.flop", "FLOP of PyTorch operators",
			any ? tp_number((double)o->sums.flops, TP_UNIT_FLOP) : none, how_flop},
		{"torch.op.flop_per_s", "FLOP/s of these operators", any ? flop_per_s(o, &o->sums) : none,
			how_flop_rate},
		{"torch.op.flop_peak_share", "Share of peak of these operators",
			any ? peak_share(o, &o->sums) : none, how_flop_share},
		{"torch.flops.rate_per_s", "FLOP/s of a GPU", o != NULL ? step_rate(o) : skipped,
			how_step_rate},
		{"torch.flops.utilization_share", "FLOPS utilisation of the GPUs",
			o != NULL ? utilization(o) : skipped, how_step_share},
	};

	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
		tp_doc_metric(doc, tp_slice_of(figures[i].id), figures[i].label, figures[i].value,
			tp_slice_of(figures[i].how), flop_coverage(ctx, o));
}

static struct tp_value
us(int64_t ps)
{
	return tp_number((double)ps / 1e6, TP_UNIT_US);
}

static void
of_trace(const struct tp_pass_ctx *ctx, const struct tp_torch_ops *o, uint32_t i,
	const struct tp_torch_correlation *links, struct tp_doc *doc)
{
	const struct tp_torch_op_trace *t = &o->traces[i];
	struct tp_scope scope = tp_torch_scope(ctx, ctx->profile->torch->traces[i]);
	struct tp_slice none = TP_S(why_none);
	struct tp_slice no_work = TP_S(why_no_work);
	struct tp_slice empty = TP_S("");
	bool any = links->work.count != 0;

	tp_doc_metric_for(doc, "torch.op.count", scope, tp_count(t->names), empty);
	tp_doc_metric_for(doc, "torch.op.calls", scope, tp_count(t->sums.calls), empty);
	tp_doc_metric_for(doc, "torch.op.host_self_us", scope,
		t->names != 0 ? us(t->sums.host_self_ps) : tp_missing(none), empty);
	tp_doc_metric_for(doc, "torch.op.device_self_us", scope,
		any ? us(t->sums.device_self_ps) : tp_missing(no_work), empty);
	tp_doc_metric_for(doc, "torch.op.top.name", scope,
		t->top != TP_NONE ? tp_text_value(o->by_name[t->top].name) : tp_missing(none), empty);
	tp_doc_metric_for(doc, "torch.op.top.self_share", scope,
		tp_share((double)t->top_ps,
			o->on_device ? (double)links->work.ps : (double)t->sums.host_self_ps, none),
		empty);
	tp_doc_metric_for(doc, "torch.device_work.before_window_us", scope,
		any ? us(links->work.no_call_ps) : tp_missing(no_work), empty);
	tp_doc_metric_for(doc, "torch.device_work.untold_us", scope,
		any ? us(links->work.untold_ps) : tp_missing(no_work), empty);
	tp_doc_metric_for(doc, "torch.device_work.no_operator_us", scope,
		any ? us(links->work.no_operator_ps) : tp_missing(no_work), empty);
}

void
tp_torch_ops_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_torch_ops *o = result;
	const struct tp_torch_correlated *linked = tp_result(ctx, &tp_pass_torch_correlation);
	struct tp_value skipped = tp_missing(tp_skipped_itself(ctx));
	struct tp_value no_work =
		o == NULL || o->work.count != 0 ? skipped : tp_missing(TP_S(why_no_work_of_any));
	struct tp_value none = o == NULL ? skipped : tp_missing(TP_S(why_none_of_any));
	bool any = o != NULL && o->name_count != 0, work = o != NULL && o->work.count != 0;
	static const char *const ids[] = {"torch.op.count", "torch.op.calls", "torch.op.host_self_us",
		"torch.op.device_self_us", "torch.op.top.name", "torch.op.top.self_share",
		"torch.device_work.before_window_us", "torch.device_work.untold_us",
		"torch.device_work.no_operator_us"};

	tp_say_metric(doc, "torch.op.count", "PyTorch operators",
		o != NULL ? tp_count(o->name_count) : skipped, how_count);
	tp_say_metric(doc, "torch.op.calls", "Calls of PyTorch operators",
		o != NULL ? tp_count(o->sums.calls) : skipped, how_calls);
	tp_say_metric(doc, "torch.op.host_self_us", "Host time of PyTorch operators",
		any ? us(o->sums.host_self_ps) : none, how_host_self);
	tp_say_metric(doc, "torch.op.device_self_us", "Device time of PyTorch operators",
		work ? us(o->sums.device_self_ps) : no_work, how_device_self);
	tp_say_metric(doc, "torch.op.top.name", "Top PyTorch operator",
		any ? tp_text_value(o->by_name[0].name) : none, how_top);
	tp_say_metric(doc, "torch.op.top.self_share", "Share of the top PyTorch operator",
		any ? tp_share((double)tp_torch_op_key_ps(o, &o->by_name[0].sums),
				  (double)tp_torch_op_whole_ps(o), TP_S(why_no_time))
			: none,
		how_top_share);
	tp_say_metric(doc, "torch.device_work.before_window_us",
		"Device work launched before the trace", work ? us(o->work.no_call_ps) : no_work,
		how_before);
	tp_say_metric(doc, "torch.device_work.untold_us", "Device work without a launching call",
		work ? us(o->work.untold_ps) : no_work, how_untold);
	tp_say_metric(doc, "torch.device_work.no_operator_us", "Device work launched outside operators",
		work ? us(o->work.no_operator_ps) : no_work, how_no_operator);
	flop_metrics(ctx, o, doc);
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
		tp_doc_metric_scopes(doc, ids[i], "@worker,span");
	for (uint32_t i = 0; o != NULL && i < ctx->profile->torch->trace_count; i++)
		of_trace(ctx, o, i, &linked->traces[i], doc);
}

void
tp_torch_op_shapes_cell(
	const struct tp_pass_ctx *ctx, const struct tp_torch_op_row *row, struct tp_cell *cell)
{
	struct tp_slice s = row->shapes;

	if (!row->has_shapes) {
		cell->value = tp_missing(TP_S(why_not_recorded));
	} else {
		cell->value = tp_text_value(tp_utf8_shorten(ctx->keep, s, LONGEST_SHAPES));
		if (s.len > LONGEST_SHAPES)
			cell->full = s;
	}
}

#define OF_ROW(member, unit) TP_FIELD(struct tp_torch_op_row, member, unit)
static const struct tp_column columns[] = {
	TP_COLUMN("operator", "Operator", .code = true, OF_ROW(name, TP_UNIT_NONE)),
	TP_COLUMN("shapes", "Input shapes", .code = true),
	TP_COUNT_COLUMN("calls", "Calls", OF_ROW(sums.flops_calls, TP_UNIT_COUNT)),
	TP_COLUMN("gflop", "FLOP", .unit = TP_UNIT_GFLOP, .decimals = 2, .sorted = true,
		OF_ROW(sums.flops, TP_UNIT_FLOP)),
	TP_COLUMN("time_us", "Time", .unit = TP_UNIT_US, .decimals = 1),
	TP_COLUMN("gflop_per_s", "FLOP/s", .unit = TP_UNIT_GFLOP_PER_S, .decimals = 1),
	TP_SHARE_COLUMN("peak_share", "Of peak", .bar = true),
};
struct flop_cells {
	struct tp_cell name, shapes, calls, flop, time, rate, peak_share;
};
TP_CELLS_ARE_COLUMNS(struct flop_cells, columns);

TP_ORDER_POINTERS(by_flops, struct tp_torch_op_row, TP_DOWN(sums.flops), TP_AS_THEY_STAND);

void
tp_torch_ops_flops_present(const struct tp_pass_ctx *ctx, const struct tp_torch_ops *o,
	struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_torch_op_row **rows =
		tp_new_array(ctx->scratch, const struct tp_torch_op_row *, o->shape_count);
	uint32_t count = 0;

	for (uint32_t i = 0; i < o->shape_count; i++) {
		if (o->by_shape[i].sums.flops != 0)
			rows[count++] = &o->by_shape[i];
	}
	if (count == 0)
		return;
	qsort(rows, count, sizeof *rows, by_flops);
	struct tp_block *fold =
		tp_doc_section(doc, section, TP_SECTION_FOLD, "operators/flop", title_flop);
	struct tp_draft draft = TP_DRAFT_TABLE(doc, fold, "operators/flop/list", columns);

	fold->section.off_paper = true;
	for (uint32_t i = 0; i < count && i < MOST_ROWS; i++) {
		const struct tp_torch_op_sums *s = &rows[i]->sums;
		struct flop_cells *cells = tp_draft_row_of(&draft,
			tp_arena_printf(ctx->scratch, "%.*s/%u", TP_ARG(rows[i]->name), i), TP_ROW_NORMAL, 0,
			rows[i]);

		tp_torch_op_shapes_cell(ctx, rows[i], &cells->shapes);
		cells->time.value = tp_number(flops_ps(o, s), TP_UNIT_PS);
		cells->rate.value = flop_per_s(o, s);
		cells->peak_share.value = peak_share(o, s);
		cells->peak_share.swatch = TP_HUE_COMPUTE;
	}
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->numbered = true;
	table->caption = TP_S(caption_flop);
	tp_table_drop_missing(doc, table, TP_COLUMN_OF(struct flop_cells, shapes));
	tp_say_how(ctx, doc, fold, "operators/flop/how", how_flops);
}

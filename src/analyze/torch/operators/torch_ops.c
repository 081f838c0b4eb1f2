/* Calls of operators, summed up by the rows of the tables that they count in. */
#include "analyze/torch/operators/torch_ops.h"
#include "analyze/core/pass.h"

#include "analyze/facts/op_times.h"
#include "analyze/facts/peaks.h"
#include "analyze/facts/torch_flops.h"
#include "analyze/torch/gpus/torch_gpus.h"
#include "analyze/torch/operators/torch_frames.h"
#include "analyze/torch/operators/torch_op_tables.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "analyze/torch_steps/torch_quality.h"
#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/pool.h"
#include "base/saturate.h"
#include "model/profile.h"
#include "model/torch.h"

/* What calls of one trace add up to by row, of the first rows by name: those that the trace knows of. */
struct own_rows {
	struct tp_torch_op_sums *rows;
	uint32_t count;
};

struct grouping {
	const struct tp_pass_ctx *ctx;
	struct tp_torch_ops *ops;
	struct tp_torch_op_tables tables;
	struct tp_torch_frames frames;
	struct tp_torch_op_open open;
	struct own_rows *own; /* by trace */
};

struct tp_torch_op_sums
tp_torch_op_sums_of(
	const struct tp_torch_trace *t, const struct tp_torch_op_call *c, uint64_t flops)
{
	int64_t host_ps = tp_torch_duration_ps(t, c->event);
	struct tp_torch_op_device device = tp_torch_op_device(c);

	return (struct tp_torch_op_sums){
		.calls = 1,
		/* Without the operators and runtime calls in it; may be below 0 by the rounding of its parts. */
		.host_self_ps = host_ps - c->inner_ps - device.runtime_ps,
		.host_total_ps = host_ps,
		.runtime_ps = device.runtime_ps,
		.device_self_ps = device.self_ps,
		.device_total_ps = device.total_ps,
		.copy_self_ps = device.copy_self_ps,
		.tensor_self_ps = device.tensor_self_ps,
		.tensor_total_ps = device.tensor_total_ps,
		.flops = flops,
		.flops_calls = flops != 0,
		.flops_host_ps = flops != 0 ? host_ps : 0,
		.flops_device_ps = flops != 0 ? device.total_ps : 0,
		.eligible = c->eligible,
	};
}

/* nested: the call is within one of the same row, whose total holds its own. */
static void
add_to(struct tp_torch_op_sums *row, struct tp_torch_op_sums call, bool nested)
{
	if (nested)
		call.host_total_ps = call.device_total_ps = call.tensor_total_ps = 0;
	tp_torch_op_sums_add(row, &call);
}

/* The calls of a trace, their rows in each table, and for each table a bit that it holds the call's time already. */
struct adding {
	struct grouping *g;
	const struct tp_torch_trace *trace;
	const struct tp_torch_op_call *calls;
	const struct tp_torch_op_rows *rows;
	const uint8_t *nested;
	const uint64_t *flops;
	struct tp_torch_op_sums *own;
};

/* Tables have nothing in common but what they read, so each may be a thread's. */
static void
add_to_table(void *with, size_t table)
{
	const struct adding *a = with;

	for (uint32_t i = 0; i < a->trace->operator_count; i++) {
		uint32_t row = a->rows[i].of[table];

		if (row == TP_NONE)
			continue;
		struct tp_torch_op_sums call = tp_torch_op_sums_of(a->trace, &a->calls[i], a->flops[i]);

		if (table == TP_TORCH_BY_NAME)
			tp_torch_op_sums_add(&a->own[row], &call);
		add_to(tp_torch_op_sums_in(&a->g->tables, (enum tp_torch_op_table)table, row), call,
			a->nested[i] & 1u << table);
	}
}

static void
find_top(const struct tp_torch_ops *o, const struct own_rows *own, struct tp_torch_op_trace *out)
{
	out->top = TP_NONE;
	for (uint32_t r = 0; r < own->count; r++) {
		int64_t ps = tp_torch_op_key_ps(o, &own->rows[r]);

		if (own->rows[r].calls == 0)
			continue;
		out->names++;
		if (out->top == TP_NONE || ps > out->top_ps) {
			out->top = r;
			out->top_ps = ps;
		}
	}
}

/* What the GPUs of a trace computed in its steps, and how long they had for it. */
static void
add_steps(struct tp_torch_ops *o, const struct tp_torch_trace *t,
	const struct tp_torch_op_trace *of, const uint64_t *flops, const struct tp_torch_trace_steps *s,
	struct tp_arena *scratch)
{
	/* A GPU may have another number among the streams than deviceProperties gives it. */
	size_t gpus = tp_torch_gpus_of(t, tp_new_array(scratch, uint32_t, t->lane_count));

	if (!s->on_device || s->count == 0)
		return;
	int64_t from_ps = s->steps[0].start_ps, to_ps = s->steps[s->count - 1].end_ps;

	/* Where work tells its operator, one without any did not run: its kernels were only captured into a graph. */
	bool told = of->sums.device_self_ps != 0;

	o->step_peak_ps += (double)gpus * (double)(to_ps - from_ps);
	for (uint32_t i = 0; i < t->operator_count; i++) {
		const struct tp_torch_op_call *c = &of->calls[i];

		if (c->event == TP_NONE || (told && tp_torch_op_device(c).total_ps == 0))
			continue;
		if (tp_torch_start_ps(t, c->event) >= from_ps && tp_torch_start_ps(t, c->event) < to_ps)
			o->step_flops = tp_plus(o->step_flops, flops[i]);
	}
}

/* The frame that called an operator; TP_NONE: not recorded. */
static uint32_t
caller(const struct tp_torch_trace *t, const struct tp_torch_correlation *links,
	const uint32_t *frames, uint32_t event)
{
	uint32_t in = links->python[event];

	return in == TP_NONE || t->detail[in] == TP_NONE ? TP_NONE : frames[t->detail[in]];
}

static void
make_room(struct tp_buf *calls, size_t rows)
{
	while (calls->count < rows)
		tp_buf_add(calls, sizeof(uint32_t));
}

static void
group_trace(struct grouping *g, const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, const struct tp_torch_trace_steps *steps,
	const struct tp_torch_op_call *calls, struct tp_torch_op_trace *out, struct own_rows *own)
{
	const struct tp_pass_ctx *ctx = g->ctx;
	const uint32_t *frames = tp_torch_frames_add(&g->frames, t, links, ctx->scratch);
	const uint64_t *flops = tp_torch_flops_of(ctx->profile, t, links, ctx->scratch);
	const struct tp_torch_op_rows nowhere = {{TP_NONE, TP_NONE, TP_NONE}};
	struct tp_torch_op_rows *rows =
		tp_new_array(ctx->scratch, struct tp_torch_op_rows, t->operator_count);

	out->calls = calls;
	for (uint32_t i = 0; i < t->operator_count; i++) {
		const struct tp_torch_op_call *c = &out->calls[i];
		bool counts = c->event != TP_NONE && c->head == c->event;
		uint32_t row = counts ? tp_torch_op_row(&g->tables, t, c->event) : TP_TORCH_NOT_LISTED;

		rows[i] = nowhere;
		if (row != TP_TORCH_NOT_LISTED) {
			const struct tp_torch_attributes *a = &t->attributes[t->operators[i].attributes];

			rows[i] = tp_torch_op_rows_of(&g->tables, row, a, caller(t, links, frames, c->event));
			g->ops->has_shapes = g->ops->has_shapes || a->shapes != 0;
		} else if (counts) {
			g->ops->unlisted_ps = tp_add_ps(g->ops->unlisted_ps, tp_torch_op_device(c).self_ps);
		}
	}
	for (int k = 0; k < TP_TORCH_TABLES; k++)
		make_room(&g->open.calls[k], tp_torch_op_row_count(&g->tables, (enum tp_torch_op_table)k));
	own->count = tp_torch_op_row_count(&g->tables, TP_TORCH_BY_NAME);
	own->rows = tp_new_array(ctx->scratch, struct tp_torch_op_sums, own->count);
	struct adding adding = {g, t, calls, rows,
		tp_torch_op_nested(t, links, calls, rows, &g->open, ctx->scratch), flops, own->rows};

	tp_pool_each(ctx->options->pool, TP_TORCH_TABLES, add_to_table, &adding);
	for (uint32_t r = 0; r < own->count; r++)
		tp_torch_op_sums_add(&out->sums, &own->rows[r]);
	add_steps(g->ops, t, out, flops, steps, ctx->scratch);
	tp_torch_op_sums_add(&g->ops->sums, &out->sums);
}

static enum tp_torch_no_flop
no_flop(const struct tp_pass_ctx *ctx, const struct tp_torch_ops *o)
{
	if (tp_torch_not_recorded(ctx, TP_TORCH_SHAPES).len != 0)
		return TP_TORCH_NO_SHAPES;
	for (uint32_t i = 0; i < o->name_count; i++) {
		if (tp_torch_op_eligible(o->by_name[i].name) ||
			tp_torch_formula(o->by_name[i].name) != TP_TORCH_NO_FORMULA)
			return TP_TORCH_NO_USE_OF_SHAPES;
	}
	return o->name_count != 0 ? TP_TORCH_NO_PRODUCTS : TP_TORCH_NO_OPERATORS;
}

static void
finish(struct grouping *g, struct tp_torch_op_trace *traces, uint32_t trace_count)
{
	struct tp_torch_ops *o = g->ops;
	const uint32_t *new_index;

	o->on_device = o->sums.device_self_ps != 0;
	for (uint32_t i = 0; i < trace_count; i++)
		find_top(o, &g->own[i], &traces[i]);
	new_index = tp_torch_op_tables_settle(&g->tables, o, g->ctx->keep, g->ctx->scratch);
	o->no_flop = no_flop(g->ctx, o);
	o->frames = tp_buf_settle(&g->frames.found, sizeof *o->frames, g->ctx->keep);
	for (uint32_t i = 0; i < trace_count; i++)
		traces[i].top = traces[i].top == TP_NONE ? TP_NONE : new_index[traces[i].top];
	for (int k = 0; k < TP_TORCH_TABLES; k++)
		tp_buf_free(&g->open.calls[k]);
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_torch *torch = ctx->profile->torch;
	const struct tp_torch_correlated *linked = tp_result(ctx, &tp_pass_torch_correlation);
	const struct tp_torch_stepped *stepped = tp_result(ctx, &tp_pass_torch_steps);
	const struct tp_torch_calls *calls = tp_result(ctx, &tp_pass_torch_calls);
	struct tp_torch_op_trace *traces =
		tp_new_array(ctx->keep, struct tp_torch_op_trace, torch->trace_count);
	struct grouping g = {
		.ctx = ctx,
		.ops = tp_new(ctx->keep, struct tp_torch_ops),
		.own = tp_new_array(ctx->scratch, struct own_rows, torch->trace_count),
	};

	(void)err;
	tp_torch_op_tables_init(&g.tables, ctx->profile, ctx->scratch);
	tp_map_init(&g.frames.calls, ctx->scratch);
	for (uint32_t i = 0; i < torch->trace_count; i++)
		group_trace(&g, torch->traces[i], &linked->traces[i], &stepped->traces[i], calls->traces[i],
			&traces[i], &g.own[i]);
	struct tp_value peak = tp_peak_value(ctx, TP_PEAK_FLOP);

	g.ops->work = linked->work;
	g.ops->peak_flop_per_s = tp_known(peak) ? peak.number : 0;
	g.ops->no_peak = tp_known(peak) ? TP_S("") : peak.text;
	finish(&g, traces, torch->trace_count);
	g.ops->traces = traces;
	*result = g.ops;
	return TP_OK;
}

static const struct tp_pass *const after[] = {
	&tp_pass_torch_correlation, &tp_pass_torch_steps, &tp_pass_torch_calls, &tp_pass_peaks, NULL};

static struct tp_slice
without_shapes(const struct tp_pass_ctx *ctx)
{
	return tp_torch_not_recorded(ctx, TP_TORCH_SHAPES);
}

static const struct tp_lack lacks[] = {
	{"shapes", "Operators by input shapes, and their FLOP", TP_LACK_TIMED, .why = without_shapes,
		.pytorch = "Give `record_shapes=True` to `torch.profiler.profile`."},
	{0},
};

const struct tp_pass tp_pass_torch_ops = {
	.name = "torch-operators",
	.title = "Operators",
	.summary = "PyTorch operators: calls, time on host and device, tensor cores, shapes, call "
			   "stacks",
	.needs_all = TP_HAS_TORCH,
	.after = after,
	.place = TP_PLACE_OPERATIONS,
	.analyze = analyze,
	.metrics = tp_torch_ops_metrics,
	.present = tp_torch_ops_present,
	.lacks = lacks,
};

/* Figures that the profiler worked out itself, in place of those that cannot be worked out: metrics and tiles. */
#include "analyze/page/precomputed_figures.h"

#include "analyze/ops/op_profile.h"
#include "analyze/pod/hosts.h"
#include "model/precomputed.h"
#include "report/doc.h"

#include <math.h>

static const struct {
	const char *metric;
	const char *how;
} figures[TP_PRECOMPUTED_FIGURE_COUNT] = {
	[TP_PRECOMPUTED_MATRIX_UNIT] = {"matrix_unit.utilization_share", "mxu_utilization_percent"},
	[TP_PRECOMPUTED_DEVICE_IDLE] = {"device.idle_share", "device_idle_time_percent"},
	[TP_PRECOMPUTED_HOST_IDLE] = {"host.idle_share", "host_idle_time_percent"},
	[TP_PRECOMPUTED_FLOPS_OF_ROOFLINE] = {"flops.relative_to_roofline_share",
		"flop_rate_utilization_relative_to_roofline"},
	[TP_PRECOMPUTED_HBM_OF_LIMIT] = {"memory_bandwidth.utilization_share",
		"memory_bw_utilization_relative_to_hw_limit"},
	[TP_PRECOMPUTED_16BIT] = {"precision.compute_16bit_share", "device_compute_16bit_percent"},
	[TP_PRECOMPUTED_32BIT] = {"precision.compute_32bit_share", "device_compute_32bit_percent"},
	[TP_PRECOMPUTED_HOST_EAGER] = {"host.op_eager_share", "host_op_time_eager_percent"},
	[TP_PRECOMPUTED_DEVICE_EAGER] = {"device.op_eager_share", "device_op_time_eager_percent"},
	[TP_PRECOMPUTED_OUTSIDE_COMPILATION] = {"device.outside_compilation_share",
		"device_op_time_outside_compilation_percent"},
	[TP_PRECOMPUTED_DUTY_CYCLE] = {"device.duty_cycle_share", "device_duty_cycle_percent"},
};

static const char *const input_metrics[TP_PRECOMPUTED_INPUT_TIME_COUNT] = {
	[TP_PRECOMPUTED_ENQUEUE] = "input.host.enqueue_us",
	[TP_PRECOMPUTED_PREPROCESSING] = "input.host.preprocessing_us",
	[TP_PRECOMPUTED_ADVANCED_READ] = "input.host.advanced_read_us",
	[TP_PRECOMPUTED_DEMANDED_READ] = "input.host.demanded_read_us",
	[TP_PRECOMPUTED_INPUT_OTHER] = "input.host.other_us",
};

const char *
tp_precomputed_metric_of(enum tp_precomputed_figure figure)
{
	return figures[figure].metric;
}

const char *
tp_precomputed_input_metric_of(enum tp_precomputed_input_time time)
{
	return input_metrics[time];
}

static void
fill_metrics(const struct tp_pass_ctx *ctx, const struct tp_precomputed *g, struct tp_doc *doc)
{
	for (int k = 0; k < TP_PRECOMPUTED_FIGURE_COUNT; k++)
		tp_precomputed_fill(ctx, doc, figures[k].metric, tp_number(g->figures[k], TP_UNIT_SHARE),
			figures[k].how, g->figures_from);
	if (isfinite(g->figures[TP_PRECOMPUTED_DEVICE_IDLE]))
		tp_precomputed_fill(ctx, doc, "device.busy_share",
			tp_number(1 - g->figures[TP_PRECOMPUTED_DEVICE_IDLE], TP_UNIT_SHARE),
			"the rest of device_idle_time_percent", g->figures_from);
	for (int k = 0; k < TP_PRECOMPUTED_INPUT_TIME_COUNT; k++)
		tp_precomputed_fill(ctx, doc, input_metrics[k], tp_number(g->input_us[k], TP_UNIT_US),
			"its part of the host's time", g->input_from);
	struct tp_slice from;
	const struct tp_precomputed_op *top = tp_precomputed_top_op(g, &from);

	if (top == NULL)
		return;
	tp_precomputed_fill(
		ctx, doc, "op.top.name", tp_text_value(top->name), "the first operation", from);
	tp_precomputed_fill(ctx, doc, "op.top.self_share", tp_number(top->share, TP_UNIT_SHARE),
		"of the first operation", from);
}

void
tp_precomputed_metrics(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	const struct tp_precomputed *g = tp_precomputed(ctx);

	if (g == NULL)
		return;
	/* Where an overview page has a figure as well the tree's counts: it agrees with what is told of its operations. */
	tp_op_profile_metrics(ctx, doc);
	fill_metrics(ctx, g, doc);
	tp_hosts_each_metrics(ctx, tp_result(ctx, &tp_pass_hosts), doc);
}

size_t
tp_precomputed_tiles(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_tile *list, size_t room)
{
	static const struct {
		const char *id, *label, *metric;
	} tiles[] = {
		{"summary/tiles/matrix-unit", "Matrix unit", "matrix_unit.utilization_share"},
		{"summary/tiles/host-idle", "Host idle", "host.idle_share"},
	};
	size_t n = 0;

	for (size_t i = 0; tp_precomputed(ctx) != NULL && i < sizeof tiles / sizeof *tiles; i++) {
		const struct tp_metric *m = tp_doc_find_metric(doc, tp_slice_of(tiles[i].metric));

		if (m == NULL || !tp_known(m->value) || n == room)
			continue;
		list[n++] = (struct tp_tile){
			.id = tp_slice_of(tiles[i].id),
			.label = tp_slice_of(tiles[i].label),
			.metric = m->id,
			.value = m->value,
			.note = {TP_SAY0(doc, "precomputed by profiler")},
		};
	}
	return n;
}

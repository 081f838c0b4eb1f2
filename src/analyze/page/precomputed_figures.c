/* Figures of tool files: in place of those that events do not give; and where a run holds both, what both say, side by side. The
 * figures of the report are those from events. */
#include "analyze/core/say.h"
#include "analyze/facts/precomputed.h"
#include "analyze/memory/memory.h"
#include "analyze/ops/op_profile.h"
#include "analyze/page/method.h"
#include "analyze/pod/hosts.h"
#include "base/arena.h"
#include "base/buf.h"
#include "model/precomputed.h"
#include "model/profile.h"
#include "report/draft.h"
#include "report/scope.h"

#include <math.h>

/* The metrics of figures that the profiler worked out itself. */
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

/* What differs by no more counts as the same: of a share in points, of anything else of the larger figure. */
#define DIFFERENT 0.01000001

enum { NAMED = 3 };

struct compared {
	struct tp_slice label, from;
	struct tp_value here, there;
	bool differs;
};

struct comparing {
	const struct tp_pass_ctx *ctx;
	struct tp_doc *doc;
	struct tp_buf list; /* struct compared */
	size_t different;
};

static void
compare(struct comparing *c, struct tp_slice id, struct tp_value there, struct tp_slice from)
{
	const struct tp_metric *m = tp_doc_find_metric(c->doc, id);

	if (m == NULL || !tp_known(m->value) || !tp_known(there) || m->value.kind == TP_VALUE_TEXT)
		return;
	double a = tp_value_in(m->value, there.unit), b = tp_value_in(there, there.unit);
	double most = there.unit == TP_UNIT_SHARE ? 1 : fmax(fabs(a), fabs(b));
	bool differs = fabs(a - b) > DIFFERENT * most;

	if (!isfinite(a) || !isfinite(b))
		return;
	*(struct compared *)tp_buf_add(&c->list, sizeof(struct compared)) = (struct compared){
		.label = m->label,
		.from = from,
		.here = m->value,
		.there = there,
		.differs = differs,
	};
	c->different += differs;
}

static void
compare_kernels(struct comparing *c, const struct tp_precomputed *g)
{
	double ns = 0, count = 0;

	if (g->kernel_count == 0)
		return;
	for (size_t i = 0; i < g->kernel_count; i++) {
		ns += (double)g->kernels[i].total_ns;
		count += (double)g->kernels[i].occurrences;
	}
	compare(c, TP_S("kernels.total_us"), tp_number(ns / 1e3, TP_UNIT_US), g->kernels_from);
	compare(c, TP_S("kernels.count"), tp_number(count, TP_UNIT_COUNT), g->kernels_from);
}

static void
compare_plans(struct comparing *c, const struct tp_precomputed *g)
{
	struct tp_arena *keep = c->ctx->keep;

	for (size_t i = 0; i < g->plan_count; i++) {
		const struct tp_precomputed_plan *plan = g->plans[i];
		struct tp_slice id =
			tp_scope_id(keep, "memory.peak_bytes", (struct tp_scope){.module = plan->name});
		size_t before = c->list.count;

		compare(c, id, tp_number(tp_memory_precomputed_peak(plan), TP_UNIT_BYTES), plan->from);
		if (c->list.count != before)
			((struct compared *)c->list.data)[before].label =
				tp_arena_printf(keep, "Memory at the peak of %.*s", TP_ARG(plan->name));
	}
}

static void
compare_all(struct comparing *c, const struct tp_precomputed *g)
{
	compare(c, TP_S("step.time.mean_ms"), tp_number(tp_precomputed_mean_ms(g), TP_UNIT_MS),
		g->steps_from);
	for (int k = 0; k < TP_PRECOMPUTED_FIGURE_COUNT; k++)
		compare(c, tp_slice_of(figures[k].metric), tp_number(g->figures[k], TP_UNIT_SHARE),
			g->figures_from);
	for (int k = 0; k < TP_PRECOMPUTED_INPUT_TIME_COUNT; k++)
		compare(
			c, tp_slice_of(input_metrics[k]), tp_number(g->input_us[k], TP_UNIT_US), g->input_from);
	compare_kernels(c, g);
	if (g->pod != NULL)
		compare(c, TP_S("step.time.mean_ms"),
			tp_number(tp_precomputed_pod_mean_ms(g->pod), TP_UNIT_MS), g->pod->from);
	compare_plans(c, g);
}

/* "Mean step: 12.0 ms here, 13.0 ms in vm.overview_page.json" */
static struct tp_slice
both(const struct tp_pass_ctx *ctx, const struct compared *one)
{
	char here[TP_VALUE_BUF], there[TP_VALUE_BUF];
	struct tp_slice a = tp_value_text(one->here, here), b = tp_value_text(one->there, there);

	return tp_arena_printf(ctx->keep, "%.*s: %.*s here, %.*s in %.*s", TP_ARG(one->label),
		TP_ARG(a), TP_ARG(b), TP_ARG(one->from));
}

static const struct tp_column columns[] = {
	TP_COLUMN("figure", "Figure", TP_TEXT_FIELD(struct compared, label)),
	TP_COLUMN("here", "From events", TP_FIELD(struct compared, here, TP_UNIT_NONE)),
	TP_COLUMN("tool_file", "Precomputed", TP_FIELD(struct compared, there, TP_UNIT_NONE)),
	TP_COLUMN("differs", "By more than 1 %"),
	TP_COLUMN("file", "File", .code = true, TP_TEXT_FIELD(struct compared, from)),
};
struct cells {
	struct tp_cell figure, here, tool_file, differs, file;
};
TP_CELLS_ARE_COLUMNS(struct cells, columns);

static void
table(struct comparing *c, struct tp_block *section)
{
	struct tp_draft draft = TP_DRAFT_TABLE(c->doc, section, "method/precomputed-figures", columns);
	const struct compared *all = c->list.data;

	for (size_t i = 0; i < c->list.count; i++) {
		struct cells *cells = tp_draft_row_of(&draft,
			tp_arena_printf(c->ctx->keep, "%.*s/%.*s", TP_ARG(all[i].label), TP_ARG(all[i].from)),
			TP_ROW_NORMAL, 0, &all[i]);

		cells->differs.value = tp_text_value(all[i].differs ? TP_S("yes") : TP_S("no"));
		cells->differs.judge = all[i].differs ? TP_JUDGE_WARN : TP_JUDGE_NONE;
	}
	tp_draft_finish(&draft, c->ctx->options->top)->caption =
		TP_S("Figures given by both events and tool files");
}

static struct tp_text
verdict(const struct comparing *c)
{
	const struct compared *all = c->list.data;
	struct tp_slice named = TP_S("");
	size_t n = 0;

	if (c->list.count == 0)
		return TP_SAY0(c->doc,
			"The run also holds the profiler's tool files: not used, as there are events; no "
			"figure could be compared.");
	if (c->different == 0)
		return TP_SAY(c->doc,
			"The profiler's tool files agree: {} differ by at most 1 % from those here, which are "
			"from events.",
			tp_say_number(c->ctx, c->list.count, "figure", "figures"));
	for (size_t i = 0; i < c->list.count && n < NAMED; i++) {
		if (all[i].differs)
			named = tp_arena_printf(c->ctx->keep, "%.*s%s%.*s", TP_ARG(named), n++ ? "; " : "",
				TP_ARG(both(c->ctx, &all[i])));
	}
	return TP_SAY(c->doc,
		"The profiler's tool files differ by more than 1 % in {} of {}. {}{}. The figures here are "
		"from events.",
		tp_count(c->different), tp_say_number(c->ctx, c->list.count, "figure", "figures"),
		tp_text_value(named), tp_text_value(c->different > n ? TP_S("; …") : TP_S("")));
}

void
tp_precomputed_differences(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_precomputed *g = ctx->profile->precomputed;
	struct comparing c = {.ctx = ctx, .doc = doc};

	if (g == NULL)
		return;
	struct tp_block *block = tp_doc_add(doc, section, TP_BLOCK_NOTICE, TP_S("method/precomputed"));

	if (tp_precomputed(ctx) != NULL) {
		block->notice.judge = TP_JUDGE_WARN;
		block->notice.text = TP_SAY0(doc,
			"The run holds only the profiler's tool files, no events: figures are taken from them "
			"as they are, and sections that need events are missing.");
		tp_precomputed_captures(ctx, doc, section, "method/captures");
		return;
	}
	compare_all(&c, g);
	block->notice.judge = c.different != 0 ? TP_JUDGE_WARN : TP_JUDGE_NONE;
	block->notice.text = verdict(&c);
	if (c.list.count != 0)
		table(&c, section);
	tp_buf_free(&c.list);
}

/* The figures of each host: how each is worked out or why it is not known, and their metrics. */
#include "analyze/pod/hosts_figures.h"

#include "analyze/core/say.h"
#include "analyze/facts/precomputed.h"
#include "analyze/ops/op_use.h"
#include "analyze/pod/hosts.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "model/precomputed.h"
#include "model/profile.h"

#include <math.h>

#define NO_STEPS TP_S("this host has no steps")
#define NO_DEVICES TP_S("no device of this host has operations")
#define NO_PEAK TP_S("the peak of a device of this host is not known")

static struct tp_value
cores(const struct tp_pass_ctx *ctx, const struct tp_host_figures *h)
{
	return h->cores == 0 && ctx->profile->event_count == 0 && ctx->profile->precomputed != NULL
		? tp_missing(TP_S("tool files do not say which host has which cores"))
		: tp_count(h->cores);
}

static struct tp_value
chips(const struct tp_pass_ctx *ctx, const struct tp_host_figures *h)
{
	return h->chips == 0 && ctx->profile->event_count == 0 && ctx->profile->precomputed != NULL
		? tp_missing(TP_S("tool files do not say which host has which devices"))
		: tp_count(h->chips);
}

static struct tp_value
step_ms(const struct tp_host_figures *h, double ps)
{
	return h->steps ? tp_number(ps / 1e9, TP_UNIT_MS) : tp_missing(NO_STEPS);
}

#define STEP_TIME(field)                                                                           \
	static struct tp_value step_##field(                                                           \
		const struct tp_pass_ctx *ctx, const struct tp_host_figures *h)                            \
	{                                                                                              \
		(void)ctx;                                                                                 \
		return step_ms(h, h->steps ? h->steps->time.field : NAN);                                  \
	}
STEP_TIME(mean)
STEP_TIME(sd)
STEP_TIME(min)
STEP_TIME(max)
STEP_TIME(p50)
STEP_TIME(p95)

static struct tp_value
work(const struct tp_pass_ctx *ctx, const struct tp_host_figures *h)
{
	(void)ctx;
	return isfinite(h->core_compute_ps) ? tp_number(h->core_compute_ps / 1e9, TP_UNIT_MS)
										: tp_missing(NO_STEPS);
}

static struct tp_value
input_wait(const struct tp_pass_ctx *ctx, const struct tp_host_figures *h)
{
	(void)ctx;
	return h->steps == NULL     ? tp_missing(NO_STEPS)
		: h->steps->shows_input ? tp_number(h->steps->input_share, TP_UNIT_SHARE)
								: tp_missing(h->steps->source->input_unseen.why);
}

/* A figure of the host's tool file. */
static struct tp_value
of_tool(const struct tp_host_figures *h, enum tp_precomputed_figure figure)
{
	double share = h->precomputed->figures[figure];

	return isfinite(share) ? tp_number(share, TP_UNIT_SHARE)
						   : tp_missing(TP_S("the tool files of this host do not say"));
}

static struct tp_value
host_idle(const struct tp_pass_ctx *ctx, const struct tp_host_figures *h)
{
	(void)ctx, (void)h;
	return tp_missing(TP_S("it is told of all hosts together"));
}

static struct tp_value
busy(const struct tp_pass_ctx *ctx, const struct tp_host_figures *h)
{
	(void)ctx;
	if (h->precomputed == NULL)
		return tp_share((double)h->busy_ps, (double)h->total_ps, NO_DEVICES);
	struct tp_value idle = of_tool(h, TP_PRECOMPUTED_DEVICE_IDLE);

	return tp_known(idle) ? tp_number(1 - idle.number, TP_UNIT_SHARE) : idle;
}

static struct tp_value
idle(const struct tp_pass_ctx *ctx, const struct tp_host_figures *h)
{
	(void)ctx;
	return tp_share((double)(h->total_ps - h->busy_ps), (double)h->total_ps, NO_DEVICES);
}

static struct tp_value
duty(const struct tp_pass_ctx *ctx, const struct tp_host_figures *h)
{
	(void)ctx;
	return tp_share((double)h->duty_on_ps, (double)h->duty_total_ps, NO_DEVICES);
}

static struct tp_value
use(const struct tp_host_figures *h, uint64_t amount, double peak_ps)
{
	if (h->total_ps == 0)
		return tp_missing(NO_DEVICES);
	if (!h->has_costs)
		return tp_missing(TP_S("the profile does not say what its operations need"));
	return tp_use_of_peak((double)amount * 1e12, peak_ps, NO_PEAK);
}

#define USE(name, amount, peak)                                                                    \
	static struct tp_value name(const struct tp_pass_ctx *ctx, const struct tp_host_figures *h)    \
	{                                                                                              \
		(void)ctx;                                                                                 \
		return use(h, h->amount, h->peak);                                                         \
	}
USE(flops_use, flops, peak_flop_ps)
USE(flops_busy_use, flops, busy_peak_flop_ps)
USE(byte_use, hbm_bytes, peak_byte_ps)
USE(byte_busy_use, hbm_bytes, busy_peak_byte_ps)

static struct tp_value
matrix_unit(const struct tp_pass_ctx *ctx, const struct tp_host_figures *h)
{
	double share = ctx->profile->hosts[h->host].matrix_unit_share;

	return isfinite(share) ? tp_number(share, TP_UNIT_SHARE)
						   : tp_missing(TP_S("this host recorded no performance counter of it"));
}

/* Of its tool files; NULL: they name none. */
static const struct tp_precomputed_op *
precomputed_top(const struct tp_host_figures *h)
{
	return h->precomputed != NULL ? tp_precomputed_top_op(h->precomputed, NULL) : NULL;
}

static struct tp_value
top_op(const struct tp_pass_ctx *ctx, const struct tp_host_figures *h)
{
	const struct tp_precomputed_op *op = precomputed_top(h);

	(void)ctx;
	if (op != NULL)
		return tp_text_value(op->name);
	return h->top_op.len ? tp_text_value(h->top_op)
						 : tp_missing(TP_S("no operation ran on this host"));
}

static struct tp_value
top_share(const struct tp_pass_ctx *ctx, const struct tp_host_figures *h)
{
	const struct tp_precomputed_op *op = precomputed_top(h);

	(void)ctx;
	if (op != NULL)
		return tp_number(op->share, TP_UNIT_SHARE);
	return tp_share((double)h->top_ps, (double)h->self_ps, TP_S("no operation ran on this host"));
}

#define TOOL(figure) .has_tool = true, .tool = TP_PRECOMPUTED_##figure

static const struct tp_host_figure figures[] = {
	{"run.cores", cores, .column = TP_COUNT_COLUMN("cores", "Cores")},
	{.id = "run.devices", .of = chips},
	{"step.time.mean_ms", step_mean,
		.column = TP_COLUMN("step_ms", "Mean step", .unit = TP_UNIT_MS, .decimals = 2)},
	{.id = "step.time.sd_ms", .of = step_sd},
	{.id = "step.time.min_ms", .of = step_min},
	{.id = "step.time.max_ms", .of = step_max},
	{.id = "step.time.p50_ms", .of = step_p50},
	{"step.time.p95_ms", step_p95,
		.column = TP_COLUMN("p95_ms", "p95", .unit = TP_UNIT_MS, .decimals = 2)},
	{"", work,
		.column = TP_COLUMN("core_compute_ms", "Slowest core", .unit = TP_UNIT_MS, .decimals = 2)},
	{"input.wait_share", input_wait, .column = TP_SHARE_COLUMN("input_wait_share", "Input wait")},
	{"device.busy_share", busy, .column = TP_SHARE_COLUMN("busy_share", "Device busy")},
	{.id = "device.idle_share", .of = idle, TOOL(DEVICE_IDLE)},
	{"device.duty_cycle_share", duty, TOOL(DUTY_CYCLE),
		.column = TP_SHARE_COLUMN("duty_cycle_share", "Duty cycle")},
	{"flops.utilization_share", flops_use,
		.column = TP_SHARE_COLUMN("flops_utilization_share", "FLOPS use")},
	{.id = "flops.busy_utilization_share", .of = flops_busy_use},
	{"memory_bandwidth.utilization_share", byte_use, TOOL(HBM_OF_LIMIT),
		.column = TP_SHARE_COLUMN("hbm_utilization_share", "Bandwidth use, est.")},
	{.id = "memory_bandwidth.busy_utilization_share", .of = byte_busy_use},
	{"matrix_unit.utilization_share", matrix_unit, TOOL(MATRIX_UNIT),
		.column = TP_SHARE_COLUMN("matrix_unit_share", "Matrix unit")},
	{"host.idle_share", host_idle, TOOL(HOST_IDLE),
		.column = TP_SHARE_COLUMN("host_idle_share", "Host idle")},
	{"op.top.name", top_op, .column = TP_COLUMN("top_op", "Top operation", .code = true)},
	{"op.top.self_share", top_share, .column = TP_SHARE_COLUMN("top_op_share", "Its share")},
};
enum { FIGURES = sizeof figures / sizeof *figures };

const struct tp_host_figure *
tp_host_figure_at(size_t i)
{
	return i < FIGURES ? &figures[i] : NULL;
}

struct tp_value
tp_host_figure_value(
	const struct tp_pass_ctx *ctx, const struct tp_host_figure *f, const struct tp_host_figures *h)
{
	return f->has_tool && h->precomputed != NULL ? of_tool(h, f->tool) : f->of(ctx, h);
}

bool
tp_host_figure_has_source(const struct tp_pass_ctx *ctx, const struct tp_host_figure *f)
{
	return f->of != host_idle || tp_precomputed(ctx) != NULL;
}

bool
tp_host_figure_is_told(const struct tp_doc *doc, const char *id)
{
	const struct tp_metric *all = tp_doc_find_metric(doc, tp_slice_of(id));

	return all != NULL && tp_known(all->value);
}

/* Registers a figure of a host. A host's steps are those of all: so is what they cover. */
static void
tell(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const char *id, uint32_t host,
	struct tp_value value)
{
	bool of_steps = tp_slice_starts(tp_slice_of(id), TP_S("step.")) ||
		tp_slice_starts(tp_slice_of(id), TP_S("input."));
	const struct tp_metric *all = tp_doc_find_metric(doc, tp_slice_of(id));

	tp_doc_metric_for(doc, id, tp_say_host_scope(ctx, host), value,
		of_steps && all != NULL ? all->coverage : TP_S(""));
}

static void
class_metrics(const struct tp_pass_ctx *ctx, const struct tp_hosts *hosts, struct tp_doc *doc)
{
	for (int c = 0; c < TP_CLASS_COUNT; c++) {
		const char *key = tp_class_info((enum tp_class)c)->key;
		const char *ms = tp_arena_printf(ctx->keep, "step.class.%s_ms", key).ptr;
		const char *share = tp_arena_printf(ctx->keep, "step.class.%s_share", key).ptr;

		tp_doc_metric_scopes(doc, ms, "@host");
		tp_doc_metric_scopes(doc, share, "@host");
		for (uint32_t i = 0; i < hosts->count && tp_host_figure_is_told(doc, ms); i++) {
			const struct tp_steps *s = hosts->hosts[i].steps;

			tell(ctx, doc, ms, i,
				s ? tp_number(s->class_mean_ps[c] / 1e9, TP_UNIT_MS) : tp_missing(NO_STEPS));
			tell(ctx, doc, share, i,
				s ? tp_share(s->class_mean_ps[c], s->time.mean, TP_S("steps have no length"))
				  : tp_missing(NO_STEPS));
		}
	}
}

void
tp_hosts_each_metrics(
	const struct tp_pass_ctx *ctx, const struct tp_hosts *hosts, struct tp_doc *doc)
{
	for (size_t f = 0; f < FIGURES; f++) {
		if (figures[f].id[0] == '\0' || !tp_host_figure_has_source(ctx, &figures[f]))
			continue;
		tp_doc_metric_scopes(doc, figures[f].id, "@host");
		for (uint32_t i = 0; i < hosts->count && tp_host_figure_is_told(doc, figures[f].id); i++)
			tell(ctx, doc, figures[f].id, i,
				tp_host_figure_value(ctx, &figures[f], &hosts->hosts[i]));
	}
	class_metrics(ctx, hosts, doc);
}

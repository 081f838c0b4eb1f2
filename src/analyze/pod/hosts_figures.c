/* The figures of each host: how each is worked out or why it is not known, their metrics, and the table of hosts. */
#include "analyze/pod/hosts.h"

#include "analyze/core/say.h"
#include "analyze/facts/precomputed.h"
#include "analyze/ops/op_use.h"
#include "analyze/pod/hosts_words.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "model/precomputed.h"
#include "model/profile.h"
#include "report/draft.h"
#include "report/scope.h"

#include <math.h>

static struct tp_value
cores(const struct tp_host_figures *h)
{
	return h->cores == 0 && h->profile->event_count == 0 && h->profile->precomputed != NULL
		? tp_missing(TP_S(why_cores_not_given))
		: tp_count(h->cores);
}

static struct tp_value
chips(const struct tp_host_figures *h)
{
	return h->chips == 0 && h->profile->event_count == 0 && h->profile->precomputed != NULL
		? tp_missing(TP_S(why_devices_not_given))
		: tp_count(h->chips);
}

static struct tp_value
step_ms(const struct tp_host_figures *h, double ps)
{
	return h->steps ? tp_ps_in_ms(ps) : tp_missing(TP_S(why_no_steps));
}

#define STEP_TIME(field)                                                                           \
	static struct tp_value step_##field(const struct tp_host_figures *h)                           \
	{                                                                                              \
		return step_ms(h, h->steps ? h->steps->time.field : NAN);                                  \
	}
STEP_TIME(mean)
STEP_TIME(sd)
STEP_TIME(min)
STEP_TIME(max)
STEP_TIME(p50)
STEP_TIME(p95)

static struct tp_value
work(const struct tp_host_figures *h)
{
	return isfinite(h->core_compute_ps) ? tp_ps_in_ms(h->core_compute_ps)
										: tp_missing(TP_S(why_no_steps));
}

static struct tp_value
input_wait(const struct tp_host_figures *h)
{
	return h->steps == NULL     ? tp_missing(TP_S(why_no_steps))
		: h->steps->shows_input ? tp_number(h->steps->input_share, TP_UNIT_SHARE)
								: tp_missing(h->steps->source->input_unseen.why);
}

/* A figure of the host's tool file. */
static struct tp_value
of_tool(const struct tp_host_figures *h, enum tp_precomputed_figure figure)
{
	double share = h->precomputed->figures[figure];

	return isfinite(share) ? tp_number(share, TP_UNIT_SHARE) : tp_missing(TP_S(why_host_not_given));
}

static struct tp_value
host_idle(const struct tp_host_figures *h)
{
	(void)h;
	return tp_missing(TP_S(why_all_hosts_alone));
}

static struct tp_value
busy(const struct tp_host_figures *h)
{
	if (h->precomputed == NULL)
		return tp_share((double)h->busy_ps, (double)h->total_ps, TP_S(why_no_devices));
	struct tp_value idle = of_tool(h, TP_PRECOMPUTED_DEVICE_IDLE);

	return tp_known(idle) ? tp_number(1 - idle.number, TP_UNIT_SHARE) : idle;
}

static struct tp_value
idle(const struct tp_host_figures *h)
{
	return tp_share((double)(h->total_ps - h->busy_ps), (double)h->total_ps, TP_S(why_no_devices));
}

static struct tp_value
duty(const struct tp_host_figures *h)
{
	return tp_share((double)h->duty_on_ps, (double)h->duty_total_ps, TP_S(why_no_devices));
}

static struct tp_value
use(const struct tp_host_figures *h, bool known, uint64_t amount, double peak_ps)
{
	if (h->total_ps == 0)
		return tp_missing(TP_S(why_no_devices));
	if (!known)
		return tp_missing(TP_S(why_no_costs));
	return tp_use_of_peak((double)amount * 1e12, peak_ps, TP_S(why_no_peak));
}

#define USE(name, known, amount, peak)                                                             \
	static struct tp_value name(const struct tp_host_figures *h)                                   \
	{                                                                                              \
		return use(h, h->known, h->amount, h->peak);                                               \
	}
USE(flops_use, has_flops, flops, peak_flop_ps)
USE(flops_busy_use, has_flops, flops, busy_peak_flop_ps)
USE(byte_use, has_costs, hbm_bytes, peak_byte_ps)
USE(byte_busy_use, has_costs, hbm_bytes, busy_peak_byte_ps)

static struct tp_value
matrix_unit(const struct tp_host_figures *h)
{
	double share = h->profile->hosts[h->host].matrix_unit_share;

	return isfinite(share) ? tp_number(share, TP_UNIT_SHARE) : tp_missing(TP_S(why_no_counter));
}

/* Of its tool files; NULL: they name none. */
static const struct tp_precomputed_op *
precomputed_top(const struct tp_host_figures *h)
{
	return h->precomputed != NULL ? tp_precomputed_top_op(h->precomputed, NULL) : NULL;
}

static struct tp_value
top_op(const struct tp_host_figures *h)
{
	const struct tp_precomputed_op *op = precomputed_top(h);

	if (op != NULL)
		return tp_text_value(op->name);
	return h->top_op.len ? tp_text_value(h->top_op) : tp_missing(TP_S(why_no_operation));
}

static struct tp_value
top_share(const struct tp_host_figures *h)
{
	const struct tp_precomputed_op *op = precomputed_top(h);

	if (op != NULL)
		return tp_number(op->share, TP_UNIT_SHARE);
	return tp_share((double)h->top_ps, (double)h->self_ps, TP_S(why_no_operation));
}

#define TOOL(figure) .has_tool = true, .tool = TP_PRECOMPUTED_##figure

/* In the order of the table's columns. */
static const struct figure {
	const char *id; /* of the metric; empty: it is none */
	/* Missing with the reason where the host does not tell. */
	struct tp_value (*of)(const struct tp_host_figures *h);
	bool has_tool; /* instead, of a host with tool files: this figure of theirs */
	enum tp_precomputed_figure tool;
	struct tp_column column; /* its key is empty: no column of the table */
} figures[] = {
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

static struct tp_value
value_of(const struct figure *f, const struct tp_host_figures *h)
{
	return f->has_tool && h->precomputed != NULL ? of_tool(h, f->tool) : f->of(h);
}

/* Some only tool files tell of each host. */
static bool
has_source(const struct tp_pass_ctx *ctx, const struct figure *f)
{
	return f->of != host_idle || tp_precomputed(ctx) != NULL;
}

/* Whether the metric is told of each host: only what is known of all together is, else it is missing for one reason, which
 * is told once. */
static bool
is_told(const struct tp_doc *doc, const char *id)
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
		for (uint32_t i = 0; i < hosts->count && is_told(doc, ms); i++) {
			const struct tp_steps *s = hosts->hosts[i].steps;

			tell(ctx, doc, ms, i,
				s ? tp_ps_in_ms(s->class_mean_ps[c]) : tp_missing(TP_S(why_no_steps)));
			tell(ctx, doc, share, i,
				s ? tp_share(s->class_mean_ps[c], s->time.mean, TP_S(why_no_length))
				  : tp_missing(TP_S(why_no_steps)));
		}
	}
}

void
tp_hosts_each_metrics(
	const struct tp_pass_ctx *ctx, const struct tp_hosts *hosts, struct tp_doc *doc)
{
	for (size_t f = 0; f < FIGURES; f++) {
		if (figures[f].id[0] == '\0' || !has_source(ctx, &figures[f]))
			continue;
		tp_doc_metric_scopes(doc, figures[f].id, "@host");
		for (uint32_t i = 0; i < hosts->count && is_told(doc, figures[f].id); i++)
			tell(ctx, doc, figures[f].id, i, value_of(&figures[f], &hosts->hosts[i]));
	}
	class_metrics(ctx, hosts, doc);
}

/* The columns that this run can fill; the first is the host. */
static size_t
choose_columns(const struct tp_pass_ctx *ctx, const struct tp_hosts *hosts,
	const struct tp_doc *doc, struct tp_column *columns, const struct figure **shown)
{
	size_t n = 0;

	*columns = (struct tp_column){.key = TP_S("host"), .title = TP_S("Host"), .code = true};
	for (const struct figure *f = figures; f < figures + FIGURES; f++) {
		bool known = f->id[0] != '\0'
			? is_told(doc, f->id)
			: hosts->work.index != TP_NONE && tp_known(value_of(f, &hosts->hosts[0]));

		if (f->column.key.len == 0 || !known || !has_source(ctx, f))
			continue;
		shown[n++] = f;
		columns[n] = f->column;
	}
	return n;
}

struct cells {
	struct tp_cell host, figures[];
};

static void
host_row(const struct tp_pass_ctx *ctx, const struct tp_hosts *hosts, uint32_t host,
	struct tp_slow slow, enum tp_judge mark, const struct figure *const *shown, size_t count,
	struct cells *cells)
{
	const struct tp_profile *p = ctx->profile;
	bool has_slow_core = slow.device != TP_NONE && p->devices[slow.device].host == host;

	cells->host.value = tp_text_value(p->hosts[host].name);
	cells->host.judge = host == slow.host ? mark : TP_JUDGE_NONE;
	for (size_t k = 0; k < count; k++) {
		struct tp_cell *cell = &cells->figures[k];

		cell->value = value_of(shown[k], &hosts->hosts[host]);
		if (shown[k]->id[0] != '\0')
			cell->metric = tp_scope_id(ctx->keep, shown[k]->id, tp_say_host_scope(ctx, host));
		else if (has_slow_core)
			cell->judge = mark;
	}
}

void
tp_hosts_table(const struct tp_pass_ctx *ctx, const struct tp_hosts *hosts, struct tp_slow slow,
	struct tp_doc *doc, struct tp_block *section)
{
	struct tp_column *columns = tp_new_array(ctx->keep, struct tp_column, FIGURES + 1);
	const struct figure **shown = tp_new_array(ctx->scratch, const struct figure *, FIGURES);
	size_t n = choose_columns(ctx, hosts, doc, columns, shown);
	struct tp_draft draft = tp_draft_table(doc, section, "hosts/table", columns, n + 1);
	bool precomputed = tp_precomputed(ctx) != NULL;
	enum tp_judge mark = tp_say_mark_of(doc, "TPR-POD-001");

	for (uint32_t i = 0; i < hosts->count; i++)
		host_row(ctx, hosts, i, slow, mark, shown, n,
			tp_draft_row_of(&draft, ctx->profile->hosts[i].name, TP_ROW_NORMAL, 0, NULL));
	struct cells *total = tp_draft_row_of(&draft, TP_S("all"), TP_ROW_TOTAL, 0, NULL);

	total->host.value =
		tp_text_value(precomputed ? TP_S(text_in_other_sections) : TP_S(text_all_hosts));
	for (size_t k = 0; k < n; k++) {
		struct tp_cell *cell = &total->figures[k];

		cell->metric = tp_slice_of(shown[k]->id);
		cell->value = shown[k]->id[0] != '\0' ? tp_doc_find_metric(doc, cell->metric)->value
											  : tp_ps_in_ms(hosts->work.ps);
	}
	tp_draft_finish(&draft, ctx->options->top)->caption =
		precomputed ? TP_S(caption_hosts_precomputed) : TP_S(caption_hosts);
}

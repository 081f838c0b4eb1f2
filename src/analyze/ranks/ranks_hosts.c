/* Hosts of XLA's profiler whose summaries were merged: what each step took on each of them, their peaks of memory, and the use of their devices
 * by the sums that summaries keep of operations. */
#include "analyze/ranks/ranks.h"

#include "analyze/core/say.h"
#include "analyze/facts/devices.h"
#include "analyze/facts/op_times.h"
#include "analyze/ops/op_use.h"
#include "analyze/ranks/ranks_words.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "base/saturate.h"
#include "model/profile.h"
#include "rank.pb-c.h"
#include "report/draft.h"

#include <math.h>

#define MS(KEY, TITLE) TP_COLUMN(KEY, TITLE, .unit = TP_UNIT_MS, .decimals = 3)

static const struct tp_column columns[] = {
	TP_COLUMN("host", "Host", .code = true),
	TP_COUNT_COLUMN("steps", "Steps"),
	MS("mean_ms", "Mean step"),
	MS("p50_ms", "Median"),
	MS("max_ms", "Longest"),
	TP_BYTES_COLUMN("peak_bytes", "Memory peak, measured"),
	TP_BYTES_COLUMN("planned_bytes", "Largest plan"),
};
struct cells {
	struct tp_cell host, steps, mean, p50, max, peak, planned;
};
TP_CELLS_ARE_COLUMNS(struct cells, columns);

static const struct tp_steps *
steps_of(const struct tp_pass_ctx *ctx)
{
	return tp_result(ctx, &tp_pass_steps);
}

/* Of a host of the profile its own; NULL: none. */
static const struct tp_steps *
own_steps(const struct tp_pass_ctx *ctx, uint32_t host)
{
	const struct tp_steps *s = steps_of(ctx);

	for (size_t i = 0; s != NULL && i < s->host_count; i++) {
		if (s->hosts[i].host == host)
			return &s->hosts[i];
	}
	return NULL;
}

static struct tp_value
bytes_or(int64_t bytes, struct tp_slice none)
{
	return bytes >= 0 ? tp_integer(bytes, TP_UNIT_BYTES) : tp_missing(none);
}

static void
table(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "ranks/list", columns);
	struct tp_value none = tp_missing(TP_S(why_no_host_steps));

	for (uint32_t h = 0; h < p->host_count; h++) {
		const struct tp_steps *s = own_steps(ctx, h);
		struct cells *cells = tp_draft_row_of(&draft, p->hosts[h].name, TP_ROW_NORMAL, 0, NULL);

		cells->host.value = tp_text_value(p->hosts[h].name);
		cells->steps.value = tp_count(s != NULL ? s->count : 0);
		cells->mean.value = s != NULL ? tp_ps_in_ms(s->time.mean) : none;
		cells->p50.value = s != NULL ? tp_ps_in_ms(s->time.p50) : none;
		cells->max.value = s != NULL ? tp_ps_in_ms(s->time.max) : none;
		cells->peak.value = bytes_or(tp_rank_peak_bytes(ctx, h, false), TP_S(why_no_allocator));
		cells->planned.value = bytes_or(tp_rank_peak_bytes(ctx, h, true), TP_S(why_no_plan));
	}
	struct tp_table *t = tp_draft_finish(&draft, ctx->options->top);

	t->caption = TP_S(caption_hosts);
	tp_table_drop_missing(doc, t, TP_COLUMN_OF(struct cells, peak));
	tp_table_drop_missing(doc, t, TP_COLUMN_OF(struct cells, planned));
}

static size_t
step_count(const struct tp_pass_ctx *ctx, size_t rank)
{
	return steps_of(ctx)->hosts[rank].count;
}

static struct tp_slice
host_name(const struct tp_pass_ctx *ctx, size_t rank)
{
	return ctx->profile->hosts[steps_of(ctx)->hosts[rank].host].name;
}

static double
step_ms(const struct tp_pass_ctx *ctx, size_t rank, size_t step, struct tp_slice *name)
{
	const struct tp_step *s = &steps_of(ctx)->hosts[rank].steps[step];

	*name = s->name;
	return s->time_ps / 1e9;
}

void
tp_ranks_hosts(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_steps *s = steps_of(ctx);
	const struct tp_rank_steps steps = {
		s != NULL ? s->host_count : 0, step_count, host_name, step_ms};

	tp_ranks_map(ctx, &steps, doc, section);
	table(ctx, doc, section);
}

/* Ratios of sums over devices, as passes over operations have them. */
static void
use_metrics(const struct tp_devices *d, struct tp_doc *doc)
{
	uint64_t flops = 0, hbm_bytes = 0;
	bool has_costs = false, has_flops = false;

	for (size_t i = 0; d != NULL && i < d->count; i++) {
		flops = tp_plus(flops, d->devices[i].flops);
		hbm_bytes = tp_plus(hbm_bytes, d->devices[i].hbm_bytes);
		has_costs |= d->devices[i].has_costs;
		has_flops |= d->devices[i].has_flops;
	}
	const struct {
		const char *id, *label, *how;
		bool known;
		uint64_t amount;
		double at_peak;
	} figures[] = {
		{"flops.utilization_share", "FLOPS utilisation",
			"Σ FLOP of operations over Σ device time, idle included, × peak FLOP/s", has_flops,
			flops, d != NULL ? d->peak_flop_ps : 0},
		{"flops.busy_utilization_share", "FLOPS utilisation while busy",
			"the same over busy device time", has_flops, flops,
			d != NULL ? d->busy_peak_flop_ps : 0},
		{"memory_bandwidth.utilization_share", "Memory-bandwidth utilisation",
			"Σ HBM bytes of operations over Σ device time, idle included, × peak bytes/s",
			has_costs, hbm_bytes, d != NULL ? d->peak_byte_ps : 0},
		{"memory_bandwidth.busy_utilization_share", "Memory-bandwidth utilisation while busy",
			"the same over busy device time", has_costs, hbm_bytes,
			d != NULL ? d->busy_peak_byte_ps : 0},
	};

	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
		tp_say_metric(doc, figures[i].id, figures[i].label,
			figures[i].known
				? tp_use_of_peak((double)figures[i].amount * 1e12, figures[i].at_peak,
					  TP_S("the peak of a device is unknown"))
				: tp_missing(TP_S("no host's profile gives the costs of its operations")),
			figures[i].how);
}

static double
mean_matrix_unit_share(const struct tp_profile *p)
{
	double sum = 0;
	uint32_t count = 0;

	for (uint32_t h = 0; h < p->host_count; h++) {
		if (!isfinite(p->hosts[h].matrix_unit_share))
			continue;
		sum += p->hosts[h].matrix_unit_share;
		count++;
	}
	return count != 0 ? sum / count : NAN;
}

/* What lists leave out might make another operation the top one. */
static bool
top_is_sure(const struct tp_ranks *r)
{
	const struct tp_rank_operator *top = r->operators;
	int64_t top_ps = top->host_self_ps + top->device_self_ps;

	for (size_t i = 1; i < r->operator_count; i++) {
		const struct tp_rank_operator *o = &r->operators[i];

		if (tp_add_ps(o->host_self_ps + o->device_self_ps, o->more_ps) > top_ps)
			return false;
	}
	return top->more_ps == 0 && r->least_listed_ps <= top_ps;
}

static void
top_metrics(const struct tp_ranks *r, struct tp_doc *doc)
{
	struct tp_value none = tp_missing(r->operator_count == 0
			? TP_S("no host's profile holds operations")
			: TP_S("an operation that some summaries leave out might take as long"));
	bool sure = r->operator_count != 0 && top_is_sure(r);
	const struct tp_rank_operator *top = r->operators;

	tp_say_metric(doc, "op.top.name", "Top operation", sure ? tp_text_value(top->name) : none,
		"the operation with the most self time over all hosts");
	tp_say_metric(doc, "op.top.self_share", "Top operation, share of busy time",
		sure ? tp_share((double)top->host_self_ps + (double)top->device_self_ps,
				   (double)r->all.host_self_ps + (double)r->all.device_self_ps,
				   TP_S("operations take no time"))
			 : none,
		"its self time over that of all operations");
}

void
tp_ranks_hosts_metrics(const struct tp_pass_ctx *ctx, const struct tp_ranks *r, struct tp_doc *doc)
{
	top_metrics(r, doc);
	use_metrics(tp_result(ctx, &tp_pass_devices), doc);
	tp_say_metric(doc, "matrix_unit.utilization_share", "Matrix-unit utilisation",
		tp_number_or(mean_matrix_unit_share(ctx->profile), TP_UNIT_SHARE,
			TP_S("the profile has no performance counter for the matrix unit")),
		"performance counter in the profile, mean over hosts");
	tp_say_metric(doc, "memory.peak_bytes", "Memory at the peak",
		bytes_or(r->planned_bytes, TP_S("no host's profile holds the plan of a program")),
		"the largest peak of all hosts' programs, by their plans");
	tp_say_metric(doc, "memory.measured.peak_bytes", "Memory in use at the measured peak",
		bytes_or(r->peak_bytes, TP_S("no host recorded an allocator")),
		"the largest of all hosts' allocators: stack and heap after an allocator event");
}

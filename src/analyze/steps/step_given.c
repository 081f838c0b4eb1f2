/* Steps of hosts whose events are not there, but a summary of them (proto/rank.proto), sound by tp_rank_is_sound: marks of TPU cores with the
 * sums of their operations, runs that steps are inferred from, and the steps that a host's own events show. */
#include "analyze/steps/step_cores.h"
#include "analyze/steps/step_hosts.h"
#include "base/arena.h"
#include "base/map.h"
#include "model/profile.h"
#include "model/rank.h"
#include "rank.pb-c.h"

_Static_assert((int)TP_RANK_CLASSES == (int)TP_CLASS_OTHER + 1, "a number for each class of XLA");

static const Tp__RankDevice *
device_of(const struct tp_pass_ctx *ctx, const struct tp_marked_core *core)
{
	return ctx->profile->devices[core->device].given;
}

void
tp_given_marks(const struct tp_pass_ctx *ctx, struct tp_marked_core *core, struct tp_arena *scratch)
{
	const Tp__RankDevice *d = device_of(ctx, core);
	const Tp__Rank *r = ctx->profile->hosts[core->host].given;
	int64_t start_ps = 0, host_start_ps = 0;

	core->mark_count = (uint32_t)d->n_mark_steps;
	core->marks = tp_new_array(scratch, struct tp_step_mark, d->n_mark_steps);
	for (size_t i = 0; i < d->n_mark_steps; i++) {
		start_ps += d->mark_starts[i];
		host_start_ps += d->mark_host_starts[i];
		core->marks[i] = (struct tp_step_mark){
			.name = tp_slice_of(r->step_names[d->mark_steps[i]]),
			.start_ps = start_ps,
			.duration_ps = d->mark_lengths[i],
			.host_start_ps = host_start_ps,
			.host_duration_ps = d->mark_host_lengths[i],
			.sums = &d->mark_sums[i * TP_RANK_SUMS],
		};
	}
}

void
tp_given_charge(const int64_t *sums, struct tp_step_cell *cell)
{
	cell->op_count += (uint32_t)sums[TP_RANK_OPERATIONS];
	cell->copy_ps += (double)sums[TP_RANK_COPY_PS];
	cell->matrix_ps += (double)sums[TP_RANK_MATRIX_PS];
	cell->recv_ps += (double)sums[TP_RANK_RECEIVE_PS];
	cell->sparse_infeed_ps += (double)sums[TP_RANK_SPARSE_INFEED_PS];
	cell->sparse_outfeed_ps += (double)sums[TP_RANK_SPARSE_OUTFEED_PS];
	for (int k = 0; k < TP_RANK_CLASSES; k++) {
		double ps = (double)sums[TP_RANK_CLASSES_PS + k];

		cell->class_ps[k] += ps;
		cell->busy_ps += ps;
	}
}

struct tp_core_runs
tp_given_runs(const struct tp_pass_ctx *ctx, const struct tp_marked_core *core, bool by_ops,
	struct tp_strings *kinds)
{
	const Tp__RankDevice *d = device_of(ctx, core);
	const Tp__RankXla *x = ctx->profile->hosts[core->host].given->xla;
	struct tp_core_runs all = {
		.runs = tp_new_array(ctx->scratch, struct tp_run, d->n_run_programs),
		.host = tp_arena_array(ctx->scratch, d->n_run_programs, sizeof(int64_t[2])),
	};
	int64_t start_ps = 0, host_start_ps = 0;

	for (size_t i = 0; i < d->n_run_programs && by_ops == (d->runs_of_operations != 0); i++) {
		start_ps += d->run_starts[i];
		host_start_ps += d->run_host_starts[i];
		all.runs[i] =
			(struct tp_run){tp_intern(kinds, tp_slice_of(x->programs[d->run_programs[i]])),
				start_ps, start_ps + d->run_lengths[i]};
		all.host[i][0] = host_start_ps;
		all.host[i][1] = host_start_ps + d->run_host_lengths[i];
		all.count++;
	}
	return all;
}

/* Over all hosts a step may end elsewhere than on one alone, or other runs may be steps: of lengths that the summary does not know, nothing is
 * known of what operations sum up to in them. */
void
tp_given_sums(const struct tp_pass_ctx *ctx, struct tp_marked_core *core)
{
	struct tp_marked_core alone = *core;
	uint32_t kept = 0, k = 0;

	tp_given_marks(ctx, &alone, ctx->scratch);
	for (uint32_t i = 0; i < core->mark_count; i++) {
		struct tp_step_mark mark = core->marks[i];

		while (k < alone.mark_count &&
			(alone.marks[k].start_ps < mark.start_ps ||
				(alone.marks[k].start_ps == mark.start_ps &&
					alone.marks[k].duration_ps != mark.duration_ps)))
			k++;
		if (k == alone.mark_count || alone.marks[k].start_ps != mark.start_ps)
			continue;
		mark.sums = alone.marks[k].sums;
		core->marks[kept++] = mark;
	}
	core->mark_count = kept;
}

static struct tp_host_step
host_step(const Tp__Rank *r, size_t i, int64_t start_ps)
{
	const Tp__RankXla *x = r->xla;
	const int64_t *times = &x->host_times[i * TP_RANK_HOST_TIMES];
	uint32_t flags = x->host_flags[i];
	struct tp_host_step step = {
		.name = tp_slice_of(r->step_names[x->host_steps[i]]),
		.number = x->host_numbers[i],
		.start_ps = start_ps,
		.end_ps = start_ps + x->host_lengths[i],
		.numbered = flags & TP_RANK_NUMBERED,
		.asks_input = flags & TP_RANK_ASKS_INPUT,
		.has_input = flags & TP_RANK_HAS_INPUT,
		.group = (int32_t)i,
		.time_ps = (double)x->host_lengths[i],
		.to_device_ps = (double)times[TP_RANK_TO_DEVICE_PS],
		.work_ps = (double)times[TP_RANK_WORK_PS],
	};

	for (int k = 0; k < TP_RANK_CLASSES; k++)
		step.class_ps[k] = (double)times[TP_RANK_HOST_CLASSES_PS + k];
	return step;
}

void
tp_given_steps_of_host(const struct tp_profile *p, uint32_t host, struct tp_buf *steps)
{
	const Tp__Rank *r = p->hosts[host].given;
	int64_t start_ps = 0;

	for (size_t i = 0; i < r->xla->n_host_steps; i++) {
		start_ps += r->xla->host_starts[i];
		struct tp_host_step step = host_step(r, i, start_ps);

		step.host = host;
		*tp_buf_new(steps, struct tp_host_step) = step;
	}
}

void
tp_given_launched(const struct tp_profile *p, uint32_t host, struct tp_launched *out)
{
	const Tp__RankXla *x = p->hosts[host].given->xla;

	*out = (struct tp_launched){.timing = (enum tp_step_timing)x->timing,
		.program = tp_slice_of(x->launched),
		.inside_ps = x->inside_ps,
		.outside_ps = x->outside_ps};
}

struct tp_windows
tp_given_windows(const struct tp_profile *p, uint32_t host)
{
	const Tp__RankXla *x = p->hosts[host].given->xla;

	return (struct tp_windows){.line = TP_NONE,
		.count = x->window[0] != '\0' ? (uint32_t)x->n_host_steps : 0,
		.name = tp_slice_of(x->window),
		.repetition = {.runs = x->window_runs,
			.gap_share = x->gap_share,
			.covered = x->covered,
			.regular = x->regular,
			.agreeing = x->agreeing,
			.enough = x->enough,
			.confidence = x->confidence}};
}

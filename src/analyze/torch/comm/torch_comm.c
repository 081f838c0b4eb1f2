/* Communication of PyTorch jobs: what of a step computation hides, and what of it is waiting for other workers. */
#include "analyze/torch/comm/torch_comm.h"
#include "analyze/core/pass.h"

#include "analyze/facts/torch_unrecorded.h"
#include "analyze/steps/steps.h"
#include "analyze/torch/comm/torch_comm_group.h"
#include "analyze/torch/comm/torch_comm_present.h"
#include "analyze/torch/comm/torch_comm_words.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"
#include "base/spread.h"
#include "model/profile.h"
#include "model/rank.h"
#include "model/torch.h"

#include <math.h>

/* What of matched calls is data transfer: what the fastest needs, at the end of each worker's time in it. Before that a worker waits
 * for the last one. */
static const struct tp_torch_comm_call *
measured(const struct tp_torch_comm *c, const struct tp_torch_comm_member *m)
{
	const struct tp_torch_comm_trace *t = &c->traces[m->trace];

	return tp_torch_comm_carrier(t, &t->calls[m->call]);
}

/* Ranges are paired from the last on. A kernel that carries several messages transfers as long as the quickest of them. */
static void
set_transfer(struct tp_torch_comm *c, const struct tp_torch_comm_member *members, uint32_t count)
{
	uint32_t most = UINT32_MAX;

	for (uint32_t i = 0; i < count; i++)
		most = measured(c, &members[i])->count < most ? measured(c, &members[i])->count : most;
	for (uint32_t k = 1; k <= most; k++) {
		int64_t least = INT64_MAX;

		for (uint32_t i = 0; i < count; i++) {
			const struct tp_torch_comm_call *call = measured(c, &members[i]);
			const struct tp_interval *range =
				&c->traces[members[i].trace].ranges[call->first + call->count - k];

			least =
				range->end_ps - range->start_ps < least ? range->end_ps - range->start_ps : least;
		}
		for (uint32_t i = 0; i < count; i++) {
			const struct tp_torch_comm_call *call = measured(c, &members[i]);
			int64_t *transfer_ps =
				&c->traces[members[i].trace].transfer_ps[call->first + call->count - k];

			*transfer_ps = *transfer_ps == 0 || least < *transfer_ps ? least : *transfer_ps;
		}
	}
}

static void
find_transfers(struct tp_torch_comm *c)
{
	for (size_t i = 0; i < c->match_count; i++) {
		const struct tp_torch_comm_match *m = &c->matches[i];
		const struct tp_torch_comm_member *members = &c->matched[m->first];

		if (m->count == 0 ||
			c->ops[tp_torch_comm_call_of(c, members)->op].kind == TP_TORCH_COMM_IS_BARRIER)
			continue;
		set_transfer(c, members, m->count);
		for (uint32_t k = 0; k < m->count; k++) {
			struct tp_torch_comm_trace *t = &c->traces[members[k].trace];
			const struct tp_torch_comm_call *call = &t->calls[members[k].call];

			if (call->through != TP_NONE)
				t->calls[call->through].match = (uint32_t)i;
		}
	}
}

/* Intervals that are put together one after the other. */
struct cover {
	struct tp_interval *s;
	size_t count;
	uint64_t *before_ps; /* as much room */
};

static void
join(struct cover *c, const struct tp_interval *more, size_t count)
{
	if (count != 0)
		memcpy(c->s + c->count, more, count * sizeof *more);
	c->count = tp_intervals_unite(c->s, c->count + count);
}

static void
join_ranges(const struct tp_torch_comm *c, const struct tp_torch_comm_trace *t, bool matched,
	struct cover *to)
{
	for (uint32_t i = 0; i < t->call_count; i++) {
		const struct tp_torch_comm_call *call = &t->calls[i];

		if (c->ops[call->op].kind == TP_TORCH_COMM_IS_BARRIER ||
			(call->match != TP_NONE) != matched)
			continue;
		for (uint32_t k = call->first; k < call->first + call->count; k++)
			to->s[to->count++] = t->ranges[k];
	}
	to->count = tp_intervals_unite(to->s, to->count);
}

static void
join_transfers(const struct tp_torch_comm_trace *t, struct cover *to)
{
	for (uint32_t k = 0; k < t->range_count; k++) {
		if (t->transfer_ps[k] > 0)
			to->s[to->count++] =
				(struct tp_interval){t->ranges[k].end_ps - t->transfer_ps[k], t->ranges[k].end_ps};
	}
	to->count = tp_intervals_unite(to->s, to->count);
}

/* What of each step they cover. */
static void
measure(const struct cover *c, const struct tp_torch_trace_steps *s, double *out)
{
	const struct tp_cover cover = tp_cover_of(c->s, c->count, c->before_ps);

	for (uint32_t i = 0; i < s->count; i++)
		out[i] = (double)tp_cover_within(&cover, s->steps[i].start_ps, s->steps[i].end_ps);
}

/* Covered so far, by step. */
enum { COMPUTE, COMMUNICATE, EITHER, MOVES, MATCHED, ALL_CALLS, MEASURES };

static void
set_parts(double step_ps, const double m[MEASURES], double part[TP_TORCH_COMM_PART_COUNT])
{
	part[TP_TORCH_COMM_COMPUTATION] = m[EITHER] - m[COMMUNICATE];
	part[TP_TORCH_COMM_OVERLAP] = m[COMPUTE] + m[COMMUNICATE] - m[EITHER];
	part[TP_TORCH_COMM_EXPOSED] = m[EITHER] - m[COMPUTE];
	part[TP_TORCH_COMM_OTHER] = step_ps - m[EITHER];
	part[TP_TORCH_COMM_TRANSFER] = m[MOVES];
	part[TP_TORCH_COMM_SYNC] = m[MATCHED] - m[MOVES];
	part[TP_TORCH_COMM_UNMATCHED] = m[ALL_CALLS] - m[MATCHED];
	part[TP_TORCH_COMM_BARRIER] = m[COMMUNICATE] - m[ALL_CALLS];
}

static struct cover
cover_with_room(size_t room, struct tp_buf *intervals, struct tp_buf *before)
{
	return (struct cover){tp_buf_room(intervals, room, sizeof(struct tp_interval)), 0,
		tp_buf_room(before, room, sizeof(uint64_t))};
}

/* Kernels compute; in a trace without any, of collectives neither, operators do, but no ranges that the program named: "## backward ##" holds the wait
 * for the last all-reduce as well. */
static void
cover_intervals(const struct tp_torch_trace_steps *s, double *const covered[MEASURES])
{
	bool kernels = s->roles.count[TP_TORCH_ROLE_KERNEL] != 0 || s->roles.collective_kernels;
	const struct tp_interval *compute =
		kernels ? s->roles.intervals[TP_TORCH_ROLE_KERNEL] : s->roles.operators;
	size_t work = kernels ? s->roles.count[TP_TORCH_ROLE_KERNEL] : s->roles.operator_count;
	size_t talk = s->roles.count[TP_TORCH_ROLE_COMMUNICATION];
	struct tp_buf buf = {0}, before = {0};
	struct cover so_far = cover_with_room(work + talk + 1, &buf, &before);

	join(&so_far, compute, work);
	measure(&so_far, s, covered[COMPUTE]);
	join(&so_far, s->roles.intervals[TP_TORCH_ROLE_COMMUNICATION], talk);
	measure(&so_far, s, covered[EITHER]);
	so_far.count = 0;
	join(&so_far, s->roles.intervals[TP_TORCH_ROLE_COMMUNICATION], talk);
	measure(&so_far, s, covered[COMMUNICATE]);
	tp_buf_free(&buf);
	tp_buf_free(&before);
}

/* What of each step a trace's own computation and communication cover, whatever the other workers do. */
static void
cover_own(const struct tp_torch_trace_steps *s, double *const covered[MEASURES])
{
	if (s->covered_ps == NULL) {
		cover_intervals(s, covered);
		return;
	}
	for (uint32_t i = 0; i < s->count; i++) {
		covered[COMPUTE][i] = (double)s->covered_ps[i * TP_RANK_COVERED];
		covered[EITHER][i] = (double)s->covered_ps[i * TP_RANK_COVERED + 1];
		covered[COMMUNICATE][i] = (double)s->covered_ps[i * TP_RANK_COVERED + 2];
	}
}

/* Room for what is covered by step; it is the buffer's. */
static void
cover_room(const struct tp_torch_trace_steps *s, struct tp_buf *buf, double *covered[MEASURES])
{
	covered[0] = tp_buf_room(buf, (size_t)s->count * MEASURES + 1, sizeof(double));
	for (int k = 1; k < MEASURES; k++)
		covered[k] = covered[k - 1] + s->count;
}

void
tp_torch_comm_cover(const struct tp_torch_trace_steps *s, int64_t *by_step)
{
	struct tp_buf sums = {0};
	double *covered[MEASURES];

	cover_room(s, &sums, covered);
	cover_own(s, covered);
	for (uint32_t i = 0; i < s->count; i++) {
		by_step[i * TP_RANK_COVERED] = (int64_t)covered[COMPUTE][i];
		by_step[i * TP_RANK_COVERED + 1] = (int64_t)covered[EITHER][i];
		by_step[i * TP_RANK_COVERED + 2] = (int64_t)covered[COMMUNICATE][i];
	}
	tp_buf_free(&sums);
}

/* What of each step transfers, matched calls and all calls cover. */
static void
cover_calls(const struct tp_torch_comm *c, const struct tp_torch_comm_trace *t,
	const struct tp_torch_trace_steps *s, double *const covered[MEASURES])
{
	struct tp_buf buf = {0}, before = {0};
	struct cover so_far = cover_with_room(3 * (size_t)t->range_count + 1, &buf, &before);

	join_transfers(t, &so_far);
	measure(&so_far, s, covered[MOVES]);
	join_ranges(c, t, true, &so_far);
	measure(&so_far, s, covered[MATCHED]);
	join_ranges(c, t, false, &so_far);
	measure(&so_far, s, covered[ALL_CALLS]);
	tp_buf_free(&buf);
	tp_buf_free(&before);
}

static void
break_down(const struct tp_pass_ctx *ctx, const struct tp_torch_comm *c,
	const struct tp_torch_trace_steps *s, struct tp_torch_comm_trace *t)
{
	struct tp_buf sums = {0};
	double *covered[MEASURES];

	t->steps = s->count;
	t->step_ps = tp_arena_array(ctx->keep, s->count, sizeof *t->step_ps);
	cover_room(s, &sums, covered);
	cover_own(s, covered);
	cover_calls(c, t, s, covered);
	for (uint32_t i = 0; i < s->count; i++) {
		double m[MEASURES];

		for (int k = 0; k < MEASURES; k++)
			m[k] = covered[k][i];
		set_parts((double)(s->steps[i].end_ps - s->steps[i].start_ps), m, t->step_ps[i]);
		for (int k = 0; k < TP_TORCH_COMM_PART_COUNT; k++)
			t->sum_ps[k] += t->step_ps[i][k];
	}
	for (int k = 0; k < TP_TORCH_COMM_PART_COUNT; k++)
		t->mean_ps[k] = s->count != 0 ? t->sum_ps[k] / s->count : NAN;
	tp_buf_free(&sums);
}

static void
count_calls(struct tp_torch_comm *c, struct tp_torch_comm_trace *t)
{
	for (uint32_t i = 0; i < t->call_count; i++) {
		const struct tp_torch_comm_call *call = &t->calls[i];
		enum tp_torch_comm_kind kind = c->ops[call->op].kind;

		c->calls++;
		c->measured += tp_torch_comm_carrier(t, call)->count != 0;
		c->messages += kind == TP_TORCH_COMM_POINT;
		c->lone += kind == TP_TORCH_COMM_POINT && call->match == TP_NONE;
		if (call->count == 0 || kind == TP_TORCH_COMM_IS_BARRIER)
			continue;
		t->moving++;
		t->matched += call->match != TP_NONE;
		c->unmatched += call->match == TP_NONE && kind != TP_TORCH_COMM_POINT && !call->carries;
	}
}

/* Whether transfer can be told from waiting: where calls move data, some of them must be matched. A worker without such calls spends no
 * time on either; but where the others have some and none is matched, these may have been with it. */
static void
tell_split(struct tp_torch_comm *c)
{
	uint64_t moving = 0, matched = 0;

	for (uint32_t i = 0; i < c->trace_count; i++) {
		moving += c->traces[i].moving;
		matched += c->traces[i].matched;
	}
	for (uint32_t i = 0; i < c->trace_count; i++) {
		struct tp_torch_comm_trace *t = &c->traces[i];

		t->split_known =
			t->matched != 0 || (t->moving == 0 && c->workers > 1 && (moving == 0 || matched != 0));
		c->split_known = c->split_known || t->split_known;
	}
}

/* Which steps of a trace count, and what each weighs in the mean over workers: the report's steps (steps/step_counted.h), else all. */
static double
weight_of(const struct tp_steps *all, uint32_t trace, uint32_t step)
{
	if (all == NULL || all->traces == NULL)
		return 1;
	return all->traces[trace].step[step] != TP_NONE ? all->traces[trace].weight : 0;
}

/* Parts of a mean step: over the workers of the steps that count, so that they are parts of the bar of classes. */
static void
average(const struct tp_pass_ctx *ctx, struct tp_torch_comm *c)
{
	const struct tp_steps *all = tp_result(ctx, &tp_pass_steps);
	double steps = 0, split = 0;

	for (uint32_t i = 0; i < c->trace_count; i++) {
		const struct tp_torch_comm_trace *t = &c->traces[i];

		for (uint32_t n = 0; n < t->steps; n++) {
			double weight = weight_of(all, i, n);

			steps += weight;
			split += t->split_known ? weight : 0;
			for (int k = 0; k < TP_TORCH_COMM_PART_COUNT; k++) {
				bool of_split = k == TP_TORCH_COMM_TRANSFER || k == TP_TORCH_COMM_SYNC;

				if (weight > 0 && (!of_split || t->split_known))
					c->mean_ps[k] += weight * t->step_ps[n][k];
			}
		}
	}
	for (int k = 0; k < TP_TORCH_COMM_PART_COUNT; k++) {
		bool of_split = k == TP_TORCH_COMM_TRANSFER || k == TP_TORCH_COMM_SYNC;
		double count = of_split ? split : steps;

		c->mean_ps[k] = count > 0 ? c->mean_ps[k] / count : NAN;
	}
	c->step_mean_ps = c->mean_ps[TP_TORCH_COMM_COMPUTATION] + c->mean_ps[TP_TORCH_COMM_OVERLAP] +
		c->mean_ps[TP_TORCH_COMM_EXPOSED] + c->mean_ps[TP_TORCH_COMM_OTHER];
}

static bool
on_one_host(const struct tp_pass_ctx *ctx)
{
	struct tp_slice first = tp_torch_comm_host(ctx, 0);

	for (uint32_t i = 1; i < ctx->profile->torch->trace_count; i++) {
		if (!tp_slice_eq(tp_torch_comm_host(ctx, i), first))
			return false;
	}
	return first.len != 0;
}

/* Traces with summaries in place of events. */
struct given {
	struct tp_torch_trace *const *traces;
	const struct tp_torch_comm_numbers *numbers; /* of each trace */
	struct tp_torch_comm_trace *out;
};

static void
read_given(void *with, size_t from, size_t to, struct tp_arena *keep)
{
	const struct given *g = with;

	for (size_t i = from; i < to; i++) {
		if (g->traces[i]->given != NULL)
			tp_torch_comm_given(g->traces[i], &g->numbers[i], keep, &g->out[i]);
	}
}

static void
read_traces(const struct tp_pass_ctx *ctx, struct tp_torch_comm *c)
{
	const struct tp_torch *torch = ctx->profile->torch;
	const struct tp_torch_correlated *linked = tp_result(ctx, &tp_pass_torch_correlation);
	const struct tp_torch_stepped *stepped = tp_result(ctx, &tp_pass_torch_steps);
	struct tp_torch_comm_names names = {
		.of_range = tp_new_array(ctx->scratch, uint8_t, ctx->profile->op_count),
		.of_kernel = tp_new_array(ctx->scratch, uint8_t, ctx->profile->op_count)};
	struct tp_torch_comm_numbers *numbers =
		tp_new_array(ctx->scratch, struct tp_torch_comm_numbers, torch->trace_count);

	tp_strings_init(&names.op_keys, ctx->keep);
	tp_strings_init(&names.group_keys, ctx->keep);
	c->world_size = -1;
	c->traces = tp_new_array(ctx->keep, struct tp_torch_comm_trace, torch->trace_count);
	for (uint32_t i = 0; i < torch->trace_count; i++) {
		const struct tp_torch_trace *t = torch->traces[i];

		if (t->given != NULL)
			numbers[i] = tp_torch_comm_number(t, &names, ctx->scratch);
		else
			tp_torch_comm_read(ctx, t, &linked->traces[i],
				stepped->traces[i].roles.collective_kernels, &names, &c->traces[i]);
	}
	tp_spread(ctx->options->pool, ctx->keep, torch->trace_count, read_given,
		&(struct given){torch->traces, numbers, c->traces});
	for (uint32_t i = 0; i < torch->trace_count; i++) {
		const struct tp_torch_trace *t = torch->traces[i];

		c->calls += c->traces[i].call_count;
		c->on_device = c->on_device || c->traces[i].on_device;
		if (t->distributed.world_size > c->world_size)
			c->world_size = t->distributed.world_size;
	}
	c->op_count = (uint32_t)names.ops.count;
	c->group_count = (uint32_t)names.groups.count;
	c->ops = tp_buf_settle(&names.ops, sizeof *c->ops, ctx->keep);
	c->groups = tp_buf_settle(&names.groups, sizeof *c->groups, ctx->keep);
	tp_torch_comm_order(ctx, c);
}

/* Workers none of which has a step with another: they are different programs, or runs. */
static bool
captured_apart(const struct tp_pass_ctx *ctx)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);

	return s != NULL && s->jobs > 1 && s->timelines < 2;
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_torch *torch = ctx->profile->torch;
	const struct tp_torch_stepped *stepped = tp_result(ctx, &tp_pass_torch_steps);
	struct tp_torch_comm *c = tp_new(ctx->keep, struct tp_torch_comm);

	c->trace_count = torch->trace_count;
	c->workers = torch->worker_count;
	c->one_host = on_one_host(ctx);
	c->unrecorded = tp_torch_unrecorded_reason(ctx).len != 0;
	read_traces(ctx, c);
	if (c->calls == 0 && c->workers < 2 && c->world_size < 2)
		return tp_fail(err, TP_ABSENT, why_single);
	if (c->calls == 0 && captured_apart(ctx))
		return tp_fail(err, TP_ABSENT, why_captured_apart);
	c->calls = 0;
	tp_torch_comm_match(ctx, c);
	tp_torch_comm_clocks(ctx, c);
	find_transfers(c);
	for (uint32_t i = 0; i < c->trace_count; i++) {
		count_calls(c, &c->traces[i]);
		break_down(ctx, c, &stepped->traces[i], &c->traces[i]);
	}
	tell_split(c);
	average(ctx, c);
	tp_torch_comm_find_waits(ctx, c);
	tp_torch_comm_late(ctx, c);
	tp_torch_comm_sums(ctx, c);
	*result = c;
	return TP_OK;
}

static const struct tp_pass *const after[] = {
	&tp_pass_torch_correlation, &tp_pass_torch_steps, &tp_pass_steps, NULL};

static struct tp_slice
without_workers(const struct tp_pass_ctx *ctx)
{
	const struct tp_torch_comm *c = tp_result(ctx, &tp_pass_torch_comm);

	if (c == NULL || c->world_size <= (int64_t)c->workers)
		return TP_S("");
	return tp_arena_printf(
		ctx->keep, "traces of %u of %lld workers were read", c->workers, (long long)c->world_size);
}

static const struct tp_lack lacks[] = {
	{"workers", "The other workers of the job", TP_LACK_TIMED, .why = without_workers,
		.pytorch = "Let each process write its trace to the same directory, with "
				   "`worker_name=\"rank\" + str(rank)` of `tensorboard_trace_handler`."},
	{0},
};

const struct tp_pass tp_pass_torch_comm = {
	.name = "torch-distributed",
	.title = "Distributed",
	.summary = "workers of a PyTorch job: exposed and overlapped communication, transfer and "
			   "waiting, each collective, clocks, stragglers",
	.needs_all = TP_HAS_TORCH,
	.after = after,
	.place = TP_PLACE_POD,
	.analyze = analyze,
	.metrics = tp_torch_comm_metrics,
	.present = tp_torch_comm_present,
	.lacks = lacks,
};

/* What keeps devices without work in the time of steps that is the host's: work that has been launched and stands still, calls
 * that set a device up, other calls of the runtime, operators. Intervals of each are united with those of all before; what the
 * union grows by within steps is its part. */
#include "analyze/facts/op_times.h"
#include "analyze/steps/step_counted.h"
#include "analyze/torch/costs/torch_costs.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"
#include "base/texts.h"
#include "model/profile.h"
#include "model/torch.h"

/* What it takes launched work to begin is at most some ten microseconds: from here on it waits for something. */
#define BEGINS_WITHIN_PS 100000000 /* 0.1 ms */
#define LONG_PS 1000000000         /* 1 ms: shorter calls do not wait for the driver */

/* What steps' time is put down to so far: at first devices, collectives and the wait for batches. */
struct taken {
	const struct tp_torch_trace_steps *steps;
	struct tp_interval *s; /* united, with room at the end for all that is added */
	size_t count;
	uint64_t *before_ps; /* as much room, for what they cover together */
	int64_t ps;          /* of steps */
};

static int64_t
ps_of_steps(const struct taken *b)
{
	const struct tp_cover cover = tp_cover_of(b->s, b->count, b->before_ps);
	int64_t sum = 0;

	for (uint32_t i = 0; i < b->steps->count; i++)
		sum += tp_cover_within(&cover, b->steps->steps[i].start_ps, b->steps->steps[i].end_ps);
	return sum;
}

static void
add_role(struct taken *b, enum tp_torch_role role)
{
	const struct tp_torch_roles *r = &b->steps->roles;

	if (r->count[role] != 0)
		memcpy(b->s + b->count, r->intervals[role], r->count[role] * sizeof *b->s);
	b->count += r->count[role];
}

/* room: for what is added beside roles. */
static struct taken
take_all_but_host(const struct tp_torch_trace_steps *steps, size_t room, struct tp_arena *scratch)
{
	static const enum tp_torch_role first[] = {TP_TORCH_ROLE_KERNEL, TP_TORCH_ROLE_MEMCPY,
		TP_TORCH_ROLE_MEMSET, TP_TORCH_ROLE_COMMUNICATION, TP_TORCH_ROLE_DATALOADER};
	struct taken b = {.steps = steps};

	for (int k = 0; k < TP_TORCH_ROLE_OTHER; k++)
		room += steps->roles.count[k];
	b.s = tp_new_array(scratch, struct tp_interval, room);
	b.before_ps = tp_new_array(scratch, uint64_t, room);
	for (size_t i = 0; i < sizeof first / sizeof *first; i++)
		add_role(&b, first[i]);
	b.count = tp_intervals_unite(b.s, b.count);
	b.ps = ps_of_steps(&b);
	return b;
}

/* The time of steps that what was added covers, and nothing did before; from then on it is taken. */
static int64_t
take(struct taken *b)
{
	int64_t before_ps = b->ps;

	b->count = tp_intervals_unite(b->s, b->count);
	b->ps = ps_of_steps(b);
	return b->ps - before_ps;
}

static int64_t
take_role(struct taken *b, enum tp_torch_role role)
{
	add_role(b, role);
	return take(b);
}

/* Device work that has been launched and does not begin although no device works: what it waits for (an event, another process,
 * the upload of a graph, work that the trace lacks) is not in the trace, so that it is not the host that is late. */
size_t
tp_torch_queued(const struct tp_torch_trace *t, const struct tp_torch_correlation *links,
	struct tp_interval *out)
{
	size_t count = 0;

	for (uint32_t e = 0; e < t->count; e++) {
		if (!tp_torch_is_work(t->kind[e]) || links->call[e] == TP_NONE)
			continue;
		int64_t from = tp_add_ps(tp_torch_end_ps(t, links->call[e]), BEGINS_WITHIN_PS);

		if (from < tp_torch_start_ps(t, e))
			out[count++] = (struct tp_interval){from, tp_torch_start_ps(t, e)};
	}
	return count;
}

/* By the names of the CUDA and HIP libraries: what neither launches, copies, fills, records nor waits sets up. */
bool
tp_torch_sets_up(struct tp_slice name)
{
	static const char *const others[] = {
		"Launch", "Memcpy", "Memset", "Synchronize", "Event", "Wait", NULL};

	return (tp_slice_starts(name, TP_S("cu")) || tp_slice_starts(name, TP_S("hip"))) &&
		(tp_slice_has(name, TP_S("EventCreate")) || !tp_texts_any(name, tp_slice_has, others));
}

/* Calls by which the host makes contexts, streams, events and modules, or takes and returns memory. They belong before the first
 * step that is measured. */
static bool
is_setup(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t, uint32_t e)
{
	return tp_torch_is_call(t->kind[e]) && tp_torch_duration_ps(t, e) >= LONG_PS &&
		tp_torch_sets_up(tp_torch_name(ctx->profile, t, e));
}

/* Adds to by_op, by operation of the profile, how long each took in steps. */
static int64_t
take_setup(
	const struct tp_pass_ctx *ctx, struct taken *b, const struct tp_torch_trace *t, int64_t *by_op)
{
	const struct tp_torch_trace_steps *s = b->steps;
	struct tp_interval *in_steps = tp_new_array(ctx->scratch, struct tp_interval, s->count);
	uint64_t *before_ps = tp_new_array(ctx->scratch, uint64_t, s->count);

	for (uint32_t i = 0; i < s->count; i++)
		in_steps[i] = (struct tp_interval){s->steps[i].start_ps, s->steps[i].end_ps};
	const struct tp_cover cover =
		tp_cover_of(in_steps, tp_intervals_unite(in_steps, s->count), before_ps);

	for (uint32_t e = 0; e < t->count; e++) {
		if (!is_setup(ctx, t, e))
			continue;
		struct tp_interval call = {tp_torch_start_ps(t, e), tp_torch_end_ps(t, e)};

		b->s[b->count++] = call;
		by_op[tp_torch_op(t, e)] = tp_add_ps(
			by_op[tp_torch_op(t, e)], tp_cover_within(&cover, call.start_ps, call.end_ps));
	}
	return take(b);
}

void
tp_torch_add_host_bound(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, const struct tp_counted_steps *counted,
	int64_t *setup_by, struct tp_torch_costs *out)
{
	static const enum tp_torch_role of_host[] = {
		TP_TORCH_ROLE_RUNTIME, TP_TORCH_ROLE_CPU, TP_TORCH_ROLE_OTHER};
	const struct tp_torch_trace_steps *s = &counted->steps;
	size_t room = links->work.count;

	out->step_count += s->count;
	out->step_ps += counted->whole_ps;
	for (uint32_t i = 0; i < s->count; i++) {
		const struct tp_torch_step *step = &s->steps[i];

		for (size_t k = 0; k < sizeof of_host / sizeof *of_host; k++)
			out->host_ps += counted->weight * (double)step->role_ps[of_host[k]];
	}
	for (uint32_t e = 0; e < t->count; e++)
		room += is_setup(ctx, t, e);
	struct taken b = take_all_but_host(s, room, ctx->scratch);

	b.count += tp_torch_queued(t, links, b.s + b.count);
	out->queued_ps += counted->weight * (double)take(&b);
	out->setup_ps += counted->weight * (double)take_setup(ctx, &b, t, setup_by);
	out->calls_ps += counted->weight * (double)take_role(&b, TP_TORCH_ROLE_RUNTIME);
	out->operators_ps += counted->weight * (double)take_role(&b, TP_TORCH_ROLE_CPU);
}

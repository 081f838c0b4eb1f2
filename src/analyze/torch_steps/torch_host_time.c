/* What keeps devices without work in the time of steps that is the host's: work that has been launched and stands still, calls
 * that set a device up, other calls of the runtime, operators. Intervals of each are united with those of all before; what the
 * union grows by within a step is its part of that step. */
#include "analyze/torch_steps/torch_host_time.h"

#include "analyze/facts/op_times.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"
#include "base/texts.h"
#include "model/profile.h"
#include "model/torch.h"

/* What it takes launched work to begin is at most some ten microseconds: from here on it waits for something. */
#define BEGINS_WITHIN_PS 100000000 /* 0.1 ms */
#define LONG_PS 1000000000         /* 1 ms: shorter calls do not wait for the driver */
/* A launch loads the module of its kernel, when that is the first of it; while no device works it waits for nothing else for so long. */
#define LOADS_PS 100000000000 /* 0.1 s */

/* What steps' time is put down to so far: at first devices, collectives and the wait for batches. */
struct taken {
	struct tp_torch_trace_steps *steps;
	struct tp_interval *s; /* united, with room at the end for all that is added */
	size_t count;
	uint64_t *before_ps; /* as much room, for what they cover together */
	int64_t *ps;         /* of each step */
};

/* The time of a step that what was added covers, and nothing did before; from then on it is taken. */
static int64_t
take_of_step(struct taken *b, const struct tp_cover *cover, uint32_t i)
{
	const struct tp_torch_step *step = &b->steps->steps[i];
	int64_t before_ps = b->ps[i];

	b->ps[i] = tp_cover_within(cover, step->start_ps, step->end_ps);
	return b->ps[i] - before_ps;
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
take_all_but_host(struct tp_torch_trace_steps *steps, size_t room, struct tp_arena *scratch)
{
	static const enum tp_torch_role first[] = {TP_TORCH_ROLE_KERNEL, TP_TORCH_ROLE_MEMCPY,
		TP_TORCH_ROLE_MEMSET, TP_TORCH_ROLE_COMMUNICATION, TP_TORCH_ROLE_DATALOADER};
	struct taken b = {.steps = steps, .ps = tp_new_array(scratch, int64_t, steps->count)};

	for (int k = 0; k < TP_TORCH_ROLE_OTHER; k++)
		room += steps->roles.count[k];
	b.s = tp_new_array(scratch, struct tp_interval, room);
	b.before_ps = tp_new_array(scratch, uint64_t, room);
	for (size_t i = 0; i < sizeof first / sizeof *first; i++)
		add_role(&b, first[i]);
	b.count = tp_intervals_unite(b.s, b.count);

	const struct tp_cover cover = tp_cover_of(b.s, b.count, b.before_ps);

	for (uint32_t i = 0; i < steps->count; i++)
		take_of_step(&b, &cover, i);
	return b;
}

static void
take(struct taken *b, enum tp_torch_host_part part)
{
	b->count = tp_intervals_unite(b->s, b->count);
	const struct tp_cover cover = tp_cover_of(b->s, b->count, b->before_ps);

	for (uint32_t i = 0; i < b->steps->count; i++)
		b->steps->steps[i].host_ps[part] = take_of_step(b, &cover, i);
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

static bool
is_of_library(struct tp_slice name)
{
	return tp_slice_starts(name, TP_S("cu")) || tp_slice_starts(name, TP_S("hip"));
}

static bool
is_launch(struct tp_slice name)
{
	return is_of_library(name) && tp_slice_has(name, TP_S("Launch"));
}

/* By the names of the CUDA and HIP libraries: what neither launches, copies, fills, records nor waits sets up. */
static bool
sets_up(struct tp_slice name)
{
	static const char *const others[] = {
		"Launch", "Memcpy", "Memset", "Synchronize", "Event", "Wait", NULL};

	return is_of_library(name) &&
		(tp_slice_has(name, TP_S("EventCreate")) || !tp_texts_any(name, tp_slice_has, others));
}

bool
tp_torch_name_sets_up(struct tp_slice name, int64_t duration_ps)
{
	return duration_ps >= LONG_PS &&
		(sets_up(name) || (duration_ps >= LOADS_PS && is_launch(name)));
}

bool
tp_torch_sets_up(const struct tp_profile *p, const struct tp_torch_trace *t, uint32_t event)
{
	return tp_torch_is_call(t->kind[event]) &&
		tp_torch_name_sets_up(tp_torch_name(p, t, event), tp_torch_duration_ps(t, event));
}

static void
add_setup(struct taken *b, const struct tp_profile *p, const struct tp_torch_trace *t)
{
	for (uint32_t e = 0; e < t->count; e++) {
		if (tp_torch_sets_up(p, t, e))
			b->s[b->count++] = (struct tp_interval){tp_torch_start_ps(t, e), tp_torch_end_ps(t, e)};
	}
}

static int64_t
ps_of_host(const struct tp_torch_step *step)
{
	return step->role_ps[TP_TORCH_ROLE_RUNTIME] + step->role_ps[TP_TORCH_ROLE_CPU] +
		step->role_ps[TP_TORCH_ROLE_OTHER];
}

void
tp_torch_host_time_of_roles(struct tp_torch_trace_steps *s)
{
	for (uint32_t i = 0; i < s->count; i++) {
		struct tp_torch_step *step = &s->steps[i];

		step->host_ps[TP_TORCH_HOST_CALLS] = step->role_ps[TP_TORCH_ROLE_RUNTIME];
		step->host_ps[TP_TORCH_HOST_OPERATORS] = step->role_ps[TP_TORCH_ROLE_CPU];
		step->host_ps[TP_TORCH_HOST_NEITHER] = step->role_ps[TP_TORCH_ROLE_OTHER];
	}
}

void
tp_torch_find_host_time(const struct tp_profile *p, const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, struct tp_torch_trace_steps *s,
	struct tp_arena *scratch)
{
	size_t room = links->work.count;

	for (uint32_t e = 0; e < t->count; e++)
		room += tp_torch_sets_up(p, t, e);
	struct taken b = take_all_but_host(s, room, scratch);

	b.count += tp_torch_queued(t, links, b.s + b.count);
	take(&b, TP_TORCH_HOST_QUEUED);
	add_setup(&b, p, t);
	take(&b, TP_TORCH_HOST_SETUP);
	add_role(&b, TP_TORCH_ROLE_RUNTIME);
	take(&b, TP_TORCH_HOST_CALLS);
	add_role(&b, TP_TORCH_ROLE_CPU);
	take(&b, TP_TORCH_HOST_OPERATORS);
	for (uint32_t i = 0; i < s->count; i++) {
		struct tp_torch_step *step = &s->steps[i];
		int64_t *ps = step->host_ps;

		ps[TP_TORCH_HOST_NEITHER] = step->end_ps - step->start_ps - b.ps[i];
		/* Roles count a call that runs while the program waits for a batch. */
		ps[TP_TORCH_HOST_CALLS] = ps_of_host(step) - ps[TP_TORCH_HOST_QUEUED] -
			ps[TP_TORCH_HOST_SETUP] - ps[TP_TORCH_HOST_OPERATORS] - ps[TP_TORCH_HOST_NEITHER];
	}
	s->host_divided = true;
}

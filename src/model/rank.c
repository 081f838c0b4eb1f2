/* Checking and cutting the columns of a rank. */
#include "model/rank.h"

#include "rank.pb-c.h"

enum { KINDS = 7, SOURCES = 4, MOST_FAMILIES = 16 };

/* Nanoseconds since 1970, up to 2116; of machines that count from another zero, whatever they count. */
static bool
is_clock(int64_t ns)
{
	return ns >= -INT64_MAX / 2 && ns <= INT64_MAX / 2;
}

/* Whether differences stay within bounds when they are added up. */
/* Roles are parts of the step and sum to it; what computation and communication cover together is no less than either, and within it. */
static bool
step_adds_up(const Tp__Rank *r, size_t step)
{
	const int64_t *role_ps = &r->step_roles[step * TP_RANK_ROLES];
	const int64_t *covered_ps = &r->step_covered[step * TP_RANK_COVERED];
	int64_t length_ps = r->step_lengths[step], left_ps = length_ps;
	int64_t compute_ps = covered_ps[0], either_ps = covered_ps[1], communicate_ps = covered_ps[2];

	for (size_t k = 0; k < TP_RANK_ROLES; k++) {
		if (role_ps[k] < 0 || role_ps[k] > left_ps)
			return false;
		left_ps -= role_ps[k];
	}
	return left_ps == 0 && compute_ps <= either_ps && communicate_ps <= either_ps &&
		either_ps <= length_ps && compute_ps >= either_ps - communicate_ps;
}

/* What the host's time consists of is no more than the step. */
static bool
host_adds_up(const Tp__Rank *r, size_t step)
{
	int64_t left_ps = r->step_lengths[step];

	for (size_t k = 0; k < TP_RANK_HOST_PARTS && r->n_step_host != 0; k++) {
		int64_t ps = r->step_host[step * TP_RANK_HOST_PARTS + k];

		if (ps < 0 || ps > left_ps)
			return false;
		left_ps -= ps;
	}
	return true;
}

static bool
all_add_up(const Tp__Rank *r)
{
	for (size_t i = 0; i < r->n_step_names; i++) {
		if (!step_adds_up(r, i) || !host_adds_up(r, i))
			return false;
	}
	return true;
}

static bool
steps_are_sound(const Tp__Rank *r)
{
	size_t steps = r->n_step_names;

	return r->n_step_starts == steps && r->n_step_lengths == steps &&
		r->n_step_roles == steps * TP_RANK_ROLES && r->n_step_covered == steps * TP_RANK_COVERED &&
		(r->n_step_host == 0 || r->n_step_host == steps * TP_RANK_HOST_PARTS) &&
		steps <= UINT32_MAX / 2 && tp_rank_adds_up(r->step_starts, steps) &&
		tp_rank_within(r->step_lengths, steps, 0) &&
		tp_rank_within(r->step_covered, r->n_step_covered, 0) && all_add_up(r) &&
		r->steps_from < SOURCES && r->families <= MOST_FAMILIES &&
		r->roles_known >> TP_RANK_ROLES == 0 &&
		(r->roles_known >> (TP_RANK_ROLES - 1) == 1 || steps == 0);
}

/* Calls that are asked for in a group are carried by a later one. */
static bool
ends_are_sound(const Tp__Rank *r)
{
	size_t at = 0;

	for (size_t i = 0; i < r->n_call_flags; i++) {
		if (!(r->call_flags[i] & TP_RANK_HAS_ENDS))
			continue;
		if (r->n_call_ends - at < TP_RANK_ENDS)
			return false;
		const int64_t *ends = &r->call_ends[at];

		at += TP_RANK_ENDS;
		if (!tp_rank_within(ends, TP_RANK_ENDS, -TP_RANK_MOST) || ends[TP_RANK_THROUGH] < -1 ||
			ends[TP_RANK_THROUGH] >= (int64_t)r->n_call_flags)
			return false;
	}
	return at == r->n_call_ends;
}

static bool
calls_are_sound(const Tp__Rank *r)
{
	size_t calls = r->n_call_operations, ranges = 0;

	if (r->n_call_groups != calls || r->n_call_orders != calls || r->n_call_host_ps != calls ||
		r->n_call_ranges != calls || r->n_call_in_bytes != calls || r->n_call_out_bytes != calls ||
		r->n_call_flags != calls || calls > UINT32_MAX / 2)
		return false;
	for (size_t i = 0; i < calls; i++)
		ranges += r->call_ranges[i];
	return ranges == r->n_range_starts && ranges == r->n_range_lengths &&
		tp_rank_below(r->call_operations, calls, r->n_operations) &&
		tp_rank_below(r->call_groups, calls, r->n_groups) &&
		tp_rank_adds_up(r->call_orders, calls) && tp_rank_within(r->call_host_ps, calls, -1) &&
		tp_rank_within(r->call_in_bytes, calls, -1) &&
		tp_rank_within(r->call_out_bytes, calls, -1) &&
		tp_rank_within(r->range_starts, ranges, -TP_RANK_MOST) &&
		tp_rank_within(r->range_lengths, ranges, 0) && ends_are_sound(r);
}

bool
tp_rank_is_sound(const Tp__Rank *r)
{
	if (r->events != NULL)
		return r->xla == NULL && r->worker[0] != '\0' && tp_rank_events_are_sound(r);
	for (size_t i = 0; i < r->n_operations; i++) {
		if (r->operations[i]->kind >= KINDS || r->operations[i]->name[0] == '\0')
			return false;
	}
	for (size_t i = 0; i < r->n_groups; i++) {
		if (r->groups[i]->key[0] == '\0')
			return false;
	}
	for (size_t i = 0; i < r->n_operators; i++) {
		if (!tp_rank_within(&r->operators[i]->host_self_ps, 1, -TP_RANK_MOST) ||
			!tp_rank_within(&r->operators[i]->device_self_ps, 1, -TP_RANK_MOST) ||
			r->operators[i]->calls > (uint64_t)INT64_MAX / 8)
			return false;
	}
	for (size_t i = 0; i < r->n_memories; i++) {
		if (!tp_rank_within(&r->memories[i]->peak_bytes, 1, -1) ||
			!tp_rank_within(&r->memories[i]->peak_reserved_bytes, 1, -1))
			return false;
	}
	if (!is_clock(r->base_ns) || !is_clock(r->start_unix_ns) || !is_clock(r->stop_unix_ns))
		return false;
	return r->xla != NULL ? tp_rank_xla_is_sound(r) : steps_are_sound(r) && calls_are_sound(r);
}

/* How many calls were asked for until then. */
static size_t
calls_until(const Tp__Rank *r, int64_t until_ps)
{
	int64_t at_ps = 0;
	size_t i = 0;

	for (; i < r->n_call_orders; i++) {
		at_ps += r->call_orders[i];
		if (at_ps > until_ps)
			break;
	}
	return i;
}

static void
cut_calls(Tp__Rank *r, size_t calls)
{
	size_t ranges = 0, ends = 0;

	for (size_t i = 0; i < calls; i++) {
		ranges += r->call_ranges[i];
		if (!(r->call_flags[i] & TP_RANK_HAS_ENDS))
			continue;
		int64_t *through = &r->call_ends[ends + TP_RANK_THROUGH];

		*through = *through < (int64_t)calls ? *through : -1;
		ends += TP_RANK_ENDS;
	}
	r->n_call_operations = r->n_call_groups = r->n_call_orders = r->n_call_host_ps =
		r->n_call_ranges = r->n_call_in_bytes = r->n_call_out_bytes = r->n_call_flags = calls;
	r->n_range_starts = r->n_range_lengths = ranges;
	r->n_call_ends = ends;
}

void
tp_rank_cut(Tp__Rank *r, size_t steps)
{
	int64_t start_ps = 0;

	if (r->events != NULL || steps >= r->n_step_names)
		return;
	if (r->xla != NULL) {
		tp_rank_xla_cut(r, steps);
		return;
	}
	for (size_t i = 0; i < steps; i++)
		start_ps += r->step_starts[i];
	cut_calls(r, steps != 0 ? calls_until(r, start_ps + r->step_lengths[steps - 1]) : 0);
	r->steps_left_out += (uint32_t)(r->n_step_names - steps);
	r->n_step_names = r->n_step_starts = r->n_step_lengths = steps;
	r->n_step_roles = steps * TP_RANK_ROLES;
	r->n_step_covered = steps * TP_RANK_COVERED;
	r->n_step_host = r->n_step_host != 0 ? steps * TP_RANK_HOST_PARTS : 0;
}

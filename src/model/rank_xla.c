/* Checking and cutting the columns of a host of XLA's profiler. */
#include "model/rank.h"

#include "rank.pb-c.h"

#include <math.h>

/* Times of one step, or of one device; sums of as many as there are classes fit. */
static const int64_t LONGEST_PS = INT64_MAX / 64;

enum { DEVICE_KINDS = 4, TIMINGS = 4, MOST_DEVICES = 1 << 16 };

static bool
are_times(const int64_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (values[i] < 0 || values[i] > LONGEST_PS)
			return false;
	}
	return true;
}

static bool
are_shares(const double *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!(values[i] >= 0 && values[i] <= 1))
			return false;
	}
	return true;
}

/* 0: not stated. */
static bool
are_peaks(const double *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!(values[i] >= 0 && values[i] < 1e30))
			return false;
	}
	return count == TP_RANK_PEAKS;
}

static bool
in_order(const int64_t *differences, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		if (differences[i] < 0)
			return false;
	}
	return true;
}

static bool
marks_are_sound(const Tp__Rank *r, const Tp__RankDevice *d)
{
	size_t marks = d->n_mark_steps;

	return d->n_mark_starts == marks && d->n_mark_lengths == marks &&
		d->n_mark_host_starts == marks && d->n_mark_host_lengths == marks &&
		d->n_mark_sums == marks * TP_RANK_SUMS && marks <= UINT32_MAX / 2 &&
		tp_rank_below(d->mark_steps, marks, r->n_step_names) &&
		tp_rank_adds_up(d->mark_starts, marks) && in_order(d->mark_starts, marks) &&
		are_times(d->mark_lengths, marks) && tp_rank_adds_up(d->mark_host_starts, marks) &&
		are_times(d->mark_host_lengths, marks) && are_times(d->mark_sums, d->n_mark_sums) &&
		(d->core || marks == 0);
}

static bool
runs_are_sound(const Tp__RankXla *x, const Tp__RankDevice *d)
{
	size_t runs = d->n_run_programs;

	return d->n_run_starts == runs && d->n_run_lengths == runs && d->n_run_host_starts == runs &&
		d->n_run_host_lengths == runs && runs <= UINT32_MAX / 2 &&
		tp_rank_below(d->run_programs, runs, x->n_programs) &&
		tp_rank_adds_up(d->run_starts, runs) && in_order(d->run_starts, runs) &&
		are_times(d->run_lengths, runs) && tp_rank_adds_up(d->run_host_starts, runs) &&
		are_times(d->run_host_lengths, runs);
}

static bool
calls_are_sound(const Tp__RankXla *x, const Tp__RankDevice *d)
{
	size_t calls = d->n_call_meetings, ids = 0;

	if (d->n_call_has_ids != calls)
		return false;
	for (size_t i = 0; i < calls; i++)
		ids += d->call_has_ids[i] != 0;
	return d->n_call_starts == calls && d->n_call_lengths == calls &&
		d->n_call_host_starts == calls && d->n_call_host_lengths == calls && d->n_call_ids == ids &&
		calls <= UINT32_MAX / 2 && tp_rank_below(d->call_meetings, calls, x->n_meetings) &&
		tp_rank_adds_up(d->call_starts, calls) && in_order(d->call_starts, calls) &&
		are_times(d->call_lengths, calls) && tp_rank_adds_up(d->call_host_starts, calls) &&
		are_times(d->call_host_lengths, calls) && (d->core || calls == 0);
}

static bool
device_is_sound(const Tp__Rank *r, const Tp__RankDevice *d)
{
	return d->kind < DEVICE_KINDS && are_peaks(d->peaks, d->n_peaks) && are_times(&d->busy_ps, 1) &&
		are_times(&d->total_ps, 1) && d->busy_ps <= d->total_ps && d->worked == (d->total_ps > 0) &&
		are_times(&d->duty_on_ps, 1) && are_times(&d->duty_total_ps, 1) &&
		d->duty_on_ps <= d->duty_total_ps && (!d->core || d->kind == 0) && marks_are_sound(r, d) &&
		runs_are_sound(r->xla, d) && calls_are_sound(r->xla, d);
}

static bool
host_steps_are_sound(const Tp__Rank *r)
{
	const Tp__RankXla *x = r->xla;
	size_t steps = x->n_host_steps;

	for (size_t i = 0; i < steps && x->n_host_lengths == steps; i++) {
		if (x->host_lengths[i] == 0)
			return false;
	}
	return x->n_host_numbers == steps && x->n_host_flags == steps && x->n_host_starts == steps &&
		x->n_host_lengths == steps && x->n_host_times == steps * TP_RANK_HOST_TIMES &&
		steps <= UINT32_MAX / 2 && tp_rank_below(x->host_steps, steps, r->n_step_names) &&
		tp_rank_adds_up(x->host_starts, steps) && are_times(x->host_lengths, steps) &&
		are_times(x->host_times, x->n_host_times);
}

static bool
channels_are_sound(const Tp__RankXla *x)
{
	for (size_t i = 0; i < x->n_channels; i++) {
		if (x->channels[i]->n_from != x->channels[i]->n_to)
			return false;
	}
	return true;
}

static bool
window_is_sound(const Tp__RankXla *x)
{
	const double shares[] = {
		x->gap_share, x->covered, x->regular, x->agreeing, x->enough, x->confidence};

	return are_shares(shares, sizeof shares / sizeof *shares) && x->timing < TIMINGS &&
		x->inside_ps >= 0 && x->outside_ps >= 0 && isfinite(x->inside_ps) &&
		isfinite(x->outside_ps);
}

bool
tp_rank_xla_is_sound(const Tp__Rank *r)
{
	const Tp__RankXla *x = r->xla;

	for (size_t i = 0; i < x->n_devices; i++) {
		if (!device_is_sound(r, x->devices[i]))
			return false;
	}
	for (size_t i = 0; i < x->n_meetings; i++) {
		if (x->meetings[i]->name[0] == '\0')
			return false;
	}
	for (size_t i = 0; i < r->n_memories; i++) {
		if (r->memories[i]->device[0] == '\0')
			return false;
	}
	return r->worker[0] != '\0' && x->n_devices <= MOST_DEVICES && r->n_call_operations == 0 &&
		are_times(&x->top_ps, 1) && are_times(&x->self_ps, 1) && host_steps_are_sound(r) &&
		channels_are_sound(x) && window_is_sound(x);
}

/* Columns without what belongs to steps from `steps` on. */
static void
cut_marks(Tp__RankDevice *d, size_t steps)
{
	int64_t at_ps = 0, host_at_ps = 0, before_ps = 0, host_before_ps = 0;
	size_t kept = 0;

	for (size_t i = 0; i < d->n_mark_steps; i++) {
		at_ps += d->mark_starts[i];
		host_at_ps += d->mark_host_starts[i];
		if (d->mark_steps[i] >= steps)
			continue;
		d->mark_steps[kept] = d->mark_steps[i];
		d->mark_starts[kept] = at_ps - before_ps;
		d->mark_lengths[kept] = d->mark_lengths[i];
		d->mark_host_starts[kept] = host_at_ps - host_before_ps;
		d->mark_host_lengths[kept] = d->mark_host_lengths[i];
		for (size_t k = 0; k < TP_RANK_SUMS; k++)
			d->mark_sums[kept * TP_RANK_SUMS + k] = d->mark_sums[i * TP_RANK_SUMS + k];
		before_ps = at_ps;
		host_before_ps = host_at_ps;
		kept++;
	}
	d->n_mark_steps = d->n_mark_starts = d->n_mark_lengths = d->n_mark_host_starts =
		d->n_mark_host_lengths = kept;
	d->n_mark_sums = kept * TP_RANK_SUMS;
}

/* When the last mark that is left ends, by the chip's clock. */
static int64_t
end_of_marks(const Tp__RankDevice *d)
{
	int64_t at_ps = 0, end_ps = INT64_MIN;

	for (size_t i = 0; i < d->n_mark_steps; i++) {
		at_ps += d->mark_starts[i];
		if (at_ps + d->mark_lengths[i] > end_ps)
			end_ps = at_ps + d->mark_lengths[i];
	}
	return end_ps;
}

/* How many of them, in order, begin before then. */
static size_t
begin_before(const int64_t *differences, size_t count, int64_t end_ps)
{
	int64_t at_ps = 0;
	size_t n = 0;

	for (; n < count; n++) {
		at_ps += differences[n];
		if (at_ps >= end_ps)
			break;
	}
	return n;
}

static void
cut_device(Tp__RankDevice *d, size_t steps)
{
	if (!d->core)
		return;
	cut_marks(d, steps);
	int64_t end_ps = end_of_marks(d);
	size_t runs = begin_before(d->run_starts, d->n_run_starts, end_ps);
	size_t calls = begin_before(d->call_starts, d->n_call_starts, end_ps), ids = 0;

	for (size_t i = 0; i < calls; i++)
		ids += d->call_has_ids[i] != 0;
	d->n_run_programs = d->n_run_starts = d->n_run_lengths = d->n_run_host_starts =
		d->n_run_host_lengths = runs;
	d->n_call_meetings = d->n_call_starts = d->n_call_lengths = d->n_call_host_starts =
		d->n_call_host_lengths = d->n_call_has_ids = calls;
	d->n_call_ids = ids;
}

static void
cut_host_steps(Tp__RankXla *x, size_t steps)
{
	int64_t at_ps = 0, before_ps = 0;
	size_t kept = 0;

	for (size_t i = 0; i < x->n_host_steps; i++) {
		at_ps += x->host_starts[i];
		if (x->host_steps[i] >= steps)
			continue;
		x->host_steps[kept] = x->host_steps[i];
		x->host_numbers[kept] = x->host_numbers[i];
		x->host_flags[kept] = x->host_flags[i];
		x->host_starts[kept] = at_ps - before_ps;
		x->host_lengths[kept] = x->host_lengths[i];
		for (size_t k = 0; k < TP_RANK_HOST_TIMES; k++)
			x->host_times[kept * TP_RANK_HOST_TIMES + k] =
				x->host_times[i * TP_RANK_HOST_TIMES + k];
		before_ps = at_ps;
		kept++;
	}
	x->n_host_steps = x->n_host_numbers = x->n_host_flags = x->n_host_starts = x->n_host_lengths =
		kept;
	x->n_host_times = kept * TP_RANK_HOST_TIMES;
}

void
tp_rank_xla_cut(Tp__Rank *r, size_t steps)
{
	for (size_t i = 0; i < r->xla->n_devices; i++)
		cut_device(r->xla->devices[i], steps);
	cut_host_steps(r->xla, steps);
	r->steps_left_out += (uint32_t)(r->n_step_names - steps);
	r->n_step_names = steps;
}

/* Where steps begin and end. Formula: torch-tb-profiler, last source tree (event_parser.py: update_device_steps): a step of the
 * host lasts until the device work that it launched ends; the next begins no earlier. */
#include "analyze/torch_steps/torch_steps.h"

#include "analyze/torch_steps/torch_correlation.h"
#include "base/arena.h"
#include "base/order.h"
#include "model/profile.h"
#include "model/torch.h"

#include <stdlib.h>

/* A last step with less than this share of the device work of the one before was cut off. */
static const double WHOLE_SHARE = 0.8;

/* Device work launched by the calls inside a step. */
struct reach {
	uint32_t count;
	int64_t first_ps, last_ps;
};

TP_ORDER(by_start, struct tp_torch_step, TP_UP(host_start_ps), TP_UP(host_end_ps));

static struct tp_torch_step
step_of(struct tp_slice name, int64_t start_ps, int64_t end_ps)
{
	return (struct tp_torch_step){.name = name,
		.start_ps = start_ps,
		.end_ps = end_ps,
		.host_start_ps = start_ps,
		.host_end_ps = end_ps};
}

static void
read_marks(const struct tp_profile *p, const struct tp_torch_trace *t,
	struct tp_torch_trace_steps *out, struct tp_arena *keep)
{
	out->steps = tp_new_array(keep, struct tp_torch_step, t->kind_count[TP_TORCH_STEP] + 1);
	for (uint32_t e = 0; e < t->count; e++) {
		struct tp_slice name = tp_torch_name(p, t, e);

		if (t->kind[e] != TP_TORCH_STEP)
			continue;
		out->steps[out->count++] = step_of(
			tp_slice_from(name, strlen("ProfilerStep#")), t->start_ps[e], tp_torch_end_ps(t, e));
	}
	qsort(out->steps, out->count, sizeof *out->steps, by_start);
	out->marked = out->count != 0;
	out->seen = out->count;
}

/* From the first to the last event of a kind; false when there is none. */
static bool
reach_of(
	const struct tp_torch_trace *t, enum tp_torch_kind kind, int64_t *start_ps, int64_t *end_ps)
{
	bool any = false;

	for (uint32_t e = 0; e < t->count; e++) {
		if (t->kind[e] != kind)
			continue;
		if (!any || t->start_ps[e] < *start_ps)
			*start_ps = t->start_ps[e];
		if (!any || tp_torch_end_ps(t, e) > *end_ps)
			*end_ps = tp_torch_end_ps(t, e);
		any = true;
	}
	return any;
}

/* Without marks the whole trace is one step: that of its operators, or of its Python functions when it has no operator. */
static void
take_whole(const struct tp_torch_trace *t, struct tp_torch_trace_steps *out)
{
	int64_t start_ps = 0, end_ps = 0;

	if (reach_of(t, TP_TORCH_OPERATOR, &start_ps, &end_ps) ||
		reach_of(t, TP_TORCH_PYTHON, &start_ps, &end_ps))
		out->steps[out->count++] = step_of(TP_S("0"), start_ps, end_ps);
}

/* The step whose mark holds a call from start to end; they do not overlap on one thread. TP_NONE: none does. */
static uint32_t
step_around(const struct tp_torch_trace *t, const struct tp_torch_trace_steps *s, uint32_t call)
{
	size_t behind = TP_FIRST_WHERE(i, s->count, s->steps[i].host_start_ps > t->start_ps[call]);

	return behind != 0 && tp_torch_end_ps(t, call) <= s->steps[behind - 1].host_end_ps
		? (uint32_t)behind - 1
		: TP_NONE;
}

/* Which step each piece of device work belongs to; TP_NONE: none. Whether any does. */
static bool
reach_devices(const struct tp_torch_trace *t, const struct tp_torch_correlation *links,
	const struct tp_torch_trace_steps *s, struct reach *reach, uint32_t *step_of_work)
{
	bool any = false;

	for (uint32_t e = 0; e < t->count; e++) {
		if (!tp_torch_is_work(t->kind[e]))
			continue;
		uint32_t step = links->call[e] == TP_NONE ? TP_NONE : step_around(t, s, links->call[e]);

		step_of_work[e] = step;
		if (step == TP_NONE)
			continue;
		struct reach *r = &reach[step];

		if (r->count == 0 || t->start_ps[e] < r->first_ps)
			r->first_ps = t->start_ps[e];
		if (r->count == 0 || tp_torch_end_ps(t, e) > r->last_ps)
			r->last_ps = tp_torch_end_ps(t, e);
		r->count++;
		any = true;
	}
	return any;
}

/* The lowest number of a call that began with the first step or later. Drivers number calls in the order in which they begin, on
 * all threads together: work of a lower number was launched before. */
static int64_t
first_number(const struct tp_torch_trace *t, const struct tp_torch_trace_steps *s)
{
	int64_t first = INT64_MAX;

	for (uint32_t e = 0; e < t->count; e++) {
		if (!tp_torch_is_call(t->kind[e]) || t->detail[e] == TP_NONE ||
			t->start_ps[e] < s->steps[0].host_start_ps)
			continue;
		int64_t number = t->calls[t->detail[e]].correlation;

		if (number > 0 && number < first)
			first = number;
	}
	return first;
}

/* Device work from before the first step still runs as it begins. Where neither the launch is in the file nor its number shows
 * that it came before, the work may be of the step itself, and moves no start. */
static int64_t
left_over_until(const struct tp_torch_trace *t, const struct tp_torch_correlation *links,
	const struct tp_torch_trace_steps *s, const struct reach *first, const uint32_t *step_of_work)
{
	int64_t until = s->steps[0].host_start_ps, number = first_number(t, s);

	for (uint32_t e = 0; e < t->count; e++) {
		if (!tp_torch_is_work(t->kind[e]) || step_of_work[e] != TP_NONE || first->count == 0 ||
			tp_torch_end_ps(t, e) >= first->first_ps || tp_torch_end_ps(t, e) <= until)
			continue;
		if (links->call[e] != TP_NONE ||
			(tp_torch_names_call(t, e) && t->works[t->detail[e]].correlation < number))
			until = tp_torch_end_ps(t, e);
	}
	return until;
}

static void
extend(struct tp_torch_trace_steps *s, const struct reach *reach, int64_t from_ps)
{
	for (uint32_t i = 0; i < s->count; i++) {
		struct tp_torch_step *step = &s->steps[i];

		step->work_count = reach[i].count;
		step->start_ps = step->host_start_ps > from_ps ? step->host_start_ps : from_ps;
		step->end_ps = step->host_end_ps;
		if (reach[i].count != 0 && reach[i].last_ps > step->end_ps)
			step->end_ps = reach[i].last_ps;
		if (step->end_ps < step->start_ps)
			step->end_ps = step->start_ps;
		from_ps = step->end_ps;
	}
}

static void
trim(struct tp_torch_trace_steps *s)
{
	uint32_t kept = s->count;

	while (kept > 0 && s->steps[kept - 1].work_count == 0)
		kept--;
	if (kept > 1 && s->steps[kept - 1].work_count < WHOLE_SHARE * s->steps[kept - 2].work_count)
		kept--;
	if (kept == 0)
		return;
	s->trimmed = s->count - kept;
	s->count = kept;
}

void
tp_torch_find_steps(const struct tp_profile *p, const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, struct tp_torch_trace_steps *out,
	struct tp_arena *keep, struct tp_arena *scratch)
{
	read_marks(p, t, out, keep);
	if (out->count == 0)
		take_whole(t, out);
	if (out->count == 0)
		return;
	struct reach *reach = tp_new_array(scratch, struct reach, out->count);
	uint32_t *step_of_work = tp_new_array(scratch, uint32_t, t->count);

	out->on_device = reach_devices(t, links, out, reach, step_of_work);
	if (!out->on_device)
		return;
	extend(out, reach, left_over_until(t, links, out, &reach[0], step_of_work));
	if (out->count > 1)
		trim(out);
}

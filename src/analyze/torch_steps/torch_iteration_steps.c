/* Which device work belongs to which iteration, iterations whose annotation is missing, and how sure all that is. */
#include "analyze/torch_steps/torch_iteration_steps.h"

#include "analyze/core/stats.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "analyze/torch_steps/torch_repeats.h"
#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/order.h"
#include "model/profile.h"
#include "model/torch.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

/* A last iteration with less than this share of the device work of the one of its family before was cut off. */
#define WHOLE_SHARE 0.8

struct making {
	const struct tp_profile *p;
	const struct tp_torch_trace *t;
	const struct tp_torch_correlation *links;
	const struct tp_torch_iterations *found;
	struct tp_arena *keep, *scratch;
};

/* The iterations of an engine on their way to steps. */
struct engine {
	const struct tp_torch_engine *from;
	struct tp_torch_step *steps;
	uint32_t count;
	uint32_t *step_of_work; /* by event */
};

static struct engine
engine_of(const struct making *m, const struct tp_torch_engine *from)
{
	/* Between two of them one may be found that has no annotation. */
	struct engine e = {.from = from,
		.count = from->count,
		.steps = tp_new_array(m->keep, struct tp_torch_step, 2 * (size_t)from->count),
		.step_of_work = tp_new_array(m->keep, uint32_t, m->t->count)};

	memset(e.step_of_work, 0xff, m->t->count * sizeof *e.step_of_work);
	for (uint32_t i = 0; i < from->count; i++) {
		const struct tp_torch_iteration *it = &from->list[i];

		e.steps[i] = (struct tp_torch_step){
			.start_ps = it->start_ps,
			.end_ps = it->end_ps,
			.host_start_ps = it->start_ps,
			.host_end_ps = it->end_ps,
			.family = it->family,
			.parts = it->parts,
			.says = it->says,
		};
	}
	return e;
}

/* Whether a thread is that of another engine: what it launches is its own. */
static bool
is_of_another(const struct making *m, const struct engine *e, uint32_t lane)
{
	for (uint32_t i = 0; i < m->found->engine_count; i++) {
		if (m->found->engines[i].lane == lane)
			return &m->found->engines[i] != e->from;
	}
	return false;
}

/* The step that an event from start to end lies in; TP_NONE: none. *behind: how many begin no later. */
static uint32_t
step_around(const struct engine *e, int64_t start_ps, int64_t end_ps, uint32_t *behind)
{
	*behind = (uint32_t)TP_FIRST_WHERE(i, e->count, e->steps[i].host_start_ps > start_ps);
	return *behind != 0 && end_ps <= e->steps[*behind - 1].host_end_ps ? *behind - 1 : TP_NONE;
}

/* Which work runs in a step or between two, whatever the order of streams: names are summed up. */
struct content {
	uint64_t names;
	uint32_t count;
	int64_t first_ps, last_ps; /* of calls */
};

static void
add_content(struct content *c, const struct tp_torch_trace *t, uint32_t work, uint32_t call)
{
	if (c->count == 0 || tp_torch_start_ps(t, call) < c->first_ps)
		c->first_ps = tp_torch_start_ps(t, call);
	if (c->count == 0 || tp_torch_end_ps(t, call) > c->last_ps)
		c->last_ps = tp_torch_end_ps(t, call);
	c->names += tp_hash_pair(tp_torch_op(t, work), 7);
	c->count++;
}

static void
insert(struct engine *e, uint32_t at, const struct tp_torch_step *like, const struct content *c)
{
	struct tp_torch_step step = *like;

	step.start_ps = step.host_start_ps = c->first_ps;
	step.end_ps = step.host_end_ps = c->last_ps;
	step.parts = 0;
	step.unmarked = true;
	memmove(e->steps + at + 1, e->steps + at, (e->count++ - at) * sizeof *e->steps);
	e->steps[at] = step;
}

/* An iteration whose annotation is missing shows between two others, by the same kernels as one of them has. */
static void
find_unmarked(const struct making *m, struct engine *e)
{
	struct content *in = tp_new_array(m->scratch, struct content, e->count);
	struct content *before = tp_new_array(m->scratch, struct content, (size_t)e->count + 1);
	struct tp_torch_step *like = tp_new_array(m->scratch, struct tp_torch_step, e->count);
	struct tp_map known;
	uint32_t marked = e->count;

	for (uint32_t w = 0; w < m->t->count; w++) {
		uint32_t call = tp_torch_is_work(m->t->kind[w]) ? m->links->call[w] : TP_NONE, behind;

		if (call == TP_NONE || tp_torch_lane_of(m->t, call) != e->from->lane)
			continue;
		uint32_t step =
			step_around(e, tp_torch_start_ps(m->t, call), tp_torch_end_ps(m->t, call), &behind);

		add_content(step != TP_NONE ? &in[step] : &before[behind], m->t, w, call);
	}
	tp_map_init(&known, m->scratch);
	memcpy(like, e->steps, e->count * sizeof *like);
	for (uint32_t i = 0; i < marked; i++) {
		if (in[i].count != 0)
			tp_map_put(&known, in[i].names, i);
	}
	for (uint32_t i = marked; i-- > 1;) {
		uint32_t as = before[i].count != 0 ? tp_map_get(&known, before[i].names) : TP_MAP_NONE;

		if (as != TP_MAP_NONE && in[as].count == before[i].count)
			insert(e, i, &like[as], &before[i]);
	}
}

static void
reach_to(struct tp_torch_step *step, const struct tp_torch_trace *t, uint32_t work)
{
	if (step->work_count == 0 || tp_torch_start_ps(t, work) < step->work_ps[0])
		step->work_ps[0] = tp_torch_start_ps(t, work);
	if (step->work_count == 0 || tp_torch_end_ps(t, work) > step->work_ps[1])
		step->work_ps[1] = tp_torch_end_ps(t, work);
	step->work_count++;
}

/* On which GPU a lane's annotations or kernels are. */
static bool
is_on_gpu_of(const struct making *m, const struct engine *e, uint32_t work)
{
	uint32_t lane = tp_torch_lane_of(m->t, work);

	return e->from->lane == TP_NONE || m->t->lanes[lane].gpu == m->t->lanes[e->from->lane].gpu;
}

/* The step that a piece of device work belongs to. */
static uint32_t
step_of(const struct making *m, const struct engine *e, uint32_t work)
{
	uint32_t call = m->links->call[work], behind;

	if (e->from->of_work != NULL)
		return e->from->of_work[work];
	if (m->found->on_device)
		return is_on_gpu_of(m, e, work)
			? step_around(e, tp_torch_start_ps(m->t, work), tp_torch_end_ps(m->t, work), &behind)
			: TP_NONE;
	if (call == TP_NONE || is_of_another(m, e, tp_torch_lane_of(m->t, call)))
		return TP_NONE;
	return step_around(e, tp_torch_start_ps(m->t, call), tp_torch_end_ps(m->t, call), &behind);
}

static void
reach_devices(const struct making *m, struct engine *e)
{
	for (uint32_t w = 0; w < m->t->count; w++) {
		if (!tp_torch_is_work(m->t->kind[w]))
			continue;
		e->step_of_work[w] = step_of(m, e, w);
		if (e->step_of_work[w] != TP_NONE)
			reach_to(&e->steps[e->step_of_work[w]], m->t, w);
	}
}

/* A step lasts until its device work has ended; the next starts no earlier. */
static void
extend(struct engine *e)
{
	int64_t from_ps = INT64_MIN;

	for (uint32_t i = 0; i < e->count; i++) {
		struct tp_torch_step *step = &e->steps[i];

		if (step->host_start_ps < from_ps)
			step->start_ps = from_ps;
		if (step->work_count != 0 && step->work_ps[1] > step->end_ps)
			step->end_ps = step->work_ps[1];
		if (step->end_ps < step->start_ps)
			step->end_ps = step->start_ps;
		from_ps = step->end_ps;
	}
}

/* The one of the same family before the last; NULL: none. */
static const struct tp_torch_step *
before_last(const struct engine *e)
{
	for (uint32_t i = e->count - 1; i-- > 0;) {
		if (e->steps[i].family == e->steps[e->count - 1].family)
			return &e->steps[i];
	}
	return NULL;
}

/* Leaves out a last iteration that the capture cuts. */
static uint32_t
trim(struct engine *e)
{
	const struct tp_torch_step *before = e->count > 1 ? before_last(e) : NULL;

	if (before == NULL || e->steps[e->count - 1].work_count >= WHOLE_SHARE * before->work_count)
		return 0;
	e->count--;
	return 1;
}

static double
share_of_work(const struct making *m, const struct engine *engines, uint32_t count)
{
	double inside = 0, all = 0;

	for (uint32_t w = 0; w < m->t->count; w++) {
		if (!tp_torch_is_work(m->t->kind[w]))
			continue;
		all += (double)tp_torch_duration_ps(m->t, w);
		for (uint32_t i = 0; i < count; i++) {
			if (engines[i].step_of_work[w] != TP_NONE) {
				inside += (double)tp_torch_duration_ps(m->t, w);
				break;
			}
		}
	}
	return all > 0 ? inside / all : NAN;
}

/* Without device work: of the time in which the thread is in an operator, that within steps. */
static double
share_of_thread(const struct making *m, const struct engine *e)
{
	const struct tp_torch_lane *lane = &m->t->lanes[e->from->lane];
	int64_t until = INT64_MIN;
	double inside = 0, all = 0;

	for (uint32_t i = lane->first; i < lane->first + lane->count; i++) {
		int64_t from = tp_torch_start_ps(m->t, i) > until ? tp_torch_start_ps(m->t, i) : until;
		int64_t to = tp_torch_end_ps(m->t, i);
		uint32_t behind;

		if (m->t->kind[i] != TP_TORCH_OPERATOR || to <= from)
			continue;
		all += (double)(to - from);
		inside += step_around(e, from, to, &behind) != TP_NONE ? (double)(to - from) : 0;
		until = to;
	}
	return all > 0 ? inside / all : 1;
}

/* The mean over families, by how much time they take. */
static double
regularity(const struct making *m, const struct engine *e)
{
	double *values = tp_new_array(m->scratch, double, e->count), sum = 0, weights = 0;

	for (uint32_t f = 0; f < m->found->family_count; f++) {
		double total = 0;
		size_t n = 0;

		for (uint32_t i = 0; i < e->count; i++) {
			if (e->steps[i].family != f)
				continue;
			values[n] = (double)(e->steps[i].end_ps - e->steps[i].start_ps);
			total += values[n++];
		}
		double usual = n != 0 ? tp_stats_of(values, n, m->scratch).p50 : 0;

		for (size_t i = 0; i < n; i++)
			values[i] = fabs(values[i] - usual);
		sum += usual > 0 ? total * fmax(0, 1 - tp_stats_of(values, n, m->scratch).p50 / usual) : 0;
		weights += total;
	}
	return weights > 0 ? sum / weights : 0;
}

/* The only number in a name, as of "train 17"; empty: it has none, or several. */
static struct tp_slice
only_number(struct tp_slice name)
{
	struct tp_slice found = {NULL, 0};

	for (size_t i = 0; i < name.len; i++) {
		if (!isdigit((unsigned char)name.ptr[i]))
			continue;
		if (found.len != 0 && found.ptr + found.len != name.ptr + i)
			return (struct tp_slice){NULL, 0};
		if (found.len == 0)
			found.ptr = name.ptr + i;
		found.len++;
	}
	return found;
}

/* Numbers as texts, by their worth. */
static bool
is_greater(struct tp_slice a, struct tp_slice b)
{
	return a.len != b.len ? a.len > b.len : tp_slice_cmp(a, b) > 0;
}

/* Steps are called by the number that their annotations count up, else by their own. */
static void
name_steps(const struct making *m, struct engine *e)
{
	bool counted = e->count == e->from->count;
	struct tp_slice last = {NULL, 0};

	for (uint32_t i = 0; i < e->count; i++) {
		uint32_t event = e->count == e->from->count ? e->from->list[i].event : TP_NONE;
		struct tp_slice number = event != TP_NONE ? only_number(tp_torch_name(m->p, m->t, event))
												  : (struct tp_slice){NULL, 0};

		e->steps[i].name = number;
		counted &= number.len != 0 && is_greater(number, last);
		last = number;
	}
	for (uint32_t i = 0; i < e->count && !counted; i++)
		e->steps[i].name = tp_arena_printf(m->keep, "%u", i);
}

static void
keep_lanes(const struct making *m, struct tp_torch_trace_steps *out, const struct engine *engines)
{
	struct tp_torch_lane_steps *lanes =
		tp_new_array(m->keep, struct tp_torch_lane_steps, m->found->engine_count);

	for (uint32_t i = 0; i < m->found->engine_count; i++)
		lanes[i] = (struct tp_torch_lane_steps){
			engines[i].from->lane, engines[i].steps, engines[i].count, engines[i].step_of_work};
	out->lanes = lanes;
	out->lane_count = m->found->engine_count;
}

static void
fill(const struct making *m, struct tp_torch_trace_steps *out)
{
	struct engine *engines = tp_new_array(m->scratch, struct engine, m->found->engine_count);
	struct engine *first = &engines[0];

	for (uint32_t i = 0; i < m->found->engine_count; i++) {
		engines[i] = engine_of(m, &m->found->engines[i]);
		if (!m->found->on_device)
			find_unmarked(m, &engines[i]);
		reach_devices(m, &engines[i]);
		extend(&engines[i]);
		name_steps(m, &engines[i]);
	}
	out->seen = first->from->seen + first->count - first->from->count;
	out->trimmed = trim(first);
	for (uint32_t i = 0; i < first->count; i++) {
		out->unmarked += first->steps[i].unmarked;
		out->on_device |= first->steps[i].work_count != 0;
	}
	out->steps = first->steps;
	out->count = first->count;
	keep_lanes(m, out, engines);
	out->covered = share_of_work(m, engines, m->found->engine_count);
	if (!isfinite(out->covered))
		out->covered = first->from->lane != TP_NONE ? share_of_thread(m, first) : 0;
	out->regular = regularity(m, first);
	out->confidence = out->covered * out->regular * m->found->enough * m->found->separated;
}

const struct tp_torch_trace_steps *
tp_torch_engine_steps(const struct tp_profile *p, const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, struct tp_arena *keep, struct tp_arena *scratch)
{
	struct tp_torch_iterations found = tp_torch_iterations_of(p, t, NULL, keep, scratch);
	struct tp_torch_trace_steps *out = tp_new(keep, struct tp_torch_trace_steps);
	struct making m = {p, t, links, &found, keep, scratch};

	if (found.from == TP_TORCH_FROM_NOTHING || !found.named)
		return NULL;
	fill(&m, out);
	out->from = found.from;
	out->iterations = found;
	return tp_torch_steps_serve(out) ? out : NULL;
}

bool
tp_torch_iteration_steps(const struct tp_profile *p, const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, const char *wish, struct tp_torch_trace_steps *out,
	struct tp_arena *keep, struct tp_arena *scratch)
{
	struct tp_torch_trace_steps before = *out;

	for (int way = 0; way < (wish != NULL ? 1 : 2); way++) {
		struct tp_torch_iterations found = way == 0
			? tp_torch_iterations_of(p, t, wish, keep, scratch)
			: tp_torch_repeats_of(p, t, links, keep, scratch);
		struct making m = {p, t, links, &found, keep, scratch};

		if (found.from == TP_TORCH_FROM_NOTHING)
			continue;
		fill(&m, out);
		out->from = found.from;
		out->iterations = found;
		if (found.named || found.chosen ||
			out->confidence >=
				(found.from == TP_TORCH_FROM_KERNELS ? TP_TORCH_KERNELS_SURE : TP_TORCH_SURE))
			return true;
		*out = before;
	}
	return false;
}

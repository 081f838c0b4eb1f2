/* Iterations by the order of kernels: units from device work, segments to iterations, and their families. */
#include "analyze/torch_steps/torch_repeats.h"

#include "analyze/core/stats.h"
#include "analyze/facts/kernel_family.h"
#include "analyze/facts/kernel_name.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "analyze/torch_steps/torch_kernel_look.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/order.h"
#include "base/texts.h"
#include "model/profile.h"
#include "model/torch.h"

#include <math.h>
#include <stdlib.h>

struct work {
	uint32_t event;
	int64_t start_ps;
};

TP_ORDER(by_start, struct work, TP_UP(start_ps), TP_UP(event));

struct making {
	const struct tp_profile *p;
	const struct tp_torch_trace *t;
	const struct tp_torch_correlation *links;
	struct tp_arena *keep, *scratch;
};

/* Device work of one GPU, or of that what one thread launched; in order. */
static struct work *
works_of(const struct making *m, uint32_t gpu, uint32_t thread, uint32_t *count)
{
	struct work *works = tp_new_array(m->scratch, struct work, m->t->work_count);

	*count = 0;
	for (uint32_t l = 0; l < m->t->lane_count; l++) {
		const struct tp_torch_lane *lane = &m->t->lanes[l];

		if (lane->kind != TP_TORCH_LANE_STREAM || lane->gpu != gpu)
			continue;
		for (uint32_t e = lane->first; e < lane->first + lane->count; e++) {
			uint32_t call = m->links->call[e];

			if (tp_torch_is_work(m->t->kind[e]) && *count < m->t->work_count &&
				(thread == TP_NONE || (call != TP_NONE && tp_torch_lane_of(m->t, call) == thread)))
				works[(*count)++] = (struct work){e, tp_torch_start_ps(m->t, e)};
		}
	}
	qsort(works, *count, sizeof *works, by_start);
	return works;
}

/* The graph that a piece of work is part of, 0: none; ROCm gives works no id of it, but its launch says so. */
static uint64_t
graph_of(const struct making *m, uint32_t event)
{
	uint32_t call = m->links->call[event];

	if (call != TP_NONE && tp_slice_has(tp_torch_name(m->p, m->t, call), TP_S("GraphLaunch")))
		return (uint64_t)call + 1;
	if (call != TP_NONE || m->t->detail[event] == TP_NONE)
		return 0;
	uint64_t graph = m->t->works[m->t->detail[event]].graph;

	return graph != 0 ? graph | 1ull << 63 : 0;
}

static uint64_t
shape_of(const struct tp_torch_trace *t, uint32_t event)
{
	uint32_t launch = t->detail[event] != TP_NONE ? t->works[t->detail[event]].launch : TP_NONE;

	return tp_hash_pair(tp_torch_op(t, event), launch);
}

/* Units, and which of them each work is in. Work of a graph may lie between that of others. */
static struct tp_launch_unit *
units_of(const struct making *m, const struct work *works, uint32_t count, uint32_t *unit_of,
	uint32_t *unit_count)
{
	struct tp_launch_unit *units = tp_new_array(m->scratch, struct tp_launch_unit, count);
	struct tp_map graphs;

	*unit_count = 0;
	tp_map_init(&graphs, m->scratch);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t e = works[i].event;
		uint64_t graph = graph_of(m, e);
		uint32_t at = graph != 0 ? tp_map_get(&graphs, graph) : TP_MAP_NONE;

		/* Without a launch only neighbours are known to be of the same one. */
		if (at == TP_MAP_NONE || (m->links->call[e] == TP_NONE && at + 1 != *unit_count)) {
			at = (*unit_count)++;
			units[at] = (struct tp_launch_unit){
				.start_ps = works[i].start_ps, .end_ps = works[i].start_ps, .graph = graph != 0};
			if (graph != 0)
				tp_map_put(&graphs, graph, at);
		}
		struct tp_launch_unit *u = &units[at];

		u->key += tp_hash_pair(tp_torch_op(m->t, e), 1);
		u->shape += shape_of(m->t, e);
		u->work++;
		u->end_ps = tp_torch_end_ps(m->t, e) > u->end_ps ? tp_torch_end_ps(m->t, e) : u->end_ps;
		unit_of[i] = at;
	}
	return units;
}

/* Segments that are alike: the same order of names; then about as long, and with graphs or without. */
struct kind {
	uint64_t key;
	uint32_t count, units, family;
	uint32_t number, first_segment;
	bool graph;
	double busy_ps; /* of the first of them */
};

static struct kind
kind_of(const struct tp_launch_unit *units, uint32_t first, uint32_t end)
{
	struct kind k = {.units = end - first};

	for (uint32_t u = first; u < end; u++) {
		k.key = tp_hash_pair(k.key, units[u].key);
		k.graph |= units[u].graph;
		k.busy_ps += (double)(units[u].end_ps - units[u].start_ps);
	}
	return k;
}

#define LIKE_UNITS 0.15
#define LIKE_TIME 1.5

static bool
alike(const struct kind *a, const struct kind *b)
{
	return a->graph == b->graph &&
		fabs((double)a->units - (double)b->units) <= LIKE_UNITS * (double)b->units &&
		a->busy_ps <= LIKE_TIME * b->busy_ps && b->busy_ps <= LIKE_TIME * a->busy_ps;
}

TP_ORDER_POINTERS(by_count, struct kind, TP_DOWN(count), TP_UP(units), TP_AS_THEY_STAND);

/* What a GPU's iterations are found in. */
struct stream {
	const struct work *works;
	const uint32_t *unit_of; /* by work */
	uint32_t work_count;
	const struct tp_launch_unit *units;
	struct tp_repeats repeats;
};

/* The segment that a work is in; TP_NONE: none. */
static uint32_t
segment_of(const struct stream *s, uint32_t work)
{
	size_t behind =
		TP_FIRST_WHERE(k, (size_t)s->repeats.count + 1, s->repeats.first[k] > s->unit_of[work]);

	return behind != 0 && behind <= s->repeats.count ? (uint32_t)behind - 1 : TP_NONE;
}

/* What each kind looks like, by the first segment of it. */
static const struct tp_kernel_look *
looks_of(const struct making *m, const struct stream *s, const struct kind *kinds, uint32_t count,
	const uint32_t *kind_of_segment)
{
	struct tp_kernel_looks looks = {.p = m->p,
		.t = m->t,
		.all = tp_new_array(m->scratch, struct tp_kernel_launches, s->work_count),
		.room = s->work_count};

	for (uint32_t i = 0; i < s->work_count; i++) {
		uint32_t segment = segment_of(s, i);

		if (segment != TP_NONE && kinds[kind_of_segment[segment]].first_segment == segment)
			tp_kernel_looks_add(&looks, kind_of_segment[segment], s->works[i].event);
	}
	return tp_kernel_looks_of(&looks, count, m->scratch);
}

/* Families of kinds that are alike, those that occur most often first. look: by family, that of the kind that made it. */
struct families {
	uint32_t count;
	const struct tp_kernel_look *look[TP_TORCH_FAMILIES];
};

static uint32_t
family_like(
	struct kind **order, uint32_t at, const struct tp_kernel_look *looks, const struct families *f)
{
	for (uint32_t k = 0; k < at; k++) {
		if (alike(order[at], order[k]) &&
			tp_kernel_looks_alike(&looks[order[at]->number], f->look[order[k]->family]))
			return order[k]->family;
	}
	return TP_NONE;
}

/* Gives each segment's kind a family. */
static struct families
find_families(
	const struct making *m, const struct stream *s, struct kind *kinds, uint32_t *kind_of_segment)
{
	const struct tp_repeats *r = &s->repeats;
	struct tp_map numbers;
	struct kind **order = tp_new_array(m->scratch, struct kind *, r->count);
	struct families f = {0};
	uint32_t count = 0;

	tp_map_init(&numbers, m->scratch);
	for (uint32_t i = 0; i < r->count; i++) {
		struct kind k = kind_of(s->units, r->first[i], r->first[i + 1]);

		if (tp_map_number(&numbers, k.key, &kind_of_segment[i])) {
			k.number = count;
			k.first_segment = i;
			kinds[count] = k;
			order[count] = &kinds[count];
			count++;
		}
		kinds[kind_of_segment[i]].count++;
	}
	const struct tp_kernel_look *looks = looks_of(m, s, kinds, count, kind_of_segment);

	qsort(order, count, sizeof(struct kind *), by_count);
	for (uint32_t i = 0; i < count; i++) {
		order[i]->family = family_like(order, i, looks, &f);
		if (order[i]->family != TP_NONE)
			continue;
		order[i]->family = f.count < TP_TORCH_FAMILIES ? f.count : TP_TORCH_FAMILIES - 1;
		if (f.count < TP_TORCH_FAMILIES)
			f.look[f.count++] = &looks[order[i]->number];
	}
	return f;
}

/* Whether kernels are those of training, and whether any is of attention, by their names. */
static void
look_at_names(const struct making *m, bool *trains, bool *attends)
{
	bool *seen = tp_new_array(m->scratch, bool, m->p->op_count);

	for (uint32_t e = 0; e < m->t->count; e++) {
		if (m->t->kind[e] != TP_TORCH_KERNEL || seen[tp_torch_op(m->t, e)])
			continue;
		seen[tp_torch_op(m->t, e)] = true;
		struct tp_slice name = tp_torch_name(m->p, m->t, e);

		*trains |= tp_texts_any(name, tp_slice_has,
			TP_TEXTS("multi_tensor_apply", "adam", "Adam", "backward", "Backward", "_bwd", "dgrad",
				"wgrad"));
		*attends |= tp_slice_eq(
			tp_kernel_family_in(tp_kernel_short_name(name, m->scratch), name), TP_S("Attention"));
	}
}

static const char *
why_no_phase(const struct tp_torch_iterations *out)
{
	for (uint32_t i = 0; i < out->family_count; i++) {
		if (out->families[i].guessed)
			return NULL;
	}
	return "nothing tells prefill from decode: neither names of attention, nor how much kernels work on, "
		   "nor how long they take";
}

static void
name_families(const struct making *m, struct tp_torch_iterations *out, const struct families *f,
	const double *median_ps)
{
	bool trains = false, attends = false;

	look_at_names(m, &trains, &attends);
	if (!trains && attends && out->family_count > 1)
		tp_kernel_looks_name(out, f->look, median_ps);
	out->no_phase = trains ? "they are those of training"
		: !attends ? "none is known by its name as one of attention, which inference engines run"
				   : why_no_phase(out);
	for (uint32_t i = 0; i < out->family_count; i++) {
		struct tp_torch_family *family = &out->families[i];

		if (!family->guessed)
			family->name = out->family_count == 1
				? (trains ? TP_S("Step") : TP_S("Iteration"))
				: tp_arena_printf(m->keep, "%s %c", trains ? "Step" : "Iteration", (int)('A' + i));
	}
}

static double
median_of(const struct making *m, const struct tp_torch_engine *e, uint32_t family)
{
	double *values = tp_new_array(m->scratch, double, e->count);
	size_t n = 0;

	for (uint32_t i = 0; i < e->count; i++) {
		if (e->list[i].family == family)
			values[n++] = (double)(e->list[i].end_ps - e->list[i].start_ps);
	}
	return tp_stats_of(values, n, m->scratch).p50;
}

static struct tp_torch_engine
iterations_of(const struct making *m, const struct stream *s, struct tp_torch_iterations *out,
	struct families *of_first)
{
	const struct tp_launch_unit *units = s->units;
	const struct tp_repeats *r = &s->repeats;
	bool first = out->engine_count == 1;
	struct kind *kinds = tp_new_array(m->scratch, struct kind, r->count);
	uint32_t *kind = tp_new_array(m->scratch, uint32_t, r->count);
	struct families families = find_families(m, s, kinds, kind);
	struct tp_torch_engine e = {.lane = TP_NONE,
		.list = tp_new_array(m->keep, struct tp_torch_iteration, r->count),
		.count = r->count,
		.seen = r->count};

	if (first) {
		out->family_count = families.count;
		*of_first = families;
	}
	for (uint32_t i = 0; i < r->count; i++) {
		uint32_t family = kinds[kind[i]].family;

		e.list[i] = (struct tp_torch_iteration){.start_ps = units[r->first[i]].start_ps,
			.end_ps = units[r->first[i]].end_ps,
			.family = family < out->family_count ? family : out->family_count - 1,
			.event = TP_NONE,
			.says = {NULL, TP_ITERATION_UNKNOWN, -1, -1, -1, -1}};
		for (uint32_t u = r->first[i]; u < r->first[i + 1]; u++)
			e.list[i].end_ps =
				units[u].end_ps > e.list[i].end_ps ? units[u].end_ps : e.list[i].end_ps;
		out->families[e.list[i].family].count += first;
	}
	return e;
}

/* What is looked at together: a GPU, or what a thread launches on it. */
struct source {
	uint32_t gpu, thread, works;
};

TP_ORDER(by_works, struct source, TP_DOWN(works), TP_UP(gpu), TP_UP(thread));

static void
add_source(struct source *all, uint32_t *n, uint32_t gpu, uint32_t thread)
{
	for (uint32_t i = 0; i < *n; i++) {
		if (all[i].gpu == gpu && all[i].thread == thread) {
			all[i].works++;
			return;
		}
	}
	all[(*n)++] = (struct source){gpu, thread, 1};
}

enum { MOST_SOURCES = 64 };

static uint32_t
sources_of(const struct making *m, bool by_thread, struct source *all)
{
	uint32_t n = 0;

	for (uint32_t l = 0; l < m->t->lane_count; l++) {
		const struct tp_torch_lane *lane = &m->t->lanes[l];

		for (uint32_t e = lane->first;
			 lane->kind == TP_TORCH_LANE_STREAM && e < lane->first + lane->count; e++) {
			uint32_t call = m->links->call[e];

			if (n < MOST_SOURCES && tp_torch_is_work(m->t->kind[e]) &&
				!(by_thread && call == TP_NONE))
				add_source(all, &n, lane->gpu, by_thread ? tp_torch_lane_of(m->t, call) : TP_NONE);
		}
	}
	qsort(all, n, sizeof *all, by_works);
	return n;
}

/* Which iteration each piece of device work is in. */
static const uint32_t *
assign_work(const struct making *m, const struct stream *s)
{
	uint32_t *of_work = tp_new_array(m->keep, uint32_t, m->t->count);

	memset(of_work, 0xff, m->t->count * sizeof *of_work);
	for (uint32_t i = 0; i < s->work_count; i++)
		of_work[s->works[i].event] = segment_of(s, i);
	return of_work;
}

/* False: what runs there does not repeat surely enough. */
static bool
add_engine(const struct making *m, const struct source *from, struct tp_torch_iterations *out,
	struct tp_torch_engine *engines, struct families *of_first)
{
	struct stream s = {0};
	uint32_t unit_count;

	s.works = works_of(m, from->gpu, from->thread, &s.work_count);
	uint32_t *unit_of = tp_new_array(m->scratch, uint32_t, s.work_count);

	s.units = units_of(m, s.works, s.work_count, unit_of, &unit_count);
	s.unit_of = unit_of;
	s.repeats = tp_repeats_of(s.units, unit_count, m->keep, m->scratch);
	const struct tp_repeats *r = &s.repeats;

	if (r->count == 0 || r->separated * r->recurring * (1 - 1.0 / r->count) < TP_TORCH_KERNELS_SURE)
		return false;
	struct tp_torch_engine *engine = &engines[out->engine_count++];

	*engine = iterations_of(m, &s, out, of_first);
	engine->lane = from->thread;
	engine->of_work = assign_work(m, &s);
	if (out->engine_count == 1) {
		out->separated = r->separated * r->recurring;
		out->enough = 1 - 1.0 / r->count;
	}
	return true;
}

static void
search(const struct making *m, bool by_thread, struct tp_torch_iterations *out,
	struct families *of_first)
{
	struct source sources[MOST_SOURCES];
	uint32_t n = sources_of(m, by_thread, sources);
	struct tp_torch_engine *engines = tp_new_array(m->keep, struct tp_torch_engine, n);

	for (uint32_t i = 0; i < n; i++) {
		if (!add_engine(m, &sources[i], out, engines, of_first) && i == 0)
			break;
	}
	out->engines = engines;
}

/* Whether what most launches ran was recorded. While graphs are captured launches run nothing, and what runs between says nothing. */
static bool
most_is_recorded(const struct making *m)
{
	bool *ran = tp_new_array(m->scratch, bool, m->t->count);
	uint32_t launches = 0, with_work = 0;

	for (uint32_t e = 0; e < m->t->count; e++) {
		if (tp_torch_is_work(m->t->kind[e]) && m->links->call[e] != TP_NONE)
			ran[m->links->call[e]] = true;
	}
	for (uint32_t e = 0; e < m->t->count; e++) {
		if (!tp_torch_is_call(m->t->kind[e]) ||
			!tp_slice_has(tp_torch_name(m->p, m->t, e), TP_S("Launch")))
			continue;
		launches++;
		with_work += ran[e];
	}
	return 2 * with_work >= launches;
}

struct tp_torch_iterations
tp_torch_repeats_of(const struct tp_profile *p, const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, struct tp_arena *keep, struct tp_arena *scratch)
{
	struct tp_torch_iterations out = {.separated = 1, .on_device = true};
	struct making m = {p, t, links, keep, scratch};
	double median_ps[TP_TORCH_FAMILIES] = {0};
	struct families families = {0};

	if (!most_is_recorded(&m))
		return out;
	search(&m, false, &out, &families);
	if (out.engine_count == 0)
		search(&m, true, &out, &families);
	if (out.engine_count == 0)
		return out;
	out.from = TP_TORCH_FROM_KERNELS;
	for (uint32_t f = 0; f < out.family_count; f++)
		median_ps[f] = median_of(&m, &out.engines[0], f);
	name_families(&m, &out, &families, median_ps);
	return out;
}

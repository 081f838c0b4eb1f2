/* Iterations by the order of kernels: of each GPU, or of each thread that launches on one. */
#include "analyze/torch_steps/torch_repeats.h"

#include "analyze/core/stats.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "analyze/torch_steps/torch_kernel_families.h"
#include "analyze/torch_steps/torch_kernel_units.h"
#include "base/arena.h"
#include "base/order.h"
#include "model/profile.h"
#include "model/torch.h"

#include <stdlib.h>

static double
median_of(const struct tp_kernel_search *m, const struct tp_torch_engine *e, uint32_t family)
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
iterations_of(const struct tp_kernel_search *m, const struct tp_kernel_stream *s,
	struct tp_torch_iterations *out, struct tp_kernel_families *of_first)
{
	const struct tp_launch_unit *units = s->units;
	const struct tp_repeats *r = &s->repeats;
	bool first = out->engine_count == 1;
	uint32_t *of_segment = tp_new_array(m->scratch, uint32_t, r->count);
	struct tp_kernel_families families = tp_kernel_families_of(m, s, of_segment);
	struct tp_torch_engine e = {.lane = TP_NONE,
		.list = tp_new_array(m->keep, struct tp_torch_iteration, r->count),
		.count = r->count,
		.seen = r->count};

	if (first) {
		out->family_count = families.count;
		*of_first = families;
	}
	for (uint32_t i = 0; i < r->count; i++) {
		uint32_t family = of_segment[i];

		e.list[i] = (struct tp_torch_iteration){.start_ps = units[r->first[i]].start_ps,
			.end_ps = units[r->first[i]].end_ps,
			.family = family < out->family_count ? family : out->family_count - 1,
			.event = TP_NONE,
			.says = {NULL, TP_ITERATION_UNKNOWN, -1, -1, -1, -1, false}};
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
sources_of(const struct tp_kernel_search *m, bool by_thread, struct source *all)
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
assign_work(const struct tp_kernel_search *m, const struct tp_kernel_stream *s)
{
	uint32_t *of_work = tp_new_array(m->keep, uint32_t, m->t->count);

	memset(of_work, 0xff, m->t->count * sizeof *of_work);
	for (uint32_t i = 0; i < s->work_count; i++)
		of_work[s->works[i].event] = tp_kernel_segment(s, i);
	return of_work;
}

/* False: what runs there does not repeat surely enough. */
static bool
add_engine(const struct tp_kernel_search *m, const struct source *from,
	struct tp_torch_iterations *out, struct tp_torch_engine *engines,
	struct tp_kernel_families *of_first)
{
	struct tp_kernel_stream s = tp_kernel_stream_of(m, from->gpu, from->thread);
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
search(const struct tp_kernel_search *m, bool by_thread, struct tp_torch_iterations *out,
	struct tp_kernel_families *of_first)
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
most_is_recorded(const struct tp_kernel_search *m)
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
	struct tp_kernel_search m = {p, t, links, keep, scratch};
	double median_ps[TP_TORCH_FAMILIES] = {0};
	struct tp_kernel_families families = {0};

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
	tp_kernel_families_name(&m, &out, &families, median_ps);
	return out;
}

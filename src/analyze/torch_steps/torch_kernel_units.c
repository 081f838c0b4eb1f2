/* Units of device work: a kernel, a copy, or all of a graph's launch. */
#include "analyze/torch_steps/torch_kernel_units.h"

#include "analyze/torch_steps/torch_correlation.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/order.h"
#include "model/profile.h"
#include "model/torch.h"

#include <stdlib.h>

TP_ORDER(by_start, struct tp_kernel_work, TP_UP(start_ps), TP_UP(event));

/* Device work of one GPU, or of that what one thread launched; in order. */
static struct tp_kernel_work *
works_of(const struct tp_kernel_search *m, uint32_t gpu, uint32_t thread, uint32_t *count)
{
	struct tp_kernel_work *works =
		tp_new_array(m->scratch, struct tp_kernel_work, m->t->work_count);

	*count = 0;
	for (uint32_t l = 0; l < m->t->lane_count; l++) {
		const struct tp_torch_lane *lane = &m->t->lanes[l];

		if (lane->kind != TP_TORCH_LANE_STREAM || lane->gpu != gpu)
			continue;
		for (uint32_t e = lane->first; e < lane->first + lane->count; e++) {
			uint32_t call = m->links->call[e];

			if (tp_torch_is_work(m->t->kind[e]) && *count < m->t->work_count &&
				(thread == TP_NONE || (call != TP_NONE && tp_torch_lane_of(m->t, call) == thread)))
				works[(*count)++] = (struct tp_kernel_work){e, tp_torch_start_ps(m->t, e)};
		}
	}
	qsort(works, *count, sizeof *works, by_start);
	return works;
}

/* The graph that a piece of work is part of, 0: none; ROCm gives works no id of it, but its launch says so. */
static uint64_t
graph_of(const struct tp_kernel_search *m, uint32_t event)
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
units_of(const struct tp_kernel_search *m, const struct tp_kernel_work *works, uint32_t count,
	uint32_t *unit_of, uint32_t *unit_count)
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

struct tp_kernel_stream
tp_kernel_stream_of(const struct tp_kernel_search *m, uint32_t gpu, uint32_t thread)
{
	struct tp_kernel_stream s = {0};
	uint32_t unit_count;

	s.works = works_of(m, gpu, thread, &s.work_count);
	uint32_t *unit_of = tp_new_array(m->scratch, uint32_t, s.work_count);

	s.units = units_of(m, s.works, s.work_count, unit_of, &unit_count);
	s.unit_of = unit_of;
	s.repeats = tp_repeats_of(s.units, unit_count, m->keep, m->scratch);
	return s;
}

uint32_t
tp_kernel_segment(const struct tp_kernel_stream *s, uint32_t work)
{
	size_t behind =
		TP_FIRST_WHERE(k, (size_t)s->repeats.count + 1, s->repeats.first[k] > s->unit_of[work]);

	return behind != 0 && behind <= s->repeats.count ? (uint32_t)behind - 1 : TP_NONE;
}

/* What ran when in a step: a process for each device, its runs in as few lanes as hold them, arrows from device to device. */
#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"
#include "io/sink.h"
#include "model/tfprof_times.h"
#include "tfprof/lanes.h"
#include "tfprof/timeline.h"
#include "tfprof/timeline_memory.h"
#include "tfprof/trace.h"

#include <stdlib.h>

struct run {
	struct tp_slice device;
	int64_t start_us, us;
	uint32_t node, place; /* place: in the order of the rows */
	uint32_t pid, lane;
	uint32_t first_arrow, arrow_count; /* in arrows, when these are in order */
};

struct arrow {
	uint32_t from, to; /* runs */
	uint32_t place;
};

struct timeline {
	const struct tp_tfprof *tfprof;
	const struct tp_tfprof_view *view;
	int64_t step;
	struct tp_arena *scratch;
	struct tp_strings devices; /* id - 1: the process, the empty string having 0 */
	struct run *runs;
	size_t run_count;
	struct tp_buf arrows;
};

TP_ORDER(by_start, struct run, tp_slice_cmp(a->device, b->device), TP_UP(start_us), TP_UP(place));
TP_ORDER(by_lane, struct run, TP_UP(pid), TP_UP(lane), TP_UP(start_us));
TP_ORDER(by_source, struct arrow, TP_UP(from), TP_UP(place));

/* Of runs that start together on a device the first stays, as in tfprof. */
static void
collect(struct timeline *l)
{
	struct tp_buf all = {0}, times = {0};

	tp_strings_init(&l->devices, l->scratch);
	for (uint32_t i = 1; i < l->view->count; i++) {
		uint32_t node = l->view->rows[i].node;

		if (!tp_tfprof_is_timed(&l->tfprof->nodes[node], l->step))
			continue;
		tp_tfprof_times(&l->tfprof->nodes[node], l->step, &times);
		const struct tp_tfprof_time *time = times.data;

		for (size_t k = 0; k < times.count; k++)
			*tp_buf_new(&all, struct run) = (struct run){
				.device = time[k].device,
				.start_us = time[k].start_us,
				.us = time[k].us,
				.node = node,
				.place = (uint32_t)all.count,
				.pid = tp_intern(&l->devices, time[k].device) - 1,
			};
	}
	struct run *run = all.data;

	if (all.count != 0)
		qsort(run, all.count, sizeof *run, by_start);
	for (size_t i = 0; i < all.count; i++) {
		const struct run *last = l->run_count != 0 ? &run[l->run_count - 1] : NULL;

		if (last == NULL || last->pid != run[i].pid || last->start_us != run[i].start_us)
			run[l->run_count++] = run[i];
	}
	all.count = l->run_count;
	l->runs = tp_buf_settle(&all, sizeof *run, l->scratch);
	tp_buf_free(&times);
}

static size_t
find(const struct timeline *l, struct tp_slice device, int64_t start_us)
{
	size_t i = TP_FIRST_WHERE(at, l->run_count,
		(tp_slice_cmp(l->runs[at].device, device)
				?: (l->runs[at].start_us > start_us) - (l->runs[at].start_us < start_us)) >= 0);

	return i < l->run_count && tp_slice_eq(l->runs[i].device, device) &&
			l->runs[i].start_us == start_us
		? i
		: SIZE_MAX;
}

/* From each run of what it takes on another device. */
static void
draw_arrows(struct timeline *l, size_t to, struct tp_buf *inputs, struct tp_buf *times)
{
	const struct run *run = &l->runs[to];

	tp_tfprof_inputs(l->tfprof, &l->tfprof->nodes[run->node], inputs);
	const struct tp_tfprof_input *input = inputs->data;

	for (size_t i = 0; i < inputs->count; i++) {
		uint32_t node = input[i].node;

		if (node == TP_MAP_NONE || !l->view->accounted[node] ||
			!tp_tfprof_is_timed(&l->tfprof->nodes[node], l->step))
			continue;
		tp_tfprof_times(&l->tfprof->nodes[node], l->step, times);
		const struct tp_tfprof_time *time = times->data;

		for (size_t k = 0; k < times->count; k++) {
			size_t from = time[k].on_cpu && tp_tfprof_is_whole_device(time[k].device) &&
					!tp_slice_eq(time[k].device, run->device)
				? find(l, time[k].device, time[k].start_us)
				: SIZE_MAX;

			if (from != SIZE_MAX)
				*tp_buf_new(&l->arrows, struct arrow) =
					(struct arrow){(uint32_t)from, (uint32_t)to, (uint32_t)l->arrows.count};
		}
	}
}

static void
draw_all_arrows(struct timeline *l)
{
	struct tp_buf inputs = {0}, times = {0};

	for (size_t i = 0; i < l->run_count; i++) {
		if (tp_tfprof_is_whole_device(l->runs[i].device))
			draw_arrows(l, i, &inputs, &times);
	}
	struct arrow *arrow = l->arrows.data;

	if (l->arrows.count != 0)
		qsort(arrow, l->arrows.count, sizeof *arrow, by_source);
	for (size_t i = l->arrows.count; i-- > 0;) {
		l->runs[arrow[i].from].first_arrow = (uint32_t)i;
		l->runs[arrow[i].from].arrow_count++;
	}
	tp_buf_free(&inputs);
	tp_buf_free(&times);
}

/* Runs stand by device and start. */
static void
find_lanes(struct timeline *l)
{
	struct tp_tfprof_lanes lanes = {0};

	for (size_t i = 0; i < l->run_count; i++) {
		struct run *run = &l->runs[i];
		int64_t end_us;

		if (i != 0 && l->runs[i - 1].pid != run->pid)
			tp_tfprof_lanes_clear(&lanes);
		if (__builtin_add_overflow(run->start_us, run->us, &end_us))
			end_us = INT64_MAX;
		run->lane = tp_tfprof_lanes_take(&lanes, run->start_us, end_us);
	}
	tp_tfprof_lanes_free(&lanes);
}

static void
put_runs(const struct timeline *l, const struct run *order, struct tp_tfprof_trace *trace)
{
	for (size_t i = 0; i < l->run_count; i++)
		tp_tfprof_trace_region(trace,
			&(struct tp_tfprof_trace_region){
				.name = l->tfprof->nodes[order[i].node].name,
				.pid = order[i].pid,
				.tid = order[i].lane,
				.start_us = order[i].start_us,
				.us = order[i].us,
			});
}

static void
put_arrows(const struct timeline *l, const struct run *order, struct tp_tfprof_trace *trace)
{
	const struct arrow *arrows = l->arrows.data;
	int64_t id = 1;

	for (size_t i = 0; i < l->run_count; i++) {
		const struct run *from = &order[i];
		struct tp_slice name = l->tfprof->nodes[from->node].name;

		for (uint32_t k = 0; k < from->arrow_count; k++, id++) {
			const struct run *to = &l->runs[arrows[from->first_arrow + k].to];

			tp_tfprof_trace_flow(trace, 's', name, from->pid, from->lane,
				(int64_t)((uint64_t)from->start_us + (uint64_t)from->us), id);
			tp_tfprof_trace_flow(trace, 't', name, to->pid, to->lane, to->start_us, id);
		}
	}
}

void
tp_tfprof_put_graph_timeline(const struct tp_tfprof *t, const struct tp_tfprof_view *view,
	int64_t step, struct tp_sink *out, struct tp_sink *said)
{
	struct timeline l = {.tfprof = t, .view = view, .step = step, .scratch = tp_arena_new()};
	struct tp_tfprof_trace trace;

	collect(&l);
	draw_all_arrows(&l);
	find_lanes(&l);
	struct run *order = tp_new_array(l.scratch, struct run, l.run_count);

	if (l.run_count != 0) {
		memcpy(order, l.runs, l.run_count * sizeof *order);
		qsort(order, l.run_count, sizeof *order, by_lane);
	}
	tp_tfprof_trace_open(&trace, out);
	tp_sink_puts(said, "generating trace file.\n");
	for (uint32_t i = 1; i < l.devices.count; i++) {
		bool stream = tp_slice_has(l.devices.text[i], TP_S("stream"));

		tp_tfprof_trace_process(&trace,
			stream ? "Op execution threads: " : "Op scheduling threads: ", l.devices.text[i], "",
			i - 1);
	}
	put_runs(&l, order, &trace);
	struct tp_tfprof_memory *memory =
		tp_tfprof_memory(t, view, step, l.devices.count - 1, l.scratch);

	tp_tfprof_put_memory_processes(memory, &trace);
	put_arrows(&l, order, &trace);
	tp_tfprof_put_memory(memory, &trace, said);
	tp_tfprof_trace_close(&trace);
	tp_buf_free(&l.arrows);
	tp_arena_free(l.scratch);
}

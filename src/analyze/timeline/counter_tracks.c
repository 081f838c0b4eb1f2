/* The counters of each group of a timeline: how busy a device is, what its operations do a second, how much waits for it, and how
 * full memory is. */
#include "analyze/core/pass.h"
#include "analyze/memory/allocators.h"
#include "analyze/ops/op_use.h"
#include "analyze/timeline/counters.h"
#include "analyze/torch/gpus/torch_gpus.h"
#include "analyze/torch/memory/torch_memory.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "base/arena.h"
#include "base/order.h"
#include "base/texts.h"
#include "model/allocator.h"
#include "model/torch.h"
#include "model/tracks.h"

#include <math.h>
#include <stdlib.h>

enum {
	MOST_CELLS = 1 << 14,
	MOST_FINER = 64,
	LEAST_CELLS = 1 << 10,
	COUNTERS_A_GROUP = 4,
	PART_OF_ROOM = 4,
	MOST_STREAMS = 64,
	MOST_COUNTED = 16, /* counters of a process */
};

/* The lines of a group, and its counters so far. */
struct group {
	const struct tp_pass_ctx *ctx;
	const struct tp_timeline_found *t;
	const struct tp_timeline_line *lines;
	size_t line_count;
	uint32_t host, device;
	/* when the host's events begin and end: what is outside was captured elsewhere */
	uint64_t from_ps, until_ps;
	struct tp_arena *keep, *scratch; /* of its own: groups are worked on side by side */
	struct tp_buf *counters;         /* struct tp_timeline_counter */
	uint64_t cells;
};

/* Where nothing changes nothing is kept: a capture that is blank for most of its time has finer cells for as many bytes. */
static struct tp_counter_cells
cells_between(const struct group *g, uint64_t from_ps, uint64_t to_ps)
{
	struct tp_stretch blank = g->t->blank;
	uint64_t cells = g->cells, all_ps = to_ps > from_ps ? to_ps - from_ps : 0, recorded_ps = all_ps;

	blank.from_ps = blank.from_ps > from_ps ? blank.from_ps : from_ps;
	blank.to_ps = blank.to_ps < to_ps ? blank.to_ps : to_ps;
	if (blank.to_ps > blank.from_ps)
		recorded_ps -= blank.to_ps - blank.from_ps;
	for (uint64_t finer = 2; finer <= MOST_FINER && recorded_ps <= all_ps / finer; finer *= 2)
		cells = g->cells * finer;
	return tp_counter_cells(g->scratch, from_ps, to_ps, g->t->high_ps, cells);
}

static struct tp_counter_cells
cells_for(const struct group *g)
{
	return cells_between(g, g->from_ps, g->until_ps);
}

static void
add_from(const struct group *g, const struct tp_counter_cells *cells, struct tp_slice name,
	const char *how, enum tp_unit unit, double least)
{
	struct tp_timeline_counter counter = {.name = name, .how = tp_slice_of(how), .unit = unit};

	if (tp_counter_pack(cells, &counter, g->keep) && counter.top >= least)
		*tp_buf_new(g->counters, struct tp_timeline_counter) = counter;
}

static void
add(const struct group *g, const struct tp_counter_cells *cells, struct tp_slice name,
	const char *how, enum tp_unit unit)
{
	add_from(g, cells, name, how, unit, 0);
}

/* What never holds more is a scalar here and there: beside a device's memory, a row of it would look as full. */
#define LEAST_MEMORY_BYTES 1024

static void
add_memory(const struct group *g, const struct tp_counter_cells *cells, struct tp_slice name,
	const char *how)
{
	add_from(g, cells, name, how, TP_UNIT_BYTES, LEAST_MEMORY_BYTES);
}

static bool
is_copy(const struct tp_profile *p, const struct tp_line *line, uint32_t event)
{
	return tp_texts_any(p->ops[tp_line_op(line, event)].name, tp_slice_starts,
		TP_TEXTS("Memcpy", "Memset", "memcpy", "memset"));
}

/* A stream's next kernel. */
struct stream {
	const struct tp_timeline_line *line;
	uint32_t next;
};

static bool
skip_copies(const struct tp_profile *p, struct stream *s)
{
	while (s->next < s->line->line->count && is_copy(p, s->line->line, s->next))
		s->next++;
	return s->next < s->line->line->count;
}

/* The streams' kernels by start: what any of them covers. */
static void
add_busy(const struct group *g)
{
	struct tp_counter_cells cells = cells_for(g);
	struct stream streams[MOST_STREAMS];
	size_t count = 0;
	uint64_t until_ps = 0;

	for (size_t i = 0; i < g->line_count && count < MOST_STREAMS; i++) {
		streams[count] = (struct stream){&g->lines[i], 0};
		count +=
			g->lines[i].line->kind == TP_LINE_STREAM && skip_copies(g->t->profile, &streams[count]);
	}
	while (count != 0) {
		size_t first = 0;
		struct tp_timeline_place at, other;

		at = tp_timeline_place(streams[0].line, streams[0].next);
		for (size_t i = 1; i < count; i++) {
			other = tp_timeline_place(streams[i].line, streams[i].next);
			if (other.from_ps < at.from_ps) {
				first = i;
				at = other;
			}
		}
		if (at.to_ps > until_ps)
			tp_counter_spread(&cells, at.from_ps > until_ps ? at.from_ps : until_ps, at.to_ps, 1);
		until_ps = at.to_ps > until_ps ? at.to_ps : until_ps;
		streams[first].next++;
		if (!skip_copies(g->t->profile, &streams[first]))
			streams[first] = streams[--count];
	}
	add(g, &cells, TP_S("GPU utilisation"), "share of the time in which a kernel runs",
		TP_UNIT_SHARE);
}

/* Operations that hold no other, spread over the time that they take. */
static bool
has_operations(const struct group *g)
{
	for (size_t k = 0; k < g->line_count; k++) {
		if (g->lines[k].line->kind == TP_LINE_OPS)
			return true;
	}
	return false;
}

/* Bytes of memory; where the profile tells those on the chip apart, these are none of it. */
static double
memory_bytes(const struct tp_op *op)
{
	bool on_chip = op->cmem_read_bytes != 0 || op->cmem_write_bytes != 0 ||
		op->vmem_read_bytes != 0 || op->vmem_write_bytes != 0;

	return (double)(op->hbm_bytes != 0 || on_chip ? op->hbm_bytes : op->bytes);
}

static void
add_rates(const struct group *g)
{
	const struct tp_profile *p = g->t->profile;
	struct tp_counter_cells flops = cells_for(g), bytes = cells_for(g);
	/* What is more is not moved in the operation's own time: it only starts that. */
	double most = TP_MORE_THAN_POSSIBLE * tp_op_peaks(g->ctx).of[TP_PEAK_HBM];

	for (size_t k = 0; k < g->line_count; k++) {
		const struct tp_line *line = g->lines[k].line;
		struct tp_timeline_place at, next = {0};
		struct tp_time_window w;

		tp_line_window(&w, line);
		if (line->count != 0)
			next = tp_timeline_place_in(&g->lines[k], &w, 0);
		for (uint32_t i = 0; i < line->count && line->kind == TP_LINE_OPS; i++) {
			const struct tp_op *op = &p->ops[tp_line_op(line, i)];

			at = next;
			if (i + 1 < line->count)
				next = tp_timeline_place_in(&g->lines[k], &w, i + 1);
			if (!op->has_costs || at.to_ps == at.from_ps ||
				(i + 1 < line->count && next.from_ps < at.to_ps))
				continue;
			double seconds = (double)(at.to_ps - at.from_ps) / 1e12;
			double rate = memory_bytes(op) / seconds;

			tp_counter_spread(&flops, at.from_ps, at.to_ps, (double)op->flops / seconds);
			if (!(most > 0) || rate <= most)
				tp_counter_spread(&bytes, at.from_ps, at.to_ps, rate);
		}
	}
	add(g, &flops, TP_S("Arithmetic"), "mean, as the compiler counts operations' FLOPs",
		TP_UNIT_FLOP_PER_S);
	add(g, &bytes, TP_S("Memory bandwidth"),
		"mean, as the compiler counts operations' bytes; without asynchronous ones",
		TP_UNIT_BYTES_PER_S);
}

/* A change at a time. */
struct change {
	uint64_t at_ps;
	double by;
};
TP_ORDER(by_time, struct change, TP_UP(at_ps), TP_UP(by));

static void
change(struct tp_buf *changes, uint64_t at_ps, double by)
{
	TP_PUSH(changes, struct change, at_ps, by);
}

/* Of PyTorch: ∫ min(1, Σ blocks per SM of running kernels), as the section on GPUs has it. */
static void
add_filled(const struct group *g, struct tp_buf *changes)
{
	struct tp_counter_cells cells = cells_for(g);
	struct change *of = changes->data;
	double sum = 0;
	size_t running = 0;

	if (changes->count == 0)
		return;
	qsort(of, changes->count, sizeof *of, by_time);
	for (size_t i = 0; i < changes->count; i++) {
		if (i != 0 && sum > 0)
			tp_counter_spread(&cells, of[i - 1].at_ps, of[i].at_ps, fmin(1, sum));
		running += of[i].by > 0 ? 1 : -1;
		sum = running == 0 ? 0 : sum + of[i].by;
	}
	add(g, &cells, TP_S("SM efficiency"),
		"mean of blocks per SM of the kernels that run, at most 1", TP_UNIT_SHARE);
}

static void
add_queue(const struct group *g, struct tp_buf *changes)
{
	struct tp_counter_cells cells = cells_for(g);
	struct tp_counter_level level = {.cells = &cells};
	struct change *of = changes->data;
	double waiting = 0;

	if (changes->count == 0)
		return;
	qsort(of, changes->count, sizeof *of, by_time);
	for (size_t i = 0; i < changes->count; i++) {
		waiting += of[i].by;
		tp_counter_level(&level, of[i].at_ps, fmax(0, waiting));
	}
	tp_counter_level_end(&level, g->until_ps);
	add(g, &cells, TP_S("Queue"),
		"max number of kernels and copies that were launched and had not begun", TP_UNIT_COUNT);
}

static uint64_t
time_of(const struct tp_timeline_line *line, int64_t ps)
{
	uint64_t at = (uint64_t)ps + line->shift_ps;

	return at > TP_TIMELINE_LATEST_PS ? (at >> 63 != 0 ? 0 : TP_TIMELINE_LATEST_PS) : at;
}

/* What a stream of the group's device did. */
static void
look_at_stream(const struct group *g, const struct tp_torch_trace *t,
	const struct tp_torch_lane *lane, const uint32_t *call, struct tp_buf *blocks,
	struct tp_buf *queue, struct tp_counter_cells *copies)
{
	const struct tp_timeline_line *line = &g->lines[0];

	for (uint32_t e = lane->first; e < lane->first + lane->count; e++) {
		if (!tp_torch_is_work(t->kind[e]) || t->detail[e] == TP_NONE)
			continue;
		const struct tp_torch_work *work = &t->works[t->detail[e]];
		uint64_t from = time_of(line, tp_torch_start_ps(t, e)),
				 to = time_of(line, tp_torch_end_ps(t, e));
		double share =
			work->launch < t->launch_count ? (double)t->launches[work->launch].blocks_per_sm : NAN;

		if (t->kind[e] == TP_TORCH_KERNEL && share > 0 && to > from) {
			change(blocks, from, share);
			change(blocks, to, -share);
		}
		if (t->kind[e] == TP_TORCH_MEMCPY && work->bytes > 0 && to > from)
			tp_counter_spread(copies, from, to, (double)work->bytes / ((double)(to - from) / 1e12));
		if (call != NULL && call[e] != TP_NONE &&
			tp_torch_start_ps(t, call[e]) <= tp_torch_start_ps(t, e)) {
			change(queue, time_of(line, tp_torch_start_ps(t, call[e])), 1);
			change(queue, from, -1);
		}
	}
}

static void
look_at_trace(const struct group *g, const struct tp_torch_trace *t, const uint32_t *call,
	struct tp_buf *blocks, struct tp_buf *queue, struct tp_counter_cells *copies)
{
	const struct tp_profile *p = g->t->profile;

	for (uint32_t i = 0; i < t->lane_count; i++) {
		if (t->lanes[i].kind == TP_TORCH_LANE_STREAM && t->lanes[i].line < p->line_count &&
			p->lines[t->lanes[i].line].device == g->device)
			look_at_stream(g, t, &t->lanes[i], call, blocks, queue, copies);
	}
}

static void
add_torch(const struct group *g)
{
	const struct tp_torch *torch = g->t->profile->torch;
	const struct tp_torch_correlated *links = tp_result(g->ctx, &tp_pass_torch_correlation);
	struct tp_counter_cells copies = cells_for(g);
	struct tp_buf blocks = {0}, queue = {0};

	for (uint32_t i = 0; i < torch->trace_count; i++) {
		if (torch->traces[i]->host == g->host)
			look_at_trace(g, torch->traces[i], links != NULL ? links->traces[i].call : NULL,
				&blocks, &queue, &copies);
	}
	add_filled(g, &blocks);
	add_queue(g, &queue);
	add(g, &copies, TP_S("Copies"), "mean bandwidth of copies", TP_UNIT_BYTES_PER_S);
	tp_buf_free(&blocks);
	tp_buf_free(&queue);
}

/* "Memory of CPU", with the span where the worker has this track of several. */
static struct tp_slice
memory_name(const struct group *g, const struct tp_torch_memories *memories,
	const struct tp_torch_pool *pool)
{
	const struct tp_profile *p = g->t->profile;
	const struct tp_torch_trace *t = p->torch->traces[pool->trace];
	bool several = false;

	for (size_t i = 0; i < memories->count; i++)
		several |= memories->pools[i].trace != pool->trace &&
			p->torch->traces[memories->pools[i].trace]->host == t->host &&
			tp_slice_eq(memories->pools[i].device, pool->device);
	return several
		? tp_arena_printf(g->keep, "Memory of %.*s, span %u", TP_ARG(pool->device), t->span_number)
		: tp_arena_printf(g->keep, "Memory of %.*s", TP_ARG(pool->device));
}

/* When the capture of the trace ended: the next span begins without what this one had allocated. */
static uint64_t
end_of(const struct group *g, const struct tp_torch_trace *t)
{
	uint64_t end_ps = time_of(&g->lines[0], t->window_end_ps);

	/* A window of a damaged trace may lie before its events. */
	return t->has_window && end_ps > g->from_ps && end_ps < g->until_ps ? end_ps : g->until_ps;
}

static void
add_torch_memory(const struct group *g)
{
	const struct tp_profile *p = g->t->profile;
	const struct tp_torch_memories *memories = tp_result(g->ctx, &tp_pass_torch_memory);

	for (size_t i = 0; memories != NULL && i < memories->count; i++) {
		const struct tp_torch_pool *pool = &memories->pools[i];
		const struct tp_torch_trace *t = p->torch->traces[pool->trace];
		uint32_t device = !pool->accelerator || pool->device_id < 0
			? TP_NONE
			: tp_torch_gpu_device(p, t, (uint32_t)pool->device_id);

		if (t->host != g->host || device != g->device || !pool->has_totals)
			continue;
		uint64_t end_ps = end_of(g, t);
		struct tp_counter_cells cells = cells_between(g, g->from_ps, end_ps);
		struct tp_counter_level level = {.cells = &cells};

		for (uint32_t k = 0; k < pool->count; k++) {
			if (pool->records[k]->allocated_bytes >= 0)
				tp_counter_level(&level, time_of(&g->lines[0], pool->records[k]->time_ps),
					(double)pool->records[k]->allocated_bytes);
		}
		tp_counter_level_end(&level, end_ps);
		add_memory(g, &cells, memory_name(g, memories, pool), "max allocated");
	}
}

static void
add_allocators(const struct group *g)
{
	const struct tp_allocators *all = tp_result(g->ctx, &tp_pass_allocators);

	for (size_t i = 0; all != NULL && i < all->count && g->device == TP_NONE; i++) {
		const struct tp_allocator *a = &all->of[i];

		if (a->host != g->host)
			continue;
		struct tp_counter_cells cells = cells_for(g);
		struct tp_counter_level level = {.cells = &cells};

		for (size_t k = 0; k < a->event_count; k++)
			tp_counter_level(&level, time_of(&g->lines[0], a->events[k]->time_ps),
				(double)a->events[k]->stack_bytes + (double)a->events[k]->heap_bytes);
		tp_counter_level_end(&level, g->until_ps);
		add_memory(g, &cells, tp_arena_printf(g->keep, "Memory of %.*s", TP_ARG(a->name)),
			"max in use, stack and heap");
	}
}

/* Of a trace of any program those of the process. What falls below 0 has no place on a scale that begins there. */
static void
add_counted(const struct group *g)
{
	const struct tp_line *line = g->lines[0].line;
	size_t most = g->counters->count + MOST_COUNTED;

	for (const struct tp_tracks *t = g->t->profile->tracks; t != NULL; t = t->next) {
		for (uint32_t i = 0; i < t->counter_count && g->counters->count < most; i++) {
			const struct tp_track_counter *c = &t->counters[i];
			struct tp_counter_cells cells = cells_for(g);
			struct tp_counter_level level = {.cells = &cells};
			double least = 0;

			for (uint32_t k = 0; k < c->count; k++)
				least = fmin(least, c->values[k]);
			if (t->host != g->host || !tp_slice_eq(c->process, line->process) || least < 0)
				continue;
			for (uint32_t k = 0; k < c->count; k++)
				tp_counter_level(&level, time_of(&g->lines[0], c->at_ps[k]), c->values[k]);
			tp_counter_level_end(&level, g->until_ps);
			add(g, &cells, c->name, "max value",
				tp_slice_eq(c->unit, TP_S("bytes")) ? TP_UNIT_BYTES : TP_UNIT_COUNT);
		}
	}
}

void
tp_timeline_counters(const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t, size_t first,
	struct tp_stretch of_host, struct tp_arena *keep, struct tp_timeline_group *group)
{
	struct tp_buf counters = {0};
	uint64_t cells = LEAST_CELLS;
	struct group g = {
		.ctx = ctx,
		.t = t,
		.lines = &t->lines[first],
		.line_count = group->track_count,
		.host = t->lines[first].line->host,
		.device = t->lines[first].line->device,
		.keep = keep,
		.scratch = tp_arena_new(),
		.counters = &counters,
		.from_ps = of_host.from_ps,
		.until_ps = of_host.to_ps,
	};

	while (cells < MOST_CELLS &&
		cells * 2 * COUNTERS_A_GROUP * (t->profile->device_count + 1) <=
			ctx->options->timeline_bytes / PART_OF_ROOM)
		cells *= 2;
	g.cells = cells;
	if (g.device != TP_NONE) {
		add_busy(&g);
		if (has_operations(&g))
			add_rates(&g);
	}
	if (g.device != TP_NONE && t->profile->torch != NULL)
		add_torch(&g);
	if (t->profile->torch != NULL)
		add_torch_memory(&g);
	else
		add_allocators(&g);
	if (g.lines[0].line->kind == TP_LINE_TRACK)
		add_counted(&g);
	tp_arena_free(g.scratch);
	group->counter_count = counters.count;
	group->counters = tp_buf_settle(&counters, sizeof(struct tp_timeline_counter), keep);
}

/* Runs of nodes as lines: of each device string of a dump one, in the group of the device that it belongs to. */
#include "analyze/timeline/timeline_more.h"

#include "analyze/steps/steps.h"
#include "analyze/timeline/timeline_tfprof.h"
#include "base/arena.h"
#include "base/order.h"
#include "model/build.h"
#include "model/tfprof_times.h"

#include <stdlib.h>

TP_ORDER(by_device, struct tp_node_run, tp_slice_cmp(a->device, b->device), TP_DOWN(on_cpu),
	TP_UP(start_us), TP_DOWN(us), TP_UP(place));

/* What began at no time is none. */
static void
collect(const struct tp_tfprof *dump, struct tp_buf *runs)
{
	struct tp_buf times = {0};

	for (uint32_t i = 0; i < dump->node_count; i++) {
		tp_tfprof_all_times(&dump->nodes[i], &times);
		const struct tp_tfprof_time *time = times.data;

		for (size_t k = 0; k < times.count; k++) {
			if (time[k].start_us > 0)
				TP_PUSH(runs, struct tp_node_run, time[k].device, time[k].start_us, time[k].us,
					time[k].step, i, (uint32_t)runs->count, time[k].on_cpu, TP_NONE, TP_NONE);
		}
	}
	tp_buf_free(&times);
	if (runs->count != 0)
		qsort(runs->data, runs->count, sizeof(struct tp_node_run), by_device);
}

/* Each node is an operation of its own, with its type as what it is of. */
static void
add_nodes(struct tp_builder *b, const struct tp_tfprof *dump)
{
	for (uint32_t i = 0; i < dump->node_count; i++) {
		struct tp_op *op;

		tp_build_op(b, &op);
		op->name = op->label = dump->nodes[i].name;
		op->framework = dump->nodes[i].op;
		op->category = dump->nodes[i].op;
	}
}

/* Where the name of a stream begins: "/stream:all". */
static size_t
device_length(struct tp_slice device)
{
	const char *stream = device.len != 0 ? memmem(device.ptr, device.len, "/stream:", 8) : NULL;

	return stream != NULL && stream != device.ptr ? (size_t)(stream - device.ptr) : device.len;
}

/* "gpu:0, stream:all" of "/job:worker/replica:0/task:0/device:gpu:0/stream:all". */
static struct tp_slice
line_name(const struct tp_pass_ctx *ctx, const struct tp_node_run *run)
{
	size_t length = device_length(run->device), from = length;
	struct tp_slice rest = tp_slice_from(run->device, length);
	struct tp_slice device = {run->device.ptr, length};

	while (from != 0 && device.ptr[from - 1] != '/')
		from--;
	device = tp_slice_from(device, from);
	if (tp_slice_starts(device, TP_S("device:")))
		device = tp_slice_from(device, 7);
	if (rest.len != 0)
		return tp_arena_printf(
			ctx->keep, "%.*s, %.*s", TP_ARG(device), TP_ARG(tp_slice_from(rest, 1)));
	return tp_arena_printf(
		ctx->keep, run->on_cpu ? "%.*s, scheduled" : "%.*s, executed", TP_ARG(device));
}

/* Without what is the same for every device of one machine. */
static struct tp_slice
group_name(struct tp_slice device)
{
	struct tp_slice own = {device.ptr, device_length(device)};
	struct tp_slice local = TP_S("/job:localhost/replica:0/task:0/device:");

	return tp_slice_starts(own, local) ? tp_slice_from(own, local.len) : own;
}

/* Says of runs where they stand. */
static void
add_line(const struct tp_pass_ctx *ctx, struct tp_builder *b, struct tp_node_run *runs,
	size_t count, int64_t zero_us)
{
	struct tp_buf events = {0};
	uint32_t line = tp_built_line_count(b);

	for (size_t i = 0; i < count; i++)
		TP_PUSH(&events, struct tp_made_event, runs[i].start_us, runs[i].us, runs[i].node, TP_NONE);
	tp_timeline_made_line(b, runs->on_cpu ? TP_LINE_TRACK : TP_LINE_STREAM,
		group_name(runs->device), line_name(ctx, runs), &events, zero_us);
	const struct tp_made_event *event = events.data;

	for (size_t i = 0; i < count; i++) {
		runs[i].line = line;
		runs[i].event = event[i].number;
	}
	tp_buf_free(&events);
}

static void
add_lines(const struct tp_pass_ctx *ctx, struct tp_builder *b, struct tp_node_run *runs,
	size_t count, int64_t zero_us)
{
	for (size_t i = 0, next; i < count; i = next) {
		for (next = i; next < count && runs[next].on_cpu == runs[i].on_cpu &&
			 tp_slice_eq(runs[next].device, runs[i].device);
			 next++)
			;
		add_line(ctx, b, &runs[i], next - i, zero_us);
	}
}

struct extent {
	int64_t from_us, to_us;
};

/* From the first run of each step to the end of its last. */
static struct extent *
extents_of(const struct tp_pass_ctx *ctx, const struct tp_tfprof *dump,
	const struct tp_node_run *runs, size_t count)
{
	struct extent *of = tp_new_array(ctx->scratch, struct extent, dump->step_count);

	for (size_t i = 0; i < count; i++) {
		size_t at = TP_FIRST_WHERE(k, dump->step_count, dump->steps[k] >= runs[i].step);
		int64_t from_us = runs[i].start_us, to_us;

		if (at == dump->step_count || dump->steps[at] != runs[i].step ||
			__builtin_add_overflow(from_us, runs[i].us > 0 ? runs[i].us : 0, &to_us))
			continue;
		of[at].from_us = of[at].from_us == 0 || from_us < of[at].from_us ? from_us : of[at].from_us;
		of[at].to_us = to_us > of[at].to_us ? to_us : of[at].to_us;
	}
	return of;
}

static const struct tp_steps *
steps_of(const struct tp_pass_ctx *ctx, const struct tp_tfprof *dump, const struct extent *of,
	int64_t zero_us)
{
	const int64_t longest_us = (int64_t)1 << 40; /* 12 days */
	struct tp_steps *s = tp_new(ctx->keep, struct tp_steps);
	double *times_ps = tp_new_array(ctx->scratch, double, dump->step_count);

	s->steps = tp_new_array(ctx->keep, struct tp_step, dump->step_count);
	for (uint32_t i = 0; i < dump->step_count; i++) {
		int64_t from_us = of[i].from_us - zero_us, us = of[i].to_us - of[i].from_us;

		if (of[i].to_us <= of[i].from_us || us > longest_us || from_us > longest_us)
			continue;
		struct tp_step *step = &s->steps[s->count];

		step->name = tp_arena_printf(ctx->keep, "%lld", (long long)dump->steps[i]);
		step->time_ps = times_ps[s->count] = (double)us * 1e6;
		step->start_ps = from_us * 1000000;
		step->end_ps = (from_us + us) * 1000000;
		s->slowest = step->time_ps > s->steps[s->slowest].time_ps ? s->count : s->slowest;
		s->count++;
	}
	s->time = tp_stats_of(times_ps, s->count, ctx->scratch);
	return s->count != 0 ? s : NULL;
}

/* As tfprof and the graph draw operations. */
static const struct tp_timeline_look *
looks_of(const struct tp_pass_ctx *ctx, const struct tp_profile *p)
{
	struct tp_timeline_look *looks = tp_new_array(ctx->keep, struct tp_timeline_look, p->op_count);

	for (uint32_t op = 0; op < p->op_count; op++)
		looks[op] = (struct tp_timeline_look){TP_HUE_COMPUTE, 0};
	return looks;
}

bool
tp_timeline_of_tfprof(
	const struct tp_pass_ctx *ctx, const struct tp_tfprof *dump, struct tp_timeline_source *out)
{
	struct tp_buf all = {0};
	struct tp_host *host;
	int64_t zero_us = INT64_MAX;

	collect(dump, &all);
	struct tp_node_run *runs = all.data;

	for (size_t i = 0; i < all.count; i++)
		zero_us = runs[i].start_us < zero_us ? runs[i].start_us : zero_us;
	if (all.count != 0) {
		struct tp_builder *b = tp_builder_new(ctx->keep);

		tp_build_host(b, &host);
		if (zero_us <= INT64_MAX / 1000)
			host->base_ns = zero_us * 1000;
		add_nodes(b, dump);
		add_lines(ctx, b, runs, all.count, zero_us);
		tp_timeline_tfprof_flows(ctx, dump, runs, all.count, b);
		out->profile = tp_builder_finish(b);
		out->looks = looks_of(ctx, out->profile);
		out->steps = steps_of(ctx, dump, extents_of(ctx, dump, runs, all.count), zero_us);
	}
	tp_buf_free(&all);
	return out->profile != NULL && out->profile->line_count != 0;
}

/* Samples of memory: one at most in 100 microseconds, each with the ten nodes that held most. */
#include "tfprof/timeline_memory.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"
#include "io/sink.h"
#include "model/tfprof_times.h"
#include "render/json_writer.h"
#include "tfprof/trace.h"

#include <stdlib.h>

enum { MOST_SHOWN = 10, LEAST_APART_US = 100 };

/* What a node held from a time on. */
struct holder {
	struct tp_slice name;
	struct tp_tfprof_bytes *held; /* by time, the first at 0 */
	size_t count;
};

struct device {
	struct tp_slice name;
	struct tp_buf holders; /* struct holder */
	struct tp_buf in_use;  /* struct point */
};

struct point {
	int64_t at_us, bytes;
	uint32_t place;
};

struct tp_tfprof_memory {
	struct tp_arena *arena;
	struct device *devices; /* by name */
	uint32_t count, first_pid;
};

TP_ORDER(by_name, struct device, tp_slice_cmp(a->name, b->name));
TP_ORDER(by_time, struct tp_tfprof_bytes, TP_UP(at_us));
TP_ORDER(by_point, struct point, TP_UP(at_us), TP_UP(place));
TP_ORDER(by_holder, struct holder, tp_slice_cmp(a->name, b->name));

/* Sums up what came at one time, and from there what is held. */
static size_t
hold(struct tp_tfprof_bytes *b, size_t count)
{
	size_t kept = 0;

	qsort(b, count, sizeof *b, by_time);
	for (size_t i = 0; i < count; i++) {
		int64_t held = kept != 0 ? b[kept - 1].bytes : 0;

		if (__builtin_add_overflow(held, b[i].bytes, &held))
			held = INT64_MAX;
		kept += kept == 0 || b[kept - 1].at_us != b[i].at_us;
		b[kept - 1] = (struct tp_tfprof_bytes){b[i].at_us, held};
	}
	return kept;
}

static void
track(struct tp_tfprof_memory *m, struct device *d, const struct tp_tfprof_node *node, int64_t step)
{
	struct tp_buf bytes = {0};

	tp_tfprof_allocations(node, step, &bytes);
	*tp_buf_new(&bytes, struct tp_tfprof_bytes) =
		(struct tp_tfprof_bytes){0, tp_tfprof_persistent_bytes(node)};
	size_t count = hold(bytes.data, bytes.count);
	struct holder *holder = tp_buf_new(&d->holders, struct holder);

	bytes.count = count;
	*holder = (struct holder){node->name, NULL, count};
	holder->held = tp_buf_settle(&bytes, sizeof *holder->held, m->arena);
	tp_tfprof_in_use(node, step, &bytes);
	const struct tp_tfprof_bytes *b = bytes.data;

	for (size_t i = 0; i < bytes.count; i++) {
		if (b[i].at_us > 0)
			*tp_buf_new(&d->in_use, struct point) =
				(struct point){b[i].at_us, b[i].bytes, (uint32_t)d->in_use.count};
	}
	tp_buf_free(&bytes);
}

struct tp_tfprof_memory *
tp_tfprof_memory(const struct tp_tfprof *t, const struct tp_tfprof_view *view, int64_t step,
	uint32_t first_pid, struct tp_arena *arena)
{
	struct tp_tfprof_memory *m = tp_new(arena, struct tp_tfprof_memory);
	struct tp_strings names;
	struct tp_buf devices = {0};

	*m = (struct tp_tfprof_memory){.arena = arena, .first_pid = first_pid};
	tp_strings_init(&names, arena);
	for (uint32_t i = 1; i < view->count; i++) {
		const struct tp_tfprof_node *node = &t->nodes[view->rows[i].node];

		/* That of CPUs is not drawn. */
		if (tp_slice_has(node->device, TP_S("cpu")) || !tp_tfprof_is_timed(node, step))
			continue;
		uint32_t id = tp_intern(&names, node->device);

		while (devices.count < id)
			tp_buf_new(&devices, struct device)->name = node->device;
		track(m, &((struct device *)devices.data)[id - 1], node, step);
	}
	m->count = (uint32_t)devices.count;
	m->devices = tp_buf_settle(&devices, sizeof *m->devices, arena);
	if (m->count != 0)
		qsort(m->devices, m->count, sizeof *m->devices, by_name);
	return m;
}

void
tp_tfprof_put_memory_processes(const struct tp_tfprof_memory *m, struct tp_tfprof_trace *trace)
{
	for (uint32_t i = 0; i < m->count; i++) {
		uint32_t pid = m->first_pid + 2 * i;

		tp_tfprof_trace_process(trace, "mem usage on:", m->devices[i].name, "", pid);
		tp_tfprof_trace_process(
			trace, "mem usage on:", m->devices[i].name, " allocations", pid + 1);
	}
}

/* What a node held just before a time. */
static int64_t
held_at(const struct holder *h, int64_t at_us)
{
	size_t i = TP_FIRST_WHERE(at, h->count, h->held[at].at_us >= at_us);

	return h->held[i != 0 ? i - 1 : 0].bytes;
}

struct held {
	int64_t bytes;
	uint32_t holder;
};

TP_ORDER(by_bytes, struct held, TP_DOWN(bytes), TP_UP(holder));

static void
put_holders(
	const struct device *d, int64_t at_us, int64_t bytes, struct tp_buf *list, struct tp_sink *out)
{
	const struct holder *holders = d->holders.data;
	int count = 0;

	list->count = 0;
	for (uint32_t i = 0; i < d->holders.count; i++) {
		int64_t held = held_at(&holders[i], at_us);

		if (held > 0)
			*tp_buf_new(list, struct held) = (struct held){held, i};
	}
	struct held *h = list->data, shown[MOST_SHOWN];

	if (list->count != 0)
		qsort(h, list->count, sizeof *h, by_bytes);
	for (size_t i = 0; i < list->count && count < MOST_SHOWN; i++) {
		if (bytes < h[i].bytes)
			continue;
		shown[count++] = h[i];
		bytes -= h[i].bytes;
	}
	tp_sink_printf(out, "\"Not Displayed\":\"%.2f MB\"", (double)bytes / 1e6);
	for (int i = 0; i < MOST_SHOWN; i++) {
		struct tp_sink *text = tp_sink_memory();

		/* The first has no place of its own where nothing is held. */
		if (i < count)
			tp_sink_printf(text, "%g MB from %.*s", (double)shown[i].bytes / 1e6,
				TP_ARG(holders[shown[i].holder].name));
		else if (i != 0)
			tp_sink_puts(text, "N/A");
		if (i < count || i != 0) {
			tp_sink_printf(out, ",\"Top Allocation %02d\":", i);
			tp_json_put_string(out, tp_sink_bytes(text));
		}
		tp_sink_close(text);
	}
}

static void
put_device(struct device *d, uint32_t pid, struct tp_tfprof_trace *trace, struct tp_sink *said)
{
	struct point *points = d->in_use.data;
	int64_t most = 0, last_us = 0;
	struct tp_buf list = {0};

	if (d->in_use.count != 0)
		qsort(points, d->in_use.count, sizeof *points, by_point);
	if (d->holders.count != 0)
		qsort(d->holders.data, d->holders.count, sizeof(struct holder), by_holder);
	for (size_t i = 0; i < d->in_use.count; i++) {
		const struct point *p = &points[i];

		/* Of one time the last stands. */
		if (i + 1 < d->in_use.count && points[i + 1].at_us == p->at_us)
			continue;
		most = p->bytes > most ? p->bytes : most;
		if (p->at_us - last_us < LEAST_APART_US)
			continue;
		last_us = p->at_us;
		tp_tfprof_trace_sample(trace);
		tp_sink_printf(trace->out, "\"Allocator Bytes in Use\":%lld", (long long)p->bytes);
		tp_tfprof_trace_sample_end(trace, "Allocated Bytes", pid, p->at_us);
		tp_tfprof_trace_sample(trace);
		put_holders(d, p->at_us, p->bytes, &list, trace->out);
		tp_tfprof_trace_sample_end(trace, "Top Allocations", pid + 1, p->at_us);
	}
	if (tp_tfprof_on_gpu(d->name))
		tp_sink_printf(said, "%.*s peak memory: %.2f MB\n", TP_ARG(d->name), (double)most / 1e6);
	tp_buf_free(&list);
	tp_buf_free(&d->holders);
	tp_buf_free(&d->in_use);
}

void
tp_tfprof_put_memory(
	const struct tp_tfprof_memory *m, struct tp_tfprof_trace *trace, struct tp_sink *said)
{
	for (uint32_t i = 0; i < m->count; i++)
		put_device(&m->devices[i], m->first_pid + 2 * i, trace, said);
}

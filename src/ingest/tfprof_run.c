/* Times by device, and memory of each run on the device where the node is placed. */
#include "ingest/tfprof_run.h"

#include "base/order.h"
#include "codec/pb_field.h"
#include "codec/pb_write.h"
#include "model/tfprof_fields.h"
#include "model/tfprof_times.h"

#include <stdlib.h>

enum {
	STATS_START = 2,
	STATS_OP_END = 4,
	STATS_MEMORY = 6,
	STATS_OUTPUT = 7,
	STATS_MEMORY_STATS = 12
};
enum { ALLOCATOR_NAME = 1, ALLOCATOR_TOTAL = 2, ALLOCATOR_PEAK = 3, ALLOCATOR_LIVE = 4 };
enum { ALLOCATOR_IN_USE = 5, ALLOCATOR_RECORD = 6 };
enum {
	OUTPUT_TENSOR = 3,
	TENSOR_ALLOCATION = 4,
	ALLOCATION_REQUESTED = 1,
	ALLOCATION_ALLOCATED = 2
};
enum { STATS_TEMP = 1, STATS_PERSISTENT = 3 };
enum { HOST_TEMP = 2, HOST_PERSISTENT = 3, ACCELERATOR_TEMP = 4, ACCELERATOR_PERSISTENT = 5 };

struct run {
	struct tp_slice device;
	int64_t start_us, us;
	uint32_t place;
};

TP_ORDER(by_device, struct run, tp_slice_cmp(a->device, b->device), TP_UP(place));

/* any: a device that is neither CPU nor GPU counts, too. */
static bool
is_accelerator_time(struct tp_slice device, bool any)
{
	return tp_slice_has(device, TP_S("stream:all")) || (any && tp_tfprof_is_other_device(device));
}

static void
put_count(struct tp_buf *out, uint32_t field, int64_t number)
{
	if (number != 0)
		tp_pb_put_number(out, field, (uint64_t)number);
}

/* Entries of the map from devices to times, of one kind. */
static void
put_times(const struct run *runs, size_t count, bool accelerator, bool any, struct tp_buf *out)
{
	for (size_t i = 0; i < count;) {
		size_t start = out->count, times;
		struct tp_slice device = runs[i].device;

		if (is_accelerator_time(device, any) != accelerator ||
			(!accelerator && !tp_tfprof_is_whole_device(device))) {
			i++;
			continue;
		}
		tp_pb_put_bytes(out, 1, device);
		times = out->count;
		for (; i < count && tp_slice_eq(runs[i].device, device); i++) {
			size_t tuple = out->count;

			tp_pb_put_number(out, TP_TUPLE_NUMBER, (uint64_t)runs[i].start_us);
			tp_pb_put_number(out, TP_TUPLE_NUMBER, (uint64_t)runs[i].us);
			tp_pb_wrap(out, TP_TIMES_TIME, out->count - tuple);
		}
		tp_pb_wrap(out, 2, out->count - times);
		tp_pb_wrap(out, accelerator ? TP_EXEC_ACCELERATOR : TP_EXEC_CPU, out->count - start);
	}
}

struct memory {
	int64_t temp, persistent, requested, peak, residual, output, in_use;
};

static void
add_allocator(struct memory *m, struct tp_slice message, struct tp_buf *records)
{
	m->requested = tp_tfprof_plus(m->requested, tp_pb_number(message, ALLOCATOR_TOTAL));
	m->peak = tp_tfprof_plus(m->peak, tp_pb_number(message, ALLOCATOR_PEAK));
	m->residual = tp_tfprof_plus(m->residual, tp_pb_number(message, ALLOCATOR_LIVE));
	if (!tp_slice_has(tp_pb_first(message, ALLOCATOR_NAME), TP_S("GPU")))
		return;
	int64_t in_use = tp_pb_number(message, ALLOCATOR_IN_USE);

	m->in_use = in_use > m->in_use ? in_use : m->in_use;
	for (struct tp_pb p = tp_pb_open(message); tp_pb_next_bytes(&p, ALLOCATOR_RECORD);)
		tp_pb_put_bytes(records, TP_EXEC_ALLOCATION, p.bytes);
}

static int64_t
output_bytes(struct tp_slice output)
{
	struct tp_slice allocation = tp_pb_first(tp_pb_first(output, OUTPUT_TENSOR), TENSOR_ALLOCATION);
	int64_t requested = tp_pb_number(allocation, ALLOCATION_REQUESTED);
	int64_t allocated = tp_pb_number(allocation, ALLOCATION_ALLOCATED);

	return requested > allocated ? requested : allocated;
}

static struct memory
memory_of(struct tp_slice stats, struct tp_buf *records)
{
	struct memory m = {0};
	struct tp_pb p = tp_pb_open(stats);

	while (tp_pb_next(&p)) {
		if (p.type != TP_PB_BYTES)
			continue;
		if (p.field == STATS_MEMORY) {
			add_allocator(&m, p.bytes, records);
		} else if (p.field == STATS_OUTPUT) {
			m.output = tp_tfprof_plus(m.output, output_bytes(p.bytes));
		} else if (p.field == STATS_MEMORY_STATS) {
			m.temp = tp_pb_number(p.bytes, STATS_TEMP);
			m.persistent = tp_pb_number(p.bytes, STATS_PERSISTENT);
		}
	}
	m.residual = tp_tfprof_plus(m.residual, m.persistent);
	m.requested = tp_tfprof_plus(m.requested, tp_tfprof_plus(m.persistent, m.temp));
	m.peak = tp_tfprof_plus(m.peak, tp_tfprof_plus(m.persistent, m.temp));
	return m;
}

static void
put_memory(const struct tp_tfprof_record *r, struct tp_buf *out, struct tp_buf *records)
{
	struct memory m = memory_of(r->stats, records);
	bool host = tp_slice_has(r->device, TP_S("cpu"));
	size_t start = out->count;

	put_count(out, TP_MEMORY_AT,
		tp_tfprof_plus(tp_pb_number(r->stats, STATS_START), tp_pb_number(r->stats, STATS_OP_END)));
	put_count(out, host ? HOST_TEMP : ACCELERATOR_TEMP, m.temp);
	put_count(out, host ? HOST_PERSISTENT : ACCELERATOR_PERSISTENT, m.persistent);
	put_count(out, TP_MEMORY_REQUESTED, m.requested);
	put_count(out, TP_MEMORY_PEAK, m.peak);
	put_count(out, TP_MEMORY_RESIDUAL, m.residual);
	put_count(out, TP_MEMORY_OUTPUT, m.output);
	put_count(out, TP_MEMORY_IN_USE, m.in_use);
	tp_pb_wrap(out, TP_EXEC_MEMORY, out->count - start);
}

bool
tp_tfprof_counts_as_run(struct tp_slice device, bool any)
{
	return tp_tfprof_is_whole_device(device) || (any && tp_tfprof_is_other_device(device));
}

/* One step of a node. What began at no time has none. */
static void
put_exec(const struct tp_tfprof_record *r, size_t count, struct tp_slice device, bool any,
	struct tp_buf *out)
{
	struct tp_buf runs = {0}, records = {0};
	int64_t first_us = 0, last_us = 0, run_count = 0;

	for (size_t i = 0; i < count; i++) {
		int64_t start_us = tp_pb_number(r[i].stats, STATS_START);
		int64_t us = tp_pb_number(r[i].stats, STATS_OP_END);

		if (start_us <= 0)
			continue;
		us += us == 0;
		int64_t end_us = tp_tfprof_plus(start_us, us);

		first_us = first_us == 0 || start_us < first_us ? start_us : first_us;
		last_us = end_us > last_us ? end_us : last_us;
		run_count += tp_tfprof_counts_as_run(r[i].device, any);
		*tp_buf_new(&runs, struct run) =
			(struct run){r[i].device, start_us, us, (uint32_t)runs.count};
	}
	if (runs.count != 0)
		qsort(runs.data, runs.count, sizeof(struct run), by_device);
	put_count(out, TP_EXEC_RUNS, run_count);
	put_count(out, TP_EXEC_START, first_us);
	put_count(out, TP_EXEC_END, last_us);
	put_times(runs.data, runs.count, true, any, out);
	put_times(runs.data, runs.count, false, any, out);
	for (size_t i = 0; i < count; i++) {
		tp_pb_put_bytes(out, TP_EXEC_DEVICE, r[i].device);
		if (tp_slice_eq(r[i].device, device) && tp_pb_number(r[i].stats, STATS_START) > 0)
			put_memory(&r[i], out, &records);
	}
	tp_pb_put_raw(out, tp_pb_written(&records));
	tp_buf_free(&runs);
	tp_buf_free(&records);
}

void
tp_tfprof_put_execs(const struct tp_tfprof_record *r, size_t count, struct tp_slice device,
	bool any, struct tp_buf *out)
{
	for (size_t i = 0; i < count;) {
		size_t start = out->count, from = i, value;

		while (i < count && r[i].step == r[from].step)
			i++;
		put_count(out, 1, r[from].step);
		value = out->count;
		put_exec(&r[from], i - from, device, any, out);
		tp_pb_wrap(out, 2, out->count - value);
		tp_pb_wrap(out, TP_NODE_EXEC, out->count - start);
	}
}

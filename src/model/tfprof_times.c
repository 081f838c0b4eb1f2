/* Steps of a node of a dump, walked anew for each question. */
#include "model/tfprof_times.h"

#include "base/buf.h"
#include "base/order.h"
#include "codec/pb_field.h"
#include "model/tfprof_fields.h"

#include <stdlib.h>

/* The step's record of the node; empty: it did not run in it. */
static struct tp_slice
exec_of(const struct tp_tfprof_node *node, int64_t step)
{
	uint64_t of_step, number;

	for (struct tp_pb p = tp_pb_open(node->message); tp_pb_next_bytes(&p, TP_NODE_EXEC);) {
		struct tp_slice exec = tp_tfprof_entry(p.bytes, &of_step, &number);

		if ((int64_t)of_step == step)
			return exec;
	}
	return TP_S("");
}

/* An entry that maps a device to its times. */
static void
take_times(struct tp_slice entry, int64_t step, bool on_cpu, struct tp_buf *times)
{
	struct tp_slice device = tp_pb_first(entry, 1);

	for (struct tp_pb p = tp_pb_open(tp_pb_first(entry, 2)); tp_pb_next_bytes(&p, TP_TIMES_TIME);) {
		struct tp_pb_numbers tuple = tp_pb_numbers(p.bytes, TP_TUPLE_NUMBER);
		struct tp_tfprof_time time = {
			.device = device, .on_cpu = on_cpu, .place = (uint32_t)times->count, .step = step};

		if (tp_pb_next_number(&tuple, &time.start_us) && tp_pb_next_number(&tuple, &time.us))
			*tp_buf_new(times, struct tp_tfprof_time) = time;
	}
}

static void
take_step(struct tp_slice exec, int64_t step, struct tp_buf *times)
{
	struct tp_pb p = tp_pb_open(exec);

	while (tp_pb_next(&p)) {
		if (p.type != TP_PB_BYTES)
			continue;
		if (p.field == TP_EXEC_ACCELERATOR || p.field == TP_EXEC_CPU)
			take_times(p.bytes, step, p.field == TP_EXEC_CPU, times);
	}
}

TP_ORDER(by_device, struct tp_tfprof_time, tp_slice_cmp(a->device, b->device), TP_UP(on_cpu),
	TP_UP(place));

void
tp_tfprof_times(const struct tp_tfprof_node *node, int64_t step, struct tp_buf *times)
{
	times->count = 0;
	take_step(exec_of(node, step), step, times);
	if (times->count > 1)
		qsort(times->data, times->count, sizeof(struct tp_tfprof_time), by_device);
}

void
tp_tfprof_all_times(const struct tp_tfprof_node *node, struct tp_buf *times)
{
	uint64_t step, number;

	times->count = 0;
	for (struct tp_pb p = tp_pb_open(node->message); tp_pb_next_bytes(&p, TP_NODE_EXEC);) {
		struct tp_slice exec = tp_tfprof_entry(p.bytes, &step, &number);

		take_step(exec, (int64_t)step, times);
	}
}

bool
tp_tfprof_is_timed(const struct tp_tfprof_node *node, int64_t step)
{
	return node->device.len != 0 && tp_pb_number(exec_of(node, step), TP_EXEC_START) != 0 &&
		tp_pb_first(node->message, TP_NODE_HOST_DEVICE).len != 0;
}

static int64_t
accelerator_us(struct tp_slice exec)
{
	struct tp_buf times = {0};
	int64_t sum = 0;

	for (struct tp_pb p = tp_pb_open(exec); tp_pb_next_bytes(&p, TP_EXEC_ACCELERATOR);)
		take_times(p.bytes, 0, false, &times);
	for (size_t i = 0; i < times.count; i++)
		sum = tp_tfprof_plus(sum, ((struct tp_tfprof_time *)times.data)[i].us);
	tp_buf_free(&times);
	return sum;
}

bool
tp_tfprof_last_span(
	const struct tp_tfprof_node *node, int64_t *start_us, int64_t *end_us, int64_t *accelerator)
{
	struct tp_slice last = {0};
	int64_t last_step = 0;
	uint64_t step, number;
	bool any = false;

	for (struct tp_pb p = tp_pb_open(node->message); tp_pb_next_bytes(&p, TP_NODE_EXEC);) {
		struct tp_slice exec = tp_tfprof_entry(p.bytes, &step, &number);

		if (!any || (int64_t)step > last_step) {
			last = exec;
			last_step = (int64_t)step;
			any = true;
		}
	}
	*start_us = tp_pb_number(last, TP_EXEC_START);
	*end_us = tp_pb_number(last, TP_EXEC_END);
	*accelerator = accelerator_us(last);
	return any;
}

void
tp_tfprof_allocations(const struct tp_tfprof_node *node, int64_t step, struct tp_buf *bytes)
{
	enum { AT = 1, BYTES = 2 };

	bytes->count = 0;
	for (struct tp_pb p = tp_pb_open(exec_of(node, step));
		 tp_pb_next_bytes(&p, TP_EXEC_ALLOCATION);)
		*tp_buf_new(bytes, struct tp_tfprof_bytes) =
			(struct tp_tfprof_bytes){tp_pb_number(p.bytes, AT), tp_pb_number(p.bytes, BYTES)};
}

void
tp_tfprof_in_use(const struct tp_tfprof_node *node, int64_t step, struct tp_buf *bytes)
{
	bytes->count = 0;
	for (struct tp_pb p = tp_pb_open(exec_of(node, step)); tp_pb_next_bytes(&p, TP_EXEC_MEMORY);)
		*tp_buf_new(bytes, struct tp_tfprof_bytes) = (struct tp_tfprof_bytes){
			tp_pb_number(p.bytes, TP_MEMORY_AT), tp_pb_number(p.bytes, TP_MEMORY_IN_USE)};
}

int64_t
tp_tfprof_persistent_bytes(const struct tp_tfprof_node *node)
{
	int64_t most = 0;
	uint64_t step, number;

	for (struct tp_pb p = tp_pb_open(node->message); tp_pb_next_bytes(&p, TP_NODE_EXEC);) {
		struct tp_pb exec = tp_pb_open(tp_tfprof_entry(p.bytes, &step, &number));
		int64_t sum = 0;

		while (tp_pb_next_bytes(&exec, TP_EXEC_MEMORY))
			sum = tp_tfprof_plus(sum, tp_pb_number(exec.bytes, TP_MEMORY_ACCELERATOR_PERSISTENT));
		most = sum > most ? sum : most;
	}
	return most;
}

/* What tfprof asks with a pattern: a slash, then device:gpu, gpu, device:cpu or cpu, then a number. */
bool
tp_tfprof_is_whole_device(struct tp_slice device)
{
	size_t digits = 0;

	while (digits < device.len && device.ptr[device.len - 1 - digits] >= '0' &&
		device.ptr[device.len - 1 - digits] <= '9')
		digits++;
	device.len -= digits;
	return digits != 0 &&
		(tp_slice_ends(device, TP_S("/device:gpu:")) || tp_slice_ends(device, TP_S("/gpu:")) ||
			tp_slice_ends(device, TP_S("/device:cpu:")) || tp_slice_ends(device, TP_S("/cpu:")));
}

bool
tp_tfprof_is_other_device(struct tp_slice device)
{
	const char *kind = device.len != 0 ? memmem(device.ptr, device.len, "/device:", 8) : NULL;
	size_t letters = 0, digits = 0;

	if (kind == NULL || tp_tfprof_is_whole_device(device))
		return false;
	struct tp_slice rest = tp_slice_from(device, (size_t)(kind + 8 - device.ptr));

	while (letters < rest.len &&
		((rest.ptr[letters] >= 'a' && rest.ptr[letters] <= 'z') || rest.ptr[letters] == '_'))
		letters++;
	if (letters == 0 || letters == rest.len || rest.ptr[letters] != ':')
		return false;
	rest = tp_slice_from(rest, letters + 1);
	while (digits < rest.len && rest.ptr[digits] >= '0' && rest.ptr[digits] <= '9')
		digits++;
	return digits != 0 && digits == rest.len;
}

struct tp_tfprof_devices
tp_tfprof_devices(const struct tp_tfprof_node *node)
{
	return (struct tp_tfprof_devices){
		.message = tp_pb_open(node->message), .exec = tp_pb_open(TP_S(""))};
}

/* Where the step has a time of an accelerator, its devices are taken for timed. */
bool
tp_tfprof_next_untimed(struct tp_tfprof_devices *d, struct tp_slice *device)
{
	uint64_t step, number;

	for (;;) {
		while (!d->timed && tp_pb_next_bytes(&d->exec, TP_EXEC_DEVICE)) {
			*device = d->exec.bytes;
			if (tp_tfprof_is_other_device(*device))
				return true;
		}
		if (!tp_pb_next_bytes(&d->message, TP_NODE_EXEC))
			return false;
		struct tp_slice exec = tp_tfprof_entry(d->message.bytes, &step, &number);

		d->exec = tp_pb_open(exec);
		d->timed = tp_pb_first(exec, TP_EXEC_ACCELERATOR).len != 0;
	}
}

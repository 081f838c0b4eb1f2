/* The reader of *.trace: the timeline of older profilers as a message, tensorflow.profiler.Trace (before that
 * tensorboard.profile.Trace, with the same field numbers). */
#include "base/arena.h"
#include "base/texts.h"
#include "codec/pb_wire.h"
#include "ingest/reader.h"
#include "ingest/tools.h"
#include "ingest/trace_json.h"
#include "ingest/trace_space.h"
#include "model/build.h"

/* An entry of a map: key 1, value 2. */
struct entry {
	uint64_t id;
	struct tp_slice key, value;
};

static struct entry
read_entry(struct tp_slice bytes)
{
	struct tp_pb p = tp_pb_open(bytes);
	struct entry e = {0};

	while (tp_pb_next(&p)) {
		if (p.field == 1 && p.type == TP_PB_VARINT)
			e.id = p.number;
		else if (p.field == 1 && p.type == TP_PB_BYTES)
			e.key = p.bytes;
		else if (p.field == 2 && p.type == TP_PB_BYTES)
			e.value = p.bytes;
	}
	return e;
}

static struct tp_slice
name_in(struct tp_slice resource)
{
	struct tp_slice name = TP_S("");

	for (struct tp_pb p = tp_pb_open(resource); tp_pb_next_bytes(&p, 1);)
		name = p.bytes;
	return name;
}

static void
read_device(struct tp_trace_space *space, struct entry device)
{
	tp_trace_process(space, device.id, name_in(device.value));
	for (struct tp_pb p = tp_pb_open(device.value); tp_pb_next_bytes(&p, 3);) {
		struct entry resource = read_entry(p.bytes);

		tp_trace_thread(space, device.id, resource.id, name_in(resource.value));
	}
}

/* A number of picoseconds; what int64 does not hold is no time of any capture. */
static int64_t
time_ps(uint64_t number)
{
	return number < INT64_MAX ? (int64_t)number : INT64_MAX;
}

static void
read_event(struct tp_trace_space *space, struct tp_slice bytes)
{
	struct tp_pb p = tp_pb_open(bytes);
	uint64_t device = 0, resource = 0;
	int64_t start_ps = 0, duration_ps = 0;
	struct tp_slice name = TP_S("");

	while (tp_pb_next(&p)) {
		if (p.type == TP_PB_VARINT && p.field == 1)
			device = p.number;
		else if (p.type == TP_PB_VARINT && p.field == 2)
			resource = p.number;
		else if (p.type == TP_PB_VARINT && p.field == 9)
			start_ps = time_ps(p.number);
		else if (p.type == TP_PB_VARINT && p.field == 10)
			duration_ps = time_ps(p.number);
		else if (p.type == TP_PB_BYTES && p.field == 3)
			name = p.bytes;
		else if (p.type == TP_PB_BYTES && p.field == 11) {
			struct entry argument = read_entry(p.bytes);

			tp_trace_argument(space, argument.key, argument.value);
		}
	}
	if (p.state == TP_PB_END)
		tp_trace_event(space, device, resource, name, start_ps, duration_ps);
	else
		tp_trace_no_event(space);
}

static enum tp_status
read_message(const struct tp_source *in, struct tp_builder *out, struct tp_err *err)
{
	struct tp_trace_space *space = tp_trace_space_new();
	struct tp_pb p = tp_pb_open(in->bytes);

	while (tp_pb_next(&p)) {
		if (p.field == 1 && p.type == TP_PB_BYTES)
			read_device(space, read_entry(p.bytes));
		else if (p.field == 4 && p.type == TP_PB_BYTES)
			read_event(space, p.bytes);
	}
	enum tp_status status = tp_trace_event_count(space) != 0
		? tp_trace_space_read(space, in, out, err)
		: tp_fail_at(err, TP_ERR_FORMAT, in->path, TP_NO_OFFSET,
			  in->bytes.len == 0 ? "the file is empty" : "not a trace: no event is in it");

	if (status == TP_OK)
		tp_tool_end(in, out, &p);
	tp_trace_space_free(space);
	return status;
}

static enum tp_status
read(const struct tp_source *in, struct tp_builder *out, struct tp_err *err)
{
	return tp_is_json(in->bytes) ? tp_trace_json_read(in, out, err) : read_message(in, out, err);
}

const struct tp_reader tp_reader_trace = {
	.name = "trace",
	.summary = "the timeline of older profilers, if nothing else has the events",
	.suffixes = TP_TEXTS(".trace"),
	.kind = TP_READS_COPY,
	.read = read,
};

/* TPU cores of real captures, whose events have times by two clocks: each event is read back as its file has it, and takes few bytes. Without
 * TPREPORT_TEST_DATA there is nothing to read. */
#include "unit.h"

#include "base/order.h"
#include "codec/pb_wire.h"
#include "fixture.h"
#include "io/blob.h"
#include "io/list.h"
#include "model/profile.h"
#include "model/second_clock.h"
#include "xspace_pieces.h"

#include <stdio.h>
#include <stdlib.h>

/* The only capture whose clocks jump against each other, and the bytes that an event of it may take. */
static const char jumping[] = "tpu_inference_2.xplane.pb";
enum { MOST_BYTES = 12 };

struct event {
	int64_t chip_start_ps, chip_duration_ps, start_ps, duration_ps;
};

/* A line of the file whose events all have both times. */
struct raw_line {
	struct event *events;
	uint32_t count;
};

struct ids {
	uint64_t offset, duration; /* of stats; 0: the plane has none */
};

static uint64_t
number_in(struct tp_slice message, uint32_t field)
{
	struct tp_pb p = tp_pb_open(message);
	uint64_t number = 0;

	while (tp_pb_next(&p))
		number = p.field == field && p.type == TP_PB_VARINT ? p.number : number;
	return number;
}

static struct ids
find_ids(struct tp_slice plane)
{
	struct tp_pb p = tp_pb_open(plane);
	struct ids ids = {0};

	while (tp_pb_next_bytes(&p, 5)) {
		struct tp_slice metadata = tp_pb_first(p.bytes, 2), name = tp_pb_first(metadata, 2);

		if (tp_slice_eq(name, TP_S("device_offset_ps")))
			ids.offset = number_in(p.bytes, 1);
		if (tp_slice_eq(name, TP_S("device_duration_ps")))
			ids.duration = number_in(p.bytes, 1);
	}
	return ids;
}

/* False: it has no time by the chip's clock. */
static bool
read_event(struct tp_slice bytes, const struct ids *ids, struct event *out)
{
	struct tp_pb p = tp_pb_open(bytes);
	bool has_chip = false;

	*out = (struct event){
		.start_ps = (int64_t)number_in(bytes, 2), .duration_ps = (int64_t)number_in(bytes, 3)};
	while (tp_pb_next_bytes(&p, 4)) {
		uint64_t id = number_in(p.bytes, 1);
		int64_t value = (int64_t)(number_in(p.bytes, 3) | number_in(p.bytes, 4));

		if (id == ids->offset)
			out->chip_start_ps = value;
		if (id == ids->duration)
			out->chip_duration_ps = value;
		has_chip |= id == ids->offset;
	}
	return has_chip;
}

TP_ORDER(by_chip, struct event, TP_UP(chip_start_ps), TP_DOWN(chip_duration_ps), TP_UP(start_ps),
	TP_UP(duration_ps));

static struct raw_line
read_line(struct tp_slice bytes, const struct ids *ids, struct tp_arena *arena)
{
	struct tp_pb p = tp_pb_open(bytes);
	struct tp_buf events = {0};
	bool all = true;

	while (tp_pb_next_bytes(&p, 4))
		all &= read_event(p.bytes, ids, tp_buf_new(&events, struct event));
	uint32_t count = all ? (uint32_t)events.count : 0;
	struct event *list = tp_buf_settle(&events, sizeof *list, arena);

	if (count != 0)
		qsort(list, count, sizeof *list, by_chip);
	return (struct raw_line){list, count};
}

static struct raw_line
line_of(const struct tp_line *line, struct tp_arena *arena)
{
	struct event *list = tp_new_array(arena, struct event, line->count);

	for (uint32_t i = 0; i < line->count; i++)
		list[i] = (struct event){tp_line_chip_start_ps(line, i), tp_line_chip_duration_ps(line, i),
			tp_line_start_ps(line, i), tp_line_duration_ps(line, i)};
	qsort(list, line->count, sizeof *list, by_chip);
	return (struct raw_line){list, line->count};
}

/* The host's times of a profile count from another zero. */
static bool
is_same_line(struct raw_line a, struct raw_line b)
{
	for (uint32_t i = 0; i < a.count && a.count == b.count; i++) {
		const struct event *x = &a.events[i], *y = &b.events[i];

		if (x->chip_start_ps != y->chip_start_ps || x->chip_duration_ps != y->chip_duration_ps ||
			x->duration_ps != y->duration_ps ||
			x->start_ps - a.events[0].start_ps != y->start_ps - b.events[0].start_ps)
			return false;
	}
	return a.count == b.count;
}

/* Of its columns, and of what is kept for the line beside them. */
static size_t
bytes_of(const struct tp_line *line)
{
	const struct tp_second_clock *s = line->host_times.second;
	size_t n = line->count, blocks = (n + TP_BLOCK_EVENTS - 1) / TP_BLOCK_EVENTS;
	size_t op = line->ops.narrow != NULL ? 2 : 4,
		   chip_blocks = (n >> line->chip_times.block_shift) + 1;
	size_t pairs = 0;

	for (size_t i = 0; i < n; i++)
		pairs = s->number[i] >= pairs ? s->number[i] + 1u : pairs;
	return n * (4 + 4 + 1 + op) + chip_blocks * 8 +
		blocks * (line->chip_times.reach != NULL ? 4 : 0) + line->ops.met_count * 4 +
		(line->ops.met_in != NULL ? blocks * 8 : 0) + s->block_count * 4 +
		pairs * sizeof *s->pairs + s->stretch_count * s->width + 8 +
		s->apart_count * sizeof *s->apart;
}

/* Of other lines only the host's times count. */
static bool
has_both(struct tp_slice line)
{
	struct tp_slice name = tp_pb_first(line, 2);

	return tp_slice_eq(name, TP_S("XLA Ops")) || tp_slice_eq(name, TP_S("Steps")) ||
		tp_slice_eq(name, TP_S("XLA Modules"));
}

struct sums {
	size_t lines, events, bytes;
};

/* Each line of the file is one of the profile. */
static void
check_plane(
	struct tp_slice plane, const struct tp_profile *p, struct tp_arena *arena, struct sums *sums)
{
	struct tp_pb lines = tp_pb_open(plane);
	const struct ids ids = find_ids(plane);

	while (ids.offset != 0 && tp_pb_next_bytes(&lines, 3)) {
		if (!has_both(lines.bytes))
			continue;
		struct raw_line raw = read_line(lines.bytes, &ids, arena);
		bool found = raw.count == 0;

		for (uint32_t l = 0; l < p->line_count && !found; l++) {
			const struct tp_line *line = &p->lines[l];

			found = line->count == raw.count && is_same_line(raw, line_of(line, arena));
			if (!found || line->host_times.second == NULL)
				continue;
			sums->lines++;
			sums->events += line->count;
			sums->bytes += bytes_of(line);
		}
		if (!found)
			print_error("%u events of a line are not as they went in\n", raw.count);
		assert_true(found);
	}
}

static void
check_file(const char *path, struct sums *all)
{
	struct tp_err err;
	struct tp_blob *blob = tp_blob_open(path, &err);

	assert_non_null(blob);
	struct xspace_read r = xspace_read_in(tp_blob_bytes(blob), 0, NULL);
	struct tp_pb planes = tp_pb_open(tp_blob_bytes(blob));
	struct sums sums = {0};

	while (r.status == TP_OK && tp_pb_next_bytes(&planes, 1))
		check_plane(planes.bytes, r.p, r.arena, &sums);
	if (strstr(path, jumping) != NULL) {
		print_message("%s: %zu events, %.2f bytes each\n", jumping, sums.events,
			(double)sums.bytes / (double)sums.events);
		assert_true(sums.bytes <= sums.events * MOST_BYTES);
	}
	all->lines += sums.lines;
	all->events += sums.events;
	tp_arena_free(r.arena);
	tp_blob_close(blob);
}

static void
events_of_real_captures_come_out_as_they_went_in(void **state)
{
	const char *data = getenv("TPREPORT_TEST_DATA");
	struct tp_file_list list;
	struct sums all = {0};
	struct tp_err err;

	if (data == NULL)
		skip();
	assert_int_equal(tp_list_files(*state, data, &list, &err), TP_OK);
	for (size_t i = 0; i < list.count; i++) {
		if (tp_slice_ends(list.paths[i], TP_S(".xplane.pb")) &&
			!tp_slice_has(list.paths[i], TP_S("/corrupt/")))
			check_file(list.paths[i].ptr, &all);
	}
	assert_int_not_equal(all.lines, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		ARENA_TEST(events_of_real_captures_come_out_as_they_went_in),
	};

	return RUN(tests);
}

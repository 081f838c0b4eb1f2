/* Snapshots of clocks, and times by them. Numbers: clock_snapshot.proto and builtin_clock.proto of https://perfetto.dev. */
#include "ingest/perfetto_clock.h"

#include "codec/pb_wire.h"

enum { SNAPSHOT_CLOCKS = 1, SNAPSHOT_PRIMARY = 2 };
enum { CLOCK_ID = 1, CLOCK_TIMESTAMP = 2, CLOCK_INCREMENTAL = 3, CLOCK_UNIT = 4 };
enum { REALTIME = 1, OF_SEQUENCE_FROM = 64, OF_SEQUENCE_TO = 127, MOST_AT_ONCE = 64 };

struct clock {
	bool known;        /* some snapshot relates it to the trace's clock */
	bool incremental;  /* times are differences from the one before */
	uint64_t unit_ns;  /* of its times */
	int64_t offset_ns; /* of the trace's clock from it */
	uint64_t last_ns;  /* incremental: the time before */
};

struct reading {
	uint32_t id;
	uint64_t timestamp, unit_ns;
	bool incremental;
};

void
tp_perfetto_clocks_init(struct tp_perfetto_clocks *c, struct tp_arena *arena)
{
	*c = (struct tp_perfetto_clocks){.trace_clock = TP_PERFETTO_BOOTTIME};
	tp_map_init(&c->number_of, arena);
}

void
tp_perfetto_clocks_free(struct tp_perfetto_clocks *c)
{
	tp_buf_free(&c->clocks);
}

static struct clock *
clock_of(struct tp_perfetto_clocks *c, uint32_t sequence, uint32_t id)
{
	bool own = id >= OF_SEQUENCE_FROM && id <= OF_SEQUENCE_TO;
	uint32_t number;

	if (tp_map_number(
			&c->number_of, tp_hash_pair(own ? sequence : 0, (uint64_t)id << 1 | own), &number))
		TP_PUSH(&c->clocks, struct clock, .unit_ns = 1);
	return (struct clock *)c->clocks.data + number;
}

static struct reading
read_clock(struct tp_slice message)
{
	struct reading r = {.unit_ns = 1};

	for (struct tp_pb p = tp_pb_open(message); tp_pb_next(&p);) {
		if (p.type != TP_PB_VARINT)
			continue;
		if (p.field == CLOCK_ID)
			r.id = (uint32_t)p.number;
		else if (p.field == CLOCK_TIMESTAMP)
			r.timestamp = p.number;
		else if (p.field == CLOCK_INCREMENTAL)
			r.incremental = p.number != 0;
		else if (p.field == CLOCK_UNIT)
			r.unit_ns = p.number != 0 ? p.number : 1;
	}
	return r;
}

/* By the trace's clock, the moment of a snapshot: by that clock itself, or by one that another snapshot related to it. */
static bool
moment_of(struct tp_perfetto_clocks *c, uint32_t sequence, const struct reading *r, size_t count,
	int64_t *ns)
{
	for (size_t i = 0; i < count; i++) {
		if (r[i].id == c->trace_clock) {
			*ns = (int64_t)(r[i].timestamp * r[i].unit_ns);
			return true;
		}
	}
	for (size_t i = 0; i < count; i++) {
		const struct clock *k = clock_of(c, sequence, r[i].id);

		if (k->known &&
			!__builtin_add_overflow((int64_t)(r[i].timestamp * r[i].unit_ns), k->offset_ns, ns))
			return true;
	}
	return false;
}

void
tp_perfetto_clock_snapshot(
	struct tp_perfetto_clocks *c, uint32_t sequence, struct tp_slice snapshot)
{
	struct reading readings[MOST_AT_ONCE];
	size_t count = 0;
	int64_t moment_ns;

	for (struct tp_pb p = tp_pb_open(snapshot); tp_pb_next(&p);) {
		if (p.field == SNAPSHOT_CLOCKS && p.type == TP_PB_BYTES && count < MOST_AT_ONCE)
			readings[count++] = read_clock(p.bytes);
		else if (p.field == SNAPSHOT_PRIMARY && p.type == TP_PB_VARINT)
			c->trace_clock = (uint32_t)p.number;
	}
	if (!moment_of(c, sequence, readings, count, &moment_ns))
		return;
	for (size_t i = 0; i < count; i++) {
		uint64_t ns = readings[i].timestamp * readings[i].unit_ns;
		struct clock *k = clock_of(c, sequence, readings[i].id);

		k->unit_ns = readings[i].unit_ns;
		k->incremental = readings[i].incremental;
		k->last_ns = ns;
		k->known = !__builtin_sub_overflow(moment_ns, (int64_t)ns, &k->offset_ns);
		if (readings[i].id == REALTIME && c->unix_ns == 0 && k->known && k->offset_ns < 0)
			c->unix_ns = k->offset_ns != INT64_MIN ? -k->offset_ns : 0;
	}
}

bool
tp_perfetto_time(struct tp_perfetto_clocks *c, uint32_t sequence, uint32_t clock,
	uint64_t timestamp, int64_t *ns)
{
	uint64_t by_it;

	clock = clock != 0 ? clock : c->trace_clock;
	struct clock *k = clock_of(c, sequence, clock);

	/* The trace's own clock needs no snapshot. */
	if (!k->known && clock != c->trace_clock)
		return false;
	if (__builtin_mul_overflow(timestamp, k->unit_ns, &by_it))
		return false;
	if (k->incremental) {
		by_it += k->last_ns;
		k->last_ns = by_it;
	}
	return by_it <= INT64_MAX && !__builtin_add_overflow((int64_t)by_it, k->offset_ns, ns);
}

/* A rank with its first steps alone, by its bytes: of the columns that are long, numbers behind the last that counts are skipped, not read. Where
 * many ranks are put together, most of their calls are behind that. */
#include "model/rank.h"

#include "base/arena.h"
#include "codec/pb_wire.h"

/* Fields of Rank (proto/rank.proto). */
enum {
	STEPS_LEFT_OUT = 24,
	STEP_NAMES = 37,
	STEP_STARTS = 38,
	STEP_LENGTHS = 39,
	STEP_ROLES = 40,
	STEP_COVERED = 41,
	STEP_HOST = 42,
	CALL_OPERATIONS = 62,
	CALL_GROUPS = 63,
	CALL_ORDERS = 64,
	CALL_HOST_PS = 65,
	CALL_RANGES = 66,
	CALL_IN_BYTES = 67,
	CALL_OUT_BYTES = 68,
	CALL_FLAGS = 69,
	CALL_ENDS = 70,
	RANGE_STARTS = 71,
	RANGE_LENGTHS = 72,
	XLA = 100,
	EVENTS = 101,
};

/* A column: how many numbers are in it, and how many stay. */
struct column {
	struct tp_slice bytes;
	size_t count, kept;
	bool there;
};

struct cutting {
	struct column columns[RANGE_LENGTHS + 1]; /* by field */
	size_t names, steps;                      /* that there are, and that stay */
	uint64_t left_out;                        /* before */
	struct tp_arena *arena;
};

static bool
is_column(uint32_t field)
{
	return (field >= STEP_STARTS && field <= STEP_HOST) ||
		(field >= CALL_OPERATIONS && field <= RANGE_LENGTHS);
}

/* As many as there are last bytes of varints. */
static size_t
numbers_in(struct tp_slice bytes)
{
	size_t count = 0, i = 0;
	uint64_t word;

	for (; bytes.len - i >= sizeof word; i += sizeof word) {
		memcpy(&word, bytes.ptr + i, sizeof word);
		count += ((~word >> 7 & 0x0101010101010101ull) * 0x0101010101010101ull) >> 56;
	}
	for (; i < bytes.len; i++)
		count += (unsigned char)bytes.ptr[i] < 0x80;
	return count;
}

/* False: not as tpreport writes it, each column in one piece. */
static bool
find_columns(struct tp_slice bytes, struct cutting *c)
{
	struct tp_pb p = tp_pb_open(bytes);

	while (tp_pb_next(&p)) {
		if (p.field == XLA || p.field == EVENTS)
			return false;
		if (p.field == STEPS_LEFT_OUT)
			c->left_out = p.number;
		c->names += p.field == STEP_NAMES;
		if (!is_column(p.field))
			continue;
		struct column *column = &c->columns[p.field];

		if (column->there || p.type != TP_PB_BYTES || p.bytes.len == 0 ||
			(unsigned char)p.bytes.ptr[p.bytes.len - 1] >= 0x80)
			return false;
		*column = (struct column){.bytes = p.bytes, .count = numbers_in(p.bytes), .there = true};
	}
	return p.state == TP_PB_END;
}

static int64_t
unzigzag(uint64_t number)
{
	return (int64_t)(number >> 1 ^ (~(number & 1) + 1));
}

/* Modulo 2⁶⁴: whether numbers are within bounds is asked later, of those that stay. */
static uint64_t
sum_of(const struct column *column, size_t count)
{
	struct tp_pb p = tp_pb_open(column->bytes);
	uint64_t sum = 0, number;

	for (size_t i = 0; i < count && tp_pb_varint(&p, &number); i++)
		sum += (uint64_t)unzigzag(number);
	return sum;
}

static int64_t
number_at(const struct column *column, size_t index)
{
	return (int64_t)(sum_of(column, index + 1) - sum_of(column, index));
}

/* How many calls were asked for until the last step that stays ends: as tp_rank_cut. */
static size_t
calls_until(const struct cutting *c, int64_t until_ps)
{
	struct tp_pb p = tp_pb_open(c->columns[CALL_ORDERS].bytes);
	uint64_t at_ps = 0, number;
	size_t calls = 0;

	for (; p.at != p.end && tp_pb_varint(&p, &number); calls++) {
		at_ps += (uint64_t)unzigzag(number);
		if ((int64_t)at_ps > until_ps)
			break;
	}
	return calls;
}

/* What the first calls have of ranges and ends. */
static void
count_parts(const struct cutting *c, size_t calls, size_t *ranges, size_t *ends)
{
	struct tp_pb of_ranges = tp_pb_open(c->columns[CALL_RANGES].bytes);
	struct tp_pb of_flags = tp_pb_open(c->columns[CALL_FLAGS].bytes);
	uint64_t number;

	for (size_t i = 0; i < calls; i++) {
		if (tp_pb_varint(&of_ranges, &number))
			*ranges += (uint32_t)number;
		if (tp_pb_varint(&of_flags, &number) && (number & TP_RANK_HAS_ENDS))
			*ends += TP_RANK_ENDS;
	}
}

/* False: columns are not as long as they must be. */
static bool
keep(struct cutting *c, uint32_t first, uint32_t last, size_t count, size_t kept)
{
	for (uint32_t field = first; field <= last; field++) {
		if (c->columns[field].count != count || kept > count)
			return false;
		c->columns[field].kept = kept;
	}
	return true;
}

static bool
choose(struct cutting *c)
{
	size_t all = c->columns[CALL_OPERATIONS].count, ranges = 0, ends = 0;
	uint64_t from_ps = sum_of(&c->columns[STEP_STARTS], c->steps);
	int64_t last_ps = number_at(&c->columns[STEP_LENGTHS], c->steps - 1);
	size_t calls = calls_until(c, (int64_t)(from_ps + (uint64_t)last_ps));

	/* Not each trace tells it. */
	bool host = c->columns[STEP_HOST].there;

	count_parts(c, calls, &ranges, &ends);
	return keep(c, STEP_STARTS, STEP_LENGTHS, c->names, c->steps) &&
		keep(c, STEP_ROLES, STEP_ROLES, c->names * TP_RANK_ROLES, c->steps * TP_RANK_ROLES) &&
		keep(c, STEP_COVERED, STEP_COVERED, c->names * TP_RANK_COVERED,
			c->steps * TP_RANK_COVERED) &&
		keep(c, STEP_HOST, STEP_HOST, host ? c->names * TP_RANK_HOST_PARTS : 0,
			host ? c->steps * TP_RANK_HOST_PARTS : 0) &&
		keep(c, CALL_OPERATIONS, CALL_FLAGS, all, calls) &&
		keep(c, CALL_ENDS, CALL_ENDS, c->columns[CALL_ENDS].count, ends) &&
		keep(c, RANGE_STARTS, RANGE_LENGTHS, c->columns[RANGE_STARTS].count, ranges);
}

static char *
put_varint(char *at, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		*at++ = (char)(number | 0x80);
	*at++ = (char)number;
	return at;
}

/* The first numbers of a column, as they stand there. */
static struct tp_slice
first_of(const struct column *column)
{
	struct tp_pb p = tp_pb_open(column->bytes);
	uint64_t number;

	for (size_t i = 0; i < column->kept; i++)
		(void)tp_pb_varint(&p, &number);
	return (struct tp_slice){column->bytes.ptr, (size_t)((const char *)p.at - column->bytes.ptr)};
}

/* The same of the ends of calls, in which what carries a call may be cut off: then none is told, −1. */
static struct tp_slice
first_ends(const struct cutting *c)
{
	const struct column *ends = &c->columns[CALL_ENDS];
	struct tp_pb p = tp_pb_open(ends->bytes);
	char *bytes = tp_arena_alloc(c->arena, ends->bytes.len), *at = bytes;
	uint64_t number;

	for (size_t i = 0; i < ends->kept && tp_pb_varint(&p, &number); i++) {
		bool gone = i % TP_RANK_ENDS == TP_RANK_THROUGH &&
			unzigzag(number) >= (int64_t)c->columns[CALL_FLAGS].kept;

		at = put_varint(at, gone ? 1 : number);
	}
	return (struct tp_slice){bytes, (size_t)(at - bytes)};
}

/* What of a field stays; returns where the next is put. */
static char *
put_field(const struct cutting *c, const struct tp_pb *p, const uint8_t *from, char *at)
{
	struct tp_slice kept = {(const char *)from, (size_t)(p->at - from)};

	if (is_column(p->field)) {
		kept = p->field == CALL_ENDS ? first_ends(c) : first_of(&c->columns[p->field]);
		at = put_varint(at, (uint64_t)p->field << 3 | TP_PB_BYTES);
		at = put_varint(at, kept.len);
	}
	memcpy(at, kept.ptr, kept.len);
	return at + kept.len;
}

struct tp_slice
tp_rank_first_steps(struct tp_slice bytes, size_t steps, struct tp_arena *arena)
{
	enum { LEFT_OUT_BYTES = 16 };
	struct cutting c = {.steps = steps, .arena = arena};

	if (steps == 0 || !find_columns(bytes, &c) || c.names <= steps || !choose(&c))
		return bytes;
	char *out = tp_arena_alloc(arena, bytes.len + LEFT_OUT_BYTES), *at = out;
	struct tp_pb p = tp_pb_open(bytes);
	size_t names = 0;

	for (const uint8_t *from = p.at; tp_pb_next(&p); from = p.at) {
		if (p.field != STEP_NAMES || names++ < steps)
			at = put_field(&c, &p, from, at);
	}
	/* Of a number that is there twice the last counts. */
	at = put_varint(at, STEPS_LEFT_OUT << 3 | TP_PB_VARINT);
	at = put_varint(at, c.left_out + (c.names - steps));
	return (struct tp_slice){out, (size_t)(at - out)};
}

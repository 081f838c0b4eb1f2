/* The column of operations: narrow until one comes that needs more. */
#include "model/op_column.h"

#include <string.h>

/* Operations are listed where they have so many events each. */
enum { EVENTS_A_MET = 16 };

/* Of fewer it is not told where operations are: they are looked through in no time. */
enum { FEW_EVENTS = 64 * TP_MET_EVENTS };

struct tp_op_column
tp_op_column_from(const struct tp_op_column *c, uint32_t first)
{
	return (struct tp_op_column){
		.narrow = c->narrow != NULL ? c->narrow + first : NULL,
		.wide = c->wide != NULL ? c->wide + first : NULL,
	}; /* which operations a part has nobody has looked at */
}

static void
widen(struct tp_op_draft *d)
{
	const uint16_t *narrow = d->narrow.data;
	uint32_t *wide = tp_buf_extend(&d->wide, d->narrow.count, sizeof *wide);

	for (size_t i = 0; i < d->narrow.count; i++)
		wide[i] = narrow[i];
	d->is_wide = true;
	tp_buf_free(&d->narrow);
}

void
tp_ops_add(struct tp_op_draft *d, const uint32_t *op, uint32_t count)
{
	uint32_t all = 0;

	for (uint32_t i = 0; i < count && !d->is_wide; i++)
		all |= op[i];
	if (all > UINT16_MAX)
		widen(d);
	if (d->is_wide) {
		memcpy(tp_buf_extend(&d->wide, count, sizeof *op), op, count * sizeof *op);
		return;
	}
	uint16_t *narrow = tp_buf_extend(&d->narrow, count, sizeof *narrow);

	for (uint32_t i = 0; i < count; i++)
		narrow[i] = (uint16_t)op[i];
}

/* Returns the bit of an operation that is met for the first time. */
static uint64_t
meet(struct tp_op_draft *d, uint32_t op)
{
	if (op >= d->bit_of.count) {
		size_t more = (size_t)op + 1 - d->bit_of.count;

		memset(tp_buf_extend(&d->bit_of, more, sizeof(uint64_t)), 0, more * sizeof(uint64_t));
	}
	uint64_t bit = tp_met_bit((uint32_t)d->met.count);

	TP_PUSH(&d->met, uint32_t, op);
	((uint64_t *)d->bit_of.data)[op] = bit;
	return bit;
}

static uint64_t
meet_block(struct tp_op_draft *d, const uint32_t *op, uint32_t count)
{
	uint64_t bits = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint64_t bit = op[i] < d->bit_of.count ? ((const uint64_t *)d->bit_of.data)[op[i]] : 0;

		bits |= bit != 0 ? bit : meet(d, op[i]);
	}
	return bits;
}

void
tp_ops_meet(struct tp_op_draft *d, const uint32_t *op, uint32_t count)
{
	for (uint32_t i = 0, end; i < count; i = end) {
		end = count - i < TP_MET_EVENTS ? count : i + TP_MET_EVENTS;
		TP_PUSH(&d->met_in, uint64_t, meet_block(d, op + i, end - i));
	}
}

uint64_t
tp_op_column_bits(const struct tp_op_column *c, const uint8_t *of_op)
{
	uint64_t bits = 0;

	for (uint32_t i = 0; c->met != NULL && i < c->met_count; i++)
		bits |= of_op[c->met[i]] != 0 ? tp_met_bit(i) : 0;
	return bits;
}

void
tp_ops_reserve(struct tp_op_draft *d, size_t events)
{
	if (d->is_wide)
		tp_buf_reserve(&d->wide, events, sizeof(uint32_t));
	else
		tp_buf_reserve(&d->narrow, events, sizeof(uint16_t));
	if (d->met_in.count != 0)
		tp_buf_reserve(&d->met_in, events / TP_MET_EVENTS + 1, sizeof(uint64_t));
}

struct tp_op_column
tp_ops_so_far(const struct tp_op_draft *d)
{
	return d->is_wide ? (struct tp_op_column){.wide = d->wide.data}
					  : (struct tp_op_column){.narrow = d->narrow.data};
}

/* What the next line meets is met for the first time. */
static void
forget_met(struct tp_op_draft *d)
{
	const uint32_t *met = d->met.data;
	uint64_t *bit_of = d->bit_of.data;

	for (size_t i = 0; i < d->met.count; i++)
		bit_of[met[i]] = 0;
}

struct tp_op_column
tp_ops_give(struct tp_op_draft *d, struct tp_arena *arena)
{
	size_t events = d->is_wide ? d->wide.count : d->narrow.count;
	struct tp_op_column c = {0};

	if (d->is_wide)
		c.wide = tp_buf_give(&d->wide, events, sizeof(uint32_t), arena);
	else
		c.narrow = tp_buf_give(&d->narrow, events, sizeof(uint16_t), arena);
	forget_met(d);
	if (d->met.count != 0 && d->met.count <= events / EVENTS_A_MET) {
		c.met_count = (uint32_t)d->met.count;
		c.met = tp_buf_give(&d->met, d->met.count, sizeof(uint32_t), arena);
		if (events >= FEW_EVENTS)
			c.met_in = tp_buf_give(&d->met_in, d->met_in.count, sizeof(uint64_t), arena);
	}
	d->met.count = d->met_in.count = 0;
	d->is_wide = false;
	return c;
}

struct tp_op_column
tp_ops_of(const uint32_t *op, uint32_t count, struct tp_arena *arena)
{
	struct tp_op_draft d = {0};

	tp_ops_add(&d, op, count);
	struct tp_op_column ops = tp_ops_give(&d, arena);

	tp_ops_free(&d);
	return ops;
}

void
tp_ops_free(struct tp_op_draft *d)
{
	tp_buf_free(&d->narrow);
	tp_buf_free(&d->wide);
	tp_buf_free(&d->met);
	tp_buf_free(&d->met_in);
	tp_buf_free(&d->bit_of);
	d->is_wide = false;
}

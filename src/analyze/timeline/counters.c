/* Counters as cells, and as bytes. */
#include "analyze/timeline/counters.h"

#include "analyze/timeline/levels.h"
#include "analyze/timeline/tiles.h"
#include "base/arena.h"

#include <math.h>

/* So many values are told apart, from 0 to the greatest. */
enum { VALUES = 1000 };

struct tp_counter_cells
tp_counter_cells(struct tp_arena *arena, uint64_t high_ps, uint64_t most)
{
	unsigned shift = tp_level_shift(high_ps, most);
	uint32_t count = (uint32_t)(high_ps >> shift) + 1;

	return (struct tp_counter_cells){shift, count, tp_new_array(arena, double, count)};
}

void
tp_counter_spread(struct tp_counter_cells *c, uint64_t from_ps, uint64_t to_ps, double weight)
{
	uint64_t whole = (uint64_t)1 << c->shift;

	for (uint64_t i = from_ps >> c->shift; i < c->count && i << c->shift < to_ps; i++) {
		uint64_t begin = i << c->shift, end = begin + whole;
		uint64_t ps = (to_ps < end ? to_ps : end) - (from_ps > begin ? from_ps : begin);

		c->value[i] += weight * (double)ps / (double)whole;
	}
}

static void
raise_to(struct tp_counter_level *l, uint32_t cell)
{
	double *value = l->cells->value;

	value[l->at] = fmax(value[l->at], l->now);
	while (l->at < cell)
		value[++l->at] = l->now;
}

void
tp_counter_level(struct tp_counter_level *l, uint64_t from_ps, double value)
{
	uint64_t cell = from_ps >> l->cells->shift;

	raise_to(l, cell < l->cells->count ? (uint32_t)cell : l->cells->count - 1);
	l->now = value;
	l->cells->value[l->at] = fmax(l->cells->value[l->at], value);
}

void
tp_counter_level_end(struct tp_counter_level *l, uint64_t until_ps)
{
	uint64_t cell = until_ps >> l->cells->shift, last = l->cells->count - 1;

	raise_to(l, (uint32_t)(cell < last ? cell : last));
}

static uint64_t
number_of(const struct tp_counter_cells *c, uint32_t cell, double scale)
{
	double value = c->value[cell];

	/* What is there is seen, however little it is. */
	return value > 0 ? (uint64_t)fmax(1, round(value / scale)) : 0;
}

bool
tp_counter_pack(
	const struct tp_counter_cells *c, struct tp_timeline_counter *counter, struct tp_arena *keep)
{
	struct tp_tile_writer w = {0};
	uint64_t before = 0;
	uint32_t last = 0;

	counter->top = 0;
	for (uint32_t i = 0; i < c->count; i++)
		counter->top = isfinite(c->value[i]) ? fmax(counter->top, c->value[i]) : counter->top;
	if (!(counter->top > 0))
		return false;
	counter->scale = counter->top / VALUES;
	counter->cell_ps = (double)((uint64_t)1 << c->shift);
	counter->count = 0;
	for (uint32_t i = 0; i < c->count; i++) {
		uint64_t number = number_of(c, i, counter->scale);

		if (number == before)
			continue;
		tp_tile_put(&w, i - last);
		last = i;
		before = number;
		counter->count++;
	}
	before = 0;
	for (uint32_t i = 0; i < c->count; i++) {
		uint64_t number = number_of(c, i, counter->scale);

		if (number != before)
			tp_tile_put(&w, number);
		before = number;
	}
	counter->data = tp_tile_finish(&w, keep);
	return true;
}

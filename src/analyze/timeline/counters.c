/* Counters as cells, and as bytes. */
#include "analyze/timeline/counters.h"

#include "analyze/timeline/tiles.h"
#include "base/arena.h"

#include <math.h>

/* So many values are told apart, from 0 to the greatest. */
enum { VALUES = 1000, MOST_WHOLE = 1000000 };

struct tp_counter_cells
tp_counter_cells(
	struct tp_arena *arena, uint64_t from_ps, uint64_t to_ps, uint64_t high_ps, uint64_t most)
{
	unsigned shift = 0;

	while ((to_ps >> shift) - (from_ps >> shift) >= most)
		shift++;
	uint32_t count = (uint32_t)((to_ps >> shift) - (from_ps >> shift)) + 1;

	return (struct tp_counter_cells){
		.shift = shift,
		.ends = to_ps >> shift < high_ps >> shift,
		.first = from_ps >> shift,
		.count = count,
		.value = tp_new_array(arena, double, count),
	};
}

/* The cell that a time is in, from 0 on; the nearest. */
static uint32_t
cell_at(const struct tp_counter_cells *c, uint64_t ps)
{
	uint64_t cell = ps >> c->shift;

	cell = cell > c->first ? cell - c->first : 0;
	return cell < c->count ? (uint32_t)cell : c->count - 1;
}

void
tp_counter_spread(struct tp_counter_cells *c, uint64_t from_ps, uint64_t to_ps, double weight)
{
	uint64_t whole = (uint64_t)1 << c->shift;
	double of_whole = 1 / (double)whole; /* a power of two: exact */

	if (from_ps >> c->shift >= c->first + c->count)
		return;
	for (uint32_t i = cell_at(c, from_ps); i < c->count && (c->first + i) << c->shift < to_ps;
		 i++) {
		uint64_t begin = (c->first + i) << c->shift, end = begin + whole;
		uint64_t ps = (to_ps < end ? to_ps : end) - (from_ps > begin ? from_ps : begin);

		c->value[i] += weight * (double)ps * of_whole;
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
	raise_to(l, cell_at(l->cells, from_ps));
	l->now = value;
	l->cells->value[l->at] = fmax(l->cells->value[l->at], value);
}

void
tp_counter_level_end(struct tp_counter_level *l, uint64_t until_ps)
{
	raise_to(l, cell_at(l->cells, until_ps));
}

/* Whole numbers are told as they are: of 111 that wait one is one, not 0.999. */
static double
scale_of(const struct tp_counter_cells *c, double top)
{
	for (uint32_t i = 0; i < c->count; i++)
		if (c->value[i] != trunc(c->value[i]))
			return top / VALUES;
	return top <= MOST_WHOLE ? 1 : top / VALUES;
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
	uint64_t last = 0;

	counter->top = 0;
	for (uint32_t i = 0; i < c->count; i++)
		counter->top = isfinite(c->value[i]) ? fmax(counter->top, c->value[i]) : counter->top;
	if (!(counter->top > 0))
		return false;
	counter->scale = scale_of(c, counter->top);
	counter->cell_ps = (double)((uint64_t)1 << c->shift);
	counter->count = 0;
	for (uint32_t i = 0; i < c->count; i++) {
		uint64_t number = number_of(c, i, counter->scale);

		if (number == before)
			continue;
		tp_tile_put(&w, c->first + i - last);
		last = c->first + i;
		before = number;
		counter->count++;
	}
	bool ends = c->ends && before != 0;

	if (ends)
		tp_tile_put(&w, c->first + c->count - last);
	counter->count += ends;
	before = 0;
	for (uint32_t i = 0; i < c->count; i++) {
		uint64_t number = number_of(c, i, counter->scale);

		if (number != before)
			tp_tile_put(&w, number);
		before = number;
	}
	if (ends)
		tp_tile_put(&w, 0);
	counter->data = tp_tile_finish(&w, keep);
	return true;
}

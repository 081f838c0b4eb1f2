/* Cells are filled as events come; coarser levels are made of finer ones. */
#include "analyze/timeline/levels.h"

#include "analyze/timeline/tiles.h"
#include "base/arena.h"

unsigned
tp_level_shift(uint64_t high_ps, uint64_t most_cells)
{
	unsigned shift = 0;

	while (high_ps >> shift >= most_cells)
		shift++;
	return shift;
}

/* Of the names in a cell those are kept that cover most (Misra and Gries, Science of Computer Programming 2, 1982). */
static void
count_name(struct tp_level_lane *lane, uint32_t name, uint64_t ps)
{
	size_t least = 0;

	ps += 1; /* what has no length has a name, too */
	if (lane->names[0].ps != 0 && lane->names[0].name == name) {
		lane->names[0].ps += ps;
		return;
	}
	for (size_t i = 0; i < TP_CELL_NAMES; i++) {
		if (lane->names[i].ps != 0 && lane->names[i].name == name) {
			lane->names[i].ps += ps;
			return;
		}
		least = lane->names[i].ps < lane->names[least].ps ? i : least;
	}
	uint64_t taken = lane->names[least].ps < ps ? lane->names[least].ps : ps;

	for (size_t i = 0; i < TP_CELL_NAMES; i++)
		lane->names[i].ps -= taken;
	if (ps > taken) {
		lane->names[least].name = name;
		lane->names[least].ps = ps - taken;
	}
}

static void
finish_cell(struct tp_level_lane *lane)
{
	size_t most = 0;

	if (!lane->filling)
		return;
	for (size_t i = 1; i < TP_CELL_NAMES; i++)
		most = lane->names[i].ps > lane->names[most].ps ? i : most;
	lane->at.name = lane->names[most].ps != 0 ? lane->names[most].name : lane->at.name;
	*tp_buf_new(&lane->cells, struct tp_cell_sum) = lane->at;
	lane->filling = false;
}

static void
begin_cell(struct tp_level_lane *lane, uint32_t index, uint32_t name)
{
	if (lane->filling && lane->at.index == index)
		return;
	finish_cell(lane);
	lane->at = (struct tp_cell_sum){.index = index, .name = name};
	for (size_t i = 0; i < TP_CELL_NAMES; i++)
		lane->names[i].ps = 0;
	lane->filling = true;
}

static void
cover_cells(
	struct tp_level_lane *lane, unsigned shift, uint64_t from_ps, uint64_t to_ps, uint32_t name)
{
	uint32_t last = to_ps > from_ps ? (uint32_t)((to_ps - 1) >> shift) : lane->at.index;

	for (uint32_t i = lane->at.index;; i++) {
		uint64_t begin = (uint64_t)i << shift, end = begin + ((uint64_t)1 << shift);
		uint64_t covered = (to_ps < end ? to_ps : end) - (from_ps > begin ? from_ps : begin);

		lane->at.covered_ps += covered;
		count_name(lane, name, covered);
		if (i >= last)
			return;
		begin_cell(lane, i + 1, name);
	}
}

/* What overlaps the event before, in a lane that is not of nested events, begins where that ends: cells never go back. */
void
tp_levels_add(struct tp_levels *l, unsigned lane, uint64_t from_ps, uint64_t to_ps, uint32_t name)
{
	struct tp_level_lane *of = &l->lanes[lane];
	bool overlaps = from_ps < of->until_ps;

	l->lane_count = l->lane_count > lane ? l->lane_count : lane + 1;
	if (!overlaps)
		begin_cell(of, (uint32_t)(from_ps >> l->shift), name);
	of->at.starts++;
	if (overlaps && to_ps <= of->until_ps)
		return;
	if (overlaps)
		begin_cell(of, (uint32_t)(of->until_ps >> l->shift), name);
	cover_cells(of, l->shift, overlaps ? of->until_ps : from_ps, to_ps, name);
	of->until_ps = to_ps;
}

void
tp_levels_resume(
	struct tp_levels *l, unsigned lane, uint64_t from_ps, uint64_t to_ps, uint32_t name)
{
	struct tp_level_lane *of = &l->lanes[lane];

	l->lane_count = l->lane_count > lane ? l->lane_count : lane + 1;
	begin_cell(of, (uint32_t)(from_ps >> l->shift), name);
	cover_cells(of, l->shift, from_ps, to_ps, name);
	of->until_ps = to_ps;
}

void
tp_levels_join(struct tp_levels *l, struct tp_levels *later)
{
	for (unsigned i = 0; i < later->lane_count; i++) {
		struct tp_level_lane *lane = &l->lanes[i], *next = &later->lanes[i];

		finish_cell(lane);
		finish_cell(next);
		if (next->cells.count != 0)
			memcpy(tp_buf_extend(&lane->cells, next->cells.count, sizeof(struct tp_cell_sum)),
				next->cells.data, next->cells.count * sizeof(struct tp_cell_sum));
		tp_buf_free(&next->cells);
	}
	l->lane_count = l->lane_count > later->lane_count ? l->lane_count : later->lane_count;
}

static uint64_t
share_of(const struct tp_cell_sum *cell, unsigned shift)
{
	/* Rounded up, so that what is there is seen; a lane whose events overlap has no more than all. */
	uint64_t whole = (uint64_t)1 << shift,
			 covered = cell->covered_ps < whole ? cell->covered_ps : whole;

	return (uint64_t)(((unsigned __int128)covered * 255 + whole - 1) >> shift);
}

static struct tp_timeline_tile
tile_of(const struct tp_levels *l, uint64_t high_ps, struct tp_arena *keep)
{
	struct tp_tile_writer w = {0};
	size_t count = 0;

	for (unsigned i = 0, before = 0; i < l->lane_count; i++) {
		for (size_t k = 0; k < l->lanes[i].cells.count; k++, before = i)
			tp_tile_put(&w, i - before);
		count += l->lanes[i].cells.count;
	}
#define COLUMN(value)                                                                              \
	for (unsigned i = 0; i < l->lane_count; i++) {                                                 \
		const struct tp_cell_sum *cells = l->lanes[i].cells.data;                                  \
                                                                                                   \
		for (size_t k = 0; k < l->lanes[i].cells.count; k++)                                       \
			tp_tile_put(&w, (value));                                                              \
	}
	COLUMN(cells[k].index - (k != 0 ? cells[k - 1].index : 0))
	COLUMN(share_of(&cells[k], l->shift))
	COLUMN(cells[k].name)
	COLUMN(cells[k].starts)
#undef COLUMN
	return (struct tp_timeline_tile){
		.to_ps = (double)high_ps,
		.cell_ps = (double)((uint64_t)1 << l->shift),
		.count = count,
		.data = tp_tile_finish(&w, keep),
	};
}

/* Of the cells from `from` up to `to` the name that covers most, each cell being covered by one. */
static uint32_t
name_of(const struct tp_cell_sum *cells, size_t from, size_t to)
{
	uint64_t most_ps = 0;
	uint32_t name = cells[from].name;

	for (size_t i = from; i < to; i++) {
		uint64_t ps = 0;

		for (size_t k = from; k < to; k++)
			ps += cells[k].name == cells[i].name ? cells[k].covered_ps : 0;
		if (ps > most_ps) {
			most_ps = ps;
			name = cells[i].name;
		}
	}
	return name;
}

/* The next coarser level in place. */
static void
coarsen(struct tp_level_lane *lane)
{
	struct tp_cell_sum *cells = lane->cells.data;
	size_t kept = 0;

	for (size_t i = 0, next; i < lane->cells.count; i = next) {
		struct tp_cell_sum sum = {.index = cells[i].index >> TP_LEVEL_SHIFT};

		for (next = i; next < lane->cells.count && cells[next].index >> TP_LEVEL_SHIFT == sum.index;
			 next++) {
			sum.covered_ps += cells[next].covered_ps;
			sum.starts += cells[next].starts;
		}
		sum.name = name_of(cells, i, next);
		cells[kept++] = sum;
	}
	lane->cells.count = kept;
}

void
tp_levels_finish(struct tp_levels *l, uint64_t high_ps, struct tp_buf *tiles, struct tp_arena *keep)
{
	for (unsigned i = 0; i < l->lane_count; i++)
		finish_cell(&l->lanes[i]);
	for (;;) {
		*tp_buf_new(tiles, struct tp_timeline_tile) = tile_of(l, high_ps, keep);
		if (high_ps >> l->shift < TP_COARSEST_CELLS)
			break;
		for (unsigned i = 0; i < l->lane_count; i++)
			coarsen(&l->lanes[i]);
		l->shift += TP_LEVEL_SHIFT;
	}
	for (unsigned i = 0; i < l->lane_count; i++)
		tp_buf_free(&l->lanes[i].cells);
}

/* Threads nest, so that the next event is mostly near; the tree bounds what overlapping events would cost. */
#include "analyze/steps/step_ungrouped.h"

#include "analyze/steps/step_group_column.h"
#include "base/arena.h"
#include "model/profile.h"

static int64_t
smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static void
plant(struct tp_ungrouped *u, const struct tp_line *line, const struct tp_group_column *of,
	struct tp_arena *scratch)
{
	for (u->leaves = 1; u->leaves < line->count;)
		u->leaves *= 2;
	u->least_end_ps = tp_new_array(scratch, int64_t, 2 * (size_t)u->leaves);
	for (uint32_t i = 0; i < u->leaves; i++)
		u->least_end_ps[u->leaves + i] = i < line->count && tp_group_at(of, i) < 0
			? line->start_ps[i] + line->duration_ps[i]
			: INT64_MAX;
	for (uint32_t n = u->leaves - 1; n > 0; n--)
		u->least_end_ps[n] = smaller(u->least_end_ps[2 * n], u->least_end_ps[2 * n + 1]);
}

/* The first event from `from` on that is in no group and ends no later than end_ps; TP_NONE when there is none. */
static uint32_t
next_within(const struct tp_ungrouped *u, uint32_t from, int64_t end_ps)
{
	uint32_t n = u->leaves + from;

	if (from >= u->leaves)
		return TP_NONE;
	while (u->least_end_ps[n] > end_ps) {
		while (n & 1) /* what is right of a right child is right of its parent */
			n /= 2;
		if (n == 0)
			return TP_NONE;
		n++;
	}
	while (n < u->leaves)
		n = 2 * n + (u->least_end_ps[2 * n] > end_ps);
	return n - u->leaves;
}

uint32_t
tp_ungrouped_next(struct tp_ungrouped *u, const struct tp_line *line,
	const struct tp_group_column *of, uint32_t from, int64_t end_ps, struct tp_arena *scratch)
{
	for (uint32_t i = from; u->leaves == 0 && i < line->count && line->start_ps[i] <= end_ps; i++) {
		if (tp_group_at(of, i) < 0 && line->start_ps[i] + line->duration_ps[i] <= end_ps)
			return i;
		if (++u->passed > 8 * (uint64_t)line->count)
			plant(u, line, of, scratch);
	}
	return u->leaves == 0 ? TP_NONE : next_within(u, from, end_ps);
}

void
tp_ungrouped_take(struct tp_ungrouped *u, uint32_t event)
{
	uint32_t n = u->leaves + event;

	if (u->leaves == 0)
		return;
	u->least_end_ps[n] = INT64_MAX;
	for (n /= 2; n != 0; n /= 2) {
		int64_t least = smaller(u->least_end_ps[2 * n], u->least_end_ps[2 * n + 1]);

		if (u->least_end_ps[n] == least)
			return;
		u->least_end_ps[n] = least;
	}
}

/* Nesting on host threads: one walk in order of start, with a stack of the ranges and one of the Python functions that are
 * open. */
#include "analyze/torch_steps/torch_correlation.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"

/* Ends are rounded apart from starts, so that a part may end just after its whole. */
enum { ROUNDING_PS = 1000000 };

struct open_event {
	int64_t end_ps; /* not after that of the one that holds it */
	uint32_t event;
};

/* Those that are open, the innermost last. Each ends before the one below it: what a later one outlasts can hold nothing any
 * more that the later one does not hold as well. */
struct stack {
	struct open_event *open;
	uint32_t count;
};

static void
close_until(struct stack *s, int64_t ps)
{
	while (s->count != 0 && s->open[s->count - 1].end_ps <= ps)
		s->count--;
}

/* The innermost that ends late enough for the event to be in it; NULL: none. */
static const struct open_event *
holder(const struct tp_torch_trace *t, const struct stack *s, uint32_t event)
{
	uint32_t low = 0, high = s->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (s->open[middle].end_ps + ROUNDING_PS >= tp_torch_end_ps(t, event))
			low = middle + 1;
		else
			high = middle;
	}
	return low == 0 ? NULL : &s->open[low - 1];
}

static void
open_in(
	const struct tp_torch_trace *t, struct stack *s, const struct open_event *in, uint32_t event)
{
	struct open_event opened = {.end_ps = tp_torch_end_ps(t, event), .event = event};

	if (in != NULL && in->end_ps < opened.end_ps)
		opened.end_ps = in->end_ps;
	close_until(s, opened.end_ps);
	s->open[s->count++] = opened;
}

static void
nest_lane(const struct tp_torch_trace *t, const struct tp_torch_lane *lane, struct stack *ranges,
	struct stack *pythons, uint32_t *parent, uint32_t *python, uint32_t *crossing)
{
	ranges->count = pythons->count = 0;
	for (uint32_t e = lane->first; e < lane->first + lane->count; e++) {
		close_until(ranges, t->start_ps[e]);
		close_until(pythons, t->start_ps[e]);
		const struct open_event *range = holder(t, ranges, e);
		const struct open_event *function = holder(t, pythons, e);

		parent[e] = range == NULL ? TP_NONE : range->event;
		/* Steps that overlap are beside each other: one in the other would make as many layers as there are steps. */
		if (t->kind[e] == TP_TORCH_STEP && range != NULL && t->kind[range->event] == TP_TORCH_STEP)
			parent[e] = parent[range->event];
		python[e] = function == NULL ? TP_NONE : function->event;
		if (tp_torch_is_range(t->kind[e])) {
			*crossing += ranges->count != 0 && range != &ranges->open[ranges->count - 1];
			open_in(t, ranges, range, e);
		} else if (t->kind[e] == TP_TORCH_PYTHON) {
			open_in(t, pythons, function, e);
		}
	}
}

void
tp_torch_nest(const struct tp_torch_trace *t, struct tp_arena *keep, struct tp_arena *scratch,
	struct tp_torch_correlation *links)
{
	uint32_t *parent = tp_new_array(keep, uint32_t, t->count);
	uint32_t *python = tp_new_array(keep, uint32_t, t->count);
	struct stack ranges = {.open = tp_new_array(scratch, struct open_event, t->count)};
	struct stack pythons = {.open = tp_new_array(scratch, struct open_event, t->count)};

	for (uint32_t e = 0; e < t->count; e++)
		parent[e] = python[e] = TP_NONE;
	for (uint32_t i = 0; i < t->lane_count; i++) {
		if (t->lanes[i].kind == TP_TORCH_LANE_THREAD)
			nest_lane(t, &t->lanes[i], &ranges, &pythons, parent, python, &links->crossing);
	}
	links->parent = parent;
	links->python = python;
}

void
tp_torch_ranges_at(const struct tp_torch_trace *t, uint32_t lane, const int64_t *times_ps,
	uint32_t count, struct tp_arena *scratch, uint32_t *range)
{
	uint32_t e = t->lanes[lane].first, end = e + t->lanes[lane].count;
	struct stack ranges = {.open = tp_new_array(scratch, struct open_event, t->lanes[lane].count)};

	for (uint32_t i = 0; i < count; i++) {
		for (; e < end && t->start_ps[e] <= times_ps[i]; e++) {
			if (!tp_torch_is_range(t->kind[e]))
				continue;
			close_until(&ranges, t->start_ps[e]);
			open_in(t, &ranges, holder(t, &ranges, e), e);
		}
		close_until(&ranges, times_ps[i]);
		range[i] = ranges.count != 0 ? ranges.open[ranges.count - 1].event : TP_NONE;
	}
}

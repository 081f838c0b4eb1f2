/* Which row each box is in. Cycles are cut where few tensors flow: the heuristic of Eades, Lin and Smyth (1993), which takes
 * sinks from the end and sources from the start of an order and, when there is neither, the box that gives most more than it
 * takes. Rows then go by the longest way from a source, and to the next row that has room. */
#include "chart/layers.h"

struct order {
	const struct tp_diagram *d;
	bool gone[TP_DIAGRAM_MOST_BOXES];
	double in[TP_DIAGRAM_MOST_BOXES], out[TP_DIAGRAM_MOST_BOXES]; /* weights, of boxes not gone */
	size_t ins[TP_DIAGRAM_MOST_BOXES], outs[TP_DIAGRAM_MOST_BOXES];
	size_t position[TP_DIAGRAM_MOST_BOXES];
	size_t first, last; /* positions that are free */
};

static void
take(struct order *o, size_t box, bool to_end)
{
	o->gone[box] = true;
	o->position[box] = to_end ? --o->last : o->first++;
	for (size_t i = 0; i < o->d->arrow_count; i++) {
		const struct tp_arrow *a = &o->d->arrows[i];

		if (a->from == box) {
			o->in[a->to] -= a->weight;
			o->ins[a->to]--;
		}
		if (a->to == box) {
			o->out[a->from] -= a->weight;
			o->outs[a->from]--;
		}
	}
}

/* Takes all boxes that nothing comes out of, or else that nothing goes into, until there are no more. */
static bool
take_ends(struct order *o)
{
	size_t before = o->last - o->first;

	for (size_t i = o->d->box_count; i-- > 0;) {
		if (!o->gone[i] && o->outs[i] == 0)
			take(o, i, true);
	}
	for (size_t i = 0; i < o->d->box_count; i++) {
		if (!o->gone[i] && o->ins[i] == 0)
			take(o, i, false);
	}
	return o->last - o->first < before;
}

static void
put_in_order(struct order *o)
{
	o->last = o->d->box_count;
	for (size_t i = 0; i < o->d->arrow_count; i++) {
		const struct tp_arrow *a = &o->d->arrows[i];

		o->out[a->from] += a->weight;
		o->in[a->to] += a->weight;
		o->outs[a->from]++;
		o->ins[a->to]++;
	}
	while (o->first < o->last) {
		size_t best = SIZE_MAX;

		if (take_ends(o))
			continue;
		for (size_t i = 0; i < o->d->box_count; i++) {
			if (!o->gone[i] &&
				(best == SIZE_MAX || o->out[i] - o->in[i] > o->out[best] - o->in[best]))
				best = i;
		}
		take(o, best, false);
	}
}

/* Boxes that only give move down to just above what takes from them, where there is room. */
static void
move_down(
	const struct tp_diagram *d, const bool *turned, unsigned widest, unsigned *rows, unsigned *used)
{
	for (size_t box = 0; box < d->box_count; box++) {
		unsigned least = UINT32_MAX;
		bool takes = false;

		for (size_t i = 0; i < d->arrow_count; i++) {
			size_t upper = turned[i] ? d->arrows[i].to : d->arrows[i].from;
			size_t lower = turned[i] ? d->arrows[i].from : d->arrows[i].to;

			takes |= lower == box;
			if (upper == box && rows[lower] < least)
				least = rows[lower];
		}
		if (takes || least == UINT32_MAX)
			continue;
		for (unsigned row = least; row-- > rows[box] + 1;) {
			if (used[row] == widest)
				continue;
			used[rows[box]]--;
			used[row]++;
			rows[box] = row;
			break;
		}
	}
}

/* Rows that have become empty go. */
static unsigned
close_up(size_t boxes, unsigned *rows, const unsigned *used, unsigned count)
{
	unsigned left = 0, now[TP_DIAGRAM_MOST_BOXES] = {0};

	for (unsigned row = 0; row < count; row++) {
		now[row] = left;
		left += used[row] != 0;
	}
	for (size_t i = 0; i < boxes; i++)
		rows[i] = now[rows[i]];
	return left;
}

unsigned
tp_layer_rows(const struct tp_diagram *d, unsigned widest,
	unsigned rows[static TP_DIAGRAM_MOST_BOXES], bool turned[static TP_DIAGRAM_MOST_ARROWS])
{
	struct order o = {.d = d};
	size_t at[TP_DIAGRAM_MOST_BOXES] = {0};
	unsigned used[TP_DIAGRAM_MOST_BOXES] = {0}, count = 0;

	put_in_order(&o);
	for (size_t i = 0; i < d->box_count; i++)
		at[o.position[i]] = i;
	for (size_t i = 0; i < d->arrow_count; i++)
		turned[i] = o.position[d->arrows[i].from] > o.position[d->arrows[i].to];
	for (size_t k = 0; k < d->box_count; k++) {
		unsigned row = 0;

		for (size_t i = 0; i < d->arrow_count; i++) {
			size_t upper = turned[i] ? d->arrows[i].to : d->arrows[i].from;
			size_t lower = turned[i] ? d->arrows[i].from : d->arrows[i].to;

			if (lower == at[k] && rows[upper] >= row)
				row = rows[upper] + 1;
		}
		while (used[row] == widest)
			row++;
		rows[at[k]] = row;
		used[row]++;
		count = row >= count ? row + 1 : count;
	}
	move_down(d, turned, widest, rows, used);
	return close_up(d->box_count, rows, used, count);
}

/* Lanes, the order within rows, and where along a row each item stands (Sugiyama, Tagawa and Toda 1981). */
#include "chart/layers.h"

#include "base/arena.h"

#include <math.h>
#include <stdlib.h>

enum { ORDER_SWEEPS = 12, PLACE_SWEEPS = 80, FEW_SWEEPS = 10, MANY_LINKS = 1000 };
static const double box_gap = .025, lane_gap = .014, widest_box = .3, lanes_at_most = .4;

struct making {
	const struct tp_diagram *d;
	struct tp_layers *out;
	struct tp_arena *arena;
	unsigned rows[TP_DIAGRAM_MOST_BOXES];
	bool turned[TP_DIAGRAM_MOST_ARROWS];
	size_t *lanes;     /* item + 1 by (row, upper box, turned); 0: none */
	size_t *row_first; /* row_count + 1: places in `in_row` */
	size_t *in_row;    /* items by row, in the order of their places */
	size_t *link_at;   /* by item: first of its links in by_upper, by_lower */
};

static size_t
lane_of(struct making *m, unsigned row, size_t box, bool up)
{
	size_t *lane = &m->lanes[(row * m->d->box_count + box) * 2 + up];

	if (*lane == 0) {
		m->out->items[m->out->item_count] =
			(struct tp_layer_item){.box = box, .lane = true, .row = row};
		*lane = ++m->out->item_count;
	}
	return *lane - 1;
}

static void
add_link(struct making *m, size_t upper, size_t lower, size_t arrow)
{
	const struct tp_arrow *a = &m->d->arrows[arrow];
	struct tp_layers *out = m->out;

	for (size_t i = 0; i < out->link_count; i++) {
		struct tp_layer_link *l = &out->links[i];

		if (l->upper != upper || l->lower != lower || l->up != m->turned[arrow])
			continue;
		l->weight += a->weight;
		l->control = l->control && a->control;
		l->arrow = SIZE_MAX;
		return;
	}
	out->links[out->link_count++] = (struct tp_layer_link){.upper = upper,
		.lower = lower,
		.weight = a->weight,
		.arrow = arrow,
		.up = m->turned[arrow],
		.control = a->control};
}

static void
add_items_and_links(struct making *m)
{
	const struct tp_diagram *d = m->d;
	struct tp_layers *out = m->out;
	size_t most_links = 0;

	for (size_t i = 0; i < d->arrow_count; i++)
		most_links += (size_t)abs((int)m->rows[d->arrows[i].from] - (int)m->rows[d->arrows[i].to]);
	m->lanes = tp_new_array(m->arena, size_t, out->row_count * d->box_count * 2);
	out->items = tp_new_array(
		m->arena, struct tp_layer_item, d->box_count * (1 + 2 * (size_t)out->row_count));
	out->links = tp_new_array(m->arena, struct tp_layer_link, most_links);
	for (size_t i = 0; i < d->box_count; i++)
		out->items[out->item_count++] = (struct tp_layer_item){.box = i, .row = m->rows[i]};
	for (size_t i = 0; i < d->arrow_count; i++) {
		bool up = m->turned[i];
		size_t upper = up ? d->arrows[i].to : d->arrows[i].from, at = upper;
		size_t lower = up ? d->arrows[i].from : d->arrows[i].to;

		for (unsigned row = m->rows[upper] + 1; row < m->rows[lower]; row++) {
			size_t lane = lane_of(m, row, upper, up);

			add_link(m, at, lane, i);
			at = lane;
		}
		add_link(m, at, lower, i);
	}
}

static void
fill_rows(struct making *m)
{
	struct tp_layers *out = m->out;
	size_t at = 0;

	m->row_first = tp_new_array(m->arena, size_t, out->row_count + 1);
	m->in_row = tp_new_array(m->arena, size_t, out->item_count);
	for (unsigned row = 0; row < out->row_count; row++) {
		m->row_first[row] = at;
		for (size_t i = 0; i < out->item_count; i++) {
			if (out->items[i].row != row)
				continue;
			out->items[i].place = (unsigned)(at - m->row_first[row]);
			m->in_row[at++] = i;
		}
	}
	m->row_first[out->row_count] = at;
}

/* How many pairs of links cross. */
static size_t
crossings(const struct tp_layers *l)
{
	size_t count = 0;

	for (size_t i = 0; i < l->link_count; i++) {
		for (size_t k = 0; k < i; k++) {
			const struct tp_layer_item *a = &l->items[l->links[i].upper],
									   *b = &l->items[l->links[k].upper];

			if (a->row != b->row)
				continue;
			int upper = (int)a->place - (int)b->place;
			int lower =
				(int)l->items[l->links[i].lower].place - (int)l->items[l->links[k].lower].place;

			count += (upper < 0 && lower > 0) || (upper > 0 && lower < 0);
		}
	}
	return count;
}

/* The mean place of what an item is joined to in the row above or below; its own when there is nothing. */
static double
mean_place(const struct tp_layers *l, size_t item, bool above)
{
	double sum = 0, count = 0;

	for (size_t i = 0; i < l->link_count; i++) {
		size_t here = above ? l->links[i].lower : l->links[i].upper;
		size_t there = above ? l->links[i].upper : l->links[i].lower;

		if (here != item)
			continue;
		sum += l->items[there].place;
		count++;
	}
	return count > 0 ? sum / count : l->items[item].place;
}

static void
sort_row(struct making *m, unsigned row, bool above)
{
	size_t *items = m->in_row + m->row_first[row],
		   count = m->row_first[row + 1] - m->row_first[row];
	double *means = tp_new_array(m->arena, double, count);

	for (size_t i = 0; i < count; i++)
		means[i] = mean_place(m->out, items[i], above);
	/* Rows are short, and equal ones must stay as they are. */
	for (size_t i = 1; i < count; i++) {
		for (size_t k = i; k > 0 && means[k] < means[k - 1]; k--) {
			double mean = means[k];
			size_t item = items[k];

			means[k] = means[k - 1];
			items[k] = items[k - 1];
			means[k - 1] = mean;
			items[k - 1] = item;
		}
	}
	for (size_t i = 0; i < count; i++)
		m->out->items[items[i]].place = (unsigned)i;
}

static void
order_rows(struct making *m)
{
	struct tp_layers *out = m->out;
	size_t *best = tp_new_array(m->arena, size_t, out->item_count), least = crossings(out);

	memcpy(best, m->in_row, out->item_count * sizeof *best);
	for (int sweep = 0; sweep < ORDER_SWEEPS && least > 0; sweep++) {
		for (unsigned r = 1; r < out->row_count; r++) {
			unsigned row = sweep % 2 == 0 ? r : out->row_count - 1 - r;

			sort_row(m, row, sweep % 2 == 0);
		}
		size_t now = crossings(out);

		if (now < least) {
			least = now;
			memcpy(best, m->in_row, out->item_count * sizeof *best);
		}
	}
	memcpy(m->in_row, best, out->item_count * sizeof *best);
	for (unsigned row = 0; row < out->row_count; row++) {
		for (size_t i = m->row_first[row]; i < m->row_first[row + 1]; i++)
			out->items[m->in_row[i]].place = (unsigned)(i - m->row_first[row]);
	}
}

/* Widths with which the fullest row fits. */
static void
choose_widths(struct making *m)
{
	struct tp_layers *out = m->out;

	out->box_share = widest_box;
	out->lane_share = .006;
	for (unsigned row = 0; row < out->row_count; row++) {
		double boxes = 0, lanes = 0;

		for (size_t i = m->row_first[row]; i < m->row_first[row + 1]; i++) {
			boxes += !out->items[m->in_row[i]].lane;
			lanes += out->items[m->in_row[i]].lane;
		}
		if (lanes > 0)
			out->lane_share = fmin(out->lane_share, lanes_at_most / lanes - lane_gap);
		if (boxes > 0)
			out->box_share = fmin(out->box_share,
				(1 - fmin(lanes * (out->lane_share + lane_gap), lanes_at_most)) / boxes - box_gap);
	}
	out->lane_share = fmax(out->lane_share, 0);
}

static double
apart(const struct tp_layers *l, const struct tp_layer_item *a, const struct tp_layer_item *b)
{
	double widths =
		(a->lane ? l->lane_share : l->box_share) + (b->lane ? l->lane_share : l->box_share);

	return widths / 2 + (a->lane || b->lane ? lane_gap : box_gap);
}

/* Where an item would like to be: at the mean of what it is joined to. */
static double
wish(const struct tp_layers *l, size_t item)
{
	double sum = 0, weight = 0;

	for (size_t i = 0; i < l->link_count; i++) {
		const struct tp_layer_link *k = &l->links[i];

		if (k->upper != item && k->lower != item)
			continue;
		/* Lanes want to be straight most of all. */
		bool straight = l->items[k->upper].lane && l->items[k->lower].lane;
		double w = straight ? 8 : 1;

		sum += w * l->items[k->upper == item ? k->lower : k->upper].x;
		weight += w;
	}
	return weight > 0 ? sum / weight : l->items[item].x;
}

/* The lane above that a lane goes on from; SIZE_MAX: it comes from a box, or is a box. */
static size_t
lane_above(const struct tp_layers *l, size_t item)
{
	for (size_t i = 0; i < l->link_count && l->items[item].lane; i++) {
		if (l->links[i].lower == item && l->items[l->links[i].upper].lane)
			return l->links[i].upper;
	}
	return SIZE_MAX;
}

/* Puts the items of a row as near to their wishes as their widths allow: the least squares under an order, by pooling
 * neighbours that are too near each other. */
static void
place_row(struct making *m, unsigned row, bool straight)
{
	struct tp_layers *l = m->out;
	const size_t *items = m->in_row + m->row_first[row];
	size_t count = m->row_first[row + 1] - m->row_first[row], pools = 0;
	double *offset = tp_new_array(m->arena, double, 3 * count), *mean = offset + count,
		   *size = mean + count;

	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			offset[i] = offset[i - 1] + apart(l, &l->items[items[i - 1]], &l->items[items[i]]);
		size_t above = straight ? lane_above(l, items[i]) : SIZE_MAX;

		mean[pools] = (above != SIZE_MAX ? l->items[above].x : wish(l, items[i])) - offset[i];
		size[pools++] = 1;
		for (; pools > 1 && mean[pools - 1] < mean[pools - 2]; pools--) {
			double both = size[pools - 1] + size[pools - 2];

			mean[pools - 2] =
				(mean[pools - 2] * size[pools - 2] + mean[pools - 1] * size[pools - 1]) / both;
			size[pools - 2] = both;
		}
	}
	if (count == 0)
		return;
	double low = (l->items[items[0]].lane ? l->lane_share : l->box_share) / 2;
	double high = 1 - (l->items[items[count - 1]].lane ? l->lane_share : l->box_share) / 2 -
		offset[count - 1];
	size_t at = 0;

	for (size_t p = 0; p < pools; p++) {
		double x = fmax(low, fmin(mean[p], fmax(low, high)));

		for (size_t k = 0; k < (size_t)size[p]; k++, at++)
			l->items[items[at]].x = x + offset[at];
	}
}

static void
place_items(struct making *m)
{
	struct tp_layers *l = m->out;

	for (unsigned row = 0; row < l->row_count; row++) {
		double count = (double)(m->row_first[row + 1] - m->row_first[row]);

		for (size_t i = m->row_first[row]; i < m->row_first[row + 1]; i++)
			l->items[m->in_row[i]].x = (l->items[m->in_row[i]].place + .5) / count;
	}
	int sweeps = l->link_count > MANY_LINKS ? FEW_SWEEPS : PLACE_SWEEPS;

	for (int sweep = 0; sweep < sweeps; sweep++) {
		for (unsigned row = 0; row < l->row_count; row++)
			place_row(m, sweep % 2 == 0 ? row : l->row_count - 1 - row, false);
	}
	/* Lanes that hang like ropes become straight down to their last row. */
	for (unsigned row = 0; row < l->row_count; row++)
		place_row(m, row, true);
}

/* Ends of links stand side by side along their boxes, in the order of where they go. */
static void
place_ends(struct tp_layers *l)
{
	for (size_t i = 0; i < l->link_count; i++) {
		struct tp_layer_link *k = &l->links[i];
		double *ends[2] = {&k->from, &k->to};

		for (int end = 0; end < 2; end++) {
			size_t item = end == 0 ? k->upper : k->lower, before = 0, count = 0;
			double there = l->items[end == 0 ? k->lower : k->upper].x;

			for (size_t j = 0; j < l->link_count; j++) {
				const struct tp_layer_link *o = &l->links[j];
				double x = l->items[end == 0 ? o->lower : o->upper].x;

				if ((end == 0 ? o->upper : o->lower) != item)
					continue;
				count++;
				before += x < there || (x <= there && j < i);
			}
			*ends[end] = l->items[item].x;
			if (!l->items[item].lane)
				*ends[end] += l->box_share * .8 * (((double)before + .5) / (double)count - .5);
		}
	}
}

void
tp_layers_make(
	const struct tp_diagram *d, unsigned widest, struct tp_arena *arena, struct tp_layers *out)
{
	struct making m = {.d = d, .out = out, .arena = arena};

	*out = (struct tp_layers){0};
	out->row_count = tp_layer_rows(d, widest, m.rows, m.turned);
	add_items_and_links(&m);
	fill_rows(&m);
	order_rows(&m);
	choose_widths(&m);
	place_items(&m);
	place_ends(out);
}

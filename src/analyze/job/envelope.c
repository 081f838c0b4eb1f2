/* The least and the greatest of each interval, in the order in which they come. */
#include "analyze/job/envelope.h"

#include "base/arena.h"
#include "report/doc.h"

#include <math.h>

struct tp_envelope_interval {
	bool any;
	double least, most, least_at, most_at;
	bool non_finite[TP_NON_FINITE_KINDS];
	double non_finite_at[TP_NON_FINITE_KINDS]; /* the first of its kind */
};

struct tp_envelope
tp_envelope_new(struct tp_arena *arena, double low, double high, size_t intervals)
{
	return (struct tp_envelope){
		.low = low,
		.high = high,
		.intervals = intervals,
		.all = tp_new_array(arena, struct tp_envelope_interval, intervals),
	};
}

static void
put_non_finite(struct tp_envelope_interval *s, double x, double y)
{
	enum tp_non_finite_kind kind = isnan(y) ? TP_NON_FINITE_NAN
		: y > 0                             ? TP_NON_FINITE_ABOVE
											: TP_NON_FINITE_BELOW;

	if (!s->non_finite[kind] || x < s->non_finite_at[kind])
		s->non_finite_at[kind] = x;
	s->non_finite[kind] = true;
}

void
tp_envelope_put(struct tp_envelope *e, double x, double y)
{
	if (!(x >= e->low && x <= e->high))
		return;
	double share = (x - e->low) / (e->high - e->low);
	size_t at = (size_t)(share * (double)(e->intervals - 1) + .5);
	struct tp_envelope_interval *s = &e->all[at];

	e->points++;
	if (!isfinite(y)) {
		e->not_finite++;
		put_non_finite(s, x, y);
		return;
	}
	if (!s->any || y < s->least) {
		s->least = y;
		s->least_at = x;
	}
	if (!s->any || y > s->most) {
		s->most = y;
		s->most_at = x;
	}
	s->any = true;
}

static void
add(struct tp_curve *c, double x, double y)
{
	((double *)c->xs)[c->count] = x;
	((double *)c->ys)[c->count] = y;
	c->count++;
}

static void
add_odds(struct tp_curve *c, const struct tp_envelope_interval *s)
{
	struct tp_non_finite *non_finites = (struct tp_non_finite *)c->non_finites;
	size_t first = c->non_finite_count;

	for (int kind = 0; kind < TP_NON_FINITE_KINDS; kind++) {
		size_t at = c->non_finite_count;

		if (!s->non_finite[kind])
			continue;
		for (; at > first && non_finites[at - 1].x > s->non_finite_at[kind]; at--)
			non_finites[at] = non_finites[at - 1];
		non_finites[at] =
			(struct tp_non_finite){s->non_finite_at[kind], (enum tp_non_finite_kind)kind};
		c->non_finite_count++;
	}
}

struct tp_curve
tp_envelope_curve(const struct tp_envelope *e, struct tp_arena *arena)
{
	struct tp_curve c = {
		.xs = tp_new_array(arena, double, 2 * e->intervals),
		.ys = tp_new_array(arena, double, 2 * e->intervals),
		.non_finites = e->not_finite != 0
			? tp_new_array(arena, struct tp_non_finite, TP_NON_FINITE_KINDS * e->intervals)
			: NULL,
		.points = e->points,
		.not_finite = e->not_finite,
	};

	for (size_t i = 0; i < e->intervals; i++) {
		const struct tp_envelope_interval *s = &e->all[i];
		bool least_first = s->least_at <= s->most_at;

		if (e->not_finite != 0)
			add_odds(&c, s);
		if (!s->any)
			continue;
		add(&c, least_first ? s->least_at : s->most_at, least_first ? s->least : s->most);
		if (s->least != s->most)
			add(&c, least_first ? s->most_at : s->least_at, least_first ? s->most : s->least);
	}
	return c;
}

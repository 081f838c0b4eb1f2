/* The least and the greatest of each stretch, in the order in which they come. */
#include "analyze/job/envelope.h"

#include "base/arena.h"
#include "report/doc.h"

#include <math.h>

struct tp_envelope_stretch {
	bool any;
	double least, most, least_at, most_at;
	bool odd[TP_ODD_KINDS];
	double odd_at[TP_ODD_KINDS]; /* the first of its kind */
};

struct tp_envelope
tp_envelope_new(struct tp_arena *arena, double low, double high, size_t stretches)
{
	return (struct tp_envelope){
		.low = low,
		.high = high,
		.stretches = stretches,
		.all = tp_new_array(arena, struct tp_envelope_stretch, stretches),
	};
}

static void
put_odd(struct tp_envelope_stretch *s, double x, double y)
{
	enum tp_odd_kind kind = isnan(y) ? TP_ODD_NAN : y > 0 ? TP_ODD_ABOVE : TP_ODD_BELOW;

	if (!s->odd[kind] || x < s->odd_at[kind])
		s->odd_at[kind] = x;
	s->odd[kind] = true;
}

void
tp_envelope_put(struct tp_envelope *e, double x, double y)
{
	if (!(x >= e->low && x <= e->high))
		return;
	double share = (x - e->low) / (e->high - e->low);
	size_t at = (size_t)(share * (double)(e->stretches - 1) + .5);
	struct tp_envelope_stretch *s = &e->all[at];

	e->points++;
	if (!isfinite(y)) {
		e->not_finite++;
		put_odd(s, x, y);
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
add_odds(struct tp_curve *c, const struct tp_envelope_stretch *s)
{
	struct tp_odd *odds = (struct tp_odd *)c->odds;
	size_t first = c->odd_count;

	for (int kind = 0; kind < TP_ODD_KINDS; kind++) {
		size_t at = c->odd_count;

		if (!s->odd[kind])
			continue;
		for (; at > first && odds[at - 1].x > s->odd_at[kind]; at--)
			odds[at] = odds[at - 1];
		odds[at] = (struct tp_odd){s->odd_at[kind], (enum tp_odd_kind)kind};
		c->odd_count++;
	}
}

struct tp_curve
tp_envelope_curve(const struct tp_envelope *e, struct tp_arena *arena)
{
	struct tp_curve c = {
		.xs = tp_new_array(arena, double, 2 * e->stretches),
		.ys = tp_new_array(arena, double, 2 * e->stretches),
		.odds = e->not_finite != 0 ? tp_new_array(arena, struct tp_odd, TP_ODD_KINDS * e->stretches)
								   : NULL,
		.points = e->points,
		.not_finite = e->not_finite,
	};

	for (size_t i = 0; i < e->stretches; i++) {
		const struct tp_envelope_stretch *s = &e->all[i];
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

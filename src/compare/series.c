/* Headline figures run by run, and which of them matters most. */
#include "compare/series.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "compare/trend.h"
#include "report/doc.h"
#include "report/headline.h"

/* False when fewer than two reports have the metric. */
static bool
fill(struct tp_series_of_runs *s, const struct tp_headline *headline,
	const struct tp_trend_run *runs, size_t count, struct tp_arena *arena)
{
	*s = (struct tp_series_of_runs){
		.id = tp_slice_of(headline->id),
		.label = tp_slice_of(headline->label),
		.direction = tp_metric_direction(tp_slice_of(headline->id)),
		.values = tp_new_array(arena, double, count),
		.known = tp_new_array(arena, double, count),
		.runs = tp_new_array(arena, size_t, count),
	};
	for (size_t i = 0; i < count; i++) {
		struct tp_value value = tp_doc_value(runs[i].doc, headline->id);
		bool number = value.kind == TP_VALUE_NUMBER || value.kind == TP_VALUE_INTEGER;

		if (number && s->known_count == 0)
			s->unit = value.unit;
		s->values[i] = number ? tp_value_in(value, s->unit) : NAN;
		if (isnan(s->values[i]))
			continue;
		s->runs[s->known_count] = i;
		s->known[s->known_count++] = s->values[i];
	}
	s->point_count = tp_change_points(s->known, s->known_count, arena, &s->points);
	return s->known_count >= 2;
}

size_t
tp_series_collect(const struct tp_trend_run *runs, size_t count, struct tp_arena *arena,
	const struct tp_series_of_runs **out)
{
	struct tp_series_of_runs *all = tp_new_array(arena, struct tp_series_of_runs, TP_SERIES_MOST);
	size_t found = 0;

	for (size_t i = 0; i < tp_headline_count && found < TP_SERIES_MOST; i++) {
		bool again =
			found != 0 && tp_slice_eq(all[found - 1].label, tp_slice_of(tp_headlines[i].label));

		if (!again)
			found += fill(&all[found], &tp_headlines[i], runs, count, arena);
	}
	*out = all;
	return found;
}

const struct tp_change_point *
tp_series_newest(const struct tp_series_of_runs *s)
{
	return s->point_count != 0 ? &s->points[s->point_count - 1] : NULL;
}

double
tp_change_share(const struct tp_change_point *p)
{
	return p->before != 0 ? p->after / p->before - 1 : NAN;
}

bool
tp_series_is_worse(const struct tp_series_of_runs *s, const struct tp_change_point *p)
{
	return s->direction != TP_NO_DIRECTION &&
		(p->after > p->before) == (s->direction == TP_LOWER_IS_BETTER);
}

/* The level that run `at` belongs to: before the first change, or after the last one up to it. */
static double
level_at(const struct tp_series_of_runs *s, size_t at)
{
	double level = s->points[0].before;

	for (size_t i = 0; i < s->point_count && s->points[i].at <= at; i++)
		level = s->points[i].after;
	return level;
}

/* The newest change over the mean distance of single runs from their level. */
static double
weight(const struct tp_series_of_runs *s)
{
	const struct tp_change_point *p = tp_series_newest(s);
	double distance = 0;

	for (size_t i = 0; i < s->known_count; i++)
		distance += fabs(s->known[i] - level_at(s, i));
	return fabs(p->after - p->before) / (distance / (double)s->known_count);
}

const struct tp_series_of_runs *
tp_series_lead(const struct tp_series_of_runs *series, size_t count)
{
	const struct tp_series_of_runs *lead = count != 0 ? &series[0] : NULL, *worst = NULL;

	for (size_t i = count; i-- > 0;) {
		const struct tp_change_point *p = tp_series_newest(&series[i]);

		if (p == NULL)
			continue;
		lead = &series[i];
		if (tp_series_is_worse(lead, p) && (worst == NULL || weight(lead) >= weight(worst)))
			worst = lead;
	}
	return worst != NULL ? worst : lead;
}

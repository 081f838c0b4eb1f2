/* A headline figure over runs, with the places where its level changes. */
#ifndef TP_COMPARE_SERIES_H
#define TP_COMPARE_SERIES_H

#include "base/number.h"
#include "base/slice.h"
#include "compare/change_points.h"
#include "report/direction.h"

#include <stdbool.h>
#include <stddef.h>

struct tp_arena;
struct tp_block;
struct tp_doc;
struct tp_trend_run;

enum { TP_SERIES_MOST = 8 };

struct tp_series_of_runs {
	struct tp_slice id, label;
	enum tp_unit unit;
	enum tp_direction direction;
	double *values; /* one a run; NaN where a report does not have it */
	double *known;  /* those that are known … */
	size_t *runs;   /* … and of which run */
	size_t known_count;
	struct tp_change_point *points; /* places among the known ones */
	size_t point_count;
};

/* The headline figures that two runs or more have, at most TP_SERIES_MOST; how many. */
size_t tp_series_collect(const struct tp_trend_run *runs, size_t count, struct tp_arena *arena,
	const struct tp_series_of_runs **out);

/* The newest change of level; NULL: there is none. */
const struct tp_change_point *tp_series_newest(const struct tp_series_of_runs *s);

/* By how much a level changed, as a share of the one before; NaN where that is 0. */
double tp_change_share(const struct tp_change_point *p);

/* Whether the change is for the worse. */
bool tp_series_is_worse(const struct tp_series_of_runs *s, const struct tp_change_point *p);

/* What leads: of those whose newest change is for the worse the one that changed by most of its noise (how far single runs are from the
 * level around them), else the first that changed, else the first of all. NULL: there is none. */
const struct tp_series_of_runs *tp_series_lead(
	const struct tp_series_of_runs *series, size_t count);

/* Their levels as a table: where one more run is expected, and what change would be seen. */
void tp_series_levels(const struct tp_series_of_runs *series, size_t count, struct tp_doc *doc,
	struct tp_block *section);

#endif

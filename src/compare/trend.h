/* A metric over many runs. */
#ifndef TP_COMPARE_TREND_H
#define TP_COMPARE_TREND_H

#include "base/slice.h"

#include <stddef.h>

struct tp_arena;
struct tp_doc;

struct tp_trend_run {
	const struct tp_doc *doc;
	struct tp_slice path;  /* as it was given */
	struct tp_slice label; /* a commit, say; empty: its run's name */
	struct tp_slice href;  /* of its report, a page; empty: none */
};

/* How many of the runs cannot be compared with the newest, and in what they differ: "the device type, the batch". */
struct tp_trend_mixed {
	size_t count;
	struct tp_slice what;
};
struct tp_trend_mixed tp_trend_mixed(
	const struct tp_trend_run *runs, size_t count, struct tp_arena *arena);

/* Headline figures over the runs, which are in order, with the places where their level changes (change_points.h), as a document. It has
 * texts in common with the runs' documents. count ≥ 1. */
struct tp_doc *tp_trend(const struct tp_trend_run *runs, size_t count, struct tp_arena *arena);

#endif

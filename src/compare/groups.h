/* Rows of two tables by what they do. */
#ifndef TP_COMPARE_GROUPS_H
#define TP_COMPARE_GROUPS_H

#include "base/slice.h"

#include <stdbool.h>

struct tp_block;
struct tp_comparison;
struct tp_match_rule;
struct tp_table;

/* The tables of A and B, and what their measures are multiplied by. */
struct tp_row_pair {
	const struct tp_table *table[2];
	double times[2];
	bool of_captures; /* measures are of the whole captures, else of a step */
	bool by_core;     /* and of one core */
};

/* What changed most. */
struct tp_group_change {
	struct tp_slice name; /* empty: there is no table */
	double change_ms;
};

/* A table "<id>/by-<column>" in the section: the sums of rows with the same text in that column. None where a report has no such
 * column. whole: the metric that the rows are part of. */
struct tp_group_change tp_compare_present_groups(struct tp_comparison *c, struct tp_block *section,
	const char *id, const char *column, const char *whole, const struct tp_match_rule *rule,
	const struct tp_row_pair *pair);

#endif

/* From a tree of everything to the rows that are shown: what is accounted for, where it starts, what is hidden, in which order. */
#ifndef TP_ANALYZE_TFPROF_TREE_H
#define TP_ANALYZE_TFPROF_TREE_H

#include "analyze/tfprof/tfprof_view.h"

/* The last row is the root. A row may be a child of several; then it is one of the first that is met, and no other's. */
struct tp_tfprof_tree {
	struct tp_tfprof_row *rows; /* name, own figures, accounted; definitions: its own */
	uint32_t count;
	uint32_t *first; /* one more than rows: the children of row i are children[first[i]] … */
	uint32_t *children;
	bool
		lifts; /* children of what is not accounted stand above it in its place; else it stays for their sake */
	bool cuts_trimmed; /* what is trimmed is not shown itself; else only what is below it */
	bool
		by_totals; /* parameters and operations are compared in total, not those of the row itself */
	bool ignores_runs; /* -min_occurrence is not looked at */
	bool redoes;       /* may count again what is displayed alone */
	bool occurrences;  /* may be ordered by the number of nodes */
};

void tp_tfprof_show(const struct tp_tfprof_tree *tree, struct tp_tfprof_options *options,
	struct tp_arena *arena, struct tp_tfprof_view *view);

void tp_tfprof_scope_tree(const struct tp_tfprof *t, struct tp_tfprof_options *options,
	struct tp_arena *scratch, struct tp_tfprof_tree *tree);
void tp_tfprof_graph_tree(const struct tp_tfprof *t, struct tp_tfprof_options *options,
	struct tp_arena *scratch, struct tp_tfprof_tree *tree);
/* Sets the view's members, too. */
void tp_tfprof_code_tree(const struct tp_tfprof *t, struct tp_tfprof_options *options,
	struct tp_arena *scratch, struct tp_arena *arena, struct tp_tfprof_tree *tree,
	struct tp_tfprof_view *view);
void tp_tfprof_op_rows(const struct tp_tfprof *t, struct tp_tfprof_options *options,
	struct tp_arena *arena, struct tp_tfprof_view *view);

/* Sums up the nodes of a type or a line that the options account for, and keeps those as its members. Returns how many
 * there are behind *kept. */
void tp_tfprof_group(const struct tp_tfprof *t, struct tp_tfprof_options *options,
	const uint32_t *nodes, uint32_t count, struct tp_tfprof_row *row, uint32_t *members,
	uint32_t *kept);

/* Fills first and children from each row's parent, in the order of the rows; TP_MAP_NONE: it has none. */
void tp_tfprof_children(
	struct tp_tfprof_tree *tree, const uint32_t *parent, struct tp_arena *scratch);

/* Whether a row may be shown at this depth. */
bool tp_tfprof_shown(struct tp_tfprof_options *options, const struct tp_tfprof_tree *tree,
	const struct tp_tfprof_row *row, int64_t depth);

/* By the options' order; rows that are equal stay as they were. of: the row of each number. */
void tp_tfprof_sort(const struct tp_tfprof_options *options, bool occurrences,
	const struct tp_tfprof_row *rows, const uint32_t *of, uint32_t *numbers, uint32_t count);

#endif

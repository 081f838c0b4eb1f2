/* Rows of two tables of the same kind, matched: operations, operators, kernels, modules, what fills memory. */
#ifndef TP_COMPARE_ROWS_H
#define TP_COMPARE_ROWS_H

#include "report/table.h"

struct tp_arena;

enum { TP_MATCH_MOST_KEYS = 4 };

/* Which columns a table is matched by, and what is compared. Keys of columns; NULL: none. */
struct tp_match_rule {
	const char *names[TP_MATCH_MOST_KEYS]; /* these together name a row */
	const char
		*other[TP_MATCH_MOST_KEYS]; /* these together where names differ: framework op, shapes */
	const char *looser[TP_MATCH_MOST_KEYS]; /* these where those differ, too: framework op alone */
	size_t least; /* of other and looser so many must say something: a category alone is no match */
	const char *measures[2]; /* the first that both tables have */
	enum tp_unit unit;       /* of the measure */
	const char *shown;       /* the column that people know a row by; NULL: names */
	const char *calls;
	const char *kind; /* "category": said beside the name */
};

enum tp_match {
	TP_MATCH_NAME,      /* the same in both */
	TP_MATCH_RENAMED,   /* one in each, alike in all but the name */
	TP_MATCH_SPLIT,     /* one in A, several in B */
	TP_MATCH_MERGED,    /* several in A, one in B */
	TP_MATCH_REGROUPED, /* several in both */
	TP_MATCH_ADDED,
	TP_MATCH_GONE,
};

/* Rows that are the same thing. */
struct tp_matched {
	/* in B, or in A where it is gone; the other name where it was renamed */
	struct tp_slice name, was;
	struct tp_slice shown, shown_was; /* the same as people know them */
	struct tp_slice kind;
	enum tp_match match;
	size_t a_rows, b_rows;
	double a, b; /* sums of the measure, in its unit; 0 on the side where it is not */
	double a_calls, b_calls;
};

struct tp_matching {
	struct tp_matched *rows; /* the largest change first */
	size_t count;
	double a, b;       /* sums of all rows */
	double same_share; /* of both sums, in rows that have the same name in both */
};

/* "fusion.12" → "fusion.#", in the arena: compilers number anew. */
struct tp_slice tp_name_masked(struct tp_arena *arena, struct tp_slice name);

/* False when the tables lack the columns that the rule asks for. Measures are multiplied by these, so that both are of a step, say. */
bool tp_match_rows(const struct tp_match_rule *rule, const struct tp_table *a,
	const struct tp_table *b, double a_times, double b_times, struct tp_arena *arena,
	struct tp_matching *out);

#endif

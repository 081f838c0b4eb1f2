/* What stands on paper: what a PDF prints and what a browser prints of the page. */
#ifndef TP_REPORT_PAPER_H
#define TP_REPORT_PAPER_H

#include <stdbool.h>
#include <stddef.h>

struct tp_block;
struct tp_table;

/* How much is printed: the most that keeps to the bound of pages. */
enum tp_paper {
	TP_PAPER_FULL,
	TP_PAPER_NO_FOLDS, /* what is folded is left out … */
	TP_PAPER_NO_SPARE, /* … sections that can be spared as well … */
	TP_PAPER_FEW_ROWS, /* … and tables that go on elsewhere have half the rows, charts fewer bars … */
	TP_PAPER_FEWEST_ROWS, /* … or a third of the rows */
};

/* Whether the section is not printed: it is for other outputs, or would be a heading above nothing. */
bool tp_paper_leaves_out(const struct tp_block *block, enum tp_paper paper);

/* How many of a table's rows are printed, besides totals; of a tree, of those that are not shut. `repeats`: the table is of what other
 * sections say, too. */
size_t tp_paper_rows(const struct tp_table *table, enum tp_paper paper, bool repeats);

/* How the figures of a section are made and where they are from: it stands at the end, of the section or of all pages. */
bool tp_is_about(const struct tp_block *block);

#endif

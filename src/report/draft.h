/* Drafts: writing the rows of a table one by one. */
#ifndef TP_REPORT_DRAFT_H
#define TP_REPORT_DRAFT_H

#include "base/buf.h"
#include "base/map.h"
#include "report/doc.h"

#include <stddef.h>

struct tp_draft {
	struct tp_doc *doc;
	struct tp_block *block;
	const struct tp_column *columns;
	size_t column_count;
	struct tp_buf rows;
	struct tp_map ids;
	/* Figures of a row add up, so that all of one unit are shown in one. The caller says so before the end. */
	bool adds_up;
};

/* A table block at the end of parent; columns live as long as the document (static const, say). */
struct tp_draft tp_draft_table(struct tp_doc *doc, struct tp_block *parent, const char *id,
	const struct tp_column *columns, size_t column_count);

/* The table "id/table" in a fold of its own, which is not printed. */
struct tp_draft tp_draft_fold(struct tp_doc *doc, struct tp_block *parent, struct tp_slice id,
	const char *title, const struct tp_column *columns, size_t column_count);

/* A row, its cells are empty texts; the id is the table's and `name`, made fit for an anchor and unique. */
struct tp_cell *tp_draft_row(
	struct tp_draft *draft, struct tp_slice name, enum tp_row_role role, int depth);

/* The same, with the fields of `of` in the cells of the columns that have one. Returns the cells for those that code fills:
 *
 *     struct cells { struct tp_cell name, count, share; };
 *     struct cells *cells = tp_draft_row_of(&draft, node->name, TP_ROW_NORMAL, 0, node);
 *
 * TP_CELLS_ARE_COLUMNS(struct cells, columns) beside the list of columns holds that there are as many. of: NULL where no
 * column has a field. */
void *tp_draft_row_of(
	struct tp_draft *draft, struct tp_slice name, enum tp_row_role role, int depth, const void *of);

/* The last row, for what has none of its own: all cells are missing, for this reason, but those that code fills. */
void *tp_draft_rest_row(struct tp_draft *draft, struct tp_slice name, const char *why);

#define TP_CELLS_ARE_COLUMNS(cells, columns)                                                       \
	_Static_assert(sizeof(cells) == sizeof(columns) / sizeof *(columns) * sizeof(struct tp_cell),  \
		"a cell for each column")

/* Which column a cell is in. */
#define TP_COLUMN_OF(cells, member) (offsetof(cells, member) / sizeof(struct tp_cell))

/* tp_draft_table and tp_draft_fold with an array of columns. */
#define TP_DRAFT_TABLE(doc, parent, id, columns)                                                   \
	tp_draft_table(doc, parent, id, columns, sizeof(columns) / sizeof *(columns))
#define TP_DRAFT_FOLD(doc, parent, id, title, columns)                                             \
	tp_draft_fold(doc, parent, id, title, columns, sizeof(columns) / sizeof *(columns))

/* Puts the rows into the block and frees the draft. At most `shown` rows stand open. The block's other fields (caption,
 * tree …) are the caller's. */
struct tp_table *tp_draft_finish(struct tp_draft *draft, size_t shown);

/* Drops the columns, from column `first` on, in which no row has a value. Returns their titles, "Memory, Duty cycle"; empty:
 * none was dropped. */
struct tp_slice tp_table_drop_missing(struct tp_doc *doc, struct tp_table *t, size_t first);

/* Of a tree whose deeper rows are shut: how many rows are the first of which `most` are not; for `shown`. */
size_t tp_table_open_rows(const struct tp_table *t, size_t most);

/* Opens a tree to the deepest level, of at most `deepest`, down to which not more than `most` rows stand, but to the first below the root
 * at least: so the large rows of a level are seen before what is in the first of them. Sets open_depth and shown. */
void tp_table_open_levels(struct tp_table *t, int deepest, size_t most);

#endif

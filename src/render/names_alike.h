/* Names of a table's rows that begin alike: where they are cut, as a narrow column does, the rows could not be told apart. */
#ifndef TP_RENDER_NAMES_ALIKE_H
#define TP_RENDER_NAMES_ALIKE_H

#include "report/table.h"

#include <stdint.h>

struct tp_arena;

/* What a name shares with those of other rows, in bytes from its beginning: up to `head`, and again from `again` up to `again_end`, where
 * some of them still would look alike; `head` may be 0 then. Both end behind a separator; between them stands what tells them from the others. */
struct tp_alike {
	uint32_t head, again, again_end;
};

/* What a cell's text is of: a text that was cut at its end is whole in `full`. */
struct tp_slice tp_cell_whole_text(const struct tp_cell *cell);

/* By row, of the whole text of the column's cell. shown: bytes of a name that a narrow column has room for. NULL: it is no column of code,
 * or no names are alike for that much. */
struct tp_alike *tp_names_alike(
	const struct tp_table *table, size_t column, uint32_t shown, struct tp_arena *arena);

#endif

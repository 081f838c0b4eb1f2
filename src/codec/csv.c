/* Rows of CSV, cell by cell. */
#include "codec/csv.h"

#include "base/arena.h"
#include "base/buf.h"

bool
tp_csv_is_formula(struct tp_slice text)
{
	return text.len != 0 && text.ptr[0] != '\0' && strchr("=+-@\t\r", text.ptr[0]) != NULL;
}

static bool
ends_cell(struct tp_slice rest)
{
	return rest.len == 0 || rest.ptr[0] == ',' || rest.ptr[0] == '\n' ||
		tp_slice_starts(rest, TP_S("\r\n"));
}

/* Between quotes a quote is doubled. */
static struct tp_slice
take_quoted(struct tp_slice *rest, struct tp_arena *arena)
{
	char *text = tp_arena_alloc(arena, rest->len + 1);
	size_t length = 0;

	for (*rest = tp_slice_from(*rest, 1); rest->len != 0; *rest = tp_slice_from(*rest, 1)) {
		if (rest->ptr[0] == '"') {
			*rest = tp_slice_from(*rest, 1);
			if (rest->len == 0 || rest->ptr[0] != '"')
				break;
		}
		text[length++] = rest->ptr[0];
	}
	while (!ends_cell(*rest))
		*rest = tp_slice_from(*rest, 1);
	text[length] = '\0';
	return (struct tp_slice){text, length};
}

static struct tp_slice
take_plain(struct tp_slice *rest, struct tp_arena *arena)
{
	struct tp_slice from = *rest;

	while (!ends_cell(*rest))
		*rest = tp_slice_from(*rest, 1);
	return tp_arena_copy(arena, (struct tp_slice){from.ptr, from.len - rest->len});
}

bool
tp_csv_next(struct tp_slice *rest, struct tp_arena *arena, struct tp_csv_row *out)
{
	struct tp_buf cells = {0};
	bool more = rest->len != 0;

	while (more) {
		bool quoted = rest->len != 0 && rest->ptr[0] == '"';
		struct tp_slice text = quoted ? take_quoted(rest, arena) : take_plain(rest, arena);

		if (text.len > 1 && text.ptr[0] == '\'' && tp_csv_is_formula(tp_slice_from(text, 1)))
			text = tp_slice_from(text, 1);
		*tp_buf_new(&cells, struct tp_slice) = text;
		more = rest->len != 0 && rest->ptr[0] == ',';
		if (rest->len != 0)
			*rest = tp_slice_from(*rest, rest->ptr[0] == '\r' ? 2 : 1);
	}
	out->count = cells.count;
	out->cells = tp_buf_settle(&cells, sizeof(struct tp_slice), arena);
	return out->count != 0;
}

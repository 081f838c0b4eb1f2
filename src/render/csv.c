/* A folder of CSV files (RFC 4180): one a table, with the names of its columns first. */
#include "base/arena.h"
#include "io/folder.h"
#include "io/sink.h"
#include "render/csv_text.h"
#include "render/renderer.h"
#include "render/tables.h"

static void
put_cell(struct tp_sink *out, struct tp_value v)
{
	char buf[TP_VALUE_BUF];

	if (v.kind == TP_VALUE_TEXT)
		tp_csv_put(out, v.text);
	else if (tp_known(v))
		tp_sink_put(out, tp_value_raw(v, buf));
}

static void
put_table(struct tp_sink *out, const struct tp_plain_table *table)
{
	for (size_t i = 0; i < table->column_count; i++) {
		tp_sink_puts(out, i != 0 ? "," : "");
		tp_csv_put(out, table->columns[i].name);
	}
	for (size_t row = 0; row < table->row_count; row++) {
		for (size_t i = 0; i < table->column_count; i++) {
			tp_sink_puts(out, i != 0 ? "," : "\r\n");
			put_cell(out, tp_plain_cell(table, row, i));
		}
	}
	tp_sink_puts(out, "\r\n");
}

static enum tp_status
render(const struct tp_doc *doc, struct tp_folder *out, struct tp_err *err)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_plain_tables tables = tp_plain_tables(doc, arena);
	enum tp_status status = TP_OK;

	for (size_t i = 0; i < tables.count && status == TP_OK; i++) {
		struct tp_sink *file = tp_folder_file(
			out, tp_arena_printf(arena, "%.*s.csv", TP_ARG(tables.at[i].name)).ptr, err);

		if (file != NULL)
			put_table(file, &tables.at[i]);
		status = file != NULL ? tp_sink_commit(file, err) : err->status;
		tp_sink_close(file);
	}
	tp_arena_free(arena);
	return status;
}

const struct tp_renderer tp_render_csv = {
	.name = "csv",
	.suffix = ".csv",
	.summary =
		"a folder with every table and all metrics as CSV files, for spreadsheets and scripts",
	.render_folder = render,
};

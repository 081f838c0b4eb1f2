/* A folder of CSV files (RFC 4180): one a table, with the names of its columns first. */
#include "base/arena.h"
#include "io/folder.h"
#include "io/sink.h"
#include "render/renderer.h"
#include "render/tables.h"

/* A spreadsheet takes what begins with one of these for a formula and runs it; with an apostrophe before it, it is a text
 * (https://owasp.org/www-community/attacks/CSV_Injection). */
static bool
is_formula(struct tp_slice text)
{
	return text.len != 0 && text.ptr[0] != '\0' && strchr("=+-@\t\r", text.ptr[0]) != NULL;
}

static bool
needs_quotes(struct tp_slice text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] != '\0' && strchr(",\"\r\n", text.ptr[i]) != NULL)
			return true;
	}
	return false;
}

/* Quotes are doubled; many programs end a text at NUL, so it is shown as a character that is none. */
static void
put_text(struct tp_sink *out, struct tp_slice text)
{
	bool quoted = needs_quotes(text);

	tp_sink_puts(out, quoted ? "\"" : "");
	tp_sink_puts(out, is_formula(text) ? "'" : "");
	for (size_t plain; text.len != 0; text = tp_slice_from(text, plain + 1)) {
		for (plain = 0; plain < text.len && text.ptr[plain] != '"' && text.ptr[plain] != '\0';)
			plain++;
		tp_sink_write(out, text.ptr, plain);
		if (plain < text.len)
			tp_sink_puts(out, text.ptr[plain] == '"' ? "\"\"" : "\uFFFD");
	}
	tp_sink_puts(out, quoted ? "\"" : "");
}

static void
put_cell(struct tp_sink *out, struct tp_value v)
{
	char buf[TP_VALUE_BUF];

	if (v.kind == TP_VALUE_TEXT)
		put_text(out, v.text);
	else if (tp_known(v))
		tp_sink_put(out, tp_value_raw(v, buf));
}

static void
put_table(struct tp_sink *out, const struct tp_plain_table *table)
{
	for (size_t i = 0; i < table->column_count; i++) {
		tp_sink_puts(out, i != 0 ? "," : "");
		put_text(out, table->columns[i].name);
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

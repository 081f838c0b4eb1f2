/* A database of SQLite with all tables of a report, made in memory and written as one file. */
#include "base/arena.h"
#include "base/memory.h"
#include "io/sink.h"
#include "render/renderer.h"
#include "render/tables.h"

#include <math.h>

#include <sqlite3.h>

static const char *const types[] = {
	[TP_PLAIN_TEXT] = " TEXT",
	[TP_PLAIN_INTEGER] = " INTEGER",
	[TP_PLAIN_REAL] = " REAL",
	[TP_PLAIN_ANY] = "", /* as it comes: numbers in figures, words in texts */
};

/* The first call that fails is kept; the others are passed over. */
struct database {
	sqlite3 *at;
	int result;
};

static void
keep(struct database *db, int result)
{
	if (db->result == SQLITE_OK && result != SQLITE_DONE && result != SQLITE_ROW)
		db->result = result;
}

static void
run(struct database *db, const char *sql)
{
	if (db->result == SQLITE_OK)
		keep(db, sqlite3_exec(db->at, sql, NULL, NULL, NULL));
}

/* "CREATE TABLE "steps_each" ("step" INTEGER, …)": names hold no quotes. */
static const char *
create(const struct tp_plain_table *table, struct tp_arena *arena)
{
	struct tp_slice sql = tp_arena_printf(arena, "CREATE TABLE \"%.*s\"", TP_ARG(table->name));

	for (size_t i = 0; i < table->column_count; i++)
		sql = tp_arena_printf(arena, "%.*s%s\"%.*s\"%s", TP_ARG(sql), i == 0 ? " (" : ", ",
			TP_ARG(table->columns[i].name), types[table->columns[i].type]);
	return tp_arena_printf(arena, "%.*s)", TP_ARG(sql)).ptr;
}

static const char *
insert(const struct tp_plain_table *table, struct tp_arena *arena)
{
	struct tp_slice sql = tp_arena_printf(arena, "INSERT INTO \"%.*s\"", TP_ARG(table->name));

	for (size_t i = 0; i < table->column_count; i++)
		sql = tp_arena_printf(arena, "%.*s%s", TP_ARG(sql), i == 0 ? " VALUES (?" : ", ?");
	return tp_arena_printf(arena, "%.*s)", TP_ARG(sql)).ptr;
}

/* Whole numbers are integers where a column takes both, as they are when a report is read back from its JSON. */
static int
bind_number(sqlite3_stmt *statement, int place, double number)
{
	return number == floor(number) && fabs(number) <= 0x1p53
		? sqlite3_bind_int64(statement, place, (int64_t)number)
		: sqlite3_bind_double(statement, place, number);
}

static int
bind(sqlite3_stmt *statement, int place, struct tp_value v)
{
	switch (v.kind) {
	case TP_VALUE_MISSING:
		return sqlite3_bind_null(statement, place);
	case TP_VALUE_INTEGER:
		return sqlite3_bind_int64(statement, place, v.integer);
	case TP_VALUE_NUMBER:
		return bind_number(statement, place, v.number);
	case TP_VALUE_TEXT:
		break;
	}
	return sqlite3_bind_text64(statement, place, v.text.ptr != NULL ? v.text.ptr : "", v.text.len,
		SQLITE_STATIC, SQLITE_UTF8);
}

static void
fill(struct database *db, const struct tp_plain_table *table, struct tp_arena *arena)
{
	sqlite3_stmt *statement = NULL;

	if (db->result == SQLITE_OK)
		keep(db, sqlite3_prepare_v2(db->at, insert(table, arena), -1, &statement, NULL));
	for (size_t row = 0; row < table->row_count && db->result == SQLITE_OK; row++) {
		for (size_t i = 0; i < table->column_count; i++)
			keep(db, bind(statement, (int)i + 1, tp_plain_cell(table, row, i)));
		keep(db, sqlite3_step(statement));
		keep(db, sqlite3_reset(statement));
	}
	sqlite3_finalize(statement);
}

/* The file as it lies on disk. */
static void
put(struct database *db, struct tp_sink *out)
{
	sqlite3_int64 size = 0;
	unsigned char *bytes =
		db->result == SQLITE_OK ? sqlite3_serialize(db->at, "main", &size, 0) : NULL;

	if (bytes == NULL)
		keep(db, SQLITE_NOMEM);
	else
		tp_sink_write(out, bytes, (size_t)size);
	sqlite3_free(bytes);
}

static enum tp_status
render(const struct tp_doc *doc, const struct tp_render_options *options, struct tp_sink *out,
	struct tp_err *err)
{
	struct tp_arena *arena = tp_arena_new(), *scratch = tp_arena_new();
	struct tp_plain_tables tables = tp_plain_tables(doc, arena);
	struct database db = {.at = NULL};
	enum tp_status status = TP_OK;

	(void)options;
	keep(&db, sqlite3_open(":memory:", &db.at));
	/* In the file: what it is ("tpre"), and which form of it. */
	run(&db, "PRAGMA application_id = 0x74707265; PRAGMA user_version = 1; BEGIN");
	for (size_t i = 0; i < tables.count; i++) {
		run(&db, create(&tables.at[i], scratch));
		fill(&db, &tables.at[i], scratch);
		tp_arena_reset(scratch);
	}
	run(&db, "COMMIT");
	put(&db, out);
	if (db.result != SQLITE_OK && db.result != SQLITE_NOMEM)
		status = tp_fail(
			err, TP_ERR_IO, "SQLite cannot make the database: %s", sqlite3_errstr(db.result));
	sqlite3_close(db.at);
	tp_arena_free(arena);
	tp_arena_free(scratch);
	if (db.result == SQLITE_NOMEM)
		tp_out_of_memory();
	return status;
}

static void
put_rows(struct database *db, const char *sql, struct tp_sink *out)
{
	sqlite3_stmt *rows = NULL;

	if (db->result == SQLITE_OK)
		keep(db, sqlite3_prepare_v2(db->at, sql, -1, &rows, NULL));
	while (db->result == SQLITE_OK && sqlite3_step(rows) == SQLITE_ROW) {
		for (int i = 0; i < sqlite3_column_count(rows); i++) {
			if (sqlite3_column_type(rows, i) != SQLITE_TEXT)
				continue;
			tp_sink_puts(out, (const char *)sqlite3_column_text(rows, i));
			tp_sink_puts(out, "\n");
		}
	}
	sqlite3_finalize(rows);
}

enum tp_status
tp_sqlite_texts(struct tp_slice database, struct tp_sink *out, struct tp_err *err)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_sink *names = tp_sink_memory();
	struct database db = {.at = NULL};

	keep(&db, sqlite3_open(":memory:", &db.at));
	if (db.result == SQLITE_OK)
		keep(&db,
			sqlite3_deserialize(db.at, "main", (unsigned char *)database.ptr,
				(sqlite3_int64)database.len, (sqlite3_int64)database.len,
				SQLITE_DESERIALIZE_READONLY));
	put_rows(&db, "SELECT sql FROM sqlite_master", out);
	put_rows(&db, "SELECT name FROM sqlite_master WHERE type = 'table'", names);
	struct tp_slice rest = tp_sink_bytes(names);

	for (const char *end; rest.len != 0 && (end = memchr(rest.ptr, '\n', rest.len)) != NULL;) {
		struct tp_slice name = {rest.ptr, (size_t)(end - rest.ptr)};

		put_rows(&db, tp_arena_printf(arena, "SELECT * FROM \"%.*s\"", TP_ARG(name)).ptr, out);
		rest = tp_slice_from(rest, name.len + 1);
	}
	sqlite3_close(db.at);
	tp_sink_close(names);
	tp_arena_free(arena);
	return db.result == SQLITE_OK
		? TP_OK
		: tp_fail(
			  err, TP_ERR_FORMAT, "SQLite cannot read the database: %s", sqlite3_errstr(db.result));
}

const struct tp_renderer tp_render_sqlite = {
	.name = "sqlite",
	.suffix = ".sqlite",
	.other_suffix = ".sqlite3",
	.summary = "all tables and metrics as a database, for SQL",
	.render = render,
};

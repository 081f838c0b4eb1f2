/* The file that history --append keeps: CSV, a row a run with the figures that histories follow. */
#ifndef TP_CLI_HISTORY_FILE_H
#define TP_CLI_HISTORY_FILE_H

#include "base/err.h"
#include "base/slice.h"
#include "compare/trend.h"

#include <stdbool.h>
#include <stddef.h>

struct tp_arena;

struct tp_history_file {
	struct tp_slice bytes;    /* as it was; empty: there is none yet */
	struct tp_slice *columns; /* of its first line; others than ours stay empty in new rows */
	size_t column_count;
	struct tp_trend_run *runs; /* of its rows: documents with these figures alone */
	size_t run_count;
};

/* Whether a file that begins so is one. */
bool tp_history_begins(struct tp_slice head);

/* The rows of out->bytes, which live as long as the arena; name: of the file, for messages and the reports that lie beside it. */
enum tp_status tp_history_rows(
	struct tp_history_file *out, const char *name, struct tp_arena *arena, struct tp_err *err);

/* Reads the file, all of it in arena; one that does not exist has no rows. */
enum tp_status tp_history_read(
	const char *path, struct tp_arena *arena, struct tp_history_file *out, struct tp_err *err);

/* Writes it anew with these runs at its end. */
enum tp_status tp_history_append(const char *path, const struct tp_history_file *file,
	const struct tp_trend_run *const *runs, size_t count, struct tp_arena *arena,
	struct tp_err *err);

#endif

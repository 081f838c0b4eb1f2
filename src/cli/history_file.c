/* Runs as rows of CSV, and back. */
#include "cli/history_file.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/path.h"
#include "base/utf8.h"
#include "cli/link.h"
#include "codec/csv.h"
#include "io/blob.h"
#include "io/sink.h"
#include "render/csv_text.h"
#include "report/doc.h"
#include "report/headline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CAPTURED, LABEL, JOB, RUN, REPORT, HEADS, MOST_BYTES = 64 << 20 };

static const char *const heads[HEADS] = {"captured_unix_s", "label", "job", "run", "report"};

/* What tells whether runs are comparable (compare/facts.c); after them stand the headline figures. */
static const char *const facts[] = {"run.device_type", "run.devices", "run.cores", "run.hosts",
	"run.batch.global", "run.step_source"};
enum { FACTS = sizeof facts / sizeof *facts };

static size_t
head_named(struct tp_slice name)
{
	size_t i = 0;

	while (i < HEADS && !tp_slice_eq(name, tp_slice_of(heads[i])))
		i++;
	return i;
}

static bool
is_fact(struct tp_slice id)
{
	for (size_t i = 0; i < FACTS; i++) {
		if (tp_slice_eq(id, tp_slice_of(facts[i])))
			return true;
	}
	return false;
}

static const struct tp_headline *
headline_named(struct tp_slice id)
{
	for (size_t i = 0; i < tp_headline_count; i++) {
		if (tp_slice_eq(id, tp_slice_of(tp_headlines[i].id)))
			return &tp_headlines[i];
	}
	return NULL;
}

bool
tp_history_begins(struct tp_slice head)
{
	const char *end = head.len != 0 ? memchr(head.ptr, '\n', head.len) : NULL;

	return end != NULL &&
		tp_slice_has(
			(struct tp_slice){head.ptr, (size_t)(end - head.ptr)}, tp_slice_of(heads[CAPTURED]));
}

/* Reading. */

#define MOST_COUNT 1e15 /* beyond, doubles are no whole numbers */

/* Facts are counts and names, figures numbers in the unit of the metric. */
static void
add_metric(struct tp_doc *doc, struct tp_slice id, struct tp_slice text)
{
	const struct tp_headline *headline = headline_named(id);
	bool fact = is_fact(id);
	char *end;

	if ((headline == NULL && !fact) || text.len == 0)
		return;
	double number = strtod(text.ptr, &end);
	bool is_number = *end == '\0' && isfinite(number);
	struct tp_metric *m = tp_doc_metric(doc, tp_arena_copy(doc->arena, id),
		headline != NULL ? headline->label : heads[RUN], tp_missing(TP_S("it is not a number")),
		TP_S(""), TP_S(""));

	if (fact)
		m->value = is_number && fabs(number) < MOST_COUNT
			? tp_integer((int64_t)number, TP_UNIT_COUNT)
			: tp_text_value(tp_utf8_clean(doc->arena, text));
	else if (is_number)
		m->value = tp_number(number, m->value.unit);
}

/* A row as a run; its report lies beside the file or below. */
static struct tp_trend_run
run_of(const struct tp_history_file *file, const struct tp_csv_row *row, const char *path,
	struct tp_arena *arena)
{
	struct tp_doc *doc = tp_doc_new(arena);
	struct tp_trend_run run = {.doc = doc};

	for (size_t i = 0; i < file->column_count; i++) {
		struct tp_slice text = tp_utf8_clean(arena, row->cells[i]);
		struct tp_slice folder = tp_path_folder(tp_slice_of(path));

		switch (head_named(file->columns[i])) {
		case CAPTURED:
			doc->made_unix_s = strtoll(row->cells[i].ptr, NULL, 10);
			break;
		case LABEL:
			run.label = text;
			break;
		case JOB:
			doc->name = text;
			break;
		case RUN:
			doc->run = text;
			break;
		case REPORT:
			run.path = text.len == 0 || text.ptr[0] == '/' || tp_slice_eq(folder, TP_S("."))
				? text
				: tp_arena_printf(arena, "%.*s/%.*s", TP_ARG(folder), TP_ARG(text));
			break;
		default:
			add_metric(doc, file->columns[i], row->cells[i]);
			break;
		}
	}
	return run;
}

enum tp_status
tp_history_rows(
	struct tp_history_file *file, const char *path, struct tp_arena *arena, struct tp_err *err)
{
	struct tp_slice rest = file->bytes;
	struct tp_buf runs = {0};
	struct tp_csv_row row;
	enum tp_status status = TP_OK;

	if (!tp_history_begins(rest) || !tp_csv_next(&rest, arena, &row))
		return tp_fail_at(err, TP_ERR_FORMAT, path, TP_NO_OFFSET,
			"is not a history: its first line has no column %s", heads[CAPTURED]);
	file->columns = row.cells;
	file->column_count = row.count;
	for (size_t number = 1; status == TP_OK && tp_csv_next(&rest, arena, &row); number++) {
		if (row.count != file->column_count)
			status = tp_fail_at(err, TP_ERR_FORMAT, path, TP_NO_OFFSET,
				"row %zu has %zu cells, but there are %zu columns", number, row.count,
				file->column_count);
		else
			*tp_buf_new(&runs, struct tp_trend_run) = run_of(file, &row, path, arena);
	}
	file->run_count = runs.count;
	file->runs = tp_buf_settle(&runs, sizeof *file->runs, arena);
	return status;
}

static void
set_columns(struct tp_history_file *file, struct tp_arena *arena)
{
	file->columns = tp_new_array(arena, struct tp_slice, HEADS + FACTS + tp_headline_count);
	for (size_t i = 0; i < HEADS; i++)
		file->columns[file->column_count++] = tp_slice_of(heads[i]);
	for (size_t i = 0; i < FACTS; i++)
		file->columns[file->column_count++] = tp_slice_of(facts[i]);
	for (size_t i = 0; i < tp_headline_count; i++)
		file->columns[file->column_count++] = tp_slice_of(tp_headlines[i].id);
}

enum tp_status
tp_history_read(
	const char *path, struct tp_arena *arena, struct tp_history_file *out, struct tp_err *err)
{
	struct tp_blob_wish wish = {.form = TP_BLOB_WHOLE, .most_bytes = MOST_BYTES};

	*out = (struct tp_history_file){0};
	if (access(path, F_OK) != 0) {
		set_columns(out, arena);
		return TP_OK;
	}
	struct tp_blob *blob = tp_blob_open_as(path, wish, err);

	if (blob == NULL)
		return err->status;
	out->bytes = tp_arena_copy(arena, tp_blob_bytes(blob));
	tp_blob_close(blob);
	if (out->bytes.len != 0)
		return tp_history_rows(out, path, arena, err);
	set_columns(out, arena);
	return TP_OK;
}

/* Writing. */

static void
put_cell(struct tp_sink *out, const struct tp_trend_run *run, struct tp_slice column,
	struct tp_slice folder, struct tp_arena *arena)
{
	const struct tp_doc *doc = run->doc;
	char buf[TP_VALUE_BUF];

	switch (head_named(column)) {
	case CAPTURED:
		tp_sink_printf(out, "%lld", (long long)doc->made_unix_s);
		break;
	case LABEL:
		tp_csv_put(out, run->label);
		break;
	case JOB:
		tp_csv_put(out, doc->name);
		break;
	case RUN:
		tp_csv_put(out, doc->run);
		break;
	case REPORT:
		tp_csv_put(out, tp_path_from(folder, run->path, arena));
		break;
	default:
		if (headline_named(column) != NULL || is_fact(column)) {
			struct tp_value value = tp_doc_value(doc, tp_arena_copy(arena, column).ptr);

			if (tp_known(value))
				tp_csv_put(out, tp_value_raw(value, buf));
		}
		break;
	}
}

enum tp_status
tp_history_append(const char *path, const struct tp_history_file *file,
	const struct tp_trend_run *const *runs, size_t count, struct tp_arena *arena,
	struct tp_err *err)
{
	struct tp_slice folder = tp_path_folder(tp_slice_of(path)), old = file->bytes;
	struct tp_sink *out = tp_sink_open(path, err);

	if (out == NULL)
		return err->status;
	tp_sink_put(out, old);
	if (old.len != 0 && old.ptr[old.len - 1] != '\n')
		tp_sink_puts(out, "\r\n");
	for (size_t i = 0; old.len == 0 && i < file->column_count; i++) {
		tp_sink_puts(out, i != 0 ? "," : "");
		tp_csv_put(out, file->columns[i]);
	}
	tp_sink_puts(out, old.len == 0 ? "\r\n" : "");
	for (size_t k = 0; k < count; k++) {
		for (size_t i = 0; i < file->column_count; i++) {
			tp_sink_puts(out, i != 0 ? "," : "");
			put_cell(out, runs[k], file->columns[i], folder, arena);
		}
		tp_sink_puts(out, "\r\n");
	}
	enum tp_status status = tp_sink_commit(out, err);

	tp_sink_close(out);
	return status;
}

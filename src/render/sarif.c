/* Open findings with the line of source that they are about, as SARIF 2.1.0, which code hosts and editors show beside that line
 * (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html). A finding has the line of the first operation that it names and whose
 * line a table of the report knows; those without are left out. */
#include "render/renderer.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/buf.h"
#include "io/sink.h"
#include "render/json_writer.h"
#include "report/doc.h"

/* "model.py:42" */
struct place {
	struct tp_slice file;
	int64_t line; /* 0: there is none */
};

struct result {
	const struct tp_finding *finding;
	struct tp_slice operation;
	struct place place;
};

/* A text that ends in a colon and a number above 0. */
static struct place
place_in(struct tp_slice text)
{
	struct place none = {.line = 0};
	size_t digits = text.len;
	int64_t line = 0;

	while (digits > 0 && isdigit((unsigned char)text.ptr[digits - 1]))
		digits--;
	for (size_t i = digits; i < text.len && i < digits + 9; i++)
		line = line * 10 + (text.ptr[i] - '0');
	if (digits < 2 || text.ptr[digits - 1] != ':' || line == 0)
		return none;
	return (struct place){{text.ptr, digits - 1}, line};
}

/* The innermost place of "train.py:12 main › Linear_0 › net.py:7 forward". */
static struct place
innermost(struct tp_slice stack)
{
	struct place place = {.line = 0};
	size_t at = 0;

	while (at < stack.len) {
		const char *blank = memchr(stack.ptr + at, ' ', stack.len - at);
		size_t end = blank != NULL ? (size_t)(blank - stack.ptr) : stack.len;
		struct place found = place_in((struct tp_slice){stack.ptr + at, end - at});

		place = found.line != 0 ? found : place;
		at = end + 1;
	}
	return place;
}

static struct tp_slice
text_at(const struct tp_table *t, size_t row, size_t column)
{
	const struct tp_value *v = &t->rows[row].cells[column].value;

	return v->kind == TP_VALUE_TEXT ? v->text : TP_S("");
}

/* Columns of code alone: "source" elsewhere says where a figure is from. */
static size_t
column_of(const struct tp_table *t, const char *key)
{
	size_t i = 0;

	while (i < t->column_count &&
		!(t->columns[i].code && tp_slice_eq(t->columns[i].key, tp_slice_of(key))))
		i++;
	return i;
}

/* The line beside a name, or in the rows below it where they are call stacks. */
static struct place
place_of(const struct tp_table *t, struct tp_slice name)
{
	size_t source = column_of(t, "source"), stack = column_of(t, "place");
	struct place place = {.line = 0};

	if (source == t->column_count && stack == t->column_count)
		return place;
	for (size_t row = 0; row < t->row_count && place.line == 0; row++) {
		if (!tp_slice_eq(text_at(t, row, 0), name))
			continue;
		if (source != t->column_count)
			place = place_in(text_at(t, row, source));
		for (size_t below = row + 1; stack != t->column_count && below < t->row_count &&
			 t->rows[below].depth > t->rows[row].depth && place.line == 0;
			 below++)
			place = innermost(text_at(t, below, stack));
	}
	return place;
}

/* In the first table that knows it. */
static struct place
find_place(const struct tp_doc *doc, struct tp_slice name)
{
	struct place place = {.line = 0};

	for (struct tp_walk walk = tp_walk_of(doc); place.line == 0 && tp_walk_next(&walk);) {
		if (walk.event == TP_WALK_ENTER && walk.block->kind == TP_BLOCK_TABLE)
			place = place_of(&walk.block->table, name);
	}
	return place;
}

static bool
take_place(const struct tp_doc *doc, struct tp_text text, struct result *result)
{
	for (size_t i = 0; i < text.count && result->place.line == 0; i++) {
		const struct tp_span *span = &text.spans[i];

		if (span->style != TP_STYLE_CODE || !span->has_value || span->value.kind != TP_VALUE_TEXT)
			continue;
		result->operation = span->value.text;
		result->place = find_place(doc, span->value.text);
	}
	return result->place.line != 0;
}

static bool
has_place(const struct tp_doc *doc, struct result *result)
{
	const struct tp_finding *f = result->finding;

	if (take_place(doc, f->title, result) || take_place(doc, f->saw, result) ||
		take_place(doc, f->brief, result))
		return true;
	for (size_t i = 0; i < f->action_count; i++) {
		if (take_place(doc, f->actions[i], result))
			return true;
	}
	return false;
}

static struct tp_buf
results_of(const struct tp_doc *doc)
{
	struct tp_buf results = {0};

	for (struct tp_walk walk = tp_walk_of(doc); tp_walk_next(&walk);) {
		const struct tp_block *b = walk.block;
		struct result result = {.place = {.line = 0}};

		if (walk.event != TP_WALK_ENTER || b->kind != TP_BLOCK_FINDING || b->finding.brief ||
			b->finding.finding->status != TP_FINDING_OPEN)
			continue;
		result.finding = b->finding.finding;
		if (has_place(doc, &result))
			*(struct result *)tp_buf_add(&results, sizeof result) = result;
	}
	return results;
}

static const char *
level_of(enum tp_judge severity)
{
	return severity == TP_JUDGE_BAD ? "error" : severity == TP_JUDGE_WARN ? "warning" : "note";
}

/* A path as a reference of RFC 3986: absolute ones by their scheme. */
static struct tp_slice
uri_of(struct tp_slice path, struct tp_arena *arena)
{
	static const char hex[] = "0123456789ABCDEF";
	bool absolute = tp_slice_starts(path, TP_S("/"));
	char *uri = tp_arena_alloc(arena, 3 * path.len + sizeof "file://");
	size_t length = 0;

	if (absolute)
		length = (size_t)(stpcpy(uri, "file://") - uri);
	for (size_t i = 0; i < path.len; i++) {
		unsigned char c = (unsigned char)path.ptr[i];

		if (isalnum(c) || strchr("/-._~", c) != NULL) {
			uri[length++] = (char)c;
			continue;
		}
		uri[length++] = '%';
		uri[length++] = hex[c >> 4];
		uri[length++] = hex[c & 15];
	}
	return (struct tp_slice){uri, length};
}

static void
put_message(struct tp_json *j, const char *key, struct tp_slice text)
{
	tp_json_open(j, key, TP_JSON_FLAT_OBJECT);
	tp_json_string(j, "text", text);
	tp_json_close(j);
}

static struct tp_slice
actions_of(const struct tp_finding *f, struct tp_arena *arena)
{
	struct tp_slice all = TP_S("");

	for (size_t i = 0; i < f->action_count; i++)
		all = tp_arena_printf(arena, "%.*s%s%.*s", TP_ARG(all), i != 0 ? "\n" : "",
			TP_ARG(tp_text_shown(f->actions[i], arena)));
	return all;
}

static void
put_rule(struct tp_json *j, const struct tp_finding *f, struct tp_arena *arena)
{
	tp_json_open(j, NULL, TP_JSON_OBJECT);
	tp_json_string(j, "id", f->id);
	put_message(j, "shortDescription", f->name);
	if (f->action_count != 0)
		put_message(j, "help", actions_of(f, arena));
	tp_json_close(j);
}

static void
put_driver(struct tp_json *j, const struct tp_doc *doc, const struct result *results, size_t count,
	struct tp_arena *arena)
{
	tp_json_open(j, "tool", TP_JSON_OBJECT);
	tp_json_open(j, "driver", TP_JSON_OBJECT);
	tp_json_string(j, "name", TP_S("tpreport"));
	tp_json_string(j, "version", doc->version);
	tp_json_open(j, "rules", TP_JSON_ARRAY);
	for (size_t i = 0; i < count; i++)
		put_rule(j, results[i].finding, arena);
	tp_json_close(j);
	tp_json_close(j);
	tp_json_close(j);
}

static void
put_location(struct tp_json *j, const struct place *place, struct tp_arena *arena)
{
	tp_json_open(j, "locations", TP_JSON_ARRAY);
	tp_json_open(j, NULL, TP_JSON_FLAT_OBJECT);
	tp_json_open(j, "physicalLocation", TP_JSON_FLAT_OBJECT);
	tp_json_open(j, "artifactLocation", TP_JSON_FLAT_OBJECT);
	tp_json_string(j, "uri", uri_of(place->file, arena));
	tp_json_close(j);
	tp_json_open(j, "region", TP_JSON_FLAT_OBJECT);
	tp_json_integer(j, "startLine", place->line);
	tp_json_close(j);
	tp_json_close(j);
	tp_json_close(j);
	tp_json_close(j);
}

static void
put_result(struct tp_json *j, const struct result *r, size_t rule, struct tp_arena *arena)
{
	tp_json_open(j, NULL, TP_JSON_OBJECT);
	tp_json_string(j, "ruleId", r->finding->id);
	tp_json_integer(j, "ruleIndex", (int64_t)rule);
	tp_json_string(j, "level", tp_slice_of(level_of(r->finding->severity)));
	put_message(j, "message",
		tp_arena_printf(arena, "%.*s; this line made %.*s. %.*s",
			TP_ARG(tp_text_shown(r->finding->title, arena)), TP_ARG(r->operation),
			TP_ARG(tp_text_shown(r->finding->brief, arena))));
	put_location(j, &r->place, arena);
	tp_json_close(j);
}

static enum tp_status
render(const struct tp_doc *doc, const struct tp_render_options *options, struct tp_sink *out,
	struct tp_err *err)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_buf results = results_of(doc);
	const struct result *at = results.data;
	struct tp_json j;

	(void)options, (void)err;
	tp_json_start(&j, out);
	tp_json_open(&j, NULL, TP_JSON_OBJECT);
	tp_json_string(&j, "$schema", TP_S("https://json.schemastore.org/sarif-2.1.0.json"));
	tp_json_string(&j, "version", TP_S("2.1.0"));
	tp_json_open(&j, "runs", TP_JSON_ARRAY);
	tp_json_open(&j, NULL, TP_JSON_OBJECT);
	put_driver(&j, doc, at, results.count, arena);
	tp_json_open(&j, "results", TP_JSON_ARRAY);
	for (size_t i = 0; i < results.count; i++)
		put_result(&j, &at[i], i, arena);
	tp_json_close(&j);
	tp_json_close(&j);
	tp_json_close(&j);
	tp_json_close(&j);
	tp_buf_free(&results);
	tp_arena_free(arena);
	return TP_OK;
}

const struct tp_renderer tp_render_sarif = {
	.name = "sarif",
	.suffix = ".sarif",
	.other_suffix = ".sarif.json",
	.summary = "findings with a line of source, for code hosts and editors",
	.render = render,
};

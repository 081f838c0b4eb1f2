/* tpreport check PATH --budget FILE [--baseline R…]: a run held against a budget, as a gate for CI. */
#include "cli/checked.h"

#include "base/arena.h"
#include "base/path.h"
#include "cli/catalogue.h"
#include "cli/commands.h"
#include "cli/held.h"
#include "cli/many.h"
#include "cli/options.h"
#include "cli/redact.h"
#include "cli/terminal.h"
#include "io/blob.h"
#include "io/sink.h"
#include "redact/redaction.h"
#include "report/doc.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

enum { MOST_BUDGET_BYTES = 1 << 20 };

/* What -o may name. */
static const struct {
	const char *suffix;
	void (*write)(const struct tp_checked *check, struct tp_sink *out);
} formats[] = {
	{".junit.xml", tp_checked_junit},
	{".md", tp_checked_markdown},
	{".bmf.json", tp_checked_bencher},
	{".smaller.gab.json", tp_checked_smaller},
	{".bigger.gab.json", tp_checked_bigger},
	{".om", tp_checked_openmetrics},
	{".sarif", tp_checked_sarif},
};
enum { FORMATS = sizeof formats / sizeof *formats };

/* FORMATS: none has this suffix. */
static size_t
format_of(const char *path)
{
	size_t i = 0;

	while (i < FORMATS && !tp_path_has_suffix(tp_slice_of(path), formats[i].suffix))
		i++;
	return i;
}

struct check {
	const struct tp_args *args;
	struct tp_arena *arena;
	struct tp_many many;
	struct tp_budget *budget;
	struct tp_slice budget_path;
	struct tp_compare_wish wish;
	enum tp_missing missing;
	struct tp_checked result;
};

static bool
check_outputs(const struct tp_args *args)
{
	for (size_t i = 0; i < args->outputs.count; i++) {
		const char *path = tp_args_strings(&args->outputs)[i];

		if (format_of(path) != FORMATS)
			continue;
		tp_say(
			"%s: check writes .junit.xml, .md, .bmf.json, .smaller.gab.json, .bigger.gab.json, .om and .sarif; its text goes to standard output",
			path);
		return false;
	}
	return true;
}

static bool
read_missing(const char *word, enum tp_missing *out)
{
	*out = TP_MISSING_STAYS;
	if (word == NULL || tp_missing_read(word, out))
		return true;
	tp_say("--missing %s: give pass or fail", word);
	return false;
}

static bool
read_budget(struct check *c)
{
	const char *path = c->args->budget;
	struct tp_blob_wish wish = {.form = TP_BLOB_WHOLE, .most_bytes = MOST_BUDGET_BYTES};
	struct tp_budget_known known;
	struct tp_err err = {.status = TP_OK};
	struct tp_blob *blob = tp_blob_open_as(path, wish, &err);

	if (blob != NULL && tp_budget_catalogue(c->arena, &known, &err) == TP_OK)
		c->budget = tp_budget_read(tp_blob_bytes(blob), path, &known, c->arena, &err);
	tp_blob_close(blob);
	if (c->budget == NULL)
		tp_say_err(&err);
	return c->budget != NULL;
}

/* Whether a is newer than b; of equally old ones the later named. */
static bool
is_newer(const struct tp_doc *a, const struct tp_doc *b)
{
	return b == NULL || a->made_unix_s >= b->made_unix_s;
}

/* The newest baseline is what limits move with; the others say how much runs differ. */
static int
open_all(struct check *c)
{
	const char *path = tp_args_strings(&c->args->paths)[0];
	const char *const *baselines = tp_args_strings(&c->args->baselines);
	size_t count = c->args->baselines.count;
	const struct tp_doc **docs = tp_new_array(c->arena, const struct tp_doc *, count);
	const struct tp_doc *itself = NULL;
	int status = TP_EXIT_OK;

	c->wish.b = tp_many_open(&c->many, path, &status);
	for (size_t i = 0; i < count && status == TP_EXIT_OK; i++) {
		const struct tp_doc *doc = tp_many_open(&c->many, baselines[i], &status);

		if (doc == NULL)
			continue;
		/* The run itself may be among them, in another form or by a pattern of the shell. */
		if (tp_is_same_run(doc, c->wish.b)) {
			itself = doc;
			continue;
		}
		bool newer = is_newer(doc, c->wish.a);

		if (c->wish.a != NULL)
			docs[c->wish.baseline_count++] = newer ? c->wish.a : doc;
		if (newer) {
			c->wish.a = doc;
			c->wish.a_path = tp_slice_of(baselines[i]);
		}
	}
	c->wish.baselines = docs;
	c->wish.b_path = tp_slice_of(path);
	if (c->wish.a == NULL) {
		c->wish.a = itself;
		c->wish.a_path = c->wish.b_path;
	}
	if (status == TP_EXIT_OK && c->wish.a != NULL)
		tp_many_settle(&c->many, &c->wish, c->arena);
	return status;
}

/* A file, or the text for standard output, "-". */
static void
put(const struct check *c, const char *path, struct tp_sink *out)
{
	if (strcmp(path, "-") == 0)
		tp_checked_text(
			&c->result, tp_terminal_columns(STDOUT_FILENO), tp_terminal_colour(STDOUT_FILENO), out);
	else
		formats[format_of(path)].write(&c->result, out);
}

static bool
write_one(const struct check *c, const char *path)
{
	struct tp_err err = {.status = TP_OK};
	struct tp_sink *out = tp_sink_open(path, &err);

	if (out != NULL)
		put(c, path, out);
	bool is_written = out != NULL && tp_sink_commit(out, &err) == TP_OK;

	tp_sink_close(out);
	if (!is_written)
		tp_say_err(&err);
	return is_written;
}

static bool
write_all(const struct check *c)
{
	bool is_written = write_one(c, "-");

	for (size_t i = 0; i < c->args->outputs.count; i++)
		is_written = write_one(c, tp_args_strings(&c->args->outputs)[i]) && is_written;
	return is_written;
}

/* The same where names may be left: all, or nothing. */
static bool
write_proven(const struct check *c)
{
	const char *const *paths = tp_args_strings(&c->args->outputs);
	struct tp_held *held = tp_held_new(c->args);
	struct tp_err err = {.status = TP_OK};

	put(c, "-", tp_held_sink(held, "-"));
	for (size_t i = 0; i < c->args->outputs.count; i++)
		put(c, paths[i], tp_held_sink(held, paths[i]));
	bool is_written = tp_held_prove(held) && tp_held_write(held, "-", &err) == TP_OK;

	for (size_t i = 0; i < c->args->outputs.count && is_written; i++)
		is_written = tp_held_write(held, paths[i], &err) == TP_OK;
	if (err.status != TP_OK)
		tp_say_err(&err);
	tp_held_free(held);
	return is_written;
}

static const struct tp_doc *
redact_doc(struct check *c, const struct tp_doc *doc)
{
	struct tp_err err;
	const struct tp_doc *redacted =
		doc != NULL ? tp_redacted(c->args->redaction, doc, c->arena, &err) : NULL;

	if (doc != NULL && redacted == NULL)
		tp_say_err(&err);
	return redacted;
}

static void
redact_text(struct check *c, enum tp_writing writing, struct tp_slice *text)
{
	tp_redaction_sort(c->args->redaction, TP_NOUN_PATH, writing, *text);
	*text = tp_redaction_text(c->args->redaction, writing, *text);
}

/* The reports, the budget and their paths: what is judged and written then has none of the names. */
static bool
redact(struct check *c)
{
	const struct tp_doc **baselines =
		tp_new_array(c->arena, const struct tp_doc *, c->wish.baseline_count);
	const struct tp_doc *a = c->wish.a;

	c->wish.b = redact_doc(c, c->wish.b);
	c->wish.a = redact_doc(c, a);
	if (c->wish.b == NULL || (a != NULL && c->wish.a == NULL))
		return false;
	for (size_t i = 0; i < c->wish.baseline_count; i++) {
		baselines[i] = redact_doc(c, c->wish.baselines[i]);
		if (baselines[i] == NULL)
			return false;
	}
	c->wish.baselines = baselines;
	for (size_t i = 0; i < c->budget->limit_count; i++)
		redact_text(c, TP_WRITTEN_AS_ID, &c->budget->limits[i].id);
	redact_text(c, TP_WRITTEN_PLAIN, &c->budget->name);
	redact_text(c, TP_WRITTEN_PLAIN, &c->wish.a_path);
	redact_text(c, TP_WRITTEN_PLAIN, &c->wish.b_path);
	redact_text(c, TP_WRITTEN_PLAIN, &c->budget_path);
	return true;
}

/* The verdict of a comparison, where something is outside and the run is slower. */
static struct tp_slice
slower(const struct check *c, const struct tp_budget_result *result)
{
	if (result->outside == 0 || c->wish.a == NULL)
		return TP_S("");
	struct tp_compare_result r = tp_compare(&c->wish, c->arena);

	return r.has_time && r.time == TP_CHANGE_WORSE ? r.doc->description : TP_S("");
}

/* Its own name, or "b" of "ci/b.json". */
static struct tp_slice
name_of(const struct tp_budget *budget, struct tp_slice path)
{
	struct tp_slice name = tp_path_name(path);

	if (budget->name.len != 0)
		return budget->name;
	if (tp_slice_eq(path, TP_S("-")))
		return TP_S("budget");
	if (tp_path_has_suffix(name, ".json"))
		name.len -= strlen(".json");
	return name;
}

static int
judge(struct check *c)
{
	struct tp_budget_result result;

	c->budget_path = tp_slice_of(c->args->budget);
	if (c->args->redaction != NULL && !redact(c))
		return TP_EXIT_CANNOT_WRITE;
	tp_budget_judge(c->budget, &c->wish, c->missing, c->arena, &result);
	c->result.doc = c->wish.b;
	c->result.path = c->wish.b_path;
	c->result.base_path = c->wish.a_path;
	c->result.baseline_count = c->wish.baseline_count + (c->wish.a != NULL);
	c->result.budget_path = c->budget_path;
	c->result.name = name_of(c->budget, c->result.budget_path);
	c->result.result = &result;
	c->result.slower = slower(c, &result);
	bool is_written = c->args->redaction != NULL ? write_proven(c) : write_all(c);
	int status = tp_checked_status(&c->result);

	if (!is_written)
		return TP_EXIT_CANNOT_WRITE;
	return status == TP_EXIT_OK && c->args->strict && c->many.partial ? TP_EXIT_DAMAGED : status;
}

int
tp_command_check(const struct tp_args *args)
{
	struct tp_arena *arena = tp_arena_new();
	struct check c = {
		.args = args,
		.arena = arena,
		.many = {.args = args},
		.wish = {.level = 0.99, .floor = NAN, .top = 10},
		.result = {.arena = arena},
	};
	int status = TP_EXIT_USAGE;

	if (args->paths.count != 1 || args->budget == NULL)
		tp_say(
			"check takes one run and a budget: tpreport check PATH --budget b.json; tpreport budget "
			"PATH > b.json proposes one");
	else if (args->run != NULL && strcmp(args->run, "all") == 0)
		tp_say("check --run all: a budget is held against one run; give its name or number");
	else if (tp_level_read(args->level, &c.wish.level) &&
		(args->floor == NULL || tp_share_read("floor", args->floor, 1, &c.wish.floor)) &&
		read_missing(args->missing, &c.missing) && check_outputs(args) && read_budget(&c) &&
		(status = open_all(&c)) == TP_EXIT_OK)
		status = judge(&c);
	tp_many_close(&c.many);
	tp_arena_free(arena);
	return status;
}

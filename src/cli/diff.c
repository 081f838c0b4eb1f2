/* tpreport diff A B [--baseline R…]: two runs or reports compared; with --fail-on a gate. */
#include "cli/commands.h"

#include "base/arena.h"
#include "base/number.h"
#include "cli/many.h"
#include "cli/options.h"
#include "cli/outputs.h"
#include "cli/terminal.h"
#include "cli/write.h"
#include "compare/compare.h"
#include "report/doc.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

struct diff {
	const struct tp_args *args;
	struct tp_arena *arena;
	struct tp_many many;
	struct tp_compare_wish wish;
};

enum { SLOWER = 1, MEMORY = 2, FINDING = 4 };

/* The set that --fail-on names. */
static bool
read_fail_on(const char *words, unsigned *out)
{
	static const struct {
		const char *word;
		unsigned is;
	} known[] = {{"slower", SLOWER}, {"memory", MEMORY}, {"finding", FINDING}};

	*out = 0;
	for (const char *at = words; at != NULL && *at != '\0';) {
		size_t length = strcspn(at, ","), i = 0;

		while (i < 3 && !tp_slice_eq((struct tp_slice){at, length}, tp_slice_of(known[i].word)))
			i++;
		if (i == 3) {
			tp_say("--fail-on %s: give slower, memory or finding, with commas between", words);
			return false;
		}
		*out |= known[i].is;
		at += length + (at[length] == ',');
	}
	return true;
}

static int
open_all(struct diff *d)
{
	const char *const *paths = tp_args_strings(&d->args->paths);
	const char *const *baselines = tp_args_strings(&d->args->baselines);
	size_t count = d->args->baselines.count;
	const struct tp_doc **docs = tp_new_array(d->arena, const struct tp_doc *, count);
	int status = TP_EXIT_OK;

	d->wish.a = tp_many_open(&d->many, paths[0], &status);
	if (status == TP_EXIT_OK)
		d->wish.b = tp_many_open(&d->many, paths[1], &status);
	d->wish.a_path = tp_slice_of(paths[0]);
	d->wish.b_path = tp_slice_of(paths[1]);
	for (size_t i = 0; i < count && status == TP_EXIT_OK; i++) {
		docs[d->wish.baseline_count++] = tp_many_open(&d->many, baselines[i], &status);
	}
	d->wish.baselines = docs;
	if (status == TP_EXIT_OK)
		tp_many_settle(&d->many, &d->wish, d->arena);
	return status;
}

static bool
is_worse(bool has, enum tp_change_verdict verdict)
{
	return has && verdict == TP_CHANGE_WORSE;
}

static bool
is_open(bool has, enum tp_change_verdict verdict)
{
	return !has || verdict == TP_CHANGE_UNDECIDED;
}

/* What --fail-on makes of the result: what cannot be judged is no pass. */
static int
gate(const struct tp_compare_result *r, unsigned fail_on)
{
	if (((fail_on & SLOWER) && is_worse(r->has_time, r->time)) ||
		((fail_on & MEMORY) && is_worse(r->has_memory, r->memory)) ||
		((fail_on & FINDING) && r->new_findings != 0))
		return TP_EXIT_GATE;
	if (((fail_on & SLOWER) && is_open(r->has_time, r->time)) ||
		((fail_on & MEMORY) && is_open(r->has_memory, r->memory)) ||
		((fail_on & FINDING) && !r->has_findings))
		return TP_EXIT_NOT_JUDGED;
	return TP_EXIT_OK;
}

static int
compare(struct diff *d, const struct tp_outputs *out, unsigned fail_on)
{
	struct tp_compare_result r = tp_compare(&d->wish, d->arena);
	struct tp_slice *paths = tp_new_array(d->arena, struct tp_slice, out->count), written;
	struct tp_err err;

	if (tp_doc_check(r.doc, &err) != TP_OK) {
		tp_say_err(&err);
		return TP_EXIT_DAMAGED;
	}
	for (size_t i = 0; i < out->count; i++)
		paths[i] = tp_slice_of(out->at[i].path);
	int status = tp_write_outputs(d->args, r.doc, false, out, paths, &written, d->arena);

	if (written.len != 0 && isatty(STDERR_FILENO) && !d->args->quiet)
		tp_say_written(r.doc, written, d->arena);
	return status != TP_EXIT_OK ? status : gate(&r, fail_on);
}

int
tp_command_diff(const struct tp_args *args)
{
	struct diff d = {
		.args = args,
		.many = {.args = args},
		.arena = tp_arena_new(),
		.wish = {.level = 0.99, .floor = NAN, .top = 10},
	};
	struct tp_outputs out;
	unsigned fail_on;
	int status = TP_EXIT_USAGE;

	if (args->paths.count != 2)
		tp_say(
			"diff compares two: tpreport diff A B, each a log directory or a report of tpreport");
	else if ((args->level == NULL || tp_share_read("level", args->level, 1, &d.wish.level)) &&
		(args->floor == NULL || tp_share_read("floor", args->floor, 1, &d.wish.floor)) &&
		read_fail_on(args->fail_on, &fail_on) && tp_outputs_plan(args, d.arena, &out) &&
		(status = open_all(&d)) == TP_EXIT_OK)
		status = compare(&d, &out, fail_on);
	tp_many_close(&d.many);
	tp_arena_free(d.arena);
	return status;
}

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

/* What --fail-on may name; sets of them have 1 << SLOWER and so on. */
enum { SLOWER, MEMORY, FINDING, GATES };
static const char *const gates[GATES] = {"slower", "memory", "finding"};

/* The set that --fail-on names. */
static bool
read_fail_on(const char *words, unsigned *out)
{
	*out = 0;
	for (const char *at = words; at != NULL && *at != '\0';) {
		size_t length = strcspn(at, ","), i = 0;

		while (i < GATES && !tp_slice_eq((struct tp_slice){at, length}, tp_slice_of(gates[i])))
			i++;
		if (i == GATES) {
			tp_say("--fail-on %s: give slower, memory or finding, with commas between", words);
			return false;
		}
		*out |= 1u << i;
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

/* What --fail-on makes of the result: what cannot be judged is no pass. Says what decided. */
static int
gate(const struct tp_compare_result *r, unsigned fail_on)
{
	const struct {
		bool happened, open;
		struct tp_slice said;
	} all[GATES] = {
		[SLOWER] = {r->has_time && r->time == TP_CHANGE_WORSE,
			!r->has_time || r->time == TP_CHANGE_UNDECIDED, r->time_said},
		[MEMORY] = {r->has_memory && r->memory == TP_CHANGE_WORSE,
			!r->has_memory || r->memory == TP_CHANGE_UNDECIDED, r->memory_said},
		[FINDING] = {r->new_findings != 0, !r->has_findings, r->findings_said},
	};
	int status = TP_EXIT_OK;

	for (size_t i = 0; i < GATES; i++) {
		if (!(fail_on & 1u << i) || !(all[i].happened || all[i].open))
			continue;
		tp_say("--fail-on %s%s: %.*s", gates[i], all[i].happened ? "" : " cannot be judged",
			TP_ARG(all[i].said));
		if (status != TP_EXIT_GATE)
			status = all[i].happened ? TP_EXIT_GATE : TP_EXIT_NOT_JUDGED;
	}
	return status;
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
	else if (tp_level_read(args->level, &d.wish.level) &&
		(args->floor == NULL || tp_share_read("floor", args->floor, 1, &d.wish.floor)) &&
		read_fail_on(args->fail_on, &fail_on) && tp_outputs_plan(args, d.arena, &out) &&
		(status = open_all(&d)) == TP_EXIT_OK)
		status = compare(&d, &out, fail_on);
	tp_many_close(&d.many);
	tp_arena_free(d.arena);
	return status;
}

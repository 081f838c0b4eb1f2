/* tpreport get PATH [ID…]: metrics for scripts, one a line: id, value, unit, separated by tabs, and of a share what it is of. In
 * the place of a unit stands the reason of a missing value, and what a text covers (for run.step_source none: why there are
 * none). Without ids: all. */
#include "cli/commands.h"

#include "base/arena.h"
#include "base/nearest.h"
#include "cli/options.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "report/doc.h"

#include <stdio.h>

/* A text must not break the line, nor a reason that quotes one. */
static void
print_text(struct tp_slice text)
{
	tp_put_safe(stdout, text, " ");
}

static void
print_metric(struct tp_slice id, const struct tp_metric *m)
{
	char buf[TP_VALUE_BUF];
	struct tp_slice raw = tp_value_raw(m->value, buf), unit = tp_unit_name(m->value.unit);

	print_text(id);
	putchar('\t');
	print_text(raw);
	putchar('\t');
	if (!tp_known(m->value))
		print_text(m->value.text);
	else if (m->value.kind == TP_VALUE_TEXT)
		print_text(m->coverage);
	else
		printf("%.*s", TP_ARG(unit));
	if (tp_known(m->value) && m->value.unit == TP_UNIT_SHARE && m->coverage.len != 0) {
		putchar('\t');
		print_text(m->coverage);
	}
	putchar('\n');
}

/* What is missing of all together is missing of each, for the same reason. NULL: there is no such metric. */
static const struct tp_metric *
find_metric(const struct tp_doc *doc, struct tp_slice id)
{
	const struct tp_metric *m = tp_doc_find_metric(doc, id);

	if (m != NULL)
		return m;
	m = tp_doc_find_metric(doc, tp_scope_base(id));
	return m == NULL || tp_known(m->value) || m->scopes.len == 0 ? NULL : m;
}

/* What a gate must not take for a pass. */
static int
require(const struct tp_metric *m, struct tp_slice id)
{
	if (tp_known(m->value))
		return TP_EXIT_OK;
	tp_say("%.*s is missing: %.*s", TP_ARG(id), TP_ARG(m->value.text));
	return TP_EXIT_NOT_JUDGED;
}

/* Whether the metric is this one, narrowed. */
static bool
narrows(const struct tp_metric *m, struct tp_slice base)
{
	return m->id.len > base.len && m->id.ptr[base.len] == '@' && tp_slice_starts(m->id, base);
}

static void
say_near(const struct tp_doc *doc, struct tp_slice wish)
{
	struct tp_nearest near = {.arena = tp_arena_new(), .wish = wish};

	for (const struct tp_metric *m = doc->metrics; m != NULL; m = m->next)
		tp_nearest_offer(&near, tp_scope_base(m->id));
	fprintf(
		stderr, "%.*s; tpreport --list metrics lists all\n", TP_ARG(tp_nearest_words(&near, "")));
	tp_arena_free(near.arena);
}

/* Why there is no such id: none of that name, or not for that host, device …; then which there are. */
static void
say_unknown(const struct tp_doc *doc, const char *id)
{
	enum { MOST = 20 };
	struct tp_slice base = tp_scope_base(tp_slice_of(id));
	size_t count = 0;

	fputs("tpreport: unknown id ", stderr);
	tp_say_safe(tp_slice_of(id));
	if (tp_doc_find_metric(doc, base) == NULL) {
		say_near(doc, base);
		return;
	}
	for (const struct tp_metric *m = doc->metrics; m != NULL; m = m->next)
		count += narrows(m, base);
	if (count == 0) {
		fprintf(stderr, "; %.*s exists only for all together\n", TP_ARG(base));
		return;
	}
	fprintf(stderr, "; there %s", count == 1 ? "is" : "are");
	size_t told = 0;

	for (const struct tp_metric *m = doc->metrics; m != NULL && told < MOST; m = m->next) {
		if (!narrows(m, base))
			continue;
		fputs(told++ == 0 ? " " : ", ", stderr);
		tp_say_safe(m->id);
	}
	if (count > MOST)
		fprintf(stderr, " and %zu more in the JSON report", count - MOST);
	fputc('\n', stderr);
}

static int
print_wanted(const struct tp_args *args, const struct tp_doc *doc)
{
	const char *const *words = tp_args_strings(&args->paths);
	int status = TP_EXIT_OK, missing = TP_EXIT_OK;

	for (const struct tp_metric *m = doc->metrics; m != NULL && args->paths.count == 1; m = m->next)
		print_metric(m->id, m);
	for (size_t i = 1; i < args->paths.count; i++) {
		struct tp_slice id = tp_slice_of(words[i]);
		const struct tp_metric *m = find_metric(doc, id);

		if (m == NULL) {
			say_unknown(doc, words[i]);
			status = TP_EXIT_USAGE;
			continue;
		}
		print_metric(id, m);
		if (args->require && require(m, id) != TP_EXIT_OK)
			missing = TP_EXIT_NOT_JUDGED;
	}
	return status != TP_EXIT_OK ? status : missing;
}

int
tp_command_get(const struct tp_args *args)
{
	int status = TP_EXIT_OK;

	if (args->paths.count < 1) {
		tp_say("get needs a path and optionally ids: tpreport get logdir step.time.mean_ms");
		return TP_EXIT_USAGE;
	}
	if (args->require && args->paths.count < 2) {
		tp_say("--require needs ids: tpreport get --require logdir step.time.mean_ms");
		return TP_EXIT_USAGE;
	}
	if (args->run != NULL && strcmp(args->run, "all") == 0) {
		tp_say("get --run all: figures belong to one run; give its name or number");
		return TP_EXIT_USAGE;
	}
	struct tp_session *s = tp_session_open(args, tp_args_strings(&args->paths), 1, &status);

	if (s == NULL)
		return status;
	status = print_wanted(args, tp_session_doc(s, tp_session_count(s) - 1));
	if (status == TP_EXIT_OK && args->strict && tp_session_partial(s))
		status = TP_EXIT_DAMAGED;
	tp_session_close(s);
	return status;
}

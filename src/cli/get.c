/* tpreport get PATH ID…: metrics for scripts, one a line: id, value, unit, separated by tabs. In the place of a unit stands
 * the reason of a missing value, and what a text covers (for run.step_source none: why there are none). */
#include "cli/commands.h"

#include "cli/options.h"
#include "cli/session.h"
#include "report/doc.h"

#include <stdio.h>

/* A text must not break the line, nor a reason that quotes one. */
static void
print_text(struct tp_slice text)
{
	for (size_t i = 0; i < text.len; i++)
		putchar((unsigned char)text.ptr[i] < 0x20 || text.ptr[i] == 0x7f ? ' ' : text.ptr[i]);
}

static bool
print_metric(const struct tp_doc *doc, const char *id)
{
	const struct tp_metric *m = tp_doc_find_metric(doc, tp_slice_of(id));
	char buf[TP_VALUE_BUF];

	if (m == NULL)
		return false;
	struct tp_slice raw = tp_value_raw(m->value, buf), unit = tp_unit_name(m->value.unit);

	printf("%s\t", id);
	print_text(raw);
	putchar('\t');
	if (!tp_known(m->value))
		print_text(m->value.text);
	else if (m->value.kind == TP_VALUE_TEXT)
		print_text(m->coverage);
	else
		printf("%.*s", TP_ARG(unit));
	putchar('\n');
	return true;
}

int
tp_command_get(const struct tp_args *args)
{
	const char *const *words = tp_args_strings(&args->paths);
	int status = TP_EXIT_OK;

	if (args->paths.count < 2) {
		fputs("tpreport: get needs a path and at least one id: tpreport get logdir "
			  "step.time.mean_ms\n",
			stderr);
		return TP_EXIT_USAGE;
	}
	struct tp_session *s = tp_session_open(args, words, 1, &status);

	if (s == NULL)
		return status;
	const struct tp_doc *doc = tp_session_doc(s, tp_session_count(s) - 1);

	for (size_t i = 1; i < args->paths.count; i++) {
		if (!print_metric(doc, words[i])) {
			fprintf(stderr, "tpreport: unknown id %s; \"metrics\" of the JSON report lists all\n",
				words[i]);
			status = TP_EXIT_USAGE;
		}
	}
	if (status == TP_EXIT_OK && args->strict && tp_session_partial(s))
		status = TP_EXIT_DAMAGED;
	tp_session_close(s);
	return status;
}

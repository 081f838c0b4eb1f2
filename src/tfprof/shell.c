/* As in tfprof an empty line shows the options, and set keeps them. */
#include "tfprof/shell.h"

#include "io/sink.h"
#include "tfprof/edit.h"
#include "tfprof/words.h"

#include <stdlib.h>
#include <unistd.h>

static enum tp_status
say(void (*write)(const void *what, struct tp_sink *out), const void *what, struct tp_err *err)
{
	struct tp_sink *out = tp_sink_open("-", err);

	if (out == NULL)
		return err->status;
	write(what, out);
	enum tp_status status = tp_sink_commit(out, err);

	tp_sink_close(out);
	return status;
}

static void
put_options(const void *line, struct tp_sink *out)
{
	tp_tfprof_line_write(line, out);
}

static void
put_help(const void *nothing, struct tp_sink *out)
{
	(void)nothing;
	tp_tfprof_put_help(out);
}

/* Options that are wrong in part are not kept. */
static enum tp_status
run_line(const struct tp_tfprof_run *run, struct tp_tfprof_line *defaults, const char *text,
	struct tp_err *err)
{
	struct tp_tfprof_line line;
	enum tp_tfprof_command command;

	if (*text == '\0')
		return say(put_options, defaults, err);
	tp_tfprof_line_copy(&line, defaults);
	enum tp_status status = tp_tfprof_line_read(&line, tp_slice_of(text), &command, err);

	if (status == TP_OK && command == TP_TFPROF_DO_SET) {
		struct tp_tfprof_line before = *defaults;

		*defaults = line;
		line = before;
	} else if (status == TP_OK && command == TP_TFPROF_DO_HELP) {
		status = say(put_help, NULL, err);
	} else if (status == TP_OK) {
		status = tp_tfprof_run(run, command, &line, err);
	}
	tp_tfprof_line_close(&line);
	return status;
}

enum tp_status
tp_tfprof_shell(const struct tp_tfprof_run *run, struct tp_tfprof_line *defaults)
{
	bool terminal = isatty(STDIN_FILENO) == 1;
	enum tp_status first = TP_OK;
	struct tp_err err;

	for (char *line; (line = tp_tfprof_edit("tfprof> ", terminal)) != NULL; free(line)) {
		enum tp_status status;

		if (*line != '\0')
			tp_tfprof_edit_keep(line, terminal);
		status = run_line(run, defaults, line, &err);
		if (status != TP_OK)
			run->say(&err);
		first = first == TP_OK ? status : first;
	}
	return first;
}

/* tpreport tfprof --profile_path FILE [COMMAND] [-OPTION VALUE…]: the command line of TensorFlow's own profiler, its options and its
 * text. */
#include "cli/commands.h"

#include "base/arena.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "cli/tfprof_files.h"
#include "io/blob.h"
#include "io/sink.h"
#include "model/tfprof.h"
#include "tfprof/advise.h"
#include "tfprof/checkpoint.h"
#include "tfprof/run.h"
#include "tfprof/shell.h"
#include "tfprof/words.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What the words of the command line ask for. */
struct asked {
	struct tp_tfprof_files files;
	struct tp_tfprof_line line;
	struct tp_tfprof_advice_options advice;
	uint32_t command; /* TP_MAP_NONE: none, so they are read from standard input */
	bool json;
};

/* "-step", "--step", "--step=3": the name behind the dashes and the value behind the sign, empty without one. */
static struct tp_slice
option_name(const char *word, struct tp_slice *value, bool *has_value)
{
	struct tp_slice name = tp_slice_of(word);

	name = tp_slice_from(name, word[1] == '-' ? 2 : 1);
	const char *equals = memchr(name.ptr, '=', name.len);

	*has_value = equals != NULL;
	*value = TP_S("");
	if (equals != NULL) {
		*value = tp_slice_of(equals + 1);
		name.len = (size_t)(equals - name.ptr);
	}
	return name;
}

static const char **
file_named(struct asked *a, struct tp_slice name)
{
	const struct {
		struct tp_slice name;
		const char **path;
	} files[] = {
		{TP_S("profile_path"), &a->files.profile},
		{TP_S("graph_path"), &a->files.graph},
		{TP_S("run_meta_path"), &a->files.run_meta},
		{TP_S("op_log_path"), &a->files.op_log},
		{TP_S("checkpoint_path"), &a->files.checkpoint},
	};

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		if (tp_slice_eq(name, files[i].name))
			return files[i].path;
	}
	return NULL;
}

/* An option of tfprof's own, which is called with one dash. */
static enum tp_status
set_option(struct asked *a, struct tp_slice name, struct tp_slice value, struct tp_err *err)
{
	char dashed[64];
	int length = snprintf(dashed, sizeof dashed, "-%.*s", TP_ARG(name));

	if (length >= (int)sizeof dashed)
		return tp_fail(
			err, TP_ERR_USAGE, "Invalid option '-%.*s' value: '%.*s'", TP_ARG(name), TP_ARG(value));
	return tp_tfprof_option_set(&a->line, (struct tp_slice){dashed, (size_t)length}, value, err);
}

static bool
is_switch(struct tp_slice name)
{
	return tp_slice_eq(name, TP_S("account_displayed_op_only"));
}

static enum tp_status
take_option(struct asked *a, const char *const *words, size_t count, size_t *i, struct tp_err *err)
{
	struct tp_slice value, name;
	bool has_value;

	name = option_name(words[*i], &value, &has_value);
	if (tp_slice_eq(name, TP_S("json")) && !has_value) {
		a->json = true;
		return TP_OK;
	}
	bool follows = *i + 1 < count && (words[*i + 1][0] != '-' || !is_switch(name));

	if (!has_value && is_switch(name) && !follows)
		value = TP_S("true");
	else if (!has_value && follows)
		value = tp_slice_of(words[++*i]);
	else if (!has_value)
		return tp_fail(err, TP_ERR_USAGE, "option %s needs a value", words[*i]);
	const char **file = file_named(a, name);

	enum tp_status status;

	if (file == NULL && tp_tfprof_advice_option(&a->advice, name, value, &status, err))
		return status;
	if (file == NULL)
		return set_option(a, name, value, err);
	*file = value.ptr;
	return TP_OK;
}

static enum tp_status
take_words(struct asked *a, const struct tp_args *args, struct tp_err *err)
{
	const char *const *words = tp_args_strings(&args->paths);
	enum tp_status status = TP_OK;

	a->command = TP_MAP_NONE;
	for (size_t i = 0; i < args->paths.count && status == TP_OK; i++) {
		struct tp_slice word = tp_slice_of(words[i]);

		if (word.len > 1 && *word.ptr == '-')
			status = take_option(a, words, args->paths.count, &i, err);
		else if (a->command != TP_MAP_NONE)
			status = tp_fail(err, TP_ERR_USAGE, "%s: give one command only", word.ptr);
		else {
			a->command = tp_tfprof_command_named(word);
			if (a->command == TP_MAP_NONE)
				status = tp_fail(err, TP_ERR_USAGE,
					"%s: not a tfprof command; give scope, graph, op, code or advise", word.ptr);
		}
	}
	if (status != TP_OK)
		return status;
	if (a->files.profile != NULL && (a->files.graph != NULL || a->files.run_meta != NULL))
		return tp_fail(
			err, TP_ERR_USAGE, "--profile_path is set, do not set --graph_path or --run_meta_path");
	if (a->files.profile == NULL && a->files.graph == NULL && a->files.run_meta == NULL)
		return tp_fail(err, TP_ERR_USAGE,
			"tfprof needs a dump: tpreport tfprof --profile_path=profile_100 op -select micros "
			"-order_by micros");
	return status;
}

/* The exit status for what went wrong. */
static int
status_of(enum tp_status status)
{
	switch (status) {
	case TP_OK:
		return TP_EXIT_OK;
	case TP_ABSENT:
	case TP_ERR_USAGE:
	case TP_ERR_LIMIT:
		return TP_EXIT_USAGE;
	case TP_ERR_IO:
		return TP_EXIT_CANNOT_WRITE;
	case TP_ERR_FORMAT:
	case TP_ERR_UNSUPPORTED:
		break;
	}
	return TP_EXIT_DAMAGED;
}

/* What tfprof itself says stands alone, as it has it. */
static int
tell(const struct tp_err *err)
{
	if (err->status == TP_ABSENT)
		fprintf(stderr, "%s\n", err->text);
	else
		tp_say_err(err);
	return status_of(err->status);
}

static void
tell_line(const struct tp_err *err)
{
	tell(err);
}

/* One command, or those of standard input. */
static int
run(struct asked *a, const struct tp_tfprof *t, const struct tp_checkpoint *checkpoint)
{
	struct tp_err err;
	const struct tp_tfprof_run run = {.tfprof = t,
		.checkpoint = checkpoint,
		.json = a->json,
		.advice = &a->advice,
		.say = tell_line,
		.messages = stderr};

	if (a->command == TP_MAP_NONE || a->command == TP_TFPROF_DO_SET)
		return status_of(tp_tfprof_shell(&run, &a->line));
	return tp_tfprof_run(&run, (enum tp_tfprof_command)a->command, &a->line, &err) == TP_OK
		? TP_EXIT_OK
		: tell(&err);
}

/* Whether figures of the nodes are all that the command shows: operations by type, as text, without their inputs and values. */
static bool
wants_figures(const struct asked *a)
{
	return a->files.profile != NULL && a->files.checkpoint == NULL && !a->json &&
		a->command == TP_TFPROF_DO_OP && !tp_tfprof_selects(&a->line, TP_SELECT_INPUT_SHAPES) &&
		(a->line.output == TP_TFPROF_TO_STDOUT || a->line.output == TP_TFPROF_TO_FILE);
}

static bool
wants_types(const struct asked *a)
{
	return !a->line.view.account_types.all || tp_tfprof_selects(&a->line, TP_SELECT_OP_TYPES);
}

static enum tp_status
read_files(const struct asked *a, struct tp_arena *arena, struct tp_buf *blobs, struct tp_tfprof *t,
	struct tp_err *err)
{
	if (wants_figures(a))
		return tp_tfprof_files_read_figures(
			&a->files, a->line.view.step, wants_types(a), arena, t, err);
	return tp_tfprof_files_read(&a->files, arena, blobs, t, err);
}

static int
read_and_run(struct asked *a, struct tp_arena *arena)
{
	struct tp_tfprof t = {.step = -1};
	struct tp_buf blobs = {0};
	struct tp_checkpoint checkpoint = {0};
	struct tp_err err;
	int status;

	if (read_files(a, arena, &blobs, &t, &err) == TP_OK &&
		(a->files.checkpoint == NULL ||
			tp_checkpoint_open(a->files.checkpoint, arena, &checkpoint, &err) == TP_OK)) {
		if (t.built)
			tp_checkpoint_mark(&checkpoint, &t, arena);
		status = run(a, &t, &checkpoint);
	} else {
		tp_say_err(&err);
		status = err.status == TP_ERR_FORMAT ? TP_EXIT_DAMAGED : TP_EXIT_NO_PROFILE;
	}
	for (size_t i = 0; i < blobs.count; i++)
		tp_blob_close(((struct tp_blob **)blobs.data)[i]);
	tp_buf_free(&blobs);
	tp_checkpoint_close(&checkpoint);
	return status;
}

static void
put_help(void)
{
	struct tp_sink *out = tp_sink_open("-", NULL);

	if (out == NULL)
		return;
	tp_tfprof_put_help(out);
	tp_sink_commit(out, NULL);
	tp_sink_close(out);
}

int
tp_command_tfprof(const struct tp_args *args)
{
	struct asked a = {0};
	struct tp_err err;
	int status;

	tp_tfprof_line_open(&a.line);
	tp_tfprof_advice_defaults(&a.advice);
	if (args->paths.count == 1 && strcmp(tp_args_strings(&args->paths)[0], "help") == 0) {
		put_help();
		status = TP_EXIT_OK;
	} else if (take_words(&a, args, &err) != TP_OK) {
		status = tell(&err);
	} else {
		struct tp_arena *arena = tp_arena_new();

		status = read_and_run(&a, arena);
		tp_arena_free(arena);
	}
	tp_tfprof_line_close(&a.line);
	return status;
}

/* The program's entry: parse, answer --help and the like, run the command. */
#include "cli/commands.h"

#include "analyze/core/pass.h"
#include "analyze/page/passes.h"
#include "base/arena.h"
#include "base/memory.h"
#include "cli/memory_limit.h"
#include "cli/options.h"
#include "cli/session.h"
#include "cli/words.h"
#include "ingest/reader.h"
#include "model/build.h"
#include "render/renderer.h"
#include "report/doc.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

_Static_assert((int)TP_MEMORY_EXIT == (int)TP_EXIT_DAMAGED, "base knows no exit statuses");

static void
print_item(const char *name, const char *summary)
{
	printf("%s\t%s\n", name, summary);
}

/* The metrics of an empty profile: all there are, each missing. The last column says by what else some are given. */
static int
list_metrics(void)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_profile *empty = tp_builder_finish(tp_builder_new(arena));
	struct tp_pass_options options = {.top = 10};
	struct tp_doc *doc = tp_doc_new(arena);
	struct tp_err err;
	enum tp_status status = tp_analyze(tp_passes, empty, &options, arena, doc, &err);

	for (const struct tp_metric *m = doc->metrics; m != NULL; m = m->next) {
		struct tp_slice unit = tp_unit_name(m->value.unit);

		printf("%.*s\t%.*s\t%.*s%s%.*s%s%.*s\n", TP_ARG(m->id), TP_ARG(unit), TP_ARG(m->label),
			m->how.len ? ": " : "", TP_ARG(m->how), m->scopes.len ? "\t" : "", TP_ARG(m->scopes));
	}
	if (status != TP_OK)
		tp_say_err(&err);
	tp_arena_free(arena);
	return status == TP_OK ? TP_EXIT_OK : TP_EXIT_USAGE;
}

static int
list(const char *what)
{
	if (strcmp(what, "readers") == 0) {
		for (const struct tp_reader *const *r = tp_readers; *r != NULL; r++)
			print_item((*r)->name, (*r)->summary);
	} else if (strcmp(what, "passes") == 0) {
		for (const struct tp_pass *const *p = tp_passes; *p != NULL; p++) {
			if ((*p)->of == NULL)
				print_item((*p)->name, (*p)->summary);
		}
	} else if (strcmp(what, "renderers") == 0) {
		for (const struct tp_renderer *const *r = tp_renderers; *r != NULL; r++)
			print_item((*r)->name, (*r)->summary);
	} else if (strcmp(what, "metrics") == 0) {
		return list_metrics();
	} else {
		tp_say("--list %s: give readers, passes, renderers or metrics", what);
		return TP_EXIT_USAGE;
	}
	return TP_EXIT_OK;
}

/* "tpreport gte logdir": a word that is neither a path nor a command, but near the name of one. */
static bool
meant_command(const struct tp_args *args)
{
	const char *word = args->paths.count != 0 ? tp_args_strings(&args->paths)[0] : "-";

	if (args->command != &tp_commands[0] || strpbrk(word, "-/.") != NULL || access(word, F_OK) == 0)
		return false;
	struct tp_arena *arena = tp_arena_new();
	struct tp_slice near = tp_words_near_command(arena, tp_slice_of(word));

	if (near.len != 0)
		tp_say("%s: no such file or folder, and no command%.*s", word, TP_ARG(near));
	tp_arena_free(arena);
	return near.len != 0;
}

static int
run(const struct tp_args *args)
{
	if (args->help) {
		tp_args_help();
		return TP_EXIT_OK;
	}
	if (args->version) {
		puts("tpreport " TP_VERSION);
		return TP_EXIT_OK;
	}
	if (args->list != NULL)
		return list(args->list);
	if (meant_command(args))
		return TP_EXIT_USAGE;
	struct tp_err err;

	if (tp_memory_limit_take(args->memory_limit, &err) != TP_OK) {
		tp_say_err(&err);
		return TP_EXIT_USAGE;
	}
	return args->command->main(args);
}

/* Where the caller closed a standard descriptor, a file opened later would get its number, and messages would end up in
 * it. O_PATH: neither reading nor writing works, as before. */
static void
hold_descriptors(void)
{
	int fd = open("/dev/null", O_PATH);

	while (fd >= 0 && fd <= STDERR_FILENO)
		fd = open("/dev/null", O_PATH);
	if (fd >= 0)
		close(fd);
}

int
tp_cli_main(int argc, char **argv)
{
	struct tp_args args;
	struct tp_err err;
	int status = TP_EXIT_USAGE;

	hold_descriptors();
	/* Without memory jansson would say that a file is no JSON. */
	json_set_alloc_funcs(tp_memory_take, free);
	/* Figures look the same everywhere; only file names are the user's. */
	setlocale(LC_CTYPE, "C.UTF-8");
	if (tp_args_parse(argc, argv, &args, &err) == TP_OK)
		status = run(&args);
	else
		tp_say_err(&err);
	tp_args_free(&args);
	if ((fflush(stdout) != 0 || ferror(stdout)) && status == TP_EXIT_OK) {
		tp_say("standard output: cannot write: %s", strerror(errno));
		status = TP_EXIT_CANNOT_WRITE;
	}
	return status;
}

/* The program's entry: parse, answer --help and the like, run the command. */
#include "cli/commands.h"

#include "analyze/core/pass.h"
#include "analyze/page/passes.h"
#include "base/arena.h"
#include "base/cores.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/pool.h"
#include "cli/catalogue.h"
#include "cli/complete.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/pass_options.h"
#include "cli/redact.h"
#include "cli/terminal.h"
#include "ingest/reader.h"
#include "io/remote.h"
#include "render/renderer.h"
#include "report/doc.h"
#include "report/shape.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stddef.h>
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

/* The metrics of an empty profile: all there are, each missing: id, unit, which way is better, name and formula; the last column says by what else
 * some are given. */
static int
list_metrics(void)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_err err;
	const struct tp_doc *doc = tp_catalogue(arena, &err);

	for (const struct tp_metric *m = doc != NULL ? doc->metrics : NULL; m != NULL; m = m->next) {
		struct tp_slice unit = tp_unit_name(m->value.unit);
		struct tp_slice better = tp_name_in(&tp_direction_names, m->better);

		printf("%.*s\t%.*s\t%.*s\t%.*s%s%.*s%s%.*s\n", TP_ARG(m->id), TP_ARG(unit), TP_ARG(better),
			TP_ARG(m->label), m->how.len ? ": " : "", TP_ARG(m->how), m->scopes.len ? "\t" : "",
			TP_ARG(m->scopes));
	}
	if (doc == NULL)
		tp_say_err(&err);
	tp_arena_free(arena);
	return doc != NULL ? TP_EXIT_OK : TP_EXIT_USAGE;
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

/* Of what is allowed; the rest is for the kernel's copy of the files that are read, and for other programs. */
enum { DEFAULT_PERCENT = 80 };

/* How much memory the program may take: "4G", "500M", "none", or a share of what the machine and its control groups allow when word is
 * NULL. TP_ERR_USAGE when the word is none of these. */
static enum tp_status
take_memory_limit(const char *word, struct tp_err *err)
{
	uint64_t limit_bytes, allowed_bytes = tp_memory_allowed_bytes();

	if (word != NULL && strcmp(word, "none") == 0)
		return TP_OK;
	if (word == NULL)
		limit_bytes =
			allowed_bytes == UINT64_MAX ? UINT64_MAX : allowed_bytes / 100 * DEFAULT_PERCENT;
	else if (!tp_parse_bytes(word, &limit_bytes))
		return tp_fail(err, TP_ERR_USAGE,
			"--memory-limit %s: give a size with its unit, e.g. 4G or 500M, or none", word);
	tp_memory_limit(limit_bytes);
	return TP_OK;
}

/* "tpreport gte logdir": a word that is neither a path nor a command, but near the name of one. */
static bool
meant_command(const struct tp_args *args)
{
	const char *word = args->paths.count != 0 ? tp_args_strings(&args->paths)[0] : "-";

	if (args->command != &tp_commands[0] || strpbrk(word, "-/.") != NULL || access(word, F_OK) == 0)
		return false;
	struct tp_nearest near = {.arena = tp_arena_new(), .wish = tp_slice_of(word)};

	for (const struct tp_command *command = tp_commands; command->name != NULL; command++)
		tp_nearest_offer(&near, tp_slice_of(command->name));
	if (near.count != 0)
		tp_say("%s: no such file or folder, and no command%.*s", word,
			TP_ARG(tp_nearest_words(&near, "")));
	tp_arena_free(near.arena);
	return near.count != 0;
}

static void
take_words(const struct tp_buf *words)
{
	for (size_t i = 0; i < words->count; i++) {
		const char **word = (const char **)words->data + i;

		*word = tp_remote_take(*word);
	}
}

/* From here on nobody sees what in an address is secret. */
static bool
take_addresses(const struct tp_args *args)
{
	struct tp_err err;

	take_words(&args->outputs);
	if (args->fetch != NULL && tp_remote_fetch_by(args->fetch, &err) != TP_OK) {
		tp_say_err(&err);
		return false;
	}
	take_words(&args->paths);
	take_words(&args->baselines);
	return true;
}

/* More than that are of no use. */
enum { MOST_THREADS = 1024 };

/* The threads that --threads asks for, else as many as there are cores. TP_ERR_USAGE when the word is no number of them. */
static enum tp_status
take_threads(const char *word, struct tp_pool **pool, struct tp_err *err)
{
	size_t threads = tp_cores();

	if (word != NULL && (!tp_plain_number(word, &threads) || threads == 0))
		return tp_fail(
			err, TP_ERR_USAGE, "--threads %s: give a number of threads, 1 or more", word);
	*pool = tp_pool_new(threads < MOST_THREADS ? (unsigned)threads : MOST_THREADS);
	return TP_OK;
}

static int
run_with_pool(struct tp_args *with)
{
	struct tp_arena *arena = tp_arena_new();
	int status = with->redact == NULL || tp_redact_read(with->redact, arena, &with->redaction)
		? with->command->main(with)
		: TP_EXIT_USAGE;

	tp_arena_free(arena);
	return status;
}

static int
run(const struct tp_args *args)
{
	if (args->help) {
		tp_help_print(args->named ? args->command : NULL);
		return TP_EXIT_OK;
	}
	if (args->version) {
		puts("tpreport " TP_VERSION);
		return TP_EXIT_OK;
	}
	if (args->list != NULL)
		return list(args->list);
	if (args->command->main == NULL)
		return tp_help_command(args);
	if (meant_command(args) || !take_addresses(args))
		return TP_EXIT_USAGE;
	struct tp_err err;

	struct tp_args with = *args;

	if (take_memory_limit(args->memory_limit, &err) != TP_OK ||
		take_threads(args->threads, &with.pool, &err) != TP_OK) {
		tp_say_err(&err);
		return TP_EXIT_USAGE;
	}
	int status = run_with_pool(&with);

	tp_pool_free(with.pool);
	return status;
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

static int
parse_and_run(int argc, char **argv)
{
	struct tp_args args;
	struct tp_err err;
	int status = TP_EXIT_USAGE;

	if (tp_args_parse(argc, argv, &args, &err) == TP_OK)
		status = run(&args);
	else
		tp_say_err(&err);
	tp_remote_end();
	tp_args_free(&args);
	return status;
}

/* --complete and --man are for shells and for the build: no options. */
int
tp_cli_main(int argc, char **argv)
{
	int status;

	hold_descriptors();
	/* Without memory jansson would say that a file is no JSON. */
	json_set_alloc_funcs(tp_memory_take, free);
	/* Figures look the same everywhere; only file names are the user's. */
	setlocale(LC_CTYPE, "C.UTF-8");
	if (argc > 1 && strcmp(argv[1], "--complete") == 0)
		status = tp_complete((size_t)argc - 2, argv + 2);
	else if (argc > 1 && strcmp(argv[1], "--man") == 0)
		status = tp_man_print(argv[2]);
	else
		status = parse_and_run(argc, argv);
	if ((fflush(stdout) != 0 || ferror(stdout)) && status == TP_EXIT_OK) {
		tp_say("standard output: cannot write: %s", strerror(errno));
		status = TP_EXIT_CANNOT_WRITE;
	}
	return status;
}

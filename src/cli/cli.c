/* The program's entry: parse, answer --help and the like, run the command. */
#include "cli/commands.h"

#include "analyze/pass.h"
#include "cli/options.h"
#include "cli/session.h"
#include "ingest/reader.h"
#include "render/renderer.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

static void
print_item(const char *name, const char *summary)
{
	printf("%s\t%s\n", name, summary);
}

static int
list(const char *what)
{
	if (strcmp(what, "readers") == 0) {
		for (const struct tp_reader *const *r = tp_readers; *r != NULL; r++)
			print_item((*r)->name, (*r)->summary);
	} else if (strcmp(what, "passes") == 0) {
		for (const struct tp_pass *const *p = tp_passes; *p != NULL; p++)
			print_item((*p)->name, (*p)->summary);
	} else if (strcmp(what, "renderers") == 0) {
		for (const struct tp_renderer *const *r = tp_renderers; *r != NULL; r++)
			print_item((*r)->name, (*r)->summary);
	} else {
		fprintf(stderr, "tpreport: --list %s: give readers, passes or renderers\n", what);
		return TP_EXIT_USAGE;
	}
	return TP_EXIT_OK;
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
	return args->command->main(args);
}

int
tp_cli_main(int argc, char **argv)
{
	struct tp_args args;
	struct tp_err err;
	int status = TP_EXIT_USAGE;

	/* Figures look the same everywhere; only file names are the user's. */
	setlocale(LC_CTYPE, "C.UTF-8");
	if (tp_args_parse(argc, argv, &args, &err) == TP_OK)
		status = run(&args);
	else
		tp_say_err(&err);
	tp_args_free(&args);
	return status;
}

/* Less detail: the program anew, with a word in its environment. */
#include "cli/detail.h"

#include "analyze/core/ctx.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/memory.h"
#include "cli/options.h"
#include "cli/outputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VARIABLE "TPREPORT_SHORT_OF_MEMORY"

static bool
short_of_memory(void)
{
	const char *word = getenv(VARIABLE);

	return word != NULL && strcmp(word, "1") == 0;
}

/* What begins anew must be there to be read, and what it writes must not be half there; nothing is captured twice. */
static bool
can_start_again(const struct tp_args *args, const struct tp_outputs *out)
{
	const char *const *paths = tp_args_strings(&args->paths);

	for (size_t i = 0; i < args->paths.count; i++) {
		if (strcmp(paths[i], "-") == 0)
			return false;
	}
	for (size_t i = 0; i < out->count; i++) {
		if (strcmp(out->at[i].path, "-") == 0)
			return false;
	}
	return out->asked && args->command->is == TP_FOR_REPORT && !short_of_memory();
}

/* The words of the command line as the kernel keeps them; NULL where it does not tell. */
static char *const *
own_words(struct tp_arena *arena)
{
	FILE *file = fopen("/proc/self/cmdline", "re");
	struct tp_buf words = {0};
	char *word = NULL;
	size_t room = 0;

	while (file != NULL && getdelim(&word, &room, '\0', file) > 0)
		*tp_buf_new(&words, const char *) = tp_arena_copy(arena, tp_slice_of(word)).ptr;
	free(word);
	if (file != NULL)
		fclose(file);
	if (words.count == 0)
		return NULL;
	*tp_buf_new(&words, const char *) = NULL;
	return tp_buf_settle(&words, sizeof(char *), arena);
}

static char *const *
environment_that_says_so(struct tp_arena *arena)
{
	static const char says_so[] = VARIABLE "=1";
	struct tp_buf words = {0};

	for (char **word = environ; *word != NULL; word++) {
		if (strncmp(*word, VARIABLE "=", sizeof VARIABLE) != 0)
			*tp_buf_new(&words, const char *) = *word;
	}
	*tp_buf_new(&words, const char *) = says_so;
	*tp_buf_new(&words, const char *) = NULL;
	return tp_buf_settle(&words, sizeof(char *), arena);
}

const struct tp_memory_again *
tp_detail_less(const struct tp_args *args, const struct tp_outputs *out, struct tp_arena *arena)
{
	struct tp_memory_again *how = tp_new(arena, struct tp_memory_again);

	if (!can_start_again(args, out))
		return NULL;
	how->argv = own_words(arena);
	how->environment = environment_that_says_so(arena);
	how->told = "without timeline and views";
	return how->argv != NULL ? how : NULL;
}

void
tp_detail_take(struct tp_pass_options *options)
{
	if (!short_of_memory())
		return;
	options->short_of_memory = true;
	options->views = NULL;
}

void
tp_detail_tell(struct tp_diags *diags)
{
	if (short_of_memory())
		tp_diag_at(diags, TP_DIAG_NOTE, NULL, TP_NO_OFFSET,
			"memory did not suffice for the timeline and for views of single hosts: give a higher "
			"--memory-limit, or report fewer files (--host, --worker, --span)");
}

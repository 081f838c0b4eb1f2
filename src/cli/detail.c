/* Less detail: the program anew, with a word in its environment. */
#include "cli/detail.h"

#include "analyze/core/ctx.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/memory.h"
#include "cli/options.h"
#include "cli/outputs.h"
#include "render/renderer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VARIABLE "TPREPORT_SHORT_OF_MEMORY"

/* A merge may leave out more and more steps; a report has no less than the one without timeline. */
enum { MOST_OF_MERGE = 6, SHIFT_OF_MERGE = 2 };

/* Times of a report: without timeline and views, then each trace by itself, then no two of them at a time. */
enum { WITHOUT_TIMELINE = 1, IN_PARTS, ALONE };

/* How often memory did not suffice. */
static unsigned
times_short(void)
{
	const char *word = getenv(VARIABLE);

	return word != NULL && word[0] >= '1' && word[0] <= '0' + MOST_OF_MERGE && word[1] == '\0'
		? (unsigned)(word[0] - '0')
		: 0;
}

/* Whether there is less to make of what was read. */
static bool
has_less(const struct tp_args *args)
{
	return args->command->is == TP_FOR_MERGE
		? times_short() < MOST_OF_MERGE
		: args->command->is == TP_FOR_REPORT && times_short() < WITHOUT_TIMELINE;
}

/* What begins anew must be there to be read. */
static bool
can_start_again(const struct tp_args *args)
{
	const char *const *paths = tp_args_strings(&args->paths);

	for (size_t i = 0; i < args->paths.count; i++) {
		if (strcmp(paths[i], "-") == 0)
			return false;
	}
	return true;
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
environment_that_says_so(unsigned times, struct tp_arena *arena)
{
	const char *says_so = tp_arena_printf(arena, VARIABLE "=%u", times).ptr;
	struct tp_buf words = {0};

	for (char **word = environ; *word != NULL; word++) {
		if (strncmp(*word, VARIABLE "=", sizeof VARIABLE) != 0)
			*tp_buf_new(&words, const char *) = *word;
	}
	*tp_buf_new(&words, const char *) = says_so;
	*tp_buf_new(&words, const char *) = NULL;
	return tp_buf_settle(&words, sizeof(char *), arena);
}

static const struct tp_memory_again *
again(unsigned times, const char *told, struct tp_arena *arena)
{
	struct tp_memory_again *how = tp_new(arena, struct tp_memory_again);

	how->argv = own_words(arena);
	how->environment = environment_that_says_so(times, arena);
	how->told = told;
	return how->argv != NULL ? how : NULL;
}

const struct tp_memory_again *
tp_detail_less(const struct tp_args *args, struct tp_arena *arena)
{
	if (!has_less(args) || !can_start_again(args))
		return NULL;
	return again(times_short() + 1,
		args->command->is == TP_FOR_MERGE ? "with fewer steps of each rank"
										  : "without timeline and views",
		arena);
}

/* Summaries know no events, nor which names are of what. */
static bool
can_be_in_parts(const struct tp_args *args, const struct tp_outputs *out)
{
	const unsigned commands =
		TP_FOR_REPORT | TP_FOR_GET | TP_FOR_SHOW | TP_FOR_CHECK | TP_FOR_DIFF | TP_FOR_HISTORY;
	bool events = false;

	for (size_t i = 0; out != NULL && i < out->count; i++)
		events |= out->at[i].renderer->of_events;
	return (args->command->is & commands) != 0 && !events && args->redaction == NULL &&
		args->hosts.count == 0 && can_start_again(args);
}

const struct tp_memory_again *
tp_detail_parts(const struct tp_args *args, const struct tp_outputs *out, struct tp_arena *arena)
{
	return !tp_detail_is_in_parts() && can_be_in_parts(args, out)
		? again(IN_PARTS, "with each trace by itself", arena)
		: NULL;
}

const struct tp_memory_again *
tp_detail_alone(const struct tp_args *args, const struct tp_outputs *out, struct tp_arena *arena)
{
	return !tp_detail_is_alone() && can_be_in_parts(args, out)
		? again(ALONE, "with one trace after the other", arena)
		: NULL;
}

bool
tp_detail_is_in_parts(void)
{
	return times_short() >= IN_PARTS;
}

bool
tp_detail_is_alone(void)
{
	return times_short() >= ALONE;
}

void
tp_detail_take(struct tp_pass_options *options)
{
	if (times_short() == 0)
		return;
	options->short_of_memory = true;
	options->views = NULL;
}

void
tp_detail_tell(struct tp_diags *diags)
{
	if (times_short() != 0)
		tp_diag_at(diags, TP_DIAG_NOTE, NULL, TP_NO_OFFSET,
			"not enough memory for the timeline and for views of single hosts: give a higher "
			"--memory-limit, or report fewer files (--host, --worker, --span)");
}

size_t
tp_detail_calls(size_t usual)
{
	return usual >> (SHIFT_OF_MERGE * times_short());
}

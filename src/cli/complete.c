/* Completion of the command line from the tables of commands and options; a path is asked for what it holds. */
#include "cli/complete.h"

#include "base/arena.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/tfprof_files.h"
#include "io/sink.h"
#include "render/renderer.h"
#include "tfprof/line.h"

#include <stdio.h>
#include <unistd.h>

/* A shell waits for the answer: a log directory that takes longer offers nothing. */
enum { MOST_SECONDS = 5 };

/* Up to the first of these signs: what fits a line of a menu. */
static struct tp_slice
first_clause(const char *text)
{
	size_t length = strcspn(text, ";(");

	return (struct tp_slice){text, length - (length != 0 && text[length - 1] == ' ')};
}

/* A value; with commas, behind those that stand there already. */
static void
offer_word(struct tp_slice word, bool commas, struct tp_slice prefix)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_slice before = TP_S("");

	for (size_t i = prefix.len; commas && i > 0 && before.len == 0; i--) {
		if (prefix.ptr[i - 1] == ',')
			before = (struct tp_slice){prefix.ptr, i};
	}
	struct tp_slice others = tp_arena_printf(arena, ",%.*s", TP_ARG(before));

	if (!tp_slice_has(others, tp_arena_printf(arena, ",%.*s,", TP_ARG(word))))
		tp_complete_offer(
			prefix, tp_arena_printf(arena, "%.*s%.*s", TP_ARG(before), TP_ARG(word)), TP_S(""));
	tp_arena_free(arena);
}

/* The words of "a b c". */
static void
offer_words(const struct tp_option *o, struct tp_slice prefix)
{
	for (const char *at = o->words; *at != '\0';) {
		size_t length = strcspn(at, " ");

		offer_word((struct tp_slice){at, length}, o->commas, prefix);
		at += length + (at[length] == ' ');
	}
}

static void
offer_topics(struct tp_slice prefix)
{
	for (size_t i = 0; tp_topic_at(i).name.len != 0; i++)
		tp_complete_offer(prefix, tp_topic_at(i).name, tp_topic_at(i).says);
	for (const struct tp_command *c = tp_commands; c->name != NULL; c++)
		tp_complete_offer(prefix, tp_slice_of(c->name), tp_slice_of(c->summary));
}

static void
offer_of(const struct tp_args *args, enum tp_offer offer, struct tp_slice prefix)
{
	switch (offer) {
	case TP_OFFER_NOTHING:
		break;
	case TP_OFFER_FILES:
		puts(":files");
		break;
	case TP_OFFER_FOLDERS:
		puts(":folders");
		break;
	case TP_OFFER_FORMATS:
		for (const struct tp_renderer *const *r = tp_renderers; *r != NULL; r++)
			tp_complete_offer(prefix, tp_slice_of((*r)->name), tp_slice_of((*r)->summary));
		break;
	case TP_OFFER_TOPICS:
		offer_topics(prefix);
		break;
	case TP_OFFER_SHELLS:
		tp_complete_shells(prefix);
		break;
	case TP_OFFER_RUNS:
	case TP_OFFER_HOSTS:
	case TP_OFFER_WORKERS:
	case TP_OFFER_SPANS:
	case TP_OFFER_METRICS:
	case TP_OFFER_SECTIONS:
	case TP_OFFER_PROGRAMS:
		tp_complete_path(args, offer, prefix);
	}
}

static void
offer_values(const struct tp_args *args, const struct tp_option *o, struct tp_slice prefix)
{
	offer_of(args, o->offer, prefix);
	if (o->words != NULL)
		offer_words(o, prefix);
}

/* Before a command is named, those of report, and of all. */
static void
offer_options(const struct tp_command *c, struct tp_slice prefix)
{
	struct tp_arena *arena = tp_arena_new();

	for (const struct tp_option *o = tp_options; o->name != NULL; o++) {
		if (o->only == 0 || (o->only & c->is) != 0)
			tp_complete_offer(
				prefix, tp_arena_printf(arena, "--%s", o->name), first_clause(o->help));
	}
	tp_arena_free(arena);
}

/* tfprof's own, with one dash, and the files that it is given in the same way. */
static void
offer_tfprof_options(struct tp_slice prefix)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_tfprof_line line = {0};

	tp_tfprof_line_open(&line);
	for (unsigned i = 0; tp_tfprof_option_name(i).len != 0; i++) {
		struct tp_sink *value = tp_sink_memory();

		tp_tfprof_option_write(&line, i, value);
		tp_complete_offer(prefix, tp_tfprof_option_name(i),
			tp_arena_printf(arena, "default: %.*s", TP_ARG(tp_sink_bytes(value))));
		tp_sink_close(value);
	}
	for (size_t i = 0; tp_tfprof_path_options[i] != NULL; i++)
		tp_complete_offer(
			prefix, tp_arena_printf(arena, "-%s", tp_tfprof_path_options[i]), TP_S("a file"));
	tp_tfprof_line_close(&line);
	tp_arena_free(arena);
}

/* The option of tfprof whose value the last word is: behind it, or behind its sign; *value is what stands of it. Empty: of none. */
static struct tp_slice
tfprof_option_of_last(size_t count, char **words, struct tp_arena *arena, struct tp_slice *value)
{
	const char *last = words[count - 1], *equals = *last == '-' ? strchr(last, '=') : NULL;
	const char *word = equals != NULL ? last : count > 1 ? words[count - 2] : "";
	size_t dashes = strspn(word, "-");

	*value = tp_slice_of(equals != NULL ? equals + 1 : last);
	if (dashes == 0 || dashes > 2 || (equals == NULL && *last == '-'))
		return TP_S("");
	return tp_arena_printf(arena, "-%.*s", (int)strcspn(word + dashes, "="), word + dashes);
}

/* False: it is no value of an option of tfprof's own that has a list of them. */
static bool
offer_tfprof_values(size_t count, char **words)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_slice prefix, option = tfprof_option_of_last(count, words, arena, &prefix), value;
	bool several;
	unsigned nth = 0;

	for (; (value = tp_tfprof_option_value(option, nth, &several)).len != 0; nth++)
		offer_word(value, several, prefix);
	tp_arena_free(arena);
	return nth != 0;
}

/* Its views, where others take a path. */
static void
offer_tfprof_commands(struct tp_slice prefix)
{
	for (int i = 0; i < TP_TFPROF_COMMANDS; i++)
		tp_complete_offer(
			prefix, tp_tfprof_command_name((enum tp_tfprof_command)i), TP_S("of tfprof"));
}

static void
offer_commands(struct tp_slice prefix)
{
	for (const struct tp_command *c = tp_commands; c->name != NULL; c++)
		tp_complete_offer(prefix, tp_slice_of(c->name), tp_slice_of(c->summary));
}

/* The option that a word names, if its value is not attached to it. */
static const struct tp_option *
waits_for_value(const char *word)
{
	for (const struct tp_option *o = tp_options; o->name != NULL; o++) {
		bool named = (strncmp(word, "--", 2) == 0 && strcmp(word + 2, o->name) == 0) ||
			(o->letter != 0 && word[0] == '-' && word[1] == o->letter && word[2] == '\0');

		if (named && o->argument != NULL && o->argument[0] != '[')
			return o;
	}
	return NULL;
}

/* The option whose value the last word is, of --option=value too; *value is what stands of it. */
static const struct tp_option *
option_of_last(size_t count, char **words, struct tp_slice *value)
{
	const char *last = words[count - 1], *equals = strchr(last, '=');

	*value = tp_slice_of(last);
	if (strncmp(last, "--", 2) == 0 && equals != NULL) {
		struct tp_slice name = {last + 2, (size_t)(equals - last) - 2};

		*value = tp_slice_of(equals + 1);
		for (const struct tp_option *o = tp_options; o->name != NULL; o++) {
			if (tp_slice_eq(tp_slice_of(o->name), name))
				return o;
		}
		return NULL;
	}
	/* Of --baseline a b c, too. */
	for (size_t i = count - 1; last[0] != '-' && i-- > 0;) {
		const struct tp_option *o = waits_for_value(words[i]);

		if (o != NULL && (i + 2 == count || tp_slice_ends(tp_slice_of(o->argument), TP_S("..."))))
			return o;
		if (words[i][0] == '-')
			return NULL;
	}
	return NULL;
}

static bool
takes_paths(const struct tp_command *c)
{
	return c->offer != TP_OFFER_TOPICS && c->offer != TP_OFFER_SHELLS;
}

/* What the last word may be where it is no value of an option. */
static void
offer_last(const struct tp_args *args, struct tp_slice prefix)
{
	bool of_tfprof = (args->command->is & TP_FOR_TFPROF) != 0;

	if (prefix.len != 0 && prefix.ptr[0] == '-') {
		offer_options(args->command, prefix);
		if (of_tfprof)
			offer_tfprof_options(prefix);
	} else if (args->named && of_tfprof) {
		offer_tfprof_commands(prefix);
		puts(":files");
	} else if (args->paths.count == 0 && takes_paths(args->command)) {
		if (!args->named)
			offer_commands(prefix);
		puts(":files");
	} else
		offer_of(args, args->command->offer, prefix);
}

int
tp_complete(size_t count, char **words)
{
	struct tp_slice prefix;
	struct tp_args args;
	struct tp_err err;

	if (count == 0)
		return TP_EXIT_USAGE;
	alarm(MOST_SECONDS);
	const struct tp_option *o = option_of_last(count, words, &prefix);
	/* Without the last word, and the option whose value it is; the first stands for the program's name. */
	bool apart = o != NULL && count > 1 && waits_for_value(words[count - 2]) == o;

	if (tp_args_parse((int)(count - apart), words - 1, &args, &err) != TP_OK &&
		args.command == NULL)
		args.command = &tp_commands[0];
	args.quiet = true;
	bool of_tfprof = (args.command->is & TP_FOR_TFPROF) != 0;

	if (o != NULL)
		offer_values(&args, o, prefix);
	else if (!of_tfprof || !offer_tfprof_values(count, words))
		offer_last(&args, prefix);
	tp_args_free(&args);
	return TP_EXIT_OK;
}

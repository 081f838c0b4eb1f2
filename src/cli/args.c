/* The parser that comes from the tables of commands and options. */
#include "cli/options.h"

#include "base/arena.h"
#include "base/nearest.h"
#include "base/slice.h"

/* Profilers' own tools write --duration_ms: both ways are understood. */
static bool
is_name(const char *name, struct tp_slice word)
{
	if (strlen(name) != word.len)
		return false;
	for (size_t i = 0; i < word.len; i++) {
		if (name[i] != (word.ptr[i] == '_' ? '-' : word.ptr[i]))
			return false;
	}
	return true;
}

static const struct tp_option *
option_named(struct tp_slice name)
{
	for (const struct tp_option *o = tp_options; o->name != NULL; o++) {
		if (is_name(o->name, name))
			return o;
	}
	return NULL;
}

static const struct tp_option *
option_lettered(char letter)
{
	for (const struct tp_option *o = tp_options; o->name != NULL; o++) {
		if (o->letter != 0 && o->letter == letter)
			return o;
	}
	return NULL;
}

static void
add(struct tp_buf *list, const char *word)
{
	*(const char **)tp_buf_add(list, sizeof word) = word;
}

static void
set(struct tp_args *args, const struct tp_option *o, const char *value)
{
	char *field = (char *)args + o->field;

	if (o->many)
		add((struct tp_buf *)field, value);
	else if (o->argument != NULL)
		*(const char **)field = value;
	else
		*(bool *)field = true;
}

static bool
takes(const struct tp_option *o, const char *attached, int argc, char **argv, int *i,
	const char **value, struct tp_err *err)
{
	*value = attached;
	if (o->argument == NULL) {
		if (attached != NULL)
			tp_fail(err, TP_ERR_USAGE, "option --%s takes no value", o->name);
		return attached == NULL;
	}
	if (attached != NULL)
		return true;
	if (*o->argument == '[') {
		*value = "";
		return true;
	}
	if (*i + 1 >= argc) {
		tp_fail(
			err, TP_ERR_USAGE, "option --%s needs a value: --%s %s", o->name, o->name, o->argument);
		return false;
	}
	*value = argv[++*i];
	return true;
}

/* Letters are too short to be near one another. */
static enum tp_status
unknown(struct tp_slice option, struct tp_err *err)
{
	struct tp_nearest near = {.arena = tp_arena_new(), .wish = tp_slice_from(option, 2)};

	for (const struct tp_option *o = tp_options;
		 tp_slice_starts(option, TP_S("--")) && o->name != NULL; o++)
		tp_nearest_offer(&near, tp_slice_of(o->name));
	enum tp_status status =
		tp_fail(err, TP_ERR_USAGE, "unknown option %.*s%.*s; tpreport --help lists them",
			TP_ARG(option), TP_ARG(tp_nearest_words(&near, "--")));

	tp_arena_free(near.arena);
	return status;
}

static enum tp_status
parse_long(int argc, char **argv, int *i, struct tp_args *args, struct tp_err *err)
{
	const char *word = argv[*i], *equals = strchr(word, '='), *value;
	size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);
	const struct tp_option *o = option_named((struct tp_slice){word + 2, length - 2});

	if (o == NULL)
		return unknown((struct tp_slice){word, length}, err);
	if (!takes(o, equals != NULL ? equals + 1 : NULL, argc, argv, i, &value, err))
		return TP_ERR_USAGE;
	set(args, o, value);
	while (o->many && tp_slice_ends(tp_slice_of(o->argument), TP_S("...")) && *i + 1 < argc &&
		argv[*i + 1][0] != '-')
		set(args, o, argv[++*i]);
	return TP_OK;
}

/* "-q", "-qv", "-oFILE", "-qo FILE": what follows the letter of an option with a value is the value. */
static enum tp_status
parse_letters(int argc, char **argv, int *i, struct tp_args *args, struct tp_err *err)
{
	for (const char *at = argv[*i] + 1; *at != '\0'; at++) {
		const struct tp_option *o = option_lettered(*at);
		const char *value = NULL;

		if (o == NULL)
			return unknown(tp_slice_of(argv[*i]), err);
		if (o->argument != NULL &&
			!takes(o, at[1] != '\0' ? at + 1 : NULL, argc, argv, i, &value, err))
			return TP_ERR_USAGE;
		set(args, o, value);
		if (o->argument != NULL)
			break;
	}
	return TP_OK;
}

/* The command, when it is the first word that is no option and the name of one; else a path. */
static void
take_word(const char *word, struct tp_args *args)
{
	bool first = args->command == NULL;

	for (const struct tp_command *c = tp_commands; first && c->name != NULL; c++) {
		if (strcmp(word, c->name) == 0) {
			args->command = c;
			args->named = true;
			return;
		}
	}
	args->command = first ? &tp_commands[0] : args->command;
	add(&args->paths, word);
}

static bool
given(const struct tp_args *args, const struct tp_option *o)
{
	const char *field = (const char *)args + o->field;

	if (o->many)
		return ((const struct tp_buf *)field)->count != 0;
	return o->argument != NULL ? *(const char *const *)field != NULL : *(const bool *)field;
}

static enum tp_status
check_command(const struct tp_args *args, struct tp_err *err)
{
	for (const struct tp_option *o = tp_options; o->name != NULL; o++) {
		if (!given(args, o) || o->only == 0 || (o->only & args->command->is) != 0)
			continue;
		return tp_fail(err, TP_ERR_USAGE, "option --%s does not apply to %s; see tpreport --help",
			o->name, args->command->name);
	}
	return TP_OK;
}

static size_t
count_stdin(const struct tp_buf *words)
{
	size_t count = 0;

	for (size_t i = 0; i < words->count; i++)
		count += strcmp(tp_args_strings(words)[i], "-") == 0;
	return count;
}

/* What was read of it once is gone. */
static enum tp_status
check_stdin(const struct tp_args *args, struct tp_err *err)
{
	size_t count = count_stdin(&args->paths) + count_stdin(&args->baselines) +
		(args->budget != NULL && strcmp(args->budget, "-") == 0);

	return count <= 1 ? TP_OK
					  : tp_fail(err, TP_ERR_USAGE,
							"- is standard input, which can be read once, not %zu times", count);
}

/* Whether a word is left to the command, which has options of its own: all are but those that every command has. */
static bool
is_its_own(const struct tp_args *args, const char *word)
{
	const char *equals = strchr(word, '=');
	struct tp_slice name = {word, equals != NULL ? (size_t)(equals - word) : strlen(word)};

	if (args->command == NULL || args->command->is != TP_FOR_TFPROF)
		return false;
	const struct tp_option *o = name.len == 2 && word[1] != '-' ? option_lettered(word[1])
		: tp_slice_starts(name, TP_S("--")) ? option_named(tp_slice_from(name, 2))
											: NULL;

	return o == NULL || o->only != 0;
}

enum tp_status
tp_args_parse(int argc, char **argv, struct tp_args *args, struct tp_err *err)
{
	enum tp_status status = TP_OK;
	bool only_paths = false;

	*args = (struct tp_args){0};
	for (int i = 1; i < argc && status == TP_OK; i++) {
		const char *word = argv[i];

		if (only_paths) {
			args->command = args->command == NULL ? &tp_commands[0] : args->command;
			add(&args->paths, word);
		} else if (is_its_own(args, word))
			add(&args->paths, word);
		else if (strcmp(word, "--") == 0)
			only_paths = true;
		else if (word[0] != '-' || word[1] == '\0')
			take_word(word, args);
		else if (word[1] == '-')
			status = parse_long(argc, argv, &i, args, err);
		else
			status = parse_letters(argc, argv, &i, args, err);
	}
	if (args->command == NULL)
		args->command = &tp_commands[0];
	if (status == TP_OK)
		status = check_command(args, err);
	return status == TP_OK ? check_stdin(args, err) : status;
}

void
tp_args_free(struct tp_args *args)
{
	tp_buf_free(&args->paths);
	tp_buf_free(&args->outputs);
	tp_buf_free(&args->hosts);
	tp_buf_free(&args->workers);
	tp_buf_free(&args->graphs);
	tp_buf_free(&args->baselines);
	tp_buf_free(&args->labels);
	tp_buf_free(&args->windows);
}

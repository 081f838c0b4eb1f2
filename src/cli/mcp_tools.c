/* The tools of `tpreport mcp`, each a call of the program in a process of its own: what it reads may be hostile, and its memory goes back. */
#include "cli/mcp_tools.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/utf8.h"

#include <errno.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum kind { KIND_PATH, KIND_PATHS, KIND_WORDS, KIND_WORD, KIND_OPTION, KIND_OPTIONS };

struct argument {
	const char *name, *says;
	enum kind kind;
	const char *option; /* "size" for --size=…; NULL: a word of the line */
	bool needed;
};

struct tool {
	const char *name, *says;
	const char *const *words; /* the command, and options that always stand */
	struct argument arguments[8];
};

static const char *const report_words[] = {
	"report", "--quiet", "--output=-", "--format=markdown", NULL};
static const char *const show_words[] = {"show", "--quiet", NULL};
static const char *const diff_words[] = {
	"diff", "--quiet", "--output=-", "--format=markdown", NULL};
static const char *const metrics_words[] = {"get", "--quiet", NULL};

#define PATH_SAYS                                                                                  \
	"A log directory at any depth, a run, a file, or a report of tpreport (.html, .pdf, .json, .tps)"

static const struct tool tools[] = {
	{"report",
		"The digest of a profile: verdict, headline figures with their ids, where a step goes, findings with savings and actions, "
		"and what is missing. Read this first.",
		report_words,
		{{"path", PATH_SAYS, KIND_PATH, NULL, true},
			{"run", "The run: its name, or its number counted from the newest", KIND_OPTION, "run",
				false},
			{"host", "Only this host", KIND_OPTION, "host", false},
			{"worker", "Only this worker of a PyTorch run", KIND_OPTION, "worker", false},
			{"size", "Maximum length, such as 16K; default: 8K", KIND_OPTION, "size", false}}},
	{"show",
		"One section of the report as text; without a section, the list of sections, each with its answer. Use it to look into "
		"what the digest names.",
		show_words,
		{{"path", PATH_SAYS, KIND_PATH, NULL, true},
			{"section", "The id of a section or a table, such as operations", KIND_WORD, NULL,
				false},
			{"filter", "Only rows with this text in a cell", KIND_OPTION, "filter", false},
			{"top", "Number of rows of a table, or all; default: 10", KIND_OPTION, "top", false},
			{"size", "Maximum length, such as 16K; default: 4K", KIND_OPTION, "size", false},
			{"run", "The run: its name, or its number counted from the newest", KIND_OPTION, "run",
				false}}},
	{"diff",
		"Compares two runs: whether they are comparable, what changed, and whether that is more than noise. Without baselines the noise "
		"is unknown and the verdict undecided.",
		diff_words,
		{{"a", "The run before the change: " PATH_SAYS, KIND_PATH, NULL, true},
			{"b", "The run after the change", KIND_PATH, NULL, true},
			{"baselines",
				"Earlier runs of the same program, three or more, from which the noise is measured",
				KIND_OPTIONS, "baseline", false},
			{"floor",
				"Without enough baselines: a change up to this size counts as noise, such as 2%",
				KIND_OPTION, "floor", false}}},
	{"metrics",
		"Figures by id, one per line: id, value, unit, separated by tabs; if the profile does not hold a figure, the value is - with the reason. "
		"Without ids, all.",
		metrics_words,
		{{"path", PATH_SAYS, KIND_PATH, NULL, true},
			{"ids", "Ids such as step.time.p50_ms", KIND_WORDS, NULL, false},
			{"run", "The run: its name, or its number counted from the newest", KIND_OPTION, "run",
				false}}},
};

static bool
is_list(enum kind kind)
{
	return kind == KIND_PATHS || kind == KIND_WORDS || kind == KIND_OPTIONS;
}

json_t *
tp_mcp_tools(void)
{
	json_t *list = json_array();

	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
		json_t *properties = json_object(), *needed = json_array();

		for (const struct argument *a = tools[i].arguments; a->name != NULL; a++) {
			json_object_set_new(properties, a->name,
				is_list(a->kind)
					? json_pack("{s:s, s:{s:s}, s:s}", "type", "array", "items", "type", "string",
						  "description", a->says)
					: json_pack("{s:s, s:s}", "type", "string", "description", a->says));
			if (a->needed)
				json_array_append_new(needed, json_string(a->name));
		}
		json_array_append_new(list,
			json_pack("{s:s, s:s, s:{s:s, s:o, s:o, s:b}, s:{s:b}}", "name", tools[i].name,
				"description", tools[i].says, "inputSchema", "type", "object", "properties",
				properties, "required", needed, "additionalProperties", 0, "annotations",
				"readOnlyHint", 1));
	}
	return list;
}

static json_t *
answer(struct tp_slice text, bool failed)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_slice clean = tp_utf8_clean(arena, text);
	json_t *result = json_pack("{s:[{s:s, s:o}], s:b}", "content", "type", "text", "text",
		json_stringn(clean.ptr != NULL ? clean.ptr : "", clean.len), "isError", (int)failed);

	tp_arena_free(arena);
	return result;
}

static void
add(struct tp_buf *line, const char *word)
{
	*(const char **)tp_buf_add(line, sizeof word) = word;
}

/* A word that begins with "-" could be an option, such as one that writes. */
static void
add_value(struct tp_buf *line, const struct argument *a, const char *value, struct tp_arena *arena)
{
	if (a->option != NULL)
		add(line, tp_arena_printf(arena, "--%s=%s", a->option, value).ptr);
	else
		add(line, tp_arena_printf(arena, "%s%s", value[0] == '-' ? "./" : "", value).ptr);
}

/* The command line of a call. The text says what is wrong with its arguments; empty: nothing. */
static struct tp_slice
command_line(
	const struct tool *tool, const json_t *arguments, struct tp_buf *line, struct tp_arena *arena)
{
	const char *name;
	json_t *value;

	add(line, "tpreport");
	for (const char *const *word = tool->words; *word != NULL; word++)
		add(line, *word);
	for (const struct argument *a = tool->arguments; a->name != NULL; a++) {
		const json_t *given = json_object_get(arguments, a->name);
		size_t count = is_list(a->kind) ? json_array_size(given) : 1;

		if (given == NULL || json_is_null(given)) {
			if (a->needed)
				return tp_arena_printf(arena, "%s needs the argument %s", tool->name, a->name);
			continue;
		}
		for (size_t i = 0; i < count; i++) {
			const json_t *one = is_list(a->kind) ? json_array_get(given, i) : given;

			if (!json_is_string(one))
				return tp_arena_printf(arena, "%s: give a string%s", a->name,
					is_list(a->kind) ? ", or several in a list" : "");
			add_value(line, a, json_string_value(one), arena);
		}
		if (is_list(a->kind) && !json_is_array(given))
			return tp_arena_printf(arena, "%s: give a list of strings", a->name);
	}
	json_object_foreach((json_t *)arguments, name, value)
	{
		const struct argument *a = tool->arguments;

		while (a->name != NULL && strcmp(a->name, name) != 0)
			a++;
		if (a->name == NULL)
			return tp_arena_printf(arena, "%s has no argument %s", tool->name, name);
	}
	add(line, NULL);
	return TP_S("");
}

/* What the child writes to both streams, up to a bound that no tool should need. */
static void
read_all(int fd, struct tp_buf *text)
{
	enum { MOST = 8 << 20, STEP = 64 << 10 };
	ssize_t length;

	do {
		tp_buf_reserve(text, text->count + STEP, 1);
		length = read(fd, (char *)text->data + text->count, STEP);
		text->count += length > 0 ? (size_t)length : 0;
	} while ((length > 0 && text->count < MOST) || (length < 0 && errno == EINTR));
}

static json_t *
run(const struct tp_buf *line)
{
	extern char **environ;
	struct tp_buf text = {0};
	posix_spawn_file_actions_t actions;
	int ends[2], status = -1;
	pid_t child;

	if (pipe(ends) != 0)
		return answer(TP_S("no pipe"), true);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", 0, 0);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
	posix_spawn_file_actions_addclose(&actions, ends[0]);
	posix_spawn_file_actions_addclose(&actions, ends[1]);
	bool started = posix_spawn(&child, "/proc/self/exe", &actions, NULL, (char *const *)line->data,
					   environ) == 0;

	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	if (started) {
		read_all(ends[0], &text);
		while (waitpid(child, &status, 0) < 0 && errno == EINTR)
			continue;
	}
	close(ends[0]);
	json_t *result = started ? answer((struct tp_slice){text.data, text.count}, status != 0)
							 : answer(TP_S("the program could not be started"), true);

	tp_buf_free(&text);
	return result;
}

json_t *
tp_mcp_call(const char *name, const json_t *arguments)
{
	const struct tool *tool = NULL;

	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
		if (strcmp(tools[i].name, name) == 0)
			tool = &tools[i];
	}
	if (tool == NULL)
		return NULL;
	struct tp_arena *arena = tp_arena_new();
	struct tp_buf line = {0};
	struct tp_slice wrong = command_line(tool, arguments, &line, arena);
	json_t *result = wrong.len != 0 ? answer(wrong, true) : run(&line);

	tp_buf_free(&line);
	tp_arena_free(arena);
	return result;
}

/* --help, from the tables of commands and options; and `tpreport help`, the manual at the terminal. */
#include "cli/help.h"

#include "base/arena.h"
#include "base/nearest.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/terminal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { HELP_WIDTH = 96 };

static void
print_wrapped(const char *text, int indent, int width)
{
	int column = indent;

	while (*text != '\0') {
		int length = (int)strcspn(text, " ");

		if (column > indent && column + 1 + length > width) {
			printf("\n%*s", indent, "");
			column = indent;
		} else if (column > indent) {
			putchar(' ');
			column++;
		}
		printf("%.*s", length, text);
		column += length;
		text += length + (text[length] == ' ');
	}
	putchar('\n');
}

static void
print_option(const struct tp_option *o)
{
	char left[40];
	enum { INDENT = 26 };

	if (o->letter != 0)
		snprintf(left, sizeof left, "-%c, --%s%s%s", o->letter, o->name, o->argument ? " " : "",
			o->argument ? o->argument : "");
	else
		snprintf(left, sizeof left, "    --%s%s%s", o->name,
			o->argument != NULL && *o->argument != '[' ? " " : "", o->argument ? o->argument : "");
	printf("  %-*s", INDENT - 2, left);
	/* A long option has a line of its own. */
	if (strlen(left) >= INDENT - 2)
		printf("\n%*s", INDENT, "");
	print_wrapped(o->help, INDENT, HELP_WIDTH);
}

/* "report" needs no name. */
static void
print_command(const struct tp_command *c)
{
	enum { INDENT = 25 };
	char left[64];
	size_t columns = 0;

	snprintf(left, sizeof left, c == tp_commands ? "[%s] %s" : "%s %s", c->name, c->usage);
	for (const char *at = left; *at != '\0'; at++)
		columns += (*at & 0xc0) != 0x80;
	printf("  tpreport %s%*s  %s\n", left, columns < INDENT ? (int)(INDENT - columns) : 0, "",
		c->summary);
}

static void
print_examples(const struct tp_command *c, size_t most)
{
	enum { COLUMNS = 45 };

	for (size_t i = 0; c->examples[i].words != NULL && i < most; i++) {
		const struct tp_example *e = &c->examples[i];

		/* A long one has a line of its own. */
		if (strlen(e->words) >= COLUMNS)
			printf("  %s\n  %*s%s\n", e->words, COLUMNS, "", e->says);
		else
			printf("  %-*s%s\n", COLUMNS, e->words, e->says);
	}
}

void
tp_help_print(const struct tp_command *one)
{
	puts(one == NULL ? "tpreport: any profiler log directory in, one report out\n\nExamples:"
					 : "Examples:");
	for (const struct tp_command *c = tp_commands; c->name != NULL; c++) {
		if (one == NULL || c == one)
			print_examples(c, one != NULL || c == tp_commands ? SIZE_MAX : 1);
	}
	puts("\nUsage:");
	for (const struct tp_command *c = tp_commands; c->name != NULL; c++) {
		if (one == NULL || c == one)
			print_command(c);
	}
	puts("\nA PATH is a log directory at any depth, a run, or a file; - is standard "
		 "input.\n\nOptions:");
	for (const struct tp_option *o = tp_options; o->name != NULL; o++) {
		if (one == NULL || o->only == 0 || (o->only & one->is) != 0)
			print_option(o);
	}
	puts("\nExit status, the highest one counts:");
	for (const struct tp_exit_status *e = tp_exit_statuses; e->says != NULL; e++) {
		printf("  %d  ", e->status);
		print_wrapped(e->says, 5, HELP_WIDTH);
	}
	puts("Data goes to stdout, messages to stderr. `tpreport help` lists the manual's topics.");
}

struct printing {
	int width;
	bool colour;
	enum tp_manual_kind before;
	bool begun;
};

/* What a reader sees of it. */
static int
columns_of(const char *text, size_t length)
{
	int columns = 0;

	for (size_t i = 0; i < length; i++)
		columns +=
			(text[i] & 0xc0) != 0x80 && text[i] != TP_MANUAL_STRONG && text[i] != TP_MANUAL_PLAIN;
	return columns;
}

static void
put(const struct printing *p, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (text[i] != TP_MANUAL_STRONG && text[i] != TP_MANUAL_PLAIN)
			putchar(text[i]);
		else if (p->colour)
			fputs(text[i] == TP_MANUAL_STRONG ? "\033[1m" : "\033[22m", stdout);
	}
}

/* Words from `column` on, lines after the first indented. */
static void
put_wrapped(const struct printing *p, struct tp_slice text, int column, int indent)
{
	bool first = true;

	while (text.len != 0) {
		const char *blank = memchr(text.ptr, ' ', text.len);
		size_t length = blank != NULL ? (size_t)(blank - text.ptr) : text.len;
		int columns = columns_of(text.ptr, length);

		if (!first && column + 1 + columns > p->width) {
			printf("\n%*s", indent, "");
			column = indent;
		} else if (!first) {
			putchar(' ');
			column++;
		}
		put(p, text.ptr, length);
		column += columns;
		first = false;
		text = tp_slice_from(text, length + 1);
	}
	putchar('\n');
}

static void
put_piece(struct printing *p, const struct tp_manual_piece *piece)
{
	enum { TERM_COLUMNS = 26 };
	bool apart = piece->kind != p->before || piece->kind == TP_MANUAL_TEXT;

	if (p->begun && apart)
		putchar('\n');
	p->begun = true;
	p->before = piece->kind;
	switch (piece->kind) {
	case TP_MANUAL_HEADING:
		if (p->colour)
			fputs("\033[1m", stdout);
		put(p, piece->text.ptr, piece->text.len);
		puts(p->colour ? "\033[0m" : "");
		break;
	case TP_MANUAL_TEXT:
		put_wrapped(p, piece->text, 0, 0);
		break;
	case TP_MANUAL_ITEM:
		fputs("- ", stdout);
		put_wrapped(p, piece->text, 2, 2);
		break;
	case TP_MANUAL_TERM: {
		int columns = columns_of(piece->term.ptr, piece->term.len);

		put(p, piece->term.ptr, piece->term.len);
		if (columns + 2 > TERM_COLUMNS)
			printf("\n%*s", TERM_COLUMNS, "");
		else
			printf("%*s", TERM_COLUMNS - columns, "");
		put_wrapped(p, piece->text, TERM_COLUMNS, TERM_COLUMNS);
		break;
	}
	case TP_MANUAL_CODE:
		printf("    %.*s\n", TP_ARG(piece->text));
	}
}

static void
print_text(struct tp_slice text)
{
	enum { LEAST = 60, MOST = 100, USUAL = 80 };
	struct tp_manual m = {.arena = tp_arena_new(), .rest = text};
	int width = (int)tp_terminal_columns(STDOUT_FILENO);
	struct printing p = {
		.width = width == 0 ? USUAL
			: width < LEAST ? LEAST
			: width > MOST  ? MOST
							: width,
		.colour = tp_terminal_colour(STDOUT_FILENO),
	};

	for (struct tp_manual_piece piece; tp_manual_next(&m, &piece);)
		put_piece(&p, &piece);
	tp_arena_free(m.arena);
}

static void
list_topics(void)
{
	enum { COLUMNS = 26 };

	puts("Topics, for tpreport help TOPIC:\n");
	for (size_t i = 0; tp_topic_at(i).name.len != 0; i++) {
		struct tp_topic topic = tp_topic_at(i);

		printf("  %-*.*s%.*s\n", COLUMNS - 2, TP_ARG(topic.name), TP_ARG(topic.says));
	}
	puts("\nA section of the report is a topic, too: tpreport help operations. So is a command:\n");
	for (const struct tp_command *c = tp_commands; c->name != NULL; c++)
		printf("  %-*s%s\n", COLUMNS - 2, c->name, c->summary);
}

static const struct tp_command *
command_named(const char *word)
{
	for (const struct tp_command *c = tp_commands; c->name != NULL; c++) {
		if (strcmp(c->name, word) == 0)
			return c;
	}
	return NULL;
}

static int
say_unknown(const char *word)
{
	struct tp_nearest near = {.arena = tp_arena_new(), .wish = tp_slice_of(word)};

	for (size_t i = 0; tp_topic_at(i).name.len != 0; i++)
		tp_nearest_offer(&near, tp_topic_at(i).name);
	for (const struct tp_command *c = tp_commands; c->name != NULL; c++)
		tp_nearest_offer(&near, tp_slice_of(c->name));
	tp_say("no topic %s%.*s; tpreport help lists them", word, TP_ARG(tp_nearest_words(&near, "")));
	tp_arena_free(near.arena);
	return TP_EXIT_USAGE;
}

int
tp_help_command(const struct tp_args *args)
{
	if (args->paths.count == 0) {
		list_topics();
		return TP_EXIT_OK;
	}
	if (args->paths.count > 1) {
		tp_say("help takes one topic: tpreport help operations");
		return TP_EXIT_USAGE;
	}
	const char *word = tp_args_strings(&args->paths)[0];
	const struct tp_command *command = command_named(word);
	struct tp_topic topic = tp_topic_named(tp_slice_of(word));
	struct tp_arena *arena = tp_arena_new();
	/* A command may be a section, too. */
	struct tp_slice texts[] = {tp_topic_text(topic, arena), tp_topic_part(tp_slice_of(word))};
	bool known = command != NULL;

	if (command != NULL)
		tp_help_print(command);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		if (texts[i].len == 0)
			continue;
		if (known)
			putchar('\n');
		print_text(texts[i]);
		known = true;
	}
	tp_arena_free(arena);
	return known ? TP_EXIT_OK : say_unknown(word);
}

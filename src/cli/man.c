/* Man pages in mdoc, from the tables of commands and options and the manual's texts: tpreport.1, tpreport-diff.1, tpreport-formats.7 … */
#include "cli/help.h"

#include "base/arena.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "cli/tfprof_files.h"
#include "io/sink.h"
#include "tfprof/line.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Width of a line of source: mandoc finds fault with more than 80. */
enum { SOURCE_COLUMNS = 72 };

static void
put_sign(struct tp_slice *at)
{
	size_t length;
	uint32_t sign = tp_utf8_next(*at, &length);

	if (sign == TP_MANUAL_STRONG)
		fputs("\\fB", stdout);
	else if (sign == TP_MANUAL_PLAIN)
		fputs("\\fR", stdout);
	else if (sign == '\\')
		fputs("\\e", stdout);
	else if (sign == '-')
		fputs("\\-", stdout);
	else if (sign < 128)
		putchar((int)sign);
	else
		printf("\\[u%04X]", (unsigned)sign);
	*at = tp_slice_from(*at, length);
}

/* At the start of a line a full stop or an apostrophe would make it a request. */
static void
put_word(struct tp_slice word, bool starts_line)
{
	if (starts_line && word.len != 0 && strchr(".'", word.ptr[0]) != NULL)
		fputs("\\&", stdout);
	while (word.len != 0)
		put_sign(&word);
}

/* "device." but not "e.g.": where mandoc wants a new line, and sets a wide blank. */
static bool
ends_sentence(struct tp_slice word)
{
	return word.len != 0 && strchr(".!?", word.ptr[word.len - 1]) != NULL &&
		!tp_slice_eq(word, TP_S("e.g."));
}

/* How long it becomes in the source. */
static size_t
source_width(struct tp_slice word)
{
	size_t width = 0;

	for (size_t i = 0; i < word.len; i++) {
		unsigned char c = (unsigned char)word.ptr[i];

		if (c == TP_MANUAL_STRONG || c == TP_MANUAL_PLAIN)
			width += strlen("\\fB");
		else if (c >= 0xc0)
			width += strlen("\\[u2026]");
		else if (c < 0x80)
			width += 1 + (c == '-' || c == '\\');
	}
	return width;
}

/* A text in lines of source, a sentence a line or more. */
static void
put_text(struct tp_slice text)
{
	size_t column = 0;

	while (text.len != 0) {
		const char *blank = memchr(text.ptr, ' ', text.len);
		struct tp_slice word = {text.ptr, blank != NULL ? (size_t)(blank - text.ptr) : text.len};

		if (column != 0 && column + source_width(word) >= SOURCE_COLUMNS) {
			putchar('\n');
			column = 0;
		}
		if (column != 0)
			putchar(' ');
		put_word(word, column == 0);
		column += source_width(word) + 1;
		text = tp_slice_from(text, word.len + 1);
		if (tp_slice_eq(word, TP_S("e.g.")))
			fputs("\\&", stdout);
		if (ends_sentence(word) && text.len != 0) {
			putchar('\n');
			column = 0;
		}
	}
	putchar('\n');
}

static void
put_line(struct tp_slice line)
{
	put_word(line, true);
	putchar('\n');
}

static void
put_head(const char *name, const char *section, struct tp_slice says)
{
	printf(".Dd %s\n.Dt ", TP_VERSION_DATE);
	for (const char *at = name; *at != '\0'; at++)
		putchar(toupper((unsigned char)*at));
	printf(" %s\n.Os\n.Sh NAME\n.Nm %s\n.Nd ", section, name);
	put_line(says);
}

/* What a list of pieces is in mdoc; NULL: none. */
static const char *
list_of(enum tp_manual_kind kind)
{
	switch (kind) {
	case TP_MANUAL_ITEM:
		return ".Bl -bullet -compact\n";
	case TP_MANUAL_TERM:
		return ".Bl -tag -width Ds\n";
	case TP_MANUAL_CODE:
		return ".Bd -literal -offset indent\n";
	case TP_MANUAL_HEADING:
	case TP_MANUAL_TEXT:
		break;
	}
	return NULL;
}

struct page {
	enum tp_manual_kind before;
	bool begun; /* something stands under the last heading */
	unsigned deepest;
};

static void
change_list(struct page *p, enum tp_manual_kind kind)
{
	if (kind == p->before)
		return;
	if (list_of(p->before) != NULL)
		puts(p->before == TP_MANUAL_CODE ? ".Ed" : ".El");
	if (list_of(kind) != NULL) {
		if (p->begun && kind != TP_MANUAL_TERM && kind != TP_MANUAL_CODE)
			puts(".Pp");
		fputs(list_of(kind), stdout);
	}
	p->before = kind;
}

static void
put_piece(struct page *p, const struct tp_manual_piece *piece)
{
	enum tp_manual_kind before = p->before;

	change_list(p, piece->kind);
	switch (piece->kind) {
	case TP_MANUAL_HEADING:
		fputs(piece->level <= p->deepest ? ".Sh " : ".Ss ", stdout);
		put_line(piece->text);
		p->begun = false;
		return;
	case TP_MANUAL_TEXT:
		if (p->begun && before != TP_MANUAL_HEADING)
			puts(".Pp");
		put_text(piece->text);
		break;
	case TP_MANUAL_ITEM:
		puts(".It");
		put_text(piece->text);
		break;
	case TP_MANUAL_TERM:
		puts(".It Xo");
		put_text(piece->term);
		puts(".Xc");
		put_text(piece->text);
		break;
	case TP_MANUAL_CODE:
		put_line(piece->text);
	}
	p->begun = true;
}

/* Headings down to `deepest` are sections of the page. begun: it goes on below a paragraph. */
static void
put_manual(struct tp_slice text, unsigned deepest, bool begun)
{
	struct tp_manual m = {.arena = tp_arena_new(), .rest = text};
	struct page p = {
		.before = begun ? TP_MANUAL_TEXT : TP_MANUAL_HEADING, .begun = begun, .deepest = deepest};

	for (struct tp_manual_piece piece; tp_manual_next(&m, &piece);)
		put_piece(&p, &piece);
	change_list(&p, TP_MANUAL_HEADING);
	tp_arena_free(m.arena);
}

static void
put_synopsis(const struct tp_command *one)
{
	puts(".Sh SYNOPSIS");
	for (const struct tp_command *c = tp_commands; c->name != NULL; c++) {
		if (one != NULL && c != one)
			continue;
		if (c == tp_commands)
			puts(".Nm tpreport");
		else
			printf("%s.Nm tpreport %s\n", one == NULL ? ".br\n" : "", c->name);
		if (c->usage[0] != '\0')
			put_line(tp_slice_of(c->usage));
	}
}

static void
put_options(const struct tp_command *one)
{
	puts(".Sh OPTIONS\n.Bl -tag -width Ds");
	for (const struct tp_option *o = tp_options; o->name != NULL; o++) {
		if (one != NULL && o->only != 0 && (o->only & one->is) == 0)
			continue;
		fputs(".It", stdout);
		if (o->letter != 0)
			printf(" Fl %c ,", o->letter);
		printf(" Fl -%s", o->name);
		if (o->argument != NULL && o->argument[0] == '[')
			printf(" Ns Op = Ns Ar %.*s", (int)strlen(o->argument) - 3, o->argument + 2);
		else if (o->argument != NULL)
			printf(" Ar %s", o->argument);
		putchar('\n');
		put_text(tp_slice_of(o->help));
	}
	puts(".El");
}

/* tfprof's own, which have one dash, with their defaults. */
static void
put_tfprof_options(void)
{
	struct tp_tfprof_line line = {0};

	puts(".Sh OPTIONS OF TFPROF\nThey may be written with two dashes, too.\n.Bl -tag -width Ds");
	tp_tfprof_line_open(&line);
	for (size_t i = 0; tp_tfprof_path_options[i] != NULL; i++)
		printf(".It Fl %s Ar FILE\nSee above.\n", tp_tfprof_path_options[i]);
	for (unsigned i = 0; tp_tfprof_option_name(i).len != 0; i++) {
		struct tp_slice name = tp_slice_from(tp_tfprof_option_name(i), 1);
		struct tp_sink *value = tp_sink_memory();

		tp_tfprof_option_write(&line, i, value);
		printf(".It Fl %.*s\n", TP_ARG(name));
		if (tp_sink_bytes(value).len != 0) {
			puts("The default is");
			put_line(tp_sink_bytes(value));
		} else {
			puts("Without a default.");
		}
		tp_sink_close(value);
	}
	puts(".El");
	tp_tfprof_line_close(&line);
}

static void
put_exit_status(void)
{
	puts(".Sh EXIT STATUS\nThe highest one counts.\n.Bl -tag -width Ds");
	for (const struct tp_exit_status *e = tp_exit_statuses; e->says != NULL; e++) {
		printf(".It %d\n", e->status);
		put_text(tp_slice_of(e->says));
	}
	puts(".El");
}

static void
put_examples(const struct tp_command *one)
{
	puts(".Sh EXAMPLES\n.Bl -tag -width Ds");
	for (const struct tp_command *c = tp_commands; c->name != NULL; c++) {
		for (size_t i = 0; (one == NULL || c == one) && c->examples[i].words != NULL; i++) {
			if (one == NULL && c != tp_commands && i != 0)
				break;
			puts(".It Xo");
			put_text(tp_slice_of(c->examples[i].words));
			puts(".Xc");
			put_text(tp_slice_of(c->examples[i].says));
		}
	}
	puts(".El");
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(
		(*(const struct tp_command *const *)a)->name, (*(const struct tp_command *const *)b)->name);
}

/* In the order that mandoc wants: by section, then by name. */
static void
put_see_also(const struct tp_command *one)
{
	const struct tp_command *sorted[32];
	size_t count = 0;

	puts(".Sh SEE ALSO");
	if (one != NULL) {
		puts(".Xr tpreport 1");
		return;
	}
	for (; tp_commands[count].name != NULL && count < sizeof sorted / sizeof *sorted; count++)
		sorted[count] = &tp_commands[count];
	qsort(sorted, count, sizeof *sorted, by_name);
	for (size_t i = 0; i < count; i++)
		printf(".Xr tpreport-%s 1%s\n", sorted[i]->name,
			i + 1 < count || tp_topic_at(0).name.len != 0 ? " ," : "");
	for (size_t i = 0; tp_topic_at(i).name.len != 0; i++)
		printf(".Xr tpreport-%.*s 7%s\n", TP_ARG(tp_topic_at(i).name),
			tp_topic_at(i + 1).name.len != 0 ? " ," : "");
}

static void
put_command_page(const char *name, const struct tp_command *one)
{
	struct tp_slice text = one != NULL ? tp_topic_named(tp_slice_of(one->name)).text : TP_S("");

	put_head(name, "1",
		tp_slice_of(one != NULL ? one->summary : "any profiler log directory in, one report out"));
	put_synopsis(one);
	puts(".Sh DESCRIPTION");
	put_text(TP_S(
		"A PATH is a log directory at any depth, a run, or a file; - is standard input. Data goes to "
		"standard output, messages to standard error."));
	if (text.len != 0)
		put_manual(text, 0, true);
	put_options(one);
	if (one != NULL && (one->is & TP_FOR_TFPROF) != 0)
		put_tfprof_options();
	put_exit_status();
	put_examples(one);
	put_see_also(one);
}

static void
put_topic_page(const char *name, struct tp_topic topic)
{
	struct tp_arena *arena = tp_arena_new();

	put_head(name, "7", topic.says);
	puts(".Sh DESCRIPTION");
	put_manual(tp_topic_text(topic, arena), 2, false);
	puts(".Sh SEE ALSO\n.Xr tpreport 1");
	tp_arena_free(arena);
}

static int
list_pages(void)
{
	puts("tpreport.1");
	for (const struct tp_command *c = tp_commands; c->name != NULL; c++)
		printf("tpreport-%s.1\n", c->name);
	for (size_t i = 0; tp_topic_at(i).name.len != 0; i++)
		printf("tpreport-%.*s.7\n", TP_ARG(tp_topic_at(i).name));
	return TP_EXIT_OK;
}

int
tp_man_print(const char *page)
{
	char name[64];

	if (page == NULL)
		return list_pages();
	if (strcmp(page, "tpreport.1") == 0) {
		put_command_page("tpreport", NULL);
		return TP_EXIT_OK;
	}
	for (const struct tp_command *c = tp_commands; c->name != NULL; c++) {
		snprintf(name, sizeof name, "tpreport-%s.1", c->name);
		if (strcmp(page, name) == 0) {
			name[strlen(name) - 2] = '\0';
			put_command_page(name, c);
			return TP_EXIT_OK;
		}
	}
	for (size_t i = 0; tp_topic_at(i).name.len != 0; i++) {
		snprintf(name, sizeof name, "tpreport-%.*s.7", TP_ARG(tp_topic_at(i).name));
		if (strcmp(page, name) == 0) {
			name[strlen(name) - 2] = '\0';
			put_topic_page(name, tp_topic_at(i));
			return TP_EXIT_OK;
		}
	}
	tp_say("--man %s: there is no such page; tpreport --man lists them", page);
	return TP_EXIT_USAGE;
}

/* --help: examples, then what the tables of commands and options say. */
#include "cli/options.h"

#include <stdio.h>
#include <string.h>

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
	enum { INDENT = 26, WIDTH = 96 };

	if (o->letter != 0)
		snprintf(left, sizeof left, "-%c, --%s%s%s", o->letter, o->name, o->argument ? " " : "",
			o->argument ? o->argument : "");
	else
		snprintf(left, sizeof left, "    --%s%s%s", o->name, o->argument ? " " : "",
			o->argument ? o->argument : "");
	printf("  %-*s", INDENT - 2, left);
	/* A long option has a line of its own. */
	if (strlen(left) >= INDENT - 2)
		printf("\n%*s", INDENT, "");
	print_wrapped(o->help, INDENT, WIDTH);
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

void
tp_args_help(void)
{
	puts("tpreport: any profiler log directory in, one report out\n\n"
		 "Examples:\n"
		 "  tpreport logdir                              verdict, figures and findings, here\n"
		 "  tpreport logdir -o report.html               a page that opens anywhere, offline\n"
		 "  tpreport logdir -o report.pdf                to attach to a bug; page 1 alone is "
		 "enough\n"
		 "  tpreport logdir -o r.html -o r.pdf -o r.json several at once, all with the same "
		 "figures\n"
		 "  tpreport logdir --worker rank0 -o r.html     one worker of a PyTorch run; --span 2 one "
		 "span\n"
		 "  tpreport get logdir step.time.mean_ms        one figure for a script; without an id "
		 "all\n"
		 "  tpreport vm.xplane.pb.gz -o - --format json  one file, to standard output\n\n"
		 "Usage:");
	for (const struct tp_command *c = tp_commands; c->name != NULL; c++)
		print_command(c);
	puts("\nA PATH is a log directory at any depth, a run, or a file; - is standard "
		 "input.\n\nOptions:");
	for (const struct tp_option *o = tp_options; o->name != NULL; o++)
		print_option(o);
	puts("\nExit status, the worst one: 0 fine · 2 wrong usage · 3 no profile found · 4 input "
		 "damaged\n"
		 "beyond use (with --strict also: partial), or out of memory · 5 cannot write · 6 a figure "
		 "that\n"
		 "get --require asks for is missing. Data goes to stdout, messages to stderr.");
}

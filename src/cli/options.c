/* The tables of commands and options, the parser and the help that come from them. */
#include "cli/options.h"

#include "base/slice.h"
#include "cli/commands.h"

#include <stdio.h>

const struct tp_command tp_commands[] = {
	{"report", "PATH… -o FILE…", "write a report (the default command)", tp_command_report},
	{"get", "PATH ID…", "print metrics: id, value and unit, separated by tabs", tp_command_get},
	{"hlo", "PATH [PROGRAM]", "the compiled programs of a run, or one of them as HLO text",
		tp_command_hlo},
	{0},
};

#define FIELD(name) offsetof(struct tp_args, name)

const struct tp_option tp_options[] = {
	{"output", 'o', "FILE",
		"where to write; the suffix picks the format; may be given several times; - is stdout",
		FIELD(outputs), true},
	{"format", 0, "NAME", "the format where a suffix does not say: html, pdf, json, outline",
		FIELD(format), false},
	{"end-to-end-json", 0, "FILE",
		"also write the phases of a job as TensorBoard's end-to-end tool did (as -o "
		"FILE.end_to_end.json)",
		FIELD(end_to_end_json), false},
	{"run", 0, "NAME",
		"which run of a log directory: its name, a number counted from the newest (1), or all; "
		"default: the newest, and of PyTorch the others to choose in the page",
		FIELD(run), false},
	{"host", 0, "NAME", "only this host; may be given several times", FIELD(hosts), true},
	{"worker", 0, "NAME",
		"only this worker of a PyTorch run; may be given several times; default: all together, and "
		"each to choose in the page",
		FIELD(workers), true},
	{"span", 0, "N|all",
		"which span of each worker of a PyTorch run: a number from 1 (the oldest), or all; "
		"default: all",
		FIELD(span), false},
	{"graph-of", 0, "OP",
		"also draw the HLO around this operation of any program (NAME or PROGRAM/NAME), two steps "
		"each way, or N with NAME,width=N; may be given several times",
		FIELD(graphs), true},
	{"graph", 0, "N",
		"tell about this graph of TensorFlow: its number in the report's table of graphs; default: "
		"of those that a program made the one with the most nodes",
		FIELD(graph), false},
	{"top", 0, "N", "rows of a table that stand open (default 10; all)", FIELD(top), false},
	{"peak", 0, "LIST",
		"peaks of one device (TPU core or GPU), instead of what the profile says: bf16=989.4T, "
		"hbm=3.35T, vmem=20T (FLOP/s, bytes a second), memory=80G; with commas between",
		FIELD(peak), false},
	{"tpu-ops", 0, "VERSION",
		"judge graphs by the operations that run on a TPU as TensorBoard of this version lists "
		"them (1.5 or later; default: the newest list)",
		FIELD(tpu_ops), false},
	{"paper", 0, "SIZE", "page size of the PDF: a4 (default) or letter", FIELD(paper), false},
	{"template-dir", 0, "DIR", "take templates from here before those in the program",
		FIELD(template_dir), false},
	{"memory-limit", 0, "SIZE",
		"end with a message rather than take more memory than this: 4G, 500M, or none; default: "
		"80 % of what the machine and its control groups allow",
		FIELD(memory_limit), false},
	{"strict", 0, NULL, "partial or damaged data is an error: exit status 4", FIELD(strict), false},
	{"quiet", 'q', NULL, "no messages but errors", FIELD(quiet), false},
	{"verbose", 'v', NULL, "also notes, and what was read", FIELD(verbose), false},
	{"list", 0, "WHAT", "print the readers, passes, renderers or metrics there are", FIELD(list),
		false},
	{"version", 0, NULL, "print the version", FIELD(version), false},
	{"help", 'h', NULL, "print this", FIELD(help), false},
	{0},
};

static const struct tp_option *
option_named(struct tp_slice name)
{
	for (const struct tp_option *o = tp_options; o->name != NULL; o++) {
		if (tp_slice_eq(tp_slice_of(o->name), name))
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
	if (*i + 1 >= argc) {
		tp_fail(
			err, TP_ERR_USAGE, "option --%s needs a value: --%s %s", o->name, o->name, o->argument);
		return false;
	}
	*value = argv[++*i];
	return true;
}

static enum tp_status
parse_word(int argc, char **argv, int *i, struct tp_args *args, struct tp_err *err)
{
	const char *word = argv[*i], *value;
	const struct tp_option *o;
	const char *attached = NULL;

	if (word[0] != '-' || word[1] == '\0') {
		add(&args->paths, word);
		return TP_OK;
	}
	if (word[1] == '-') {
		const char *equals = strchr(word, '=');
		size_t length = equals != NULL ? (size_t)(equals - word - 2) : strlen(word + 2);

		attached = equals != NULL ? equals + 1 : NULL;
		o = option_named((struct tp_slice){word + 2, length});
	} else {
		attached = word[2] != '\0' ? word + 2 : NULL;
		o = option_lettered(word[1]);
	}
	if (o == NULL)
		return tp_fail(err, TP_ERR_USAGE, "unknown option %s; tpreport --help lists them", word);
	if (!takes(o, attached, argc, argv, i, &value, err))
		return TP_ERR_USAGE;
	set(args, o, value);
	return TP_OK;
}

enum tp_status
tp_args_parse(int argc, char **argv, struct tp_args *args, struct tp_err *err)
{
	int i = 1;

	*args = (struct tp_args){.command = &tp_commands[0]};
	for (const struct tp_command *c = tp_commands; argc > 1 && c->name != NULL; c++) {
		if (strcmp(argv[1], c->name) == 0) {
			args->command = c;
			i = 2;
			break;
		}
	}
	for (; i < argc; i++) {
		if (strcmp(argv[i], "--") == 0) {
			while (++i < argc)
				add(&args->paths, argv[i]);
			break;
		}
		enum tp_status status = parse_word(argc, argv, &i, args, err);

		if (status != TP_OK)
			return status;
	}
	return TP_OK;
}

void
tp_args_free(struct tp_args *args)
{
	tp_buf_free(&args->paths);
	tp_buf_free(&args->outputs);
	tp_buf_free(&args->hosts);
	tp_buf_free(&args->workers);
	tp_buf_free(&args->graphs);
}

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

void
tp_args_help(void)
{
	puts("tpreport: any profiler log directory in, one report out\n\n"
		 "Examples:\n"
		 "  tpreport logdir -o report.html               a page that opens anywhere, offline\n"
		 "  tpreport logdir -o report.pdf                to attach to a bug; page 1 alone is "
		 "enough\n"
		 "  tpreport logdir -o r.html -o r.pdf -o r.json several at once, all with the same "
		 "figures\n"
		 "  tpreport logdir --worker rank0 -o r.html     one worker of a PyTorch run; --span 2 one "
		 "span\n"
		 "  tpreport get logdir step.time.mean_ms        one figure for a script\n"
		 "  tpreport vm.xplane.pb.gz -o - --format json  one file, to standard output\n\n"
		 "Usage:");
	for (const struct tp_command *c = tp_commands; c->name != NULL; c++)
		printf("  tpreport %s%s%s %-16s %s\n", c == tp_commands ? "[" : "", c->name,
			c == tp_commands ? "]" : "", c->usage, c->summary);
	puts("\nA PATH is a log directory at any depth, a run, or a file; - is standard "
		 "input.\n\nOptions:");
	for (const struct tp_option *o = tp_options; o->name != NULL; o++)
		print_option(o);
	puts(
		"\nExit status: 0 fine · 2 wrong usage · 3 no profile found · 4 input damaged beyond use\n"
		"(with --strict also: partial) · 5 cannot write. Data goes to stdout, messages to stderr.");
}

/* The command line: one table of options feeds the parser, --help, the man pages and what shells complete. */
#ifndef TP_CLI_OPTIONS_H
#define TP_CLI_OPTIONS_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct tp_memory_again;
struct tp_pool;
struct tp_redaction;

/* What the words of a command line mean. Strings point into argv. */
struct tp_args {
	const struct tp_command *command;
	struct tp_buf paths;     /* const char *: everything that is no option, without the command */
	struct tp_buf outputs;   /* const char *: -o */
	struct tp_buf hosts;     /* const char *: --host */
	struct tp_buf workers;   /* const char *: --worker */
	struct tp_buf graphs;    /* const char *: --graph-of */
	struct tp_buf baselines; /* const char *: --baseline */
	struct tp_buf labels;    /* const char *: --label */
	struct tp_buf windows;   /* const char *: --window */
	const char *format, *end_to_end_json, *css_file, *list, *run, *span, *graph, *top, *peak,
		*steps, *model_flops, *params, *tokens_per_step, *layers, *hidden, *seq, *attention,
		*tpu_ops, *paper, *template_dir, *memory_limit, *limits, *size, *filter, *level, *floor,
		*fail_on, *fetch, *budget, *margin, *missing, *width, *append, *redact, *timeline,
		*duration, *duration_ms, *retries, *attempts, *dataset_ops, *host_tracer, *device_tracer,
		*python_tracer, *deadline, *queries, *settle, *ranks, *threads;
	struct tp_pool *pool;                /* of --threads */
	struct tp_redaction *redaction;      /* of --redact; NULL: nothing is replaced */
	const struct tp_memory_again *again; /* where memory runs out (cli/detail.h); may be NULL */
	const struct tp_memory_again *parts; /* likewise, of several traces */
	const struct tp_memory_again *alone; /* likewise, of several at a time */
	bool named;                          /* the command is one of the words */
	bool once, quiet, verbose, strict, require, as_given, version, help;
};

/* The commands, as sets of them. */
enum {
	TP_FOR_REPORT = 1,
	TP_FOR_GET = 2,
	TP_FOR_HLO = 4,
	TP_FOR_SHOW = 8,
	TP_FOR_DIFF = 16,
	TP_FOR_CHECK = 32,
	TP_FOR_BUDGET = 64,
	TP_FOR_HISTORY = 128,
	TP_FOR_TFPROF = 256, /* reads its options itself; of the table it has those for all */
	TP_FOR_HELP = 512,
	TP_FOR_MCP = 1024,
	TP_FOR_CAPTURE = 2048, /* these two write reports, too */
	TP_FOR_WATCH = 4096,
	TP_FOR_MONITOR = 8192,
	TP_FOR_MERGE = 16384,
	TP_FOR_COMPLETION = 32768,
};

/* What a shell offers for a word (cli/complete.c). */
enum tp_offer {
	TP_OFFER_NOTHING,
	TP_OFFER_FILES,
	TP_OFFER_FOLDERS,
	TP_OFFER_FORMATS,
	TP_OFFER_TOPICS,
	TP_OFFER_SHELLS,
	/* of the path on the line */
	TP_OFFER_RUNS,
	TP_OFFER_HOSTS,
	TP_OFFER_WORKERS,
	TP_OFFER_SPANS,
	TP_OFFER_METRICS,
	TP_OFFER_SECTIONS,
	TP_OFFER_PROGRAMS,
};

struct tp_example {
	const char *words, *says;
};

struct tp_command {
	const char *name;  /* "report" */
	const char *usage; /* "PATH… [-o FILE…]" */
	const char *summary;
	unsigned is;                             /* TP_FOR_REPORT … */
	int (*main)(const struct tp_args *args); /* NULL: help, which tells of this table */
	const struct tp_example *examples;       /* the usual one first; ends with an empty one */
	enum tp_offer offer;                     /* its words behind the path; of help, its only ones */
};

struct tp_option {
	const char *name; /* "output" for --output */
	char letter;      /* 'o' for -o, or 0 */
	/* "FILE", or NULL for a switch; of many "R..." takes all words up to the next option; "[=KINDS]" may be left out */
	const char *argument;
	const char *help;
	size_t field; /* offset in struct tp_args: bool, const char *, or struct tp_buf when `many` */
	bool many;
	unsigned only; /* TP_FOR_REPORT … that it is for; 0: all */
	enum tp_offer offer;
	const char
		*words;  /* "a4 letter": values it may have, besides; NULL: none that could be listed */
	bool commas; /* several of them, with commas between */
};

struct tp_exit_status {
	int status;
	const char *says;
};

/* All end with an empty item. */
extern const struct tp_exit_status tp_exit_statuses[];
extern const struct tp_command tp_commands[];
extern const struct tp_option tp_options[];

/* Fills args; TP_ERR_USAGE with what to do about it. Options may stand anywhere; "--" ends them; "--opt=x" and "--opt x"
 * mean the same, as do "-qv" and "-q -v". The first word that is no option is the command when it is the name of one, else
 * the command is the first of the table. */
enum tp_status tp_args_parse(int argc, char **argv, struct tp_args *args, struct tp_err *err);
void tp_args_free(struct tp_args *args);

/* The strings of a buffer. */
static inline const char *const *
tp_args_strings(const struct tp_buf *b)
{
	return b->data;
}

#endif

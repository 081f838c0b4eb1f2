/* A command of tfprof with its options, as one line of words: "op -order_by micros -min_micros 100". */
#ifndef TP_TFPROF_LINE_H
#define TP_TFPROF_LINE_H

#include "analyze/tfprof/tfprof_options.h"
#include "analyze/tfprof/tfprof_view.h"

struct tp_sink;

enum tp_tfprof_command {
	TP_TFPROF_DO_SCOPE = TP_TFPROF_SCOPE,
	TP_TFPROF_DO_GRAPH = TP_TFPROF_GRAPH,
	TP_TFPROF_DO_OP = TP_TFPROF_OP,
	TP_TFPROF_DO_CODE = TP_TFPROF_CODE,
	TP_TFPROF_DO_ADVISE,
	TP_TFPROF_DO_SET,
	TP_TFPROF_DO_HELP,
	TP_TFPROF_COMMANDS,
};

/* What of the rows is shown; in the order of their names. */
enum tp_tfprof_select {
	TP_SELECT_ACCELERATOR_MICROS,
	TP_SELECT_BYTES,
	TP_SELECT_CPU_MICROS,
	TP_SELECT_DEVICE,
	TP_SELECT_FLOAT_OPS,
	TP_SELECT_INPUT_SHAPES,
	TP_SELECT_MICROS,
	TP_SELECT_OCCURRENCE,
	TP_SELECT_OP_TYPES,
	TP_SELECT_OUTPUT_BYTES,
	TP_SELECT_PARAMS,
	TP_SELECT_PEAK_BYTES,
	TP_SELECT_RESIDUAL_BYTES,
	TP_SELECT_TENSOR_VALUE,
	TP_SELECTS,
};
struct tp_slice tp_tfprof_select_name(enum tp_tfprof_select select);

enum tp_tfprof_output {
	TP_TFPROF_TO_TIMELINE,
	TP_TFPROF_TO_STDOUT,
	TP_TFPROF_TO_FILE,
	TP_TFPROF_TO_PPROF,
	TP_TFPROF_TO_NONE,
	TP_TFPROF_OUTPUTS,
};

struct tp_tfprof_line {
	struct tp_tfprof_options view;
	unsigned select; /* a bit for each */
	enum tp_tfprof_output output;
	char *outfile; /* NULL: none */
};

static inline bool
tp_tfprof_selects(const struct tp_tfprof_line *line, enum tp_tfprof_select select)
{
	return (line->select >> select & 1) != 0;
}

/* The defaults of the command line. To be closed. */
void tp_tfprof_line_open(struct tp_tfprof_line *line);
void tp_tfprof_line_copy(struct tp_tfprof_line *line, const struct tp_tfprof_line *from);
void tp_tfprof_line_close(struct tp_tfprof_line *line);

/* TP_MAP_NONE: no command is called so. */
uint32_t tp_tfprof_command_named(struct tp_slice word);
struct tp_slice tp_tfprof_command_name(enum tp_tfprof_command command);

/* The name of the nth option, "-max_depth"; empty: there are not so many. */
struct tp_slice tp_tfprof_option_name(unsigned nth);
/* Its value in a line, of a new one its default. */
void tp_tfprof_option_write(const struct tp_tfprof_line *line, unsigned nth, struct tp_sink *out);
/* Whether an option, "-max_depth", is called so. */
bool tp_tfprof_is_option(struct tp_slice name);
/* Whether it is a switch, which may stand without a value. */
bool tp_tfprof_is_switch(struct tp_slice name);

/* The nth value of those that an option, "-order_by", chooses from; empty: there are not so many, or it takes any. What follows such a
 * value of -output is a name. *several: it takes more than one, with commas between. */
struct tp_slice tp_tfprof_option_value(struct tp_slice name, unsigned nth, bool *several);

/* Sets an option. TP_ERR_USAGE: there is none of this name, or it has no such value; err says so in tfprof's words. */
enum tp_status tp_tfprof_option_set(
	struct tp_tfprof_line *line, struct tp_slice name, struct tp_slice value, struct tp_err *err);

/* Reads a line: words between blanks, values perhaps in quotes. TP_ERR_USAGE as above; then options before the wrong one are
 * set. */
enum tp_status tp_tfprof_line_read(struct tp_tfprof_line *line, struct tp_slice text,
	enum tp_tfprof_command *command, struct tp_err *err);

/* All options with their values, a line each. */
void tp_tfprof_line_write(const struct tp_tfprof_line *line, struct tp_sink *out);

#endif

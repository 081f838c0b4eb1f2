/* The options of tfprof, their values and their words (tensorflow/core/profiler/tfprof_options.cc). */
#include "tfprof/line.h"

#include "base/arena.h"
#include "base/memory.h"
#include "io/sink.h"
#include "tfprof/output.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>

static const char *const command_names[TP_TFPROF_COMMANDS] = {
	[TP_TFPROF_DO_SCOPE] = "scope",
	[TP_TFPROF_DO_GRAPH] = "graph",
	[TP_TFPROF_DO_OP] = "op",
	[TP_TFPROF_DO_CODE] = "code",
	[TP_TFPROF_DO_ADVISE] = "advise",
	[TP_TFPROF_DO_SET] = "set",
	[TP_TFPROF_DO_HELP] = "help",
};

static const char *const select_names[TP_SELECTS] = {
	[TP_SELECT_ACCELERATOR_MICROS] = "accelerator_micros",
	[TP_SELECT_BYTES] = "bytes",
	[TP_SELECT_CPU_MICROS] = "cpu_micros",
	[TP_SELECT_DEVICE] = "device",
	[TP_SELECT_FLOAT_OPS] = "float_ops",
	[TP_SELECT_INPUT_SHAPES] = "input_shapes",
	[TP_SELECT_MICROS] = "micros",
	[TP_SELECT_OCCURRENCE] = "occurrence",
	[TP_SELECT_OP_TYPES] = "op_types",
	[TP_SELECT_OUTPUT_BYTES] = "output_bytes",
	[TP_SELECT_PARAMS] = "params",
	[TP_SELECT_PEAK_BYTES] = "peak_bytes",
	[TP_SELECT_RESIDUAL_BYTES] = "residual_bytes",
	[TP_SELECT_TENSOR_VALUE] = "tensor_value",
};

/* "depth", which the documentation of tfprof lists, its own parser refuses. */
static const char *const order_names[] = {
	[TP_TFPROF_US] = "micros",
	[TP_TFPROF_ACCELERATOR_US] = "accelerator_micros",
	[TP_TFPROF_CPU_US] = "cpu_micros",
	[TP_TFPROF_REQUESTED_BYTES] = "bytes",
	[TP_TFPROF_PEAK_BYTES] = "peak_bytes",
	[TP_TFPROF_RESIDUAL_BYTES] = "residual_bytes",
	[TP_TFPROF_OUTPUT_BYTES] = "output_bytes",
	[TP_TFPROF_PARAMETERS] = "params",
	[TP_TFPROF_FLOAT_OPS] = "float_ops",
	[TP_TFPROF_BY_NAME] = "name",
	[TP_TFPROF_BY_OCCURRENCE] = "occurrence",
};

enum kind { INTEGER, DEPTH, ORDER, PATTERNS, SWITCH, SELECT, OUTPUT };

/* In the order in which they are listed. */
static const struct option {
	const char *name;
	enum kind kind;
	size_t at; /* in the line */
} options[] = {
#define AT(member) offsetof(struct tp_tfprof_line, member)
#define MIN(figure) (AT(view.min) + (figure) * sizeof(int64_t))
	{"-max_depth", DEPTH, AT(view.max_depth)},
	{"-min_bytes", INTEGER, MIN(TP_TFPROF_REQUESTED_BYTES)},
	{"-min_peak_bytes", INTEGER, MIN(TP_TFPROF_PEAK_BYTES)},
	{"-min_residual_bytes", INTEGER, MIN(TP_TFPROF_RESIDUAL_BYTES)},
	{"-min_output_bytes", INTEGER, MIN(TP_TFPROF_OUTPUT_BYTES)},
	{"-min_micros", INTEGER, MIN(TP_TFPROF_US)},
	{"-min_accelerator_micros", INTEGER, MIN(TP_TFPROF_ACCELERATOR_US)},
	{"-min_cpu_micros", INTEGER, MIN(TP_TFPROF_CPU_US)},
	{"-min_params", INTEGER, MIN(TP_TFPROF_PARAMETERS)},
	{"-min_float_ops", INTEGER, MIN(TP_TFPROF_FLOAT_OPS)},
	{"-min_occurrence", INTEGER, MIN(TP_TFPROF_RUNS)},
	{"-step", INTEGER, AT(view.step)},
	{"-order_by", ORDER, AT(view.order)},
	{"-account_type_regexes", PATTERNS, AT(view.account_types)},
	{"-start_name_regexes", PATTERNS, AT(view.start_names)},
	{"-trim_name_regexes", PATTERNS, AT(view.trim_names)},
	{"-show_name_regexes", PATTERNS, AT(view.show_names)},
	{"-hide_name_regexes", PATTERNS, AT(view.hide_names)},
	{"-account_displayed_op_only", SWITCH, AT(view.displayed_only)},
	{"-select", SELECT, AT(select)},
	{"-output", OUTPUT, AT(output)},
};
enum { OPTIONS = sizeof options / sizeof *options };

struct tp_slice
tp_tfprof_select_name(enum tp_tfprof_select select)
{
	return tp_slice_of(select_names[select]);
}

uint32_t
tp_tfprof_command_named(struct tp_slice word)
{
	for (uint32_t i = 0; i < TP_TFPROF_COMMANDS; i++) {
		if (tp_slice_eq(word, tp_slice_of(command_names[i])))
			return i;
	}
	return TP_MAP_NONE;
}

struct tp_slice
tp_tfprof_command_name(enum tp_tfprof_command command)
{
	return tp_slice_of(command_names[command]);
}

struct tp_slice
tp_tfprof_option_name(unsigned nth)
{
	return nth < OPTIONS ? tp_slice_of(options[nth].name) : TP_S("");
}

static const struct option *
option_named(struct tp_slice name)
{
	for (unsigned i = 0; i < OPTIONS; i++) {
		if (tp_slice_eq(name, tp_slice_of(options[i].name)))
			return &options[i];
	}
	return NULL;
}

bool
tp_tfprof_is_option(struct tp_slice name)
{
	return option_named(name) != NULL;
}

bool
tp_tfprof_is_switch(struct tp_slice name)
{
	const struct option *o = option_named(name);

	return o != NULL && o->kind == SWITCH;
}

static struct tp_slice
nth_order(unsigned nth)
{
	for (unsigned i = 0; i < sizeof order_names / sizeof *order_names; i++) {
		if (order_names[i] != NULL && nth-- == 0)
			return tp_slice_of(order_names[i]);
	}
	return TP_S("");
}

struct tp_slice
tp_tfprof_option_value(struct tp_slice name, unsigned nth, bool *several)
{
	const struct option *o = option_named(name);

	*several = o != NULL && o->kind == SELECT;
	if (o == NULL)
		return TP_S("");
	switch (o->kind) {
	case ORDER:
		return nth_order(nth);
	case SELECT:
		return nth < TP_SELECTS ? tp_tfprof_select_name(nth) : TP_S("");
	case SWITCH:
		return nth == 0 ? TP_S("true") : nth == 1 ? TP_S("false") : TP_S("");
	case OUTPUT:
		return tp_tfprof_output_begins(nth);
	case INTEGER:
	case DEPTH:
	case PATTERNS:
		break;
	}
	return TP_S("");
}

void
tp_tfprof_line_open(struct tp_tfprof_line *line)
{
	*line = (struct tp_tfprof_line){
		.select = 1u << TP_SELECT_MICROS,
		.output = TP_TFPROF_TO_STDOUT,
	};
	tp_tfprof_options_open(&line->view);
	line->view.max_depth = 10;
}

void
tp_tfprof_line_copy(struct tp_tfprof_line *line, const struct tp_tfprof_line *from)
{
	*line = *from;
	line->outfile = from->outfile != NULL ? tp_memory_copy(from->outfile) : NULL;
	for (unsigned i = 0; i < OPTIONS; i++) {
		if (options[i].kind != PATTERNS)
			continue;
		struct tp_patterns *to = (struct tp_patterns *)(void *)((char *)line + options[i].at);
		struct tp_slice text = to->all_of_it;

		*to = (struct tp_patterns){0};
		tp_patterns_set(to, text, NULL);
	}
}

void
tp_tfprof_line_close(struct tp_tfprof_line *line)
{
	tp_tfprof_options_close(&line->view);
	free(line->outfile);
	line->outfile = NULL;
}

static bool
read_integer(struct tp_slice value, int64_t least, int64_t most, int64_t *out)
{
	char text[32], *end;

	if (value.len == 0 || value.len >= sizeof text || memchr(value.ptr, 0, value.len) != NULL)
		return false;
	memcpy(text, value.ptr, value.len);
	text[value.len] = '\0';
	errno = 0;
	long long number = strtoll(text, &end, 10);

	if (errno != 0 || *end != '\0' || number < least || number > most)
		return false;
	*out = number;
	return true;
}

static bool
read_switch(struct tp_slice value, bool *out)
{
	static const char *const words[] = {"false", "f", "no", "n", "0", "true", "t", "yes", "y", "1"};

	for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
		if (value.len == strlen(words[i]) && strncasecmp(value.ptr, words[i], value.len) == 0) {
			*out = i >= 5;
			return true;
		}
	}
	return false;
}

static bool
read_order(struct tp_slice value, unsigned *out)
{
	for (unsigned i = 0; i < sizeof order_names / sizeof *order_names; i++) {
		if (order_names[i] != NULL && tp_slice_eq(value, tp_slice_of(order_names[i]))) {
			*out = i;
			return true;
		}
	}
	return false;
}

static bool
read_select(struct tp_slice value, unsigned *out)
{
	unsigned set = 0;

	while (value.len != 0) {
		const char *comma = memchr(value.ptr, ',', value.len);
		struct tp_slice word = {value.ptr, comma != NULL ? (size_t)(comma - value.ptr) : value.len};
		unsigned i = 0;

		value = tp_slice_from(value, word.len + 1);
		while (i < TP_SELECTS && !tp_slice_eq(word, tp_slice_of(select_names[i])))
			i++;
		if (i == TP_SELECTS && word.len != 0)
			return false;
		set |= word.len != 0 ? 1u << i : 0;
	}
	*out = set;
	return true;
}

/* Quotes around it go, all there are. */
static struct tp_slice
unquoted(struct tp_slice s)
{
	while (s.len != 0 && (*s.ptr == '"' || *s.ptr == '\''))
		s = tp_slice_from(s, 1);
	while (s.len != 0 && (s.ptr[s.len - 1] == '"' || s.ptr[s.len - 1] == '\''))
		s.len--;
	return s;
}

enum tp_status
tp_tfprof_option_set(
	struct tp_tfprof_line *line, struct tp_slice name, struct tp_slice value, struct tp_err *err)
{
	const struct option *o = option_named(name);
	void *at = o != NULL ? (char *)line + o->at : NULL;
	bool right = false;

	if (o != NULL) {
		switch (o->kind) {
		case INTEGER:
			right = read_integer(value, INT64_MIN, INT64_MAX, at);
			break;
		case DEPTH:
			right = read_integer(value, INT32_MIN, INT32_MAX, at);
			break;
		case ORDER:
			right = read_order(value, at);
			break;
		case SWITCH:
			right = read_switch(value, at);
			break;
		case SELECT:
			right = read_select(unquoted(value), at);
			break;
		case PATTERNS:
			return tp_patterns_set(at, unquoted(value), err);
		case OUTPUT:
			return tp_tfprof_output_read(line, unquoted(value), err);
		}
	}
	if (right)
		return TP_OK;
	return tp_fail(
		err, TP_ERR_USAGE, "Invalid option '%.*s' value: '%.*s'", TP_ARG(name), TP_ARG(value));
}

/* The next word between blanks, cut off the front; empty at the end. */
static struct tp_slice
next_word(struct tp_slice *rest)
{
	while (rest->len != 0 && *rest->ptr == ' ')
		*rest = tp_slice_from(*rest, 1);
	const char *blank = rest->len != 0 ? memchr(rest->ptr, ' ', rest->len) : NULL;
	struct tp_slice word = {rest->ptr, blank != NULL ? (size_t)(blank - rest->ptr) : rest->len};

	*rest = tp_slice_from(*rest, word.len);
	return word;
}

enum tp_status
tp_tfprof_line_read(struct tp_tfprof_line *line, struct tp_slice text,
	enum tp_tfprof_command *command, struct tp_err *err)
{
	uint32_t named = tp_tfprof_command_named(next_word(&text));

	if (named == TP_MAP_NONE)
		return tp_fail(err, TP_ERR_USAGE, "First string must be a valid command.");
	*command = (enum tp_tfprof_command)named;
	for (struct tp_slice name; (name = next_word(&text)).len != 0;) {
		struct tp_slice behind = text, value = next_word(&behind);

		if (tp_tfprof_is_switch(name) && (value.len == 0 || *value.ptr == '-'))
			value = TP_S("true");
		else
			text = behind;
		enum tp_status status = tp_tfprof_option_set(line, name, value, err);

		if (status != TP_OK)
			return status;
	}
	return TP_OK;
}

static void
write_value(const struct tp_tfprof_line *line, const struct option *o, struct tp_sink *out)
{
	const void *at = (const char *)line + o->at;
	const char *comma = "";

	switch (o->kind) {
	case INTEGER:
	case DEPTH:
		tp_sink_printf(out, "%lld", (long long)*(const int64_t *)at);
		break;
	case ORDER:
		tp_sink_puts(out, order_names[*(const unsigned *)at]);
		break;
	case PATTERNS:
		tp_sink_put(out, ((const struct tp_patterns *)at)->all_of_it);
		break;
	case SWITCH:
		tp_sink_puts(out, *(const bool *)at ? "true" : "false");
		break;
	case SELECT:
		for (unsigned i = 0; i < TP_SELECTS; i++) {
			if (!tp_tfprof_selects(line, i))
				continue;
			tp_sink_printf(out, "%s%s", comma, select_names[i]);
			comma = ",";
		}
		break;
	case OUTPUT:
		tp_tfprof_output_write(line, out);
		break;
	}
}

void
tp_tfprof_option_write(const struct tp_tfprof_line *line, unsigned nth, struct tp_sink *out)
{
	if (nth < OPTIONS)
		write_value(line, &options[nth], out);
}

void
tp_tfprof_line_write(const struct tp_tfprof_line *line, struct tp_sink *out)
{
	for (unsigned i = 0; i < OPTIONS; i++) {
		tp_sink_printf(out, "%-28s", options[i].name);
		write_value(line, &options[i], out);
		tp_sink_puts(out, "\n");
	}
}

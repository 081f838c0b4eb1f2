/* Options of passes: rows, peaks, graphs, and --limits FILE: {"TPR-INPUT-001": {"medium": 0.05, "high": 0.2}, …}. */
#include "cli/pass_options.h"

#include "analyze/core/ctx.h"
#include "analyze/facts/peaks.h"
#include "analyze/graph/tpu_ops.h"
#include "analyze/judge/rule.h"
#include "analyze/ops/op_graph.h"
#include "base/arena.h"
#include "base/nearest.h"
#include "base/path.h"
#include "cli/options.h"
#include "cli/terminal.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <regex.h>
#include <stdlib.h>

/* A share may be above 1: a program can need more memory than there is. */
#define MOST_SHARE 100.0

static const struct tp_finding_rule *
rule_of(const char *id)
{
	for (size_t i = 0; tp_rule_at(i) != NULL; i++) {
		if (strcmp(tp_rule_at(i)->info.id, id) == 0)
			return tp_rule_at(i);
	}
	return NULL;
}

static enum tp_status
no_rule(const char *path, const char *id, struct tp_arena *arena, struct tp_err *err)
{
	struct tp_nearest near = {.arena = arena, .wish = tp_slice_of(id)};

	for (size_t i = 0; tp_rule_at(i) != NULL; i++)
		tp_nearest_offer(&near, tp_slice_of(tp_rule_at(i)->info.id));
	return tp_fail(err, TP_ERR_USAGE,
		"--limits %s: %s is not a rule%.*s; a report lists all under Method", path, id,
		TP_ARG(tp_nearest_words(&near, "")));
}

/* One of the limits where it is given. */
static bool
take(const json_t *value, bool may_be_null, double *limit)
{
	if (value == NULL)
		return true;
	if (may_be_null && json_is_null(value)) {
		*limit = NAN;
		return true;
	}
	*limit = json_number_value(value);
	return json_is_number(value) && *limit >= 0 && *limit <= MOST_SHARE;
}

static enum tp_status
read_rule(const char *path, const struct tp_finding_rule *rule, json_t *entry,
	struct tp_limits *limits, struct tp_err *err)
{
	const struct tp_rule_info *info = &rule->info;
	const char *key;
	json_t *value;

	*limits = (struct tp_limits){info->medium, info->high};
	json_object_foreach(entry, key, value)
	{
		if (strcmp(key, "medium") != 0 && strcmp(key, "high") != 0)
			return tp_fail(err, TP_ERR_USAGE, "--limits %s: %s: %s is neither medium nor high",
				path, info->id, key);
	}
	if (!json_is_object(entry) || !take(json_object_get(entry, "medium"), false, &limits->medium) ||
		!take(json_object_get(entry, "high"), true, &limits->high))
		return tp_fail(err, TP_ERR_USAGE,
			"--limits %s: %s: give {\"medium\": SHARE, \"high\": SHARE or null}, e.g. 0.05 for 5 "
			"%%",
			path, info->id);
	if (info->below ? limits->high > limits->medium : limits->high < limits->medium)
		return tp_fail(err, TP_ERR_USAGE, "--limits %s: %s: medium is %g and high is %g%s, but %s",
			path, info->id, limits->medium, limits->high,
			json_object_get(entry, "high") == NULL         ? " as usual"
				: json_object_get(entry, "medium") == NULL ? " with the default medium"
														   : "",
			info->below ? "this rule reports what is below its limits" : "high is the larger one");
	return TP_OK;
}

/* Fills options->limits. What a rule's entry leaves out stays as it is; null for high: never high. TP_ERR_USAGE when the file is no
 * such JSON, names no rule, or a limit is no share or on the wrong side of the other. */
static enum tp_status
read_limits_file(
	const char *path, struct tp_arena *keep, struct tp_pass_options *options, struct tp_err *err)
{
	json_error_t where;
	json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &where), *entry;
	enum tp_status status = TP_OK;
	const char *id;

	if (root == NULL && where.line > 0)
		return tp_fail(err, TP_ERR_USAGE, "--limits %s: line %d: %s", path, where.line, where.text);
	if (root == NULL)
		return tp_fail(err, TP_ERR_USAGE, "--limits: %s", where.text);
	if (!json_is_object(root))
		status = tp_fail(err, TP_ERR_USAGE, "--limits %s: give an object of rules", path);
	struct tp_user_limits *list =
		tp_new_array(keep, struct tp_user_limits, json_object_size(root) + 1);

	json_object_foreach(root, id, entry)
	{
		const struct tp_finding_rule *rule = rule_of(id);

		if (status != TP_OK)
			break;
		if (rule == NULL) {
			status = no_rule(path, id, keep, err);
			break;
		}
		struct tp_user_limits *limits = &list[options->limit_count++];

		limits->rule = tp_slice_of(rule->info.id);
		status = read_rule(path, rule, entry, &limits->limits, err);
	}
	json_decref(root);
	options->limits = list;
	options->limits_file = tp_path_name(tp_slice_of(path));
	return status;
}

static bool
read_limits(const struct tp_args *args, struct tp_arena *arena, struct tp_pass_options *options)
{
	struct tp_err err;

	if (args->limits == NULL || read_limits_file(args->limits, arena, options, &err) == TP_OK)
		return true;
	tp_say_err(&err);
	return false;
}

bool
tp_plain_number(const char *text, size_t *out)
{
	char *end;

	errno = 0;
	unsigned long number = strtoul(text, &end, 10);

	if (!isdigit((unsigned char)text[0]) || *end != '\0' || errno != 0)
		return false;
	*out = number;
	return true;
}

/* "fusion.1,width=3"; the width may be missing. */
static bool
parse_graph(const char *word, struct tp_graph_wish *out)
{
	static const char key[] = ",width=";
	const char *comma = strstr(word, key);
	size_t width = TP_OP_GRAPH_WIDTH;

	if (comma != NULL &&
		(!tp_plain_number(comma + strlen(key), &width) || width == 0 || width > TP_HLO_WIDEST)) {
		tp_say("--graph-of %s: give a width of 1 to %d", word, TP_HLO_WIDEST);
		return false;
	}
	out->op = (struct tp_slice){word, comma != NULL ? (size_t)(comma - word) : strlen(word)};
	out->width = (unsigned)width;
	return true;
}

static bool
read_graphs(const struct tp_args *args, struct tp_arena *arena, struct tp_pass_options *options)
{
	struct tp_graph_wish *graphs = tp_new_array(arena, struct tp_graph_wish, args->graphs.count);

	for (size_t i = 0; i < args->graphs.count; i++) {
		if (!parse_graph(tp_args_strings(&args->graphs)[i], &graphs[i]))
			return false;
	}
	options->graphs = graphs;
	options->graph_count = args->graphs.count;
	return true;
}

/* A regular expression that can be compiled; how it is matched is the pass's. */
static bool
read_steps(const struct tp_args *args, struct tp_pass_options *options)
{
	regex_t compiled;
	char why[128];
	int status =
		args->steps != NULL ? regcomp(&compiled, args->steps, REG_EXTENDED | REG_NOSUB) : 0;

	if (status != 0) {
		regerror(status, &compiled, why, sizeof why);
		tp_say("--steps %s: not a regular expression: %s", args->steps, why);
		return false;
	}
	if (args->steps != NULL)
		regfree(&compiled);
	options->steps = args->steps;
	return true;
}

/* "8e9", "8B", "65536", "64K": a number above 0. */
static bool
read_amount(const char *option, const char *text, double *out)
{
	static const char suffixes[] = "KMBTP";
	char *end;

	if (text == NULL)
		return true;
	/* strtod alone would also take "nan", "0x1p3" and " 1". */
	*out = isdigit((unsigned char)text[0]) && strspn(text, "0123456789.eE+KMBTPG") == strlen(text)
		? strtod(text, &end)
		: NAN;
	if (isfinite(*out) && *end != '\0') {
		const char *suffix = strchr(suffixes, *end == 'G' ? 'B' : *end);

		*out = suffix != NULL && end[1] == '\0' ? *out * pow(1000, (double)(suffix - suffixes + 1))
												: NAN;
	}
	if (*out > 0 && *out < 1e30)
		return true;
	tp_say("--%s %s: give a number above 0, e.g. 8e9, 8B or 65536", option, text);
	return false;
}

static bool
read_model(const struct tp_args *args, struct tp_model_wish *out)
{
	if (args->attention != NULL && strcmp(args->attention, "causal") != 0 &&
		strcmp(args->attention, "full") != 0) {
		tp_say("--attention %s: give causal or full", args->attention);
		return false;
	}
	out->full_attention = args->attention != NULL && strcmp(args->attention, "full") == 0;
	return read_amount("model-flops", args->model_flops, &out->flops) &&
		read_amount("params", args->params, &out->params) &&
		read_amount("tokens-per-step", args->tokens_per_step, &out->tokens_per_step) &&
		read_amount("layers", args->layers, &out->layers) &&
		read_amount("hidden", args->hidden, &out->hidden) &&
		read_amount("seq", args->seq, &out->seq);
}

bool
tp_pass_options_read(
	const struct tp_args *args, struct tp_arena *arena, struct tp_pass_options *options)
{
	struct tp_err err;

	*options =
		(struct tp_pass_options){.pool = args->pool, .top = 10, .tpu_list = TP_TPU_LIST_NEWEST};
	if (args->top != NULL && strcmp(args->top, "all") == 0)
		options->top = SIZE_MAX;
	else if (args->top != NULL &&
		(!tp_plain_number(args->top, &options->top) || options->top == 0)) {
		tp_say("--top %s: give a number of rows, or all", args->top);
		return false;
	}
	if (args->graph != NULL &&
		(!tp_plain_number(args->graph, &options->graph) || options->graph == 0)) {
		tp_say("--graph %s: give the number of a graph, from 1", args->graph);
		return false;
	}
	if (args->peak != NULL && tp_peaks_parse(args->peak, &options->peak, &err) != TP_OK) {
		tp_say_err(&err);
		return false;
	}
	if (args->tpu_ops != NULL)
		options->tpu_list = tp_tpu_list_of(args->tpu_ops);
	if (options->tpu_list == TP_TPU_LIST_COUNT) {
		tp_say("--tpu-ops %s: give a version of TensorBoard, %s or later", args->tpu_ops,
			tp_tpu_list_row(TP_TPU_LIST_1_5)->first);
		return false;
	}
	return read_steps(args, options) && read_model(args, &options->model) &&
		tp_timeline_options_read(args, arena, options) && read_graphs(args, arena, options) &&
		read_limits(args, arena, options);
}

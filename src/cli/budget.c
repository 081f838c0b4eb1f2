/* tpreport budget PATH… --margin 10%: a budget proposed from good runs, as JSON on standard output. */
#include "compare/budget.h"

#include "base/arena.h"
#include "cli/commands.h"
#include "cli/many.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "io/sink.h"
#include "render/json_writer.h"

#include <math.h>

/* One that says nothing of what cannot be judged is its id alone. */
static void
write_forbidden(struct tp_json *j, const struct tp_budget_forbidden *forbidden)
{
	if (forbidden->missing == TP_MISSING_STAYS) {
		tp_json_string(j, NULL, forbidden->pattern);
		return;
	}
	tp_json_open(j, NULL, TP_JSON_FLAT_OBJECT);
	tp_json_string(j, "id", forbidden->pattern);
	tp_json_string(
		j, "missing", forbidden->missing == TP_MISSING_PASSES ? TP_S("pass") : TP_S("fail"));
	tp_json_close(j);
}

static void
write_budget(const struct tp_budget *budget, struct tp_sink *out)
{
	struct tp_json j;

	tp_json_start(&j, out);
	tp_json_open(&j, NULL, TP_JSON_OBJECT);
	tp_json_string(&j, "schema", TP_S("tpreport.budget/1"));
	tp_json_open(&j, "metrics", TP_JSON_OBJECT);
	for (size_t i = 0; i < budget->limit_count; i++) {
		const struct tp_budget_limit *limit = &budget->limits[i];

		tp_json_open_named(&j, limit->id, TP_JSON_FLAT_OBJECT);
		if (!isnan(limit->max))
			tp_json_number(&j, "max", limit->max);
		if (!isnan(limit->min))
			tp_json_number(&j, "min", limit->min);
		tp_json_close(&j);
	}
	tp_json_close(&j);
	tp_json_open(&j, "forbid", TP_JSON_FLAT_ARRAY);
	for (size_t i = 0; i < budget->forbidden_count; i++)
		write_forbidden(&j, &budget->forbidden[i]);
	tp_json_close(&j);
	tp_json_close(&j);
}

static int
print_budget(const struct tp_budget *budget)
{
	struct tp_err err = {.status = TP_OK};

	if (budget->limit_count + budget->forbidden_count == 0) {
		tp_say(
			"there is no headline figure that all of these have; tpreport --list metrics lists what a budget may name");
		return TP_EXIT_NOT_JUDGED;
	}
	struct tp_sink *out = tp_sink_open("-", &err);

	if (out != NULL)
		write_budget(budget, out);
	bool is_written = out != NULL && tp_sink_commit(out, &err) == TP_OK;

	tp_sink_close(out);
	if (!is_written)
		tp_say_err(&err);
	return is_written ? TP_EXIT_OK : TP_EXIT_CANNOT_WRITE;
}

int
tp_command_budget(const struct tp_args *args)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_many many = {.args = args};
	size_t count = args->paths.count;
	const struct tp_doc **docs = tp_new_array(arena, const struct tp_doc *, count);
	double margin = 0.1;
	int status = TP_EXIT_OK;

	if (count == 0)
		tp_say("budget needs good runs: tpreport budget PATH… --margin 10%% > b.json");
	if (count == 0 || (args->margin != NULL && !tp_share_read("margin", args->margin, 1, &margin)))
		status = TP_EXIT_USAGE;
	for (size_t i = 0; i < count && status == TP_EXIT_OK; i++)
		docs[i] = tp_many_open(&many, tp_args_strings(&args->paths)[i], &status);
	if (status == TP_EXIT_OK)
		status = print_budget(tp_budget_propose(docs, count, margin, arena));
	tp_many_close(&many);
	tp_arena_free(arena);
	return status;
}

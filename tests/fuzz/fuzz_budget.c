/* Any bytes as a budget: what is read limits something, and is judged over a report that has no figures. */
#include "base/arena.h"
#include "cli/catalogue.h"
#include "compare/budget.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Made once; it lives as long as the program. */
static const struct tp_budget_known *
known(void)
{
	static struct tp_budget_known catalogue;
	static struct tp_arena *arena;
	struct tp_err err;

	if (arena != NULL)
		return &catalogue;
	arena = tp_arena_new();
	if (tp_budget_catalogue(arena, &catalogue, &err) != TP_OK)
		abort();
	return &catalogue;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_err err = {.status = TP_OK};
	struct tp_slice json = {(const char *)data, size};
	struct tp_budget *budget = tp_budget_read(json, "budget", known(), arena, &err);

	if ((budget == NULL) != (err.status == TP_ERR_USAGE))
		abort();
	if (budget != NULL) {
		const struct tp_doc *doc = known()->doc, *const baselines[] = {doc, doc};
		struct tp_compare_wish wish = {
			.a = doc,
			.b = doc,
			.baselines = baselines,
			.baseline_count = 2,
			.level = 0.99,
			.floor = NAN,
		};
		struct tp_budget_result result;

		tp_budget_judge(budget, &wish, TP_MISSING_STAYS, arena, &result);
		if (result.count == 0 || result.count != budget->limit_count + budget->forbidden_count)
			abort();
		/* A figure that is not there is never a pass. */
		for (size_t i = 0; i < result.count; i++) {
			if (!result.items[i].is_finding && !tp_known(result.items[i].value) &&
				result.items[i].status != TP_BUDGET_NOT_JUDGED)
				abort();
		}
	}
	tp_arena_free(arena);
	return 0;
}

/* A budget from good runs: what each headline metric came to at worst, and a margin. */
#include "compare/budget.h"

#include <math.h>

#include "base/arena.h"
#include "compare/context.h"

/* Four digits, and none of the runs is beyond them. */
static double
rounded(double bound, bool up)
{
	double step = pow(10, floor(log10(bound)) - 3);
	double whole = up ? ceil(bound / step) : floor(bound / step);

	/* Where the step is below 1, dividing by its inverse gives the number nearest to the decimal. */
	return step < 1 ? whole / round(1 / step) : whole * step;
}

/* The worst figure of all runs; NaN where one has none above 0. */
static double
worst(const struct tp_doc *const *docs, size_t count, struct tp_slice id, enum tp_unit unit,
	bool is_most)
{
	double found = NAN;

	for (size_t i = 0; i < count; i++) {
		double figure = tp_value_in(tp_doc_value(docs[i], id.ptr), unit);

		if (!(figure > 0))
			return NAN;
		found = is_most ? fmax(found, figure) : fmin(found, figure);
	}
	return found;
}

static void
propose(struct tp_budget *budget, const struct tp_doc *const *docs, size_t count, const char *id,
	double margin)
{
	struct tp_slice name = tp_slice_of(id);
	const struct tp_metric *m = tp_doc_find_metric(docs[0], name);
	bool is_most = tp_metric_direction(name) == TP_LOWER_IS_BETTER;

	if (m == NULL || tp_metric_direction(name) == TP_NO_DIRECTION)
		return;
	double figure = worst(docs, count, name, m->value.unit, is_most);

	if (isnan(figure))
		return;
	double bound = rounded(figure * (is_most ? 1 + margin : 1 - margin), is_most);

	if (m->value.unit == TP_UNIT_SHARE && is_most && bound >= 1)
		return; /* no share is above it */

	budget->limits[budget->limit_count++] = (struct tp_budget_limit){
		.id = name,
		.unit = m->value.unit,
		.max = is_most ? bound : NAN,
		.min = is_most ? NAN : bound,
		.increase = {.amount = NAN},
		.decrease = {.amount = NAN},
	};
}

struct tp_budget *
tp_budget_propose(
	const struct tp_doc *const *docs, size_t count, double margin, struct tp_arena *arena)
{
	static const char coverage[] = "data.coverage_share";
	struct tp_budget *budget = tp_new(arena, struct tp_budget);
	struct tp_budget_forbidden *severe = tp_new(arena, struct tp_budget_forbidden);
	bool is_clean = true;

	budget->limits = tp_new_array(arena, struct tp_budget_limit, tp_headline_count + 1);
	for (size_t i = 0; i < tp_headline_count; i++)
		propose(budget, docs, count, tp_headlines[i].id, margin);
	propose(budget, docs, count, coverage, margin);
	*severe = (struct tp_budget_forbidden){.pattern = TP_S("severity:high")};
	budget->forbidden = severe;
	for (size_t i = 0; i < count; i++) {
		struct tp_budget only = {.forbidden = severe, .forbidden_count = 1};
		struct tp_compare_wish wish = {.b = docs[i]};
		struct tp_budget_result result;

		tp_budget_judge(&only, &wish, TP_MISSING_STAYS, arena, &result);
		const struct tp_budget_item *item = &result.items[0];

		is_clean = is_clean && item->status != TP_BUDGET_OUTSIDE && item->now.len != 0;
		/* What these runs leave undecided, further ones will. */
		if (item->status == TP_BUDGET_NOT_JUDGED)
			severe->missing = TP_MISSING_PASSES;
	}
	budget->forbidden_count = is_clean;
	return budget;
}

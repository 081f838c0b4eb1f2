/* What rows add up to, what is left of the whole, and the whole. */
#include "compare/sums.h"

#include <math.h>

#include "compare/context.h"
#include "compare/look.h"

size_t
tp_compare_sums(const struct tp_comparison *c, const char *whole, enum tp_unit unit, double a,
	double b, struct tp_sum out[static TP_SUMS])
{
	double whole_a = whole != NULL ? tp_look_metric(c->wish->a, whole, unit) : NAN;
	double whole_b = whole != NULL ? tp_look_metric(c->wish->b, whole, unit) : NAN;

	out[0] = (struct tp_sum){TP_S("All"), a, b};
	if (!isfinite(whole_b - whole_a))
		return 1;
	out[1] = (struct tp_sum){TP_S("Remainder"), whole_a - a, whole_b - b};
	out[2] =
		(struct tp_sum){unit == TP_UNIT_BYTES ? TP_S("Peak") : TP_S("Mean step"), whole_a, whole_b};
	return TP_SUMS;
}

double
tp_compare_per_step(const struct tp_doc *doc, const char *steps, const char *cores)
{
	double count = tp_look_metric(doc, steps, TP_UNIT_COUNT);
	double side_by_side = cores != NULL ? tp_look_metric(doc, cores, TP_UNIT_COUNT) : NAN;

	return count > 0 ? 1 / (count * (side_by_side > 0 ? side_by_side : 1)) : NAN;
}

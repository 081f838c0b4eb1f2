/* A sign before what is above 0. */
#include "compare/signed.h"

#include <math.h>

#include "base/arena.h"

/* Of a hundred: one decimal, three of what would show as 0 then. */
static struct tp_slice
signed_percent(struct tp_arena *arena, double share, const char *unit)
{
	const char *sign = share > 0 ? "+" : share < 0 ? "\u2212" : "";
	double percent = fabs(share) * 100;
	int decimals = percent == 0 ? 0 : percent < 0.095 ? 3 : 1;

	return tp_arena_printf(arena, "%s%.*f\u202f%s", sign, decimals, percent, unit);
}

struct tp_slice
tp_signed_text(struct tp_arena *arena, struct tp_value value)
{
	char buf[TP_VALUE_BUF];

	if (value.unit == TP_UNIT_SHARE && value.kind == TP_VALUE_NUMBER)
		return signed_percent(arena, value.number, "%");
	struct tp_slice text = tp_value_text(value, buf);
	bool above = (value.kind == TP_VALUE_NUMBER && value.number > 0) ||
		(value.kind == TP_VALUE_INTEGER && value.integer > 0);

	return tp_arena_printf(arena, "%s%.*s", above ? "+" : "", TP_ARG(text));
}

struct tp_slice
tp_signed_change(struct tp_arena *arena, struct tp_value from, struct tp_value to)
{
	double a = tp_value_in(from, to.unit), b = tp_value_in(to, to.unit);

	if (to.unit == TP_UNIT_SHARE)
		return isfinite(b - a) ? signed_percent(arena, b - a, "pp") : TP_S("");
	return isfinite(b / a) ? signed_percent(arena, b / a - 1, "%") : TP_S("");
}

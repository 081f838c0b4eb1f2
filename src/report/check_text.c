/* Checks common to all blocks: texts and numbers. */
#include "report/checker.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/utf8.h"

#include <math.h>

bool
tp_check_need(struct tp_checker *c, bool sound, struct tp_slice what, const char *wrong)
{
	if (!sound)
		tp_fail(c->err, TP_ERR_FORMAT, "document: %.*s: \"%.60s\" %s", TP_ARG(c->where),
			tp_arena_copy(c->scratch, what).ptr, wrong);
	return sound;
}

bool
tp_check_text(struct tp_checker *c, struct tp_slice text)
{
	return tp_check_need(c, tp_utf8_valid(text), text, "is not valid UTF-8");
}

bool
tp_check_present(struct tp_checker *c, struct tp_slice text, struct tp_slice what)
{
	return tp_check_need(c, text.len != 0, what, "is empty") && tp_check_text(c, text);
}

bool
tp_check_finite(
	struct tp_checker *c, const double *values, size_t count, double least, struct tp_slice what)
{
	for (size_t i = 0; i < count; i++) {
		if (!tp_check_need(c, isfinite(values[i]) && values[i] >= least, what,
				"holds a number that cannot be drawn"))
			return false;
	}
	return true;
}

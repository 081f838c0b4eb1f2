/* Limits that a user gives instead of those of the rules (--limits FILE). */
#ifndef TP_ANALYZE_LIMITS_H
#define TP_ANALYZE_LIMITS_H

#include "base/slice.h"

struct tp_pass_ctx;

/* From these shares on (of some rules: below them) a check is a finding, and a high one. high NaN: never high. */
struct tp_limits {
	double medium, high;
};

struct tp_user_limits {
	struct tp_slice rule; /* "TPR-INPUT-001" */
	struct tp_limits limits;
};

/* Those of a rule: given by the user, else the usual ones. */
struct tp_limits tp_limits_of(
	const struct tp_pass_ctx *ctx, const char *rule, struct tp_limits usual);

#endif

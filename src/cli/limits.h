/* --limits FILE: limits of rules, as JSON: {"TPR-INPUT-001": {"medium": 0.05, "high": 0.2}, …}. */
#ifndef TP_CLI_LIMITS_H
#define TP_CLI_LIMITS_H

#include "base/err.h"

struct tp_arena;
struct tp_pass_options;

/* Fills options->limits, kept in keep. What a rule's entry leaves out stays as it is; null for high: never high. TP_ERR_USAGE when
 * the file is no such JSON, names no rule, or a limit is no share or on the wrong side of the other. */
enum tp_status tp_limits_read(
	const char *path, struct tp_arena *keep, struct tp_pass_options *options, struct tp_err *err);

#endif

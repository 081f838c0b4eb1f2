/* All that a report can tell: what --list metrics prints, and what a budget may name. */
#ifndef TP_CLI_CATALOGUE_H
#define TP_CLI_CATALOGUE_H

#include "base/err.h"
#include "compare/budget.h"

/* The document of an empty profile: all metrics there are, each missing. NULL and err where that fails: a fault of ours. */
struct tp_doc *tp_catalogue(struct tp_arena *arena, struct tp_err *err);

/* The same with the ids of all checks. */
enum tp_status tp_budget_catalogue(
	struct tp_arena *arena, struct tp_budget_known *out, struct tp_err *err);

#endif

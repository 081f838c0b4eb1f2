/* The framework's operations of the device, or of the host, and their tables. */
#ifndef TP_ANALYZE_FRAMEWORK_TABLE_H
#define TP_ANALYZE_FRAMEWORK_TABLE_H

#include "analyze/ops/ops_present.h"

struct tp_framework_item {
	struct tp_slice name, type;
	size_t members; /* of a type: how many operations it has; 0: one operation */
	struct tp_op_total sums;
};

struct tp_framework_side {
	const struct tp_op_page *page;           /* NULL on the host: no costs */
	struct tp_framework_item *names, *types; /* by self time, descending, then name */
	size_t name_count, type_count;
	int64_t busy_ps;           /* Σ self times */
	int64_t total_ps, idle_ps; /* 0: not known */
	const char *key, *where;   /* "device", "on the device" */
};

/* Fills in types from names. */
void tp_framework_sum_types(struct tp_framework_side *side, struct tp_arena *scratch);

/* The names, or the types, with the share of each with and without idle time. */
void tp_framework_table(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *parent,
	const struct tp_framework_side *side, bool types);

#endif

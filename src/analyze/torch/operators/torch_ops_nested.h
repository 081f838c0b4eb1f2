/* Operators that call themselves, at whatever depth: what the inner call takes is in the total of the outer one already. */
#ifndef TP_ANALYZE_TORCH_OPS_NESTED_H
#define TP_ANALYZE_TORCH_OPS_NESTED_H

#include "base/buf.h"

#include <stdint.h>

struct tp_arena;
struct tp_torch_correlation;
struct tp_torch_op_call;
struct tp_torch_trace;

/* The tables that sums of calls are in. */
enum tp_torch_op_table { TP_TORCH_BY_NAME, TP_TORCH_BY_SHAPE, TP_TORCH_BY_PLACE, TP_TORCH_TABLES };

/* A call's row in each of them; TP_NONE: none. */
struct tp_torch_op_rows {
	uint32_t of[TP_TORCH_TABLES];
};

/* By row of each table, calls that hold the one in hand: as many as rows, all 0 before and after (uint32_t). One for all
 * traces. */
struct tp_torch_op_open {
	struct tp_buf calls[TP_TORCH_TABLES];
};

/* By index in t->operators: in which tables the call is within another one of the same row (1 << table). In scratch. */
const uint8_t *tp_torch_op_nested(const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, const struct tp_torch_op_call *calls,
	const struct tp_torch_op_rows *rows, struct tp_torch_op_open *open, struct tp_arena *scratch);

#endif

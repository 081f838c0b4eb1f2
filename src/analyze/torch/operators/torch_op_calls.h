/* What each call of an operator took on host and device, alone and with all that it called. */
#ifndef TP_ANALYZE_TORCH_OP_CALLS_H
#define TP_ANALYZE_TORCH_OP_CALLS_H

#include "base/buf.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_arena;
struct tp_pass;
struct tp_profile;
struct tp_torch_correlation;
struct tp_torch_trace;

/* What an operator asked the runtime and devices for. */
struct tp_torch_op_device {
	int64_t runtime_ps; /* host time of calls of the runtime and driver that it made itself */
	int64_t self_ps;    /* Σ durations of the device work that it asked for itself */
	int64_t total_ps;   /* … or that operators within it asked for */
	int64_t tensor_self_ps, tensor_total_ps; /* of these in kernels that used tensor cores */
	int64_t copy_self_ps;                    /* of self_ps: copies and fills */
};

/* Of an operator; of annotations and steps nothing is known but the zeros. */
struct tp_torch_op_call {
	uint32_t event;
	uint32_t head; /* event that it counts for: itself, or its caller of the same name, see below */
	int64_t inner_ps;                  /* host time of the operators that it called itself */
	struct tp_torch_op_device *device; /* NULL: neither it nor one within it asked for any */
	bool eligible;                     /* could use tensor cores, one within it could, or it did */
};

/* All 0 where there is none. */
struct tp_torch_op_device tp_torch_op_device(const struct tp_torch_op_call *c);

/* By index in t->operators; in keep. Formulas of torch-tb-profiler (node.py, op_tree.py): an operator that calls one operator
 * alone, and that by the same name, is one call with it (aten::to in aten::to). */
struct tp_torch_op_call *tp_torch_op_calls_of(const struct tp_profile *p,
	const struct tp_torch_trace *t, const struct tp_torch_correlation *links, struct tp_arena *keep,
	struct tp_arena *scratch);

/* Of all traces: a pass of its own, for operators and memory need it both. */
struct tp_torch_calls {
	const struct tp_torch_op_call **traces; /* by trace, then by index in t->operators */
};
extern const struct tp_pass tp_pass_torch_calls;

/* Sums over calls; times as struct tp_torch_op_call has them. */
struct tp_torch_op_sums {
	uint64_t calls;
	int64_t host_self_ps, host_total_ps, runtime_ps;
	int64_t device_self_ps, device_total_ps, tensor_self_ps, tensor_total_ps, copy_self_ps;
	uint64_t flops, flops_calls;            /* see torch_flops.c, and for so many calls … */
	int64_t flops_host_ps, flops_device_ps; /* … that took this time in all */
	bool eligible;
};

void tp_torch_op_sums_add(struct tp_torch_op_sums *s, const struct tp_torch_op_sums *more);

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

/* Operators may call themselves, at whatever depth: what the inner call takes is in the total of the outer one already. By index in
 * t->operators: in which tables the call is within another one of the same row (1 << table). In scratch. */
const uint8_t *tp_torch_op_nested(const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, const struct tp_torch_op_call *calls,
	const struct tp_torch_op_rows *rows, struct tp_torch_op_open *open, struct tp_arena *scratch);

/* FLOP of one call (facts/torch_flops.h) by index in t->operators; 0: not known, or counted for an operator around it. */
uint64_t *tp_torch_flops_of(const struct tp_profile *p, const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, struct tp_arena *arena);

/* Whether an operator or autograd node could use tensor cores, by its name: products, convolutions, attention. */
bool tp_torch_op_eligible(struct tp_slice name);

#endif

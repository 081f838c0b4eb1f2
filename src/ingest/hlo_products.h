/* FLOP of the kernels that XLA made for a GPU, from the matrix products of their programs. */
#ifndef TP_INGEST_HLO_PRODUCTS_H
#define TP_INGEST_HLO_PRODUCTS_H

#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_arena;
struct tp_builder;
struct tp_hlo_module;
struct tp_op;

/* How often each operation from first_op on runs on streams of GPUs, by operation of the builder from there. */
const uint64_t *tp_kernel_runs(struct tp_builder *b, uint32_t first_op, struct tp_arena *arena);

/* Of one program: operation by operation those that are kernels of its instructions, found by name already (of_instruction: index of the
 * instruction by operation from first_op, TP_NONE: none); then those of libraries, which have names of their own: each run of the
 * program calls them once for each product, so that one call computes the mean. Where kernels do not come out even, none is told. */
void tp_kernel_products(struct tp_builder *b, const struct tp_hlo_module *m, uint64_t program_id,
	uint32_t first_op, const uint32_t *of_instruction, const uint64_t *runs,
	struct tp_arena *arena);

/* Takes all that back where a kernel that computes products was left without: a sum of the others would tell of no device. */
void tp_kernel_products_settle(struct tp_builder *b, uint32_t first_op, const uint64_t *runs);

#endif

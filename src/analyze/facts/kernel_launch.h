/* What a profile says of one launch: how a kernel was launched, what a copy moved. */
#ifndef TP_ANALYZE_KERNEL_LAUNCH_H
#define TP_ANALYZE_KERNEL_LAUNCH_H

#include "base/slice.h"

#include <stdint.h>

struct tp_kernel_launch {
	bool has_registers, has_shared, has_grid, has_block;
	uint32_t registers;                   /* of a thread */
	uint32_t static_bytes, dynamic_bytes; /* shared memory of a block */
	uint32_t grid[3], block[3];
	double occupancy; /* 0…1, as the driver worked it out; NaN: not stated */
};

/* Reads "regs:38 shm:0 grid:160,1,1 block:1024,1,1", newer "regs:32 static_shared:0 dynamic_shared:16384 grid:… block:…
 * occ_pct:62.5". What is not there, or out of bounds, is not stated. */
struct tp_kernel_launch tp_kernel_launch_read(struct tp_slice details);

/* Blocks of the grid, threads of a block; 0 when not stated or beyond 2^64. */
uint64_t tp_launch_blocks(const struct tp_kernel_launch *l);
uint64_t tp_launch_threads(const struct tp_kernel_launch *l);

/* Shared memory of a block. */
static inline uint64_t
tp_launch_shared_bytes(const struct tp_kernel_launch *l)
{
	return (uint64_t)l->static_bytes + l->dynamic_bytes;
}

/* Order by grid, block, registers and shared memory, as launches are told apart; 0: the same. */
int tp_launch_cmp(const struct tp_kernel_launch *a, const struct tp_kernel_launch *b);

struct tp_copy {
	bool has_bytes;
	uint64_t bytes;
	struct tp_slice from, to; /* kinds of memory: "Pinned", "Device"; empty: not stated */
};

/* Reads "size:4 dest:1 async:1", newer "kind_src:Pinned kind_dst:Device size:…", of a fill "kind:Device num_bytes:…". */
struct tp_copy tp_copy_read(struct tp_slice details);

#endif

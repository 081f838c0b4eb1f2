/* What allocators said when memory was taken from them and given back. */
#ifndef TP_MODEL_ALLOCATOR_H
#define TP_MODEL_ALLOCATOR_H

#include <stdbool.h>
#include <stdint.h>

/* More than any memory: sizes beyond are not meant, so that sums of a few fit. */
#define TP_ALLOCATOR_MOST_BYTES ((uint64_t)1 << 60)

/* One event MemoryAllocation or MemoryDeallocation. Texts are ids in the profile's strings, 0: not said. */
struct tp_allocator_event {
	uint32_t host;
	uint32_t allocator; /* its name, "GPU_0_bfc"; 0: it is that of the device with this ordinal */
	int64_t ordinal;    /* of the device on its host; -1: not said */
	bool allocation;    /* else memory was given back */
	int64_t time_ps;    /* on the host's clock, as events of lines */
	/* The allocator as a whole, after it. */
	uint64_t stack_bytes; /* reserved, not by pieces */
	uint64_t heap_bytes;  /* allocated */
	uint64_t free_bytes;  /* 0 unless free_known */
	bool free_known;
	uint64_t lifetime_peak_bytes; /* the most since the allocator was made */
	/* 0…1: of the free memory, what is not in its largest piece; NaN: not said */
	double fragmentation;
	/* The piece. */
	uint64_t address, block_bytes, requested_bytes;
	uint32_t framework, region, shape;
	int32_t data_type; /* as TensorFlow counts its types; 0: not said */
};

#endif

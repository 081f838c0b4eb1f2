/* The memory of one program in one memory space, point by point as the compiler laid it out: how much is live, the peak,
 * and what was live at the peak. */
#ifndef TP_ANALYZE_MEMORY_WALK_H
#define TP_ANALYZE_MEMORY_WALK_H

#include "model/buffers.h"

enum tp_buffer_kind { /* of the allocation that holds it; the first that fits */
	TP_BUFFER_PARAMETER,
	TP_BUFFER_OUTPUT,
	TP_BUFFER_THREAD_LOCAL,
	TP_BUFFER_CONSTANT,
	TP_BUFFER_TEMPORARY,
	TP_BUFFER_SEVERAL, /* small ones of all kinds together, in tool files */
	TP_BUFFER_KIND_COUNT
};

extern const char *const tp_buffer_kind_names[TP_BUFFER_KIND_COUNT]; /* "parameter" */

struct tp_live_buffer {
	const struct tp_logical_buffer *buffer;
	enum tp_buffer_kind kind;
	/* padding included; of a parameter, constant or output that of its allocation */
	uint64_t size_bytes;
	/* product of dimensions × element size; size_bytes where the shape is not known */
	uint64_t unpadded_bytes;
	uint32_t start, end; /* program points between which it is live: [start, end) */
	bool whole;          /* live all the time */
};

struct tp_memory_walk {
	uint32_t event_count;                /* program points; the timelines have one more */
	const uint64_t *bytes, *unpadded;    /* live before each event, the last after all */
	const struct tp_slice *instructions; /* of each event */
	uint64_t peak_bytes, peak_unpadded_bytes;
	uint32_t peak_position; /* the event that makes the peak: bytes[peak_position + 1] */
	uint64_t whole_bytes, whole_unpadded_bytes; /* of what is live all the time */
	const struct tp_live_buffer *at_peak; /* those live all the time first, then in program order */
	uint32_t at_peak_count;
	uint64_t allocated_bytes; /* of all allocations that are not thread-local */
	uint64_t kind_bytes[TP_BUFFER_KIND_COUNT];
};

/* The walk of a space; everything in arena. Sums that do not fit are the largest number. False when nothing of the program
 * lies in that space. */
bool tp_memory_walk(
	const struct tp_buffers *b, int64_t space, struct tp_arena *arena, struct tp_memory_walk *out);

#endif

/* Buffer assignment of an HLO module: which arrays lie in which allocation, and in what order the heap was filled and
 * emptied when the compiler simulated it. Read from the same serialized xla.HloProto as the module. */
#ifndef TP_MODEL_BUFFERS_H
#define TP_MODEL_BUFFERS_H

#include "base/map.h"
#include "model/hlo.h"

/* An array (or a part of a tuple) that an instruction defines. */
struct tp_logical_buffer {
	int64_t id;
	uint64_t size_bytes;                          /* as laid out, padding included */
	int64_t space;                                /* memory space, "color": 0 HBM, 1 VMEM, 5 host */
	const struct tp_hlo_instruction *instruction; /* NULL: the module does not hold it */
	const struct tp_shape *shape;                 /* of the part; NULL: not known */
	struct tp_slice part;                         /* "{1,0}" of a tuple; empty: the whole */
};

struct tp_allocation {
	int64_t index;
	uint64_t size_bytes;
	int64_t space;
	bool is_thread_local, is_parameter, is_live_out, is_constant,
		is_tuple; /* what it is for; all false: temporary */
	int64_t parameter_number;
	uint32_t first, count; /* in tp_buffers.assigned */
};

enum tp_heap_event_kind { TP_HEAP_ALLOC, TP_HEAP_FREE, TP_HEAP_SHARE };

struct tp_heap_event {
	enum tp_heap_event_kind kind;
	uint32_t buffer;    /* index of a logical buffer; TP_MAP_NONE: of none that exists */
	uint32_t canonical; /* SHARE: the buffer whose memory it uses */
	struct tp_slice instruction;
};

struct tp_heap_trace {
	struct tp_heap_event *events;
	uint32_t count;
};

/* What in a plan cannot be: how often each. Sizes below 0 are read as 0, what names nothing is left out, and an event that
 * contradicts those before it changes nothing. */
enum tp_plan_fault {
	TP_PLAN_SIZE_BELOW_0,
	TP_PLAN_ID_TWICE,            /* two buffers with one id; the last counts */
	TP_PLAN_NO_SUCH_BUFFER,      /* an assignment or event of an id that no buffer has */
	TP_PLAN_NO_SUCH_INSTRUCTION, /* a buffer of an instruction or part that the module does not hold */
	TP_PLAN_UNKNOWN_EVENT,       /* neither alloc, free nor share */
	TP_PLAN_LIVE_TWICE,          /* alloc or share of what is live */
	TP_PLAN_FREED_TWICE,         /* free of what is not live */
	TP_PLAN_SHARED_WITH_ITSELF,
	TP_PLAN_SHARED_WITH_NOTHING, /* with the memory of a buffer that never had any */
	TP_PLAN_FAULT_COUNT
};

/* "events free what is not live", after a number. */
const char *tp_plan_fault_text(enum tp_plan_fault fault);

struct tp_buffers {
	struct tp_logical_buffer *buffers;
	uint32_t buffer_count;
	struct tp_allocation *allocations;
	uint32_t allocation_count;
	uint32_t *assigned; /* indices of logical buffers, allocation after allocation */
	struct tp_heap_trace *traces;
	uint32_t trace_count;
	uint64_t faults[TP_PLAN_FAULT_COUNT];
};

/* The buffer assignment in a serialized HloProto; module is the one that tp_hlo_read gave for the same bytes. Everything
 * lives in arena. TP_ABSENT when the proto holds none, TP_ERR_FORMAT when it is damaged, TP_ERR_LIMIT when it asks for more
 * than any program has. */
enum tp_status tp_buffers_read(struct tp_slice bytes, const struct tp_hlo_module *module,
	struct tp_arena *arena, const struct tp_buffers **out, struct tp_err *err);

#endif

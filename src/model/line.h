/* A line: events in columns, in order, by the host's clock and on TPU cores by the chip's too, and what is kept of their arguments. */
#ifndef TP_MODEL_LINE_H
#define TP_MODEL_LINE_H

#include "base/slice.h"
#include "model/op_column.h"
#include "model/time_window.h"
#include "model/times.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TP_NONE UINT32_MAX

enum tp_line_kind {
	TP_LINE_THREAD,  /* host thread */
	TP_LINE_STEPS,   /* step markers of a device */
	TP_LINE_MODULES, /* program runs of a device */
	TP_LINE_OPS,     /* TPU: operations of the core, nested */
	TP_LINE_ASYNC,   /* TPU: asynchronous operations, overlapping */
	TP_LINE_STREAM,  /* GPU: kernels and copies */
	TP_LINE_DERIVED, /* made from other lines by the profiler: never counted */
	TP_LINE_TORCH,   /* host thread of a PyTorch trace: operators, ranges, calls, Python */
	TP_LINE_TRACK,   /* of a trace of any program, which says nothing of what its events are */
	TP_LINE_OTHER,
};

/* What is kept of an event's arguments: (event, key, value), in order of event. Strings are ids in profile->strings. */
enum tp_tag_key {
	TP_TAG_STEP_NUMBER,
	TP_TAG_STEP_NAME, /* string */
	TP_TAG_ROOT,      /* _r */
	TP_TAG_GROUP,     /* group_id, given by the profiler */
	TP_TAG_RUN,       /* run_id of host events: which run of its program an operation belongs to */
	TP_TAG_CORRELATION,
	TP_TAG_PRODUCER,   /* flows between threads: the pair of context type and id, _pt and _p … */
	TP_TAG_CONSUMER,   /* … _ct and _c, as tp_hash_pair has it */
	TP_TAG_ITERATION,  /* iter_num */
	TP_TAG_ALL_REDUCE, /* all_reduce_unique_id: the same collective on every core */
	TP_TAG_SHAPE,      /* string: operand shapes of a GPU kernel */
	TP_TAG_FLOPS,      /* of this event alone (custom calls) */
	TP_TAG_BYTES,
	/* Of kernels and copies on GPU streams; strings. */
	TP_TAG_KERNEL,     /* how it was launched: "regs:38 shm:0 grid:160,1,1 block:1024,1,1" */
	TP_TAG_COPY,       /* a copy or a fill: "size:4 dest:1 async:1" */
	TP_TAG_FRAMEWORK,  /* tf_op: "scope/MatMul:MatMul" */
	TP_TAG_HLO_OP,     /* instruction of the program; nested ones outermost first, "::" between */
	TP_TAG_ANNOTATION, /* old profiles, instead of tf_op: "scope/Mul:Mul#shape=(half[8])#" */
	TP_TAG_EQUATION,   /* of an einsum: "ab,bc->ac" */
	/* Of host and device events. */
	TP_TAG_EAGER,     /* is_eager, given by the profiler */
	TP_TAG_FUNCTION,  /* is_func of EagerExecute: it runs a tf.function, not one operation */
	TP_TAG_DMA_STALL, /* dma_stall_duration_ps: of the operation's time, spent waiting for copies */
	/* Of input pipelines: events "Iterator::…", and those that hand elements from thread to thread. */
	TP_TAG_ITERATOR,        /* id of the iterator whose call this is */
	TP_TAG_ITERATOR_PARENT, /* id of the iterator that consumes from it */
	TP_TAG_ELEMENT,         /* …Produce, …Consume: id of the element */
	TP_TAG_PARALLELISM,     /* threads of its own that the iterator may use */
	TP_TAG_STAGE,           /* newer pipelines: id of the stage … */
	TP_TAG_STAGE_CATEGORY,  /* … and what it does; string: "enqueue", "read", "preprocessing" */
	/* Of tracks. */
	TP_TAG_INSTANT, /* a moment, not an event of no length */
	TP_TAG_COUNT
};

/* Packed: a capture of TensorFlow has more than one for each event, and without it each takes 16 bytes. */
struct __attribute__((packed)) tp_tag {
	uint32_t event;
	uint8_t key; /* enum tp_tag_key */
	int64_t value;
};

/* Events in order of start, the longer first when starts are equal. */
struct tp_line {
	enum tp_line_kind kind;
	uint32_t host;
	uint32_t device; /* TP_NONE on host threads */
	struct tp_slice name;
	struct tp_slice process; /* of a track: whose it is; empty: the trace does not say */
	struct tp_slice
		title; /* the name, with the thread's number where others of the process have that name too */
	int64_t thread; /* number of a host thread; 0: the trace does not say */
	uint32_t count;
	struct tp_times host_times; /* durations ≥ 0 */
	struct tp_times chip_times; /* the host's again where there is no second clock */
	bool host_unsorted;         /* by the host's clock the order is another */
	struct tp_op_column ops;    /* indices into profile->ops */
	const struct tp_tag *tags;
	size_t tag_count;
	uint64_t tag_keys; /* which keys occur among them: 1 << key */
};

static inline int64_t
tp_line_start_ps(const struct tp_line *line, uint32_t event)
{
	return tp_times_start_ps(&line->host_times, event);
}

static inline int64_t
tp_line_duration_ps(const struct tp_line *line, uint32_t event)
{
	return tp_times_duration_ps(&line->host_times, event);
}

static inline int64_t
tp_line_chip_start_ps(const struct tp_line *line, uint32_t event)
{
	return tp_ticks_start_ps(&line->chip_times, event);
}

static inline int64_t
tp_line_chip_duration_ps(const struct tp_line *line, uint32_t event)
{
	return tp_ticks_duration_ps(&line->chip_times, event);
}

/* For who goes through the line in order, by the host's clock. */
static inline void
tp_line_window(struct tp_time_window *w, const struct tp_line *line)
{
	tp_time_window_open(w, &line->host_times, line->count);
}

/* Index into profile->ops. */
static inline uint32_t
tp_line_op(const struct tp_line *line, uint32_t event)
{
	return tp_op_column_at(&line->ops, event);
}

/* What operations the line has, for questions that need no event: as tp_op_column_met. */
static inline uint32_t
tp_line_met_count(const struct tp_line *line)
{
	return tp_op_column_met_count(&line->ops, line->count);
}

static inline uint32_t
tp_line_met(const struct tp_line *line, uint32_t item)
{
	return tp_op_column_met(&line->ops, item);
}

/* For who goes through the events of some operations alone: for (i = tp_line_next(line, bits, 0); i < line->count;
 * i = tp_line_next(line, bits, i + 1)), with bits of tp_op_column_bits. */
static inline uint32_t
tp_line_next(const struct tp_line *line, uint64_t bits, uint32_t event)
{
	return tp_op_column_next(&line->ops, bits, event, line->count);
}

#endif

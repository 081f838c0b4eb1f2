/* PyTorch traces: what they hold beside hosts, devices and lines of events. Plain data, as the rest of a profile.
 *
 * A trace is one file: one span of one worker. Its events are columns, sorted by lane (host thread or stream), then start, the
 * longer first; the profile's lines are views of them (tp_torch_lane.line). Times are picoseconds from the host's base_ns.
 * Names of categories and arguments by version of torch: schema of kineto's Chrome traces (output_json.cpp). */
#ifndef TP_MODEL_TORCH_H
#define TP_MODEL_TORCH_H

#include "base/slice.h"
#include "model/op_column.h"
#include "model/times.h"

#include <stdbool.h>
#include <stdint.h>

struct Tp__Rank;
struct tp_profile;

/* What an event is, by its category; in brackets older or other names of it. */
enum tp_torch_kind {
	TP_TORCH_OPERATOR,   /* cpu_op (Operator): detail in operators */
	TP_TORCH_ANNOTATION, /* user_annotation: a range that the program named; detail in operators */
	TP_TORCH_STEP,       /* the same, named ProfilerStep#N, on a host thread */
	TP_TORCH_PYTHON,     /* python_function: detail in pythons */
	TP_TORCH_RUNTIME,    /* cuda_runtime (Runtime, hip, mtia_runtime): detail in calls */
	TP_TORCH_DRIVER,     /* cuda_driver: detail in calls */
	TP_TORCH_KERNEL,     /* kernel (Kernel): detail in device_works, as the two below */
	TP_TORCH_MEMCPY,     /* gpu_memcpy (Memcpy) */
	TP_TORCH_MEMSET,     /* gpu_memset (Memset) */
	TP_TORCH_GPU_ANNOTATION, /* gpu_user_annotation: the annotation as its device work shows it; no work itself */
	TP_TORCH_SYNC,     /* cuda_sync: waits, on the device's side; no work itself */
	TP_TORCH_OVERHEAD, /* overhead: of the profiler */
	TP_TORCH_OTHER,    /* anything else that has a duration */
	TP_TORCH_KIND_COUNT
};

/* Attributes that many operators share: equal ones are stored once. Ids of strings in profile->strings; 0: not recorded. */
struct tp_torch_attributes {
	uint32_t shapes;     /* "Input Dims", as compact JSON: [[64,3,7,7],[]] */
	uint32_t types;      /* "Input type", likewise */
	uint32_t inputs;     /* "Concrete Inputs", of convolutions alone: ["","","","[1, 1]"] */
	uint32_t stack;      /* "Call stack" (≤ 1.11): innermost first, ";" between */
	uint32_t modules;    /* "Module Hierarchy" (some of 1.11) */
	uint32_t collective; /* index into collectives, of record_param_comms; TP_NONE: none */
	uint32_t peer;       /* of c10d::send and recv_: the other's rank in the group; TP_NONE: none */
	uint64_t flops;      /* of one call; 0: not recorded */
};

struct tp_torch_operator {
	int64_t external_id; /* -1: not recorded */
	/* number that a forward operator shares with its backward ones; -1: not recorded */
	int64_t sequence;
	uint32_t attributes; /* index */
	uint32_t forward_thread;
};

struct tp_torch_python {
	int64_t id, parent;   /* -1: none */
	uint32_t module;      /* string "Linear_0" of nn.Module calls; 0: not one */
	uint32_t called_from; /* string "file.py:12"; 0: not recorded */
};

/* A call of the runtime or driver library. */
struct tp_torch_call {
	int64_t correlation, external_id; /* -1: not recorded */
	/* ROCm writes grid and block here: index into launches; TP_NONE: not recorded */
	uint32_t launch;
};

/* How a kernel was launched; equal ones are stored once. */
struct tp_torch_launch {
	uint32_t grid[3], block[3]; /* 0: not recorded */
	uint32_t registers;         /* of a thread */
	uint32_t shared_bytes;      /* of a block */
	bool has_registers, has_shared;
	float blocks_per_sm, warps_per_sm; /* NaN: not recorded, as below */
	float occupancy; /* "est. achieved occupancy %" or "theoretical occupancy %", 0…1 */
};

/* What a device did: a kernel, a copy or a fill. */
struct tp_torch_work {
	int64_t correlation, external_id; /* -1: not recorded */
	int64_t bytes;                    /* of copies and fills; -1: not recorded */
	uint32_t launch;                  /* index into launches; TP_NONE: not recorded */
	uint32_t collective;              /* index into collectives; TP_NONE: none */
	uint32_t graph;                   /* id of the CUDA graph that it is part of; 0: none */
};

/* A collective as the communication library was asked for it; equal ones are stored once. 0 or -1: not recorded. */
struct tp_torch_collective {
	struct tp_slice name, dtype;                                /* "all_gather", "BFloat16" */
	struct tp_slice group_name, group_description, group_ranks; /* ranks: "[0, 1, 2, …]" */
	int64_t in_elements, out_elements;
	int64_t group_size, rank, rank_start, rank_stride;
	int64_t from_rank, to_rank;          /* of the job: whom a receive is from, whom a send is to */
	struct tp_slice in_split, out_split; /* JSON lists; may be empty */
};

/* One record of an allocator: memory was given out or taken back. */
struct tp_torch_memory {
	int64_t time_ps;
	uint64_t address;                        /* 0: not recorded (≤ 1.9) */
	int64_t bytes;                           /* < 0: taken back */
	int64_t allocated_bytes, reserved_bytes; /* of the device, after it; -1: not recorded */
	uint32_t lane;                           /* host thread */
	int16_t device_type;                     /* enum c10::DeviceType: 0 CPU, 1 CUDA, 6 HIP … */
	int16_t device_id;                       /* -1: the only one */
};

enum tp_torch_lane_kind {
	TP_TORCH_LANE_THREAD, /* host thread */
	TP_TORCH_LANE_STREAM, /* stream of a device: kernels, copies, fills */
	TP_TORCH_LANE_MARKS,  /* beside a stream: GPU annotations and waits, which are no work */
};

struct tp_torch_lane {
	enum tp_torch_lane_kind kind;
	uint32_t pid, tid;     /* strings, as written: "4711", "stream 7"; stream: device and stream */
	uint32_t gpu;          /* number of the device, of streams and marks; else TP_NONE */
	struct tp_slice name;  /* "python3", "stream 7"; may be empty */
	uint32_t first, count; /* its events in the columns */
	uint32_t line;         /* in the profile */
};

/* A device as deviceProperties describes it; 0 or empty: not recorded. */
struct tp_torch_gpu {
	uint32_t id;
	uint32_t device; /* in the profile; TP_NONE: nothing ran on it in this trace */
	struct tp_slice name;
	uint64_t memory_bytes;
	uint32_t compute_major, compute_minor, sm_count, warp_size;
	uint32_t threads_per_block, threads_per_sm, registers_per_block, registers_per_sm;
	uint32_t shared_per_block, shared_per_sm;
};

struct tp_torch_group {
	struct tp_slice name, description, backend, ranks; /* ranks: JSON list */
	int64_t size;                                      /* -1: not recorded */
};

/* distributedInfo. */
struct tp_torch_distributed {
	bool recorded;
	struct tp_slice backend;  /* "nccl"; may be empty */
	int64_t rank, world_size; /* -1: not recorded */
	struct tp_slice nccl_version;
	const struct tp_torch_group *groups;
	uint32_t group_count;
};

/* What was asked of the profiler. */
enum tp_torch_asked {
	TP_TORCH_SHAPES = 1 << 0,
	TP_TORCH_MEMORY = 1 << 1,
	TP_TORCH_STACK = 1 << 2,
	TP_TORCH_FLOPS = 1 << 3,
	TP_TORCH_MODULES = 1 << 4,
};

/* Conventions that changed with versions, recognised by what the file holds. */
enum tp_torch_era {
	TP_TORCH_UP_TO_1_10, /* categories Operator, Kernel, Runtime */
	TP_TORCH_UP_TO_2_1,  /* kernel, cuda_runtime; External id of device work is its correlation */
	TP_TORCH_FROM_2_2, /* External id of calls and device work is that of the operator; nanoseconds */
};

struct tp_torch_trace {
	struct tp_slice worker; /* "rank0", from the file's name */
	struct tp_slice span;   /* "1795228714391850622"; empty: the name has none */
	uint32_t span_number;   /* 1, 2, … in the order of the worker's span names */
	uint32_t worker_number; /* 0, 1, … of those of the profile */
	struct tp_slice node,
		process;          /* of the worker's name: tp_torch_split_worker; process may be empty */
	struct tp_slice run;  /* folder */
	uint32_t input, host; /* of the profile */
	enum tp_torch_era era;
	unsigned asked;            /* enum tp_torch_asked, those that the file says were on */
	struct tp_slice framework; /* "pytorch-lightning"; may be empty */
	struct tp_torch_distributed distributed;
	const struct tp_torch_gpu *gpus;
	uint32_t gpu_count;

	uint32_t count; /* events */
	struct tp_times times;
	struct tp_op_column ops; /* of the profile: name and label */
	const uint8_t *kind;     /* enum tp_torch_kind */
	const uint32_t *detail;  /* index into the table of its kind; TP_NONE: none */
	const struct tp_torch_lane *lanes;
	uint32_t lane_count;
	uint32_t kind_count[TP_TORCH_KIND_COUNT]; /* events of each */

	const struct tp_torch_operator *operators;
	const struct tp_torch_attributes *attributes;
	const struct tp_torch_python *pythons;
	const struct tp_torch_call *calls;
	const struct tp_torch_work *works;
	const struct tp_torch_launch *launches;
	const struct tp_torch_collective *collectives;
	uint32_t operator_count, attribute_count, python_count, call_count, work_count, launch_count,
		collective_count;
	const struct tp_torch_memory *memory; /* in order of time */
	uint32_t memory_count;

	bool has_window;
	int64_t window_start_ps,
		window_end_ps;           /* of the profiler's own range, "PyTorch Profiler (0)" */
	uint64_t non_finite_numbers; /* NaN, Infinity, N/A */

	/* Instead of events: what a summary keeps of them (proto/rank.proto); NULL: there are events. */
	const struct Tp__Rank *given;
	int64_t given_shift_ps; /* from its base_ns to that of the host */
};

struct tp_torch {
	struct tp_torch_trace *const *traces; /* by worker, then span */
	uint32_t trace_count;
	uint32_t worker_count;
};

static inline bool
tp_torch_is_work(uint8_t kind)
{
	return kind == TP_TORCH_KERNEL || kind == TP_TORCH_MEMCPY || kind == TP_TORCH_MEMSET;
}

static inline bool
tp_torch_is_call(uint8_t kind)
{
	return kind == TP_TORCH_RUNTIME || kind == TP_TORCH_DRIVER;
}

/* Operators and annotations, steps among them: what nests on a host thread. */
static inline bool
tp_torch_is_range(uint8_t kind)
{
	return kind == TP_TORCH_OPERATOR || kind == TP_TORCH_ANNOTATION || kind == TP_TORCH_STEP;
}

static inline int64_t
tp_torch_start_ps(const struct tp_torch_trace *t, uint32_t event)
{
	return tp_times_start_ps(&t->times, event);
}

static inline int64_t
tp_torch_duration_ps(const struct tp_torch_trace *t, uint32_t event)
{
	return tp_times_duration_ps(&t->times, event);
}

static inline uint32_t
tp_torch_op(const struct tp_torch_trace *t, uint32_t event)
{
	return tp_op_column_at(&t->ops, event);
}

static inline int64_t
tp_torch_end_ps(const struct tp_torch_trace *t, uint32_t event)
{
	return tp_torch_start_ps(t, event) + tp_torch_duration_ps(t, event);
}

/* What the trace says of the GPU of that number; NULL: nothing. */
const struct tp_torch_gpu *tp_torch_gpu_of(const struct tp_torch_trace *t, uint32_t gpu);

/* What was asked of the profiler of any trace: enum tp_torch_asked. */
unsigned tp_torch_asked_for(const struct tp_torch *torch);

/* The lane that event number `event` is on. */
uint32_t tp_torch_lane_of(const struct tp_torch_trace *t, uint32_t event);

/* Name of an event. */
struct tp_slice tp_torch_name(
	const struct tp_profile *p, const struct tp_torch_trace *t, uint32_t event);

/* Worker and span of a file's name: the base name up to ".pt.trace.json", less a last part of digits alone after a dot, which is
 * the span. Other names give all before ".json", and no span. */
void tp_torch_split_name(struct tp_slice file, struct tp_slice *worker, struct tp_slice *span);

/* Node and process of a worker's name: "node0_1" is process 1 of node0; a name that does not end in an underscore and digits is all node,
 * and so is one whose number is of something else: "worker3_step_12". A date at its end, as in "rank-3.Mar_25_20_48_12", is neither. */
void tp_torch_split_worker(struct tp_slice worker, struct tp_slice *node, struct tp_slice *process);

/* Sorts the traces by run, worker and span, numbers spans and cleans texts. NULL when count is 0. Memory from p->arena; p->ops
 * are not needed. */
struct tp_torch *tp_torch_in_order(
	struct tp_profile *p, struct tp_torch_trace *const *traces, uint32_t count);

#endif

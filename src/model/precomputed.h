/* Facts that a profiler worked out itself and left in tool files, instead of the events that they come from. Plain data, as
 * the rest of a profile; what no file gives is NaN, empty or 0 items, never 0. */
#ifndef TP_MODEL_PRECOMPUTED_H
#define TP_MODEL_PRECOMPUTED_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Parts of a step's time, as tool files tell them apart. */
enum tp_precomputed_part {
	TP_PRECOMPUTED_COMPUTE,
	TP_PRECOMPUTED_INPUT,     /* waiting for input, infeed */
	TP_PRECOMPUTED_TO_DEVICE, /* copies of input to the device */
	TP_PRECOMPUTED_OUTPUT,
	TP_PRECOMPUTED_COLLECTIVE,
	TP_PRECOMPUTED_DEVICE_TO_DEVICE,
	TP_PRECOMPUTED_SPARSE_CORE,
	TP_PRECOMPUTED_HOST_COMPUTE,
	TP_PRECOMPUTED_LAUNCH,
	TP_PRECOMPUTED_COMPILE,
	TP_PRECOMPUTED_HOST_TRANSFER,
	TP_PRECOMPUTED_IDLE,
	TP_PRECOMPUTED_OTHER,
	TP_PRECOMPUTED_PART_COUNT
};

struct tp_precomputed_step {
	struct tp_slice name;
	double part_ms[TP_PRECOMPUTED_PART_COUNT]; /* parts that the file does not tell: 0 */
	double time_ms; /* their sum, unless the file has a figure of its own */
	double input_share_min, input_share_mean, input_share_max; /* over cores; NaN: not given */
};

/* A dimension of an operation's main input, as it lies in memory. */
struct tp_precomputed_dim {
	uint64_t size, alignment; /* padded to a multiple of; 0: not at all */
	struct tp_slice meaning;  /* "feature"; may be empty */
};

/* An instruction that an operation was fused from; texts may be empty. */
struct tp_precomputed_fused {
	struct tp_slice name, opcode, expression, framework, source;
};

/* An operation, summed over its occurrences. */
struct tp_precomputed_op {
	struct tp_slice name, category;
	/* Of a compiled program; each may be empty. */
	struct tp_slice opcode, expression, framework, source, program;
	struct tp_slice duplicates; /* the operation that it was made from */
	uint64_t program_id;
	bool has_program;
	const struct tp_precomputed_fused *parts;
	size_t part_count;
	const struct tp_precomputed_dim *dims; /* minor to major; in older files */
	size_t dim_count;
	struct tp_slice bound_by; /* empty: not given */
	bool on_host;
	bool left_out;            /* not one, but all that the file leaves out of a group */
	uint64_t occurrences;     /* 0: not given */
	double total_us, self_us; /* NaN: not given, as below */
	double share;             /* of the time of operations of its side, 0…1 */
	double flop_per_s, bytes_per_s, flop_per_byte;
	double flops, bytes; /* bytes: of HBM */
	double flops_use,
		hbm_use; /* of the peak, in its own time: 1 is all; above where the work runs asynchronously */
};

/* An operation of the input pipeline on the host. */
struct tp_precomputed_input_op {
	struct tp_slice name, category;
	uint64_t count;
	double total_ms, self_ms, self_share;
};

/* Time of the host by what it does for input. */
enum tp_precomputed_input_time {
	TP_PRECOMPUTED_ENQUEUE,
	TP_PRECOMPUTED_PREPROCESSING,
	TP_PRECOMPUTED_ADVANCED_READ,
	TP_PRECOMPUTED_DEMANDED_READ,
	TP_PRECOMPUTED_INPUT_OTHER,
	TP_PRECOMPUTED_INPUT_TIME_COUNT
};

/* Figures of the whole run; shares are 0…1. */
enum tp_precomputed_figure {
	TP_PRECOMPUTED_MATRIX_UNIT,
	TP_PRECOMPUTED_DEVICE_IDLE,
	TP_PRECOMPUTED_HOST_IDLE,
	TP_PRECOMPUTED_FLOPS_OF_ROOFLINE,
	TP_PRECOMPUTED_HBM_OF_LIMIT,
	TP_PRECOMPUTED_16BIT,
	TP_PRECOMPUTED_32BIT,
	TP_PRECOMPUTED_HOST_EAGER,
	TP_PRECOMPUTED_DEVICE_EAGER,
	TP_PRECOMPUTED_OUTSIDE_COMPILATION,
	TP_PRECOMPUTED_DUTY_CYCLE,
	TP_PRECOMPUTED_FIGURE_COUNT
};

/* A GPU kernel, summed over its launches. */
struct tp_precomputed_kernel {
	struct tp_slice name, op; /* op: of the framework; may be empty */
	uint64_t occurrences, total_ns, min_ns, max_ns;
	uint64_t registers; /* of a thread; 0: not given */
	bool tensor_core;   /* uses them */
};

/* Operations of one file. */
struct tp_precomputed_ops {
	const struct tp_precomputed_op *list; /* the most expensive first */
	size_t count;
	bool first_few; /* the file keeps no more of them */
	struct tp_slice from;
};

/* Parts of a step of one core of a pod. */
enum tp_precomputed_pod_part {
	TP_PRECOMPUTED_POD_HIGH_FLOPS,
	TP_PRECOMPUTED_POD_COMPUTE, /* the rest of the step, or all compute */
	TP_PRECOMPUTED_POD_INFEED,
	TP_PRECOMPUTED_POD_OUTFEED,
	TP_PRECOMPUTED_POD_COLLECTIVE,      /* with the wait in it, unless that is told apart */
	TP_PRECOMPUTED_POD_COLLECTIVE_SYNC, /* the wait */
	TP_PRECOMPUTED_POD_SEND,
	TP_PRECOMPUTED_POD_RECV,
	TP_PRECOMPUTED_POD_SPARSE_CORE,
	TP_PRECOMPUTED_POD_HOST, /* host compute, launch, compile */
	TP_PRECOMPUTED_POD_REST, /* "all others" */
	TP_PRECOMPUTED_POD_PART_COUNT
};

struct tp_precomputed_core {
	struct tp_slice host;
	uint32_t number; /* in the file; unique */
	uint32_t chip, core_on_chip;
};

/* A channel between two cores; durations are means over occurrences. */
struct tp_precomputed_link {
	int64_t channel;
	uint32_t source, target;       /* indices of cores */
	struct tp_slice send, receive; /* HLO names; may be empty */
	double occurrences, bytes, duration_us, delay_us;
};

/* A collective, of all steps. */
struct tp_precomputed_collective {
	struct tp_slice name, shape;
	double occurrences; /* on all cores */
	double total_us;    /* over occurrences */
	double bytes;
};

/* The cores of a pod side by side. */
struct tp_precomputed_pod {
	struct tp_slice from;
	bool coarse;     /* parts are those of any device: compute as a whole, idle in the rest */
	bool sync_known; /* the wait in collectives is told apart */
	bool numbers_from_chips; /* every core has a chip and a place on it that no other has */
	uint32_t cores_per_chip; /* of the chip with the most */
	const struct tp_precomputed_core *cores;
	const struct tp_slice *steps; /* names */
	const double *us;             /* [(step × cores + core) × parts + part] */
	size_t core_count, step_count;
	size_t steps_left_out; /* not on all cores, or too many to be held */
	const struct tp_precomputed_link *links;
	const struct tp_precomputed_collective *collectives; /* the longest first */
	size_t link_count, collective_count;
	size_t links_left_out; /* between cores that are not there */
	uint32_t mesh[3];      /* chips in x, y and z, as they are arranged; 0: not given */
};

/* A buffer at the peak of a program's memory, or several small ones together. */
struct tp_precomputed_buffer {
	struct tp_slice name, shape, category, opcode, framework, source; /* each may be empty */
	double mib, unpadded_mib;
	uint32_t start, end; /* program points between which it is live */
	bool whole;          /* live all the time */
};

/* The memory plan of a program: its HLO, or else the profiler's own figures. */
struct tp_precomputed_plan {
	struct tp_slice from, name;
	uint32_t program;    /* of the profile; TP_NONE: it is there only to be compared */
	bool has_id;         /* of the program */
	struct tp_slice hlo; /* serialized xla.HloProto; empty: figures, as follow */
	double peak_mib, unpadded_mib, whole_mib, allocated_mib;
	double parameter_mib; /* NaN: not given */
	uint32_t peak_position, event_count;
	struct tp_slice peak_instruction;
	const double *mib, *unpadded;                /* event_count + 1 points; NULL: no event */
	const struct tp_precomputed_buffer *buffers; /* in program order */
	size_t buffer_count;
};

/* A tool file that was read. */
struct tp_precomputed_file {
	struct tp_slice name, reader;
	bool partial;
	const struct tp_precomputed_file *next;
};

/* What the tool files of one host give, or of all together. */
struct tp_precomputed {
	struct tp_slice host_name; /* by the files' names */
	uint32_t host; /* of the profile; TP_NONE: its hosts are those of files with events */
	const struct tp_precomputed_file *files;
	const struct tp_precomputed_step *steps;
	size_t step_count;
	unsigned parts;              /* those that the file tells: 1 << enum tp_precomputed_part */
	struct tp_slice steps_from;  /* names of files, as the others that end in _from */
	struct tp_slice hardware;    /* "TPU", "GPU"; empty: not given */
	struct tp_slice device_type; /* "TPU v2" */
	struct tp_slice environment_from;
	uint32_t core_count;           /* 0: not given */
	uint64_t batch, batch_of_core; /* examples of a step; 0: not given */
	struct tp_slice captured;      /* when, as the profiler writes it; empty: not given */
	uint64_t capture_ms;           /* 0: not given */
	struct tp_slice statement, statement_from; /* the profiler's own verdict */
	double figures[TP_PRECOMPUTED_FIGURE_COUNT];
	struct tp_slice figures_from;
	struct tp_precomputed_ops program_ops;   /* of compiled programs, on devices: the op profile */
	struct tp_precomputed_ops framework_ops; /* of the framework, on devices and hosts */
	double idle_us; /* of the devices that ran operations of programs; NaN: not given */
	const struct tp_precomputed_input_op *input_ops;
	size_t input_op_count;
	double input_us[TP_PRECOMPUTED_INPUT_TIME_COUNT];
	struct tp_slice input_from;
	const struct tp_precomputed_kernel *kernels; /* the one with the most time first */
	size_t kernel_count;
	struct tp_slice kernels_from;
	const struct tp_precomputed_pod *pod; /* NULL: not given */
	const struct tp_precomputed_plan **plans;
	size_t plan_count;
};

struct tp_arena;

/* With nothing in it. */
struct tp_precomputed *tp_precomputed_new(struct tp_arena *arena);

/* The first operation that ran on a device: of programs, else of the framework; from: the file, may be NULL. NULL: none is
 * named. */
const struct tp_precomputed_op *tp_precomputed_top_op(
	const struct tp_precomputed *g, struct tp_slice *from);

/* All hosts' together: of each group of figures (steps, shares, operations …) those of the first host that has it, for
 * nothing says how they would add up; programs of all hosts. */
struct tp_precomputed *tp_precomputed_together(
	const struct tp_precomputed *const *hosts, size_t count, struct tp_arena *arena);

#endif

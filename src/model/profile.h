/* The profile: what a run is. Hosts, devices, programs, operations, and lines of events in columns. Plain data: readers
 * write it through model/build.h, passes only read it.
 *
 * Times are picoseconds as int64 on the host's clock, counted from the host's base_ns (so that they fit); lines of TPU
 * cores have a second pair on the chip's clock, which is the one to measure operations with. */
#ifndef TP_MODEL_PROFILE_H
#define TP_MODEL_PROFILE_H

#include "base/diag.h"
#include "base/map.h"
#include "base/slice.h"
#include "model/line.h"

#include <stdint.h>

struct Tp__Rank;
struct Tp__RankDevice;
struct tp_allocator_event;
struct tp_arena;
struct tp_precomputed;

/* An input file that was read, whole or in part. */
struct tp_input {
	struct tp_slice path, reader;
	uint64_t size_bytes; /* as stored */
	bool partial;        /* damaged or cut off: a diagnostic says where */
	bool trace;          /* not the profile, but the trace that the profiler made of it */
	bool of_job;         /* not of the profile, but about the job: event files, graphs, dumps */
	bool precomputed;    /* no events: what a profiler worked out, or what is about the job */
};

/* One thing that the profile says about itself: "jax_version" = "0.10.2". */
struct tp_fact {
	struct tp_slice key, value;
	struct tp_slice where; /* which part of the file says so: "/host:metadata" */
	struct tp_fact *next;
};

/* What the profiler was asked for. */
struct tp_capture_options {
	bool recorded;
	uint32_t host_level, device_level, python_level; /* 0: off */
	bool hlo, dataset_ops; /* whether HLO and operations of tf.data are included */
	uint64_t duration_ms;  /* 0: until it was stopped */
	struct tp_slice path;  /* where the profile was written to; may be empty */
};

struct tp_host {
	struct tp_slice name;
	uint32_t input;                      /* index of its file */
	int64_t base_ns;                     /* what the times of its lines count from */
	int64_t start_unix_ns, stop_unix_ns; /* of the capture; 0: not recorded */
	double matrix_unit_share, hbm_share; /* performance counters, 0…1; NaN: not recorded */
	struct tp_capture_options options;
	struct tp_fact *facts;
	/* Of a host whose events are not there, but a summary of them (proto/rank.proto), which is sound; else NULL. */
	const struct Tp__Rank *given;
};

enum tp_device_kind { TP_DEVICE_TPU, TP_DEVICE_GPU, TP_DEVICE_SPARSE_CORE, TP_DEVICE_OTHER };

/* One device plane: a TensorCore of a TPU chip (or a megacore), or a GPU. */
struct tp_device {
	enum tp_device_kind kind;
	uint32_t host;
	uint32_t ordinal;            /* on its host */
	struct tp_slice name;        /* "/device:TPU:0" */
	struct tp_slice type;        /* "TPU v6 Lite"; empty: not recorded */
	struct tp_slice vendor;      /* GPU; may be empty */
	double peak_flop_per_s;      /* stated by the profile; 0: not stated */
	double peak_hbm_bytes_per_s; /* likewise */
	double memory_bytes;         /* likewise */
	/* On-chip memories, bytes a second; 0: not stated. */
	double peak_cmem_read, peak_cmem_write, peak_vmem_read, peak_vmem_write;
	uint32_t plane_cores; /* TensorCores that it stands for: 1, of a megacore 2; 0: not stated */
	bool has_core_details;
	uint32_t core_on_chip, local_chip, global_chip, global_core;
	uint32_t sm_count, clock_khz, compute_major, compute_minor; /* GPU; 0: not stated */
	/* of PyTorch: a GPU that an earlier device is, in spans too far apart for one clock */
	bool again;
	/* of a host that is given; else NULL */
	const struct Tp__RankDevice *given;
};

/* A compiled program whose HLO the profile carries. */
struct tp_program {
	uint32_t host;
	uint64_t id;
	struct tp_slice name; /* "jit_train_step", without "(id)" */
	struct tp_slice hlo;  /* serialized xla.HloProto */
	uint64_t fingerprint; /* of what it computes (model/hlo_fingerprint.h); 0: its HLO is damaged */
	/* where that lies in the file; TP_NO_OFFSET: it was unpacked or put together */
	uint64_t hlo_at;
};

/* What an event is an occurrence of. Figures are per occurrence, as the compiler estimated them. */
struct tp_op {
	/* long name: the HLO text on a TPU, the kernel's or activity's name elsewhere */
	struct tp_slice name;
	struct tp_slice label;      /* short name: "fusion.12" */
	struct tp_slice category;   /* HLO category or opcode; empty: none */
	struct tp_slice framework;  /* tf_op: "jit(f)/jit(main)/add:Add"; empty: none */
	struct tp_slice source;     /* "model.py:42"; empty: none */
	struct tp_slice shape;      /* with layout; empty: none */
	struct tp_slice duplicates; /* deduplicated_name; empty: none */
	uint64_t program_id;
	bool has_program;
	bool xla; /* an HLO instruction (on a device, or on the host for XLA:CPU) */
	bool
		kernel; /* of a program that XLA compiled for a GPU: named as its instruction, with _ for . */
	/* result or operands are 16-bit floating-point numbers, by the program's HLO */
	bool half, half_known;
	/* A kernel's own products by its program's HLO (ingest/hlo_products.h): FLOP of one run, and the type of what is multiplied, "bf16";
	 * known: 0 as well, and that of all kernels that compute products. */
	bool matrix_known;
	uint64_t matrix_flops;
	struct tp_slice matrix_type;
	bool has_costs; /* flops and bytes are stated */
	uint64_t flops, model_flops, bytes, hbm_bytes;
	uint64_t cmem_read_bytes, cmem_write_bytes, vmem_read_bytes,
		vmem_write_bytes; /* 0 also where the profile does not tell memories apart */
};

struct tp_profile {
	/* owns all of it; slices may also point into input files that live as long */
	struct tp_arena *arena;
	struct tp_arena *events; /* owns columns and tags of lines; NULL: they are no longer there */
	struct tp_strings strings;
	struct tp_diags diags;
	struct tp_slice name; /* of the job: the log directory's */
	struct tp_slice run;  /* name of the run's folder */
	/* "worker rank0 of 4, span 2 of 3" where not all of the run was read; else empty */
	struct tp_slice chosen;
	bool
		some_hosts; /* only hosts that the user named were read: others of the run may hold them up */

	struct tp_input *inputs;
	uint32_t input_count;
	struct tp_host *hosts;
	uint32_t host_count;
	struct tp_device *devices;
	uint32_t device_count;
	struct tp_program *programs;
	uint32_t program_count;
	struct tp_op *ops;
	uint32_t op_count;
	struct tp_line *lines;
	uint32_t line_count;
	const struct tp_allocator_event *allocator_events; /* in the order of the files */
	uint32_t allocator_event_count;
	uint64_t event_count;
	uint64_t dropped_events; /* that the profiler said it dropped, or that could not be read */
	const struct tp_precomputed
		*precomputed; /* from tool files of all hosts; NULL: there are none */
	const struct tp_precomputed *const *precomputed_hosts; /* of each host by itself */
	uint32_t precomputed_host_count;
#define TP_SIDE(name, type, member, of_job, lack) struct type *member;
#include "model/facts.inc"
};

/* The value of the tag with this key of event number `event`; false when it has none. `from` is a cursor into the line's
 * tags for callers that go through the events in order: start it at 0. */
bool tp_tag_find(
	const struct tp_line *line, size_t *from, uint32_t event, enum tp_tag_key key, int64_t *value);

enum tp_fact_kind {
#define TP_FACT(name, lack) TP_FACT_##name,
#include "model/facts.inc"
	TP_FACT_COUNT
};

/* What facts a profile holds, for passes to ask for. */
enum tp_facts {
#define TP_FACT(name, lack) TP_HAS_##name = 1 << TP_FACT_##name,
#include "model/facts.inc"
};
unsigned tp_profile_facts(const struct tp_profile *p);

/* Whether any event of the line is an operation of XLA. */
bool tp_line_has_xla(const struct tp_profile *p, const struct tp_line *line);

/* Gives back the memory of columns and tags: lines keep their counts, and can be asked for nothing of single events any more.
 * Traces of PyTorch keep theirs. */
void tp_profile_release_lines(struct tp_profile *p);

/* Whether traces of any program are all there is: nothing says what an event is. */
bool tp_profile_is_tracks_alone(const struct tp_profile *p);

/* What is said of a profile that lacks these; empty when that is none. */
struct tp_slice tp_facts_lack(unsigned absent);

#endif

/* The run environment: what ran where. */
#ifndef TP_ANALYZE_ENVIRONMENT_H
#define TP_ANALYZE_ENVIRONMENT_H

#include "analyze/core/ctx.h"
#include "analyze/facts/batch.h"
#include "base/number.h"
#include "report/doc.h"

#include <stdint.h>

enum tp_framework {
	TP_FRAMEWORK_UNKNOWN,
	TP_FRAMEWORK_JAX,
	TP_FRAMEWORK_TENSORFLOW,
	TP_FRAMEWORK_PYTORCH_XLA,
	TP_FRAMEWORK_PYTORCH
};

/* Chips or GPUs of one type, and their TensorCores (GPUs again). */
struct tp_devices_of_type {
	struct tp_slice type; /* as tp_device_type() */
	uint32_t devices, cores;
};

/* What a trace that PyTorch Lightning's profiler wrote calls its framework. */
#define TP_LIGHTNING "pytorch-lightning"

struct tp_environment {
	uint32_t hosts;
	uint32_t devices, cores; /* chips or GPUs; TensorCores (GPUs again); 0 on CPU-only runs */
	uint32_t working; /* of the cores, those that ran operations; all, where that is not known */
	/* further TPU cores that the job must have by the numbers of these; 0: none known */
	uint32_t unprofiled;
	uint32_t first_device; /* index of the first TPU or GPU, or TP_NONE */
	struct tp_slice
		precomputed_from;       /* the tool file that says what devices there are; else empty */
	struct tp_slice hosts_from; /* likewise, how many hosts */
	bool unrecorded;            /* kernels were launched, and none was recorded: no core is known */
	/* why no kernel of a GPU was recorded, of profiles that are not PyTorch's (kernels_unrecorded.h); empty: some were */
	struct tp_slice no_kernels;
	bool launched;                          /* of these: launches were recorded */
	const struct tp_devices_of_type *types; /* as they are met; none on CPU-only runs */
	uint32_t type_count;
	/* of the first device: "TPU v6 Lite", "GPU (compute capability 7.0)", "CPU"; empty: tool files do not say */
	struct tp_slice device_type;
	enum tp_framework framework;
	struct tp_value framework_name;                /* "JAX 0.10.2" */
	const char *framework_from;                    /* what says so */
	struct tp_value capture_start, capture_length; /* of the first host that tells */
	bool capture_precomputed;                      /* these are of a tool file */
	struct tp_batch batch;                         /* inferred, unless … */
	uint64_t batch_of_step;                        /* … a tool file states it; 0: none does */
	struct tp_slice stated_in; /* the tool file that says batch or capture; else empty */
};

struct tp_device;
struct tp_line;
struct tp_map;

/* Whether it is a thread of TensorFlow, by its name. */
bool tp_environment_is_tensorflow(const struct tp_line *line);

/* Whether a device plane is one of a TPU core or GPU. */
bool tp_environment_counts(const struct tp_device *d);

/* Whether it is the first of its chip that is asked about with this map: two cores of one chip are one device. */
bool tp_environment_first_of_chip(const struct tp_device *d, struct tp_map *chips);

/* "2 × NVIDIA H100, 1 × NVIDIA V100", "8 × TPU v4 cores"; where cores are known. */
struct tp_text tp_environment_say_devices(const struct tp_environment *e, struct tp_doc *doc);

/* Whether all hosts and workers of the run are in the report, as far as is known: one may wait for any of them. */
bool tp_environment_holds_all(const struct tp_pass_ctx *ctx);

/* struct tp_environment; never skipped */
extern const struct tp_pass tp_pass_environment;

#endif

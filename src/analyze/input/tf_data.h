/* tf.data pipelines: how long a call for the next batch takes, and which stage it spends that time in. */
#ifndef TP_ANALYZE_TF_DATA_H
#define TP_ANALYZE_TF_DATA_H

#include "analyze/input/input_names.h"

#include <stdbool.h>
#include <stddef.h>

struct tp_pass_ctx;

/* A call that takes longer is slow (xprof's limit). */
#define TP_TF_DATA_SLOW_PS 50000000

/* From these shares of the calls for a batch on, stages of one kind are a finding; and work that began only when the
 * consumer asked. */
#define TP_STAGES_HIGH_SHARE 0.50
#define TP_STAGES_MEDIUM_SHARE 0.10
#define TP_NOT_AHEAD_HIGH_SHARE 0.90
#define TP_NOT_AHEAD_MEDIUM_SHARE 0.50

/* A stage of a pipeline: the iterators at one place of its tree. */
struct tp_stage {
	struct tp_slice name, long_name; /* "Map", "Iterator::Root::Prefetch::Map" */
	enum tp_iterator_kind kind;
	uint32_t pipeline;
	uint32_t parent;    /* index of the stage that consumes from it; TP_NONE: the consumer itself */
	uint32_t depth;     /* 0 for the root */
	uint32_t iterators; /* that stand at this place */
	uint32_t parallelism; /* threads of its own, as it says; 0: it does not say */
	bool ahead;           /* on a thread that works ahead of the consumer */
	uint64_t calls;
	int64_t total_ps;
	int64_t self_ps; /* without the time in which a stage below it was called; see critical_ps */
	/* of the calls of the root: the time in which this stage was the one waited for */
	int64_t critical_ps;
};

/* One root iterator of one host. */
struct tp_pipeline {
	uint32_t host;
	bool to_device; /* only takes elements from another pipeline and puts them on a device */
	uint64_t calls, slow_calls;
	int64_t sum_ps, min_ps, max_ps; /* of a call */
	int64_t ahead_ps;               /* of sum_ps: waiting for threads that work ahead */
	/* Of the longest call: the iterator with the most time of its own (xprof's bottleneck). */
	struct tp_slice bottleneck;
	int64_t bottleneck_ps;
	uint32_t first, count; /* stages: consumer first, each followed by those below it */
	uint32_t slowest;      /* stage with the largest critical_ps */
};

struct tp_tf_data {
	struct tp_pipeline *pipelines; /* by longest call, descending; those to devices last */
	size_t count, host_count;      /* host_count: how many of them are not to a device */
	struct tp_stage *stages;
	size_t stage_count;
	bool by_name; /* iterators carry no id on some host: equal names count as one iterator */
	/* Over all pipelines but those to devices. */
	uint64_t calls, slow_calls;
	int64_t sum_ps, ahead_ps;
	int64_t kind_ps[TP_ITERATOR_KIND_COUNT]; /* Σ critical_ps */
	int64_t alone_ps; /* of kinds PARALLEL and SERIAL: stages that work on one element at a time */
	int64_t demanded_ps; /* of kind FILE: on demand, by name and by what was seen */
};

/* Whether a stage works on one element at a time though it, or its parallel version, could work on several. */
bool tp_stage_works_alone(const struct tp_stage *stage);

/* Arrays live in ctx->keep; count is 0 when the profile holds no call of an iterator. */
void tp_tf_data_find(const struct tp_pass_ctx *ctx, struct tp_tf_data *out);

#endif

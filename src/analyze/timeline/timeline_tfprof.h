/* Runs of the nodes of a dump, as they stand on the lines that are made of them. */
#ifndef TP_ANALYZE_TIMELINE_TFPROF_H
#define TP_ANALYZE_TIMELINE_TFPROF_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tp_builder;
struct tp_pass_ctx;
struct tp_tfprof;

struct tp_node_run {
	struct tp_slice device;
	int64_t start_us, us, step; /* start_us: since 1970 */
	uint32_t node, place;       /* index in the dump; how many runs were recorded before it */
	bool on_cpu;          /* tfprof counts it as CPU time: that of a CPU, or that of a GPU's host */
	uint32_t line, event; /* where it stands; event TP_NONE: nowhere */
};

/* Adds the arrows between devices, as tfprof draws them in its timeline: to a run on a device, from runs of its node's inputs on other
 * devices in the same step, scheduled by the host or run by a CPU; of an input's runs on one device, from the last that began no
 * later. */
void tp_timeline_tfprof_flows(const struct tp_pass_ctx *ctx, const struct tp_tfprof *dump,
	const struct tp_node_run *runs, size_t count, struct tp_builder *b);

#endif

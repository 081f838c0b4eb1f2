/* What the HLO of programs says of sends and receives: channels, and which cores of the job each joins. */
#ifndef TP_ANALYZE_POD_SENDS_H
#define TP_ANALYZE_POD_SENDS_H

#include "analyze/core/ctx.h"
#include "base/slice.h"

#include <stdint.h>

/* A send with its receive. */
struct tp_pod_send {
	uint64_t program;
	int64_t channel;
	struct tp_slice send, receive; /* HLO names */
	uint64_t bytes;                /* without padding */
	const uint32_t *from, *to;     /* numbers of cores: pairs */
	size_t pair_count;
};

struct tp_pod_sends {
	const struct tp_pod_send *at;
	size_t count;
	struct tp_slice damaged; /* why a program could not be read; empty: none */
};

/* Those of the programs of which some operation sends, each program once; of hosts that are given, those that their summaries keep, each with
 * the pairs of all hosts. Texts and arrays are in ctx->keep. */
struct tp_pod_sends tp_pod_find_sends(const struct tp_pass_ctx *ctx);

/* Whether an operation of this category begins a send, or ends a receive. */
bool tp_pod_is_send(struct tp_slice category);
bool tp_pod_is_receive(struct tp_slice category);

#endif

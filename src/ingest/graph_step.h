/* What a step ran of a graph and on which device: RunMetadata and its StepStats (tensorflow/core/protobuf/config.proto,
 * tensorflow/core/framework/step_stats.proto). */
#ifndef TP_INGEST_GRAPH_STEP_H
#define TP_INGEST_GRAPH_STEP_H

#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_builder;
struct tp_graph_place;

/* The fields of a message with this number, each what one device got, as one graph. False: there is none. */
bool tp_graph_parts_read(const struct tp_graph_place *place, struct tp_builder *out,
	struct tp_slice message, uint32_t field);

/* What ran by the statistics in RunMetadata, as a graph; of a name that is on two devices none is kept. */
void tp_graph_stats_read(
	const struct tp_graph_place *place, struct tp_builder *out, struct tp_slice run);

#endif

/* What nodes of a tfprof dump hold (ProfileNode, ExecProfile of tensorflow/core/profiler/tfprof_log.proto). */
#ifndef TP_INGEST_TFPROF_NODE_H
#define TP_INGEST_TFPROF_NODE_H

#include "ingest/graph_draft.h"

#include "codec/pb_wire.h"

/* An entry of a map with numbers as keys: its key, and its value as bytes or as a number. */
struct tp_slice tp_tfprof_entry(struct tp_slice message, uint64_t *key, uint64_t *number);

/* Pushes a shape: tfprof writes scalars as [1], and nothing for what is not known. */
void tp_tfprof_shape(struct tp_graph_draft *d, struct tp_slice tuple);

/* The elements of a node that is a variable, or TP_GRAPH_UNKNOWN_SHAPE. */
int64_t tp_tfprof_elements(struct tp_slice node);

/* Adds what a step, an ExecProfile, says to the run of its node. */
void tp_tfprof_exec(struct tp_graph_run *run, struct tp_slice exec);

#endif

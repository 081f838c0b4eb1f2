/* Inside the reader of event files. */
#ifndef TP_INGEST_EVENTS_H
#define TP_INGEST_EVENTS_H

#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_arena;
struct tp_builder;
struct tp_event_run;
struct tp_event_series;
struct tp_source;

/* The only number in a tensorflow.TensorProto; false: it holds none or several, or no numbers. */
bool tp_events_scalar(struct tp_slice tensor, double *value);

/* What the plugin of hyperparameters wrote of a tag: those that it names are the run's (events_hparams.c). */
void tp_events_hparams(struct tp_event_run *run, struct tp_slice content, struct tp_arena *arena);

/* Graphs that an event holds: a GraphDef; a MetaGraphDef; those in RunMetadata with a tag; those in the texts of a tensor, if
 * its series is of a plugin that writes such (events_graph.c). */
void tp_events_graph(
	const struct tp_source *in, struct tp_builder *out, int64_t step, struct tp_slice graph);
void tp_events_meta_graph(
	const struct tp_source *in, struct tp_builder *out, int64_t step, struct tp_slice meta);
void tp_events_run(const struct tp_source *in, struct tp_builder *out, int64_t step,
	struct tp_slice tag, struct tp_slice run);
void tp_events_tensor(const struct tp_source *in, struct tp_builder *out, int64_t step,
	const struct tp_event_series *series, struct tp_slice tensor);

#endif

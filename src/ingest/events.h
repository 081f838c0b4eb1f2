/* Inside the reader of event files. */
#ifndef TP_INGEST_EVENTS_H
#define TP_INGEST_EVENTS_H

#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_arena;
struct tp_builder;
struct tp_event_point;
struct tp_event_run;
struct tp_event_series;
struct tp_source;

/* The series of a tag, made when it is first asked for; the pointer holds until the next is. */
struct tp_event_series *tp_events_series(
	struct tp_event_run *run, struct tp_slice tag, struct tp_arena *arena);

void tp_events_add_point(struct tp_event_run *run, struct tp_event_series *series,
	const struct tp_event_point *point, struct tp_arena *arena);

/* Takes away the points at this step or later, of a series or of all; returns how many. *latest_s: raised to when the latest of
 * them was written, where it is NaN or earlier. */
uint64_t tp_events_purge(struct tp_event_run *run, struct tp_event_series *series, int64_t step,
	double *latest_s, struct tp_arena *arena);
uint64_t tp_events_purge_all(
	struct tp_event_run *run, int64_t step, double *latest_s, struct tp_arena *arena);

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

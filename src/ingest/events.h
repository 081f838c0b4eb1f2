/* Inside the reader of event files. Messages point into their record. */
#ifndef TP_INGEST_EVENTS_H
#define TP_INGEST_EVENTS_H

#include "base/slice.h"
#include "model/events.h"
#include "model/graph.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_builder;
struct tp_pb;
struct tp_source;

/* The only number in a tensorflow.TensorProto; false: it holds none or several, or no numbers. */
bool tp_events_scalar(struct tp_slice tensor, double *value);

/* Graphs that an event holds: a GraphDef or a MetaGraphDef; those in RunMetadata with a tag; those in the texts of a tensor, if
 * its series is of a plugin that writes such (events_graph.c). */
void tp_events_graph(const struct tp_source *in, struct tp_builder *out, int64_t step,
	enum tp_graph_from from, struct tp_slice graph);
void tp_events_run(const struct tp_source *in, struct tp_builder *out, int64_t step,
	struct tp_slice tag, struct tp_slice run);
void tp_events_tensor(const struct tp_source *in, struct tp_builder *out, int64_t step,
	const struct tp_event_series *series, struct tp_slice tensor);

/* A record: tensorflow.Event. */
struct tp_event {
	double wall_s;
	int64_t step;
	/* The messages that it holds; ptr is NULL where it holds none. */
	struct tp_slice version, summary, session, run_metadata, graph, meta_graph, log_message;
};
struct tp_event tp_event_read(struct tp_slice record);

/* 2 of "brain.Event:2"; 0 of anything else. */
double tp_event_version(struct tp_slice text);

/* A value of a summary. */
struct tp_event_value {
	struct tp_slice tag, tensor;
	struct tp_slice plugin, content; /* content: what the plugin wrote of the tag */
	bool simple, has_tensor;
	double number;            /* of a simple one */
	enum tp_event_other kind; /* of one that is neither simple nor a tensor */
};
/* The next value of a summary that was opened; false: there is none. */
bool tp_event_value_next(struct tp_pb *summary, struct tp_event_value *v);

/* What the tensors of a plugin are, by its name. */
enum tp_event_other tp_event_kind_of_plugin(struct tp_slice plugin);

#endif

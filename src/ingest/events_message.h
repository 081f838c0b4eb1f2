/* The messages of an event file, as far as they matter here. What they point to is the record's. */
#ifndef TP_INGEST_EVENTS_MESSAGE_H
#define TP_INGEST_EVENTS_MESSAGE_H

#include "base/slice.h"
#include "model/events.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_pb;

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

/* A mark of a session: tensorflow.SessionLog. */
struct tp_event_session {
	uint64_t status;
	struct tp_slice checkpoint; /* where it was saved */
};
struct tp_event_session tp_event_session_read(struct tp_slice bytes);

/* The RunMetadata of a tensorflow.TaggedRunMetadata, and its tag. */
struct tp_slice tp_event_run_metadata(struct tp_slice bytes, struct tp_slice *tag);

#endif

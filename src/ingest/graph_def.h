/* The messages of graphs (tensorflow/core/framework/graph.proto, node_def.proto, attr_value.proto, function.proto,
 * tensorflow/core/protobuf/meta_graph.proto, saved_model.proto). */
#ifndef TP_INGEST_GRAPH_DEF_H
#define TP_INGEST_GRAPH_DEF_H

#include "ingest/graph_draft.h"

#include "codec/pb_wire.h"

struct tp_source;

enum tp_graph_message {
	TP_GRAPH_NO_MESSAGE,
	TP_GRAPH_DEF,
	TP_GRAPH_META,
	TP_GRAPH_SAVED_MODEL,
};

/* What a message is, by what its first fields hold. */
enum tp_graph_message tp_graph_message_of(struct tp_slice message);

/* Where reading stopped that should have gone on. */
struct tp_graph_damage {
	const uint8_t *at; /* NULL: nowhere */
	bool cut;          /* the bytes ended there, else they are no protobuf */
	uint32_t lost;     /* nodes of which a part was lost: left out */
};

/* Remembers where the message ended before its time, if it did and nothing before it. */
void tp_graph_damage_note(struct tp_graph_damage *damage, const struct tp_pb *p);

/* Pushes a GraphDef, with its functions. Texts are of the message. */
void tp_graph_def_read(
	struct tp_graph_draft *d, struct tp_slice message, struct tp_graph_damage *damage);

/* Pushes the graph of a MetaGraphDef, and notes which variables are trained. */
void tp_graph_meta_read(
	struct tp_graph_draft *d, struct tp_slice message, struct tp_graph_damage *damage);

/* One field of an AttrValue that stands at a node: what it says of its type, its shape and those of its outputs, and
 * whether it is to stay outside of what XLA compiles. */
void tp_graph_attr_read(struct tp_graph_draft *d, struct tp_graph_draft_node *node,
	struct tp_slice key, struct tp_slice value);

/* Whether an operation is a variable, which holds its values from step to step. */
bool tp_graph_is_variable(struct tp_slice op);

/* Says the damage, if any, as a place in the file, or without one when its bytes were made. */
void tp_graph_damage_tell(
	const struct tp_source *in, struct tp_builder *out, const struct tp_graph_damage *damage);

#endif

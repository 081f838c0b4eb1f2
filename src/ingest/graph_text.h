/* Graphs as text: turned into the messages on the wire that they stand for, so that one reader reads both. */
#ifndef TP_INGEST_GRAPH_TEXT_H
#define TP_INGEST_GRAPH_TEXT_H

#include "ingest/graph_def.h"
#include "ingest/pb_write.h"

/* What a text is, by its first known field. */
enum tp_graph_message tp_graph_text_of(struct tp_slice text);

/* Writes the message with the fields that are read of a graph. damage: where the text breaks off or is none; the node in which
 * it does is left out. */
void tp_graph_text_write(struct tp_slice text, enum tp_graph_message kind, struct tp_pb_out *out,
	struct tp_graph_damage *damage);

#endif

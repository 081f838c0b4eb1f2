/* Models of Keras as their callback for TensorBoard writes them into event files: layers, no operations. */
#ifndef TP_INGEST_GRAPH_KERAS_H
#define TP_INGEST_GRAPH_KERAS_H

#include "ingest/graph_draft.h"

/* Pushes the layers of a model's JSON, of Keras 3 or before: each named by the models that it is in. False: it is no such
 * JSON. Texts are to be copied. */
bool tp_graph_keras_read(struct tp_graph_draft *d, struct tp_slice json);

#endif

/* What the names of host events say about input: which are operations, which of them feed the device, what a stage of a
 * tf.data pipeline does. */
#ifndef TP_ANALYZE_INPUT_NAMES_H
#define TP_ANALYZE_INPUT_NAMES_H

#include "base/slice.h"

#include <stdint.h>

/* xprof's classes of input operations. */
enum tp_input_class {
	TP_INPUT_ENQUEUE,
	TP_INPUT_PREPROCESSING, /* every stage that reads no file: generators and buffers too */
	TP_INPUT_ADVANCED_READ, /* a file is read before its content is asked for */
	TP_INPUT_DEMANDED_READ,
	TP_INPUT_OTHER,
	TP_INPUT_CLASS_COUNT
};

/* How an event counts among the operations of a thread. */
enum tp_host_op {
	TP_HOST_OP_NONE,      /* not at all */
	TP_HOST_OP_FRAMEWORK, /* an operation: what it covers is no longer self time of the one around it */
	TP_HOST_OP_INPUT,     /* this and all above: input, of class (it − TP_HOST_OP_INPUT) */
};

/* What the name of an event makes of it. */
unsigned tp_host_op_of_name(struct tp_slice name);

/* The same for a stage that states its category: "enqueue", "read", "preprocessing", "unknown", in any case. */
unsigned tp_host_op_of_stage(struct tp_slice category);

/* What a stage of a tf.data pipeline does. */
enum tp_iterator_kind {
	TP_ITERATOR_ROOT,       /* where the consumer asks */
	TP_ITERATOR_FILE,       /* reads files */
	TP_ITERATOR_MEMORY,     /* takes elements from tensors in memory */
	TP_ITERATOR_GENERATOR,  /* runs Python */
	TP_ITERATOR_SERVICE,    /* tf.data service */
	TP_ITERATOR_REMOTE,     /* another source over the network */
	TP_ITERATOR_SERIAL,     /* transforms one element at a time, though it could several */
	TP_ITERATOR_SEQUENTIAL, /* can only go one by one */
	TP_ITERATOR_PARALLEL,   /* transforms several at once */
	TP_ITERATOR_BUFFER,     /* keeps elements ready */
	TP_ITERATOR_CACHE,
	TP_ITERATOR_FORWARD, /* only takes elements from another pipeline, to put them on a device */
	TP_ITERATOR_OTHER,
	TP_ITERATOR_KIND_COUNT
};

/* "Iterator::Root::Prefetch::Map" → "Map". */
struct tp_slice tp_iterator_name(struct tp_slice long_name);

/* By the last part of the name, without its version: "Iterator::Root::ParallelMapV2" → PARALLEL. */
enum tp_iterator_kind tp_iterator_kind(struct tp_slice long_name);

/* How many parts the name has: 2 for the root, "Iterator::Root". */
unsigned tp_iterator_parts(struct tp_slice long_name);

#endif

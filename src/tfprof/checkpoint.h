/* Variables of a checkpoint of TensorFlow: their types, shapes and values; of version 2 (tensorflow/core/protobuf/tensor_bundle.proto) and
 * of version 1 (checkpoint_v1.h). */
#ifndef TP_TFPROF_CHECKPOINT_H
#define TP_TFPROF_CHECKPOINT_H

#include "base/err.h"
#include "base/slice.h"

#include <stdint.h>

struct tp_arena;
struct tp_blob;
struct tp_buf;
struct tp_sink;
struct tp_table;
struct tp_tfprof;

struct tp_variable {
	struct tp_slice name;
	unsigned type; /* tensorflow.DataType */
	const int64_t *dims;
	uint32_t rank;
	struct tp_slice
		bytes; /* empty: the file of its values is missing or too short, or it is in parts */
};

struct tp_checkpoint {
	struct tp_variable *variables; /* bytewise by name */
	uint32_t count;
	struct tp_blob **blobs; /* of its files */
	uint32_t blob_count;
};

/* prefix: "ckpt" of ckpt.index and ckpt.data-00000-of-00001; of version 1 "ckpt" itself, or of ckpt-00000-of-00002 and its like. To be
 * closed, whatever comes back. */
enum tp_status tp_checkpoint_open(const char *prefix, struct tp_arena *arena,
	struct tp_checkpoint *checkpoint, struct tp_err *err);
void tp_checkpoint_close(struct tp_checkpoint *checkpoint);

/* Adds one to a buf of them; shape: a TensorShapeProto. */
void tp_checkpoint_add(struct tp_buf *variables, struct tp_slice name, unsigned type,
	struct tp_slice shape, struct tp_arena *arena);

/* Why a table of it could not be read to its end. */
const char *tp_checkpoint_fault(const struct tp_table *table);

/* Gives nodes whose variables it holds the type "_checkpoint_variables", as tfprof does where it builds them of a graph. */
void tp_checkpoint_mark(
	const struct tp_checkpoint *checkpoint, struct tp_tfprof *tfprof, struct tp_arena *arena);

/* The variable of this name; NULL: there is none. checkpoint may be NULL. */
const struct tp_variable *tp_checkpoint_find(
	const struct tp_checkpoint *checkpoint, struct tp_slice name);

/* Its values as tfprof shows them, "[[1.00 2.00 ],\n],\n", and as the fields of its message. Nothing for types that are not shown. */
void tp_variable_put_text(const struct tp_variable *v, struct tp_sink *out);
void tp_variable_put_json(const struct tp_variable *v, struct tp_sink *out);

#endif

/* What tables of both versions of checkpoints have alike. */
#include "tfprof/checkpoint.h"

#include "base/arena.h"
#include "base/buf.h"
#include "codec/pb_field.h"
#include "codec/table.h"

enum { SHAPE_DIM = 2, DIM_SIZE = 1 };

void
tp_checkpoint_add(struct tp_buf *variables, struct tp_slice name, unsigned type,
	struct tp_slice shape, struct tp_arena *arena)
{
	struct tp_variable *v = tp_buf_new(variables, struct tp_variable);
	struct tp_buf dims = {0};

	for (struct tp_pb p = tp_pb_open(shape); tp_pb_next_bytes(&p, SHAPE_DIM);)
		*tp_buf_new(&dims, int64_t) = tp_pb_number(p.bytes, DIM_SIZE);
	*v = (struct tp_variable){
		.name = tp_arena_copy(arena, name),
		.type = type,
		.rank = (uint32_t)dims.count,
	};
	v->dims = tp_buf_settle(&dims, sizeof(int64_t), arena);
}

const char *
tp_checkpoint_fault(const struct tp_table *t)
{
	return t->state == TP_TABLE_UNKNOWN ? "its blocks are packed in an unknown way"
										: "no table of a checkpoint, or damaged";
}

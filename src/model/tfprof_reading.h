/* What both ways to read a dump have alike: the whole of it (tfprof.c), and only figures (tfprof_feed.c). */
#ifndef TP_MODEL_TFPROF_READING_H
#define TP_MODEL_TFPROF_READING_H

#include "model/tfprof.h"

struct tp_buf;

/* More nodes than any graph has. */
enum { TP_TFPROF_MOST_NODES = 1 << 26 };

/* What every view asks for, out of a ProfileNode. */
struct tp_tfprof_node tp_tfprof_read_node(struct tp_slice message);

/* Of a field of the dump that is neither node nor text; steps: int64_t. */
void tp_tfprof_take_field(struct tp_tfprof *t, const struct tp_pb *field, struct tp_buf *steps);

/* When t has its nodes: the steps, and whether this was a dump; empty: the file is. */
enum tp_status tp_tfprof_end(struct tp_tfprof *t, struct tp_buf *steps, bool empty,
	struct tp_arena *arena, struct tp_err *err);

#endif

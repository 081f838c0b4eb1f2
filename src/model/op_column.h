/* The operations of events in a column: 2 bytes for each, 4 where an index of the line needs that. */
#ifndef TP_MODEL_OP_COLUMN_H
#define TP_MODEL_OP_COLUMN_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tp_arena;

struct tp_op_column {
	const uint16_t *narrow; /* NULL: it is … */
	const uint32_t *wide;   /* … this */
};

static inline uint32_t
tp_op_column_at(const struct tp_op_column *c, uint32_t event)
{
	return c->narrow != NULL ? c->narrow[event] : c->wide[event];
}

/* The events from number `first` on, as a column of their own; the memory is shared. */
struct tp_op_column tp_op_column_from(const struct tp_op_column *c, uint32_t first);

/* A narrow column of a plain one. */
struct tp_op_column tp_ops_of(const uint32_t *op, uint32_t count, struct tp_arena *arena);

/* A column that grows. */
struct tp_op_draft {
	struct tp_buf narrow, wide;
	bool is_wide;
};

void tp_ops_add(struct tp_op_draft *d, const uint32_t *op, uint32_t count);

/* Makes room for so many events in all. */
void tp_ops_reserve(struct tp_op_draft *d, size_t events);

/* What was added so far; holds until more is. */
struct tp_op_column tp_ops_so_far(const struct tp_op_draft *d);

/* The column for an arena; the draft is empty then. */
struct tp_op_column tp_ops_give(struct tp_op_draft *d, struct tp_arena *arena);

void tp_ops_free(struct tp_op_draft *d);

#endif

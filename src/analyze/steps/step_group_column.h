/* Which group each event of a line is in. Neighbours mostly are in the same one: only blocks where they are not take a number
 * for each event. */
#ifndef TP_ANALYZE_STEP_GROUP_COLUMN_H
#define TP_ANALYZE_STEP_GROUP_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tp_arena;

enum { TP_GROUP_BLOCK_EVENTS = 512 };

union tp_group_numbers {
	int32_t of[TP_GROUP_BLOCK_EVENTS];
	union tp_group_numbers *next; /* of those that no block needs */
};

struct tp_group_column {
	struct tp_group_block {
		union tp_group_numbers *each; /* NULL: all are in the same one */
		int32_t all;
	} * blocks;
	union tp_group_numbers *spare;
	struct tp_arena *scratch;
};

/* A column for so many events, none of them in a group (-1). Memory from scratch, also later. */
struct tp_group_column *tp_group_column_new(uint32_t events, struct tp_arena *scratch);

/* Memory is given back when the last event of a block is written, so it is best to write events in order. */
void tp_group_put(struct tp_group_column *c, uint32_t event, int32_t group);

/* The same for events first … end - 1. */
void tp_group_fill(struct tp_group_column *c, uint32_t first, uint32_t end, int32_t group);

static inline int32_t
tp_group_at(const struct tp_group_column *c, uint32_t event)
{
	const struct tp_group_block *b = &c->blocks[event / TP_GROUP_BLOCK_EVENTS];

	return b->each != NULL ? b->each->of[event % TP_GROUP_BLOCK_EVENTS] : b->all;
}

/* Whether all events of the block that an event is in, TP_GROUP_BLOCK_EVENTS from a multiple on, are known to be in the same group. */
static inline bool
tp_group_of_block(const struct tp_group_column *c, uint32_t event, int32_t *group)
{
	const struct tp_group_block *b = &c->blocks[event / TP_GROUP_BLOCK_EVENTS];

	*group = b->all;
	return b->each == NULL;
}

#endif

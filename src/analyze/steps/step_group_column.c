/* Blocks of events with one group, or with a number for each event. */
#include "analyze/steps/step_group_column.h"

#include "base/arena.h"

#include <stdbool.h>

enum { EVENTS = TP_GROUP_BLOCK_EVENTS };

struct tp_group_column *
tp_group_column_new(uint32_t events, struct tp_arena *scratch)
{
	struct tp_group_column *c = tp_new(scratch, struct tp_group_column);
	size_t blocks = (size_t)events / EVENTS + 1;

	c->scratch = scratch;
	c->blocks = tp_new_array(scratch, struct tp_group_block, blocks);
	for (size_t i = 0; i < blocks; i++)
		c->blocks[i].all = -1;
	return c;
}

/* Gives the block a number for each event. */
static void
open_block(struct tp_group_column *c, struct tp_group_block *b)
{
	b->each = c->spare;
	if (b->each != NULL)
		c->spare = b->each->next;
	else
		b->each = tp_new(c->scratch, union tp_group_numbers);
	for (uint32_t i = 0; i < EVENTS; i++)
		b->each->of[i] = b->all;
}

/* Takes it back where all are the same. */
static void
close_block(struct tp_group_column *c, struct tp_group_block *b)
{
	for (uint32_t i = 1; i < EVENTS; i++) {
		if (b->each->of[i] != b->each->of[0])
			return;
	}
	b->all = b->each->of[0];
	b->each->next = c->spare;
	c->spare = b->each;
	b->each = NULL;
}

void
tp_group_put(struct tp_group_column *c, uint32_t event, int32_t group)
{
	struct tp_group_block *b = &c->blocks[event / EVENTS];

	if (b->each == NULL) {
		if (b->all == group)
			return;
		open_block(c, b);
	}
	b->each->of[event % EVENTS] = group;
	if (event % EVENTS == EVENTS - 1)
		close_block(c, b);
}

/* The block is in one group, whatever its events were in before. */
static void
fill_block(struct tp_group_column *c, struct tp_group_block *b, int32_t group)
{
	if (b->each != NULL) {
		b->each->next = c->spare;
		c->spare = b->each;
		b->each = NULL;
	}
	b->all = group;
}

void
tp_group_fill(struct tp_group_column *c, uint32_t first, uint32_t end, int32_t group)
{
	while (first < end) {
		if (first % EVENTS == 0 && end - first >= EVENTS) {
			fill_block(c, &c->blocks[first / EVENTS], group);
			first += EVENTS;
		} else {
			tp_group_put(c, first++, group);
		}
	}
}

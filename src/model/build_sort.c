/* A line whose events did not come in order is put together again, by the clock that orders. */
#include "model/builder.h"

#include "base/arena.h"
#include "base/order.h"

#include <stdlib.h>

struct place {
	int64_t start_ps, duration_ps;
	uint32_t event;
};

TP_ORDER(by_start, struct place, TP_UP(start_ps), TP_DOWN(duration_ps), TP_UP(event));

/* What is on the stage goes into the columns. */
static void
take(struct tp_line_draft *draft, struct tp_line_columns *c)
{
	if (c->count == 0)
		return;
	tp_line_draft_add(draft, c);
	c->first += c->count;
	c->count = 0;
}

/* The columns again, with the events in this order. */
static struct tp_line_draft
in_order(const struct tp_line *line, struct tp_line_columns *c, const struct place *places,
	uint32_t count)
{
	struct tp_line_draft draft = {0};

	c->first = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t event = places[i].event;

		c->start_ps[c->count] = tp_line_start_ps(line, event);
		c->duration_ps[c->count] = tp_line_duration_ps(line, event);
		c->chip_start_ps[c->count] = tp_line_chip_start_ps(line, event);
		c->chip_duration_ps[c->count] = tp_line_chip_duration_ps(line, event);
		c->op[c->count++] = tp_line_op(line, event);
		if (c->count == TP_STAGE_EVENTS)
			take(&draft, c);
	}
	take(&draft, c);
	return draft;
}

static void
move_tags(struct tp_builder *b, const struct place *places, uint32_t count)
{
	struct tp_arena *scratch = tp_arena_new();
	uint32_t *rank = tp_new_array(scratch, uint32_t, count);
	struct tp_tag *tags = b->tags.data;

	for (uint32_t i = 0; i < count; i++)
		rank[places[i].event] = i;
	for (size_t i = 0; i < b->tags.count; i++)
		tags[i].event = rank[tags[i].event];
	b->tags_unsorted = true;
	tp_arena_free(scratch);
}

void
tp_build_line_sort(struct tp_builder *b, struct tp_line_columns *c)
{
	struct tp_arena *scratch = tp_arena_new();
	uint32_t count = c->first;
	struct place *places = tp_new_array(scratch, struct place, count);
	struct tp_line line = tp_line_draft_so_far(&b->line, c->chip);

	for (uint32_t i = 0; i < count; i++)
		places[i] =
			(struct place){tp_line_chip_start_ps(&line, i), tp_line_chip_duration_ps(&line, i), i};
	qsort(places, count, sizeof *places, by_start);
	struct tp_line_draft sorted = in_order(&line, c, places, count);

	tp_line_draft_free(&b->line);
	b->line = sorted;
	move_tags(b, places, count);
	tp_arena_free(scratch);
}

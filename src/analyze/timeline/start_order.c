/* Sorts the events of a line anew, with their tags. */
#include "analyze/timeline/start_order.h"

#include "base/arena.h"
#include "base/order.h"
#include "model/profile.h"

#include <stdlib.h>
#include <string.h>

struct place {
	int64_t start_ps, duration_ps;
	uint32_t event;
};
TP_ORDER(by_start, struct place, TP_UP(start_ps), TP_DOWN(duration_ps), TP_UP(event));
TP_ORDER(by_event, struct tp_tag, TP_UP(event), TP_UP(key));

static struct place
place_of(const struct tp_line *line, uint32_t event)
{
	return (struct place){tp_line_start_ps(line, event), tp_line_duration_ps(line, event), event};
}

static const struct tp_tag *
move_tags(const struct tp_line *line, const uint32_t *rank, struct tp_arena *arena)
{
	struct tp_tag *tags = tp_new_array(arena, struct tp_tag, line->tag_count);

	for (size_t i = 0; i < line->tag_count; i++) {
		tags[i] = line->tags[i];
		tags[i].event = rank[tags[i].event];
	}
	if (line->tag_count != 0)
		qsort(tags, line->tag_count, sizeof *tags, by_event);
	return tags;
}

static struct tp_line
in_order(const struct tp_line *line, struct tp_arena *arena)
{
	struct tp_arena *scratch = tp_arena_new();
	struct place *places = tp_new_array(scratch, struct place, line->count);
	int64_t *start_ps = tp_new_array(scratch, int64_t, line->count);
	int64_t *duration_ps = tp_new_array(scratch, int64_t, line->count);
	uint32_t *op = tp_new_array(scratch, uint32_t, line->count);
	uint32_t *rank = tp_new_array(scratch, uint32_t, line->count);
	struct tp_line out = *line;

	for (uint32_t i = 0; i < line->count; i++)
		places[i] = place_of(line, i);
	qsort(places, line->count, sizeof *places, by_start);
	for (uint32_t i = 0; i < line->count; i++) {
		start_ps[i] = places[i].start_ps;
		duration_ps[i] = places[i].duration_ps;
		op[i] = tp_line_op(line, places[i].event);
		rank[places[i].event] = i;
	}
	out.host_times = out.chip_times = tp_times_of(start_ps, duration_ps, line->count, arena);
	out.host_unsorted = false;
	out.ops = tp_ops_of(op, line->count, arena);
	out.tags = move_tags(line, rank, arena);
	tp_arena_free(scratch);
	return out;
}

const struct tp_profile *
tp_timeline_start_order(const struct tp_profile *p, struct tp_arena *arena)
{
	struct tp_profile *out = NULL;

	for (uint32_t i = 0; i < p->line_count; i++) {
		if (!p->lines[i].host_unsorted)
			continue;
		if (out == NULL) {
			out = tp_new(arena, struct tp_profile);
			*out = *p;
			out->lines = tp_new_array(arena, struct tp_line, p->line_count);
			memcpy(out->lines, p->lines, p->line_count * sizeof *p->lines);
		}
		out->lines[i] = in_order(&p->lines[i], arena);
	}
	return out != NULL ? out : p;
}

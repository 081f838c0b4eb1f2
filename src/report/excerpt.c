/* Chosen by id, part by part; what the original lacks is simply not there. */
#include "report/excerpt.h"

#include "base/arena.h"
#include "base/buf.h"
#include "report/excerpt_copy.h"
#include "report/walk.h"

/* Whether id is the pattern, in which a * stands for anything. */
static bool
fits(struct tp_slice id, const char *pattern)
{
	const char *star = strchr(pattern, '*');

	if (star == NULL)
		return tp_slice_eq(id, tp_slice_of(pattern));
	struct tp_slice head = {pattern, (size_t)(star - pattern)}, tail = tp_slice_of(star + 1);

	return id.len >= head.len + tail.len && tp_slice_starts(id, head) && tp_slice_ends(id, tail);
}

/* The first block that the pattern names, into a buffer of const struct tp_block *. */
static void
find(const struct tp_excerpt *e, const char *pattern, struct tp_buf *found)
{
	struct tp_walk walk;
	bool taken = false;

	tp_walk_start(&walk, e->from);
	while (!taken && tp_walk_next(&walk)) {
		if (walk.event != TP_WALK_ENTER || !tp_excerpt_can_copy(walk.block) ||
			!fits(walk.block->id, pattern) || (e->no_charts && walk.block->kind == TP_BLOCK_CHART))
			continue;
		*(const struct tp_block **)tp_buf_add(found, sizeof walk.block) = walk.block;
		taken = true;
	}
}

static void
copy_part(struct tp_excerpt_copier *c, const struct tp_excerpt_part *part,
	const struct tp_block *const *blocks, size_t count)
{
	if (count == 0)
		return;
	struct tp_block *section = tp_doc_section(
		c->to, NULL, TP_SECTION_SUB, tp_excerpt_id(c, tp_slice_of(part->key)).ptr, part->title);

	for (size_t i = 0; i < count; i++)
		tp_excerpt_copy(c, blocks[i], section);
}

static void
copy_parts(struct tp_excerpt_copier *c)
{
	struct tp_buf found = {0}, ends = {0};
	const struct tp_excerpt_part *parts = c->e->parts;

	for (size_t p = 0; p < c->e->part_count; p++) {
		size_t before = found.count;

		for (const char *const *b = parts[p].blocks; *b != NULL; b++) {
			bool instead = **b == '?';

			if (!instead || found.count == before)
				find(c->e, *b + instead, &found);
		}
		*(size_t *)tp_buf_add(&ends, sizeof(size_t)) = found.count;
	}
	const struct tp_block *const *blocks = found.data;

	for (size_t i = 0; i < found.count; i++)
		tp_excerpt_note_ids(c, blocks[i]);
	for (size_t p = 0, first = 0; p < ends.count; p++) {
		size_t end = ((const size_t *)ends.data)[p];

		copy_part(c, &parts[p], blocks + first, end - first);
		first = end;
	}
	tp_buf_free(&found);
	tp_buf_free(&ends);
}

struct tp_doc *
tp_excerpt_take(const struct tp_excerpt *e, struct tp_arena *arena)
{
	struct tp_excerpt_copier c = {.e = e, .to = tp_doc_new(arena)};
	struct tp_arena *scratch = tp_arena_new();

	tp_strings_init(&c.ids, scratch);
	for (const struct tp_metric *m = e->from->metrics; m != NULL; m = m->next) {
		if (tp_known(m->value))
			tp_excerpt_metric(&c, m->id);
	}
	copy_parts(&c);
	tp_arena_free(scratch);
	return c.to;
}

void
tp_excerpt_metrics(struct tp_doc *doc, const struct tp_doc *excerpt)
{
	for (const struct tp_metric *m = excerpt->metrics; m != NULL; m = m->next) {
		if (tp_doc_find_metric(doc, m->id) == NULL)
			tp_doc_metric(doc, m->id, m->label.ptr, m->value, m->how, m->coverage);
	}
}

static void
show_as_in(const struct tp_doc *doc, struct tp_slice metric, struct tp_value *shown)
{
	const struct tp_metric *m = metric.len != 0 ? tp_doc_find_metric(doc, metric) : NULL;

	if (m != NULL)
		*shown = m->value;
}

/* A figure that the document has already may be known there better than in the excerpt: it is shown as it is there. The
 * blocks are copies of ours, made by tp_excerpt_copy, and not constant. */
static void
settle(const struct tp_doc *doc, const struct tp_doc *excerpt)
{
	struct tp_walk walk;

	tp_walk_start(&walk, excerpt);
	while (tp_walk_next(&walk)) {
		const struct tp_block *b = walk.block;

		for (size_t i = 0; b->kind == TP_BLOCK_TILES && i < b->tiles.count; i++) {
			struct tp_tile *tile = (struct tp_tile *)&b->tiles.tiles[i];

			show_as_in(doc, tile->metric, &tile->value);
		}
		for (size_t i = 0; b->kind == TP_BLOCK_TABLE && i < b->table.row_count; i++) {
			struct tp_cell *cells = (struct tp_cell *)b->table.rows[i].cells;

			for (size_t c = 0; c < b->table.column_count; c++)
				show_as_in(doc, cells[c].metric, &cells[c].value);
		}
	}
}

void
tp_excerpt_blocks(struct tp_doc *doc, struct tp_block *parent, struct tp_doc *excerpt)
{
	struct tp_block ***tail = parent != NULL ? &parent->section.tail : &doc->tail;

	if (excerpt->first == NULL)
		return;
	settle(doc, excerpt);
	**tail = excerpt->first;
	*tail = excerpt->tail;
	excerpt->first = NULL;
	excerpt->tail = &excerpt->first;
}

/* Chosen by id, part by part; what the original lacks is simply not there. */
#include "report/excerpt.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "report/doc.h"

/* Copies of blocks share nothing with what they were copied from: every text and array is copied, for the arena of the original may
 * be gone when the copy is read. */
struct copier {
	const struct tp_excerpt *e;
	struct tp_doc *to;
	/* the first `noted` of what is in the excerpt, as in the document that it is from */
	struct tp_strings ids;
	uint32_t noted;
};

static struct tp_arena *
arena_of(const struct copier *c)
{
	return c->to->arena;
}

static struct tp_slice
text_of(const struct copier *c, struct tp_slice text)
{
	return text.len != 0 ? tp_arena_copy(arena_of(c), text) : TP_S("");
}

static void *
array_of(const struct copier *c, const void *from, size_t count, size_t size)
{
	if (from == NULL || count == 0)
		return NULL;
	return memcpy(tp_arena_alloc(arena_of(c), count * size), from, count * size);
}

static const struct tp_slice *
texts_of(const struct copier *c, const struct tp_slice *from, size_t count)
{
	struct tp_slice *texts = array_of(c, from, count, sizeof *from);

	for (size_t i = 0; texts != NULL && i < count; i++)
		texts[i] = text_of(c, texts[i]);
	return texts;
}

static struct tp_value
value_of(const struct copier *c, struct tp_value v)
{
	v.text = text_of(c, v.text);
	return v;
}

static struct tp_slice
id_of(const struct copier *c, struct tp_slice id)
{
	return tp_arena_printf(arena_of(c), "%.*s/%.*s", TP_ARG(c->e->prefix), TP_ARG(id));
}

/* The id in the excerpt's scope, with the metric; empty for one that has a scope already. */
static struct tp_slice
metric_of(struct copier *c, struct tp_slice id)
{
	if (id.len == 0 || tp_scope_base(id).len != id.len)
		return TP_S("");
	const struct tp_metric *m = tp_doc_find_metric(c->e->from, id);
	struct tp_slice scoped =
		tp_scope_id(arena_of(c), tp_arena_copy(arena_of(c), id).ptr, c->e->scope);

	if (m != NULL && tp_doc_find_metric(c->to, scoped) == NULL)
		tp_doc_metric(c->to, scoped, m->label.ptr, value_of(c, m->value), TP_S(""), m->coverage);
	return m != NULL ? scoped : TP_S("");
}

static struct tp_slice
href_of(struct copier *c, struct tp_slice href)
{
	if (href.len < 2 || tp_intern_copy(&c->ids, tp_slice_from(href, 1)) >= c->noted)
		return TP_S("");
	return tp_arena_printf(
		arena_of(c), "#%.*s/%.*s", TP_ARG(c->e->prefix), TP_ARG(tp_slice_from(href, 1)));
}

static struct tp_text
sentence_of(struct copier *c, struct tp_text text)
{
	struct tp_span *spans = array_of(c, text.spans, text.count, sizeof *spans);

	for (size_t i = 0; spans != NULL && i < text.count; i++) {
		spans[i].value = value_of(c, spans[i].value);
		spans[i].text = text_of(c, spans[i].text);
		spans[i].href = href_of(c, spans[i].href);
		spans[i].metric = TP_S("");
	}
	return (struct tp_text){spans, text.count};
}

static struct tp_paragraph
paragraph_of(struct copier *c, struct tp_paragraph p)
{
	struct tp_text *items = array_of(c, p.items, p.count, sizeof *items);

	for (size_t i = 0; items != NULL && i < p.count; i++)
		items[i] = sentence_of(c, items[i]);
	p.items = items;
	return p;
}

static struct tp_tiles
tiles_of(struct copier *c, struct tp_tiles t)
{
	struct tp_tile *tiles = array_of(c, t.tiles, t.count, sizeof *tiles);
	size_t kept = 0;

	for (size_t i = 0; tiles != NULL && i < t.count; i++) {
		struct tp_tile tile = tiles[i];

		tile.metric = metric_of(c, tile.metric);
		if (tile.metric.len == 0)
			continue;
		tile.id = id_of(c, tile.id);
		tile.label = text_of(c, tile.label);
		tile.value = value_of(c, tile.value);
		tile.qualifier = text_of(c, tile.qualifier);
		for (size_t k = 0; k < 2; k++)
			tile.note[k] = sentence_of(c, tile.note[k]);
		tile.spark = array_of(c, tile.spark, tile.spark_count, sizeof *tile.spark);
		tiles[kept++] = tile;
	}
	return (struct tp_tiles){tiles, kept};
}

static const struct tp_column *
columns_of(const struct copier *c, const struct tp_table *t)
{
	struct tp_column *columns = array_of(c, t->columns, t->column_count, sizeof *columns);

	for (size_t i = 0; columns != NULL && i < t->column_count; i++) {
		columns[i].key = text_of(c, columns[i].key);
		columns[i].title = text_of(c, columns[i].title);
	}
	return columns;
}

static const struct tp_cell *
cells_of(struct copier *c, const struct tp_cell *from, size_t count)
{
	struct tp_cell *cells = array_of(c, from, count, sizeof *cells);

	for (size_t i = 0; cells != NULL && i < count; i++) {
		cells[i].value = value_of(c, cells[i].value);
		cells[i].href = href_of(c, cells[i].href);
		cells[i].metric = metric_of(c, cells[i].metric);
		cells[i].full = text_of(c, cells[i].full);
	}
	return cells;
}

static size_t
rows_kept(const struct copier *c, const struct tp_table *t)
{
	return t->row_count < c->e->most_rows ? t->row_count : c->e->most_rows;
}

static struct tp_table
table_of(struct copier *c, const struct tp_table *from)
{
	struct tp_table t = *from;
	struct tp_row *rows;

	t.row_count = rows_kept(c, from);
	t.shown = t.shown < t.row_count ? t.shown : t.row_count;
	t.life = NULL;
	t.columns = columns_of(c, from);
	rows = array_of(c, from->rows, t.row_count, sizeof *rows);
	for (size_t i = 0; rows != NULL && i < t.row_count; i++) {
		rows[i].id = id_of(c, rows[i].id);
		rows[i].cells = cells_of(c, rows[i].cells, t.column_count);
	}
	t.rows = rows;
	t.caption = t.row_count == from->row_count
		? text_of(c, t.caption)
		: tp_arena_printf(arena_of(c), "%.*s; the first %zu of %zu", TP_ARG(t.caption), t.row_count,
			  from->row_count);
	return t;
}

static struct tp_chart
chart_of(const struct copier *c, struct tp_chart chart)
{
	struct tp_series *series = array_of(c, chart.series, chart.series_count, sizeof *series);
	struct tp_rule *rules = array_of(c, chart.rules, chart.rule_count, sizeof *rules);
	struct tp_lifetime *lives = array_of(c, chart.lifetimes, chart.lifetime_count, sizeof *lives);

	for (size_t i = 0; series != NULL && i < chart.series_count; i++) {
		series[i].key = text_of(c, series[i].key);
		series[i].label = text_of(c, series[i].label);
		series[i].unused_label = text_of(c, series[i].unused_label);
		series[i].values = array_of(c, series[i].values, chart.point_count, sizeof(double));
		series[i].unused_values =
			array_of(c, series[i].unused_values, series[i].unused_count, sizeof(double));
	}
	for (size_t i = 0; rules != NULL && i < chart.rule_count; i++)
		rules[i].label = text_of(c, rules[i].label);
	for (size_t i = 0; lives != NULL && i < chart.lifetime_count; i++) {
		lives[i].label = text_of(c, lives[i].label);
		lives[i].note = text_of(c, lives[i].note);
	}
	chart.alt = text_of(c, chart.alt);
	chart.series = series;
	chart.labels = texts_of(c, chart.labels, chart.point_count);
	chart.rules = rules;
	chart.open = array_of(c, chart.open, chart.point_count, sizeof *chart.open);
	chart.marked_label = text_of(c, chart.marked_label);
	chart.lifetimes_title = text_of(c, chart.lifetimes_title);
	chart.lifetimes = lives;
	return chart;
}

/* Whether copies of this block can be made. */
static bool
can_copy(const struct tp_block *block)
{
	switch (block->kind) {
	case TP_BLOCK_PARAGRAPH:
	case TP_BLOCK_TILES:
	case TP_BLOCK_TABLE:
	case TP_BLOCK_NOTICE:
		return true;
	case TP_BLOCK_CHART:
		return block->chart.series_count != 0;
	case TP_BLOCK_SECTION:
	case TP_BLOCK_VERDICT:
	case TP_BLOCK_FINDING:
		break;
	}
	return false;
}

/* Notes the ids that the block brings along, so that links to them stay; of all blocks before the first is copied. */
static void
note_ids(struct copier *c, const struct tp_block *block)
{
	tp_intern(&c->ids, block->id);
	for (size_t i = 0; block->kind == TP_BLOCK_TABLE && i < rows_kept(c, &block->table); i++)
		tp_intern(&c->ids, block->table.rows[i].id);
	c->noted = c->ids.count;
}

static void
copy_block(struct copier *c, const struct tp_block *block, struct tp_block *parent)
{
	struct tp_block *copy = tp_doc_add(c->to, parent, block->kind, id_of(c, block->id));

	switch (block->kind) {
	case TP_BLOCK_PARAGRAPH:
		copy->paragraph = paragraph_of(c, block->paragraph);
		break;
	case TP_BLOCK_TILES:
		copy->tiles = tiles_of(c, block->tiles);
		break;
	case TP_BLOCK_TABLE:
		copy->table = table_of(c, &block->table);
		break;
	case TP_BLOCK_CHART:
		copy->chart = chart_of(c, block->chart);
		break;
	case TP_BLOCK_NOTICE:
		copy->notice = (struct tp_notice){block->notice.judge, sentence_of(c, block->notice.text)};
		break;
	case TP_BLOCK_SECTION:
	case TP_BLOCK_VERDICT:
	case TP_BLOCK_FINDING:
		break;
	}
}

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
	bool taken = false;

	for (struct tp_walk walk = tp_walk_of(e->from); !taken && tp_walk_next(&walk);) {
		if (walk.event != TP_WALK_ENTER || !can_copy(walk.block) ||
			!fits(walk.block->id, pattern) || (e->no_charts && walk.block->kind == TP_BLOCK_CHART))
			continue;
		*(const struct tp_block **)tp_buf_add(found, sizeof walk.block) = walk.block;
		taken = true;
	}
}

static void
copy_part(struct copier *c, const struct tp_excerpt_part *part,
	const struct tp_block *const *blocks, size_t count)
{
	if (count == 0)
		return;
	struct tp_block *section = tp_doc_section(
		c->to, NULL, TP_SECTION_SUB, id_of(c, tp_slice_of(part->key)).ptr, part->title);

	for (size_t i = 0; i < count; i++)
		copy_block(c, blocks[i], section);
}

static void
copy_parts(struct copier *c)
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
		note_ids(c, blocks[i]);
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
	struct copier c = {.e = e, .to = tp_doc_new(arena)};
	struct tp_arena *scratch = tp_arena_new();

	tp_strings_init(&c.ids, scratch);
	for (const struct tp_metric *m = e->from->metrics; m != NULL; m = m->next) {
		if (tp_known(m->value))
			metric_of(&c, m->id);
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
 * blocks are copies of ours, made by copy_block, and not constant. */
static void
settle(const struct tp_doc *doc, const struct tp_doc *excerpt)
{
	for (struct tp_walk walk = tp_walk_of(excerpt); tp_walk_next(&walk);) {
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

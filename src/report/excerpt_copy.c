/* Every text and array is copied: the arena of the original may be gone when the copy is read. */
#include "report/excerpt_copy.h"

#include "base/arena.h"
#include "report/excerpt.h"

static struct tp_arena *
arena_of(const struct tp_excerpt_copier *c)
{
	return c->to->arena;
}

static struct tp_slice
text_of(const struct tp_excerpt_copier *c, struct tp_slice text)
{
	return text.len != 0 ? tp_arena_copy(arena_of(c), text) : TP_S("");
}

static void *
array_of(const struct tp_excerpt_copier *c, const void *from, size_t count, size_t size)
{
	if (from == NULL || count == 0)
		return NULL;
	return memcpy(tp_arena_alloc(arena_of(c), count * size), from, count * size);
}

static const struct tp_slice *
texts_of(const struct tp_excerpt_copier *c, const struct tp_slice *from, size_t count)
{
	struct tp_slice *texts = array_of(c, from, count, sizeof *from);

	for (size_t i = 0; texts != NULL && i < count; i++)
		texts[i] = text_of(c, texts[i]);
	return texts;
}

static struct tp_value
value_of(const struct tp_excerpt_copier *c, struct tp_value v)
{
	v.text = text_of(c, v.text);
	return v;
}

struct tp_slice
tp_excerpt_id(const struct tp_excerpt_copier *c, struct tp_slice id)
{
	return tp_arena_printf(arena_of(c), "%.*s/%.*s", TP_ARG(c->e->prefix), TP_ARG(id));
}

struct tp_slice
tp_excerpt_metric(struct tp_excerpt_copier *c, struct tp_slice id)
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
href_of(struct tp_excerpt_copier *c, struct tp_slice href)
{
	if (href.len < 2 || tp_intern_copy(&c->ids, tp_slice_from(href, 1)) >= c->noted)
		return TP_S("");
	return tp_arena_printf(
		arena_of(c), "#%.*s/%.*s", TP_ARG(c->e->prefix), TP_ARG(tp_slice_from(href, 1)));
}

static struct tp_text
sentence_of(struct tp_excerpt_copier *c, struct tp_text text)
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
paragraph_of(struct tp_excerpt_copier *c, struct tp_paragraph p)
{
	struct tp_text *items = array_of(c, p.items, p.count, sizeof *items);

	for (size_t i = 0; items != NULL && i < p.count; i++)
		items[i] = sentence_of(c, items[i]);
	p.items = items;
	return p;
}

static struct tp_tiles
tiles_of(struct tp_excerpt_copier *c, struct tp_tiles t)
{
	struct tp_tile *tiles = array_of(c, t.tiles, t.count, sizeof *tiles);
	size_t kept = 0;

	for (size_t i = 0; tiles != NULL && i < t.count; i++) {
		struct tp_tile tile = tiles[i];

		tile.metric = tp_excerpt_metric(c, tile.metric);
		if (tile.metric.len == 0)
			continue;
		tile.id = tp_excerpt_id(c, tile.id);
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
columns_of(const struct tp_excerpt_copier *c, const struct tp_table *t)
{
	struct tp_column *columns = array_of(c, t->columns, t->column_count, sizeof *columns);

	for (size_t i = 0; columns != NULL && i < t->column_count; i++) {
		columns[i].key = text_of(c, columns[i].key);
		columns[i].title = text_of(c, columns[i].title);
	}
	return columns;
}

static const struct tp_cell *
cells_of(struct tp_excerpt_copier *c, const struct tp_cell *from, size_t count)
{
	struct tp_cell *cells = array_of(c, from, count, sizeof *cells);

	for (size_t i = 0; cells != NULL && i < count; i++) {
		cells[i].value = value_of(c, cells[i].value);
		cells[i].href = href_of(c, cells[i].href);
		cells[i].metric = tp_excerpt_metric(c, cells[i].metric);
		cells[i].full = text_of(c, cells[i].full);
	}
	return cells;
}

static size_t
rows_kept(const struct tp_excerpt_copier *c, const struct tp_table *t)
{
	return t->row_count < c->e->most_rows ? t->row_count : c->e->most_rows;
}

static struct tp_table
table_of(struct tp_excerpt_copier *c, const struct tp_table *from)
{
	struct tp_table t = *from;
	struct tp_row *rows;

	t.row_count = rows_kept(c, from);
	t.shown = t.shown < t.row_count ? t.shown : t.row_count;
	t.life = NULL;
	t.columns = columns_of(c, from);
	rows = array_of(c, from->rows, t.row_count, sizeof *rows);
	for (size_t i = 0; rows != NULL && i < t.row_count; i++) {
		rows[i].id = tp_excerpt_id(c, rows[i].id);
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
chart_of(const struct tp_excerpt_copier *c, struct tp_chart chart)
{
	struct tp_series *series = array_of(c, chart.series, chart.series_count, sizeof *series);
	struct tp_rule *rules = array_of(c, chart.rules, chart.rule_count, sizeof *rules);
	struct tp_lifetime *lives = array_of(c, chart.lifetimes, chart.lifetime_count, sizeof *lives);

	for (size_t i = 0; series != NULL && i < chart.series_count; i++) {
		series[i].key = text_of(c, series[i].key);
		series[i].label = text_of(c, series[i].label);
		series[i].values = array_of(c, series[i].values, chart.point_count, sizeof(double));
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
	chart.lifetimes_title = text_of(c, chart.lifetimes_title);
	chart.lifetimes = lives;
	return chart;
}

bool
tp_excerpt_can_copy(const struct tp_block *block)
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

void
tp_excerpt_note_ids(struct tp_excerpt_copier *c, const struct tp_block *block)
{
	tp_intern(&c->ids, block->id);
	for (size_t i = 0; block->kind == TP_BLOCK_TABLE && i < rows_kept(c, &block->table); i++)
		tp_intern(&c->ids, block->table.rows[i].id);
	c->noted = c->ids.count;
}

void
tp_excerpt_copy(struct tp_excerpt_copier *c, const struct tp_block *block, struct tp_block *parent)
{
	struct tp_block *copy = tp_doc_add(c->to, parent, block->kind, tp_excerpt_id(c, block->id));

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

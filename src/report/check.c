/* Proving a document sound: first all ids, then everything that may refer to them. */
#include "report/checker.h"

#include "base/arena.h"
#include "base/path.h"

#include <math.h>
#include <string.h>

enum { DEEPEST_SECTION = 6, MOST_ACTIONS = 3 };

static bool
check_value(struct tp_checker *c, struct tp_value v)
{
	switch (v.kind) {
	case TP_VALUE_MISSING:
	case TP_VALUE_TEXT:
		return tp_check_text(c, v.text);
	case TP_VALUE_NUMBER:
		return tp_check_need(c, isfinite(v.number), TP_S("a number"), "is not finite");
	case TP_VALUE_INTEGER:
		break;
	}
	return true;
}

static bool
check_id(struct tp_checker *c, struct tp_slice id)
{
	uint32_t before = c->ids.count;

	for (size_t i = 0; i < id.len; i++) {
		if (!tp_doc_id_allows(id.ptr[i]) && id.ptr[i] != '%')
			return tp_check_need(c, false, id, "holds a byte that ids may not hold");
	}
	return tp_check_need(c, id.len != 0, id, "is no id: it is empty") &&
		tp_check_need(c, tp_intern(&c->ids, id) == before, id, "is the id of two things");
}

/* A link to a page or a PDF beside the document: a path in which all is escaped that could lead elsewhere. */
static bool
is_page(struct tp_slice href)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/%";

	for (size_t i = 0; i < href.len; i++) {
		if (href.ptr[i] == '\0' || strchr(plain, href.ptr[i]) == NULL)
			return false;
	}
	return !tp_slice_starts(href, TP_S("//")) &&
		(tp_path_has_suffix(href, ".html") || tp_path_has_suffix(href, ".htm") ||
			tp_path_has_suffix(href, ".pdf"));
}

static bool
check_href(struct tp_checker *c, struct tp_slice href)
{
	uint32_t before = c->ids.count;

	if (href.len == 0 || is_page(href))
		return true;
	return tp_check_need(
			   c, href.len > 1 && href.ptr[0] == '#', href, "does not link into the document") &&
		tp_check_need(
			c, tp_intern(&c->ids, tp_slice_from(href, 1)) < before, href, "leads nowhere");
}

static bool
same_value(struct tp_value a, struct tp_value b)
{
	if (a.kind != b.kind)
		return false;
	switch (a.kind) {
	case TP_VALUE_MISSING:
	case TP_VALUE_TEXT:
		return tp_slice_eq(a.text, b.text);
	case TP_VALUE_INTEGER:
		return a.unit == b.unit && a.integer == b.integer;
	case TP_VALUE_NUMBER:
		return a.unit == b.unit && a.number == b.number;
	}
	return false;
}

static bool
check_shown_metric(struct tp_checker *c, struct tp_slice id, struct tp_value shown)
{
	uint32_t string = tp_intern(&c->metric_ids, id);

	if (id.len == 0)
		return true;
	return tp_check_need(
			   c, string < c->metric_end, id, "is shown but not registered as a metric") &&
		tp_check_need(
			c, same_value(c->metrics[string]->value, shown), id, "is shown with another value");
}

static bool
check_sentence(struct tp_checker *c, struct tp_text text)
{
	for (size_t i = 0; i < text.count; i++) {
		const struct tp_span *span = &text.spans[i];

		if (span->judge != TP_JUDGE_NONE &&
			!tp_check_need(c, !span->has_value && span->text.len == 0, span->text,
				"stands where only a glyph may"))
			return false;
		if (!tp_check_text(c, span->text) || !check_value(c, span->value) ||
			!check_href(c, span->href) || !check_shown_metric(c, span->metric, span->value))
			return false;
	}
	return true;
}

static bool
check_sentences(struct tp_checker *c, const struct tp_text *texts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!check_sentence(c, texts[i]))
			return false;
	}
	return true;
}

/* depth: sections around this one. */
static bool
check_section(struct tp_checker *c, const struct tp_section *s, unsigned depth, bool first)
{
	bool sound = false;

	switch (s->role) {
	case TP_SECTION_SUMMARY:
		sound = tp_check_need(c, first, s->title, "is a summary, which only the first section is");
		break;
	case TP_SECTION_MAIN:
		sound = tp_check_need(c, depth == 0 && !first, s->title,
					"is a main section, which stands at top after the summary") &&
			tp_check_need(c, !c->minor_seen, s->title, "is a main section after a minor one");
		break;
	case TP_SECTION_MINOR:
		sound = tp_check_need(c, depth == 0 && !first, s->title,
			"is a minor section, which stands at top after the summary");
		c->minor_seen = true;
		break;
	case TP_SECTION_SUB:
	case TP_SECTION_VIEW:
	case TP_SECTION_FOLD:
		sound = tp_check_need(c, depth > 0, s->title, "is a part of a section but stands at top");
		break;
	}
	return sound && tp_check_need(c, depth < DEEPEST_SECTION, s->title, "is nested too deep") &&
		tp_check_present(c, s->title, TP_S("the title")) && check_value(c, s->key_figure) &&
		check_sentence(c, s->answer) && check_sentence(c, s->so_what) &&
		check_sentence(c, s->aside);
}

static bool
check_paragraph(struct tp_checker *c, const struct tp_paragraph *p)
{
	bool fits = tp_paragraph_has_items(p->role) ? p->count > 0 : p->count == 1;

	return tp_check_need(
			   c, fits, TP_S("a paragraph"), "has not as many items as its role asks for") &&
		check_sentences(c, p->items, p->count);
}

static bool
check_tiles(struct tp_checker *c, const struct tp_tiles *t)
{
	for (size_t i = 0; i < t->count; i++) {
		const struct tp_tile *tile = &t->tiles[i];

		if (!tp_check_present(c, tile->label, TP_S("a tile's label")) ||
			!tp_check_need(c, tile->metric.len != 0, tile->id, "is a tile without a metric") ||
			!check_shown_metric(c, tile->metric, tile->value) ||
			!tp_check_text(c, tile->qualifier) || !check_sentences(c, tile->note, 2) ||
			!tp_check_finite(
				c, tile->spark, tile->spark ? tile->spark_count : 0, -INFINITY, tile->id))
			return false;
	}
	return tp_check_need(c, t->count > 0, TP_S("a block of tiles"), "is empty");
}

static bool
check_finding(struct tp_checker *c, const struct tp_finding_block *block)
{
	const struct tp_finding *f = block->finding;

	if (!tp_check_need(c, f != NULL, TP_S("a finding"), "is empty") ||
		!tp_check_present(c, f->id, TP_S("a finding's id")) ||
		!tp_check_present(c, f->name, f->id) ||
		!tp_check_need(c, f->title.count > 0, f->id, "is a finding without a title"))
		return false;
	if (f->status == TP_FINDING_OPEN &&
		(!tp_check_need(c, block->number > 0, f->id, "is open but has no number") ||
			!tp_check_need(c, f->severity <= TP_JUDGE_WARN, f->id, "is open but has no severity") ||
			!tp_check_need(c, f->action_count > 0 && f->action_count <= MOST_ACTIONS, f->id,
				"is open but says not 1 to 3 things to do")))
		return false;
	return check_sentence(c, f->title) && check_sentence(c, f->brief) &&
		check_sentence(c, f->saw) && check_sentence(c, f->matters) &&
		check_sentences(c, f->actions, f->action_count) && check_sentence(c, f->check) &&
		check_sentence(c, f->evidence) && check_value(c, f->measured) && check_value(c, f->limit) &&
		check_value(c, f->saving) && tp_check_text(c, f->saving_note) &&
		check_value(c, block->scale);
}

/* Keys of columns, rows that fit their tree, numbers that fit their column. */

static bool
check_columns(struct tp_checker *c, const struct tp_table *t)
{
	struct tp_strings keys;

	tp_strings_init(&keys, c->scratch);
	for (size_t i = 0; i < t->column_count; i++) {
		const struct tp_column *column = &t->columns[i];
		uint32_t before = keys.count;

		if (!tp_check_present(c, column->key, TP_S("a column's key")) ||
			!tp_check_text(c, column->title) ||
			!tp_check_need(c, tp_intern(&keys, column->key) == before, column->key,
				"is the key of two columns") ||
			!tp_check_need(c, !column->bar || column->unit == TP_UNIT_SHARE, column->key,
				"has bars but is no share"))
			return false;
	}
	return tp_check_need(c, t->column_count > 0, TP_S("a table"), "has no columns");
}

static bool
check_cell(struct tp_checker *c, const struct tp_cell *cell, const struct tp_column *column)
{
	bool number = cell->value.kind == TP_VALUE_INTEGER || cell->value.kind == TP_VALUE_NUMBER;

	return check_value(c, cell->value) && check_href(c, cell->href) &&
		check_shown_metric(c, cell->metric, cell->value) &&
		tp_check_need(c,
			!number || column->unit == TP_UNIT_NONE ||
				!isnan(tp_value_in(cell->value, column->unit)),
			column->key, "holds a number of another quantity");
}

static bool
check_table(struct tp_checker *c, const struct tp_table *t)
{
	int deepest = 0;

	if (!tp_check_text(c, t->caption) || !check_columns(c, t))
		return false;
	for (size_t i = 0; i < t->row_count; i++) {
		const struct tp_row *row = &t->rows[i];

		if (!tp_check_need(c, row->cells != NULL, row->id, "is a row without cells") ||
			!tp_check_need(c, row->depth >= 0 && row->depth <= deepest, row->id,
				"is a row deeper than the tree allows"))
			return false;
		for (size_t j = 0; j < t->column_count; j++) {
			if (!check_cell(c, &row->cells[j], &t->columns[j]))
				return false;
		}
		deepest = t->tree ? row->depth + 1 : 0;
	}
	return true;
}

static bool
check_block(struct tp_checker *c, const struct tp_block *b, unsigned depth)
{
	switch (b->kind) {
	case TP_BLOCK_SECTION:
		return check_section(c, &b->section, depth, b == c->doc->first);
	case TP_BLOCK_PARAGRAPH:
		return check_paragraph(c, &b->paragraph);
	case TP_BLOCK_VERDICT:
		return tp_check_need(c, b->verdict.name.count > 0, TP_S("the verdict"), "is empty") &&
			check_sentence(c, b->verdict.name) && check_sentence(c, b->verdict.saw) &&
			check_sentence(c, b->verdict.consequence);
	case TP_BLOCK_TILES:
		return check_tiles(c, &b->tiles);
	case TP_BLOCK_TABLE:
		return check_table(c, &b->table);
	case TP_BLOCK_CHART:
		return tp_check_chart(c, &b->chart);
	case TP_BLOCK_FINDING:
		return check_finding(c, &b->finding);
	case TP_BLOCK_NOTICE:
		return tp_check_need(c, b->notice.text.count > 0, TP_S("a notice"), "is empty") &&
			check_sentence(c, b->notice.text);
	}
	return false;
}

static bool
check_metrics(struct tp_checker *c)
{
	size_t count = 0;

	for (const struct tp_metric *m = c->doc->metrics; m != NULL; m = m->next)
		count++;
	c->metrics = tp_new_array(c->scratch, const struct tp_metric *, count + 1);
	c->metric_end = 1;
	c->where = TP_S("metrics");
	for (const struct tp_metric *m = c->doc->metrics; m != NULL; m = m->next) {
		c->metrics[c->metric_end] = m;
		if (!tp_check_present(c, m->id, TP_S("a metric's id")) ||
			!tp_check_need(c, tp_intern(&c->metric_ids, m->id) == c->metric_end, m->id,
				"is the id of two metrics") ||
			!tp_check_present(c, m->label, m->id) || !check_value(c, m->value) ||
			!tp_check_text(c, m->how) || !tp_check_text(c, m->coverage) ||
			!tp_check_need(c, tp_known(m->value) || m->value.text.len != 0, m->id,
				"is missing without a reason"))
			return false;
		c->metric_end++;
	}
	return true;
}

static bool
collect_ids(struct tp_checker *c)
{
	for (struct tp_walk w = tp_walk_of(c->doc); tp_walk_next(&w);) {
		const struct tp_block *b = w.block;

		if (w.event == TP_WALK_LEAVE)
			continue;
		c->where = b->id;
		if (!tp_check_need(c, w.depth > 0 || b->kind == TP_BLOCK_SECTION, b->id,
				"stands at top but is no section") ||
			!check_id(c, b->id))
			return false;
		for (size_t i = 0; b->kind == TP_BLOCK_TILES && i < b->tiles.count; i++) {
			if (!check_id(c, b->tiles.tiles[i].id))
				return false;
		}
		for (size_t i = 0; b->kind == TP_BLOCK_TABLE && i < b->table.row_count; i++) {
			if (!check_id(c, b->table.rows[i].id))
				return false;
		}
	}
	return true;
}

static bool
check_blocks(struct tp_checker *c)
{
	for (struct tp_walk w = tp_walk_of(c->doc); tp_walk_next(&w);) {
		c->where = w.block->id;
		if (w.event == TP_WALK_ENTER && !check_block(c, w.block, w.depth))
			return false;
	}
	return true;
}

static bool
check_head(struct tp_checker *c)
{
	const struct tp_doc *doc = c->doc;

	c->where = TP_S("the document");
	return tp_check_present(c, doc->title, TP_S("the title")) && tp_check_text(c, doc->name) &&
		tp_check_text(c, doc->run) && tp_check_text(c, doc->description) &&
		tp_check_text(c, doc->version) &&
		tp_check_need(c, doc->first != NULL && doc->first->section.role == TP_SECTION_SUMMARY,
			doc->title, "does not begin with a summary");
}

enum tp_status
tp_doc_check(const struct tp_doc *doc, struct tp_err *err)
{
	struct tp_err ours = {.status = TP_OK};
	struct tp_checker c = {.doc = doc, .err = err ? err : &ours, .scratch = tp_arena_new()};

	tp_strings_init(&c.ids, c.scratch);
	tp_strings_init(&c.metric_ids, c.scratch);
	bool sound = check_head(&c) && check_metrics(&c) && collect_ids(&c) && check_blocks(&c);

	tp_arena_free(c.scratch);
	return sound ? TP_OK : c.err->status;
}

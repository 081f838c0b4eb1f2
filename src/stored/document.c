/* Blocks, metrics and findings out of a report's JSON. */
#include "stored/document.h"

#include <math.h>

#include "base/arena.h"
#include "report/compared.h"
#include "report/doc.h"
#include "report/shape.h"
#include "stored/read.h"

struct reader {
	struct tp_reading r;
	struct tp_doc *doc;
	struct tp_strings ids;         /* whatever is called id: what links may lead to */
	struct tp_strings finding_ids; /* from 1 */
	struct tp_finding *findings;   /* by that */
};

static bool
is_known(const struct reader *k, struct tp_slice id)
{
	struct tp_strings *ids = (struct tp_strings *)&k->ids;
	uint32_t before = ids->count;

	return tp_intern(ids, id) < before;
}

static void
collect_ids(struct reader *k, const struct tp_node *node)
{
	for (const struct tp_node *at = node->first; at != NULL; at = at->next) {
		if (at->type == TP_PULL_STRING && tp_slice_eq(at->key, TP_S("id")))
			tp_intern(&k->ids, at->text);
		collect_ids(k, at);
	}
}

/* What a page or a PDF leaves out of its copy cannot be linked or shown. */

static void
settle_link(const struct reader *k, struct tp_slice *href)
{
	if (href->len != 0 && !is_known(k, tp_slice_from(*href, 1)))
		*href = TP_S("");
}

/* A figure of a metric is the metric's, in its own unit. */
static void
settle_metric(const struct reader *k, struct tp_slice *metric, struct tp_value *value)
{
	const struct tp_metric *m = tp_doc_find_metric(k->doc, *metric);

	if (m == NULL)
		*metric = TP_S("");
	else
		*value = m->value;
}

static void
settle_text(const struct reader *k, struct tp_text text)
{
	struct tp_span *spans = (struct tp_span *)text.spans;

	for (size_t i = 0; i < text.count; i++) {
		settle_link(k, &spans[i].href);
		if (spans[i].metric.len != 0)
			settle_metric(k, &spans[i].metric, &spans[i].value);
	}
}

static void
settle_texts(const struct reader *k, const struct tp_text *texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		settle_text(k, texts[i]);
}

static bool
read_metrics(struct reader *k, struct tp_node *root)
{
	struct tp_node *all = tp_tree_member(root, "metrics");

	k->r.where = TP_S("metrics");
	for (struct tp_node *at = all != NULL ? all->first : NULL; at != NULL; at = at->next) {
		struct tp_metric m = {.label = {NULL, 0}};

		if (!tp_read_shape(&k->r, at, &tp_metric_shape, &m, 0))
			return false;
		struct tp_metric *added = tp_doc_metric(k->doc, at->key, "", m.value, m.how, m.coverage);

		added->label = m.label;
	}
	return true;
}

static bool
read_findings(struct reader *k, struct tp_node *root)
{
	struct tp_node *all = tp_tree_member(root, "findings");

	tp_strings_init(&k->finding_ids, k->r.arena);
	tp_intern(&k->finding_ids, TP_S(""));
	k->findings = tp_new_array(k->r.arena, struct tp_finding, (all != NULL ? all->count : 0) + 1);
	for (struct tp_node *at = all != NULL ? all->first : NULL; at != NULL; at = at->next) {
		k->r.where = tp_tree_text(at, "id");
		uint32_t number = tp_intern(&k->finding_ids, k->r.where);
		struct tp_finding *f = &k->findings[number];

		*f = (struct tp_finding){.id = {NULL, 0}};
		if (!tp_read_shape(&k->r, at, &tp_finding_shape, f, 0) ||
			(f->status == TP_FINDING_OPEN &&
				!tp_read_shape(&k->r, at, &tp_open_finding_shape, f, 0)))
			return false;
		const struct tp_text texts[] = {
			f->title, f->brief, f->saw, f->matters, f->check, f->evidence};

		settle_texts(k, texts, sizeof texts / sizeof *texts);
		settle_texts(k, f->actions, f->action_count);
	}
	return true;
}

static bool
read_finding_block(struct reader *k, struct tp_node *node, struct tp_finding_block *b)
{
	uint32_t before = k->finding_ids.count;
	uint32_t number = tp_intern(&k->finding_ids, tp_tree_text(node, "finding"));

	if (number == 0 || number >= before)
		return tp_read_wrong(&k->r, "finding", "is not one of the findings");
	b->finding = &k->findings[number];
	return tp_read_shape(&k->r, node, &tp_finding_block_shape, b, 0);
}

static bool
read_tiles(struct reader *k, struct tp_node *node, struct tp_tiles *out)
{
	struct tp_node *list = tp_tree_member(node, "tiles");
	struct tp_tile *tiles =
		tp_new_array(k->r.arena, struct tp_tile, list != NULL ? list->count : 0);

	*out = (struct tp_tiles){tiles, list != NULL ? list->count : 0};
	for (struct tp_node *at = list != NULL ? list->first : NULL; at != NULL; at = at->next) {
		struct tp_node *texts = tp_tree_member(at, "notes");
		const struct tp_text *notes;
		size_t count = texts != NULL && texts->type == TP_PULL_ARRAY ? texts->count : 0;

		if (!tp_read_shape(&k->r, at, &tp_tile_shape, tiles, 0))
			return false;
		if (count > 2)
			return tp_read_wrong(&k->r, "notes", "are more than two");
		if (count != 0 &&
			!tp_read_sentences(&k->r, texts, tp_tree_member(at, "notes_spans"), &notes))
			return false;
		for (size_t i = 0; i < count; i++) {
			settle_text(k, notes[i]);
			tiles->note[i] = notes[i];
		}
		settle_metric(k, &tiles->metric, &tiles->value);
		tiles++;
	}
	return true;
}

/* Tables. */

static bool
read_cell(
	struct reader *k, struct tp_node *node, const struct tp_column *column, struct tp_cell *out)
{
	struct tp_node *unit = tp_tree_member(node, "unit"), *judge = tp_tree_member(node, "judge");
	struct tp_node *hue = tp_tree_member(node, "hue"), *tint = tp_tree_member(node, "tint");
	unsigned name = column->unit;
	uint64_t whole;

	if (unit != NULL && !tp_value_named(&tp_unit_names, unit->text, &name))
		return tp_read_wrong(&k->r, "unit", "is not a known unit");
	out->value = tp_read_plain_value(tp_tree_member(node, "value"), (enum tp_unit)name);
	if (out->value.kind == TP_VALUE_TEXT)
		out->value.unit = TP_UNIT_NONE;
	if (!tp_known(out->value))
		out->value = tp_missing(tp_tree_text(node, "missing"));
	if (judge != NULL) {
		if (!tp_value_named(&tp_judge_names, judge->text, &name))
			return tp_read_wrong(&k->r, "judge", "is not a known judgement");
		out->judge = (enum tp_judge)name;
	}
	if (hue != NULL) {
		if (!tp_value_named(&tp_hue_names, hue->text, &name))
			return tp_read_wrong(&k->r, "hue", "is not a known class of time");
		out->swatch = (enum tp_hue)name;
	}
	if (tint != NULL) {
		if (!tp_read_whole(tint, &whole) || whole >= TP_LOOKS)
			return tp_read_wrong(&k->r, "tint", "is not a known tint");
		out->tint = (unsigned)whole;
	}
	out->full = tp_tree_text(node, "full");
	out->href = tp_tree_text(node, "href");
	out->metric = tp_tree_text(node, "metric");
	settle_link(k, &out->href);
	if (out->metric.len != 0)
		settle_metric(k, &out->metric, &out->value);
	return true;
}

static bool
read_row(struct reader *k, struct tp_node *node, const struct tp_table *t, struct tp_row *out)
{
	struct tp_node *role = tp_tree_member(node, "role"), *depth = tp_tree_member(node, "depth");
	struct tp_node *cells = tp_tree_member(node, "cells");
	struct tp_cell *cell = tp_new_array(k->r.arena, struct tp_cell, t->column_count);
	unsigned name = TP_ROW_NORMAL;
	uint64_t whole = 0;

	if (role != NULL && !tp_value_named(&tp_row_role_names, role->text, &name))
		return tp_read_wrong(&k->r, "role", "is not a known role of a row");
	if (depth != NULL && (!tp_read_whole(depth, &whole) || whole > INT32_MAX))
		return tp_read_wrong(&k->r, "depth", "is not a whole number in range");
	*out = (struct tp_row){.id = tp_tree_text(node, "id"),
		.role = (enum tp_row_role)name,
		.depth = (int)whole,
		.cells = cell};
	for (size_t i = 0; i < t->column_count; i++) {
		struct tp_node *at = tp_tree_member_of(cells, t->columns[i].key);

		if (at != NULL && !read_cell(k, at, &t->columns[i], cell))
			return false;
		cell++;
	}
	return true;
}

static bool
read_table(struct reader *k, struct tp_node *node, struct tp_table *t)
{
	struct tp_node *list = tp_tree_member(node, "rows");

	if (!tp_read_shape(&k->r, node, &tp_table_shape, t, 0))
		return false;
	const struct tp_table_life *life = t->life;

	if (life != NULL &&
		(life->start >= t->column_count || life->end >= t->column_count ||
			life->kind >= t->column_count || !is_known(k, life->chart)))
		t->life = NULL;
	t->row_count = list != NULL ? list->count : 0;
	struct tp_row *rows = tp_new_array(k->r.arena, struct tp_row, t->row_count);

	t->rows = rows;
	t->shown = t->shown < t->row_count ? t->shown : t->row_count;
	for (struct tp_node *at = list != NULL ? list->first : NULL; at != NULL; at = at->next) {
		if (!read_row(k, at, t, rows++))
			return false;
	}
	return true;
}

/* Charts. */

static bool
read_cells_of_grid(struct reader *k, struct tp_node *node, struct tp_grid *g)
{
	enum { MOST = 1 << 20 };
	struct tp_node *list = tp_tree_member(node, "cells");

	if (g->columns > MOST || g->row_count > MOST || g->columns * g->row_count > MOST)
		return tp_read_wrong(&k->r, "columns", "are more than can be drawn");
	size_t count = g->columns * g->row_count;
	double *values = tp_new_array(k->r.arena, double, count);
	struct tp_slice *labels = tp_new_array(k->r.arena, struct tp_slice, count);
	struct tp_slice *notes = tp_new_array(k->r.arena, struct tp_slice, count);
	struct tp_slice *places = tp_new_array(k->r.arena, struct tp_slice, count);

	g->values = values;
	g->labels = labels;
	for (size_t i = 0; i < count; i++)
		values[i] = NAN;
	for (struct tp_node *at = list != NULL ? list->first : NULL; at != NULL; at = at->next) {
		uint64_t cell;

		if (!tp_read_whole(tp_tree_member(at, "cell"), &cell) || cell >= count ||
			!tp_read_number(tp_tree_member(at, "value"), &values[cell]))
			return tp_read_wrong(&k->r, "cells", "holds something that is not one of its cells");
		labels[cell] = tp_tree_text(at, "label");
		notes[cell] = tp_tree_text(at, "note");
		places[cell] = tp_tree_text(at, "place");
		g->notes = notes[cell].len != 0 ? notes : g->notes;
		g->places = places[cell].len != 0 ? places : g->places;
	}
	return true;
}

/* What a chart of one kind has besides, in a struct of its own. */
static void *
own_part(struct reader *k, struct tp_node *node, const struct tp_shape *shape)
{
	void *part = tp_arena_alloc(k->r.arena, shape->size);

	return tp_read_shape(&k->r, node, shape, part, 0) ? part : NULL;
}

static bool
read_chart(struct reader *k, struct tp_node *node, struct tp_chart *c)
{
	if (!tp_read_shape(&k->r, node, &tp_chart_shape, c, 0))
		return false;
	switch (c->kind) {
	case TP_CHART_STACK:
	case TP_CHART_STRIP:
	case TP_CHART_BARS:
	case TP_CHART_TILE:
		return tp_read_shape(&k->r, node, &tp_series_shape, c, 0);
	case TP_CHART_SCATTER:
		return (c->scatter = own_part(k, node, &tp_scatter_shape)) != NULL;
	case TP_CHART_GRID: {
		struct tp_grid *grid = own_part(k, node, &tp_grid_shape);

		c->grid = grid;
		return grid != NULL && read_cells_of_grid(k, node, grid);
	}
	case TP_CHART_CURVES:
		return (c->curves = own_part(k, node, &tp_curves_shape)) != NULL;
	case TP_CHART_FLAME:
		return tp_read_shape(&k->r, node, &tp_flame_shape, c, 0);
	case TP_CHART_DIAGRAM:
		return (c->diagram = own_part(k, node, &tp_diagram_shape)) != NULL;
	case TP_CHART_TIMELINE:
		return (c->timeline = own_part(k, node, &tp_timeline_shape)) != NULL;
	}
	return false;
}

/* Blocks. */

static bool
read_sentences_of_section(struct reader *k, struct tp_node *node, struct tp_section *s)
{
	struct tp_section read = {.first = s->first, .tail = s->tail};

	if (!tp_read_shape(&k->r, node, &tp_section_shape, &read, 0))
		return false;
	const struct tp_text texts[] = {read.answer, read.so_what, read.aside};

	settle_texts(k, texts, sizeof texts / sizeof *texts);
	*s = read;
	return true;
}

static bool
read_verdict(struct reader *k, struct tp_node *node, struct tp_verdict *v)
{
	if (!tp_read_shape(&k->r, node, &tp_verdict_shape, v, 0))
		return false;
	const struct tp_text texts[] = {v->name, v->saw, v->consequence};

	settle_texts(k, texts, sizeof texts / sizeof *texts);
	return true;
}

static bool
read_block(struct reader *k, struct tp_node *node, struct tp_block *b)
{
	switch (b->kind) {
	case TP_BLOCK_SECTION:
		return read_sentences_of_section(k, node, &b->section);
	case TP_BLOCK_PARAGRAPH:
		if (!tp_read_shape(&k->r, node, &tp_paragraph_shape, &b->paragraph, 0))
			return false;
		settle_texts(k, b->paragraph.items, b->paragraph.count);
		return true;
	case TP_BLOCK_VERDICT:
		return read_verdict(k, node, &b->verdict);
	case TP_BLOCK_TILES:
		return read_tiles(k, node, &b->tiles);
	case TP_BLOCK_TABLE:
		return read_table(k, node, &b->table);
	case TP_BLOCK_CHART:
		return read_chart(k, node, &b->chart);
	case TP_BLOCK_FINDING:
		return read_finding_block(k, node, &b->finding);
	case TP_BLOCK_NOTICE:
		if (!tp_read_shape(&k->r, node, &tp_notice_shape, &b->notice, 0))
			return false;
		settle_text(k, b->notice.text);
		return true;
	}
	return false;
}

static bool
kind_of(struct tp_node *node, enum tp_block_kind *out)
{
	static const char *const kinds[] = {
		[TP_BLOCK_SECTION] = "section",
		[TP_BLOCK_PARAGRAPH] = "paragraph",
		[TP_BLOCK_VERDICT] = "verdict",
		[TP_BLOCK_TILES] = "tiles",
		[TP_BLOCK_TABLE] = "table",
		[TP_BLOCK_CHART] = "chart",
		[TP_BLOCK_FINDING] = "finding",
		[TP_BLOCK_NOTICE] = "notice",
	};
	struct tp_slice kind = tp_tree_text(node, "kind");

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (tp_slice_eq(kind, tp_slice_of(kinds[i]))) {
			*out = (enum tp_block_kind)i;
			return true;
		}
	}
	return false;
}

static bool
read_blocks(struct reader *k, struct tp_block *parent, struct tp_node *list)
{
	for (struct tp_node *at = list != NULL ? list->first : NULL; at != NULL; at = at->next) {
		enum tp_block_kind kind;

		k->r.where = tp_tree_text(at, "id");
		if (!kind_of(at, &kind) || (parent == NULL && kind != TP_BLOCK_SECTION))
			return tp_read_wrong(&k->r, "kind", "is not a known kind of block");
		struct tp_block *block = tp_doc_add(k->doc, parent, kind, k->r.where);

		if (!read_block(k, at, block) ||
			(kind == TP_BLOCK_SECTION && !read_blocks(k, block, tp_tree_member(at, "blocks"))))
			return false;
	}
	return true;
}

bool
tp_is_report_json(struct tp_slice head)
{
	return tp_slice_starts(head, TP_S("{")) &&
		tp_slice_has((struct tp_slice){head.ptr, head.len < 200 ? head.len : 200},
			TP_S("\"tpreport.report/"));
}

static bool
read_head(struct reader *k, struct tp_node *root)
{
	struct tp_node *about = tp_tree_member(root, "about");
	unsigned named = TP_ABOUT_RUN;
	struct tp_node *made = tp_tree_member(root, "made_unix_s");
	struct tp_doc *doc = k->doc;
	uint64_t seconds;

	doc->version = tp_tree_text(tp_tree_member(root, "tool"), "version");
	doc->title = tp_tree_text(root, "title");
	doc->name = tp_tree_text(root, "name");
	doc->run = tp_tree_text(root, "run");
	doc->description = tp_tree_text(root, "description");
	if (tp_read_whole(made, &seconds))
		doc->made_unix_s = (int64_t)seconds;
	k->r.where = TP_S("the report");
	if (about != NULL && !tp_value_named(&tp_about_names, about->text, &named))
		return tp_read_wrong(&k->r, "about", "is not a known subject of a report");
	doc->about = (enum tp_doc_about)named;
	return true;
}

static bool
is_compared(struct tp_slice id)
{
	for (size_t i = 0; i < TP_COMPARED_TABLES; i++) {
		if (tp_id_fits(id, tp_compared_tables[i]))
			return true;
	}
	return false;
}

struct tp_doc *
tp_document_read(struct tp_slice json, const char *name, enum tp_stored_part part,
	struct tp_arena *arena, struct tp_err *err)
{
	struct tp_node *root =
		tp_tree_read(json, name, part == TP_STORED_COMPARED ? is_compared : NULL, arena, err);

	return root != NULL ? tp_document_of(root, name, arena, err) : NULL;
}

struct tp_doc *
tp_document_of(struct tp_node *root, const char *name, struct tp_arena *arena, struct tp_err *err)
{
	struct tp_slice schema = tp_tree_text(root, "schema");

	if (!tp_slice_eq(schema, TP_S("tpreport.report/1"))) {
		tp_fail_at(err, TP_ERR_FORMAT, name, TP_NO_OFFSET, "%s",
			tp_slice_starts(schema, TP_S("tpreport.report/"))
				? "a report of a later version of tpreport"
				: "no report of tpreport");
		return NULL;
	}
	struct reader k = {.r = {.arena = arena, .err = err, .name = name}, .doc = tp_doc_new(arena)};

	tp_strings_init(&k.ids, arena);
	collect_ids(&k, root);
	if (!read_head(&k, root) || !read_metrics(&k, root) || !read_findings(&k, root) ||
		!read_blocks(&k, NULL, tp_tree_member(root, "sections")))
		return NULL;
	if (tp_doc_check(k.doc, err) != TP_OK) {
		tp_while(err, "%s: not as tpreport writes reports", name);
		return NULL;
	}
	return k.doc;
}

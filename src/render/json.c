/* The document as JSON: templates/report.schema.json says what stands where. */
#include "render/json.h"

#include "base/arena.h"
#include "base/map.h"
#include "io/sink.h"
#include "render/chart_words.h"
#include "render/renderer.h"
#include "report/shape.h"

enum { MOST_SHOWN = 500 }; /* rows that a table shows where the whole must be small */

static void
put_metrics(struct tp_json_report *w, const struct tp_doc *doc)
{
	int64_t left_out = 0;

	tp_json_open(&w->json, "metrics", TP_JSON_OBJECT);
	for (const struct tp_metric *m = doc->metrics; m != NULL; m = m->next) {
		if (tp_json_written(w) > w->most / 4 && tp_slice_has(m->id, TP_S("@"))) {
			left_out++;
			continue;
		}
		tp_json_open_named(&w->json, m->id, TP_JSON_OBJECT);
		tp_json_put_shape(w, &tp_metric_shape, m, 0);
		tp_json_close(&w->json);
	}
	tp_json_close(&w->json);
	if (left_out != 0)
		tp_json_integer(&w->json, "metrics_left_out", left_out);
}

/* Findings: each once, though the first screen shows some in brief as well. */

static void
put_links(struct tp_json_report *w, struct tp_text text)
{
	char buf[TP_VALUE_BUF];

	tp_json_open(&w->json, "links", TP_JSON_ARRAY);
	for (size_t i = 0; i < text.count; i++) {
		if (text.spans[i].href.len == 0)
			continue;
		tp_json_open(&w->json, NULL, TP_JSON_FLAT_OBJECT);
		tp_json_string(&w->json, "text", tp_span_shown(&text.spans[i], buf));
		tp_json_string(&w->json, "href", text.spans[i].href);
		tp_json_close(&w->json);
	}
	tp_json_close(&w->json);
}

static void
put_finding(struct tp_json_report *w, const struct tp_finding *f, unsigned number)
{
	tp_json_open(&w->json, NULL, TP_JSON_OBJECT);
	tp_json_put_shape(w, &tp_finding_shape, f, 0);
	if (f->status == TP_FINDING_OPEN) {
		tp_json_integer(&w->json, "number", number);
		tp_json_put_shape(w, &tp_open_finding_shape, f, 0);
		put_links(w, f->evidence);
	}
	tp_json_close(&w->json);
}

static void
put_findings(struct tp_json_report *w, const struct tp_doc *doc)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_strings seen;

	tp_strings_init(&seen, arena);
	tp_json_open(&w->json, "findings", TP_JSON_ARRAY);
	for (struct tp_walk walk = tp_walk_of(doc); tp_walk_next(&walk);) {
		if (walk.event == TP_WALK_LEAVE || walk.block->kind != TP_BLOCK_FINDING)
			continue;
		const struct tp_finding_block *b = &walk.block->finding;
		uint32_t before = seen.count;

		if (tp_intern(&seen, b->finding->id) == before)
			put_finding(w, b->finding, b->number);
	}
	tp_json_close(&w->json);
	tp_arena_free(arena);
}

static void
put_tile(struct tp_json_report *w, const struct tp_tile *t)
{
	tp_json_open(&w->json, NULL, TP_JSON_OBJECT);
	tp_json_put_shape(w, &tp_tile_shape, t, 0);
	tp_json_put_sentences(w, "notes", t->note, 2);
	tp_json_close(&w->json);
}

/* Numbers of a column are all in its unit; in a column of texts a number says its own. */
static void
put_cell(struct tp_json_report *w, const struct tp_cell *cell, const struct tp_column *column)
{
	char buf[TP_VALUE_BUF];
	struct tp_value v = tp_column_value(column, cell->value);
	bool number = v.kind == TP_VALUE_INTEGER || v.kind == TP_VALUE_NUMBER;

	tp_json_open_named(&w->json, column->key, TP_JSON_FLAT_OBJECT);
	tp_json_value(&w->json, "value", v);
	if (number && column->unit == TP_UNIT_NONE)
		tp_json_string(&w->json, "unit", tp_unit_name(v.unit));
	tp_json_put_text(w, v, column, tp_column_text(column, v, buf));
	if (!tp_known(v))
		tp_json_put_filled(w, "missing", v.text);
	tp_json_put_judge(w, "judge", cell->judge);
	if (cell->swatch != TP_HUE_NONE)
		tp_json_string(&w->json, "hue", tp_hue_name(cell->swatch));
	if (cell->tint != 0)
		tp_json_integer(&w->json, "tint", cell->tint);
	tp_json_put_filled(w, "full", cell->full);
	tp_json_put_filled(w, "href", cell->href);
	tp_json_put_filled(w, "metric", cell->metric);
	tp_json_close(&w->json);
}

static void
put_row(struct tp_json_report *w, const struct tp_row *row, const struct tp_table *t)
{
	tp_json_open(&w->json, NULL, TP_JSON_FLAT_OBJECT);
	tp_json_string(&w->json, "id", row->id);
	tp_json_string(&w->json, "role", tp_name_in(&tp_row_role_names, row->role));
	if (t->tree)
		tp_json_integer(&w->json, "depth", row->depth);
	tp_json_open(&w->json, "cells", TP_JSON_OBJECT);
	for (size_t i = 0; i < t->column_count; i++)
		put_cell(w, &row->cells[i], &t->columns[i]);
	tp_json_close(&w->json);
	tp_json_close(&w->json);
}

static void
put_table(struct tp_json_report *w, const struct tp_table *t)
{
	tp_json_put_shape(w, &tp_table_shape, t, 0);
	tp_json_open(&w->json, "rows", TP_JSON_ARRAY);
	bool many = t->events && t->row_count > TP_RENDER_MANY_EVENTS && w->most != SIZE_MAX;
	size_t i = 0;

	for (; i < t->row_count; i++) {
		if ((many || tp_json_written(w) > w->most) && (i >= t->shown || i >= MOST_SHOWN))
			break;
		put_row(w, &t->rows[i], t);
	}
	tp_json_close(&w->json);
	if (i < t->row_count)
		tp_json_integer(&w->json, "left_out", (int64_t)(t->row_count - i));
}

static void
put_chart(struct tp_json_report *w, const struct tp_chart *c)
{
	tp_json_put_shape(w, &tp_chart_shape, c, 0);
	tp_chart_words(c->kind)->json(w, c);
}

static void
open_block(struct tp_json_report *w, const struct tp_block *b, const char *kind)
{
	tp_json_open(&w->json, NULL, TP_JSON_OBJECT);
	tp_json_put_name(w, "kind", kind);
	tp_json_string(&w->json, "id", b->id);
}

/* Writes a block; a section is left open for its children. */
static void
enter_block(struct tp_json_report *w, const struct tp_block *b)
{
	switch (b->kind) {
	case TP_BLOCK_SECTION:
		open_block(w, b, "section");
		tp_json_put_shape(w, &tp_section_shape, &b->section, 0);
		tp_json_open(&w->json, "blocks", TP_JSON_ARRAY);
		return;
	case TP_BLOCK_PARAGRAPH:
		open_block(w, b, "paragraph");
		tp_json_put_shape(w, &tp_paragraph_shape, &b->paragraph, 0);
		break;
	case TP_BLOCK_VERDICT:
		open_block(w, b, "verdict");
		tp_json_put_shape(w, &tp_verdict_shape, &b->verdict, 0);
		break;
	case TP_BLOCK_TILES:
		open_block(w, b, "tiles");
		tp_json_open(&w->json, "tiles", TP_JSON_ARRAY);
		for (size_t i = 0; i < b->tiles.count; i++)
			put_tile(w, &b->tiles.tiles[i]);
		tp_json_close(&w->json);
		break;
	case TP_BLOCK_TABLE:
		open_block(w, b, "table");
		put_table(w, &b->table);
		break;
	case TP_BLOCK_CHART:
		open_block(w, b, "chart");
		put_chart(w, &b->chart);
		break;
	case TP_BLOCK_FINDING:
		open_block(w, b, "finding");
		tp_json_string(&w->json, "finding", b->finding.finding->id);
		tp_json_put_shape(w, &tp_finding_block_shape, &b->finding, 0);
		break;
	case TP_BLOCK_NOTICE:
		open_block(w, b, "notice");
		tp_json_put_shape(w, &tp_notice_shape, &b->notice, 0);
		break;
	}
	tp_json_close(&w->json);
}

/* What is in a view is in report.json and, as HTML, in the page. */
static bool
is_too_much(const struct tp_json_report *w, const struct tp_block *b)
{
	return b->kind == TP_BLOCK_SECTION && b->section.role == TP_SECTION_VIEW &&
		tp_json_written(w) > w->most;
}

static void
leave_section(struct tp_json_report *w, bool left_out)
{
	tp_json_close(&w->json); /* blocks */
	if (left_out)
		tp_json_bool(&w->json, "blocks_left_out", true);
	tp_json_close(&w->json); /* the section */
}

static void
put_sections(struct tp_json_report *w, const struct tp_doc *doc)
{
	const struct tp_block *skipped = NULL;

	tp_json_open(&w->json, "sections", TP_JSON_ARRAY);
	for (struct tp_walk walk = tp_walk_of(doc); tp_walk_next(&walk);) {
		if (skipped != NULL && walk.block != skipped)
			continue;
		if (walk.event == TP_WALK_LEAVE) {
			leave_section(w, skipped != NULL);
			skipped = NULL;
			continue;
		}
		skipped = is_too_much(w, walk.block) ? walk.block : NULL;
		enter_block(w, walk.block);
	}
	tp_json_close(&w->json);
}

static void
put_head(struct tp_json_report *w, const struct tp_doc *doc)
{
	const struct tp_verdict *verdict = tp_doc_verdict(doc);

	tp_json_put_name(w, "schema", "tpreport.report/1");
	tp_json_open(&w->json, "tool", TP_JSON_FLAT_OBJECT);
	tp_json_put_name(w, "name", "tpreport");
	tp_json_string(&w->json, "version", doc->version);
	tp_json_close(&w->json);
	if (doc->about != TP_ABOUT_RUN)
		tp_json_string(&w->json, "about", tp_name_in(&tp_about_names, doc->about));
	tp_json_string(&w->json, "title", doc->title);
	tp_json_string(&w->json, "name", doc->name);
	tp_json_string(&w->json, "run", doc->run);
	tp_json_string(&w->json, "description", doc->description);
	tp_json_integer(&w->json, "made_unix_s", doc->made_unix_s);
	if (verdict == NULL) {
		tp_json_null(&w->json, "verdict");
		return;
	}
	tp_json_open(&w->json, "verdict", TP_JSON_OBJECT);
	tp_json_put_shape(w, &tp_verdict_shape, verdict, 0);
	tp_json_close(&w->json);
}

static void
write_all(const struct tp_doc *doc, size_t most, bool dense, bool drawn_only, struct tp_pool *pool,
	struct tp_sink *out)
{
	struct tp_json_report w = {
		.scratch = tp_arena_new(),
		.start = tp_sink_written(out),
		.most = most,
		.drawn_only = drawn_only,
		.pool = pool,
	};

	tp_json_start(&w.json, out);
	w.json.dense = dense;
	tp_json_open(&w.json, NULL, TP_JSON_OBJECT);
	put_head(&w, doc);
	put_metrics(&w, doc);
	put_findings(&w, doc);
	put_sections(&w, doc);
	tp_json_close(&w.json);
	tp_arena_free(w.scratch);
}

static enum tp_status
render(const struct tp_doc *doc, const struct tp_render_options *options, struct tp_sink *out,
	struct tp_err *err)
{
	(void)err;
	write_all(doc, SIZE_MAX, false, false, options->pool, out);
	return TP_OK;
}

void
tp_render_json_inside(const struct tp_doc *doc, const struct tp_render_options *options,
	size_t bytes, bool drawn_only, struct tp_sink *out)
{
	write_all(doc, options->all_rows ? SIZE_MAX : bytes, true, drawn_only, options->pool, out);
}

const struct tp_renderer tp_render_json = {
	.name = "json",
	.suffix = ".json",
	.summary = "everything at full precision, for scripts and as a baseline",
	.render = render,
};

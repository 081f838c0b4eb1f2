/* The document as JSON: templates/report.schema.json says what stands where. */
#include "render/json.h"

#include "base/arena.h"
#include "base/map.h"
#include "io/sink.h"
#include "render/chart_words.h"
#include "render/renderer.h"

enum { MOST_SHOWN = 500 }; /* rows that a table shows where the whole must be small */

static const char *const section_roles[] = {
	[TP_SECTION_SUMMARY] = "summary",
	[TP_SECTION_MAIN] = "main",
	[TP_SECTION_MINOR] = "minor",
	[TP_SECTION_SUB] = "sub",
	[TP_SECTION_VIEW] = "view",
	[TP_SECTION_FOLD] = "fold",
};

static const char *const paragraph_roles[] = {
	[TP_PARAGRAPH_BODY] = "body",
	[TP_PARAGRAPH_RUN_LINE] = "run_line",
	[TP_PARAGRAPH_BECAUSE] = "because",
	[TP_PARAGRAPH_QUALITY] = "quality",
	[TP_PARAGRAPH_COUNTS] = "counts",
	[TP_PARAGRAPH_SMALL] = "small",
	[TP_PARAGRAPH_SOURCE] = "source",
};

static const char *const row_roles[] = {
	[TP_ROW_NORMAL] = "normal",
	[TP_ROW_GROUP] = "group",
	[TP_ROW_TOTAL] = "total",
};

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
		tp_json_put_value_members(w, m->value);
		tp_json_string(&w->json, "label", m->label);
		tp_json_string(&w->json, "how", m->how);
		tp_json_string(&w->json, "coverage", m->coverage);
		tp_json_close(&w->json);
	}
	tp_json_close(&w->json);
	if (left_out != 0)
		tp_json_integer(&w->json, "metrics_left_out", left_out);
}

/* Findings: each once, though the first screen shows some in brief as well. */

static const char *const finding_statuses[] = {
	[TP_FINDING_OPEN] = "open",
	[TP_FINDING_PASSED] = "passed",
	[TP_FINDING_NOT_APPLICABLE] = "not_applicable",
	[TP_FINDING_UNDECIDED] = "undecided",
};

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
	tp_json_string(&w->json, "id", f->id);
	tp_json_put_name(w, "status", finding_statuses[f->status]);
	tp_json_string(&w->json, "name", f->name);
	tp_json_put_sentence(w, "title", f->title);
	if (f->status == TP_FINDING_OPEN) {
		tp_json_integer(&w->json, "number", number);
		tp_json_string(&w->json, "severity", tp_severity_word(f->severity));
		tp_json_put_sentence(w, "brief", f->brief);
		tp_json_put_sentence(w, "saw", f->saw);
		tp_json_put_sentence(w, "matters", f->matters);
		tp_json_put_sentences(w, "actions", f->actions, f->action_count);
		tp_json_put_sentence(w, "check", f->check);
		put_links(w, f->evidence);
		tp_json_put_value(w, "saving", f->saving);
		tp_json_put_filled(w, "saving_note", f->saving_note);
		tp_json_string(&w->json, "hue", tp_hue_name(f->hue));
	}
	tp_json_put_value(w, "measured", f->measured);
	tp_json_put_value(w, "limit", f->limit);
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
open_section(struct tp_json_report *w, const struct tp_section *s)
{
	tp_json_put_name(w, "role", section_roles[s->role]);
	tp_json_string(&w->json, "title", s->title);
	tp_json_put_value(w, "key_figure", s->key_figure);
	tp_json_put_judge(w, "judge", s->judge);
	tp_json_put_sentence(w, "answer", s->answer);
	tp_json_put_sentence(w, "so_what", s->so_what);
	tp_json_put_sentence(w, "aside", s->aside);
	tp_json_open(&w->json, "blocks", TP_JSON_ARRAY);
}

static void
put_verdict(struct tp_json_report *w, const struct tp_verdict *v)
{
	tp_json_put_name(w, "judge", tp_json_judge_name(v->judge));
	tp_json_put_sentence(w, "name", v->name);
	tp_json_put_sentence(w, "saw", v->saw);
	tp_json_put_sentence(w, "consequence", v->consequence);
	tp_json_put_filled(w, "finding", v->finding);
}

static void
put_tile(struct tp_json_report *w, const struct tp_tile *t)
{
	tp_json_open(&w->json, NULL, TP_JSON_OBJECT);
	tp_json_string(&w->json, "id", t->id);
	tp_json_string(&w->json, "label", t->label);
	tp_json_string(&w->json, "metric", t->metric);
	tp_json_put_value_members(w, t->value);
	tp_json_put_filled(w, "qualifier", t->qualifier);
	tp_json_put_judge(w, "judge", t->judge);
	tp_json_put_filled(w, "finding", t->finding);
	tp_json_put_sentences(w, "notes", t->note, 2);
	if (t->spark != NULL)
		tp_json_put_numbers(w, "spark", t->spark, t->spark_count);
	tp_json_close(&w->json);
}

static void
put_column(struct tp_json_report *w, const struct tp_column *c)
{
	tp_json_open(&w->json, NULL, TP_JSON_FLAT_OBJECT);
	tp_json_string(&w->json, "key", c->key);
	tp_json_string(&w->json, "title", c->title);
	tp_json_string(&w->json, "unit", tp_unit_name(c->unit));
	if (c->shown_in != TP_UNIT_NONE)
		tp_json_string(&w->json, "shown_in", tp_unit_name(c->shown_in));
	if (c->sorted)
		tp_json_bool(&w->json, "sorted", true);
	tp_json_close(&w->json);
}

/* Numbers of a column are all in its unit; in a column of texts a number says its own. */
static void
put_cell(struct tp_json_report *w, const struct tp_cell *cell, const struct tp_column *column)
{
	char buf[TP_VALUE_BUF];
	struct tp_value v = cell->value;
	bool number = v.kind == TP_VALUE_INTEGER || v.kind == TP_VALUE_NUMBER;
	bool converted = number && column->unit != TP_UNIT_NONE && column->unit != v.unit;

	tp_json_open_named(&w->json, column->key, TP_JSON_FLAT_OBJECT);
	tp_json_value(
		&w->json, "value", converted ? tp_number(tp_value_in(v, column->unit), column->unit) : v);
	if (number && column->unit == TP_UNIT_NONE)
		tp_json_string(&w->json, "unit", tp_unit_name(v.unit));
	tp_json_string(&w->json, "text", tp_column_text(column, v, buf));
	if (!tp_known(v))
		tp_json_put_filled(w, "missing", v.text);
	tp_json_put_judge(w, "judge", cell->judge);
	if (cell->swatch != TP_HUE_NONE)
		tp_json_string(&w->json, "hue", tp_hue_name(cell->swatch));
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
	tp_json_put_name(w, "role", row_roles[row->role]);
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
	tp_json_string(&w->json, "caption", t->caption);
	tp_json_bool(&w->json, "tree", t->tree);
	tp_json_bool(&w->json, "numbered", t->numbered);
	tp_json_integer(&w->json, "shown", (int64_t)t->shown);
	tp_json_open(&w->json, "columns", TP_JSON_ARRAY);
	for (size_t i = 0; i < t->column_count; i++)
		put_column(w, &t->columns[i]);
	tp_json_close(&w->json);
	tp_json_open(&w->json, "rows", TP_JSON_ARRAY);
	size_t i = 0;

	for (; i < t->row_count; i++) {
		if (tp_json_written(w) > w->most && (i >= t->shown || i >= MOST_SHOWN))
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
	const struct tp_chart_words *words = tp_chart_words(c->kind);

	tp_json_put_name(w, "chart", words->name);
	tp_json_string(&w->json, "alt", c->alt);
	tp_json_string(&w->json, "unit", tp_unit_name(c->unit));
	words->json(w, c);
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
		open_section(w, &b->section);
		return;
	case TP_BLOCK_PARAGRAPH:
		open_block(w, b, "paragraph");
		tp_json_put_name(w, "role", paragraph_roles[b->paragraph.role]);
		tp_json_put_sentences(w, "items", b->paragraph.items, b->paragraph.count);
		break;
	case TP_BLOCK_VERDICT:
		open_block(w, b, "verdict");
		put_verdict(w, &b->verdict);
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
		tp_json_integer(&w->json, "number", b->finding.number);
		tp_json_bool(&w->json, "brief", b->finding.brief);
		break;
	case TP_BLOCK_NOTICE:
		open_block(w, b, "notice");
		tp_json_put_judge(w, "judge", b->notice.judge);
		tp_json_put_sentence(w, "text", b->notice.text);
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
	put_verdict(w, verdict);
	tp_json_close(&w->json);
}

static void
write_all(const struct tp_doc *doc, size_t most, struct tp_sink *out)
{
	struct tp_json_report w = {
		.scratch = tp_arena_new(),
		.start = tp_sink_written(out),
		.most = most,
	};

	tp_json_start(&w.json, out);
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
	(void)options, (void)err;
	write_all(doc, SIZE_MAX, out);
	return TP_OK;
}

void
tp_render_json_inside(const struct tp_doc *doc, const struct tp_render_options *options,
	size_t bytes, struct tp_sink *out)
{
	write_all(doc, options->all_rows ? SIZE_MAX : bytes, out);
}

const struct tp_renderer tp_render_json = {
	.name = "json",
	.suffix = ".json",
	.summary = "everything at full precision, for scripts and as a baseline",
	.render = render,
};

/* The outline: the document as indented plain text, for reviewers and goldens. Every value is shown as people see it. What every
 * report says alike is left out: method texts, and metrics that are missing. */
#include "render/outline.h"

#include "chart/chart.h"
#include "render/chart_words.h"
#include "render/renderer.h"

static void
put_judge(struct tp_outline *o, enum tp_judge judge)
{
	tp_outline_between(o, "", tp_judge_glyph(judge), " ");
}

/* Links show where they lead: "steps [#steps]". */
static void
put_sentence(struct tp_outline *o, struct tp_text text)
{
	char buf[TP_VALUE_BUF];

	for (size_t i = 0; i < text.count; i++) {
		const struct tp_span *span = &text.spans[i];
		bool last = i + 1 == text.count || !tp_slice_eq(span->href, text.spans[i + 1].href);

		tp_outline_put(o, tp_span_shown(span, buf));
		if (span->judge != TP_JUDGE_NONE)
			tp_sink_puts(o->out, " ");
		if (last)
			tp_outline_between(o, " [", span->href, "]");
	}
}

/* The beginning of a block's first line: its kind and id. */
static void
put_head(struct tp_outline *o, const struct tp_block *b, const char *kind)
{
	tp_outline_indent(o, 0);
	tp_sink_printf(o->out, "%s ", kind);
	tp_outline_put(o, b->id);
	tp_sink_puts(o->out, ": ");
}

static void
line(struct tp_outline *o, unsigned more, const char *label, struct tp_text text)
{
	if (text.count == 0)
		return;
	tp_outline_indent(o, more);
	tp_sink_puts(o->out, label);
	put_sentence(o, text);
	tp_sink_puts(o->out, "\n");
}

static void
show_section(struct tp_outline *o, const struct tp_block *b)
{
	static const char *const roles[] = {
		[TP_SECTION_SUMMARY] = "summary",
		[TP_SECTION_MAIN] = "section",
		[TP_SECTION_MINOR] = "minor section",
		[TP_SECTION_SUB] = "part",
		[TP_SECTION_VIEW] = "view",
		[TP_SECTION_FOLD] = "fold",
	};
	const struct tp_section *s = &b->section;

	if (o->depth == 0)
		tp_sink_puts(o->out, "\n");
	put_head(o, b, roles[s->role]);
	tp_outline_put(o, s->title);
	if (tp_known(s->key_figure) || s->key_figure.text.len != 0) {
		tp_sink_puts(o->out, " | ");
		put_judge(o, s->judge);
		tp_outline_value(o, s->key_figure);
	}
	tp_sink_puts(o->out, "\n");
	o->depth++;
	line(o, 0, "answer: ", s->answer);
	line(o, 0, "so what: ", s->so_what);
	line(o, 0, "aside: ", s->aside);
}

static void
show_paragraph(struct tp_outline *o, const struct tp_block *b)
{
	static const char *const roles[] = {
		[TP_PARAGRAPH_BODY] = "text",
		[TP_PARAGRAPH_RUN_LINE] = "run",
		[TP_PARAGRAPH_BECAUSE] = "because",
		[TP_PARAGRAPH_QUALITY] = "quality",
		[TP_PARAGRAPH_COUNTS] = "counts",
		[TP_PARAGRAPH_SMALL] = "remark",
		[TP_PARAGRAPH_SOURCE] = "source",
	};

	put_head(o, b, roles[b->paragraph.role]);
	for (size_t i = 0; i < b->paragraph.count; i++) {
		tp_sink_puts(o->out, i == 0 ? "" : " · ");
		put_sentence(o, b->paragraph.items[i]);
	}
	tp_sink_puts(o->out, "\n");
}

static void
show_verdict(struct tp_outline *o, const struct tp_block *b)
{
	put_head(o, b, "verdict");
	put_judge(o, b->verdict.judge);
	put_sentence(o, b->verdict.name);
	tp_sink_puts(o->out, " ");
	put_sentence(o, b->verdict.saw);
	tp_sink_puts(o->out, "\n");
	line(o, 1, "", b->verdict.consequence);
}

static void
show_tile(struct tp_outline *o, const struct tp_tile *t)
{
	tp_outline_indent(o, 1);
	tp_outline_put(o, t->label);
	tp_sink_puts(o->out, ": ");
	tp_outline_value(o, t->value);
	tp_outline_between(o, " ", t->qualifier, "");
	tp_outline_between(o, " [", t->metric, "]");
	for (int i = 0; i < 2; i++) {
		if (t->note[i].count == 0)
			continue;
		tp_sink_puts(o->out, " | ");
		if (i == 0)
			put_judge(o, t->judge);
		put_sentence(o, t->note[i]);
	}
	char words[TP_SPARK_WORDS_BUF];

	if (t->spark != NULL)
		tp_outline_between(o, " | ",
			tp_spark_words(t->spark, t->spark_count, tp_metric_direction(t->metric), words), "");
	tp_sink_puts(o->out, "\n");
}

static void
show_tiles(struct tp_outline *o, const struct tp_block *b)
{
	put_head(o, b, "tiles");
	tp_sink_printf(o->out, "%zu\n", b->tiles.count);
	for (size_t i = 0; i < b->tiles.count; i++)
		show_tile(o, &b->tiles.tiles[i]);
}

static void
show_columns(struct tp_outline *o, const struct tp_table *t)
{
	tp_outline_indent(o, 1);
	for (size_t i = 0; i < t->column_count; i++) {
		tp_sink_puts(o->out, i == 0 ? "" : " | ");
		tp_outline_put(o, t->columns[i].title);
		tp_outline_between(o, ", ", tp_column_symbol(&t->columns[i]), "");
		tp_sink_puts(o->out, t->columns[i].sorted ? " ▾" : "");
	}
	tp_sink_puts(o->out, "\n");
}

static void
show_row(struct tp_outline *o, const struct tp_table *t, size_t index)
{
	static const char *const roles[] = {
		[TP_ROW_NORMAL] = "",
		[TP_ROW_GROUP] = " (group)",
		[TP_ROW_TOTAL] = " (total)",
	};
	const struct tp_row *row = &t->rows[index];
	char buf[TP_VALUE_BUF];

	tp_outline_indent(o, 1 + (unsigned)row->depth);
	if (t->numbered && row->role == TP_ROW_NORMAL)
		tp_sink_printf(o->out, "%zu. ", index + 1);
	for (size_t i = 0; i < t->column_count; i++) {
		const struct tp_cell *cell = &row->cells[i];
		const struct tp_column *column = &t->columns[i];

		tp_sink_puts(o->out, i == 0 ? "" : " | ");
		put_judge(o, cell->judge);
		tp_outline_put(o, tp_column_text(column, cell->value, buf));
		tp_outline_between(o, " [", cell->href, "]");
	}
	tp_sink_puts(o->out, roles[row->role]);
	tp_outline_between(o, "  #", row->id, "\n");
}

static void
show_table(struct tp_outline *o, const struct tp_block *b)
{
	const struct tp_table *t = &b->table;

	put_head(o, b, t->tree ? "tree table" : "table");
	tp_outline_put(o, t->caption);
	tp_sink_printf(o->out, " (%zu rows)\n", t->row_count);
	show_columns(o, t);
	for (size_t i = 0; i < t->row_count; i++) {
		if (i == t->shown) {
			tp_outline_indent(o, 1);
			tp_sink_printf(o->out, "%zu more, folded:\n", t->row_count - i);
		}
		show_row(o, t, i);
	}
}

static void
show_chart(struct tp_outline *o, const struct tp_block *b)
{
	const struct tp_chart *c = &b->chart;
	const struct tp_chart_words *words = tp_chart_words(c->kind);

	put_head(o, b, words->heading);
	tp_outline_put(o, c->alt);
	tp_outline_between(o, " (", tp_unit_symbol(c->unit), ")");
	tp_sink_puts(o->out, "\n");
	words->outline(o, c);
}

static void
show_saving(struct tp_outline *o, const struct tp_finding *f)
{
	tp_outline_indent(o, 1);
	tp_sink_printf(o->out, "%s: ", tp_finding_saves(f));
	tp_outline_value(o, f->saving);
	tp_outline_between(o, " ", f->saving_note, "");
	if (!tp_known(f->saving))
		tp_outline_between(o, " (", f->saving.text, ")");
	tp_outline_between(o, " [", tp_hue_name(f->hue), "]\n");
}

static void
show_finding(struct tp_outline *o, const struct tp_block *b)
{
	static const char *const statuses[] = {
		[TP_FINDING_OPEN] = "open",
		[TP_FINDING_PASSED] = "passed",
		[TP_FINDING_NOT_APPLICABLE] = "not applicable",
		[TP_FINDING_UNDECIDED] = "undecided",
	};
	const struct tp_finding *f = b->finding.finding;

	put_head(o, b, b->finding.brief ? "finding in brief" : "finding");
	tp_outline_put(o, f->id);
	tp_outline_between(o, " ", f->name, ", ");
	tp_sink_puts(o->out, statuses[f->status]);
	if (f->status == TP_FINDING_OPEN) {
		tp_sink_printf(o->out, ", number %u", b->finding.number);
		tp_outline_between(o, ", ", tp_severity_word(f->severity), "");
	}
	tp_sink_puts(o->out, "\n");
	line(o, 1, "", f->title);
	if (f->status != TP_FINDING_OPEN)
		return;
	line(o, 1, "", f->brief);
	show_saving(o, f);
	if (b->finding.brief)
		return;
	line(o, 1, "saw: ", f->saw);
	line(o, 1, "matters: ", f->matters);
	for (size_t i = 0; i < f->action_count; i++)
		line(o, 1, "do: ", f->actions[i]);
	line(o, 1, "check: ", f->check);
	line(o, 1, "evidence: ", f->evidence);
}

static void
show_notice(struct tp_outline *o, const struct tp_block *b)
{
	put_head(o, b, "notice");
	put_judge(o, b->notice.judge);
	put_sentence(o, b->notice.text);
	tp_sink_puts(o->out, "\n");
}

static void
show_block(struct tp_outline *o, const struct tp_block *b)
{
	switch (b->kind) {
	case TP_BLOCK_SECTION:
		show_section(o, b);
		break;
	case TP_BLOCK_PARAGRAPH:
		show_paragraph(o, b);
		break;
	case TP_BLOCK_VERDICT:
		show_verdict(o, b);
		break;
	case TP_BLOCK_TILES:
		show_tiles(o, b);
		break;
	case TP_BLOCK_TABLE:
		show_table(o, b);
		break;
	case TP_BLOCK_CHART:
		show_chart(o, b);
		break;
	case TP_BLOCK_FINDING:
		show_finding(o, b);
		break;
	case TP_BLOCK_NOTICE:
		show_notice(o, b);
		break;
	}
}

static void
show_metric(struct tp_outline *o, const struct tp_metric *m)
{
	char buf[TP_VALUE_BUF];

	tp_outline_put(o, m->id);
	tp_sink_puts(o->out, " = ");
	tp_outline_value(o, m->value);
	if (m->value.kind != TP_VALUE_TEXT) {
		tp_outline_between(o, " (", tp_value_raw(m->value, buf), "");
		tp_outline_between(o, " ", tp_unit_name(m->value.unit), "");
		tp_sink_puts(o->out, ")");
	}
	tp_outline_between(o, "; ", m->coverage, "");
	tp_sink_puts(o->out, "\n");
}

static void
show_head(struct tp_outline *o, const struct tp_doc *doc)
{
	tp_outline_between(o, "title: ", doc->title, "\n");
	tp_outline_between(o, "name: ", doc->name, "\n");
	tp_outline_between(o, "run: ", doc->run, "\n");
	tp_outline_between(o, "description: ", doc->description, "\n");
	if (doc->made_unix_s != 0) {
		tp_sink_puts(o->out, "made: ");
		tp_outline_value(o, tp_number((double)doc->made_unix_s * 1e9, TP_UNIT_UNIX_NS));
		tp_sink_puts(o->out, "\n");
	}
}

static bool
is_same_elsewhere(const struct tp_block *b)
{
	return b->kind == TP_BLOCK_SECTION && b->section.same_elsewhere;
}

static enum tp_status
render(const struct tp_doc *doc, const struct tp_render_options *options, struct tp_sink *out,
	struct tp_err *err)
{
	struct tp_outline o = {.out = out};

	(void)options, (void)err;
	show_head(&o, doc);
	const struct tp_block *passed_over = NULL;

	for (struct tp_walk walk = tp_walk_of(doc); tp_walk_next(&walk);) {
		if (walk.event == TP_WALK_LEAVE)
			o.depth--;
		else if (passed_over == NULL)
			show_block(&o, walk.block);
		if (is_same_elsewhere(walk.block))
			passed_over = walk.event == TP_WALK_ENTER ? walk.block : NULL;
	}
	tp_sink_puts(out, "\nmetrics:\n");
	for (const struct tp_metric *m = doc->metrics; m != NULL; m = m->next) {
		if (tp_known(m->value))
			show_metric(&o, m);
	}
	return TP_OK;
}

const struct tp_renderer tp_render_outline = {
	.name = "outline",
	.suffix = ".outline",
	.summary = "indented plain text of the whole document, without method texts",
	.render = render,
};

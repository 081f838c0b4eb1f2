/* The digest: a report in some 2,000 words for a pull request, a chat or a program that reads. It holds what counts most and says what
 * it leaves out: verdict, headline figures with their ids, where a step goes, findings, what is missing, then the first table of each
 * section, as far as there is room. */
#include "render/markdown.h"

#include "base/arena.h"
#include "render/renderer.h"

#include <stdio.h>

enum { USUAL_BYTES = 8 * 1024, MOST_ROWS = 10, FEW_ROWS = 4, MOST_FINDINGS = 12 };

/* A part of the digest, rendered by itself, so that it can be weighed before it is taken. */
struct part {
	struct tp_slice text;
	bool taken;
};

static const struct tp_block *
block_with_id(const struct tp_doc *doc, const char *id)
{
	for (struct tp_walk w = tp_walk_of(doc); tp_walk_next(&w);) {
		if (w.event == TP_WALK_ENTER && tp_slice_eq(w.block->id, tp_slice_of(id)))
			return w.block;
	}
	return NULL;
}

static const struct tp_section *
summary_of(const struct tp_doc *doc)
{
	return doc->first != NULL && doc->first->section.role == TP_SECTION_SUMMARY
		? &doc->first->section
		: NULL;
}

static void
put_items(struct tp_markdown *m, const struct tp_paragraph *p)
{
	for (size_t i = 0; i < p->count; i++) {
		tp_sink_puts(m->out, i != 0 ? " · " : "");
		tp_markdown_sentence(m, p->items[i]);
	}
	tp_sink_puts(m->out, "\n");
}

static const struct tp_paragraph *
paragraph_in(const struct tp_section *s, enum tp_paragraph_role role)
{
	for (const struct tp_block *b = s != NULL ? s->first : NULL; b != NULL; b = b->next) {
		if (b->kind == TP_BLOCK_PARAGRAPH && b->paragraph.role == role)
			return &b->paragraph;
		if (b->kind == TP_BLOCK_SECTION) {
			const struct tp_paragraph *found = paragraph_in(&b->section, role);

			if (found != NULL)
				return found;
		}
	}
	return NULL;
}

static void
put_head(struct tp_markdown *m, const struct tp_doc *doc)
{
	const struct tp_verdict *v = tp_doc_verdict(doc);
	static const struct {
		enum tp_paragraph_role role;
		const char *before;
	} lines[] = {
		{TP_PARAGRAPH_RUN_LINE, ""}, {TP_PARAGRAPH_BECAUSE, ""}, {TP_PARAGRAPH_QUALITY, "Data: "}};

	tp_sink_puts(m->out, "# ");
	if (v != NULL) {
		tp_markdown_glyph(m, v->judge);
		tp_markdown_flat(m, v->name);
		tp_sink_puts(m->out, v->saw.count != 0 ? " " : "");
		tp_markdown_flat(m, v->saw);
		tp_sink_puts(m->out, v->consequence.count != 0 ? " " : "");
		tp_markdown_flat(m, v->consequence);
	} else {
		tp_markdown_put(m, doc->title);
	}
	tp_sink_puts(m->out, "\n");
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		const struct tp_paragraph *p = paragraph_in(summary_of(doc), lines[i].role);

		if (p == NULL)
			continue;
		tp_sink_printf(m->out, "\n%s", lines[i].before);
		put_items(m, p);
	}
}

static void
put_tile(struct tp_markdown *m, const struct tp_tile *tile)
{
	tp_sink_puts(m->out, "| ");
	tp_markdown_put(m, tile->label);
	tp_sink_puts(m->out, tile->qualifier.len != 0 ? ", " : "");
	tp_markdown_put(m, tile->qualifier);
	tp_sink_puts(m->out, " | ");
	if (tile->metric.len != 0)
		tp_markdown_code(m, tile->metric);
	tp_sink_puts(m->out, " | ");
	tp_markdown_value(m, tile->value);
	tp_sink_puts(m->out, " | ");
	tp_markdown_glyph(m, tile->judge);
	tp_markdown_sentence(m, tile->note[0]);
	tp_sink_puts(m->out, tile->note[0].count != 0 && tile->note[1].count != 0 ? "; " : "");
	tp_markdown_sentence(m, tile->note[1]);
	tp_sink_puts(m->out, " |\n");
}

static void
put_headline(struct tp_markdown *m, const struct tp_doc *doc)
{
	bool any = false;

	for (const struct tp_block *b = summary_of(doc) != NULL ? summary_of(doc)->first : NULL;
		 b != NULL; b = b->next) {
		if (b->kind != TP_BLOCK_TILES)
			continue;
		if (!any)
			tp_sink_puts(m->out,
				"## Headline figures\n\n| figure | metric | value | note |\n|---|---|--:|---|\n");
		any = true;
		for (size_t i = 0; i < b->tiles.count; i++)
			put_tile(m, &b->tiles.tiles[i]);
	}
}

/* The first screen's bar as rows: a row a series of the mean step. */
static void
put_where(struct tp_markdown *m, const struct tp_doc *doc)
{
	const struct tp_block *b = block_with_id(doc, "summary/step/classes");
	char buf[TP_VALUE_BUF];
	double total = 0;

	for (size_t i = 0; b != NULL && i < b->chart.series_count; i++)
		total += b->chart.series[i].values[0];
	if (!(total > 0))
		return;
	tp_sink_printf(m->out, "## Where a step goes\n\n| class | %.*s | %% |\n|---|--:|--:|\n",
		TP_ARG(tp_unit_symbol(b->chart.unit)));
	for (size_t i = 0; i < b->chart.series_count; i++) {
		const struct tp_series *s = &b->chart.series[i];
		struct tp_value value = tp_number(s->values[0], b->chart.unit);
		struct tp_value share = tp_number(s->values[0] / total, TP_UNIT_SHARE);

		tp_sink_puts(m->out, "| ");
		tp_markdown_put(m, s->label);
		tp_sink_puts(m->out, " | ");
		tp_markdown_put(m, tp_value_fixed(value, b->chart.unit, 2, buf));
		tp_sink_puts(m->out, " | ");
		tp_markdown_put(m, tp_value_fixed(share, TP_UNIT_SHARE, 1, buf));
		tp_sink_puts(m->out, " |\n");
	}
	tp_sink_puts(m->out, "| **mean step** | **");
	tp_markdown_put(m, tp_value_fixed(tp_number(total, b->chart.unit), b->chart.unit, 2, buf));
	tp_sink_puts(m->out, "** | **100.0** |\n");
}

static void
put_finding(struct tp_markdown *m, const struct tp_finding *f, unsigned number)
{
	char buf[TP_VALUE_BUF];

	tp_sink_printf(m->out, "%u. **", number);
	tp_markdown_glyph(m, f->severity);
	tp_markdown_flat(m, f->title);
	tp_sink_printf(m->out, "** (`%.*s`)", TP_ARG(f->id));
	if (tp_known(f->saving)) {
		tp_sink_printf(
			m->out, ", %s **%.*s**", tp_finding_saves(f), TP_ARG(tp_value_text(f->saving, buf)));
		tp_sink_puts(m->out, f->saving_note.len != 0 && f->saving_note.ptr[0] != ',' ? " " : "");
		tp_markdown_put(m, f->saving_note);
	}
	tp_sink_puts(m->out, ".\n");
	if (f->action_count != 0) {
		tp_sink_puts(m->out, "   Do: ");
		tp_markdown_sentence(m, f->actions[0]);
	}
	if (f->check.count != 0) {
		tp_sink_puts(m->out, f->action_count != 0 ? " Check: " : "   Check: ");
		tp_markdown_sentence(m, f->check);
	}
	tp_sink_puts(m->out, "\n");
}

static void
put_findings(struct tp_markdown *m, const struct tp_doc *doc)
{
	const struct tp_paragraph *told = paragraph_in(summary_of(doc), TP_PARAGRAPH_COUNTS);
	unsigned count = 0;

	for (struct tp_walk w = tp_walk_of(doc); tp_walk_next(&w);) {
		const struct tp_finding_block *f = &w.block->finding;

		if (w.event != TP_WALK_ENTER || w.block->kind != TP_BLOCK_FINDING || f->brief ||
			f->finding->status != TP_FINDING_OPEN || ++count > MOST_FINDINGS)
			continue;
		tp_sink_puts(m->out, count == 1 ? "## Findings\n\n" : "");
		put_finding(m, f->finding, count);
	}
	if (told == NULL)
		return;
	tp_sink_puts(m->out, count == 0 ? "## Findings\n" : "");
	tp_sink_puts(m->out, "\n");
	put_items(m, told);
}

static void
put_missing(struct tp_markdown *m, const struct tp_doc *doc)
{
	const struct tp_block *list = block_with_id(doc, "method/absent");

	if (list == NULL)
		return;
	tp_sink_puts(m->out, "## Missing, and how to capture it\n\n");
	for (const struct tp_block *b = list->section.first; b != NULL; b = b->next) {
		if (b->kind != TP_BLOCK_PARAGRAPH)
			continue;
		tp_sink_puts(m->out, "- ");
		put_items(m, &b->paragraph);
	}
}

/* The first table of a section, also of its parts; none of those that a PDF would leave out. */
static const struct tp_block *
table_in(const struct tp_section *s)
{
	for (const struct tp_block *b = s->first; b != NULL; b = b->next) {
		if (b->kind == TP_BLOCK_TABLE && b->table.row_count != 0)
			return b;
		const struct tp_block *found = b->kind == TP_BLOCK_SECTION && !b->section.off_paper &&
				b->section.role == TP_SECTION_SUB
			? table_in(&b->section)
			: NULL;

		if (found != NULL)
			return found;
	}
	return NULL;
}

static void
put_section(struct tp_markdown *m, const struct tp_section *s, size_t most_rows)
{
	const struct tp_block *table = table_in(s);

	tp_sink_puts(m->out, "## ");
	tp_markdown_put(m, s->title);
	tp_sink_puts(m->out, "\n\n");
	tp_markdown_sentence(m, s->answer);
	tp_sink_puts(m->out, s->answer.count != 0 && s->so_what.count != 0 ? " " : "");
	tp_markdown_sentence(m, s->so_what);
	tp_sink_puts(m->out, "\n");
	if (table == NULL || most_rows == 0)
		return;
	tp_sink_puts(m->out, "\n");
	if (table->table.caption.len != 0) {
		tp_markdown_put(m, table->table.caption);
		tp_sink_puts(m->out, ":\n\n");
	}
	tp_markdown_table(m, &table->table, most_rows);
}

/* What the writing functions wrote since: they write into a sink of their own each time. */
static struct tp_slice
kept(struct tp_markdown *m)
{
	struct tp_slice text = tp_arena_copy(m->arena, tp_sink_bytes(m->out));

	tp_sink_close(m->out);
	m->out = NULL;
	return text;
}

struct digest {
	struct tp_markdown m;
	size_t room; /* bytes left */
};

/* A blank line stands before each part but the first. */
static bool
take(struct digest *d, struct part *part)
{
	if (part->text.len == 0 || part->text.len + 1 > d->room)
		return false;
	d->room -= part->text.len + 1;
	part->taken = true;
	return true;
}

static bool
has_tables_of_its_own(const struct tp_section *s)
{
	return s->role == TP_SECTION_MAIN && !s->reference;
}

/* With all the rows that it may have, or few, or none: as there is room. */
static struct part
section_part(struct digest *d, const struct tp_section *s)
{
	static const size_t rows[] = {MOST_ROWS, FEW_ROWS, 0};
	struct part part = {.taken = false};

	for (size_t i = 0; i < sizeof rows / sizeof *rows && !part.taken; i++) {
		d->m.out = tp_sink_memory();
		put_section(&d->m, s, rows[i]);
		part.text = kept(&d->m);
		take(d, &part);
	}
	return part;
}

typedef void put_part(struct tp_markdown *m, const struct tp_doc *doc);

/* As they stand, those before the sections and the one after them; all of them go before sections. */
enum { BEFORE = 4, FIXED = 5 };
static put_part *const fixed[FIXED] = {
	put_head, put_headline, put_where, put_findings, put_missing};

static void
put_parts(struct tp_sink *out, const struct part *parts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!parts[i].taken)
			continue;
		tp_sink_puts(out, tp_sink_written(out) != 0 ? "\n" : "");
		tp_sink_put(out, parts[i].text);
	}
}

static enum tp_status
render(const struct tp_doc *doc, const struct tp_render_options *options, struct tp_sink *out,
	struct tp_err *err)
{
	enum { FOOT = 512 };
	size_t most = options->most_bytes != 0 ? options->most_bytes : USUAL_BYTES;
	struct digest d = {.m.arena = tp_arena_new(), .room = most > FOOT ? most - FOOT : 0};
	struct part parts[FIXED] = {{.taken = false}};
	struct tp_slice left_out = TP_S("");
	struct tp_sink *sections = tp_sink_memory();
	char size[TP_VALUE_BUF];

	(void)err;
	for (size_t i = 0; i < FIXED; i++) {
		d.m.out = tp_sink_memory();
		fixed[i](&d.m, doc);
		parts[i].text = kept(&d.m);
		take(&d, &parts[i]);
	}
	for (const struct tp_block *b = doc->first; b != NULL; b = b->next) {
		if (!has_tables_of_its_own(&b->section) || tp_slice_eq(b->id, TP_S("findings")))
			continue;
		struct part part = section_part(&d, &b->section);

		if (part.taken)
			tp_sink_printf(sections, "\n%.*s", TP_ARG(part.text));
		else
			left_out = tp_arena_printf(d.m.arena, "%.*s%s%.*s", TP_ARG(left_out),
				left_out.len != 0 ? ", " : "", TP_ARG(b->section.title));
	}
	put_parts(out, parts, BEFORE);
	tp_sink_put(out, tp_sink_bytes(sections));
	put_parts(out, parts + BEFORE, FIXED - BEFORE);
	tp_sink_close(sections);
	d.m.out = out;
	tp_sink_puts(out,
		"\nThe whole report: `tpreport PATH -o report.html`; a figure: `tpreport get PATH METRIC`. ");
	if (left_out.len != 0 && left_out.len < FOOT / 2)
		tp_sink_printf(out, "Left out for lack of space: %.*s; raise `--size`. ", TP_ARG(left_out));
	tp_sink_printf(out, "Digest by tpreport %.*s, at most %.*s.\n", TP_ARG(doc->version),
		TP_ARG(tp_value_text(tp_integer((int64_t)most, TP_UNIT_BYTES), size)));
	tp_arena_free(d.m.arena);
	return TP_OK;
}

const struct tp_renderer tp_render_markdown = {
	.name = "markdown",
	.suffix = ".md",
	.summary = "a digest of at most 8 KiB for pull requests, chats and language models",
	.render = render,
};

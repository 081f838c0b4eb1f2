/* Walks the document and makes pieces of headings, paragraphs and notices; other blocks have files of their own. */
#include "base/arena.h"
#include "render/pdf.h"
#include "render/pdf_text.h"

static const double section_gap = 22, section_pad = 9, sub_gap = 14, fold_gap = 9;

struct heading {
	struct tp_pdf_set *title, *aside, *answer;
	const char *tag;
	bool rule;
};

static void
draw_heading(struct tp_pdf *pdf, const struct tp_pdf_piece *piece, double y)
{
	const struct heading *h = piece->data;

	/* At the top of a page the head's rule does. */
	if (h->rule && !piece->on_top)
		tp_pdf_rule(pdf, pdf->left, y, pdf->width, true);
	if (h->rule && !piece->on_top)
		y += section_pad;
	tp_pdf_set_draw(h->title, pdf->left, y, h->tag);
	if (h->aside != NULL)
		tp_pdf_set_draw(h->aside, pdf->left,
			y + tp_pdf_set_baseline(h->title) - tp_pdf_set_baseline(h->aside), "P");
	y += tp_pdf_set_height(h->title) + 1.5;
	if (h->answer != NULL)
		tp_pdf_set_draw(h->answer, pdf->left, y, "P");
}

static struct tp_pdf_set *
aside_of(struct tp_pdf *pdf, struct tp_text aside)
{
	struct tp_pdf_set *set;

	if (aside.count == 0)
		return NULL;
	set = tp_pdf_set_new(pdf, TP_PDF_ASIDE, pdf->width);
	tp_pdf_set_align(set, TP_PDF_RIGHT);
	tp_pdf_set_text(set, aside, (struct tp_pdf_look){0});
	return set;
}

static struct tp_pdf_set *
answer_of(struct tp_pdf *pdf, const struct tp_section *section)
{
	struct tp_pdf_set *set;

	if (section->answer.count == 0 && section->so_what.count == 0)
		return NULL;
	set = tp_pdf_set_new(pdf, TP_PDF_ANSWER, pdf->width);
	tp_pdf_set_text(set, section->answer, (struct tp_pdf_look){0});
	if (section->answer.count > 0 && section->so_what.count > 0)
		tp_pdf_set_plain(set, TP_S(" "));
	tp_pdf_set_text(
		set, section->so_what, (struct tp_pdf_look){.weight = 400, .colour = TP_PDF_COLOUR_INK2});
	return set;
}

struct shape {
	enum tp_pdf_type type;
	double before;
	const char *tag;
};

static const struct shape shapes[] = {
	[TP_SECTION_SUMMARY] = {TP_PDF_H3, sub_gap, "H2"},
	[TP_SECTION_MAIN] = {TP_PDF_H2, section_gap, "H2"},
	[TP_SECTION_MINOR] = {TP_PDF_H2, section_gap, "H2"},
	[TP_SECTION_SUB] = {TP_PDF_H3, sub_gap, "H3"},
	[TP_SECTION_VIEW] = {TP_PDF_H3, sub_gap, "H3"},
	[TP_SECTION_FOLD] = {TP_PDF_FOLD, fold_gap, "H3"},
};

static void
add_section(struct tp_pdf *pdf, const struct tp_block *block)
{
	const struct tp_section *section = &block->section;
	bool main = section->role == TP_SECTION_MAIN || section->role == TP_SECTION_MINOR;
	struct heading *h = tp_new(pdf->arena, struct heading);

	h->rule = main;
	/* On page 1 the verdict is the heading above it. */
	h->tag = pdf->section != NULL && pdf->section->block->section.role == TP_SECTION_SUMMARY
		? "H2"
		: shapes[section->role].tag;
	h->title = tp_pdf_set_new(pdf, shapes[section->role].type, pdf->width);
	tp_pdf_set_add(h->title, section->title, (struct tp_pdf_look){.weight = 600});
	h->aside = aside_of(pdf, section->aside);
	h->answer = answer_of(pdf, section);

	double height = tp_pdf_set_height(h->title) + (main ? section_pad : 0) +
		(h->answer != NULL ? 1.5 + tp_pdf_set_height(h->answer) : 0);
	struct tp_pdf_piece *piece =
		tp_pdf_piece(pdf, shapes[section->role].before, height, draw_heading, h);

	piece->open = "Sect";
	piece->with_next = true;
	tp_pdf_anchor(pdf, piece, block->id);
	if (section->role != TP_SECTION_FOLD)
		tp_pdf_list_section(pdf, block, piece, main ? 0 : 1);
	piece->section = pdf->section;
}

struct manner {
	enum tp_pdf_type type;
	double before;
};

static const struct manner manners[] = {
	[TP_PARAGRAPH_BODY] = {TP_PDF_BODY, 6},
	[TP_PARAGRAPH_RUN_LINE] = {TP_PDF_RUN_LINE, 6},
	[TP_PARAGRAPH_BECAUSE] = {TP_PDF_BECAUSE, 4},
	[TP_PARAGRAPH_QUALITY] = {TP_PDF_QUALITY, 5},
	[TP_PARAGRAPH_COUNTS] = {TP_PDF_QUALITY, 6},
	[TP_PARAGRAPH_SMALL] = {TP_PDF_SMALL, 5},
	[TP_PARAGRAPH_SOURCE] = {TP_PDF_SMALL, 4},
};

static void
add_paragraph(struct tp_pdf *pdf, const struct tp_block *block)
{
	const struct tp_paragraph *p = &block->paragraph;
	/* Counts are links side by side, the other lists one line of facts. */
	struct tp_slice between = p->role == TP_PARAGRAPH_COUNTS ? TP_S("\u2003\u2003") : TP_S("  ·  ");
	struct tp_pdf_set *set =
		tp_pdf_set_new(pdf, pdf->small ? TP_PDF_FOLD : manners[p->role].type, pdf->width);

	tp_pdf_set_items(set, p->items, p->count, between,
		(struct tp_pdf_look){.quiet = p->role == TP_PARAGRAPH_COUNTS});
	struct tp_pdf_piece *piece =
		tp_pdf_piece_text(pdf, pdf->small ? 3 : manners[p->role].before, set, "P");

	tp_pdf_anchor(pdf, piece, block->id);
}

static void
add_notice(struct tp_pdf *pdf, const struct tp_block *block)
{
	const struct tp_notice *notice = &block->notice;
	struct tp_pdf_set *set =
		tp_pdf_set_new(pdf, pdf->small ? TP_PDF_FOLD : TP_PDF_BODY, pdf->width);

	tp_pdf_set_glyph(set, notice->judge, true);
	tp_pdf_set_text(set, notice->text, (struct tp_pdf_look){0});
	tp_pdf_anchor(pdf, tp_pdf_piece_text(pdf, pdf->small ? 3 : 5, set, "P"), block->id);
}

static void
flow_block(struct tp_pdf *pdf, const struct tp_block *block)
{
	switch (block->kind) {
	case TP_BLOCK_SECTION:
		add_section(pdf, block);
		return;
	case TP_BLOCK_PARAGRAPH:
		add_paragraph(pdf, block);
		return;
	case TP_BLOCK_VERDICT:
		tp_pdf_verdict(pdf, block);
		return;
	case TP_BLOCK_TILES:
		tp_pdf_tiles(pdf, block);
		return;
	case TP_BLOCK_TABLE:
		tp_pdf_table(pdf, block);
		return;
	case TP_BLOCK_CHART:
		tp_pdf_chart(pdf, block);
		return;
	case TP_BLOCK_FINDING:
		if (block->finding.brief)
			tp_pdf_finding_brief(pdf, block);
		else
			tp_pdf_finding(pdf, block);
		return;
	case TP_BLOCK_NOTICE:
		add_notice(pdf, block);
		return;
	}
}

/* Sections side by side that are not for paper. */
struct left_out {
	struct tp_pdf_set *titles; /* NULL: none yet */
	const struct tp_block *first;
};

static void
leave_out(struct tp_pdf *pdf, struct left_out *out, const struct tp_block *block)
{
	if (out->titles == NULL) {
		out->titles = tp_pdf_set_new(pdf, TP_PDF_SMALL, pdf->width);
		out->first = block;
	} else
		tp_pdf_set_plain(out->titles, TP_S(" · "));
	tp_pdf_set_add(out->titles, block->section.title, (struct tp_pdf_look){.weight = 600});
}

/* One line in their place. */
static void
say_left_out(struct tp_pdf *pdf, struct left_out *out)
{
	if (out->titles == NULL)
		return;
	tp_pdf_set_add(out->titles,
		TP_S(": in the HTML and in the embedded report.json; on paper with --top all"),
		(struct tp_pdf_look){0});
	tp_pdf_anchor(pdf, tp_pdf_piece_text(pdf, fold_gap, out->titles, "P"), out->first->id);
	*out = (struct left_out){0};
}

/* Links into such a section lead to that line. */
static void
lead_elsewhere(struct tp_pdf *pdf, const struct tp_block *block, struct tp_slice instead)
{
	tp_pdf_anchor_instead(pdf, block->id, instead);
	for (size_t i = 0; block->kind == TP_BLOCK_TABLE && i < block->table.row_count; i++)
		tp_pdf_anchor_instead(pdf, block->table.rows[i].id, instead);
}

static bool
is_section(const struct tp_block *block, enum tp_section_role role)
{
	return block->kind == TP_BLOCK_SECTION && block->section.role == role;
}

static bool
is_off_paper(const struct tp_pdf *pdf, const struct tp_block *block)
{
	if (block->kind != TP_BLOCK_SECTION || pdf->all_rows)
		return false;
	return block->section.off_paper || (pdf->detail >= TP_PDF_NO_SPARE && block->section.spare) ||
		(pdf->detail >= TP_PDF_NO_FOLDS && block->section.role == TP_SECTION_FOLD);
}

static void
enter(struct tp_pdf *pdf, const struct tp_block *block)
{
	if (is_section(block, TP_SECTION_SUMMARY))
		tp_pdf_summary_begin(pdf, block);
	else
		flow_block(pdf, block);
	if (is_section(block, TP_SECTION_FOLD))
		pdf->small++;
}

static void
leave(struct tp_pdf *pdf, const struct tp_block *block)
{
	if (is_section(block, TP_SECTION_SUMMARY))
		tp_pdf_summary_end(pdf);
	if (is_section(block, TP_SECTION_FOLD))
		pdf->small--;
	pdf->last->closes++;
}

/* That some characters are shown as their codes. */
static void
say_boxes(struct tp_pdf *pdf)
{
	struct tp_pdf_set *set = tp_pdf_set_new(pdf, TP_PDF_SMALL, pdf->width);

	tp_pdf_set_add(set,
		TP_S("Characters that the report's fonts lack are shown as boxes with their code; the "
			 "embedded report.json and the HTML hold the text."),
		(struct tp_pdf_look){0});
	tp_pdf_piece_text(pdf, 12, set, "P");
}

void
tp_pdf_flow(struct tp_pdf *pdf)
{
	struct left_out out = {0};
	const struct tp_block *skipped = NULL;

	for (struct tp_walk walk = tp_walk_of(pdf->doc); tp_walk_next(&walk);) {
		if (skipped == NULL && walk.event == TP_WALK_ENTER && is_off_paper(pdf, walk.block)) {
			skipped = walk.block;
			leave_out(pdf, &out, skipped);
		}
		if (skipped != NULL) {
			if (walk.event == TP_WALK_LEAVE && walk.block == skipped)
				skipped = NULL;
			else if (walk.event == TP_WALK_ENTER && walk.block != out.first)
				lead_elsewhere(pdf, walk.block, out.first->id);
			continue;
		}
		say_left_out(pdf, &out);
		if (walk.event == TP_WALK_ENTER)
			enter(pdf, walk.block);
		else
			leave(pdf, walk.block);
	}
	if (pdf->boxes)
		say_boxes(pdf);
}

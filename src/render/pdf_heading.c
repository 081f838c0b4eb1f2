/* Headings of sections: the title, what is right of it, and the answer below. */
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

void
tp_pdf_heading(struct tp_pdf *pdf, const struct tp_block *block)
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

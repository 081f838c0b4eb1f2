/* Findings on page 1: what was seen, what to do, and what it would save, as a bar of the mean step. */
#include "base/arena.h"
#include "chart/mark_cairo.h"
#include "render/pdf_anchor.h"
#include "render/pdf_finding.h"
#include "render/pdf_page.h"
#include "render/pdf_text.h"

static const double number_width = 31, saving_width = 134, gutter = 8, bar_height = 4.5;

struct brief {
	const struct tp_finding_block *finding;
	struct tp_pdf_set *number, *title, *advice, *saving;
	bool first;   /* of its list: the rule above is the list's */
	double share; /* of the mean step; < 0: not known */
};

static void
draw_saving_bar(struct tp_pdf *pdf, const struct brief *b, double x, double y)
{
	double filled = b->share < 1 ? b->share : 1;

	if (b->share < 0)
		return;
	tp_cairo_set_ink(pdf->cr, TP_INK_TRACK);
	cairo_rectangle(pdf->cr, x, y, saving_width, bar_height);
	cairo_fill(pdf->cr);
	tp_cairo_mark(pdf->cr, x, y, saving_width * filled, bar_height, b->finding->finding->hue, 0);
}

static void
draw_brief(struct tp_pdf *pdf, const struct tp_pdf_piece *piece, double y)
{
	const struct brief *b = piece->data;
	double x = pdf->left + number_width, right = pdf->left + pdf->width - saving_width;

	tp_pdf_rule(pdf, pdf->left, y, pdf->width, b->first);
	if (piece->next == NULL || piece->next->draw != draw_brief)
		tp_pdf_rule(pdf, pdf->left, y + piece->height, pdf->width, false);
	y += tp_pdf_finding_pad(pdf, piece->section);
	tp_pdf_set_draw(b->number, pdf->left, y, "P");
	tp_pdf_set_draw(b->title, x, y, "P");
	tp_pdf_set_draw(b->advice, x, y + tp_pdf_set_height(b->title) + .5, "P");
	tp_pdf_set_draw(b->saving, right, y, "P");
	draw_saving_bar(pdf, b, right, y + tp_pdf_set_height(b->saving) + 3);
}

static struct tp_pdf_set *
saving_of(struct tp_pdf *pdf, const struct tp_finding *f)
{
	struct tp_pdf_set *set = tp_pdf_set_new(pdf, TP_PDF_SAVING, saving_width);
	char buf[TP_VALUE_BUF];
	struct tp_pdf_look figure = {.weight = 600, .colour = TP_PDF_COLOUR_INK, .size = 10};

	tp_pdf_set_align(set, TP_PDF_RIGHT);
	if (!tp_known(f->saving)) {
		/* The reason stands with the finding in full. */
		tp_pdf_set_add(set, TP_S("– no bound known"),
			(struct tp_pdf_look){.colour = TP_PDF_COLOUR_INK3, .size = 8});
		return set;
	}
	tp_pdf_set_add(set, tp_value_text(f->saving, buf), figure);
	tp_pdf_set_add(set, TP_S(" "), (struct tp_pdf_look){0});
	tp_pdf_set_add(set, f->saving_note, (struct tp_pdf_look){0});
	return set;
}

static double
share_saved(const struct tp_finding_block *block)
{
	double saving = tp_value_in(block->finding->saving, TP_UNIT_PS);
	double scale = tp_value_in(block->scale, TP_UNIT_PS);

	return saving >= 0 && scale > 0 ? saving / scale : -1;
}

void
tp_pdf_finding_brief(struct tp_pdf *pdf, const struct tp_block *block)
{
	const struct tp_finding *f = block->finding.finding;
	struct brief *b = tp_new(pdf->arena, struct brief);
	double width = pdf->width - number_width - saving_width - gutter;

	b->finding = &block->finding;
	b->share = share_saved(&block->finding);
	b->number = tp_pdf_set_new(pdf, TP_PDF_FINDING, number_width);
	tp_pdf_set_add(b->number, tp_arena_printf(pdf->arena, "%u\u2002", block->finding.number),
		(struct tp_pdf_look){0});
	tp_pdf_set_glyph(b->number, f->severity, false);
	b->title = tp_pdf_set_new(pdf, TP_PDF_FINDING, width);
	tp_pdf_set_lines(b->title, 2, false);
	tp_pdf_set_text(b->title, f->title, (struct tp_pdf_look){0});
	tp_pdf_finding_id(b->title, f);
	b->advice = tp_pdf_set_new(pdf, TP_PDF_ADVICE, width);
	tp_pdf_set_lines(b->advice, 2, false);
	tp_pdf_set_text(b->advice, f->brief, (struct tp_pdf_look){0});
	b->saving = saving_of(pdf, f);

	double text = tp_pdf_set_height(b->title) + .5 + tp_pdf_set_height(b->advice);
	double side = tp_pdf_set_height(b->saving) + (b->share >= 0 ? 3 + bar_height : 0);

	b->first = pdf->last == NULL || pdf->last->draw != draw_brief;
	struct tp_pdf_piece *piece = tp_pdf_piece(pdf, b->first ? 5 : 0,
		2 * tp_pdf_finding_pad(pdf, pdf->section) + (text > side ? text : side), draw_brief, b);

	tp_pdf_anchor(pdf, piece, block->id);
}

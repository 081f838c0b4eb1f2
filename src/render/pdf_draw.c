/* Draws the pages: every one has a head and a foot with "3 / 9", and a table that goes on has its head again. */
#include <cairo-pdf.h>

#include "base/arena.h"
#include "render/pdf_anchor.h"
#include "render/pdf_page.h"
#include "render/pdf_text.h"

static const double foot_gap = 16;

static void
draw_line_of_text(struct tp_pdf *pdf, enum tp_pdf_align align, double y, struct tp_slice text)
{
	struct tp_pdf_set *set = tp_pdf_set_new(pdf, TP_PDF_FOOT, pdf->width * .7);
	double x = align == TP_PDF_RIGHT ? pdf->left + pdf->width * .3 : pdf->left;

	tp_pdf_set_align(set, align);
	tp_pdf_set_lines(set, 1, false);
	tp_pdf_set_add(set, text, (struct tp_pdf_look){0});
	tp_pdf_set_draw(set, x, y, NULL);
	tp_pdf_set_drop(set);
}

static void
draw_head(struct tp_pdf *pdf, const struct tp_pdf_piece *first)
{
	const struct tp_pdf_section *section = first->section;

	draw_line_of_text(pdf, TP_PDF_LEFT, pdf->top, pdf->doc->title);
	if (section != NULL && section->heading != first)
		draw_line_of_text(pdf, TP_PDF_RIGHT, pdf->top, section->block->section.title);
	tp_pdf_rule(pdf, pdf->left, pdf->top + 13, pdf->width, true);
}

static void
draw_foot(struct tp_pdf *pdf, unsigned page)
{
	double y = pdf->bottom + foot_gap;
	const struct tp_doc *doc = pdf->doc;

	tp_pdf_rule(pdf, pdf->left, y - 5, pdf->width, true);
	draw_line_of_text(pdf, TP_PDF_LEFT, y,
		tp_arena_printf(pdf->arena, "tpreport %.*s · summary embedded: report.json · sha256 %s",
			TP_ARG(doc->version), pdf->hash));
	draw_line_of_text(
		pdf, TP_PDF_RIGHT, y, tp_arena_printf(pdf->arena, "%u / %u", page, pdf->pages));
}

static void
begin_page(struct tp_pdf *pdf, const struct tp_pdf_piece *first)
{
	if (first->page > 1)
		draw_head(pdf, first);
	pdf->again = true;
	if (first->head != NULL)
		first->head->draw(pdf, first->head, first->y - first->head->height);
	pdf->again = false;
}

static void
end_page(struct tp_pdf *pdf, unsigned page)
{
	draw_foot(pdf, page);
	cairo_pdf_surface_set_page_label(pdf->surface, tp_arena_printf(pdf->arena, "%u", page).ptr);
	cairo_show_page(pdf->cr);
}

static void
open_element(struct tp_pdf *pdf, const char *tag)
{
	cairo_tag_begin(pdf->cr, tag, NULL);
	pdf->open[pdf->open_count++] = tag;
}

static void
close_element(struct tp_pdf *pdf)
{
	cairo_tag_end(pdf->cr, pdf->open[--pdf->open_count]);
}

void
tp_pdf_draw(struct tp_pdf *pdf)
{
	unsigned page = 0;

	open_element(pdf, "Document");
	for (const struct tp_pdf_piece *piece = pdf->first; piece != NULL; piece = piece->next) {
		if (piece->page != page) {
			if (page > 0)
				end_page(pdf, page);
			page = piece->page;
			begin_page(pdf, piece);
		}
		if (piece->open != NULL)
			open_element(pdf, piece->open);
		tp_pdf_draw_anchors(pdf, piece, piece->y);
		piece->draw(pdf, piece, piece->y);
		for (unsigned i = 0; i < piece->closes; i++)
			close_element(pdf);
	}
	while (pdf->open_count > 0)
		close_element(pdf);
	end_page(pdf, pdf->pages);
}

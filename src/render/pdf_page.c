/* Puts pieces on pages: what belongs together stays together, what is long is broken where it hurts least. Then draws the pages: every
 * one has a head and a foot with "3 / 9", and a table that goes on has its head again. */
#include "render/pdf.h"

#include <cairo-pdf.h>

#include "base/arena.h"
#include "chart/canvas_cairo.h"
#include "render/pdf_text.h"

static const double hairline = .5, head_gap = 24, foot_gap = 16, header_height = 18;
/* Part of a page that may stay white for the sake of an unbroken table. */
static const double most_white = .15, least_white = .05;

struct tp_pdf_piece *
tp_pdf_piece(struct tp_pdf *pdf, double before, double height,
	void (*draw)(struct tp_pdf *, const struct tp_pdf_piece *, double), const void *data)
{
	struct tp_pdf_piece *piece = tp_new(pdf->arena, struct tp_pdf_piece);

	piece->before = before;
	piece->height = height;
	piece->draw = draw;
	piece->data = data;
	piece->section = pdf->section;
	piece->new_page = pdf->page_ends;
	pdf->page_ends = false;
	*pdf->tail = piece;
	pdf->tail = &piece->next;
	pdf->last = piece;
	return piece;
}

struct text_piece {
	struct tp_pdf_set *set;
	const char *tag;
};

static void
draw_text(struct tp_pdf *pdf, const struct tp_pdf_piece *piece, double y)
{
	const struct text_piece *text = piece->data;

	tp_pdf_set_draw(text->set, pdf->left, y, text->tag);
}

struct tp_pdf_piece *
tp_pdf_piece_text(struct tp_pdf *pdf, double before, struct tp_pdf_set *set, const char *tag)
{
	struct text_piece *text = tp_new(pdf->arena, struct text_piece);

	*text = (struct text_piece){set, tag};
	return tp_pdf_piece(pdf, before, tp_pdf_set_height(set), draw_text, text);
}

void
tp_pdf_rule(struct tp_pdf *pdf, double x, double y, double width, bool strong)
{
	tp_cairo_set_ink(pdf->cr, strong ? TP_INK_LINE2 : TP_INK_LINE);
	cairo_set_line_width(pdf->cr, hairline);
	cairo_move_to(pdf->cr, x, y);
	cairo_line_to(pdf->cr, x + width, y);
	cairo_stroke(pdf->cr);
}

static bool
holds_next(const struct tp_pdf_piece *piece, bool rather)
{
	return piece->next != NULL && (piece->with_next || (rather && piece->rather_with_next));
}

/* The height of `piece` and of what must (rather: or should) stand on one page with it. */
static double
height_with_next(const struct tp_pdf_piece *piece, bool rather)
{
	double height = piece->height;

	for (; holds_next(piece, rather); piece = piece->next)
		height += piece->next->before + piece->next->height;
	return height;
}

/* Where text begins on a page: the first has no head. */
static double
top_of(const struct tp_pdf *pdf, unsigned page)
{
	return page == 1 ? pdf->top : pdf->top + head_gap;
}

/* Where the next piece goes. */
struct place {
	unsigned page;
	double y;
	bool on_top;
	/* What should stand on one page is being broken: kept whole it would leave too much of a page white. */
	bool torn;
};

static bool
needs_page(const struct tp_pdf *pdf, const struct tp_pdf_piece *piece, struct place *at, double y)
{
	double page = pdf->bottom - top_of(pdf, 2), room = pdf->bottom - y;
	double white = pdf->close ? least_white : most_white;
	double must = height_with_next(piece, false), should = height_with_next(piece, true);

	/* What is higher than a page is broken where it must be. */
	if (must > page)
		must = piece->height;
	if (should <= room)
		return piece->new_page;
	if (must <= room && (should > page || room > white * page))
		at->torn = true;
	return piece->new_page || must > room || !at->torn;
}

static void
put(const struct tp_pdf *pdf, struct tp_pdf_piece *piece, struct place *at, double squeeze)
{
	double gap = piece->before * (at->page > 1 ? squeeze : 1);
	double y = at->y + (at->on_top ? 0 : gap);

	if (!at->on_top && needs_page(pdf, piece, at, y)) {
		at->page++;
		at->on_top = true;
		y = top_of(pdf, at->page) + (piece->head != NULL ? piece->head->height : 0);
	}
	piece->page = at->page;
	piece->y = y;
	piece->on_top = at->on_top;
	at->y = y + piece->height;
	at->on_top = false;
	if (!holds_next(piece, true))
		at->torn = false;
}

/* The piece that comes next: where much would stay white before this one, a later one that fits there. */
static struct tp_pdf_piece *
filled(struct tp_pdf *pdf, struct tp_pdf_piece *piece, struct place at, double squeeze)
{
	double room = pdf->bottom - at.y, gap = piece->before * squeeze;

	if (at.page == 1 || at.on_top || piece->new_page ||
		room < most_white * (pdf->bottom - pdf->top) || !needs_page(pdf, piece, &at, at.y + gap))
		return piece;
	return tp_pdf_fill(pdf, piece, room);
}

/* Returns how much of the last page is used. */
static double
paginate(struct tp_pdf *pdf, double squeeze)
{
	struct place at = {.page = 1, .y = pdf->top, .on_top = true};

	for (struct tp_pdf_piece *piece = pdf->first; piece != NULL; piece = piece->next) {
		piece = filled(pdf, piece, at, squeeze);
		put(pdf, piece, &at, squeeze);
	}
	pdf->pages = at.page;
	return (at.y - pdf->top) / (pdf->bottom - pdf->top);
}

void
tp_pdf_paginate(struct tp_pdf *pdf)
{
	enum { SQUEEZES = 3 };
	static const double squeezes[SQUEEZES] = {.85, .7, .55};
	double widest = pdf->close ? squeezes[1] : 1;
	double used = paginate(pdf, widest);

	if (pdf->close && pdf->pages > pdf->most_pages) {
		widest = squeezes[SQUEEZES - 1];
		used = paginate(pdf, widest);
	}
	unsigned pages = pdf->pages;

	/* A few lines on a page of their own: narrower gaps may spare that page. */
	for (size_t i = 0; i < SQUEEZES && pages > 2 && used < .25 && pdf->pages == pages; i++)
		paginate(pdf, squeezes[i]);
	if (pdf->pages == pages)
		paginate(pdf, widest);
}

static void
draw_line_of_text(struct tp_pdf *pdf, enum tp_pdf_align align, double y, struct tp_slice text)
{
	struct tp_pdf_set *set = tp_pdf_set_new(pdf, TP_PDF_FOOT, pdf->width * .7);
	double x = align == TP_PDF_RIGHT ? pdf->left + pdf->width * .3 : pdf->left;

	tp_pdf_set_align(set, align);
	tp_pdf_set_lines(set, 1, false);
	tp_pdf_set_plain(set, text);
	tp_pdf_set_draw(set, x, y, NULL);
	tp_pdf_set_drop(set);
}

static void
draw_head(struct tp_pdf *pdf, const struct tp_pdf_piece *first)
{
	const struct tp_pdf_section *section = first->section;

	draw_line_of_text(
		pdf, TP_PDF_LEFT, pdf->top, pdf->header.len > 0 ? pdf->header : pdf->doc->title);
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
	else if (pdf->header.len > 0) /* page 1 has no head: in its margin */
		draw_line_of_text(pdf, TP_PDF_LEFT, pdf->top - header_height, pdf->header);
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

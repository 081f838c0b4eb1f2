/* Measures and draws a text that was put together, with its links. */
#include <pango/pangocairo.h>

#include "chart/mark_cairo.h"
#include "render/pdf_anchor.h"
#include "render/pdf_type.h"

static PangoLayout *
layout_of(struct tp_pdf_set *set)
{
	static const PangoAlignment alignments[] = {
		[TP_PDF_LEFT] = PANGO_ALIGN_LEFT,
		[TP_PDF_RIGHT] = PANGO_ALIGN_RIGHT,
	};

	if (set->layout != NULL)
		return set->layout;
	set->layout = pango_layout_new(set->pdf->pango);
	/* An empty text is as high as a line of its type. */
	if (set->bytes->len == 0)
		tp_pdf_set_add(set, TP_S(" "), (struct tp_pdf_look){0});
	/* An attribute without a range is for all of the text. */
	pango_attr_list_insert(set->attributes,
		pango_attr_line_height_new_absolute((int)(tp_pdf_types[set->type].leading * PANGO_SCALE)));
	/* A hyphen at the break would become part of a copied name. */
	pango_attr_list_insert(set->attributes, pango_attr_insert_hyphens_new(FALSE));
	pango_layout_set_auto_dir(set->layout, FALSE);
	pango_layout_set_alignment(set->layout, alignments[set->align]);
	if (set->width > 0)
		pango_layout_set_width(set->layout, (int)(set->width * PANGO_SCALE));
	pango_layout_set_wrap(set->layout, PANGO_WRAP_WORD_CHAR);
	if (set->lines > 0) {
		pango_layout_set_height(set->layout, -set->lines);
		pango_layout_set_ellipsize(
			set->layout, set->middle ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_END);
	}
	pango_layout_set_attributes(set->layout, set->attributes);
	pango_layout_set_text(set->layout, set->bytes->str, (int)set->bytes->len);
	return set->layout;
}

double
tp_pdf_set_height(struct tp_pdf_set *set)
{
	return pango_layout_get_line_count(layout_of(set)) * tp_pdf_types[set->type].leading;
}

double
tp_pdf_set_width(struct tp_pdf_set *set)
{
	PangoRectangle box;

	pango_layout_get_extents(layout_of(set), NULL, &box);
	return (double)box.width / PANGO_SCALE;
}

double
tp_pdf_set_baseline(struct tp_pdf_set *set)
{
	return (double)pango_layout_get_baseline(layout_of(set)) / PANGO_SCALE;
}

bool
tp_pdf_set_cut(struct tp_pdf_set *set)
{
	return pango_layout_is_ellipsized(layout_of(set));
}

/* One link a line: the box of the part of [start, end) that stands on it. */
static void
draw_link(struct tp_pdf_set *set, const struct tp_pdf_link *link, double x, double y)
{
	PangoLayoutIter *lines = pango_layout_get_iter(set->layout);

	do {
		PangoLayoutLine *line = pango_layout_iter_get_line_readonly(lines);
		int start = line->start_index, end = start + line->length, from, to;
		PangoRectangle box;

		if (link->end <= start || link->start >= end)
			continue;
		pango_layout_iter_get_line_extents(lines, NULL, &box);
		pango_layout_line_index_to_x(line, link->start > start ? link->start : start, FALSE, &from);
		pango_layout_line_index_to_x(line, link->end < end ? link->end : end, FALSE, &to);
		tp_pdf_link_box(set->pdf, link->href, x + (double)(box.x + from) / PANGO_SCALE,
			y + (double)box.y / PANGO_SCALE, (double)(to - from) / PANGO_SCALE,
			(double)box.height / PANGO_SCALE);
	} while (pango_layout_iter_next_line(lines));
	pango_layout_iter_free(lines);
}

static void
begin(cairo_t *cr, const char *tag)
{
	if (tag != NULL)
		cairo_tag_begin(cr, tag, NULL);
}

static void
end(cairo_t *cr, const char *tag)
{
	if (tag != NULL)
		cairo_tag_end(cr, tag);
}

void
tp_pdf_set_draw(struct tp_pdf_set *set, double x, double y, const char *tag)
{
	cairo_t *cr = set->pdf->cr;
	PangoLayout *layout = layout_of(set);

	/* An element that holds others holds no text of its own, or cairo loses it: the text goes into a Span then. */
	const char *leaf = tag != NULL && set->links != NULL ? "Span" : NULL;

	begin(cr, tag);
	begin(cr, leaf);
	tp_cairo_set_ink(cr, TP_INK_INK);
	cairo_move_to(cr, x, y);
	pango_cairo_show_layout(cr, layout);
	end(cr, leaf);
	for (const struct tp_pdf_link *link = set->links; link != NULL; link = link->next)
		draw_link(set, link, x, y);
	end(cr, tag);
}

/* The report's types in print. Puts sentences together in them: looks, links, glyphs; hostile characters are made visible, overlong texts cut.
 * Then measures and draws them. */
#include "render/pdf_text.h"

#include <math.h>

#include <pango/pangocairo.h>

#include "base/arena.h"
#include "chart/canvas_cairo.h"
#include "chart/visible.h"
#include "render/pdf_font.h"

/* The report's types in print: faces, sizes, colours. */

enum face { FACE_TEXT, FACE_DISPLAY, FACE_CODE };

struct type {
	double size, leading; /* pt */
	double tracking;      /* em, of the display face */
	enum face face;
	int weight;
	enum tp_pdf_colour colour;
	int strong; /* weight of what is strong in it */
};

static const char *const families[] = {
	[FACE_TEXT] = "Inter", [FACE_DISPLAY] = "Inter Display", [FACE_CODE] = "JetBrains Mono"};

/* Figures of one width; in code no ligatures, so that what is copied is what is meant. */
static const char *const features[] = {
	[FACE_TEXT] = "tnum=1,calt=1",
	[FACE_DISPLAY] = "tnum=1,calt=1",
	[FACE_CODE] = "liga=0,calt=0,clig=0",
};

static const struct type types[] = {
	[TP_PDF_RUN_LINE] = {8.2, 11.5, 0, FACE_TEXT, 400, TP_PDF_COLOUR_INK2, 600},
	[TP_PDF_TITLE] = {17, 21.5, -.014, FACE_DISPLAY, 600, TP_PDF_COLOUR_INK, 600},
	[TP_PDF_BECAUSE] = {9.5, 13.2, 0, FACE_TEXT, 400, TP_PDF_COLOUR_INK2, 500},
	[TP_PDF_QUALITY] = {8.2, 11.5, 0, FACE_TEXT, 400, TP_PDF_COLOUR_INK2, 600},
	[TP_PDF_TILE_LABEL] = {8.2, 10.5, 0, FACE_TEXT, 400, TP_PDF_COLOUR_INK2, 500},
	[TP_PDF_TILE_FIGURE] = {19, 23.5, -.018, FACE_DISPLAY, 600, TP_PDF_COLOUR_INK, 600},
	[TP_PDF_TILE_NOTE] = {7.8, 10, 0, FACE_TEXT, 400, TP_PDF_COLOUR_INK3, 500},
	[TP_PDF_H2] = {14, 19, -.01, FACE_DISPLAY, 600, TP_PDF_COLOUR_INK, 600},
	[TP_PDF_H3] = {9.5, 13.5, 0, FACE_TEXT, 600, TP_PDF_COLOUR_INK, 600},
	[TP_PDF_ANSWER] = {10, 14.2, 0, FACE_TEXT, 600, TP_PDF_COLOUR_INK, 600},
	[TP_PDF_ASIDE] = {8.4, 13.5, 0, FACE_TEXT, 400, TP_PDF_COLOUR_INK3, 600},
	[TP_PDF_BODY] = {8.8, 12.4, 0, FACE_TEXT, 400, TP_PDF_COLOUR_INK, 600},
	[TP_PDF_SMALL] = {8, 11, 0, FACE_TEXT, 400, TP_PDF_COLOUR_INK3, 500},
	[TP_PDF_FOLD] = {7.6, 9.9, 0, FACE_TEXT, 400, TP_PDF_COLOUR_INK2, 500},
	[TP_PDF_CELL] = {8, 11.2, 0, FACE_TEXT, 400, TP_PDF_COLOUR_INK, 600},
	[TP_PDF_HEAD] = {7.6, 10, 0, FACE_TEXT, 500, TP_PDF_COLOUR_INK3, 500},
	[TP_PDF_FINDING] = {8.8, 12, 0, FACE_TEXT, 600, TP_PDF_COLOUR_INK, 600},
	[TP_PDF_ADVICE] = {8.3, 11.5, 0, FACE_TEXT, 400, TP_PDF_COLOUR_INK2, 500},
	[TP_PDF_KEY] = {8.2, 11.6, 0, FACE_TEXT, 400, TP_PDF_COLOUR_INK3, 500},
	[TP_PDF_SAVING] = {8.4, 12, 0, FACE_TEXT, 400, TP_PDF_COLOUR_INK2, 600},
	[TP_PDF_CONTENTS] = {8.2, 13.5, 0, FACE_TEXT, 400, TP_PDF_COLOUR_INK, 600},
	[TP_PDF_FOOT] = {7.6, 10, 0, FACE_TEXT, 400, TP_PDF_COLOUR_INK3, 500},
};

static const unsigned colours_rgb[] = {
	[TP_PDF_COLOUR_TYPE] = 0x000000,
	[TP_PDF_COLOUR_INK] = 0x000000,
	[TP_PDF_COLOUR_INK2] = 0x3A414A,
	[TP_PDF_COLOUR_INK3] = 0x565E68,
	[TP_PDF_COLOUR_LINK] = 0x1F5FBF,
	[TP_PDF_COLOUR_BAD] = 0xB3261E,
	[TP_PDF_COLOUR_WARN] = 0x8A5300,
	[TP_PDF_COLOUR_GOOD] = 0x1B7340,
};

double
tp_pdf_leading(enum tp_pdf_type type)
{
	return types[type].leading;
}

enum tp_pdf_colour
tp_pdf_judge_colour(enum tp_judge judge)
{
	static const enum tp_pdf_colour of[] = {
		[TP_JUDGE_NONE] = TP_PDF_COLOUR_TYPE,
		[TP_JUDGE_BAD] = TP_PDF_COLOUR_BAD,
		[TP_JUDGE_WARN] = TP_PDF_COLOUR_WARN,
		[TP_JUDGE_GOOD] = TP_PDF_COLOUR_GOOD,
		[TP_JUDGE_UNDECIDED] = TP_PDF_COLOUR_WARN,
		[TP_JUDGE_ABSENT] = TP_PDF_COLOUR_INK3,
	};

	return of[judge];
}

struct link {
	int start, end; /* bytes */
	struct tp_slice href;
	struct link *next;
};

struct tp_pdf_set {
	struct tp_pdf *pdf;
	enum tp_pdf_type type;
	double width;
	GString *bytes;
	PangoAttrList *attributes;
	PangoLayout *layout; /* NULL until it is first measured */
	int lines;
	bool middle;
	enum tp_pdf_align align;
	struct link *links;
	struct tp_pdf_set *next, *before; /* in pdf->sets */
};

/* JetBrains Mono looks larger than Inter at the same size. */
static const double code_ratio = .92;
/* More of one span no page can use, and pango's time grows with it. */
enum { LONGEST_SPAN = 4000 };

struct tp_pdf_set *
tp_pdf_set_new(struct tp_pdf *pdf, enum tp_pdf_type type, double width)
{
	struct tp_pdf_set *set = g_new0(struct tp_pdf_set, 1);

	set->pdf = pdf;
	set->type = type;
	set->width = width;
	set->bytes = g_string_new(NULL);
	set->attributes = pango_attr_list_new();
	set->next = pdf->sets;
	if (pdf->sets != NULL)
		pdf->sets->before = set;
	pdf->sets = set;
	return set;
}

static void
release(struct tp_pdf_set *set)
{
	g_string_free(set->bytes, TRUE);
	pango_attr_list_unref(set->attributes);
	if (set->layout != NULL)
		g_object_unref(set->layout);
	g_free(set);
}

void
tp_pdf_set_drop(struct tp_pdf_set *set)
{
	if (set->next != NULL)
		set->next->before = set->before;
	if (set->before != NULL)
		set->before->next = set->next;
	else
		set->pdf->sets = set->next;
	release(set);
}

void
tp_pdf_sets_free(struct tp_pdf *pdf)
{
	struct tp_pdf_set *set = pdf->sets;

	while (set != NULL) {
		struct tp_pdf_set *next = set->next;

		release(set);
		set = next;
	}
	pdf->sets = NULL;
}

static void
append(struct tp_pdf_set *set, struct tp_slice text)
{
	size_t start = set->bytes->len;

	tp_visible_append(set->bytes, text, LONGEST_SPAN);
	for (const char *at = set->bytes->str + start; *at != '\0' && !set->pdf->boxes;
		 at = g_utf8_next_char(at))
		if ((unsigned char)*at > 0x7f)
			set->pdf->boxes = !tp_pdf_fonts_have(set->pdf->fonts, g_utf8_get_char(at));
}

static void
insert(struct tp_pdf_set *set, PangoAttribute *attribute, size_t start)
{
	attribute->start_index = (guint)start;
	attribute->end_index = (guint)set->bytes->len;
	pango_attr_list_insert(set->attributes, attribute);
}

static void
insert_face(struct tp_pdf_set *set, enum face face, double size, int weight, size_t start)
{
	PangoFontDescription *font = pango_font_description_new();

	pango_font_description_set_family_static(font, families[face]);
	pango_font_description_set_weight(font, (PangoWeight)weight);
	pango_font_description_set_absolute_size(font, size * PANGO_SCALE);
	insert(set, pango_attr_font_desc_new(font), start);
	pango_font_description_free(font);
	insert(set, pango_attr_font_features_new(features[face]), start);
}

void
tp_pdf_set_add(struct tp_pdf_set *set, struct tp_slice text, struct tp_pdf_look look)
{
	const struct type *type = &types[set->type];
	enum face face = look.code ? FACE_CODE : look.text_face ? FACE_TEXT : type->face;
	double size = fmax(
		TP_PDF_LEAST_SIZE, (look.size > 0 ? look.size : type->size) * (look.code ? code_ratio : 1));
	int weight = look.weight > 0 ? look.weight : type->weight;
	unsigned rgb = colours_rgb[look.colour == TP_PDF_COLOUR_TYPE ? type->colour : look.colour];
	size_t start = set->bytes->len;

	append(set, text);
	/* Code has one weight. */
	insert_face(set, face, size, face == FACE_CODE ? 400 : weight, start);
	insert(set,
		pango_attr_foreground_new((guint16)((rgb >> 16 & 255) * 257),
			(guint16)((rgb >> 8 & 255) * 257), (guint16)((rgb & 255) * 257)),
		start);
	if (type->tracking != 0 && face == FACE_DISPLAY)
		insert(
			set, pango_attr_letter_spacing_new((int)(type->tracking * size * PANGO_SCALE)), start);
	if (look.whole)
		insert(set, pango_attr_allow_breaks_new(FALSE), start);
}

void
tp_pdf_set_plain(struct tp_pdf_set *set, struct tp_slice text)
{
	tp_pdf_set_add(set, text, (struct tp_pdf_look){0});
}

void
tp_pdf_set_link(
	struct tp_pdf_set *set, struct tp_slice text, struct tp_pdf_look look, struct tp_slice href)
{
	int start = (int)set->bytes->len;

	tp_pdf_set_add(set, text, look);
	if (href.len == 0)
		return;
	/* A label of several parts is one link. */
	if (set->links != NULL && set->links->end == start && tp_slice_eq(set->links->href, href)) {
		set->links->end = (int)set->bytes->len;
		return;
	}
	struct link *link = tp_new(set->pdf->arena, struct link);

	*link = (struct link){start, (int)set->bytes->len, href, set->links};
	set->links = link;
}

void
tp_pdf_set_break(struct tp_pdf_set *set)
{
	g_string_append_c(set->bytes, '\n');
}

double
tp_pdf_code_letter(double size)
{
	static const double advance = .6; /* em */

	return advance * fmax(TP_PDF_LEAST_SIZE, size * code_ratio);
}

void
tp_pdf_set_glyph(struct tp_pdf_set *set, enum tp_judge judge, bool space)
{
	struct tp_slice glyph = tp_judge_glyph(judge);

	if (glyph.len == 0)
		return;
	tp_pdf_set_add(set, glyph, (struct tp_pdf_look){.colour = tp_pdf_judge_colour(judge)});
	if (space)
		tp_pdf_set_plain(set, TP_S("\u00a0"));
}

static bool
begins_blank(const struct tp_span *span)
{
	return !span->has_value && tp_slice_starts(span->text, TP_S(" "));
}

void
tp_pdf_set_text(struct tp_pdf_set *set, struct tp_text text, struct tp_pdf_look look)
{
	char buf[TP_VALUE_BUF];

	for (size_t i = 0; i < text.count; i++) {
		const struct tp_span *span = &text.spans[i];
		struct tp_pdf_look own = look;

		if (span->judge != TP_JUDGE_NONE) {
			tp_pdf_set_glyph(set, span->judge, i + 1 < text.count && !begins_blank(span + 1));
			continue;
		}
		switch (span->style) {
		case TP_STYLE_PLAIN:
			break;
		case TP_STYLE_STRONG:
			own.weight = types[set->type].strong;
			own.colour = TP_PDF_COLOUR_INK;
			break;
		case TP_STYLE_MUTED:
			own.weight = own.weight > 400 ? 400 : own.weight;
			own.colour = TP_PDF_COLOUR_INK3;
			break;
		case TP_STYLE_CODE:
			own.code = true;
			break;
		}
		if (span->href.len != 0 && !look.quiet)
			own.colour = TP_PDF_COLOUR_LINK;
		tp_pdf_set_link(set, tp_span_shown(span, buf), own, span->href);
	}
}

void
tp_pdf_set_items(struct tp_pdf_set *set, const struct tp_text *items, size_t count,
	struct tp_slice between, struct tp_pdf_look look)
{
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			tp_pdf_set_add(set, between, (struct tp_pdf_look){.colour = TP_PDF_COLOUR_INK3});
		tp_pdf_set_text(set, items[i], look);
	}
}

void
tp_pdf_set_lines(struct tp_pdf_set *set, int lines, bool middle)
{
	set->lines = lines;
	set->middle = middle;
}

void
tp_pdf_set_align(struct tp_pdf_set *set, enum tp_pdf_align align)
{
	set->align = align;
}

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
		tp_pdf_set_plain(set, TP_S(" "));
	/* An attribute without a range is for all of the text. */
	pango_attr_list_insert(set->attributes,
		pango_attr_line_height_new_absolute((int)(types[set->type].leading * PANGO_SCALE)));
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

void
tp_pdf_set_balance(struct tp_pdf_set *set)
{
	PangoLayout *layout = layout_of(set);
	int lines = pango_layout_get_line_count(layout), whole = (int)(set->width * PANGO_SCALE);
	int low = whole / 2, high = whole;

	if (lines < 2 || pango_layout_is_ellipsized(layout))
		return;
	while (high - low > PANGO_SCALE) {
		int middle = low + (high - low) / 2;

		pango_layout_set_width(layout, middle);
		if (pango_layout_get_line_count(layout) > lines || pango_layout_is_ellipsized(layout))
			low = middle;
		else
			high = middle;
	}
	pango_layout_set_width(layout, high);
}

double
tp_pdf_set_height(struct tp_pdf_set *set)
{
	return pango_layout_get_line_count(layout_of(set)) * types[set->type].leading;
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

struct tp_slice
tp_pdf_set_shown(struct tp_pdf_set *set)
{
	PangoLayout *layout = layout_of(set);
	GString *shown = g_string_new(NULL);

	for (GSList *line = pango_layout_get_lines_readonly(layout); line != NULL; line = line->next) {
		const PangoLayoutLine *l = line->data;

		for (const GSList *at = l->runs; at != NULL; at = at->next) {
			const PangoItem *item = ((const PangoLayoutRun *)at->data)->item;

			if (item->analysis.flags & PANGO_ANALYSIS_FLAG_IS_ELLIPSIS)
				g_string_append(shown, "…");
			else
				g_string_append_len(shown, set->bytes->str + item->offset, item->length);
		}
	}
	struct tp_slice kept =
		tp_arena_copy(set->pdf->arena, (struct tp_slice){shown->str, shown->len});

	g_string_free(shown, TRUE);
	return kept;
}

/* One link a line: the box of the part of [start, end) that stands on it. */
static void
draw_link(struct tp_pdf_set *set, const struct link *link, double x, double y)
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
	for (const struct link *link = set->links; link != NULL; link = link->next)
		draw_link(set, link, x, y);
	end(cr, tag);
}

/* Page 1: the verdict, the contents with page numbers, and the room between what stands there. */
#include "base/arena.h"
#include "render/pdf.h"
#include "render/pdf_text.h"

void
tp_pdf_list_section(
	struct tp_pdf *pdf, const struct tp_block *block, const struct tp_pdf_piece *heading, int depth)
{
	struct tp_pdf_section *entry = tp_new(pdf->arena, struct tp_pdf_section);

	entry->block = block;
	entry->heading = heading;
	entry->depth = depth;
	*pdf->sections_tail = entry;
	pdf->sections_tail = &entry->next;
	if (depth == 0)
		pdf->section = entry;
}

static void
draw_nothing(struct tp_pdf *pdf, const struct tp_pdf_piece *piece, double y)
{
	(void)pdf, (void)piece, (void)y;
}

/* The summary has no heading; a piece without height takes its place. */
void
tp_pdf_summary_begin(struct tp_pdf *pdf, const struct tp_block *block)
{
	struct tp_pdf_piece *top = tp_pdf_piece(pdf, 0, 0, draw_nothing, NULL);

	top->open = "Sect";
	top->with_next = true;
	tp_pdf_anchor(pdf, top, block->id);
	tp_pdf_list_section(pdf, block, top, 0);
}

struct verdict {
	struct tp_pdf_set *saw, *consequence;
};

static void
draw_verdict(struct tp_pdf *pdf, const struct tp_pdf_piece *piece, double y)
{
	const struct verdict *v = piece->data;

	cairo_tag_begin(pdf->cr, "H1", NULL);
	tp_pdf_set_draw(v->saw, pdf->left, y, "Span");
	if (v->consequence != NULL)
		tp_pdf_set_draw(v->consequence, pdf->left, y + tp_pdf_set_height(v->saw), "Span");
	cairo_tag_end(pdf->cr, "H1");
}

/* What was seen; both: and what it leads to, in the same lines. */
static struct tp_pdf_set *
saw_of(struct tp_pdf *pdf, const struct tp_verdict *verdict, bool both)
{
	struct tp_pdf_look judged = {.colour = tp_pdf_judge_colour(verdict->judge)};
	struct tp_pdf_set *set = tp_pdf_set_new(pdf, TP_PDF_TITLE, pdf->width);

	tp_pdf_set_lines(set, 3, false);
	tp_pdf_set_glyph(set, verdict->judge, true);
	tp_pdf_set_text(set, verdict->name, judged);
	if (verdict->name.count > 0)
		tp_pdf_set_plain(set, TP_S(" "));
	tp_pdf_set_text(set, verdict->saw, (struct tp_pdf_look){0});
	if (both) {
		tp_pdf_set_plain(set, TP_S(" "));
		tp_pdf_set_text(set, verdict->consequence, (struct tp_pdf_look){0});
	}
	tp_pdf_set_balance(set);
	return set;
}

/* Two sentences of a line or two each, or one text where that takes fewer lines. */
void
tp_pdf_verdict(struct tp_pdf *pdf, const struct tp_block *block)
{
	const struct tp_verdict *verdict = &block->verdict;
	struct verdict *v = tp_new(pdf->arena, struct verdict);

	v->saw = saw_of(pdf, verdict, false);
	double height = tp_pdf_set_height(v->saw);

	if (verdict->consequence.count > 0) {
		struct tp_pdf_set *both = saw_of(pdf, verdict, true);

		v->consequence = tp_pdf_set_new(pdf, TP_PDF_TITLE, pdf->width);
		tp_pdf_set_lines(v->consequence, 3, false);
		tp_pdf_set_text(v->consequence, verdict->consequence, (struct tp_pdf_look){0});
		tp_pdf_set_balance(v->consequence);
		height += tp_pdf_set_height(v->consequence);
		if (tp_pdf_set_height(both) < height && !tp_pdf_set_cut(both)) {
			v->saw = both;
			v->consequence = NULL;
			height = tp_pdf_set_height(both);
		}
	}
	tp_pdf_anchor(pdf, tp_pdf_piece(pdf, 7, height, draw_verdict, v), block->id);
}

enum { CONTENTS_COLUMNS = 3, LARGEST = 3 };
static const double contents_gap = 20, contents_line = 14.5, contents_pad = 5, page_width = 16;
static const double largest_gaps = 48; /* with its title */

static bool
in_contents(const struct tp_pdf_section *section)
{
	enum tp_section_role role = section->block->section.role;

	return role == TP_SECTION_MAIN || role == TP_SECTION_MINOR;
}

/* Title at left, page at right, between them as much of the key figure as there is room for. */
static void
draw_entry(struct tp_pdf *pdf, const struct tp_pdf_section *entry, double x, double y, double width)
{
	const struct tp_section *section = &entry->block->section;
	struct tp_pdf_set *title = tp_pdf_set_new(pdf, TP_PDF_CONTENTS, width - page_width);
	char buf[TP_VALUE_BUF];

	tp_pdf_set_lines(title, 1, false);
	tp_pdf_set_plain(title, section->title);
	tp_pdf_set_draw(title, x, y, "P");

	double used = tp_pdf_set_width(title) + 8, room = width - page_width - used;
	struct tp_pdf_set *figure = tp_pdf_set_new(pdf, TP_PDF_CONTENTS, room);

	tp_pdf_set_lines(figure, 1, false);
	tp_pdf_set_align(figure, TP_PDF_RIGHT);
	if (tp_known(section->key_figure))
		tp_pdf_set_add(figure, tp_value_text(section->key_figure, buf),
			(struct tp_pdf_look){.colour = TP_PDF_COLOUR_INK3});
	/* Half a figure would be a wrong one. */
	if (tp_known(section->key_figure) && room > 20 && !tp_pdf_set_cut(figure))
		tp_pdf_set_draw(figure, x + used, y, "P");

	struct tp_pdf_set *page = tp_pdf_set_new(pdf, TP_PDF_CONTENTS, page_width);

	tp_pdf_set_align(page, TP_PDF_RIGHT);
	tp_pdf_set_add(page, tp_arena_printf(pdf->arena, "%u", entry->heading->page),
		(struct tp_pdf_look){.weight = 600});
	tp_pdf_set_draw(page, x + width - page_width, y, "P");
	tp_pdf_rule(pdf, x, y + contents_line - .25, width, false);
	tp_pdf_link_box(pdf, tp_arena_printf(pdf->arena, "#%.*s", TP_ARG(entry->block->id)), x, y,
		width, contents_line);
}

static size_t
lines_of(size_t entries)
{
	return (entries + CONTENTS_COLUMNS - 1) / CONTENTS_COLUMNS;
}

static void
draw_contents(struct tp_pdf *pdf, const struct tp_pdf_piece *piece, double y)
{
	const size_t *count = piece->data;
	double width = (pdf->width - (CONTENTS_COLUMNS - 1) * contents_gap) / CONTENTS_COLUMNS;
	size_t lines = lines_of(*count), i = 0;

	tp_pdf_rule(pdf, pdf->left, y, pdf->width, true);
	for (const struct tp_pdf_section *s = pdf->sections; s != NULL; s = s->next) {
		if (!in_contents(s))
			continue;
		draw_entry(pdf, s, pdf->left + (double)(i / lines) * (width + contents_gap),
			y + contents_pad + (double)(i % lines) * contents_line, width);
		i++;
	}
}

static bool
has_about(const struct tp_doc *doc)
{
	for (struct tp_walk walk = tp_walk_of(doc); tp_walk_next(&walk);)
		if (tp_is_about(walk.block))
			return true;
	return false;
}

/* With that of the appendix. */
static size_t
count_sections(const struct tp_doc *doc)
{
	size_t count = has_about(doc);

	for (const struct tp_block *block = doc->first; block != NULL; block = block->next)
		count += block->section.role == TP_SECTION_MAIN || block->section.role == TP_SECTION_MINOR;
	return count;
}

static double
height_of_page(const struct tp_pdf *pdf)
{
	double height = 0;

	for (const struct tp_pdf_piece *piece = pdf->first; piece != NULL; piece = piece->next)
		height += (piece == pdf->first ? 0 : piece->before) + piece->height;
	return height;
}

double
tp_pdf_room_on_page_1(const struct tp_pdf *pdf)
{
	return pdf->bottom - pdf->top - height_of_page(pdf);
}

/* Page 1 is filled, or just fits: every gap gives or takes in proportion, within bounds that keep it a page. What would
 * leave most of it white shares it with what follows. Returns whether it is a page of its own. */
static bool
fit_page(struct tp_pdf *pdf)
{
	static const double least = .45, most = 1.55, least_filled = .8;
	/* Half a point less than there is, so that rounding does not push the last piece over. */
	double room = pdf->bottom - pdf->top - .5, gaps = 0, height = height_of_page(pdf);

	for (const struct tp_pdf_piece *piece = pdf->first->next; piece != NULL; piece = piece->next)
		gaps += piece->before;
	if (gaps <= 0 || height + (most - 1) * gaps < least_filled * room)
		return false;
	double factor = 1 + (room - height) / gaps;

	pdf->overfull = factor < least;
	factor = factor < least ? least : factor > most ? most : factor;
	for (struct tp_pdf_piece *piece = pdf->first->next; piece != NULL; piece = piece->next)
		piece->before *= factor;
	return true;
}

static bool
has_finding(const struct tp_block *block)
{
	for (; block != NULL; block = block->next)
		if (block->kind == TP_BLOCK_FINDING ||
			(block->kind == TP_BLOCK_SECTION && has_finding(block->section.first)))
			return true;
	return false;
}

static const struct tp_block *
bars_of(const struct tp_section *section)
{
	const struct tp_block *block = section->first;

	while (block != NULL &&
		(block->kind != TP_BLOCK_CHART || block->chart.kind != TP_CHART_BARS ||
			block->chart.point_count < LARGEST))
		block = block->next;
	return block;
}

static const struct tp_block *
section_of_bars(const struct tp_doc *doc)
{
	const struct tp_block *section = doc->first->next;

	while (section != NULL && bars_of(&section->section) == NULL)
		section = section->next;
	return section;
}

/* Page 1 has what takes most, the first bars of the first section that has any, where there is nothing to do first or `most` is left. */
static void
show_largest(struct tp_pdf *pdf, double most)
{
	const struct tp_block *section = section_of_bars(pdf->doc);

	if (section == NULL)
		return;
	struct tp_block *block = tp_new(pdf->arena, struct tp_block);
	struct tp_pdf_set *title = tp_pdf_set_new(pdf, TP_PDF_H3, pdf->width);

	*block = *bars_of(&section->section);
	block->id = (struct tp_slice){NULL, 0};
	block->chart.point_count = LARGEST;
	if (tp_pdf_chart_height(pdf, &block->chart) + largest_gaps > most)
		return;
	tp_pdf_set_plain(title,
		tp_arena_printf(pdf->arena, "%.*s: what takes most", TP_ARG(section->section.title)));
	tp_pdf_piece_text(pdf, 14, title, "H2")->with_next = true;
	tp_pdf_chart(pdf, block);
}

void
tp_pdf_summary_end(struct tp_pdf *pdf)
{
	size_t *count = tp_new(pdf->arena, size_t);

	*count = count_sections(pdf->doc);
	double contents = *count > 0 ? contents_pad + (double)lines_of(*count) * contents_line : 0;
	double white = .9 * (pdf->bottom - pdf->top) - height_of_page(pdf) - contents;

	show_largest(pdf, has_finding(pdf->doc->first->section.first) ? white : pdf->bottom);
	if (*count > 0)
		tp_pdf_piece(pdf, 13, contents, draw_contents, count);
	pdf->page_ends = fit_page(pdf);
}

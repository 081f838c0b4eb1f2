/* Charts and tiles in a PDF. */
#include "base/arena.h"
#include "chart/canvas_cairo.h"
#include "chart/chart.h"
#include "render/pdf.h"
#include "render/pdf_text.h"

/* More bars than this say nothing on paper; the rest is in report.json. */
enum { MOST_BARS = 24, FEW_BARS = 8, TILES_A_ROW = 3 };

/* Where a Figure shows something, what it shows is noted for readers of the page's structure. */
static void
begin_figure(struct tp_pdf *pdf, struct tp_slice alt)
{
	if (pdf->alt_count == pdf->alt_room) {
		size_t room = pdf->alt_room * 2 + 16;
		struct tp_slice *alts = tp_new_array(pdf->arena, struct tp_slice, room);

		if (pdf->alt_count > 0)
			memcpy(alts, pdf->alts, pdf->alt_count * sizeof *alts);
		pdf->alts = alts;
		pdf->alt_room = room;
	}
	pdf->alts[pdf->alt_count++] = alt;
	cairo_tag_begin(pdf->cr, "Figure", NULL);
}

static double
px_for(const struct tp_pdf *pdf, const struct tp_pdf_section *section)
{
	return tp_pdf_is_tight(pdf, section) ? TP_PDF_LEAST_PX : TP_PDF_PX;
}

/* A chart that is higher than a page is drawn smaller. */
static double
px_of_chart(
	const struct tp_pdf *pdf, const struct tp_pdf_section *section, const struct tp_chart *chart)
{
	double px = px_for(pdf, section), most = (pdf->bottom - pdf->top) * .85;
	double height = tp_chart_height(chart, pdf->width / px) * px;

	return height > most ? px * most / height : px;
}

static void
draw_chart(struct tp_pdf *pdf, const struct tp_pdf_piece *piece, double y)
{
	const struct tp_chart *chart = piece->data;
	struct tp_canvas_cairo canvas;
	double px = px_of_chart(pdf, piece->section, chart);

	begin_figure(pdf, chart->alt);
	cairo_save(pdf->cr);
	cairo_translate(pdf->cr, pdf->left, y);
	cairo_scale(pdf->cr, px, px);
	tp_canvas_cairo_init(&canvas, pdf->cr, pdf->pango, pdf->width / px);
	tp_chart_draw(chart, &canvas.canvas);
	cairo_restore(pdf->cr);
	cairo_tag_end(pdf->cr, "Figure");
}

/* The chart as it is printed: bars beyond the first few are left out. */
static const struct tp_chart *
printed(struct tp_pdf *pdf, const struct tp_chart *chart)
{
	size_t most = pdf->detail < TP_PAPER_FEW_ROWS ? MOST_BARS : FEW_BARS;

	if (chart->kind != TP_CHART_BARS || chart->point_count <= most)
		return chart;
	struct tp_chart *cut = tp_new(pdf->arena, struct tp_chart);

	*cut = *chart;
	cut->point_count = most;
	return cut;
}

double
tp_pdf_chart_height(const struct tp_pdf *pdf, const struct tp_chart *chart)
{
	double px = px_of_chart(pdf, pdf->section, chart);

	return tp_chart_height(chart, pdf->width / px) * px;
}

void
tp_pdf_chart(struct tp_pdf *pdf, const struct tp_block *block)
{
	const struct tp_chart *chart = printed(pdf, &block->chart);
	double before = pdf->section == pdf->sections ? 7 : 11;
	struct tp_pdf_piece *piece =
		tp_pdf_piece(pdf, before, tp_pdf_chart_height(pdf, chart), draw_chart, chart);

	tp_pdf_anchor(pdf, piece, block->id);
	if (chart == &block->chart)
		return;
	struct tp_pdf_set *rest = tp_pdf_set_new(pdf, TP_PDF_SMALL, pdf->width);

	tp_pdf_set_plain(rest,
		tp_arena_printf(pdf->arena, "%zu more in report.json and in the HTML",
			block->chart.point_count - chart->point_count));
	piece->with_next = true;
	tp_pdf_piece_text(pdf, 3, rest, "P");
}

static const double tile_pad_x = 10, spark_gap = 3;

static double
tile_pad(const struct tp_pdf *pdf, const struct tp_pdf_section *section)
{
	return tp_pdf_is_tight(pdf, section) ? 4.5 : 6.5;
}

static bool
has_spark(const struct tp_tile *tile)
{
	return tile->spark != NULL && tile->spark_count > 0;
}

struct tile_row {
	const struct tp_tiles *tiles;
	size_t first;
	bool sparks; /* of any of its tiles: then all have room for one */
};

/* All tiles of a row are of one height. */
static double
tile_height(const struct tp_pdf *pdf, bool sparks)
{
	return 2 * tile_pad(pdf, pdf->section) + tp_pdf_leading(TP_PDF_TILE_LABEL) +
		tp_pdf_leading(TP_PDF_TILE_FIGURE) + 2 * tp_pdf_leading(TP_PDF_TILE_NOTE) +
		(sparks ? spark_gap + TP_SPARK_HEIGHT_PX * TP_PDF_PX : 0);
}

static double
draw_tile_line(struct tp_pdf_set *set, double x, double y, enum tp_pdf_type type)
{
	tp_pdf_set_lines(set, 1, false);
	tp_pdf_set_draw(set, x, y, "P");
	tp_pdf_set_drop(set);
	return y + tp_pdf_leading(type);
}

static struct tp_pdf_set *
figure_of(struct tp_pdf *pdf, const struct tp_tile *tile, double width)
{
	struct tp_pdf_set *set = tp_pdf_set_new(pdf, TP_PDF_TILE_FIGURE, width);
	struct tp_pdf_look unit = {
		.weight = 500, .colour = TP_PDF_COLOUR_INK2, .size = 9.3, .text_face = true};
	char buf[TP_VALUE_BUF];
	struct tp_figure figure = tp_value_figure(tile->value, buf);

	tp_pdf_set_plain(set, figure.number);
	if (!tp_known(tile->value))
		return set;
	if (figure.unit.len > 0 || tile->qualifier.len > 0)
		tp_pdf_set_add(set, TP_S(" "), (struct tp_pdf_look){.size = 13, .text_face = true});
	tp_pdf_set_add(set, figure.unit, unit);
	if (figure.unit.len > 0 && tile->qualifier.len > 0)
		tp_pdf_set_add(set, TP_S(", "), unit);
	tp_pdf_set_add(set, tile->qualifier, unit);
	return set;
}

static struct tp_pdf_set *
note_of(struct tp_pdf *pdf, const struct tp_tile *tile, int index, double width)
{
	struct tp_pdf_set *set = tp_pdf_set_new(pdf, TP_PDF_TILE_NOTE, width);

	if (index == 0)
		tp_pdf_set_glyph(set, tile->judge, true);
	tp_pdf_set_text(set, tile->note[index], (struct tp_pdf_look){0});
	return set;
}

static void
draw_spark(struct tp_pdf *pdf, const struct tp_tile *tile, double x, double y, double width)
{
	struct tp_canvas_cairo canvas;

	if (!has_spark(tile)) {
		/* An empty base line: nothing was measured over time. */
		tp_pdf_rule(pdf, x, y + TP_SPARK_HEIGHT_PX * TP_PDF_PX, width, false);
		return;
	}
	begin_figure(pdf, tp_arena_printf(pdf->arena, "%.*s over the steps", TP_ARG(tile->label)));
	cairo_save(pdf->cr);
	cairo_translate(pdf->cr, x, y);
	cairo_scale(pdf->cr, TP_PDF_PX, TP_PDF_PX);
	tp_canvas_cairo_init(&canvas, pdf->cr, pdf->pango, width / TP_PDF_PX);
	tp_spark_draw(
		tile->spark, tile->spark_count, tp_metric_direction(tile->metric), &canvas.canvas);
	cairo_restore(pdf->cr);
	cairo_tag_end(pdf->cr, "Figure");
}

static void
draw_tile(
	struct tp_pdf *pdf, const struct tp_tile *tile, bool sparks, double x, double y, double width)
{
	struct tp_pdf_set *label = tp_pdf_set_new(pdf, TP_PDF_TILE_LABEL, width);

	tp_pdf_set_plain(label, tile->label);
	y = draw_tile_line(label, x, y, TP_PDF_TILE_LABEL);
	y = draw_tile_line(figure_of(pdf, tile, width), x, y, TP_PDF_TILE_FIGURE);
	for (int i = 0; i < 2; i++)
		y = draw_tile_line(note_of(pdf, tile, i, width), x, y, TP_PDF_TILE_NOTE);
	if (sparks)
		draw_spark(pdf, tile, x, y + spark_gap, width);
}

static void
draw_tiles(struct tp_pdf *pdf, const struct tp_pdf_piece *piece, double y)
{
	const struct tile_row *row = piece->data;
	double cell = pdf->width / TILES_A_ROW;
	size_t left = row->tiles->count - row->first, count = left < TILES_A_ROW ? left : TILES_A_ROW;

	tp_pdf_rule(pdf, pdf->left, y, pdf->width, row->first == 0);
	if (count == left)
		tp_pdf_rule(pdf, pdf->left, y + piece->height, pdf->width, false);
	for (size_t i = 0; i < count; i++) {
		double x = pdf->left + (double)i * cell;
		double before = i > 0 ? tile_pad_x : 0, after = i + 1 < TILES_A_ROW ? tile_pad_x : 0;

		if (i > 0) {
			tp_cairo_set_ink(pdf->cr, TP_INK_LINE);
			cairo_rectangle(pdf->cr, x - .25, y, .5, piece->height);
			cairo_fill(pdf->cr);
		}
		draw_tile(pdf, &row->tiles->tiles[row->first + i], row->sparks, x + before,
			y + tile_pad(pdf, piece->section), cell - before - after);
	}
}

void
tp_pdf_tiles(struct tp_pdf *pdf, const struct tp_block *block)
{
	const struct tp_tiles *tiles = &block->tiles;

	for (size_t first = 0; first < tiles->count; first += TILES_A_ROW) {
		struct tile_row *row = tp_new(pdf->arena, struct tile_row);

		*row = (struct tile_row){.tiles = tiles, .first = first};
		for (size_t i = first; i < tiles->count && i < first + TILES_A_ROW; i++)
			row->sparks |= has_spark(&tiles->tiles[i]);
		struct tp_pdf_piece *piece =
			tp_pdf_piece(pdf, first == 0 ? 11 : 0, tile_height(pdf, row->sparks), draw_tiles, row);

		piece->with_next = first + TILES_A_ROW < tiles->count;
		if (first == 0)
			tp_pdf_anchor(pdf, piece, block->id);
		for (size_t i = first; i < tiles->count && i < first + TILES_A_ROW; i++)
			tp_pdf_anchor(pdf, piece, tiles->tiles[i].id);
	}
}

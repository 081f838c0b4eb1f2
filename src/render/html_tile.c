/* Tiles: the key figures of the first screen. */
#include "render/html.h"

#include "base/arena.h"
#include "chart/canvas_svg.h"
#include "chart/chart.h"

enum { TILE_WIDTH_PX = 150 };

/* What a template is filled with. Slots that know of the tile alone take it as one. */
struct view {
	struct tp_tile tile;
	bool beside_curve; /* some tile has a curve */
};

/* The tooltip: why the figure is missing, or how it was computed. */
static struct tp_slice
how(struct tp_html_page *page, const void *thing)
{
	const struct tp_tile *tile = thing;
	const struct tp_metric *metric = tp_doc_find_metric(page->doc, tile->metric);

	if (!tp_known(tile->value))
		return tile->value.text;
	if (metric == NULL)
		return TP_S("");
	if (metric->coverage.len == 0)
		return metric->how;
	return tp_arena_printf(page->scratch, "%.*s%s%.*s", TP_ARG(metric->how),
		metric->how.len > 0 ? "; " : "", TP_ARG(metric->coverage));
}

const struct tp_block *
tp_html_view(const struct tp_html_page *page)
{
	for (unsigned i = page->depth; i-- > 0;) {
		if (page->parents[i]->section.role == TP_SECTION_VIEW)
			return page->parents[i];
	}
	return NULL;
}

/* The first of blocks, and what is within them, that is what has this id or a part of it. */
static struct tp_slice
first_of(const struct tp_block *first, struct tp_slice id)
{
	for (const struct tp_block *b = first; b != NULL; b = b->next) {
		struct tp_slice after = tp_slice_from(b->id, id.len < b->id.len ? id.len : b->id.len);

		if (tp_slice_starts(b->id, id) && (after.len == 0 || after.ptr[0] == '/'))
			return b->id;
		struct tp_slice within =
			b->kind == TP_BLOCK_SECTION ? first_of(b->section.first, id) : TP_S("");

		if (within.len != 0)
			return within;
	}
	return TP_S("");
}

/* Where a figure whose section the report lacks is told nevertheless, by how its metric begins. */
static const struct {
	struct tp_slice metric, section;
} elsewhere[] = {
	{TP_S("step."), TP_S("steps")},
	{TP_S(""), TP_S("performance")},
	{TP_S(""), TP_S("whole-run")},
	{TP_S(""), TP_S("method")},
};

static struct tp_slice
place_of(struct tp_html_page *page, struct tp_slice section)
{
	const struct tp_block *view = tp_html_view(page);

	if (section.len == 0)
		return section;
	if (view == NULL)
		return first_of(page->doc->first, section);
	return first_of(view->section.first,
		tp_arena_printf(page->scratch, "%.*s/%.*s", TP_ARG(view->id), TP_ARG(section)));
}

/* A link to what tells more, within the view if the tile is of one; what a view lacks is told of the whole run. */
static struct tp_slice
href(struct tp_html_page *page, const void *thing)
{
	const struct tp_tile *tile = thing;
	struct tp_slice id = place_of(page, tile->section);

	for (size_t i = 0; id.len == 0 && i < sizeof elsewhere / sizeof *elsewhere; i++) {
		if (tp_slice_starts(tile->metric, elsewhere[i].metric))
			id = place_of(page, elsewhere[i].section);
	}
	if (id.len == 0)
		id = first_of(page->doc->first, TP_S("method"));
	return id.len == 0 ? id : tp_arena_printf(page->scratch, "#%.*s", TP_ARG(id));
}

static void
figure(struct tp_html_page *page, const void *thing)
{
	const struct tp_tile *tile = thing;
	char buf[TP_VALUE_BUF];
	struct tp_figure figure = tp_value_figure(tile->value, buf);

	tp_html_text(&page->out, figure.number);
	if (figure.unit.len == 0)
		return;
	if (tile->value.unit != TP_UNIT_TIMES)
		tp_html_text(&page->out, TP_S("\u202f"));
	tp_html_element(&page->out, "small", NULL, figure.unit);
}

static struct tp_slice
qualifier(struct tp_html_page *page, const void *thing)
{
	const struct tp_tile *tile = thing;
	char buf[TP_VALUE_BUF];
	bool after_unit = tp_value_figure(tile->value, buf).unit.len > 0;

	if (tile->qualifier.len == 0 || !tp_known(tile->value))
		return TP_S("");
	return tp_arena_printf(
		page->scratch, "%s%.*s", after_unit ? ", " : " ", TP_ARG(tile->qualifier));
}

/* "▲ low" of "low · of 61.5 TFLOP/s": what comes before the first " · " belongs to the judgement. */
static struct tp_slice
judging_words(struct tp_text note, char buf[static TP_VALUE_BUF])
{
	static const char dot[] = " · ";
	const struct tp_span *first = note.spans;

	if (note.count == 0 || first->metric.len != 0)
		return TP_S("");
	struct tp_slice shown = tp_span_shown(first, buf);
	const char *end = memmem(shown.ptr, shown.len, dot, sizeof dot - 1);

	if (end == NULL) {
		char next[TP_VALUE_BUF];
		bool alone =
			note.count == 1 || tp_slice_starts(tp_span_shown(&note.spans[1], next), TP_S(" · "));

		return alone ? shown : TP_S("");
	}
	return (struct tp_slice){shown.ptr, (size_t)(end - shown.ptr)};
}

static void
note_1(struct tp_html_page *page, const void *thing)
{
	const struct tp_tile *tile = thing;
	struct tp_text note = tile->note[0];
	char buf[TP_VALUE_BUF];
	struct tp_slice words = judging_words(note, buf);

	if (tile->judge != TP_JUDGE_NONE) {
		tp_html_div(page, "span", tp_html_judge_class(tile->judge));
		tp_html_text(&page->out, tp_judge_glyph(tile->judge));
		tp_html_text(&page->out, TP_S(" "));
		tp_html_text(&page->out, words);
		tp_html_end(page);
		if (words.len > 0) {
			const struct tp_span rest = {.style = note.spans->style,
				.text = tp_slice_from(tp_span_shown(note.spans, buf), words.len)};

			tp_html_say(page, (struct tp_text){&rest, 1});
			note.spans++;
			note.count--;
		}
	}
	tp_html_say(page, note);
}

static bool
has_note_1(struct tp_html_page *page, const void *thing)
{
	(void)page;
	return ((const struct tp_tile *)thing)->note[0].count > 0;
}

static void
spark(struct tp_html_page *page, const void *thing)
{
	const struct tp_tile *tile = thing;
	struct tp_canvas_svg canvas;

	tp_canvas_svg_init(&canvas, &page->out, TILE_WIDTH_PX, 0);
	tp_spark_draw(tile->spark, tile->spark != NULL ? tile->spark_count : 0,
		tp_metric_direction(tile->metric), &canvas.canvas);
}

static struct tp_slice
spark_words(struct tp_html_page *page, const void *thing)
{
	const struct tp_tile *tile = thing;
	char buf[TP_SPARK_WORDS_BUF];

	if (tile->spark == NULL)
		return TP_S("");
	return tp_arena_copy(page->scratch,
		tp_spark_words(tile->spark, tile->spark_count, tp_metric_direction(tile->metric), buf));
}

/* A tile without a curve beside one that has it keeps its place. */
static bool
has_no_spark(struct tp_html_page *page, const void *thing)
{
	return ((const struct view *)thing)->beside_curve && spark_words(page, thing).len == 0;
}

static const struct tp_slot slots[] = {
	{.name = "id", TP_SLOT_TEXT(tp_tile, id)},
	{.name = "label", TP_SLOT_TEXT(tp_tile, label)},
	{.name = "metric", TP_SLOT_TEXT(tp_tile, metric)},
	{.name = "how", .text = how},
	{.name = "href", .text = href},
	{.name = "figure", .write = figure},
	{.name = "qualifier", .text = qualifier},
	{.name = "note-1", .write = note_1, .has = has_note_1},
	{.name = "note-2", TP_SLOT_SENTENCE(tp_tile, note[1])},
	{.name = "spark", .write = spark},
	{.name = "spark-words", .text = spark_words},
	{.name = "no-spark", .write = spark, .has = has_no_spark},
	{.name = NULL},
};

void
tp_html_tiles(struct tp_html_page *page, const struct tp_block *block)
{
	tp_html_div(page, "dl", "tiles");
	tp_html_attr(&page->out, "id", block->id);
	bool curve = false;

	for (size_t i = 0; i < block->tiles.count; i++)
		curve |= block->tiles.tiles[i].spark != NULL;
	for (size_t i = 0; i < block->tiles.count; i++) {
		const struct view view = {block->tiles.tiles[i], curve};

		tp_fill(page->templates, "tile.html", slots, &view);
	}
	tp_html_end(page);
}

/* Pages of a PDF: what belongs together is not parted, wherever on a page it would begin. */
#include "base/arena.h"
#include "render/pdf.h"
#include "render/pdf_font.h"
#include "render/pdf_text.h"
#include "report/doc.h"
#include "unit.h"

/* group: of a tree, as many rows as a group has with its head; 0: it is none. */
static void
add_tree(struct tp_doc *doc, struct tp_block *section, const char *id, size_t rows, size_t group)
{
	struct tp_table *t = &tp_doc_add(doc, section, TP_BLOCK_TABLE, tp_slice_of(id))->table;
	struct tp_column *column = tp_new(doc->arena, struct tp_column);
	struct tp_row *list = tp_new_array(doc->arena, struct tp_row, rows);

	*column = (struct tp_column){.key = TP_S("name"), .title = TP_S("Name")};
	for (size_t r = 0; r < rows; r++) {
		struct tp_cell *cell = tp_new(doc->arena, struct tp_cell);

		cell->value = tp_text_value(tp_arena_printf(doc->arena, "row %zu", r));
		list[r] = (struct tp_row){.id = tp_arena_printf(doc->arena, "%s/%zu", id, r),
			.depth = group > 0 && r % group > 0,
			.cells = cell};
	}
	*t = (struct tp_table){.caption = TP_S("A table"),
		.columns = column,
		.column_count = 1,
		.rows = list,
		.row_count = rows,
		.shown = rows,
		.tree = group > 0};
}

static void
add_table(struct tp_doc *doc, struct tp_block *section, const char *id, size_t rows)
{
	add_tree(doc, section, id, rows, 0);
}

static struct tp_doc *
document(size_t lines, size_t rows)
{
	struct tp_doc *doc = tp_doc_new(tp_arena_new());
	struct tp_block *section;

	tp_doc_section(doc, NULL, TP_SECTION_SUMMARY, "summary", "Summary");
	section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "main", "Main");
	for (size_t i = 0; i < lines; i++)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL,
			tp_arena_printf(doc->arena, "main/line/%zu", i).ptr, TP_SAY0(doc, "A line."));
	section = tp_doc_section(doc, section, TP_SECTION_SUB, "sub", "Part");
	tp_doc_paragraph(
		doc, section, TP_PARAGRAPH_BODY, "sub/sentence", TP_SAY0(doc, "What the table says."));
	add_table(doc, section, "sub/table", rows);
	return doc;
}

/* NULL: it is not printed. */
static const struct tp_pdf_piece *
piece_of(const struct tp_pdf *pdf, struct tp_slice id)
{
	for (const struct tp_pdf_piece *piece = pdf->first; piece != NULL; piece = piece->next)
		for (const struct tp_pdf_anchor *a = piece->anchors; a != NULL; a = a->next)
			if (tp_slice_eq(a->id, id))
				return piece;
	return NULL;
}

static unsigned
page_of(const struct tp_pdf *pdf, const char *id)
{
	const struct tp_pdf_piece *piece = piece_of(pdf, tp_slice_of(id));

	if (piece == NULL)
		fail_msg("%s is not printed", id);
	return piece->page;
}

/* Free the texts of *pdf, and close the fonts that are returned. */
static struct tp_pdf_fonts *
lay_out_at(struct tp_pdf *pdf, struct tp_doc *doc, enum tp_paper detail, bool all_rows)
{
	struct tp_err err = {.text = ""};
	struct tp_pdf_fonts *fonts = tp_pdf_fonts_open(&err);

	*pdf = (struct tp_pdf){.doc = doc,
		.arena = doc->arena,
		.detail = detail,
		.all_rows = all_rows,
		.fonts = fonts,
		.pango = tp_pdf_fonts_context(fonts),
		.width = 520,
		.bottom = 700};
	pdf->tail = &pdf->first;
	pdf->sections_tail = &pdf->sections;
	tp_strings_init(&pdf->anchor_ids, pdf->arena);
	tp_map_init(&pdf->anchor_at, pdf->arena);
	pdf->rest = tp_pdf_rest_new(pdf->arena);
	tp_pdf_flow(pdf);
	tp_pdf_paginate(pdf);
	return fonts;
}

static struct tp_pdf_fonts *
lay_out(struct tp_pdf *pdf, struct tp_doc *doc)
{
	return lay_out_at(pdf, doc, TP_PAPER_FULL, true);
}

/* Lays out a table of `rows` below so many lines. Returns how many of its rows are on the page on which it begins. */
static size_t
rows_on_first_page(size_t lines, size_t rows)
{
	struct tp_doc *doc = document(lines, rows);
	struct tp_pdf pdf;
	struct tp_pdf_fonts *fonts = lay_out(&pdf, doc);
	size_t count = 0;

	unsigned page = page_of(&pdf, "sub/table");

	assert_int_equal(page_of(&pdf, "sub"), page);
	assert_int_equal(page_of(&pdf, "sub/sentence"), page);
	for (size_t r = 0; r < rows; r++)
		count += page_of(&pdf, tp_arena_printf(doc->arena, "sub/table/%zu", r).ptr) == page;
	tp_pdf_sets_free(&pdf);
	tp_pdf_fonts_close(fonts);
	tp_arena_free(doc->arena);
	return count;
}

static void
heading_sentence_and_first_rows_share_a_page(void **state)
{
	enum { ROWS = 60 };

	(void)state;
	for (size_t lines = 20; lines < 50; lines++) {
		size_t count = rows_on_first_page(lines, ROWS);

		if (count < 3 || (count > ROWS - 3 && count < ROWS))
			fail_msg("below %zu lines, %zu of %d rows are on the first page", lines, count, ROWS);
	}
}

/* A chain of boxes that is nearly as high as a page, and a table behind it. */
static void
add_high_chart(struct tp_doc *doc, struct tp_block *section)
{
	enum { BOXES = 15 };
	struct tp_box *boxes = tp_new_array(doc->arena, struct tp_box, BOXES);
	struct tp_arrow *arrows = tp_new_array(doc->arena, struct tp_arrow, BOXES - 1);
	struct tp_diagram *diagram = tp_new(doc->arena, struct tp_diagram);
	struct tp_chart *chart = &tp_doc_add(doc, section, TP_BLOCK_CHART, TP_S("main/chart"))->chart;

	for (size_t i = 0; i < BOXES; i++)
		boxes[i].label = TP_S("box");
	for (size_t i = 0; i + 1 < BOXES; i++)
		arrows[i] = (struct tp_arrow){.from = i, .to = i + 1, .weight = 1};
	*diagram = (struct tp_diagram){boxes, BOXES, arrows, BOXES - 1};
	*chart = (struct tp_chart){.kind = TP_CHART_DIAGRAM, .diagram = diagram};
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "main/note", TP_SAY0(doc, "Of the chart."));
	add_table(doc, section, "main/table", 12);
}

static void
a_table_takes_the_room_that_a_high_chart_leaves_on_page_1(void **state)
{
	struct tp_doc *doc = tp_doc_new(tp_arena_new());
	struct tp_block *summary = tp_doc_section(doc, NULL, TP_SECTION_SUMMARY, "summary", "Summary");
	struct tp_pdf pdf;
	struct tp_pdf_fonts *fonts;

	(void)state;
	for (size_t i = 0; i < 10; i++)
		tp_doc_paragraph(doc, summary, TP_PARAGRAPH_SMALL,
			tp_arena_printf(doc->arena, "summary/line/%zu", i).ptr, TP_SAY0(doc, "A line."));
	add_high_chart(doc, tp_doc_section(doc, NULL, TP_SECTION_MAIN, "main", "Main"));
	fonts = lay_out(&pdf, doc);
	assert_int_equal(page_of(&pdf, "main"), 1);
	assert_int_equal(page_of(&pdf, "main/table"), 1);
	assert_int_equal(page_of(&pdf, "main/table/11"), 1);
	assert_int_equal(page_of(&pdf, "main/chart"), 2);
	assert_int_equal(page_of(&pdf, "main/note"), 2);
	tp_pdf_sets_free(&pdf);
	tp_pdf_fonts_close(fonts);
	tp_arena_free(doc->arena);
}

/* On a page behind the first, which tables and charts of one section share. */
static void
a_small_table_takes_the_room_that_a_high_chart_leaves(void **state)
{
	struct tp_doc *doc = tp_doc_new(tp_arena_new());
	struct tp_block *section;
	struct tp_pdf pdf;
	struct tp_pdf_fonts *fonts;

	(void)state;
	tp_doc_section(doc, NULL, TP_SECTION_SUMMARY, "summary", "Summary");
	section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "before", "Before");
	add_table(doc, section, "before/table", 50);
	section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "main", "Main");
	add_high_chart(doc, tp_doc_section(doc, section, TP_SECTION_SUB, "charts", "Charts"));
	section = tp_doc_section(doc, section, TP_SECTION_SUB, "late", "Late");
	add_table(doc, section, "late/table", 3);
	tp_doc_section(doc, NULL, TP_SECTION_MAIN, "after", "After");
	fonts = lay_out(&pdf, doc);
	assert_int_equal(page_of(&pdf, "before/table/49"), 2);
	assert_int_equal(page_of(&pdf, "main"), 2);
	assert_int_equal(page_of(&pdf, "late"), 2);
	assert_int_equal(page_of(&pdf, "late/table/2"), 2);
	assert_int_equal(page_of(&pdf, "main/chart"), 3);

	int open = 0;

	for (const struct tp_pdf_piece *piece = pdf.first; piece != NULL; piece = piece->next) {
		open += (piece->open != NULL) - (int)piece->closes;
		assert_true(open >= 0);
	}
	assert_int_equal(open, 0);
	tp_pdf_sets_free(&pdf);
	tp_pdf_fonts_close(fonts);
	tp_arena_free(doc->arena);
}

static void
a_sentence_goes_with_its_chart_however_few_pages_there_are(void **state)
{
	struct tp_doc *doc = tp_doc_new(tp_arena_new());
	struct tp_block *section;
	struct tp_pdf pdf;
	struct tp_pdf_fonts *fonts;

	(void)state;
	tp_doc_section(doc, NULL, TP_SECTION_SUMMARY, "summary", "Summary");
	section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "before", "Before");
	add_table(doc, section, "before/table", 40);
	section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "main", "Main");
	section = tp_doc_section(doc, section, TP_SECTION_SUB, "charts", "Charts");
	add_table(doc, section, "first/table", 3);
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "main/sentence", TP_SAY0(doc, "A map."));
	add_high_chart(doc, section);
	fonts = lay_out_at(&pdf, doc, TP_PAPER_FEWEST_ROWS, true);
	assert_int_equal(page_of(&pdf, "main"), 2);
	assert_int_equal(page_of(&pdf, "main/sentence"), 3);
	assert_int_equal(page_of(&pdf, "main/chart"), 3);
	assert_true(page_of(&pdf, "main/table") >= 3);
	tp_pdf_sets_free(&pdf);
	tp_pdf_fonts_close(fonts);
	tp_arena_free(doc->arena);
}

/* Of a table of which a few rows are printed. */
static void
every_group_of_a_tree_is_printed(void **state)
{
	enum { GROUP = 30, GROUPS = 4 };
	struct tp_doc *doc = tp_doc_new(tp_arena_new());
	struct tp_block *section;
	struct tp_pdf pdf;
	struct tp_pdf_fonts *fonts;
	size_t printed = 0;

	(void)state;
	tp_doc_section(doc, NULL, TP_SECTION_SUMMARY, "summary", "Summary");
	section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "main", "Main");
	add_tree(doc, section, "main/tree", (size_t)GROUP * GROUPS, GROUP);
	fonts = lay_out_at(&pdf, doc, TP_PAPER_FEWEST_ROWS, false);
	for (size_t r = 0; r < (size_t)GROUP * GROUPS; r++)
		printed += piece_of(&pdf, tp_arena_printf(doc->arena, "main/tree/%zu", r)) != NULL;
	for (size_t g = 0; g < GROUPS; g++)
		page_of(&pdf, tp_arena_printf(doc->arena, "main/tree/%zu", g * GROUP).ptr);
	assert_true(printed > GROUPS && printed < GROUP);
	tp_pdf_sets_free(&pdf);
	tp_pdf_fonts_close(fonts);
	tp_arena_free(doc->arena);
}

static void
no_word_stands_alone_below_a_headline(void **state)
{
	struct tp_err err = {.text = ""};
	struct tp_pdf_fonts *fonts = tp_pdf_fonts_open(&err);
	struct tp_pdf pdf = {.fonts = fonts, .pango = tp_pdf_fonts_context(fonts)};
	struct tp_pdf_set *set = tp_pdf_set_new(&pdf, TP_PDF_TITLE, 520);
	double width, height;

	(void)state;
	tp_pdf_set_plain(
		set, TP_S("Step time unknown: the run holds only tool files, and none gives step times"));
	width = tp_pdf_set_width(set);
	height = tp_pdf_set_height(set);
	assert_true(width > 450 && height == 2 * tp_pdf_leading(TP_PDF_TITLE));
	tp_pdf_set_balance(set);
	assert_true(tp_pdf_set_height(set) == height);
	assert_true(tp_pdf_set_width(set) < .75 * width);
	tp_pdf_sets_free(&pdf);
	tp_pdf_fonts_close(fonts);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(heading_sentence_and_first_rows_share_a_page),
		cmocka_unit_test(a_table_takes_the_room_that_a_high_chart_leaves_on_page_1),
		cmocka_unit_test(a_small_table_takes_the_room_that_a_high_chart_leaves),
		cmocka_unit_test(a_sentence_goes_with_its_chart_however_few_pages_there_are),
		cmocka_unit_test(every_group_of_a_tree_is_printed),
		cmocka_unit_test(no_word_stands_alone_below_a_headline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

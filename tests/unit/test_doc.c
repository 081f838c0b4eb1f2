/* The document's tree: adding, walking, ids, names. */
#include "unit.h"

#include "base/arena.h"
#include "fixture.h"
#include "report/doc.h"
#include "report/draft.h"

/* The walk as text: +id on entering, -id on leaving. */
static struct tp_slice
walked(struct tp_doc *doc)
{
	struct tp_slice text = TP_S("");
	struct tp_walk w = tp_walk_of(doc);

	while (tp_walk_next(&w))
		text = tp_arena_printf(doc->arena, "%.*s%s%.*s ", TP_ARG(text),
			w.event == TP_WALK_ENTER ? "+" : "-", TP_ARG(w.block->id));
	assert_false(tp_walk_next(&w));
	return text;
}

static void
empty_document_has_nothing_to_walk(void **state)
{
	assert_text(walked(*state), "");
}

static void
walk_enters_parents_first_and_leaves_only_sections(void **state)
{
	struct tp_block *a = tp_doc_section(*state, NULL, TP_SECTION_SUMMARY, "a", "A");
	struct tp_block *sub = tp_doc_section(*state, a, TP_SECTION_SUB, "a/sub", "Sub");

	tp_doc_paragraph(*state, a, TP_PARAGRAPH_BODY, "a/text", TP_SAY0(*state, "x"));
	tp_doc_paragraph(*state, sub, TP_PARAGRAPH_BODY, "a/sub/text", TP_SAY0(*state, "x"));
	tp_doc_section(*state, NULL, TP_SECTION_MAIN, "b", "B");
	assert_text(walked(*state), "+a +a/sub +a/sub/text -a/sub +a/text -a +b -b ");
}

static void
walk_passes_over_what_is_too_deep(void **state)
{
	struct tp_block *at = tp_doc_section(*state, NULL, TP_SECTION_SUMMARY, "s", "S");

	for (int i = 0; i < 40; i++)
		at = tp_doc_section(*state, at, TP_SECTION_SUB, "s", "S");
	assert_int_equal(walked(*state).len, strlen("+s -s ") * 17);
}

static void
ids_are_copied(void **state)
{
	char name[] = "steps";
	struct tp_block *b = tp_doc_section(*state, NULL, TP_SECTION_SUMMARY, name, name);

	name[0] = 'x';
	assert_text(b->id, "steps");
	assert_text(b->section.title, "steps");
}

static void
id_of_a_hostile_name_is_plain_ascii(void **state)
{
	assert_text(tp_doc_id(*state, "op", TP_S("fusion.12")), "op/fusion.12");
	assert_text(tp_doc_id(*state, "op", TP_S("a b<\"%>")), "op/a%20b%3C%22%25%3E");
	assert_text(tp_doc_id(*state, "op", TP_S("\u202e")), "op/%E2%80%AE");
}

static void
different_names_have_different_ids(void **state)
{
	assert_false(
		tp_slice_eq(tp_doc_id(*state, "op", TP_S("a b")), tp_doc_id(*state, "op", TP_S("a%20b"))));
}

static void
metric_is_found_by_its_id(void **state)
{
	tp_doc_metric(*state, TP_S("a.b"), "A", tp_count(1), TP_S("how"), TP_S("all"));
	tp_doc_metric(*state, TP_S("a.c"), "B", tp_count(2), TP_S(""), TP_S(""));
	assert_int_equal(tp_doc_find_metric(*state, TP_S("a.c"))->value.integer, 2);
	assert_null(tp_doc_find_metric(*state, TP_S("a")));
}

static void
zeroed_cell_has_no_colour(void **state)
{
	struct tp_cell cell = {.value = tp_count(1)};

	(void)state;
	assert_int_equal(cell.swatch, TP_HUE_NONE);
}

static void
every_judgement_but_none_has_glyph_and_word(void **state)
{
	(void)state;
	assert_text(tp_judge_glyph(TP_JUDGE_NONE), "");
	for (enum tp_judge j = TP_JUDGE_BAD; j <= TP_JUDGE_ABSENT; j++) {
		assert_int_not_equal(tp_judge_glyph(j).len, 0);
		assert_int_not_equal(tp_judge_word(j).len, 0);
	}
}

static void
every_hue_has_a_name_of_its_own(void **state)
{
	(void)state;
	for (enum tp_hue a = TP_HUE_NONE; a <= TP_HUE_IDLE; a++) {
		for (enum tp_hue b = TP_HUE_NONE; b < a; b++)
			assert_false(tp_slice_eq(tp_hue_name(a), tp_hue_name(b)));
	}
}

static void
columns_that_are_the_same_in_all_rows_are_said_once(void **state)
{
	static const struct tp_column columns[] = {{.title = TP_S("Name")}, {.title = TP_S("Device")},
		{.title = TP_S("Time"), .unit = TP_UNIT_MS, .decimals = 1, .sorted = true},
		{.title = TP_S("Peak"), .unit = TP_UNIT_MIB, .decimals = 1}, {.title = TP_S("Size")},
		{.title = TP_S("State")}};
	struct tp_doc *doc = *state;
	struct tp_cell cells[3][6];
	struct tp_row rows[3];
	struct tp_table table = {.columns = columns, .column_count = 6, .rows = rows, .row_count = 3};
	bool silent[6], same[6];

	for (size_t i = 0; i < 3; i++) {
		const struct tp_cell row[] = {{.value = tp_text_value(TP_S("a"))},
			{.value = tp_text_value(TP_S("TPU:0"))}, {.value = tp_number(1, TP_UNIT_MS)},
			{.value = tp_number(2, TP_UNIT_MIB)}, {.value = tp_count((uint64_t)i)},
			{.value = tp_text_value(TP_S("high")), .judge = TP_JUDGE_BAD}};

		memcpy(cells[i], row, sizeof row);
		rows[i] = (struct tp_row){.cells = cells[i]};
	}
	tp_columns_in_words(&table, silent, same);
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(same[i], i == 1 || i == 3); /* not what names, orders or judges rows */
	assert_text(tp_sameness_words(&table, same, doc->arena),
		"In all rows: Device TPU:0, Peak 2.0\u202fMiB");
	cells[1][3].value = tp_missing(TP_S("unknown"));
	tp_columns_in_words(&table, silent, same);
	assert_text(tp_sameness_words(&table, same, doc->arena), "Device: TPU:0 in all rows");
	for (size_t i = 0; i < 3; i++)
		cells[i][1].value = tp_text_value(TP_S("Device 2"));
	assert_text(tp_sameness_words(&table, same, doc->arena), "Device: 2 in all rows");
	table.row_count = 2;
	assert_false(tp_column_is_same(&table, 1)); /* compared at a glance */
	table.row_count = 3;
	table.column_count = 2;
	tp_columns_in_words(&table, silent, same);
	assert_false(same[1]); /* names alone are no table */
}

static void
columns_without_a_figure_are_silent_and_share_their_reason(void **state)
{
	static const struct tp_column columns[] = {{.title = TP_S("Name")}, {.title = TP_S("A")},
		{.title = TP_S("B")}, {.title = TP_S("C")}, {.title = TP_S("D")}};
	struct tp_doc *doc = *state;
	struct tp_value costs = tp_missing(TP_S("no costs")), none = tp_missing(TP_S("no input"));
	const struct tp_cell cells[2][5] = {
		{{.value = costs}, {.value = costs}, {.value = none}, {.value = costs}, {.value = costs}},
		{{.value = costs}, {.value = costs}, {.value = none}, {.value = costs},
			{.value = tp_count(0)}},
	};
	const struct tp_row rows[] = {{.cells = cells[0]}, {.cells = cells[1]}};
	const struct tp_table table = {
		.columns = columns, .column_count = 5, .rows = rows, .row_count = 2};
	const struct tp_table empty = {.columns = columns, .column_count = 5};
	struct tp_slice reasons[5] = {{NULL, 0}};

	assert_false(tp_column_is_silent(&table, 0)); /* names the rows */
	assert_true(tp_column_is_silent(&table, 1));
	assert_false(tp_column_is_silent(&table, 4)); /* 0 is a figure */
	assert_false(tp_column_is_silent(&empty, 1));
	assert_text(tp_silence_words(&table, reasons, NULL, doc->arena), "");
	for (size_t i = 1; i < 4; i++)
		reasons[i] = cells[0][i].value.text;
	assert_text(tp_silence_words(&table, reasons, NULL, doc->arena),
		"Left out: A · C (no costs); B (no input)");
}

static void
what_the_rows_say_is_no_reason_below_them(void **state)
{
	static const struct tp_column columns[] = {
		{.title = TP_S("Figure")}, {.title = TP_S("Value")}, {.title = TP_S("Notes")}};
	struct tp_value none = tp_missing(TP_S("no step markers"));
	const struct tp_cell cells[] = {{.value = tp_text_value(TP_S("Step time"))}, {.value = none},
		{.value = tp_text_value(TP_S("no step markers"))}};
	const struct tp_row rows[] = {{.cells = cells}};
	const struct tp_table table = {
		.columns = columns, .column_count = 3, .rows = rows, .row_count = 1};
	const struct tp_slice reasons[3] = {{NULL, 0}, none.text, {NULL, 0}};
	struct tp_doc *doc = *state;

	assert_text(tp_silence_words(&table, reasons, NULL, doc->arena), "");
}

static void
a_total_has_no_bar_of_a_class(void **state)
{
	const struct tp_row total = {.role = TP_ROW_TOTAL}, part = {.role = TP_ROW_NORMAL};
	const struct tp_cell all = {.value = tp_number(1, TP_UNIT_SHARE)};
	const struct tp_cell idle = {.value = tp_number(.5, TP_UNIT_SHARE), .swatch = TP_HUE_IDLE};

	(void)state;
	assert_false(tp_cell_has_bar(&total, &all));
	assert_true(tp_cell_has_bar(&part, &all));
	assert_true(tp_cell_has_bar(&total, &idle));
}

/* A reason of a line's length is given once; one as short as a reference, each time. */
static void
a_long_reason_is_given_once(void **state)
{
	static const struct tp_column columns[] = {
		{.title = TP_S("Op")}, {.title = TP_S("A")}, {.title = TP_S("B")}};
	const struct tp_table table = {.columns = columns, .column_count = 3};
	const struct tp_slice reasons[] = {
		{NULL, 0}, TP_S("the trace does not say how much memory the device has"), TP_S("no costs")};
	struct tp_silences said = {.count = 0};
	struct tp_doc *doc = *state;

	assert_text(tp_silence_words(&table, reasons, &said, doc->arena),
		"Left out: A (the trace does not say how much memory the device has); B (no costs)");
	assert_text(tp_silence_words(&table, reasons, &said, doc->arena),
		"Left out: A (as above); B (no costs)");
}

/* Where the largest is so many milliseconds, fractions of a microsecond are noise. Whole numbers are left as they are. */
static void
columns_of_large_numbers_are_shown_in_a_larger_unit(void **state)
{
	static const struct tp_column columns[] = {
		{.key = TP_S("name"), .title = TP_S("Name")},
		{.key = TP_S("long_us"), .title = TP_S("Long"), .unit = TP_UNIT_US, .decimals = 1},
		{.key = TP_S("short_us"), .title = TP_S("Short"), .unit = TP_UNIT_US, .decimals = 1},
		{.key = TP_S("whole_us"), .title = TP_S("Whole"), .unit = TP_UNIT_US},
		{.key = TP_S("size"), .title = TP_S("Size"), .unit = TP_UNIT_BYTES},
	};
	static const double values[2][5] = {
		{0, 100000, 9999.9, 10000, 10485760}, {0, 46.6, 46.6, 1, 1}};
	static const char *const shown[2][5] = {
		{"", "100.00", "9,999.9", "10,000", "10.00"}, {"", "0.05", "46.6", "1", "<0.01"}};
	struct tp_doc *doc = *state;
	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "s", "Section");
	struct tp_draft draft = tp_draft_table(doc, section, "t", columns, 5);
	char buf[TP_VALUE_BUF];

	for (size_t r = 0; r < 2; r++) {
		struct tp_cell *cell = tp_draft_row(&draft, TP_S("r"), TP_ROW_NORMAL, 0);

		for (size_t c = 1; c < 5; c++)
			cell[c].value = tp_number(values[r][c], columns[c].unit);
	}
	const struct tp_table *t = tp_draft_finish(&draft, SIZE_MAX);

	for (size_t r = 0; r < 2; r++)
		for (size_t c = 1; c < 5; c++)
			assert_text(
				tp_column_text(&t->columns[c], t->rows[r].cells[c].value, buf), shown[r][c]);
	assert_text(tp_column_symbol(&t->columns[1]), "ms");
	assert_text(tp_column_symbol(&t->columns[2]), "µs");
	assert_text(tp_column_symbol(&t->columns[4]), "MiB");
}

/* So that a mean can be read beside its maximum, unless that would be long. */
static void
columns_of_one_unit_are_shown_in_one(void **state)
{
	static const struct tp_column columns[] = {
		{.key = TP_S("name"), .title = TP_S("Name")},
		{.key = TP_S("mean_ms"), .title = TP_S("Mean"), .unit = TP_UNIT_MS, .decimals = 2},
		{.key = TP_S("max_ms"), .title = TP_S("Max"), .unit = TP_UNIT_MS, .decimals = 2},
	};
	static const struct {
		double mean, max;
		const char *shown_mean, *shown_max, *mean_unit, *max_unit;
	} cases[] = {
		{.2, .9, "200.00", "900.00", "µs", "µs"},
		{.2, 4.86, "200.00", "4,860.00", "µs", "µs"},
		{.2, 48.6, "200.00", "48.60", "µs", "ms"},
		{2, 4.86, "2.00", "4.86", "ms", "ms"},
	};
	struct tp_doc *doc = *state;
	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "s", "Section");
	char buf[TP_VALUE_BUF];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char id[] = {'t', (char)('0' + i), '\0'};
		struct tp_draft draft = tp_draft_table(doc, section, id, columns, 3);
		struct tp_cell *cell = tp_draft_row(&draft, TP_S("r"), TP_ROW_NORMAL, 0);

		cell[1].value = tp_number(cases[i].mean, TP_UNIT_MS);
		cell[2].value = tp_number(cases[i].max, TP_UNIT_MS);
		const struct tp_table *t = tp_draft_finish(&draft, SIZE_MAX);

		assert_text(
			tp_column_text(&t->columns[1], t->rows[0].cells[1].value, buf), cases[i].shown_mean);
		assert_text(
			tp_column_text(&t->columns[2], t->rows[0].cells[2].value, buf), cases[i].shown_max);
		assert_text(tp_column_symbol(&t->columns[1]), cases[i].mean_unit);
		assert_text(tp_column_symbol(&t->columns[2]), cases[i].max_unit);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		DOC_TEST(empty_document_has_nothing_to_walk),
		DOC_TEST(walk_enters_parents_first_and_leaves_only_sections),
		DOC_TEST(walk_passes_over_what_is_too_deep),
		DOC_TEST(ids_are_copied),
		DOC_TEST(id_of_a_hostile_name_is_plain_ascii),
		DOC_TEST(different_names_have_different_ids),
		DOC_TEST(metric_is_found_by_its_id),
		DOC_TEST(columns_that_are_the_same_in_all_rows_are_said_once),
		DOC_TEST(columns_without_a_figure_are_silent_and_share_their_reason),
		DOC_TEST(what_the_rows_say_is_no_reason_below_them),
		DOC_TEST(a_total_has_no_bar_of_a_class),
		DOC_TEST(a_long_reason_is_given_once),
		DOC_TEST(columns_of_large_numbers_are_shown_in_a_larger_unit),
		DOC_TEST(columns_of_one_unit_are_shown_in_one),
		cmocka_unit_test(zeroed_cell_has_no_colour),
		cmocka_unit_test(every_judgement_but_none_has_glyph_and_word),
		cmocka_unit_test(every_hue_has_a_name_of_its_own),
	};

	return RUN(tests);
}

/* Rows of tables: a column that knows its field reads it from the struct that the row is about; code fills the others. */
#include "unit.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "report/draft.h"

#include <math.h>

struct thing {
	struct tp_slice name, place;
	const char *kind;
	double time_ps, rate;
	int64_t change;
	uint64_t bytes;
	uint32_t calls;
	struct tp_value share;
};

static const struct tp_column columns[] = {
	TP_COLUMN("name", "Name", TP_TEXT_FIELD(struct thing, name)),
	TP_COLUMN("time_ms", "Time", .unit = TP_UNIT_MS, TP_FIELD(struct thing, time_ps, TP_UNIT_PS)),
	TP_COLUMN("rate", "Rate", .unit = TP_UNIT_GB_PER_S,
		TP_FIELD(struct thing, rate, TP_UNIT_GB_PER_S, .missing = "nothing was sent")),
	TP_COUNT_COLUMN("change", "Change", TP_COUNT_FIELD(struct thing, change)),
	TP_BYTES_COLUMN("bytes", "Size", TP_FIELD(struct thing, bytes, TP_UNIT_BYTES)),
	TP_COUNT_COLUMN("calls", "Calls", TP_COUNT_FIELD(struct thing, calls)),
	TP_SHARE_COLUMN("share", "Of all", TP_FIELD(struct thing, share, TP_UNIT_SHARE)),
	TP_COLUMN("note", "Note"),
	TP_COLUMN("place", "Place", TP_TEXT_FIELD(struct thing, place, .missing = "it is nowhere")),
	TP_COLUMN("kind", "Kind", TP_TEXT_FIELD(struct thing, kind)),
};
struct cells {
	struct tp_cell name, time, rate, change, bytes, calls, share, note, place, kind;
};
TP_CELLS_ARE_COLUMNS(struct cells, columns);

static void
fields_fill_their_cells(void **state)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_doc *doc = tp_doc_new(arena);
	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "s", "Section");
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "things", columns);
	const struct thing thing = {
		TP_S("a"), TP_S(""), "k", 2.5e9, NAN, -3, UINT64_MAX, 7, tp_missing(TP_S("unknown"))};
	struct cells *cells = tp_draft_row_of(&draft, thing.name, TP_ROW_NORMAL, 0, &thing);

	(void)state;
	cells->note.value = tp_text_value(TP_S("by code"));
	cells = tp_draft_rest_row(&draft, TP_S("rest"), "of several things");
	cells->name.value = tp_text_value(TP_S("3 more"));
	const struct tp_table *t = tp_draft_finish(&draft, SIZE_MAX);
	const struct tp_cell *row = t->rows[0].cells;

	assert_true(tp_slice_eq(row[0].value.text, TP_S("a")));
	assert_true(tp_slice_eq(row[9].value.text, TP_S("k")));
	assert_true(tp_value_in(row[1].value, TP_UNIT_MS) == 2.5);
	assert_false(tp_known(row[2].value));
	assert_true(tp_slice_eq(row[2].value.text, TP_S("nothing was sent")));
	assert_int_equal(row[3].value.integer, -3);
	assert_int_equal(row[4].value.integer, INT64_MAX);
	assert_int_equal(row[4].value.unit, TP_UNIT_BYTES);
	assert_int_equal(row[5].value.integer, 7);
	assert_true(tp_slice_eq(row[6].value.text, TP_S("unknown")));
	assert_true(tp_slice_eq(row[TP_COLUMN_OF(struct cells, note)].value.text, TP_S("by code")));
	assert_true(tp_slice_eq(row[8].value.text, TP_S("it is nowhere")));
	assert_int_equal(t->rows[1].role, TP_ROW_TOTAL);
	assert_true(tp_known(t->rows[1].cells[0].value));
	assert_true(tp_slice_eq(t->rows[1].cells[1].value.text, TP_S("of several things")));
	tp_arena_free(arena);
}

static void
rows_below_a_total_keep_their_digits(void **state)
{
	static const struct tp_column times[] = {
		TP_COLUMN("name", "Name"),
		TP_COLUMN("self_ms", "Self", .unit = TP_UNIT_MS, .decimals = 1),
		TP_COLUMN("total_ms", "Total", .unit = TP_UNIT_MS, .decimals = 1),
	};
	struct tp_arena *arena = tp_arena_new();
	struct tp_doc *doc = tp_doc_new(arena);
	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "s", "Section");
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "times", times);
	struct tp_cell *cells = tp_draft_row(&draft, TP_S("a"), TP_ROW_NORMAL, 0);
	char buf[TP_VALUE_BUF];

	(void)state;
	cells[1].value = tp_number(0.31234, TP_UNIT_MS);
	cells[2].value = tp_number(1.2, TP_UNIT_MS);
	cells = tp_draft_row(&draft, TP_S("idle"), TP_ROW_TOTAL, 0);
	cells[1].value = tp_number(2829.9, TP_UNIT_MS);
	cells[2].value = tp_number(2829.9, TP_UNIT_MS);
	const struct tp_table *t = tp_draft_finish(&draft, SIZE_MAX);

	assert_text(tp_column_text(&t->columns[1], t->rows[0].cells[1].value, buf), "0.312");
	assert_text(tp_column_text(&t->columns[2], t->rows[0].cells[2].value, buf), "1.2");
	assert_text(tp_column_text(&t->columns[1], t->rows[1].cells[1].value, buf), "2,829.900");
	tp_arena_free(arena);
}

static void
columns_of_very_different_figures_have_one_unit(void **state)
{
	static const struct tp_column figures[] = {
		TP_COLUMN("name", "Name"),
		TP_ONE_UNIT_COLUMN("time_us", "Time", TP_UNIT_US),
		TP_ONE_UNIT_COLUMN("cpu_us", "CPU", TP_UNIT_US),
		TP_ONE_UNIT_COLUMN("bytes", "Size", TP_UNIT_BYTES),
	};
	struct tp_arena *arena = tp_arena_new();
	struct tp_doc *doc = tp_doc_new(arena);
	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "s", "Section");
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "figures", figures);
	struct tp_cell *cells = tp_draft_row(&draft, TP_S("a"), TP_ROW_NORMAL, 0);
	char buf[TP_VALUE_BUF];

	(void)state;
	cells[1].value = tp_integer(16320, TP_UNIT_US);
	cells[2].value = tp_integer(93, TP_UNIT_US);
	cells[3].value = tp_integer(600, TP_UNIT_BYTES);
	cells = tp_draft_row(&draft, TP_S("b"), TP_ROW_NORMAL, 0);
	cells[1].value = cells[2].value = tp_integer(1, TP_UNIT_US);
	cells[3].value = tp_integer(13, TP_UNIT_BYTES);
	const struct tp_table *t = tp_draft_finish(&draft, SIZE_MAX);

	for (size_t c = 1; c < 3; c++)
		assert_text(tp_column_symbol(&t->columns[c]), "ms");
	assert_text(tp_column_text(&t->columns[1], t->rows[0].cells[1].value, buf), "16.32");
	assert_text(tp_column_text(&t->columns[2], t->rows[0].cells[2].value, buf), "0.09");
	assert_text(tp_column_text(&t->columns[2], t->rows[1].cells[2].value, buf), "<0.01");
	assert_text(tp_column_symbol(&t->columns[3]), "B");
	assert_text(tp_column_text(&t->columns[3], t->rows[1].cells[3].value, buf), "13");
	tp_arena_free(arena);
}

static void
a_tree_opens_to_the_level_that_fits(void **state)
{
	static const int depths[] = {0, 1, 2, 2, 2, 1, 1};
	struct tp_row rows[7];
	struct tp_table t = {.rows = rows, .row_count = 7, .tree = true};

	(void)state;
	for (size_t i = 0; i < 7; i++)
		rows[i] = (struct tp_row){.depth = depths[i]};
	tp_table_open_levels(&t, 2, 4);
	assert_int_equal(t.open_depth, 1); /* else the last two would be behind what is in the first */
	assert_int_equal(t.shown, 7);
	tp_table_open_levels(&t, 2, 7);
	assert_int_equal(t.open_depth, 2);
	tp_table_open_levels(&t, 2, 3);
	assert_int_equal(t.open_depth, 1);
	assert_int_equal(t.shown, 6);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_fill_their_cells),
		cmocka_unit_test(rows_below_a_total_keep_their_digits),
		cmocka_unit_test(columns_of_very_different_figures_have_one_unit),
		cmocka_unit_test(a_tree_opens_to_the_level_that_fits),
	};

	return RUN(tests);
}

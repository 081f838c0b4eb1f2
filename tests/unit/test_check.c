/* The proof of a document: the sample is sound, and each rule finds the one fault that is put in. */
#include "unit.h"

#include <math.h>

#include "base/arena.h"
#include "fixture.h"
#include "report/doc.h"
#include "sample_doc.h"

static int
set_up(void **state)
{
	*state = sample_doc(tp_arena_new());
	return 0;
}

static struct tp_block *
find(struct tp_doc *doc, const char *id)
{
	for (struct tp_walk w = tp_walk_of(doc); tp_walk_next(&w);) {
		if (tp_slice_eq(w.block->id, tp_slice_of(id)))
			return (struct tp_block *)w.block;
	}
	fail_msg("no block %s", id);
	return NULL;
}

/* The document has a fault, and the message names it. */
static void
assert_fault(struct tp_doc *doc, const char *words)
{
	struct tp_err err = {.text = ""};

	assert_int_equal(tp_doc_check(doc, &err), TP_ERR_FORMAT);
	if (strstr(err.text, words) == NULL)
		fail_msg("\"%s\" does not say \"%s\"", err.text, words);
}

static struct tp_block *
add_text(struct tp_doc *doc, struct tp_text text)
{
	return tp_doc_paragraph(doc, doc->first, TP_PARAGRAPH_BODY, "summary/added", text);
}

static struct tp_table *
table(struct tp_doc *doc, const char *id)
{
	return &find(doc, id)->table;
}

static struct tp_row *
row(struct tp_doc *doc, const char *id, size_t index)
{
	return (struct tp_row *)&table(doc, id)->rows[index];
}

static struct tp_cell *
cell(struct tp_doc *doc, const char *id, size_t row_index, size_t column)
{
	return (struct tp_cell *)&row(doc, id, row_index)->cells[column];
}

static void
sample_is_sound(void **state)
{
	struct tp_err err = {.text = ""};

	if (tp_doc_check(*state, &err) != TP_OK)
		fail_msg("%s", err.text);
}

static void
error_may_be_unwanted(void **state)
{
	struct tp_doc *doc = *state;

	doc->title = TP_S("");
	assert_int_equal(tp_doc_check(doc, NULL), TP_ERR_FORMAT);
}

static void
document_begins_with_a_summary(void **state)
{
	struct tp_doc *doc = *state;

	assert_fault(tp_doc_new(doc->arena), "the title");
	doc->first = doc->first->next;
	assert_fault(doc, "begin with a summary");
}

static void
second_summary_is_a_fault(void **state)
{
	tp_doc_section(*state, NULL, TP_SECTION_SUMMARY, "again", "Again");
	assert_fault(*state, "only the first section");
}

static void
main_section_after_a_minor_one_is_a_fault(void **state)
{
	tp_doc_section(*state, NULL, TP_SECTION_MAIN, "late", "Late");
	assert_fault(*state, "after a minor one");
}

static void
main_section_within_another_is_a_fault(void **state)
{
	struct tp_doc *doc = *state;

	tp_doc_section(doc, find(doc, "steps"), TP_SECTION_MAIN, "steps/inner", "Inner");
	assert_fault(doc, "stands at top");
}

static void
fold_at_top_is_a_fault(void **state)
{
	tp_doc_section(*state, NULL, TP_SECTION_FOLD, "fold", "Fold");
	assert_fault(*state, "stands at top");
}

static void
sections_nest_six_deep_at_most(void **state)
{
	struct tp_doc *doc = *state;
	struct tp_block *at = find(doc, "method");

	for (int depth = 2; depth <= 6; depth++)
		at = tp_doc_section(doc, at, TP_SECTION_SUB,
			(const char *)tp_arena_printf(doc->arena, "deep/%d", depth).ptr, "Deep");
	assert_int_equal(tp_doc_check(doc, NULL), TP_OK);
	tp_doc_section(doc, at, TP_SECTION_SUB, "deep/7", "Deep");
	assert_fault(doc, "too deep");
}

static void
section_without_a_title_is_a_fault(void **state)
{
	find(*state, "steps")->section.title = TP_S("");
	assert_fault(*state, "title");
}

static void
block_id_twice_is_a_fault(void **state)
{
	find(*state, "memory/small")->id = TP_S("steps/all");
	assert_fault(*state, "id of two things");
}

static void
row_with_the_id_of_a_block_is_a_fault(void **state)
{
	row(*state, "steps/all", 5)->id = TP_S("verdict");
	assert_fault(*state, "id of two things");
}

static void
tile_with_the_id_of_a_block_is_a_fault(void **state)
{
	((struct tp_tile *)find(*state, "tiles")->tiles.tiles)->id = TP_S("verdict");
	assert_fault(*state, "id of two things");
}

static void
empty_id_is_a_fault(void **state)
{
	row(*state, "steps/all", 5)->id = TP_S("");
	assert_fault(*state, "is no id");
}

static void
blank_in_an_id_is_a_fault(void **state)
{
	find(*state, "memory/small")->id = TP_S("memory small");
	assert_fault(*state, "may not hold");
}

static void
link_that_leads_nowhere_is_a_fault(void **state)
{
	add_text(*state, TP_SAY0(*state, "see [there](#nowhere)"));
	assert_fault(*state, "leads nowhere");
}

static void
link_out_of_the_document_is_a_fault(void **state)
{
	cell(*state, "operations/tree", 2, 0)->href = TP_S("https://example.org/");
	assert_fault(*state, "does not link into");
}

static void
metric_id_twice_is_a_fault(void **state)
{
	tp_doc_metric(*state, TP_S("step.count"), "Steps", tp_count(60), TP_S(""), TP_S(""));
	assert_fault(*state, "id of two metrics");
}

static void
missing_metric_without_a_reason_is_a_fault(void **state)
{
	tp_doc_metric(*state, TP_S("a.b"), "A", tp_missing(TP_S("")), TP_S(""), TP_S(""));
	assert_fault(*state, "without a reason");
}

static void
tile_with_an_unknown_metric_is_a_fault(void **state)
{
	((struct tp_tile *)find(*state, "tiles")->tiles.tiles)->metric = TP_S("no.such");
	assert_fault(*state, "not registered");
}

static void
tile_with_another_value_than_its_metric_is_a_fault(void **state)
{
	((struct tp_tile *)find(*state, "tiles")->tiles.tiles)->value.number = 126.300001;
	assert_fault(*state, "another value");
}

static void
cell_with_another_value_than_its_metric_is_a_fault(void **state)
{
	cell(*state, "steps/all", SAMPLE_STEPS, 1)->value = tp_integer(128300, TP_UNIT_US);
	assert_fault(*state, "another value");
}

static void
span_with_another_value_than_its_metric_is_a_fault(void **state)
{
	struct tp_text t = TP_SAY0(*state, "{step.count}");

	((struct tp_span *)t.spans)->value.integer = 61;
	add_text(*state, t);
	assert_fault(*state, "another value");
}

static void
number_that_is_not_finite_is_a_fault(void **state)
{
	cell(*state, "steps/all", 3, 1)->value.number = NAN;
	assert_fault(*state, "not finite");
}

static void
text_that_is_not_utf8_is_a_fault(void **state)
{
	cell(*state, "operations/tree", 3, 0)->value.text = TP_S("fusion\xff");
	assert_fault(*state, "UTF-8");
}

static void
table_without_columns_is_a_fault(void **state)
{
	table(*state, "steps/all")->column_count = 0;
	assert_fault(*state, "no columns");
}

static void
row_without_cells_is_a_fault(void **state)
{
	row(*state, "steps/all", 3)->cells = NULL;
	assert_fault(*state, "without cells");
}

static void
column_key_twice_is_a_fault(void **state)
{
	static const struct tp_column columns[] = {{.key = TP_S("name")}, {.key = TP_S("name")}};

	table(*state, "environment/all")->columns = columns;
	assert_fault(*state, "key of two columns");
}

static void
bars_of_what_is_no_share_are_a_fault(void **state)
{
	static const struct tp_column columns[] = {
		{.key = TP_S("name")}, {.key = TP_S("ms"), .unit = TP_UNIT_MS, .bar = true}};

	table(*state, "environment/all")->columns = columns;
	assert_fault(*state, "no share");
}

static void
cell_of_another_quantity_is_a_fault(void **state)
{
	cell(*state, "steps/all", 3, 2)->value = tp_integer(5, TP_UNIT_BYTES);
	assert_fault(*state, "another quantity");
}

static void
gap_in_the_depths_of_a_tree_is_a_fault(void **state)
{
	row(*state, "operations/tree", 2)->depth = 3;
	assert_fault(*state, "deeper than the tree allows");
}

static void
depth_in_a_plain_table_is_a_fault(void **state)
{
	row(*state, "steps/all", 2)->depth = 1;
	assert_fault(*state, "deeper than the tree allows");
}

static void
chart_with_a_negative_value_is_a_fault(void **state)
{
	((double *)find(*state, "where/steps")->chart.series[2].values)[7] = -1;
	assert_fault(*state, "cannot be drawn");
}

static void
chart_with_an_infinite_value_is_a_fault(void **state)
{
	((double *)find(*state, "where/steps")->chart.series[2].values)[7] = INFINITY;
	assert_fault(*state, "cannot be drawn");
}

static void
chart_without_an_alternative_text_is_a_fault(void **state)
{
	find(*state, "where/steps")->chart.alt = TP_S("");
	assert_fault(*state, "alternative text");
}

static void
stack_of_many_points_is_a_fault(void **state)
{
	find(*state, "where/steps")->chart.kind = TP_CHART_STACK;
	assert_fault(*state, "as its kind asks for");
}

/* The sample's scatter with one point changed. */
static struct tp_point *
changeable_point(struct tp_doc *doc, size_t index)
{
	struct tp_chart *chart = &find(doc, "operations/roofline")->chart;
	struct tp_scatter *scatter = tp_new(doc->arena, struct tp_scatter);
	struct tp_point *points =
		tp_new_array(doc->arena, struct tp_point, chart->scatter->point_count);

	*scatter = *chart->scatter;
	memcpy(points, scatter->points, scatter->point_count * sizeof *points);
	scatter->points = points;
	chart->scatter = scatter;
	return &points[index];
}

static void
point_without_a_place_on_a_logarithmic_axis_is_a_fault(void **state)
{
	changeable_point(*state, 2)->x = 0;
	assert_fault(*state, "has no place on logarithmic axes");
}

static void
named_point_without_a_number_is_a_fault(void **state)
{
	changeable_point(*state, 2)->number = 0;
	assert_fault(*state, "no number");
}

static void
scatter_without_points_is_a_fault(void **state)
{
	find(*state, "operations/roofline")->chart.scatter = NULL;
	assert_fault(*state, "as its kind asks for");
}

static struct tp_grid *
changeable_grid(struct tp_doc *doc)
{
	struct tp_chart *chart = &find(doc, "operations/grid")->chart;
	struct tp_grid *grid = tp_new(doc->arena, struct tp_grid);

	*grid = *chart->grid;
	chart->grid = grid;
	return grid;
}

static void
heat_map_without_a_scale_is_a_fault(void **state)
{
	struct tp_grid *grid = changeable_grid(*state);

	grid->high = grid->low;
	assert_fault(*state, "has no scale");
}

static void
heat_map_that_marks_no_cell_of_its_own_is_a_fault(void **state)
{
	static const size_t beyond[] = {8};

	changeable_grid(*state)->marked = beyond;
	assert_fault(*state, "marks no cell of its own");
}

static void
heat_map_that_links_no_cell_of_its_own_is_a_fault(void **state)
{
	static const size_t beyond[][2] = {{0, 8}};

	changeable_grid(*state)->links = beyond;
	assert_fault(*state, "links no cells of its own");
}

static void
mark_on_no_point_is_a_fault(void **state)
{
	find(*state, "where/steps")->chart.marked = SAMPLE_STEPS;
	assert_fault(*state, "marks no point");
}

static void
curve_that_cannot_be_drawn_is_a_fault(void **state)
{
	((double *)find(*state, "tiles")->tiles.tiles[0].spark)[3] = NAN;
	assert_fault(*state, "cannot be drawn");
}

static void
sentence_with_two_items_is_a_fault(void **state)
{
	find(*state, "summary/run")->paragraph.role = TP_PARAGRAPH_BODY;
	assert_fault(*state, "as many items");
}

static void
open_finding_without_a_number_is_a_fault(void **state)
{
	find(*state, "findings/TPR-INPUT-001")->finding.number = 0;
	assert_fault(*state, "no number");
}

static void
open_finding_without_advice_is_a_fault(void **state)
{
	((struct tp_finding *)find(*state, "findings/TPR-INPUT-001")->finding.finding)->action_count =
		0;
	assert_fault(*state, "things to do");
}

static void
glyph_with_text_is_a_fault(void **state)
{
	struct tp_text t = TP_SAY0(*state, "x");

	((struct tp_span *)t.spans)->judge = TP_JUDGE_BAD;
	add_text(*state, t);
	assert_fault(*state, "only a glyph");
}

#define CHECKED(test) cmocka_unit_test_setup_teardown(test, set_up, doc_freed)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CHECKED(sample_is_sound),
		CHECKED(error_may_be_unwanted),
		CHECKED(document_begins_with_a_summary),
		CHECKED(second_summary_is_a_fault),
		CHECKED(main_section_after_a_minor_one_is_a_fault),
		CHECKED(main_section_within_another_is_a_fault),
		CHECKED(fold_at_top_is_a_fault),
		CHECKED(sections_nest_six_deep_at_most),
		CHECKED(section_without_a_title_is_a_fault),
		CHECKED(block_id_twice_is_a_fault),
		CHECKED(row_with_the_id_of_a_block_is_a_fault),
		CHECKED(tile_with_the_id_of_a_block_is_a_fault),
		CHECKED(empty_id_is_a_fault),
		CHECKED(blank_in_an_id_is_a_fault),
		CHECKED(link_that_leads_nowhere_is_a_fault),
		CHECKED(link_out_of_the_document_is_a_fault),
		CHECKED(metric_id_twice_is_a_fault),
		CHECKED(missing_metric_without_a_reason_is_a_fault),
		CHECKED(tile_with_an_unknown_metric_is_a_fault),
		CHECKED(tile_with_another_value_than_its_metric_is_a_fault),
		CHECKED(cell_with_another_value_than_its_metric_is_a_fault),
		CHECKED(span_with_another_value_than_its_metric_is_a_fault),
		CHECKED(number_that_is_not_finite_is_a_fault),
		CHECKED(text_that_is_not_utf8_is_a_fault),
		CHECKED(table_without_columns_is_a_fault),
		CHECKED(row_without_cells_is_a_fault),
		CHECKED(column_key_twice_is_a_fault),
		CHECKED(bars_of_what_is_no_share_are_a_fault),
		CHECKED(cell_of_another_quantity_is_a_fault),
		CHECKED(gap_in_the_depths_of_a_tree_is_a_fault),
		CHECKED(depth_in_a_plain_table_is_a_fault),
		CHECKED(chart_with_a_negative_value_is_a_fault),
		CHECKED(chart_with_an_infinite_value_is_a_fault),
		CHECKED(chart_without_an_alternative_text_is_a_fault),
		CHECKED(stack_of_many_points_is_a_fault),
		CHECKED(point_without_a_place_on_a_logarithmic_axis_is_a_fault),
		CHECKED(named_point_without_a_number_is_a_fault),
		CHECKED(scatter_without_points_is_a_fault),
		CHECKED(heat_map_without_a_scale_is_a_fault),
		CHECKED(heat_map_that_marks_no_cell_of_its_own_is_a_fault),
		CHECKED(heat_map_that_links_no_cell_of_its_own_is_a_fault),
		CHECKED(mark_on_no_point_is_a_fault),
		CHECKED(curve_that_cannot_be_drawn_is_a_fault),
		CHECKED(sentence_with_two_items_is_a_fault),
		CHECKED(open_finding_without_a_number_is_a_fault),
		CHECKED(open_finding_without_advice_is_a_fault),
		CHECKED(glyph_with_text_is_a_fault),
	};

	return RUN(tests);
}

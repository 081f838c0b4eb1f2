/* Excerpts: what is taken of a document, under which ids, and what becomes of links and figures. */
#include "unit.h"

#include "base/arena.h"
#include "fixture.h"
#include "report/doc.h"
#include "report/draft.h"
#include "report/excerpt.h"

static const struct tp_column columns[] = {
	{.key = {"name", 4}, .title = {"Name", 4}},
	{.key = {"ms", 2}, .title = {"Time", 4}, .unit = TP_UNIT_MS, .decimals = 1},
};

/* A table of three rows: the first cites a figure and links to the second, the second links out of the table. */
static void
fill(struct tp_doc *doc)
{
	struct tp_block *s = tp_doc_section(doc, NULL, TP_SECTION_SUMMARY, "s", "S");

	doc->title = TP_S("t");
	tp_doc_metric(doc, TP_S("a.mean_ms"), "A", tp_number(2.5, TP_UNIT_MS), TP_S("how"), TP_S(""));
	tp_doc_metric(doc, TP_S("a.mean_ms@host=h"), "A", tp_number(3, TP_UNIT_MS), TP_S(""), TP_S(""));
	tp_doc_metric(doc, TP_S("b.mean_ms"), "B", tp_missing(TP_S("none")), TP_S("how"), TP_S(""));
	struct tp_draft draft = tp_draft_table(doc, s, "s/table", columns, 2);
	static const char *const names[] = {"one", "two", "three"};

	for (size_t i = 0; i < 3; i++) {
		struct tp_cell *cell = tp_draft_row(&draft, tp_slice_of(names[i]), TP_ROW_NORMAL, 0);

		cell[0].value = tp_text_value(tp_slice_of(names[i]));
		cell[0].href = i == 0 ? TP_S("#s/table/two") : TP_S("#s");
		cell[1].value = tp_number(2.5, TP_UNIT_MS);
		cell[1].metric = i == 0 ? TP_S("a.mean_ms") : TP_S("");
	}
	tp_draft_finish(&draft, 3)->caption = TP_S("all");
}

/* All its texts lie in the document's arena. */
static void
add_strip(struct tp_doc *doc)
{
	struct tp_block *b = tp_doc_add(doc, doc->first, TP_BLOCK_CHART, TP_S("s/strip"));
	struct tp_series *series = tp_new(doc->arena, struct tp_series);
	double *values = tp_new_array(doc->arena, double, 2);
	double *unused = tp_new_array(doc->arena, double, 2);
	struct tp_slice *labels = tp_new_array(doc->arena, struct tp_slice, 2);

	values[1] = 3;
	unused[1] = 2;
	labels[0] = tp_arena_copy(doc->arena, TP_S("first"));
	labels[1] = tp_arena_copy(doc->arena, TP_S("second"));
	*series = (struct tp_series){.key = tp_arena_copy(doc->arena, TP_S("key")),
		.label = tp_arena_copy(doc->arena, TP_S("label")),
		.unused_label = tp_arena_copy(doc->arena, TP_S("waiting")),
		.values = values,
		.unused_values = unused,
		.unused_count = 2};
	b->chart = (struct tp_chart){.kind = TP_CHART_STRIP,
		.alt = tp_arena_copy(doc->arena, TP_S("alt")),
		.unit = TP_UNIT_MS,
		.series_count = 1,
		.point_count = 2,
		.series = series,
		.labels = labels,
		.marked = 1,
		.marked_label = tp_arena_copy(doc->arena, TP_S("marked"))};
}

static struct tp_doc *
take(struct tp_arena *arena, size_t most_rows, const char *const *blocks)
{
	struct tp_arena *other = tp_arena_new();
	struct tp_doc *from = tp_doc_new(other);
	struct tp_excerpt_part part = {"part", "Part", blocks};
	struct tp_excerpt e = {
		.from = from,
		.parts = &part,
		.part_count = 1,
		.prefix = TP_S("v/x"),
		.scope = {.worker = TP_S("w")},
		.most_rows = most_rows,
	};

	fill(from);
	add_strip(from);
	struct tp_doc *excerpt = tp_excerpt_take(&e, arena);

	tp_arena_free(other);
	return excerpt;
}

static void
rows_are_cut_and_the_caption_says_of_how_many(void **state)
{
	struct tp_doc *doc = *state;
	const struct tp_block *part =
		take(doc->arena, 2, (const char *const[]){"s/table", NULL})->first;
	const struct tp_table *t = &part->section.first->table;

	assert_text(part->id, "v/x/part");
	assert_text(part->section.first->id, "v/x/s/table");
	assert_int_equal(t->row_count, 2);
	assert_text(t->caption, "all; the first 2 of 3");
	assert_text(t->rows[1].id, "v/x/s/table/two");
}

static void
links_within_stay_and_those_that_lead_out_go(void **state)
{
	struct tp_doc *doc = *state;
	const struct tp_doc *excerpt = take(doc->arena, 2, (const char *const[]){"s/*", NULL});
	const struct tp_row *rows = excerpt->first->section.first->table.rows;

	assert_text(rows[0].cells[0].href, "#v/x/s/table/two");
	assert_int_equal(rows[1].cells[0].href.len, 0);
}

static void
a_block_that_is_not_there_makes_no_part(void **state)
{
	struct tp_doc *doc = *state;

	assert_null(take(doc->arena, 2, (const char *const[]){"none", "s", NULL})->first);
}

static void
a_question_mark_takes_only_where_nothing_is_there(void **state)
{
	struct tp_doc *doc = *state;
	struct tp_doc *twice = take(doc->arena, 2, (const char *const[]){"s/t*", "?s/table", NULL});
	struct tp_doc *instead = take(doc->arena, 2, (const char *const[]){"none", "?s/table", NULL});

	assert_null(twice->first->section.first->next);
	assert_text(instead->first->section.first->id, "v/x/s/table");
}

static void
figures_have_the_scope_and_a_document_that_has_them_keeps_its_own(void **state)
{
	struct tp_doc *doc = *state;
	struct tp_doc *excerpt = take(doc->arena, 3, (const char *const[]){"s/table", NULL});

	assert_non_null(tp_doc_find_metric(excerpt, TP_S("a.mean_ms@worker=w")));
	assert_null(tp_doc_find_metric(excerpt, TP_S("b.mean_ms@worker=w")));
	assert_int_equal(excerpt->metric_count, 1);

	doc->title = TP_S("t");
	struct tp_block *s = tp_doc_section(doc, NULL, TP_SECTION_SUMMARY, "s", "S");

	tp_doc_metric(
		doc, TP_S("a.mean_ms@worker=w"), "A", tp_number(7, TP_UNIT_MS), TP_S(""), TP_S(""));
	tp_excerpt_metrics(doc, excerpt);
	tp_excerpt_blocks(doc, s, excerpt);
	const struct tp_cell *cell = &s->section.first->section.first->table.rows[0].cells[1];

	assert_text(cell->metric, "a.mean_ms@worker=w");
	assert_true(cell->value.number == 7);
	assert_int_equal(tp_doc_check(doc, NULL), TP_OK);
}

/* Under AddressSanitizer a text that was not copied is found here. */
static void
texts_of_a_chart_stay_when_the_original_is_gone(void **state)
{
	struct tp_doc *doc = *state;
	const struct tp_doc *excerpt = take(doc->arena, 3, (const char *const[]){"s/strip", NULL});
	const struct tp_chart *chart = &excerpt->first->section.first->chart;

	assert_text(chart->alt, "alt");
	assert_text(chart->series[0].key, "key");
	assert_text(chart->series[0].label, "label");
	assert_text(chart->series[0].unused_label, "waiting");
	assert_text(chart->labels[1], "second");
	assert_text(chart->marked_label, "marked");
	assert_true(chart->series[0].values[1] == 3);
	assert_true(chart->series[0].unused_values[1] == 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		DOC_TEST(rows_are_cut_and_the_caption_says_of_how_many),
		DOC_TEST(links_within_stay_and_those_that_lead_out_go),
		DOC_TEST(a_block_that_is_not_there_makes_no_part),
		DOC_TEST(a_question_mark_takes_only_where_nothing_is_there),
		DOC_TEST(texts_of_a_chart_stay_when_the_original_is_gone),
		DOC_TEST(figures_have_the_scope_and_a_document_that_has_them_keeps_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

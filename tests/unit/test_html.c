/* The HTML page: very long tables, broken templates, pages without a verdict. */
#include "unit.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "fixture.h"
#include "io/sink.h"
#include "render/html.h"
#include "render/renderer.h"
#include "report/doc.h"

static int
set_up(void **state)
{
	struct tp_doc *doc = tp_doc_new(tp_arena_new());

	doc->title = TP_S("a & b");
	doc->name = TP_S("a");
	tp_doc_section(doc, NULL, TP_SECTION_SUMMARY, "summary", "Summary");
	*state = doc;
	return 0;
}

/* The page as text in the document's arena; NULL and err when it cannot be written. */
static const char *
page_of(struct tp_doc *doc, const char *template_dir, struct tp_err *err)
{
	const struct tp_render_options options = {.template_dir = template_dir};
	struct tp_sink *out = tp_sink_memory();
	const char *page = NULL;

	*err = (struct tp_err){.status = TP_OK};
	if (tp_render_html.render(doc, &options, out, err) == TP_OK)
		page = tp_arena_copy(doc->arena, tp_sink_bytes(out)).ptr;
	tp_sink_close(out);
	return page;
}

static size_t
count_of(const char *text, const char *what)
{
	size_t count = 0;

	for (; (text = strstr(text, what)) != NULL; text++)
		count++;
	return count;
}

static void
add_table_to(struct tp_doc *doc, struct tp_block *parent, size_t count)
{
	static const struct tp_column columns[] = {
		{.key = TP_S("name"), .title = TP_S("Name")},
		{.key = TP_S("self_ms"), .title = TP_S("Time"), .unit = TP_UNIT_MS, .decimals = 1},
	};
	struct tp_table *table = &tp_doc_add(doc, parent, TP_BLOCK_TABLE, TP_S("long"))->table;
	struct tp_row *rows = tp_new_array(doc->arena, struct tp_row, count);

	for (size_t i = 0; i < count; i++) {
		struct tp_cell *cells = tp_new_array(doc->arena, struct tp_cell, 2);

		cells[0].value = tp_text_value(tp_arena_printf(doc->arena, "</script>\"%zu\\", i));
		cells[1].value = tp_number((double)i / 10, TP_UNIT_MS);
		rows[i] = (struct tp_row){.cells = cells};
	}
	*table = (struct tp_table){.caption = TP_S("Many"),
		.columns = columns,
		.column_count = 2,
		.rows = rows,
		.row_count = count,
		.shown = 10};
}

static void
add_long_table(struct tp_doc *doc, size_t count)
{
	add_table_to(doc, doc->first, count);
}

static void
a_short_table_has_nothing_folded(void **state)
{
	struct tp_err err;
	const char *page;

	add_long_table(*state, 10);
	page = page_of(*state, NULL, &err);
	assert_non_null(page);
	assert_int_equal(count_of(page, "<label"), 0);
	assert_int_equal(count_of(page, "class=\"rows\""), 0);
}

static void
rows_beyond_the_shown_are_folded(void **state)
{
	struct tp_err err;
	const char *page;

	add_long_table(*state, 52);
	page = page_of(*state, NULL, &err);
	assert_non_null(strstr(page, "<span class=\"off\">42 more</span>"));
	assert_int_equal(count_of(page, "<tbody class=\"rest\">"), 1);
	assert_int_equal(count_of(page, "<tr"), 53);
}

static struct tp_block *
section(struct tp_doc *doc, struct tp_block *parent, enum tp_section_role role, int number)
{
	const char *id = tp_arena_printf(doc->arena, "s%d", number).ptr;

	return tp_doc_section(doc, parent, role, id, id);
}

/* Three sections, each of four parts of five tables. The first part of each section stands open with its tables; of the second parts
 * there is room for five tables more; the others stand folded, and nothing within them does. */
static void
a_long_page_opens_with_the_first_of_each_section(void **state)
{
	struct tp_doc *doc = *state;
	struct tp_err err;
	const char *page;
	int number = 0;

	for (int s = 0; s < 3; s++) {
		struct tp_block *main = section(doc, NULL, TP_SECTION_MAIN, number++);

		for (int p = 0; p < 4; p++) {
			struct tp_block *part = section(doc, main, TP_SECTION_SUB, number++);

			for (int t = 0; t < 5; t++)
				add_table_to(doc, part, 10);
		}
	}
	page = page_of(doc, NULL, &err);
	assert_non_null(page);
	assert_int_equal(count_of(page, "<thead>"), 60);
	assert_int_equal(count_of(page, "<section class=\"sub\""), 6);
	assert_int_equal(count_of(page, "<details class=\"sub\""), 6);
	assert_int_equal(count_of(page, "<details class=\"fold said\""), 10);
}

/* Choices of one section, of which the first stands open with all of its tables, however many rows the others have. */
static void
of_choices_one_stands_open(void **state)
{
	struct tp_doc *doc = *state;
	struct tp_err err;
	int number = 0;
	struct tp_block *main = section(doc, NULL, TP_SECTION_MAIN, number++);

	section(doc, main, TP_SECTION_SUB, number++);
	for (int p = 0; p < 3; p++) {
		struct tp_block *part = section(doc, main, TP_SECTION_SUB, number++);

		part->section.choice = true;
		for (int t = 0; t < (p == 0 ? 2 : 30); t++)
			add_table_to(doc, part, 10);
	}
	const char *page = page_of(doc, NULL, &err);

	assert_non_null(page);
	assert_int_equal(count_of(page, "<div class=\"choices\">"), 1);
	assert_int_equal(count_of(page, "<details class=\"sub\" name=\"s0\">"), 2);
	assert_int_equal(count_of(page, "<details class=\"sub\" name=\"s0\" open=\"open\">"), 1);
	assert_int_equal(count_of(page, "<details class=\"fold said\""), 0);
}

static void
columns_of_nothing_but_dashes_are_left_out_and_said(void **state)
{
	struct tp_doc *doc = *state;
	struct tp_err err;

	add_long_table(doc, 3);
	struct tp_table *table = &doc->first->section.first->table;

	for (size_t i = 1; i < 3; i++)
		((struct tp_cell *)table->rows[i].cells)[1].value = tp_missing(TP_S("nobody measured it"));
	assert_non_null(strstr(page_of(doc, NULL, &err), ">Time</span>"));
	((struct tp_cell *)table->rows[0].cells)[1].value = tp_missing(TP_S("nobody measured it"));
	const char *page = page_of(doc, NULL, &err);

	assert_null(strstr(page, ">Time</span>"));
	assert_non_null(strstr(page, ">Left out: Time (nobody measured it).</p>"));
	assert_int_equal(count_of(page, "<td"), 0);
}

static void
deep_rows_of_a_tree_are_shut_and_counted(void **state)
{
	struct tp_doc *doc = *state;
	struct tp_err err;

	add_long_table(doc, 9);
	struct tp_table *table = &doc->first->section.first->table;
	struct tp_row *rows = (struct tp_row *)table->rows;

	table->tree = true;
	for (size_t i = 0; i < table->row_count; i++)
		rows[i].depth = (int)(i % 3);
	assert_int_equal(count_of(page_of(doc, NULL, &err), "<tr class=\"deep\""), 0);
	table->open_depth = 1;
	const char *page = page_of(doc, NULL, &err);

	assert_int_equal(count_of(page, "<tr class=\"deep\""), 3);
	assert_non_null(strstr(page, "<span class=\"off\">3 rows within these</span>"));
}

static void
rows_beyond_500_are_data_that_cannot_end_the_script(void **state)
{
	struct tp_err err;
	const char *page, *data;

	add_long_table(*state, 1200);
	page = page_of(*state, NULL, &err);
	assert_int_equal(count_of(page, "<tr"), 501);
	data = strstr(page,
		"<script class=\"rows\" "
		"type=\"application/json\">[[0,\"\\u003c/script>\\\"500\\\\\",\"50.0\"],");
	assert_non_null(data);
	assert_non_null(strstr(page, "700 further rows"));
}

/* A name cannot look like another's there either. */
static void
data_for_the_script_shows_what_is_hidden(void **state)
{
	struct tp_doc *doc = *state;
	struct tp_err err;

	add_long_table(doc, 600);
	struct tp_table *table = &doc->first->section.first->table;

	((struct tp_cell *)table->rows[550].cells)[0].value =
		tp_text_value(TP_S("a\u202eb\U000e0041<\xff"));
	const char *page = page_of(doc, NULL, &err);

	assert_non_null(strstr(page, "[0,\"a[U+202E]b[U+E0041]\\u003c\ufffd\",\"55.0\"]"));
}

/* What the page holds packed. */
static const char *
json_in_page(struct tp_doc *doc, struct tp_render_options options)
{
	struct tp_sink *out = tp_sink_memory();

	tp_render_json_inside(doc, &options, TP_HTML_JSON_BYTES, false, out);
	const char *json = tp_arena_copy(doc->arena, tp_sink_bytes(out)).ptr;

	tp_sink_close(out);
	return json;
}

static void
a_page_stays_small_and_says_what_it_lacks(void **state)
{
	struct tp_doc *doc = *state;
	struct tp_render_options all = {.all_rows = true};
	struct tp_sink *out = tp_sink_memory();
	struct tp_err err;

	for (int i = 0; i < 12; i++)
		add_long_table(doc, 20000);
	const char *page = page_of(doc, NULL, &err);

	assert_true(strlen(page) < 5000000);
	assert_int_equal(count_of(page, "<thead>"), 12);
	assert_int_equal(count_of(page, "rows are in report.json alone"), 12);
	assert_int_equal(
		count_of(json_in_page(doc, (struct tp_render_options){0}), "\"left_out\":19990"), 10);
	assert_int_equal(tp_render_html.render(doc, &all, out, &err), TP_OK);
	page = tp_arena_copy(doc->arena, tp_sink_bytes(out)).ptr;
	assert_null(strstr(page, "rows are in report.json alone"));
	assert_null(strstr(json_in_page(doc, all), "\"left_out\""));
	assert_non_null(strstr(page, "[0,\"\\u003c/script>\\\"19999\\\\\",\"1,999.9\"]]"));
	tp_sink_close(out);
}

static void
a_page_without_verdict_has_its_title_as_heading(void **state)
{
	struct tp_err err;
	const char *page = page_of(*state, NULL, &err);

	assert_non_null(strstr(page, "<h1>a &amp; b</h1>"));
}

static void
the_same_document_gives_the_same_bytes(void **state)
{
	struct tp_err err;

	add_long_table(*state, 20);
	assert_string_equal(page_of(*state, NULL, &err), page_of(*state, NULL, &err));
}

static void
a_broken_template_of_the_user_is_an_error(void **state)
{
	char directory[] = "html-XXXXXX", path[64];
	struct tp_err err;
	FILE *out;

	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof path, "%s/summary.html", directory);
	out = fopen(path, "w");
	fputs("<section>\n{childen}</section>", out);
	fclose(out);
	assert_null(page_of(*state, directory, &err));
	assert_text(tp_slice_of(err.input), path);
	assert_text(tp_slice_of(err.text), "line 2: there is nothing here called childen");
	unlink(path);
	rmdir(directory);
}

static void
a_script_that_would_end_itself_is_an_error(void **state)
{
	char directory[] = "html-XXXXXX", path[64];
	struct tp_err err;
	FILE *out;

	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof path, "%s/report.js", directory);
	out = fopen(path, "w");
	fputs("x = '</script>'", out);
	fclose(out);
	assert_null(page_of(*state, directory, &err));
	assert_int_equal(err.status, TP_ERR_FORMAT);
	unlink(path);
	rmdir(directory);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, doc_freed)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_short_table_has_nothing_folded),
		CASE(rows_beyond_the_shown_are_folded),
		CASE(of_choices_one_stands_open),
		CASE(a_long_page_opens_with_the_first_of_each_section),
		CASE(columns_of_nothing_but_dashes_are_left_out_and_said),
		CASE(deep_rows_of_a_tree_are_shut_and_counted),
		CASE(rows_beyond_500_are_data_that_cannot_end_the_script),
		CASE(data_for_the_script_shows_what_is_hidden),
		CASE(a_page_stays_small_and_says_what_it_lacks),
		CASE(a_page_without_verdict_has_its_title_as_heading),
		CASE(the_same_document_gives_the_same_bytes),
		CASE(a_broken_template_of_the_user_is_an_error),
		CASE(a_script_that_would_end_itself_is_an_error),
	};

	return RUN(tests);
}

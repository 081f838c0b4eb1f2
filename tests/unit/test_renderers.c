/* The list of renderers: found by name and by suffix, each with words for --list. */
#include "unit.h"

#include "render/renderer.h"

static void
renderer_is_found_by_its_name(void **state)
{
	(void)state;
	assert_ptr_equal(tp_renderer_named("json"), &tp_render_json);
	assert_null(tp_renderer_named("docx"));
	assert_null(tp_renderer_named(""));
}

static void
renderer_is_found_by_the_suffix_of_a_path(void **state)
{
	(void)state;
	assert_ptr_equal(tp_renderer_for_path("/tmp/a.b/report.html"), &tp_render_html);
	assert_ptr_equal(tp_renderer_for_path("report.pdf"), &tp_render_pdf);
	assert_ptr_equal(tp_renderer_for_path("REPORT.HTML"), &tp_render_html);
	assert_ptr_equal(tp_renderer_for_path("report.htm"), &tp_render_html);
	assert_ptr_equal(tp_renderer_for_path("report.end_to_end.json"), &tp_render_end_to_end);
	assert_ptr_equal(tp_renderer_for_path("report.txt"), &tp_render_text);
	assert_ptr_equal(tp_renderer_for_path("report.md"), &tp_render_markdown);
	assert_ptr_equal(tp_renderer_for_path("report.csv"), &tp_render_csv);
	assert_ptr_equal(tp_renderer_for_path("/tmp/report.csv//"), &tp_render_csv);
	assert_ptr_equal(tp_renderer_for_path("report.sqlite"), &tp_render_sqlite);
	assert_null(tp_renderer_for_path("report.html/"));
	assert_null(tp_renderer_for_path("report"));
	assert_null(tp_renderer_for_path("html"));
	assert_null(tp_renderer_for_path(".html"));
}

static void
names_and_suffixes_are_unique_and_said(void **state)
{
	(void)state;
	for (size_t i = 0; tp_renderers[i] != NULL; i++) {
		assert_ptr_equal(tp_renderer_named(tp_renderers[i]->name), tp_renderers[i]);
		assert_int_equal(tp_renderers[i]->suffix[0], '.');
		assert_int_not_equal(strlen(tp_renderers[i]->summary), 0);
		assert_int_equal(
			(tp_renderers[i]->render != NULL) + (tp_renderers[i]->render_folder != NULL), 1);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(renderer_is_found_by_its_name),
		cmocka_unit_test(renderer_is_found_by_the_suffix_of_a_path),
		cmocka_unit_test(names_and_suffixes_are_unique_and_said),
	};

	return RUN(tests);
}

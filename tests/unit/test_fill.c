/* Templates: slots are filled, conditions hold, and a broken template says where it is broken. */
#include "unit.h"

#include <stdlib.h>
#include <unistd.h>

#include "io/sink.h"
#include "template/fill.h"
#include "template/html_writer.h"

struct tp_html_page {
	char directory[64];
	struct tp_sink *sink;
	struct tp_html html;
	struct tp_templates *templates;
};

static int
set_up(void **state)
{
	static struct tp_html_page p;

	strcpy(p.directory, "fill-XXXXXX");
	if (mkdtemp(p.directory) == NULL)
		return -1;
	p.sink = tp_sink_memory();
	tp_html_init(&p.html, p.sink);
	p.templates = tp_templates_open(p.directory, &p.html, &p, NULL);
	*state = &p;
	return 0;
}

static void
path_of(const struct tp_html_page *p, const char *name, char buf[static 128])
{
	snprintf(buf, 128, "%s/%s", p->directory, name);
}

static int
tear_down(void **state)
{
	struct tp_html_page *p = *state;
	char path[128];

	tp_templates_close(p->templates);
	tp_sink_close(p->sink);
	path_of(p, "t.html", path);
	unlink(path);
	return rmdir(p->directory);
}

static struct tp_slice
name(struct tp_html_page *page, const void *thing)
{
	(void)page;
	return tp_slice_of(thing);
}

static struct tp_slice
nothing(struct tp_html_page *page, const void *thing)
{
	(void)page, (void)thing;
	return TP_S("");
}

static void
list(struct tp_html_page *page, const void *thing)
{
	tp_html_element(&page->html, "i", NULL, tp_slice_of(thing));
}

static const struct tp_slot slots[] = {
	{.name = "name", .text = name},
	{.name = "nothing", .text = nothing},
	{.name = "list", .write = list},
	{.name = NULL},
};

/* What the template gives for the thing "<x>". */
static struct tp_slice
filled(struct tp_html_page *p, const char *template)
{
	char path[128];
	FILE *out;

	path_of(p, "t.html", path);
	out = fopen(path, "w");
	assert_non_null(out);
	fputs(template, out);
	fclose(out);
	tp_fill(p->templates, "t.html", slots, "<x>");
	return tp_sink_bytes(p->sink);
}

static void
slots_are_filled_in_text_and_attributes(void **state)
{
	assert_text(filled(*state, "<p id=\"a/{name}\">{name}: {list}</p>"),
		"<p id=\"a/&lt;x&gt;\">&lt;x&gt;: <i>&lt;x&gt;</i></p>");
}

static void
an_attribute_of_an_empty_slot_is_left_out(void **state)
{
	assert_text(filled(*state, "<p open=\"{nothing}\" hidden=\"\" class=\"a {nothing}\"/>"),
		"<p hidden=\"\" class=\"a \"></p>");
}

static void
an_element_with_nothing_to_say_is_left_out(void **state)
{
	assert_text(filled(*state, "<div><p if=\"nothing\">x</p><p if=\"name\">y</p></div>"),
		"<div><p>y</p></div>");
}

static void
indentation_is_dropped_and_spaces_are_kept(void **state)
{
	assert_text(filled(*state, "<p>\n\t<b>a</b> <b>b</b>\n</p>"), "<p><b>a</b> <b>b</b></p>");
}

static void
a_brace_that_names_no_slot_is_text(void **state)
{
	assert_text(filled(*state, "<p>{ } {A} {</p>"), "<p>{ } {A} {</p>");
}

static void
assert_fails(struct tp_html_page *p, const char *template, const char *why)
{
	struct tp_err err = {.status = TP_OK};

	filled(p, template);
	assert_int_equal(tp_templates_status(p->templates, &err), TP_ERR_FORMAT);
	assert_true(tp_slice_ends(tp_slice_of(err.input), TP_S("/t.html")));
	assert_text(tp_slice_of(err.text), why);
}

static void
an_unknown_slot_is_named_with_its_line(void **state)
{
	assert_fails(*state, "<div>\n<p>{name}</p>\n<p>{nme}</p></div>",
		"line 3: there is nothing here called nme");
}

static void
a_broken_template_is_named_with_its_line(void **state)
{
	struct tp_html_page *p = *state;
	struct tp_err err = {.status = TP_OK};

	filled(p, "<div>\n<p>\n</div>");
	assert_int_equal(tp_templates_status(p->templates, &err), TP_ERR_FORMAT);
	assert_true(tp_slice_starts(tp_slice_of(err.text), TP_S("line 3: ")));
}

static void
an_empty_template_is_an_error(void **state)
{
	struct tp_html_page *p = *state;

	filled(p, "");
	assert_int_equal(tp_templates_status(p->templates, NULL), TP_ERR_FORMAT);
}

static void
files_that_the_directory_lacks_come_from_the_binary(void **state)
{
	struct tp_html_page *p = *state;

	assert_true(tp_templates_file(p->templates, "report.css").len > 0);
	assert_int_equal(tp_templates_file(p->templates, "no-such.css").len, 0);
	assert_int_equal(tp_templates_status(p->templates, NULL), TP_ERR_USAGE);
}

static void
a_template_shows_the_slots_that_it_names(void **state)
{
	struct tp_html_page *p = *state;

	filled(p, "<div><p if=\"nothing\" id=\"{name}\">{list}</p></div>");
	assert_true(tp_templates_show(p->templates, "t.html", "name"));
	assert_true(tp_templates_show(p->templates, "t.html", "list"));
	assert_false(tp_templates_show(p->templates, "t.html", "nothing"));
	assert_false(tp_templates_show(p->templates, "t.html", "lis"));
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(slots_are_filled_in_text_and_attributes),
		CASE(an_attribute_of_an_empty_slot_is_left_out),
		CASE(an_element_with_nothing_to_say_is_left_out),
		CASE(indentation_is_dropped_and_spaces_are_kept),
		CASE(a_brace_that_names_no_slot_is_text),
		CASE(an_unknown_slot_is_named_with_its_line),
		CASE(a_broken_template_is_named_with_its_line),
		CASE(an_empty_template_is_an_error),
		CASE(a_template_shows_the_slots_that_it_names),
		CASE(files_that_the_directory_lacks_come_from_the_binary),
	};

	return RUN(tests);
}

/* The PDF renderer at its edges: documents that are empty, too wide, too long or in scripts that no embedded font has; and
 * the update behind cairo's bytes when these are not as expected. What a page says is read back in tests/pdf. */
#include "unit.h"

#include <errno.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/arena.h"
#include "fixture.h"
#include "io/sink.h"
#include "render/pdf_font.h"
#include "render/pdf_update.h"
#include "render/renderer.h"
#include "report/doc.h"

static int
set_up(void **state)
{
	struct tp_doc *doc = tp_doc_new(tp_arena_new());

	doc->title = TP_S("edge");
	doc->version = TP_S("0");
	tp_doc_section(doc, NULL, TP_SECTION_SUMMARY, "summary", "Summary");
	*state = doc;
	return 0;
}

/* The size of the PDF of a sound document. */
static size_t
render(struct tp_doc *doc, struct tp_render_options options)
{
	struct tp_err err = {.text = ""};
	struct tp_sink *out = tp_sink_memory();

	if (tp_doc_check(doc, &err) != TP_OK || tp_render_pdf.render(doc, &options, out, &err) != TP_OK)
		fail_msg("%s", err.text);
	struct tp_slice bytes = tp_sink_bytes(out);
	size_t size = bytes.len;

	assert_true(tp_slice_starts(bytes, TP_S("%PDF-1.4\n")));
	assert_true(tp_slice_ends(bytes, TP_S("%%EOF\n")));
	tp_sink_close(out);
	return size;
}

static void
empty_document_has_a_page(void **state)
{
	render(*state, (struct tp_render_options){0});
}

static void
summary_that_is_too_long_goes_on(void **state)
{
	struct tp_doc *doc = *state;

	for (int i = 0; i < 90; i++)
		tp_doc_paragraph(doc, doc->first, TP_PARAGRAPH_BODY,
			tp_arena_printf(doc->arena, "summary/%d", i).ptr, TP_SAY0(doc, "Once more."));
	render(doc, (struct tp_render_options){.letter = true});
}

static struct tp_table *
add_table(struct tp_doc *doc, size_t columns, size_t rows)
{
	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "wide", "Wide");
	struct tp_table *t = &tp_doc_add(doc, section, TP_BLOCK_TABLE, TP_S("wide/table"))->table;
	struct tp_column *heads = tp_new_array(doc->arena, struct tp_column, columns);
	struct tp_row *lines = tp_new_array(doc->arena, struct tp_row, rows);

	for (size_t c = 0; c < columns; c++)
		heads[c] = (struct tp_column){
			.key = tp_arena_printf(doc->arena, "c%zu_ms", c),
			.title = tp_arena_printf(doc->arena, "Column number %zu", c),
			.unit = c == 0 ? TP_UNIT_NONE : TP_UNIT_MS,
			.decimals = 2,
			.code = c == 0,
		};
	for (size_t r = 0; r < rows; r++) {
		struct tp_cell *cells = tp_new_array(doc->arena, struct tp_cell, columns);

		cells[0].value = tp_text_value(
			tp_arena_printf(doc->arena, "jit(train)/layer_%zu/attention/query_key_value/dot", r));
		for (size_t c = 1; c < columns; c++)
			cells[c].value = r % 7 == 3 ? tp_missing(TP_S("not measured"))
										: tp_number((double)(r * c) * 1000, TP_UNIT_MS);
		lines[r] =
			(struct tp_row){.id = tp_arena_printf(doc->arena, "wide/table/%zu", r), .cells = cells};
	}
	*t = (struct tp_table){.caption = TP_S("A table"),
		.columns = heads,
		.column_count = columns,
		.rows = lines,
		.row_count = rows,
		.shown = 10};
	return t;
}

static void
wide_table_drops_columns_not_sense(void **state)
{
	add_table(*state, 40, 12);
	render(*state, (struct tp_render_options){0});
}

static void
table_without_rows_is_a_head(void **state)
{
	add_table(*state, 3, 0);
	render(*state, (struct tp_render_options){0});
}

static void
all_rows_are_printed_when_asked_for(void **state)
{
	struct tp_doc *doc = *state;

	add_table(doc, 5, 600);
	size_t top = render(doc, (struct tp_render_options){0});
	size_t all = render(doc, (struct tp_render_options){.all_rows = true});

	assert_true(all > top + 600 * 100);
}

static void
every_script_is_survived(void **state)
{
	struct tp_doc *doc = *state;
	struct tp_value names[] = {
		tp_text_value(TP_S("融合 연산 \U0001f600 עברית العربية ไทย")),
		tp_text_value(TP_S("e\u0301\u0301\u0301\u0301 \u200b\u202e\u2066 \ufeff")),
		tp_text_value(TP_S("\x01\x02\n\r\t")),
		tp_text_value(TP_S("\ufdd0\ufffe\uffff\U0001fffe\U0010ffff\xc2\x85")),
	};

	tp_doc_paragraph(doc, doc->first, TP_PARAGRAPH_BODY, "summary/names",
		tp_doc_say(doc, "{} · {} · `{}` · {}", names, 4));
	doc->title = names[0].text;
	render(doc, (struct tp_render_options){0});
}

static void
long_ids_and_hostile_titles_are_bookmarks(void **state)
{
	struct tp_doc *doc = *state;
	char id[600];

	memset(id, 'x', sizeof id - 1);
	id[sizeof id - 1] = '\0';
	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, id, "') >> endobj \\ 融");

	tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "p",
		tp_doc_say(doc, tp_arena_printf(doc->arena, "[text](#%s)", id).ptr, NULL, 0));
	render(doc, (struct tp_render_options){0});
}

/* Cairo takes no noncharacter, in whatever it is given. */
static void
noncharacters_in_titles_are_replaced(void **state)
{
	struct tp_doc *doc = *state;
	struct tp_slice odd = TP_S("job \ufffe \U0002ffff");

	doc->title = doc->description = doc->name = doc->run = odd;
	tp_doc_section(doc, NULL, TP_SECTION_MAIN, "odd", odd.ptr);
	render(doc, (struct tp_render_options){0});
}

static void
a_lack_of_files_is_said_as_such(void **state)
{
	struct rlimit before;
	int next = dup(STDIN_FILENO);
	struct tp_err err = {.text = ""};

	(void)state;
	close(next);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	for (int more = 0; more < 3; more++) {
		struct rlimit few = {.rlim_cur = (rlim_t)(next + more), .rlim_max = before.rlim_max};

		assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
		assert_null(tp_pdf_fonts_open(&err));
		assert_non_null(strstr(err.text, strerror(EMFILE)));
	}
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

static void
update_refuses_what_cairo_did_not_write(void **state)
{
	struct tp_arena *arena = tp_arena_new();
	const struct tp_pdf_extra extra = {.attachment = TP_S("{}")};
	const char *const files[] = {"", "%PDF-1.5\n", "startxref\n", "startxref\n99999999\n%%EOF\n",
		"/Size 3 /Root 1 0 R /Info 2 0 R startxref\n0\n%%EOF\n",
		("xref\n0 3\n0000000000 65535 f \n0000000000 00000 n \n0000000000 00000 n \n"
		 "trailer\n<< /Size 3 /Root 1 0 R /Info 2 0 R >>\nstartxref\n0\n%%EOF\n"),
		"xref\n0 999999999\n/Size 999999999 /Root 1 /Info 1 startxref\n0\n"};

	(void)state;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		struct tp_sink *out = tp_sink_memory();
		struct tp_err err;

		assert_int_equal(
			tp_pdf_update(tp_slice_of(files[i]), &extra, arena, out, &err), TP_ERR_FORMAT);
		assert_int_equal(tp_sink_bytes(out).len, 0);
		tp_sink_close(out);
	}
	tp_arena_free(arena);
}

#define EDGE(test) cmocka_unit_test_setup_teardown(test, set_up, doc_freed)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		EDGE(empty_document_has_a_page),
		EDGE(summary_that_is_too_long_goes_on),
		EDGE(wide_table_drops_columns_not_sense),
		EDGE(table_without_rows_is_a_head),
		EDGE(all_rows_are_printed_when_asked_for),
		EDGE(every_script_is_survived),
		EDGE(long_ids_and_hostile_titles_are_bookmarks),
		EDGE(noncharacters_in_titles_are_replaced),
		cmocka_unit_test(a_lack_of_files_is_said_as_such),
		cmocka_unit_test(update_refuses_what_cairo_did_not_write),
	};

	return RUN(tests);
}

/* The HTML page: one file that asks for nothing, readable without its script, with the JSON report inside. */
#include "render/html.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/pool.h"
#include "base/sha256.h"
#include "codec/base64.h"
#include "io/sink.h"
#include "render/html_fold.h"
#include "render/pack.h"
#include "render/renderer.h"
#include "report/timeline.h"

/* What page.html is filled with besides what the document's blocks write. */
struct page_view {
	struct tp_slice title, description, version; /* of the document */
	struct tp_slice policy, file_name, style, css_file, script;
};

static void
write_report(struct tp_sink *out, const void *thing)
{
	const struct tp_html_page *page = thing;

	tp_render_json_inside(page->doc, page->options, TP_HTML_JSON_BYTES, false, out);
}

/* The JSON report, packed, which is written beside the rest of the page. */
struct tp_html_inside {
	struct tp_task task;
	const struct tp_html_page *page;
	struct tp_sink *text;
};

static void
pack_report(void *with)
{
	struct tp_html_inside *inside = with;

	tp_pack(inside->text, inside->page->options->pool, write_report, inside->page);
}

static void
report_json(struct tp_html_page *page, const void *thing)
{
	(void)thing;
	tp_pool_wait(page->options->pool, &page->inside->task);
	tp_sink_put(tp_html_raw(&page->out), tp_sink_bytes(page->inside->text));
}

static void
sections(struct tp_html_page *page, const void *thing)
{
	(void)thing;
	tp_html_blocks(page, page->doc->first);
}

/* Without a verdict the page still needs its heading. */
static bool
has_no_verdict(struct tp_html_page *page, const void *thing)
{
	(void)thing;
	return tp_doc_verdict(page->doc) == NULL;
}

static const struct tp_slot page_slots[] = {
	{.name = "title", TP_SLOT_TEXT(page_view, title)},
	{.name = "description", TP_SLOT_TEXT(page_view, description)},
	{.name = "version", TP_SLOT_TEXT(page_view, version)},
	{.name = "policy", TP_SLOT_TEXT(page_view, policy)},
	{.name = "file-name", TP_SLOT_TEXT(page_view, file_name)},
	{.name = "style", TP_SLOT_TEXT(page_view, style)},
	{.name = "css-file", TP_SLOT_TEXT(page_view, css_file)},
	{.name = "script", TP_SLOT_TEXT(page_view, script)},
	{.name = "report-json", .write = report_json},
	{.name = "header", .write = tp_html_header},
	{.name = "rail", .write = tp_html_rail},
	{.name = "choose", .write = tp_html_choose},
	{.name = "no-verdict", TP_SLOT_TEXT(page_view, title), .has = has_no_verdict},
	{.name = "sections", .write = sections},
	{.name = NULL},
};

static void
check_inside(struct tp_slice file, const char *name, struct tp_err *err)
{
	if (tp_slice_has(file, TP_S("</")) || tp_slice_has(file, TP_S("<!")))
		tp_fail_at(err, TP_ERR_FORMAT, name, TP_NO_OFFSET,
			"holds \"</\" or \"<!\", which cannot stand within a page; write \"<\\/\"");
}

/* Whether the page holds a timeline that a script draws. */
static bool
has_timeline(const struct tp_doc *doc)
{
	for (struct tp_walk w = tp_walk_of(doc); tp_walk_next(&w);) {
		if (w.block->kind == TP_BLOCK_CHART && w.block->chart.kind == TP_CHART_TIMELINE &&
			w.block->chart.timeline->group_count != 0)
			return true;
	}
	return false;
}

static bool
has_views(const struct tp_doc *doc)
{
	for (struct tp_walk w = tp_walk_of(doc); tp_walk_next(&w);) {
		if (w.block->kind == TP_BLOCK_SECTION && w.block->section.role == TP_SECTION_VIEW)
			return true;
	}
	return false;
}

/* Adds files of the templates to a text. */
static void
add_files(struct tp_html_page *page, struct tp_buf *text, const char *const *names, size_t count,
	struct tp_err *err)
{
	for (size_t i = 0; i < count; i++) {
		struct tp_slice one = tp_templates_file(page->templates, names[i]);

		check_inside(one, names[i], err);
		if (one.len != 0)
			memcpy(tp_buf_extend(text, one.len, 1), one.ptr, one.len);
	}
}

#define ADD_FILES(page, text, names, err)                                                          \
	add_files(page, text, names, sizeof names / sizeof *names, err)

static struct tp_slice
text_of(struct tp_html_page *page, struct tp_buf *text)
{
	size_t length = text->count;

	return (struct tp_slice){tp_buf_settle(text, 1, page->scratch), length};
}

/* The scripts are one on the page, in this order; those of timelines only where there is one. */
static struct tp_slice
script_of(struct tp_html_page *page, struct tp_err *err)
{
	static const char *const usual[] = {"base.js", "number.js", "tables.js", "charts.js",
		"redraw.js", "steps.js", "classes.js", "maps.js", "channels.js", "flame.js", "tops.js",
		"list.js", "memory.js", "range.js", "search.js"};
	static const char *const timeline[] = {"timeline_data.js", "timeline_tiles.js",
		"timeline_pieces.js", "timeline_rows.js", "timeline_look.js", "timeline_paint.js",
		"timeline_view.js", "timeline_axis.js", "timeline_pick.js", "timeline_sums.js",
		"timeline_flows.js", "timeline_input.js", "timeline_pane.js", "timeline_search.js",
		"timeline_links.js", "timeline_words.js", "timeline.js"};
	static const char *const last[] = {"report.js"};
	struct tp_buf text = {0};

	ADD_FILES(page, &text, usual, err);
	if (has_timeline(page->doc))
		ADD_FILES(page, &text, timeline, err);
	ADD_FILES(page, &text, last, err);
	return text_of(page, &text);
}

/* What the page holds of it: packed, with the script that unpacks it. */
static struct tp_slice
packed_script(struct tp_html_page *page, struct tp_slice code, struct tp_err *err)
{
	static const char name[] = "unpack.js";
	struct tp_slice unpack = tp_templates_file(page->templates, name);

	check_inside(unpack, name, err);
	return tp_arena_printf(page->scratch, "%.*srunPacked(\"%.*s\");\n", TP_ARG(unpack),
		TP_ARG(tp_pack_bytes(code, page->scratch)));
}

/* The style sheet; the rules of views only where there are some. */
static struct tp_slice
style_of(struct tp_html_page *page, struct tp_err *err)
{
	static const char *const usual[] = {"report.css"}, *const views[] = {"views.css"};

	struct tp_buf text = {0};

	ADD_FILES(page, &text, usual, err);
	if (has_views(page->doc))
		ADD_FILES(page, &text, views, err);
	return text_of(page, &text);
}

/* "'sha256-…'", as a Content-Security-Policy names a style or script that the page holds itself. */
static struct tp_slice
hash_of(struct tp_html_page *page, struct tp_slice file)
{
	unsigned char digest[TP_SHA256_SIZE];
	char text[TP_BASE64_SIZE(TP_SHA256_SIZE)];
	struct tp_sha256 hash;

	tp_sha256_init(&hash);
	tp_sha256_add(&hash, file.ptr, file.len);
	tp_sha256_finish(&hash, digest);
	return tp_arena_printf(
		page->scratch, "'sha256-%.*s'", (int)tp_base64_encode(digest, sizeof digest, text), text);
}

static enum tp_status
set_policy(struct tp_html_page *page, struct page_view *view, struct tp_err *err)
{
	struct tp_err why = {.status = TP_OK};

	view->style = style_of(page, &why);
	struct tp_slice code = script_of(page, &why);

	view->script = packed_script(page, code, &why);
	struct tp_slice style_hash = hash_of(page, view->style);
	struct tp_slice script_hash = hash_of(page, view->script), code_hash = hash_of(page, code);

	view->policy = tp_arena_printf(page->scratch,
		"default-src 'none'; style-src %.*s%s; script-src %.*s %.*s; img-src data:; base-uri 'none'; "
		"form-action 'none'",
		TP_ARG(style_hash), page->options->css_file.len > 0 ? " 'self'" : "", TP_ARG(script_hash),
		TP_ARG(code_hash));
	if (why.status != TP_OK && err != NULL)
		*err = why;
	return why.status;
}

static enum tp_status
write_page(struct tp_html_page *page, struct tp_sink *out, struct tp_err *err)
{
	const struct tp_doc *doc = page->doc;
	struct page_view view = {
		.title = doc->title,
		.description = doc->description,
		.version = doc->version,
		.file_name = tp_arena_printf(page->scratch, "%.*s.json", TP_ARG(doc->name)),
		.css_file = page->options->css_file,
	};
	enum tp_status status = set_policy(page, &view, err);

	if (status != TP_OK)
		return status;
	struct tp_html_inside inside = {{.run = pack_report, .with = &inside}, page, tp_sink_memory()};

	page->inside = &inside;
	tp_pool_start(page->options->pool, &inside.task);
	tp_html_start(&page->out, out);
	tp_fill(page->templates, "page.html", page_slots, &view);
	tp_html_newline(&page->out);
	/* A template may lack the place for the report. */
	tp_pool_wait(page->options->pool, &inside.task);
	tp_sink_close(inside.text);
	return tp_templates_status(page->templates, err);
}

static enum tp_status
render(const struct tp_doc *doc, const struct tp_render_options *options, struct tp_sink *out,
	struct tp_err *err)
{
	struct tp_arena *scratch = tp_arena_new();
	struct tp_html_page *page = tp_new(scratch, struct tp_html_page);
	enum tp_status status;

	page->doc = doc;
	page->options = options;
	page->scratch = scratch;
	page->folded = tp_html_folded(doc, &page->paper, scratch);
	page->large = tp_html_is_large(doc);
	page->templates = tp_templates_open(options->template_dir, &page->out, page, tp_html_say);
	status = write_page(page, out, err);
	tp_templates_close(page->templates);
	tp_arena_free(scratch);
	return status;
}

const struct tp_renderer tp_render_html = {
	.name = "html",
	.suffix = ".html",
	.other_suffix = ".htm",
	.summary =
		"one page for readers: text, tables and charts, no network, readable without scripts",
	.render = render,
};

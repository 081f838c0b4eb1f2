/* The HTML page: one file that asks for nothing, readable without its script, with the JSON report inside. */
#include "render/html.h"

#include "base/arena.h"
#include "base/asset.h"
#include "base/buf.h"
#include "base/pool.h"
#include "io/sink.h"
#include "render/html_fold.h"
#include "render/pack.h"
#include "render/page_files.h"
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

	tp_pack_well(inside->text, inside->page->options->pool, write_report, inside->page);
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

/* A class of a page that takes more sheets than a PDF would: what it prints is set closer. */
static struct tp_slice
close_set(struct tp_html_page *page, const void *thing)
{
	(void)thing;
	return !page->options->all_rows && page->paper >= TP_PAPER_FEW_ROWS ? TP_S("close") : TP_S("");
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
	{.name = "close", .text = close_set},
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

/* Files of the templates one behind the other, the extra ones only where they are wanted. */
static struct tp_slice
text_of(struct tp_html_page *page, const struct tp_page_file *files, bool extra, struct tp_err *err)
{
	struct tp_buf text = {0};

	for (; files->name != NULL; files++) {
		if (files->extra && !extra)
			continue;
		struct tp_slice one = tp_templates_file(page->templates, files->name);

		check_inside(one, files->name, err);
		if (one.len != 0)
			memcpy(tp_buf_extend(&text, one.len, 1), one.ptr, one.len);
	}
	size_t length = text.count;

	return (struct tp_slice){tp_buf_settle(&text, 1, page->scratch), length};
}

static bool
is_own(const struct tp_html_page *page, const char *name)
{
	return tp_templates_file(page->templates, name).ptr == (const char *)tp_asset_find(name)->data;
}

/* Whether none of the files was replaced by one of the user's. */
static bool
are_own(const struct tp_html_page *page, const struct tp_page_file *files)
{
	for (; files->name != NULL; files++) {
		if (!is_own(page, files->name))
			return false;
	}
	return true;
}

static const char *
hash_of(struct tp_html_page *page, struct tp_slice file)
{
	char *hash = tp_arena_alloc(page->scratch, TP_PAGE_HASH_SIZE);

	tp_page_hash(file.ptr, file.len, hash);
	return hash;
}

/* What the page holds of the scripts: packed, with the script that unpacks them. The program's own are packed already. */
static struct tp_built_page
script_of(struct tp_html_page *page, bool timeline, struct tp_err *err)
{
	if (are_own(page, tp_page_scripts) && is_own(page, TP_PAGE_UNPACK))
		return tp_built_pages[timeline];
	struct tp_slice code = text_of(page, tp_page_scripts, timeline, err);
	struct tp_slice unpack = tp_templates_file(page->templates, TP_PAGE_UNPACK);

	check_inside(unpack, TP_PAGE_UNPACK, err);
	struct tp_slice script = tp_arena_printf(
		page->scratch, TP_PAGE_RUN, TP_ARG(unpack), TP_ARG(tp_pack_part(code, page->scratch)));

	return (struct tp_built_page){.script = script.ptr,
		.script_bytes = script.len,
		.script_hash = hash_of(page, script),
		.code_hash = hash_of(page, code)};
}

static enum tp_status
set_policy(struct tp_html_page *page, struct page_view *view, struct tp_err *err)
{
	struct tp_err why = {.status = TP_OK};
	bool views = has_views(page->doc);
	struct tp_built_page scripts = script_of(page, has_timeline(page->doc), &why);

	view->style = text_of(page, tp_page_styles, views, &why);
	view->script = (struct tp_slice){scripts.script, scripts.script_bytes};
	view->policy = tp_arena_printf(page->scratch,
		"default-src 'none'; style-src %s%s; script-src %s %s; img-src data:; base-uri 'none'; "
		"form-action 'none'",
		are_own(page, tp_page_styles) ? tp_built_pages[views].style_hash
									  : hash_of(page, view->style),
		page->options->css_file.len > 0 ? " 'self'" : "", scripts.script_hash, scripts.code_hash);
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

/* The HTML page: one file that asks for nothing, readable without its script, with the JSON report inside. */
#include "render/html.h"

#include "base/arena.h"
#include "base/sha256.h"
#include "codec/base64.h"
#include "io/sink.h"
#include "render/renderer.h"
#include "report/walk.h"

static struct tp_html_page *
page_of(void *page)
{
	return page;
}

static struct tp_slice
title(void *page, const void *thing)
{
	(void)thing;
	return page_of(page)->doc->title;
}

static struct tp_slice
description(void *page, const void *thing)
{
	(void)thing;
	return page_of(page)->doc->description;
}

static struct tp_slice
version(void *page, const void *thing)
{
	(void)thing;
	return page_of(page)->doc->version;
}

static struct tp_slice
policy(void *page, const void *thing)
{
	(void)thing;
	return page_of(page)->policy;
}

static struct tp_slice
file_name(void *page, const void *thing)
{
	struct tp_html_page *p = page;

	(void)thing;
	return tp_arena_printf(p->scratch, "%.*s.json", TP_ARG(p->doc->name));
}

static struct tp_slice
style(void *page, const void *thing)
{
	(void)thing;
	return tp_templates_file(page_of(page)->templates, "report.css");
}

static struct tp_slice
script(void *page, const void *thing)
{
	(void)thing;
	return tp_templates_file(page_of(page)->templates, "report.js");
}

static void
report_json(void *page, const void *thing)
{
	const struct tp_html_page *p = page_of(page);

	(void)thing;
	tp_render_json_inside(
		p->doc, p->options, TP_HTML_JSON_BYTES, tp_html_json_sink(&page_of(page)->out));
}

static void
sections(void *page, const void *thing)
{
	(void)thing;
	tp_html_blocks(page, page_of(page)->doc->first);
}

/* Without a verdict the page still needs its heading. */
static bool
has_no_verdict(void *page, const void *thing)
{
	struct tp_walk walk;

	(void)thing;
	tp_walk_start(&walk, page_of(page)->doc);
	while (tp_walk_next(&walk))
		if (walk.block->kind == TP_BLOCK_VERDICT)
			return false;
	return true;
}

/* An entry of the rail, and of the contents on paper. */

static struct tp_slice
entry_href(void *page, const void *thing)
{
	return tp_arena_printf(
		page_of(page)->scratch, "#%.*s", TP_ARG(((const struct tp_block *)thing)->id));
}

static struct tp_slice
entry_title(void *page, const void *thing)
{
	(void)page;
	return ((const struct tp_block *)thing)->section.title;
}

static void
entry_key(void *page, const void *thing)
{
	tp_html_value(page, ((const struct tp_block *)thing)->section.key_figure);
}

static bool
entry_has_key(void *page, const void *thing)
{
	const struct tp_section *section = &((const struct tp_block *)thing)->section;

	(void)page;
	return section->role != TP_SECTION_SUMMARY &&
		(tp_known(section->key_figure) || section->key_figure.text.len > 0);
}

/* Coloured only where a finding points. */
static struct tp_slice
entry_class(void *page, const void *thing)
{
	enum tp_judge judge = ((const struct tp_block *)thing)->section.judge;

	(void)page;
	if (judge != TP_JUDGE_BAD && judge != TP_JUDGE_WARN)
		return TP_S("");
	return tp_slice_of(tp_html_judge_class(judge));
}

/* Set on the first entry; the script moves it. */
static struct tp_slice
entry_current(void *page, const void *thing)
{
	return thing == page_of(page)->doc->first ? TP_S("true") : TP_S("");
}

static struct tp_slice
entry_place(void *page, const void *thing)
{
	(void)page;
	return ((const struct tp_block *)thing)->section.role == TP_SECTION_MINOR ? TP_S("minor")
																			  : TP_S("");
}

static const struct tp_slot entry_slots[] = {
	{.name = "href", .text = entry_href},
	{.name = "title", .text = entry_title},
	{.name = "key", .write = entry_key, .has = entry_has_key},
	{.name = "class", .text = entry_class},
	{.name = "current", .text = entry_current},
	{.name = "place", .text = entry_place},
	{.name = NULL},
};

static void
rail(void *page, const void *thing)
{
	(void)thing;
	for (const struct tp_block *b = page_of(page)->doc->first; b != NULL; b = b->next)
		tp_fill(page_of(page)->templates, "rail-entry.html", entry_slots, b);
}

static void
contents(void *page, const void *thing)
{
	(void)thing;
	for (const struct tp_block *b = page_of(page)->doc->first; b != NULL; b = b->next)
		if (b->section.role != TP_SECTION_SUMMARY)
			tp_fill(page_of(page)->templates, "contents-entry.html", entry_slots, b);
}

/* The chooser: links to what can be shown instead of all. */

enum { MOST_OPEN_CHOICES = 12 };

static const struct tp_slot choice_slots[] = {
	{.name = "href", .text = entry_href},
	{.name = "title", .text = entry_title},
	{.name = NULL},
};

/* Writes a link to each view when write is set; returns how many there are. */
static size_t
choices_of(struct tp_html_page *page, bool write)
{
	struct tp_walk walk;
	size_t count = 0;

	tp_walk_start(&walk, page->doc);
	while (tp_walk_next(&walk)) {
		if (walk.event != TP_WALK_ENTER || walk.block->kind != TP_BLOCK_SECTION ||
			walk.block->section.role != TP_SECTION_VIEW)
			continue;
		count++;
		if (write)
			tp_fill(page->templates, "choice.html", choice_slots, walk.block);
	}
	return count;
}

static void
choices(void *page, const void *thing)
{
	(void)thing;
	choices_of(page, true);
}

static const struct tp_slot choose_slots[] = {
	{.name = "choices", .write = choices},
	{.name = NULL},
};

static void
choose(void *page, const void *thing)
{
	size_t count = choices_of(page, false);

	if (count != 0)
		tp_fill(page_of(page)->templates,
			count <= MOST_OPEN_CHOICES ? "choose.html" : "choose-many.html", choose_slots, thing);
}

static const struct tp_slot page_slots[] = {
	{.name = "title", .text = title},
	{.name = "description", .text = description},
	{.name = "version", .text = version},
	{.name = "policy", .text = policy},
	{.name = "file-name", .text = file_name},
	{.name = "style", .text = style},
	{.name = "script", .text = script},
	{.name = "report-json", .write = report_json},
	{.name = "rail", .write = rail},
	{.name = "choose", .write = choose},
	{.name = "no-verdict", .text = title, .has = has_no_verdict},
	{.name = "sections", .write = sections},
	{.name = NULL},
};

static const struct tp_slot contents_slots[] = {
	{.name = "version", .text = version},
	{.name = "entries", .write = contents},
	{.name = NULL},
};

void
tp_html_contents(struct tp_html_page *page)
{
	tp_fill(page->templates, "contents.html", contents_slots, page->doc);
}

/* "'sha256-…'", as a Content-Security-Policy names a style or script that the page holds itself. */
static struct tp_slice
hash_of(struct tp_html_page *page, const char *name, struct tp_err *err)
{
	struct tp_slice file = tp_templates_file(page->templates, name);
	unsigned char digest[TP_SHA256_SIZE];
	char text[TP_BASE64_SIZE(TP_SHA256_SIZE)];
	struct tp_sha256 hash;

	if (tp_slice_has(file, TP_S("</")) || tp_slice_has(file, TP_S("<!")))
		tp_fail_at(err, TP_ERR_FORMAT, name, TP_NO_OFFSET,
			"holds \"</\" or \"<!\", which cannot stand within a page; write \"<\\/\"");
	tp_sha256_init(&hash);
	tp_sha256_add(&hash, file.ptr, file.len);
	tp_sha256_finish(&hash, digest);
	return tp_arena_printf(
		page->scratch, "'sha256-%.*s'", (int)tp_base64_encode(digest, sizeof digest, text), text);
}

static enum tp_status
set_policy(struct tp_html_page *page, struct tp_err *err)
{
	struct tp_err why = {.status = TP_OK};
	struct tp_slice style_hash = hash_of(page, "report.css", &why);
	struct tp_slice script_hash = hash_of(page, "report.js", &why);

	page->policy = tp_arena_printf(page->scratch,
		"default-src 'none'; style-src %.*s; script-src %.*s; img-src data:; base-uri 'none'; "
		"form-action 'none'",
		TP_ARG(style_hash), TP_ARG(script_hash));
	if (why.status != TP_OK && err != NULL)
		*err = why;
	return why.status;
}

static enum tp_status
write_page(struct tp_html_page *page, struct tp_sink *out, struct tp_err *err)
{
	enum tp_status status = set_policy(page, err);

	if (status != TP_OK)
		return status;
	tp_html_start(&page->out, out);
	tp_fill(page->templates, "page.html", page_slots, page->doc);
	tp_html_newline(&page->out);
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
	page->templates = tp_templates_open(options->template_dir, &page->out, page);
	status = write_page(page, out, err);
	tp_templates_close(page->templates);
	tp_arena_free(scratch);
	return status;
}

const struct tp_renderer tp_render_html = {
	.name = "html",
	.suffix = ".html",
	.other_suffix = ".htm",
	.summary = "one page for people: text, tables and charts, no network, readable without scripts",
	.render = render,
};

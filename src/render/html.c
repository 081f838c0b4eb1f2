/* The HTML page: one file that asks for nothing, readable without its script, with the JSON report inside. */
#include "render/html.h"

#include "base/arena.h"
#include "base/sha256.h"
#include "codec/base64.h"
#include "render/html_fold.h"
#include "render/pack.h"
#include "render/renderer.h"
#include "report/paper.h"

static const struct tp_section *
section_of(const void *thing)
{
	return &((const struct tp_block *)thing)->section;
}

/* Sections. */

/* How many headings stand above that of the section: the summary has none of its own, and a fold a line to open it. */
static unsigned
headings_above(const struct tp_html_page *page)
{
	unsigned count = 0;

	/* The section itself is the last of these. */
	for (unsigned i = 0; i + 1 < page->depth; i++) {
		enum tp_section_role role = page->parents[i]->section.role;

		count += role != TP_SECTION_SUMMARY && role != TP_SECTION_FOLD;
	}
	return count;
}

/* h2 for sections and the parts of the summary, h3 and on for what is within. */
static void
heading(struct tp_html_page *page, const void *thing)
{
	static const char *const names[] = {"h2", "h3", "h4", "h5", "h6"};
	const struct tp_section *section = section_of(thing);
	unsigned level = headings_above(page);

	tp_html_open(&page->out, names[level < 4 ? level : 4]);
	if (section->judge != TP_JUDGE_NONE && section->role == TP_SECTION_SUB) {
		tp_html_glyph(page, section->judge, tp_judge_word(section->judge));
		tp_html_text(&page->out, TP_S(" "));
	}
	tp_html_text(&page->out, section->title);
	tp_html_close(&page->out);
}

static bool
has_answer(struct tp_html_page *page, const void *thing)
{
	(void)page;
	return section_of(thing)->answer.count + section_of(thing)->so_what.count > 0;
}

static void
glyph(struct tp_html_page *page, const void *thing)
{
	enum tp_judge judge = section_of(thing)->judge;

	tp_html_glyph(page, judge, tp_judge_word(judge));
	if (judge != TP_JUDGE_NONE)
		tp_html_text(&page->out, TP_S(" "));
}

/* What is undecided stands open: somebody has to look at it. */
static struct tp_slice
open(struct tp_html_page *page, const void *thing)
{
	(void)page;
	return section_of(thing)->judge == TP_JUDGE_UNDECIDED ? TP_S("open") : TP_S("");
}

/* A class of what the browser leaves out when it prints, as a PDF does: of a long page all that can be spared. */
static struct tp_slice
off_paper(struct tp_html_page *page, const void *thing)
{
	enum tp_paper paper = page->long_page ? TP_PAPER_NO_SPARE : TP_PAPER_FULL;

	return !page->options->all_rows && tp_paper_leaves_out(thing, paper) ? TP_S(" off-paper")
																		 : TP_S("");
}

static struct tp_slice
chosen(struct tp_html_page *page, const void *thing)
{
	(void)thing;
	return page->shut[page->depth - 1] ? TP_S("") : TP_S("open");
}

/* What choices are of: the section around them. */
static struct tp_slice
group(struct tp_html_page *page, const void *thing)
{
	(void)thing;
	return page->parents[page->depth - 2]->id;
}

static void write_blocks(struct tp_html_page *page, const struct tp_block *first);
static void write_block(struct tp_html_page *page, const struct tp_block *block);

/* All of a section stands at its end, folded. */
static bool
has_about(struct tp_html_page *page, const void *thing)
{
	const struct tp_block *block = section_of(thing)->first;

	(void)page;
	while (block != NULL && !tp_is_about(block))
		block = block->next;
	return block != NULL;
}

static void
about(struct tp_html_page *page, const void *thing)
{
	for (const struct tp_block *block = section_of(thing)->first; block != NULL;
		 block = block->next) {
		if (!tp_is_about(block))
			continue;
		if (block->kind == TP_BLOCK_PARAGRAPH) {
			write_block(page, block);
			continue;
		}
		tp_html_div(page, "div", "");
		tp_html_attr(&page->out, "id", block->id);
		write_blocks(page, block->section.first);
		tp_html_end(page);
	}
}

static void
children(struct tp_html_page *page, const void *thing)
{
	bool later = page->shut[page->depth - 1] && tp_html_begin_later(page);

	write_blocks(page, section_of(thing)->first);
	tp_html_end_later(page, later);
}

static const struct tp_slot section_slots[] = {
	{.name = "id", TP_SLOT_TEXT(tp_block, id)},
	{.name = "title", TP_SLOT_TEXT(tp_block, section.title)},
	{.name = "heading", .write = heading},
	{.name = "answer", TP_SLOT_SENTENCE(tp_block, section.answer), .has = has_answer},
	{.name = "so-what", TP_SLOT_SENTENCE(tp_block, section.so_what)},
	{.name = "aside", TP_SLOT_SENTENCE(tp_block, section.aside)},
	{.name = "glyph", .write = glyph},
	{.name = "open", .text = open},
	{.name = "off-paper", .text = off_paper},
	{.name = "chosen", .text = chosen},
	{.name = "group", .text = group},
	{.name = "children", .write = children},
	{.name = "about", .write = about, .has = has_about},
	{.name = "contents", .write = tp_html_contents},
	{.name = NULL},
};

static void
write_section_as(
	struct tp_html_page *page, const struct tp_block *block, const char *template_name, bool shut)
{
	page->shut[page->depth] = shut;
	page->parents[page->depth++] = block;
	tp_fill(page->templates, template_name, section_slots, block);
	page->depth--;
}

static bool
is_choice(const struct tp_block *block)
{
	return block != NULL && block->kind == TP_BLOCK_SECTION && block->section.choice;
}

/* This choice and the ones right after it, of which one is open at a time: the first, unless it stands folded. Returns the last one
 * written. */
static const struct tp_block *
write_choices(struct tp_html_page *page, const struct tp_block *block)
{
	bool shut = tp_html_is_folded(page, block);

	tp_html_div(page, "div", "choices");
	for (;; block = block->next) {
		write_section_as(page, block, "section-choice.html", shut);
		shut = true;
		if (!is_choice(block->next))
			break;
	}
	tp_html_end(page);
	return block;
}

static void
write_section(struct tp_html_page *page, const struct tp_block *block)
{
	static const char *const templates[] = {
		[TP_SECTION_SUMMARY] = "summary.html",
		[TP_SECTION_MAIN] = "section.html",
		[TP_SECTION_MINOR] = "section.html",
		[TP_SECTION_SUB] = "section-sub.html",
		[TP_SECTION_VIEW] = "section-view.html",
		[TP_SECTION_FOLD] = "section-fold.html",
	};

	if (page->depth == sizeof page->parents / sizeof page->parents[0])
		return; /* tp_doc_check allows 6 */
	enum tp_section_role role = block->section.role;
	bool folded = tp_html_is_folded(page, block);

	write_section_as(page, block, folded ? "section-sub-fold.html" : templates[role],
		folded || role == TP_SECTION_VIEW ||
			(role == TP_SECTION_FOLD && block->section.judge != TP_JUDGE_UNDECIDED));
}

/* The verdict: the page's only h1. */

static void
verdict_name(struct tp_html_page *page, const void *thing)
{
	const struct tp_verdict *verdict = &((const struct tp_block *)thing)->verdict;

	tp_html_div(page, "span", tp_html_judge_class(verdict->judge));
	if (verdict->judge != TP_JUDGE_NONE) {
		tp_html_text(&page->out, tp_judge_glyph(verdict->judge));
		tp_html_text(&page->out, TP_S(" "));
	}
	tp_html_say(page, verdict->name);
	tp_html_end(page);
}

static const struct tp_slot verdict_slots[] = {
	{.name = "id", TP_SLOT_TEXT(tp_block, id)},
	{.name = "name", .write = verdict_name},
	{.name = "saw", TP_SLOT_SENTENCE(tp_block, verdict.saw)},
	{.name = "consequence", TP_SLOT_SENTENCE(tp_block, verdict.consequence)},
	{.name = NULL},
};

/* Paragraphs: an element a role; several items become several spans. */

static const struct {
	const char *name, *class_name;
} paragraph_elements[] = {
	[TP_PARAGRAPH_BODY] = {"p", ""},
	[TP_PARAGRAPH_RUN_LINE] = {"p", "items run-line"},
	[TP_PARAGRAPH_BECAUSE] = {"p", "because"},
	[TP_PARAGRAPH_QUALITY] = {"p", "items quality"},
	[TP_PARAGRAPH_COUNTS] = {"p", "checks"},
	[TP_PARAGRAPH_SMALL] = {"p", "small"},
	[TP_PARAGRAPH_SOURCE] = {"p", "src"},
};

static void
write_paragraph(struct tp_html_page *page, const struct tp_block *block)
{
	const struct tp_paragraph *paragraph = &block->paragraph;
	struct tp_html *h = &page->out;

	tp_html_div(page, paragraph_elements[paragraph->role].name,
		paragraph_elements[paragraph->role].class_name);
	tp_html_attr(h, "id", block->id);
	for (size_t i = 0; i < paragraph->count; i++) {
		if (i > 0)
			tp_html_text(h, TP_S(" "));
		if (tp_paragraph_has_items(paragraph->role))
			tp_html_open(h, "span");
		tp_html_say(page, paragraph->items[i]);
		if (tp_paragraph_has_items(paragraph->role))
			tp_html_close(h);
	}
	tp_html_close(h);
}

static void
write_notice(struct tp_html_page *page, const struct tp_block *block)
{
	struct tp_html *h = &page->out;

	tp_html_div(page, "p", "notice");
	tp_html_attr(h, "id", block->id);
	tp_html_glyph(page, block->notice.judge, tp_judge_word(block->notice.judge));
	if (block->notice.judge != TP_JUDGE_NONE)
		tp_html_text(h, TP_S(" "));
	tp_html_say(page, block->notice.text);
	tp_html_close(h);
}

static void
write_block(struct tp_html_page *page, const struct tp_block *block)
{
	tp_html_newline(&page->out);
	switch (block->kind) {
	case TP_BLOCK_SECTION:
		write_section(page, block);
		break;
	case TP_BLOCK_PARAGRAPH:
		write_paragraph(page, block);
		break;
	case TP_BLOCK_VERDICT:
		tp_fill(page->templates, "verdict.html", verdict_slots, block);
		break;
	case TP_BLOCK_TILES:
		tp_html_tiles(page, block);
		break;
	case TP_BLOCK_TABLE:
		tp_html_table(page, block);
		break;
	case TP_BLOCK_CHART:
		tp_html_chart(page, block);
		break;
	case TP_BLOCK_NOTICE:
		write_notice(page, block);
		break;
	case TP_BLOCK_FINDING: /* write_blocks */
		break;
	}
}

static void
write_blocks(struct tp_html_page *page, const struct tp_block *first)
{
	for (const struct tp_block *block = first; block != NULL; block = block->next) {
		if (block->kind == TP_BLOCK_FINDING)
			block = tp_html_findings(page, block);
		else if (is_choice(block))
			block = write_choices(page, block);
		else if (!tp_is_about(block))
			write_block(page, block);
	}
}

/* The page. */

/* What page.html is filled with besides what the document's blocks write. */
struct page_view {
	struct tp_slice title, description, version; /* of the document */
	struct tp_slice policy, file_name, style, css_file, script;
};

static void
write_report(struct tp_sink *out, const void *thing)
{
	const struct tp_html_page *page = thing;

	tp_render_json_inside(page->doc, page->options, TP_HTML_JSON_BYTES, out);
}

static void
report_json(struct tp_html_page *page, const void *thing)
{
	(void)thing;
	tp_pack(tp_html_raw(&page->out), write_report, page);
}

static void
sections(struct tp_html_page *page, const void *thing)
{
	(void)thing;
	write_blocks(page, page->doc->first);
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

/* "'sha256-…'", as a Content-Security-Policy names a style or script that the page holds itself. */
static struct tp_slice
hash_of(struct tp_html_page *page, struct tp_slice file, const char *name, struct tp_err *err)
{
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
set_policy(struct tp_html_page *page, struct page_view *view, struct tp_err *err)
{
	struct tp_err why = {.status = TP_OK};
	struct tp_slice style_hash = hash_of(page, view->style, "report.css", &why);
	struct tp_slice script_hash = hash_of(page, view->script, "report.js", &why);

	view->policy = tp_arena_printf(page->scratch,
		"default-src 'none'; style-src %.*s%s; script-src %.*s; img-src data:; base-uri 'none'; "
		"form-action 'none'",
		TP_ARG(style_hash), page->options->css_file.len > 0 ? " 'self'" : "", TP_ARG(script_hash));
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
		.style = tp_templates_file(page->templates, "report.css"),
		.css_file = page->options->css_file,
		.script = tp_templates_file(page->templates, "report.js"),
	};
	enum tp_status status = set_policy(page, &view, err);

	if (status != TP_OK)
		return status;
	tp_html_start(&page->out, out);
	tp_fill(page->templates, "page.html", page_slots, &view);
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
	page->folded = tp_html_folded(doc, scratch);
	page->long_page = *page->folded != NULL;
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
	.summary = "one page for people: text, tables and charts, no network, readable without scripts",
	.render = render,
};

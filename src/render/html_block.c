/* Blocks in HTML: which block becomes which template. */
#include "render/html.h"

#include <stdio.h>

#include "base/arena.h"

static const struct tp_section *
section_of(const void *thing)
{
	return &((const struct tp_block *)thing)->section;
}

static struct tp_slice
id(void *page, const void *thing)
{
	(void)page;
	return ((const struct tp_block *)thing)->id;
}

/* Sections. */

static struct tp_slice
title(void *page, const void *thing)
{
	(void)page;
	return section_of(thing)->title;
}

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
heading(void *page, const void *thing)
{
	static const char *const names[] = {"h2", "h3", "h4", "h5", "h6"};
	struct tp_html_page *p = page;
	const struct tp_section *section = section_of(thing);
	unsigned level = headings_above(p);

	tp_html_open(&p->out, names[level < 4 ? level : 4]);
	if (section->judge != TP_JUDGE_NONE && section->role == TP_SECTION_SUB) {
		tp_html_glyph(p, section->judge, tp_judge_word(section->judge));
		tp_html_text(&p->out, TP_S(" "));
	}
	tp_html_text(&p->out, section->title);
	tp_html_close(&p->out);
}

static void
answer(void *page, const void *thing)
{
	tp_html_say(page, section_of(thing)->answer);
}

static bool
has_answer(void *page, const void *thing)
{
	(void)page;
	return section_of(thing)->answer.count + section_of(thing)->so_what.count > 0;
}

static void
so_what(void *page, const void *thing)
{
	tp_html_say(page, section_of(thing)->so_what);
}

static bool
has_so_what(void *page, const void *thing)
{
	(void)page;
	return section_of(thing)->so_what.count > 0;
}

static void
aside(void *page, const void *thing)
{
	tp_html_say(page, section_of(thing)->aside);
}

static bool
has_aside(void *page, const void *thing)
{
	(void)page;
	return section_of(thing)->aside.count > 0;
}

static void
glyph(void *page, const void *thing)
{
	struct tp_html_page *p = page;
	enum tp_judge judge = section_of(thing)->judge;

	tp_html_glyph(p, judge, tp_judge_word(judge));
	if (judge != TP_JUDGE_NONE)
		tp_html_text(&p->out, TP_S(" "));
}

/* What is undecided stands open: somebody has to look at it. */
static struct tp_slice
open(void *page, const void *thing)
{
	(void)page;
	return section_of(thing)->judge == TP_JUDGE_UNDECIDED ? TP_S("open") : TP_S("");
}

static void
children(void *page, const void *thing)
{
	tp_html_blocks(page, section_of(thing)->first);
}

static void
contents(void *page, const void *thing)
{
	(void)thing;
	tp_html_contents(page);
}

static const struct tp_slot section_slots[] = {
	{.name = "id", .text = id},
	{.name = "title", .text = title},
	{.name = "heading", .write = heading},
	{.name = "answer", .write = answer, .has = has_answer},
	{.name = "so-what", .write = so_what, .has = has_so_what},
	{.name = "aside", .write = aside, .has = has_aside},
	{.name = "glyph", .write = glyph},
	{.name = "open", .text = open},
	{.name = "children", .write = children},
	{.name = "contents", .write = contents},
	{.name = NULL},
};

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
	page->parents[page->depth++] = block;
	tp_fill(page->templates, templates[block->section.role], section_slots, block);
	page->depth--;
}

/* The verdict: the page's only h1. */

static void
verdict_name(void *page, const void *thing)
{
	struct tp_html_page *p = page;
	const struct tp_verdict *verdict = &((const struct tp_block *)thing)->verdict;

	tp_html_div(p, "span", tp_html_judge_class(verdict->judge));
	if (verdict->judge != TP_JUDGE_NONE) {
		tp_html_text(&p->out, tp_judge_glyph(verdict->judge));
		tp_html_text(&p->out, TP_S(" "));
	}
	tp_html_say(p, verdict->name);
	tp_html_end(p);
}

static void
verdict_saw(void *page, const void *thing)
{
	tp_html_say(page, ((const struct tp_block *)thing)->verdict.saw);
}

static void
verdict_consequence(void *page, const void *thing)
{
	tp_html_say(page, ((const struct tp_block *)thing)->verdict.consequence);
}

static bool
verdict_has_consequence(void *page, const void *thing)
{
	(void)page;
	return ((const struct tp_block *)thing)->verdict.consequence.count > 0;
}

static const struct tp_slot verdict_slots[] = {
	{.name = "id", .text = id},
	{.name = "name", .write = verdict_name},
	{.name = "saw", .write = verdict_saw},
	{.name = "consequence", .write = verdict_consequence, .has = verdict_has_consequence},
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

static bool
has_items(enum tp_paragraph_role role)
{
	return role == TP_PARAGRAPH_RUN_LINE || role == TP_PARAGRAPH_QUALITY ||
		role == TP_PARAGRAPH_COUNTS;
}

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
		if (has_items(paragraph->role))
			tp_html_open(h, "span");
		tp_html_say(page, paragraph->items[i]);
		if (has_items(paragraph->role))
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

void
tp_html_blocks(struct tp_html_page *page, const struct tp_block *first)
{
	for (const struct tp_block *block = first; block != NULL; block = block->next) {
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
		case TP_BLOCK_FINDING:
			block = tp_html_findings(page, block);
			break;
		case TP_BLOCK_NOTICE:
			write_notice(page, block);
			break;
		}
	}
}

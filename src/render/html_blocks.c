/* The blocks of a page: sections in their roles, the verdict, paragraphs, notices; tables, charts, tiles and findings have files of
 * their own. */
#include "render/html.h"

#include "base/arena.h"
#include "render/renderer.h"

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

/* A class of what the browser leaves out when it prints, as a PDF does. */
static struct tp_slice
off_paper(struct tp_html_page *page, const void *thing)
{
	return !page->options->all_rows && tp_paper_leaves_out(thing, page->paper) ? TP_S(" off-paper")
																			   : TP_S("");
}

/* The checks of a fold that paper lacks: there they stand by name. */
static const struct tp_block *
named_checks(struct tp_html_page *page, const void *thing)
{
	const struct tp_block *first = section_of(thing)->first;

	return first != NULL && first->kind == TP_BLOCK_FINDING && off_paper(page, thing).len > 0
		? first
		: NULL;
}

static bool
has_names(struct tp_html_page *page, const void *thing)
{
	return named_checks(page, thing) != NULL;
}

static void
names(struct tp_html_page *page, const void *thing)
{
	const struct tp_block *first = named_checks(page, thing);

	for (const struct tp_block *b = first; b != NULL; b = b->next) {
		tp_html_text(&page->out, b == first ? TP_S("") : TP_S(", "));
		tp_html_text(&page->out, b->finding.finding->name);
	}
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

static void write_block(struct tp_html_page *page, const struct tp_block *block);

/* What is part of a main section has its account at that section's end. */
static bool
shares_about(const struct tp_block *block)
{
	return block->kind == TP_BLOCK_SECTION && !block->section.about &&
		block->section.role != TP_SECTION_VIEW;
}

static bool
has_about(struct tp_html_page *page, const void *thing)
{
	const struct tp_block *block = section_of(thing)->first;

	while (block != NULL && !tp_is_about(block) && !(shares_about(block) && has_about(page, block)))
		block = block->next;
	return block != NULL;
}

/* How the figures of a section and of its parts are made, each part begun by its title. */
static void
write_about(struct tp_html_page *page, const struct tp_block *section, bool titled)
{
	for (const struct tp_block *block = section->section.first; block != NULL;
		 block = block->next) {
		if (!tp_is_about(block))
			continue;
		if (titled) {
			tp_html_div(page, "p", "of");
			tp_html_text(&page->out, section->section.title);
			tp_html_end(page);
		}
		titled = false;
		if (block->kind == TP_BLOCK_PARAGRAPH) {
			write_block(page, block);
			continue;
		}
		tp_html_div(page, "div", "");
		tp_html_attr(&page->out, "id", block->id);
		tp_html_blocks(page, block->section.first);
		tp_html_end(page);
	}
	for (const struct tp_block *block = section->section.first; block != NULL; block = block->next)
		if (shares_about(block))
			write_about(page, block, true);
}

/* All of a main section stands at its end, folded. */
static void
about(struct tp_html_page *page, const void *thing)
{
	write_about(page, thing, false);
}

static void
children(struct tp_html_page *page, const void *thing)
{
	bool later = page->shut[page->depth - 1] && tp_html_begin_later(page);

	tp_html_blocks(page, section_of(thing)->first);
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
	{.name = "names", .write = names, .has = has_names},
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

void
tp_html_blocks(struct tp_html_page *page, const struct tp_block *first)
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

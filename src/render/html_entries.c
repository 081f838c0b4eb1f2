/* Ways into the page: its header and the rail, the contents on paper, the chooser of views. */
#include "render/html.h"

#include "base/arena.h"
#include "render/renderer.h"

/* An entry of the rail, and of the contents on paper. */

static struct tp_slice
entry_href(struct tp_html_page *page, const void *thing)
{
	return tp_arena_printf(page->scratch, "#%.*s", TP_ARG(((const struct tp_block *)thing)->id));
}

static void
entry_key(struct tp_html_page *page, const void *thing)
{
	tp_html_value(page, ((const struct tp_block *)thing)->section.key_figure);
}

static bool
entry_has_key(struct tp_html_page *page, const void *thing)
{
	const struct tp_section *section = &((const struct tp_block *)thing)->section;

	(void)page;
	return section->role != TP_SECTION_SUMMARY &&
		(tp_known(section->key_figure) || section->key_figure.text.len > 0);
}

/* Coloured only where a finding points. */
static struct tp_slice
entry_class(struct tp_html_page *page, const void *thing)
{
	enum tp_judge judge = ((const struct tp_block *)thing)->section.judge;

	(void)page;
	if (judge != TP_JUDGE_BAD && judge != TP_JUDGE_WARN)
		return TP_S("");
	return tp_slice_of(tp_html_judge_class(judge));
}

/* Set on the first entry; the script moves it. */
static struct tp_slice
entry_current(struct tp_html_page *page, const void *thing)
{
	return thing == page->doc->first ? TP_S("true") : TP_S("");
}

static struct tp_slice
entry_place(struct tp_html_page *page, const void *thing)
{
	(void)page;
	return ((const struct tp_block *)thing)->section.role == TP_SECTION_MINOR ? TP_S("minor")
																			  : TP_S("");
}

static const struct tp_slot entry_slots[] = {
	{.name = "href", .text = entry_href},
	{.name = "title", TP_SLOT_TEXT(tp_block, section.title)},
	{.name = "key", .write = entry_key, .has = entry_has_key},
	{.name = "class", .text = entry_class},
	{.name = "current", .text = entry_current},
	{.name = "place", .text = entry_place},
	{.name = NULL},
};

void
tp_html_rail(struct tp_html_page *page, const void *thing)
{
	(void)thing;
	for (const struct tp_block *b = page->doc->first; b != NULL; b = b->next)
		tp_fill(page->templates, "rail-entry.html", entry_slots, b);
}

static void
contents(struct tp_html_page *page, const void *thing)
{
	(void)thing;
	for (const struct tp_block *b = page->doc->first; b != NULL; b = b->next)
		if (b->section.role != TP_SECTION_SUMMARY)
			tp_fill(page->templates, "contents-entry.html", entry_slots, b);
}

static const struct tp_slot contents_slots[] = {
	{.name = "version", TP_SLOT_TEXT(tp_doc, version)},
	{.name = "entries", .write = contents},
	{.name = NULL},
};

void
tp_html_contents(struct tp_html_page *page, const void *thing)
{
	(void)thing;
	tp_fill(page->templates, "contents.html", contents_slots, page->doc);
}

/* The chooser: links to what can be shown instead of all. */

enum { MOST_OPEN_CHOICES = 12 };

static const struct tp_slot choice_slots[] = {
	{.name = "href", .text = entry_href},
	{.name = "title", TP_SLOT_TEXT(tp_block, section.title)},
	{.name = NULL},
};

/* Writes a link to each view when write is set; returns how many there are. */
static size_t
choices_of(struct tp_html_page *page, bool write)
{
	size_t count = 0;

	for (struct tp_walk walk = tp_walk_of(page->doc); tp_walk_next(&walk);) {
		if (walk.event != TP_WALK_ENTER || walk.block->kind != TP_BLOCK_SECTION ||
			walk.block->section.role != TP_SECTION_VIEW)
			continue;
		count++;
		if (write)
			tp_fill(page->templates, "choice.html", choice_slots, walk.block);
	}
	return count;
}

/* What the page shows at first: of several runs one alone. */
static struct tp_slice
whole(struct tp_html_page *page, const void *thing)
{
	(void)thing;
	for (struct tp_walk walk = tp_walk_of(page->doc); tp_walk_next(&walk);) {
		if (walk.event == TP_WALK_ENTER && tp_slice_starts(walk.block->id, TP_S("views/run=")))
			return tp_arena_printf(page->scratch, "run %.*s", TP_ARG(page->doc->run));
	}
	return TP_S("All");
}

static void
choices(struct tp_html_page *page, const void *thing)
{
	(void)thing;
	choices_of(page, true);
}

static const struct tp_slot choose_slots[] = {
	{.name = "whole", .text = whole},
	{.name = "choices", .write = choices},
	{.name = NULL},
};

void
tp_html_choose(struct tp_html_page *page, const void *thing)
{
	size_t count = choices_of(page, false);

	if (count != 0)
		tp_fill(page->templates, count <= MOST_OPEN_CHOICES ? "choose.html" : "choose-many.html",
			choose_slots, thing);
}

/* The header: header.html, filled with what the document is called. */

static const struct tp_slot header_slots[] = {
	{.name = "version", TP_SLOT_TEXT(tp_doc, version)},
	{.name = "title", TP_SLOT_TEXT(tp_doc, title)},
	{.name = "name", TP_SLOT_TEXT(tp_doc, name)},
	{.name = "run", TP_SLOT_TEXT(tp_doc, run)},
	{.name = "description", TP_SLOT_TEXT(tp_doc, description)},
	{.name = NULL},
};

void
tp_html_header(struct tp_html_page *page, const void *thing)
{
	(void)thing;
	tp_fill(page->templates, "header.html", header_slots, page->doc);
}

enum tp_status
tp_render_header(const char *template_dir, const struct tp_doc *doc, struct tp_arena *arena,
	struct tp_slice *text, struct tp_err *err)
{
	struct tp_templates *t = tp_templates_open(template_dir, NULL, NULL, NULL);

	*text = tp_templates_has_own(t, "header.html")
		? tp_fill_text(t, "header.html", header_slots, doc, arena)
		: TP_S("");
	enum tp_status status = tp_templates_status(t, err);

	tp_templates_close(t);
	return status;
}

/* Findings in HTML: short on the first screen, in full in their section, one line each when passed or undecided. */
#include "render/html.h"

#include <stdio.h>

#include "base/arena.h"
#include "chart/canvas_svg.h"
#include "chart/palette.h"

enum form { FORM_BRIEF, FORM_FULL, FORM_LINE };

/* What a template is filled with. */
struct view {
	struct tp_slice id;
	struct tp_finding finding;
	const struct tp_finding_block *shown;
	const struct tp_block *block;
};

static const struct tp_finding *
finding_of(const void *view)
{
	return &((const struct view *)view)->finding;
}

static const struct tp_finding_block *
shown(const void *view)
{
	return ((const struct view *)view)->shown;
}

static enum form
form_of(const struct tp_block *block)
{
	if (block->finding.brief)
		return FORM_BRIEF;
	return block->finding.finding->status == TP_FINDING_OPEN ? FORM_FULL : FORM_LINE;
}

static struct tp_slice
number(struct tp_html_page *page, const void *thing)
{
	return shown(thing)->number > 0 ? tp_arena_printf(page->scratch, "%u", shown(thing)->number)
									: TP_S("");
}

static void
glyph(struct tp_html_page *page, const void *thing)
{
	enum tp_judge severity = finding_of(thing)->severity;

	tp_html_glyph(page, severity, tp_severity_word(severity));
}

/* "▲ High"; what is low is a note. */
static void
severity(struct tp_html_page *page, const void *thing)
{
	enum tp_judge judge = finding_of(thing)->severity;

	tp_html_div(page, "span", judge == TP_JUDGE_NONE ? "m" : tp_html_judge_class(judge));
	if (judge != TP_JUDGE_NONE) {
		tp_html_text(&page->out, tp_judge_glyph(judge));
		tp_html_text(&page->out, TP_S(" "));
	}
	tp_html_text(&page->out, judge == TP_JUDGE_NONE ? TP_S("Note") : tp_severity_word(judge));
	tp_html_end(page);
}

/* Where the finding stands in full: the target of its short form. */
static struct tp_slice
full_href(struct tp_html_page *page, const void *thing)
{
	for (struct tp_walk walk = tp_walk_of(page->doc); tp_walk_next(&walk);)
		if (walk.block->kind == TP_BLOCK_FINDING && !walk.block->finding.brief &&
			tp_slice_eq(walk.block->finding.finding->id, finding_of(thing)->id))
			return tp_arena_printf(page->scratch, "#%.*s", TP_ARG(walk.block->id));
	return TP_S("");
}

static void
actions(struct tp_html_page *page, const void *thing)
{
	const struct tp_finding *f = finding_of(thing);

	for (size_t i = 0; i < f->action_count; i++) {
		tp_html_open(&page->out, "li");
		tp_html_say(page, f->actions[i]);
		tp_html_close(&page->out);
	}
}

static bool
has_actions(struct tp_html_page *page, const void *thing)
{
	(void)page;
	return finding_of(thing)->action_count > 0;
}

static void
saving(struct tp_html_page *page, const void *thing)
{
	tp_html_value(page, finding_of(thing)->saving);
}

static bool
has_saving(struct tp_html_page *page, const void *thing)
{
	(void)page;
	return tp_known(finding_of(thing)->saving);
}

static bool
has_no_saving(struct tp_html_page *page, const void *thing)
{
	return !has_saving(page, thing);
}

static struct tp_slice
saves(struct tp_html_page *page, const void *thing)
{
	(void)page;
	return tp_slice_of(tp_finding_saves(finding_of(thing)));
}

/* Why the saving cannot be bounded. */
static struct tp_slice
no_saving(struct tp_html_page *page, const void *thing)
{
	(void)page;
	return has_saving(page, thing) ? TP_S("") : finding_of(thing)->saving.text;
}

/* The saving as a share of the mean step; negative when either is not known. */
static double
saved_share(const struct tp_finding_block *b)
{
	double saved = tp_value_in(b->finding->saving, TP_UNIT_MS);
	double step = tp_value_in(b->scale, TP_UNIT_MS);

	if (!(saved >= 0) || !(step > 0))
		return -1;
	return saved < step ? saved / step : 1;
}

static struct tp_slice
bar(struct tp_html_page *page, const void *thing)
{
	double share = saved_share(shown(thing));

	return share < 0 ? TP_S("") : tp_arena_printf(page->scratch, "%.2f%%", share * 100);
}

static struct tp_slice
hue(struct tp_html_page *page, const void *thing)
{
	char buf[32];

	return tp_arena_copy(
		page->scratch, tp_hue_class(finding_of(thing)->hue, finding_of(thing)->tint, buf));
}

static struct tp_slice
fill(struct tp_html_page *page, const void *thing)
{
	return tp_arena_printf(page->scratch, "#%06X", tp_hue_rgb(finding_of(thing)->hue));
}

/* The checks that share a reason, up to the last of them. */
static void
checks(struct tp_html_page *page, const void *thing)
{
	const struct tp_block *block = ((const struct view *)thing)->block;
	const struct tp_block *end = tp_finding_last_alike(block)->next;
	struct tp_html *h = &page->out;

	for (; block != end; block = block->next) {
		tp_html_open(h, "span");
		tp_html_attr(h, "id", block->id);
		tp_html_element(h, "code", NULL, block->finding.finding->id);
		tp_html_text(h, TP_S(" "));
		tp_html_text(h, block->finding.finding->name);
		tp_html_close(h);
		tp_html_text(h, block->next != end ? TP_S(", ") : TP_S(""));
	}
}

static const struct tp_slot slots[] = {
	{.name = "checks", .write = checks},
	{.name = "id", TP_SLOT_TEXT(view, id)},
	{.name = "rule", TP_SLOT_TEXT(view, finding.id)},
	{.name = "name", TP_SLOT_TEXT(view, finding.name)},
	{.name = "number", .text = number},
	{.name = "glyph", .write = glyph},
	{.name = "severity", .write = severity},
	{.name = "full", .text = full_href},
	{.name = "title", TP_SLOT_SENTENCE(view, finding.title)},
	{.name = "brief", TP_SLOT_SENTENCE(view, finding.brief)},
	{.name = "saw", TP_SLOT_SENTENCE(view, finding.saw)},
	{.name = "matters", TP_SLOT_SENTENCE(view, finding.matters)},
	{.name = "actions", .write = actions, .has = has_actions},
	{.name = "check", TP_SLOT_SENTENCE(view, finding.check)},
	{.name = "evidence", TP_SLOT_SENTENCE(view, finding.evidence)},
	{.name = "saves", .text = saves},
	{.name = "saving", .write = saving, .has = has_saving},
	{.name = "saving-note", TP_SLOT_TEXT(view, finding.saving_note)},
	{.name = "no-saving", .text = no_saving, .has = has_no_saving},
	{.name = "bar", .text = bar},
	{.name = "hue", .text = hue},
	{.name = "fill", .text = fill},
	{.name = NULL},
};

static const struct {
	const char *template;
	const char *list, *class_name; /* that holds one after the other; NULL: none */
} forms[] = {
	[FORM_BRIEF] = {"finding-brief.html", "ol", "todo"},
	[FORM_FULL] = {"finding.html", NULL, NULL},
	[FORM_LINE] = {"finding-line.html", "ul", "checked"},
};

const struct tp_block *
tp_html_findings(struct tp_html_page *page, const struct tp_block *block)
{
	enum form form = form_of(block);

	if (forms[form].list != NULL)
		tp_html_div(page, forms[form].list, forms[form].class_name);
	for (;;) {
		const struct view view = {block->id, *block->finding.finding, &block->finding, block};

		tp_fill(page->templates, forms[form].template, slots, &view);
		block = tp_finding_last_alike(block);
		if (block->next == NULL || block->next->kind != TP_BLOCK_FINDING ||
			form_of(block->next) != form)
			break;
		block = block->next;
	}
	if (forms[form].list != NULL)
		tp_html_end(page);
	return block;
}

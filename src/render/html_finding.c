/* Findings in HTML: short on the first screen, in full in their section, one line each when passed or undecided. */
#include "render/html.h"

#include <stdio.h>

#include "base/arena.h"
#include "chart/canvas_svg.h"
#include "report/walk.h"

enum form { FORM_BRIEF, FORM_FULL, FORM_LINE };

static const struct tp_finding_block *
shown(const void *thing)
{
	return &((const struct tp_block *)thing)->finding;
}

static enum form
form_of(const struct tp_block *block)
{
	if (block->finding.brief)
		return FORM_BRIEF;
	return block->finding.finding->status == TP_FINDING_OPEN ? FORM_FULL : FORM_LINE;
}

static struct tp_slice
id(void *page, const void *thing)
{
	(void)page;
	return ((const struct tp_block *)thing)->id;
}

static struct tp_slice
rule(void *page, const void *thing)
{
	(void)page;
	return shown(thing)->finding->id;
}

static struct tp_slice
name(void *page, const void *thing)
{
	(void)page;
	return shown(thing)->finding->name;
}

static struct tp_slice
number(void *page, const void *thing)
{
	struct tp_html_page *p = page;

	return shown(thing)->number > 0 ? tp_arena_printf(p->scratch, "%u", shown(thing)->number)
									: TP_S("");
}

static void
glyph(void *page, const void *thing)
{
	enum tp_judge severity = shown(thing)->finding->severity;

	tp_html_glyph(page, severity, tp_severity_word(severity));
}

/* "▲ High", "Low". */
static void
severity(void *page, const void *thing)
{
	struct tp_html_page *p = page;
	enum tp_judge judge = shown(thing)->finding->severity;

	tp_html_div(p, "span", judge == TP_JUDGE_NONE ? "m" : tp_html_judge_class(judge));
	if (judge != TP_JUDGE_NONE) {
		tp_html_text(&p->out, tp_judge_glyph(judge));
		tp_html_text(&p->out, TP_S(" "));
	}
	tp_html_text(&p->out, tp_severity_word(judge));
	tp_html_end(p);
}

/* Where the finding stands in full: the target of its short form. */
static struct tp_slice
full_href(void *page, const void *thing)
{
	struct tp_html_page *p = page;
	struct tp_walk walk;

	tp_walk_start(&walk, p->doc);
	while (tp_walk_next(&walk))
		if (walk.block->kind == TP_BLOCK_FINDING && !walk.block->finding.brief &&
			tp_slice_eq(walk.block->finding.finding->id, shown(thing)->finding->id))
			return tp_arena_printf(p->scratch, "#%.*s", TP_ARG(walk.block->id));
	return TP_S("");
}

/* A sentence of the finding and whether there is one: a pair of functions for each. */
#define SENTENCE(field)                                                                            \
	static void field(void *page, const void *thing)                                               \
	{                                                                                              \
		tp_html_say(page, shown(thing)->finding->field);                                           \
	}                                                                                              \
	static bool has_##field(void *page, const void *thing)                                         \
	{                                                                                              \
		(void)page;                                                                                \
		return shown(thing)->finding->field.count > 0;                                             \
	}
SENTENCE(title)
SENTENCE(brief)
SENTENCE(saw)
SENTENCE(matters)
SENTENCE(check)
SENTENCE(evidence)

static void
actions(void *page, const void *thing)
{
	struct tp_html_page *p = page;
	const struct tp_finding *f = shown(thing)->finding;

	for (size_t i = 0; i < f->action_count; i++) {
		tp_html_open(&p->out, "li");
		tp_html_say(p, f->actions[i]);
		tp_html_close(&p->out);
	}
}

static bool
has_actions(void *page, const void *thing)
{
	(void)page;
	return shown(thing)->finding->action_count > 0;
}

static void
saving(void *page, const void *thing)
{
	tp_html_value(page, shown(thing)->finding->saving);
}

static bool
has_saving(void *page, const void *thing)
{
	(void)page;
	return tp_known(shown(thing)->finding->saving);
}

static bool
has_no_saving(void *page, const void *thing)
{
	return !has_saving(page, thing);
}

static struct tp_slice
saving_note(void *page, const void *thing)
{
	(void)page;
	return shown(thing)->finding->saving_note;
}

/* Why the saving cannot be bounded. */
static struct tp_slice
no_saving(void *page, const void *thing)
{
	(void)page;
	return has_saving(page, thing) ? TP_S("") : shown(thing)->finding->saving.text;
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
bar(void *page, const void *thing)
{
	struct tp_html_page *p = page;
	double share = saved_share(shown(thing));

	return share < 0 ? TP_S("") : tp_arena_printf(p->scratch, "%.2f%%", share * 100);
}

static struct tp_slice
hue(void *page, const void *thing)
{
	struct tp_html_page *p = page;
	char buf[32];

	return tp_arena_copy(p->scratch, tp_hue_class(shown(thing)->finding->hue, 0, buf));
}

static const struct tp_slot slots[] = {
	{.name = "id", .text = id},
	{.name = "rule", .text = rule},
	{.name = "name", .text = name},
	{.name = "number", .text = number},
	{.name = "glyph", .write = glyph},
	{.name = "severity", .write = severity},
	{.name = "full", .text = full_href},
	{.name = "title", .write = title, .has = has_title},
	{.name = "brief", .write = brief, .has = has_brief},
	{.name = "saw", .write = saw, .has = has_saw},
	{.name = "matters", .write = matters, .has = has_matters},
	{.name = "actions", .write = actions, .has = has_actions},
	{.name = "check", .write = check, .has = has_check},
	{.name = "evidence", .write = evidence, .has = has_evidence},
	{.name = "saving", .write = saving, .has = has_saving},
	{.name = "saving-note", .text = saving_note},
	{.name = "no-saving", .text = no_saving, .has = has_no_saving},
	{.name = "bar", .text = bar},
	{.name = "hue", .text = hue},
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
		tp_fill(page->templates, forms[form].template, slots, block);
		if (block->next == NULL || block->next->kind != TP_BLOCK_FINDING ||
			form_of(block->next) != form)
			break;
		block = block->next;
	}
	if (forms[form].list != NULL)
		tp_html_end(page);
	return block;
}

/* Findings: on page 1 in brief, in their section in full, each unbroken, and in one line those that are not open. */
#include "base/arena.h"
#include "chart/canvas_cairo.h"
#include "render/pdf.h"
#include "render/pdf_text.h"

static const double gutter = 8, key_width = 48, full_saving_width = 190;
/* Of the short form. */
static const double number_width = 31, saving_width = 134, bar_height = 4.5;

/* Adds the finding's id to its title. */
static void
add_id(struct tp_pdf_set *set, const struct tp_finding *f)
{
	/* The id stays with the last word of the sentence. */
	tp_pdf_set_add(set, TP_S("\u2002"), (struct tp_pdf_look){.weight = 400});
	tp_pdf_set_add(set, f->id,
		(struct tp_pdf_look){
			.weight = 400, .colour = TP_PDF_COLOUR_INK3, .code = true, .size = 8.2, .whole = true});
}

/* Room above and below. */
static double
pad_of(const struct tp_pdf *pdf, const struct tp_pdf_section *section)
{
	return tp_pdf_is_tight(pdf, section) ? 4 : 6.5;
}

/* " per step, may overlap 1’s": what is behind the comma is not broken. */
static void
add_note(struct tp_pdf_set *set, struct tp_slice note)
{
	const char *comma = note.len > 0 ? memchr(note.ptr, ',', note.len) : NULL;
	size_t first = comma != NULL ? (size_t)(comma + 1 - note.ptr) : note.len;
	struct tp_slice rest = tp_slice_from(note, first);

	tp_pdf_set_plain(set, TP_S(" "));
	tp_pdf_set_plain(set, (struct tp_slice){note.ptr, first});
	if (tp_slice_starts(rest, TP_S(" "))) {
		tp_pdf_set_plain(set, TP_S(" "));
		rest = tp_slice_from(rest, 1);
	}
	tp_pdf_set_add(set, rest, (struct tp_pdf_look){.whole = true});
}

/* A line of a finding in full: "Saw", and what. */
struct fact {
	struct tp_pdf_set *key, *value;
};

static void
draw_fact(struct tp_pdf *pdf, const struct tp_pdf_piece *piece, double y)
{
	const struct fact *fact = piece->data;

	if (fact->key != NULL)
		tp_pdf_set_draw(fact->key, pdf->left, y, "P");
	tp_pdf_set_draw(fact->value, pdf->left + key_width, y, "P");
}

static void
add_fact(struct tp_pdf *pdf, const char *key, const char *lead, struct tp_text text)
{
	struct fact *fact = tp_new(pdf->arena, struct fact);

	/* A finding is not broken over pages: each line holds on to the next. */
	pdf->last->with_next = true;
	if (key != NULL) {
		fact->key = tp_pdf_set_new(pdf, TP_PDF_KEY, key_width);
		tp_pdf_set_plain(fact->key, tp_slice_of(key));
	}
	fact->value = tp_pdf_set_new(pdf, TP_PDF_KEY, pdf->width - key_width);
	tp_pdf_set_add(
		fact->value, tp_slice_of(lead), (struct tp_pdf_look){.colour = TP_PDF_COLOUR_INK});
	tp_pdf_set_text(fact->value, text, (struct tp_pdf_look){.colour = TP_PDF_COLOUR_INK});
	tp_pdf_piece(pdf, 1.5, tp_pdf_set_height(fact->value), draw_fact, fact);
}

static void
add_actions(struct tp_pdf *pdf, const struct tp_finding *f)
{
	for (size_t i = 0; i < f->action_count; i++)
		add_fact(pdf, i == 0 ? "Do" : NULL,
			f->action_count > 1 ? tp_arena_printf(pdf->arena, "%zu.\u2002", i + 1).ptr : "",
			f->actions[i]);
}

struct open_head {
	struct tp_pdf_set *title, *saving;
};

static void
draw_open_head(struct tp_pdf *pdf, const struct tp_pdf_piece *piece, double y)
{
	const struct open_head *head = piece->data;

	if (!piece->on_top)
		tp_pdf_rule(pdf, pdf->left, y, pdf->width, false);
	y += pad_of(pdf, piece->section);
	tp_pdf_set_draw(head->title, pdf->left, y, "H3");
	tp_pdf_set_draw(head->saving, pdf->left + pdf->width - full_saving_width, y, "P");
}

static struct tp_pdf_set *
full_saving(struct tp_pdf *pdf, const struct tp_finding *f)
{
	struct tp_pdf_set *set = tp_pdf_set_new(pdf, TP_PDF_ADVICE, full_saving_width);
	char buf[TP_VALUE_BUF];

	tp_pdf_set_align(set, TP_PDF_RIGHT);
	if (!tp_known(f->saving)) {
		tp_pdf_set_lines(set, 3, false);
		tp_pdf_set_plain(set, TP_S("saving unknown: "));
		tp_pdf_set_plain(set, f->saving.text);
		return set;
	}
	tp_pdf_set_plain(set, tp_slice_of(tp_finding_saves(f)));
	tp_pdf_set_plain(set, TP_S(" "));
	tp_pdf_set_add(set, tp_value_text(f->saving, buf),
		(struct tp_pdf_look){.weight = 600, .colour = TP_PDF_COLOUR_INK});
	add_note(set, f->saving_note);
	return set;
}

static void
add_open(struct tp_pdf *pdf, const struct tp_block *block)
{
	const struct tp_finding *f = block->finding.finding;
	struct open_head *head = tp_new(pdf->arena, struct open_head);
	struct tp_pdf_look word = {.weight = 600, .colour = tp_pdf_judge_colour(f->severity)};

	head->saving = full_saving(pdf, f);
	double saving_room = tp_pdf_set_width(head->saving) + 2 * gutter;

	head->title = tp_pdf_set_new(pdf, TP_PDF_FINDING, pdf->width - saving_room);
	tp_pdf_set_add(head->title, tp_arena_printf(pdf->arena, "%u\u2002", block->finding.number),
		(struct tp_pdf_look){.weight = 400, .colour = TP_PDF_COLOUR_INK3});
	tp_pdf_set_glyph(head->title, f->severity, true);
	tp_pdf_set_add(head->title,
		f->severity == TP_JUDGE_NONE ? TP_S("Note") : tp_severity_word(f->severity), word);
	tp_pdf_set_plain(head->title, TP_S("\u2002"));
	tp_pdf_set_text(head->title, f->title, (struct tp_pdf_look){0});
	add_id(head->title, f);

	double title = tp_pdf_set_height(head->title), saving = tp_pdf_set_height(head->saving);
	struct tp_pdf_piece *piece = tp_pdf_piece(pdf, 8,
		pad_of(pdf, pdf->section) + (title > saving ? title : saving), draw_open_head, head);

	piece->open = "Sect";
	tp_pdf_anchor(pdf, piece, block->id);
	if (f->saw.count > 0)
		add_fact(pdf, "Saw", "", f->saw);
	if (f->matters.count > 0)
		add_fact(pdf, "Matters", "", f->matters);
	add_actions(pdf, f);
	if (f->check.count > 0)
		add_fact(pdf, "Check", "", f->check);
	if (f->evidence.count > 0)
		add_fact(pdf, "Evidence", "", f->evidence);
	pdf->last->closes++;
}

/* Checks, and the reason that they share. */
static void
add_closed(struct tp_pdf *pdf, const struct tp_block *block, enum tp_judge judge)
{
	struct tp_pdf_look name = {.weight = 500, .colour = TP_PDF_COLOUR_INK};
	struct tp_pdf_set *set = tp_pdf_set_new(pdf, TP_PDF_FOLD, pdf->width);
	const struct tp_block *end = tp_finding_last_alike(block)->next;

	tp_pdf_set_glyph(set, judge, true);
	for (const struct tp_block *b = block; b != end; b = b->next) {
		tp_pdf_set_plain(set, b == block ? TP_S("") : TP_S(", "));
		tp_pdf_set_add(set, b->finding.finding->name, name);
		add_id(set, b->finding.finding);
	}
	tp_pdf_set_plain(set, TP_S("\u2002"));
	tp_pdf_set_text(set, block->finding.finding->title, (struct tp_pdf_look){0});
	struct tp_pdf_piece *piece = tp_pdf_piece_text(pdf, 2, set, "P");

	for (const struct tp_block *b = block; b != end; b = b->next)
		tp_pdf_anchor(pdf, piece, b->id);
}

void
tp_pdf_checks(struct tp_pdf *pdf, const struct tp_block *fold)
{
	struct tp_pdf_look strong = {.weight = 600};
	struct tp_pdf_set *set = tp_pdf_set_new(pdf, TP_PDF_FOLD, pdf->width);
	const struct tp_block *first = fold->section.first;

	tp_pdf_set_glyph(set, fold->section.judge, true);
	tp_pdf_set_add(set, fold->section.title, strong);
	for (const struct tp_block *b = first; b != NULL; b = b->next) {
		tp_pdf_set_plain(set, b == first ? TP_S("\u2002") : TP_S(", "));
		tp_pdf_set_plain(set, b->finding.finding->name);
	}
	tp_pdf_set_plain(set, TP_S("."));
	struct tp_pdf_piece *piece = tp_pdf_piece_text(pdf, 7, set, "P");

	tp_pdf_anchor(pdf, piece, fold->id);
	for (const struct tp_block *b = first; b != NULL; b = b->next)
		tp_pdf_anchor(pdf, piece, b->id);
}

void
tp_pdf_finding(struct tp_pdf *pdf, const struct tp_block *block)
{
	switch (block->finding.finding->status) {
	case TP_FINDING_OPEN:
		add_open(pdf, block);
		return;
	case TP_FINDING_PASSED:
		add_closed(pdf, block, TP_JUDGE_GOOD);
		return;
	case TP_FINDING_NOT_APPLICABLE:
		add_closed(pdf, block, TP_JUDGE_ABSENT);
		return;
	case TP_FINDING_UNDECIDED:
		add_closed(pdf, block, TP_JUDGE_UNDECIDED);
		return;
	}
}

/* On page 1: what was seen, what to do, and what it would save, as a bar of the mean step. */

struct brief {
	const struct tp_finding_block *finding;
	struct tp_pdf_set *number, *title, *advice, *saving;
	bool first;   /* of its list: the rule above is the list's */
	double share; /* of the mean step; < 0: not known */
};

static void
draw_saving_bar(struct tp_pdf *pdf, const struct brief *b, double x, double y)
{
	double filled = b->share < 1 ? b->share : 1;

	if (b->share < 0)
		return;
	tp_cairo_set_ink(pdf->cr, TP_INK_TRACK);
	cairo_rectangle(pdf->cr, x, y, saving_width, bar_height);
	cairo_fill(pdf->cr);
	tp_cairo_mark(pdf->cr, x, y, saving_width * filled, bar_height, b->finding->finding->hue,
		b->finding->finding->tint);
}

static void
draw_brief(struct tp_pdf *pdf, const struct tp_pdf_piece *piece, double y)
{
	const struct brief *b = piece->data;
	double x = pdf->left + number_width, right = pdf->left + pdf->width - saving_width;

	tp_pdf_rule(pdf, pdf->left, y, pdf->width, b->first);
	if (piece->next == NULL || piece->next->draw != draw_brief)
		tp_pdf_rule(pdf, pdf->left, y + piece->height, pdf->width, false);
	y += pad_of(pdf, piece->section);
	tp_pdf_set_draw(b->number, pdf->left, y, "P");
	tp_pdf_set_draw(b->title, x, y, "P");
	tp_pdf_set_draw(b->advice, x, y + tp_pdf_set_height(b->title) + .5, "P");
	tp_pdf_set_draw(b->saving, right, y, "P");
	draw_saving_bar(pdf, b, right, y + tp_pdf_set_height(b->saving) + 3);
}

static struct tp_pdf_set *
brief_saving(struct tp_pdf *pdf, const struct tp_finding *f)
{
	struct tp_pdf_set *set = tp_pdf_set_new(pdf, TP_PDF_SAVING, saving_width);
	char buf[TP_VALUE_BUF];
	struct tp_pdf_look figure = {.weight = 600, .colour = TP_PDF_COLOUR_INK, .size = 10};

	tp_pdf_set_align(set, TP_PDF_RIGHT);
	if (!tp_known(f->saving)) {
		/* The reason stands with the finding in full. */
		tp_pdf_set_add(
			set, TP_S("– no bound"), (struct tp_pdf_look){.colour = TP_PDF_COLOUR_INK3, .size = 8});
		return set;
	}
	tp_pdf_set_add(set, tp_value_text(f->saving, buf), figure);
	add_note(set, f->saving_note);
	return set;
}

static double
share_saved(const struct tp_finding_block *block)
{
	double saving = tp_value_in(block->finding->saving, TP_UNIT_PS);
	double scale = tp_value_in(block->scale, TP_UNIT_PS);

	return saving >= 0 && scale > 0 ? saving / scale : -1;
}

void
tp_pdf_finding_brief(struct tp_pdf *pdf, const struct tp_block *block)
{
	const struct tp_finding *f = block->finding.finding;
	struct brief *b = tp_new(pdf->arena, struct brief);
	double width = pdf->width - number_width - saving_width - gutter;

	b->finding = &block->finding;
	b->share = share_saved(&block->finding);
	b->number = tp_pdf_set_new(pdf, TP_PDF_FINDING, number_width);
	tp_pdf_set_plain(b->number, tp_arena_printf(pdf->arena, "%u\u2002", block->finding.number));
	tp_pdf_set_glyph(b->number, f->severity, false);
	b->title = tp_pdf_set_new(pdf, TP_PDF_FINDING, width);
	tp_pdf_set_lines(b->title, 2, false);
	tp_pdf_set_text(b->title, f->title, (struct tp_pdf_look){0});
	add_id(b->title, f);
	b->advice = tp_pdf_set_new(pdf, TP_PDF_ADVICE, width);
	tp_pdf_set_lines(b->advice, 2, false);
	tp_pdf_set_text(b->advice, f->brief, (struct tp_pdf_look){0});
	b->saving = brief_saving(pdf, f);

	double text = tp_pdf_set_height(b->title) + .5 + tp_pdf_set_height(b->advice);
	double side = tp_pdf_set_height(b->saving) + (b->share >= 0 ? 3 + bar_height : 0);

	b->first = pdf->last == NULL || pdf->last->draw != draw_brief;
	struct tp_pdf_piece *piece = tp_pdf_piece(pdf, b->first ? 5 : 0,
		2 * pad_of(pdf, pdf->section) + (text > side ? text : side), draw_brief, b);

	tp_pdf_anchor(pdf, piece, block->id);
}

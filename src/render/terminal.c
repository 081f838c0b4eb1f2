/* The first screen as text, some 20 lines: verdict, because, tiles, where a step goes, findings. The rest of the report is
 * for the other outputs. */
#include "render/terminal.h"

#include "base/arena.h"
#include "render/chart_words.h"
#include "render/renderer.h"

enum { USUAL_COLUMNS = 80, LEAST_COLUMNS = 40, MOST_COLUMNS = 100 };

/* With blanks that no line is broken at: lines break between the items of a list. */
static struct tp_slice
held_together(struct tp_terminal *t, struct tp_slice item)
{
	struct tp_slice text = TP_S("");

	if (tp_terminal_width(item) + strlen(" · ") > t->columns)
		return item;
	while (item.len != 0) {
		const char *blank = memchr(item.ptr, ' ', item.len);
		size_t word = blank != NULL ? (size_t)(blank - item.ptr) : item.len;

		text = tp_arena_printf(t->arena, "%.*s%.*s%s", TP_ARG(text), (int)word, item.ptr,
			blank != NULL ? "\u00a0" : "");
		item = tp_slice_from(item, word + 1);
	}
	return text;
}

static void
show_paragraph(struct tp_terminal *t, const struct tp_paragraph *p)
{
	struct tp_slice text = TP_S("");

	for (size_t i = 0; i < p->count; i++) {
		struct tp_slice item = tp_terminal_sentence(t, p->items[i]);

		text = tp_arena_printf(t->arena, "%.*s%s%.*s", TP_ARG(text), i == 0 ? "" : "\u00a0· ",
			TP_ARG(p->count > 1 ? held_together(t, item) : item));
	}
	/* Below findings they are the list's last line. */
	tp_sink_puts(t->out, p->role == TP_PARAGRAPH_COUNTS && t->id_columns == 0 ? "\n" : "");
	tp_terminal_flow(t, p->role == TP_PARAGRAPH_BECAUSE, TP_TERMINAL_PLAIN, 0, text);
}

static void
show_verdict(struct tp_terminal *t, const struct tp_verdict *v)
{
	struct tp_slice glyph = tp_judge_glyph(v->judge), name = tp_terminal_sentence(t, v->name);
	struct tp_slice head = tp_arena_printf(
		t->arena, "%.*s%s%.*s", TP_ARG(glyph), glyph.len != 0 ? " " : "", TP_ARG(name));
	struct tp_slice saw = tp_terminal_sentence(t, v->saw);

	tp_terminal_flow(t, false, tp_terminal_judged(v->judge), head.len,
		tp_arena_printf(
			t->arena, "%.*s%s%.*s", TP_ARG(head), saw.len != 0 ? " " : "", TP_ARG(saw)));
	tp_terminal_flow(t, true, TP_TERMINAL_PLAIN, 0, tp_terminal_sentence(t, v->consequence));
}

/* "6.72 ms, may overlap 1’s" below "saves at most a step". */
static struct tp_slice
saving_of(struct tp_terminal *t, const struct tp_finding *f)
{
	char buf[TP_VALUE_BUF];

	if (!tp_known(f->saving))
		return TP_S("–");
	struct tp_slice value = tp_terminal_clean(t, tp_value_text(f->saving, buf));
	struct tp_slice note = tp_terminal_clean(t, tp_slice_from(f->saving_note, t->saving_note.len));
	bool apart = note.len != 0 && note.ptr[0] != ',';

	return tp_arena_printf(t->arena, "%.*s%s%.*s", TP_ARG(value), apart ? " " : "", TP_ARG(note));
}

/* What the notes of all findings of a section begin with, where that is the whole note of one: "a step" of that and "a
 * step, may overlap 1’s". */
static struct tp_slice
common_note(const struct tp_section *s)
{
	struct tp_slice note = {NULL, 0};

	for (const struct tp_block *b = s->first; b != NULL; b = b->next) {
		if (b->kind != TP_BLOCK_FINDING || !tp_known(b->finding.finding->saving))
			continue;
		struct tp_slice other = b->finding.finding->saving_note;

		if (note.ptr == NULL || tp_slice_starts(note, other))
			note = other;
		else if (!tp_slice_starts(other, note))
			return TP_S("");
	}
	return note;
}

/* What all findings of a section have in common. */
static void
measure_findings(struct tp_terminal *t, const struct tp_section *s)
{
	t->saving_note = common_note(s);
	t->id_columns = t->saving_columns = 0;
	for (const struct tp_block *b = s->first; b != NULL; b = b->next) {
		if (b->kind != TP_BLOCK_FINDING)
			continue;
		unsigned id = tp_terminal_width(b->finding.finding->id);
		unsigned saving = tp_terminal_width(saving_of(t, b->finding.finding));

		t->id_columns = id > t->id_columns ? id : t->id_columns;
		t->saving_columns = saving > t->saving_columns ? saving : t->saving_columns;
	}
}

/* The title, and at the right end of the line what stands aside, or below where both have no room. */
static void
show_section(struct tp_terminal *t, const struct tp_section *s)
{
	measure_findings(t, s);
	if (s->role == TP_SECTION_SUMMARY)
		return;
	struct tp_slice title = tp_terminal_clean(t, s->title);
	struct tp_slice aside = tp_terminal_sentence(t, s->aside);

	if (t->saving_note.len != 0)
		aside = tp_arena_printf(
			t->arena, "%.*s %.*s", TP_ARG(aside), TP_ARG(tp_terminal_clean(t, t->saving_note)));
	unsigned used = tp_terminal_width(title) + 2 + tp_terminal_width(aside);

	tp_sink_puts(t->out, "\n");
	tp_terminal_put(t, TP_TERMINAL_STRONG, title);
	if (aside.len != 0) {
		if (used > t->columns)
			tp_sink_puts(t->out, "\n");
		tp_terminal_blanks(t, 2 + (used > t->columns ? 0 : t->columns - used));
		tp_terminal_put(t, TP_TERMINAL_FAINT, aside);
	}
	tp_sink_puts(t->out, "\n");
}

/* "1 ▲ Title …   TPR-INPUT-001   3.24 ms"; on a narrow terminal the id stands behind the title. */
static void
show_finding(struct tp_terminal *t, const struct tp_finding_block *b)
{
	enum { GAP = 2, LEAST_TITLE = 32, LEAST_WORD = 14 };
	const struct tp_finding *f = b->finding;
	struct tp_slice glyph = tp_judge_glyph(f->severity);
	struct tp_slice number = tp_arena_printf(t->arena, "%u ", b->number);
	struct tp_slice rest = tp_terminal_sentence(t, f->title);
	unsigned indent = tp_terminal_width(number) + GAP;
	unsigned right = GAP + t->saving_columns, ids = GAP + t->id_columns;
	bool narrow = indent + LEAST_TITLE + ids + right > t->columns;
	unsigned taken = indent + right + (narrow ? 0 : ids);
	unsigned room = t->columns > taken + LEAST_WORD ? t->columns - taken : LEAST_WORD;

	if (narrow)
		rest = tp_arena_printf(t->arena, "%.*s %.*s", TP_ARG(rest), TP_ARG(f->id));
	tp_terminal_put(t, TP_TERMINAL_PLAIN, number);
	tp_terminal_put(t, tp_terminal_judged(f->severity), glyph);
	tp_terminal_blanks(t, GAP - tp_terminal_width(glyph));
	tp_terminal_left(t, tp_terminal_line(&rest, room), room);
	if (!narrow) {
		tp_terminal_blanks(t, GAP);
		tp_terminal_left(t, f->id, t->id_columns);
	}
	tp_terminal_right(t, saving_of(t, f), right);
	tp_sink_puts(t->out, "\n");
	while (rest.len != 0) {
		tp_terminal_blanks(t, indent);
		tp_terminal_put(t, TP_TERMINAL_PLAIN, tp_terminal_line(&rest, room));
		tp_sink_puts(t->out, "\n");
	}
}

static void
show_notice(struct tp_terminal *t, const struct tp_notice *n)
{
	struct tp_slice glyph = tp_judge_glyph(n->judge);

	tp_terminal_flow(t, false, tp_terminal_judged(n->judge), glyph.len,
		tp_arena_printf(t->arena, "%.*s%s%.*s", TP_ARG(glyph), glyph.len != 0 ? " " : "",
			TP_ARG(tp_terminal_sentence(t, n->text))));
}

/* Tiles side by side: label, figure, and the word of the judgement, or why there is no figure. */
enum {
	MOST_ABREAST = 3,
	WITHIN = 2,
	BETWEEN = 3
}; /* tiles on a line; columns within and between them */

struct cell {
	struct tp_slice label, figure;
	enum tp_terminal_look look;
};

/* "high" of "high · limit 20 %", "not recorded" of "not recorded: capture with" and a second line. */
static struct tp_slice
first_item(struct tp_slice text)
{
	static const char *const ends[] = {" · ", ": "};

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		const char *end =
			text.len != 0 ? memmem(text.ptr, text.len, ends[i], strlen(ends[i])) : NULL;

		if (end != NULL)
			text.len = (size_t)(end - text.ptr);
	}
	return text;
}

/* The word of the judgement, or why there is no figure. */
static struct tp_slice
word_of(struct tp_terminal *t, const struct tp_tile *tile)
{
	return tile->judge == TP_JUDGE_NONE && tp_known(tile->value)
		? TP_S("")
		: first_item(tp_terminal_sentence(t, tile->note[0]));
}

static struct cell
cell_of(struct tp_terminal *t, const struct tp_tile *tile)
{
	char buf[TP_VALUE_BUF];
	const struct tp_slice parts[] = {
		tp_terminal_clean(t, tp_value_text(tile->value, buf)),
		tp_terminal_clean(t, tile->qualifier),
		tp_judge_glyph(tile->judge),
		word_of(t, tile),
	};
	struct cell cell = {
		.label = tp_terminal_clean(t, tile->label),
		.look = tile->judge != TP_JUDGE_NONE ? tp_terminal_judged(tile->judge) : TP_TERMINAL_PLAIN,
	};

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (parts[i].len != 0)
			cell.figure = tp_arena_printf(t->arena, "%.*s%s%.*s", TP_ARG(cell.figure),
				cell.figure.len != 0 ? " " : "", TP_ARG(parts[i]));
	}
	return cell;
}

struct widths {
	unsigned label[MOST_ABREAST], figure[MOST_ABREAST];
};

static unsigned
greater(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

/* The columns that so many cells abreast take. */
static unsigned
measure(const struct cell *cells, size_t count, unsigned abreast, struct widths *w)
{
	unsigned total = (abreast - 1) * BETWEEN;

	*w = (struct widths){0};
	for (size_t i = 0; i < count; i++) {
		unsigned *label = &w->label[i % abreast], *figure = &w->figure[i % abreast];

		*label = greater(*label, tp_terminal_width(cells[i].label));
		*figure = greater(*figure, tp_terminal_width(cells[i].figure));
	}
	for (unsigned k = 0; k < abreast; k++)
		total += w->label[k] + WITHIN + w->figure[k];
	return total;
}

static void
show_tiles(struct tp_terminal *t, const struct tp_tiles *tiles)
{
	struct cell *cells = tp_new_array(t->arena, struct cell, tiles->count);
	unsigned abreast = MOST_ABREAST;
	struct widths w;

	for (size_t i = 0; i < tiles->count; i++)
		cells[i] = cell_of(t, &tiles->tiles[i]);
	while (measure(cells, tiles->count, abreast, &w) > t->columns && abreast > 1)
		abreast--;
	for (size_t i = 0; i < tiles->count; i++) {
		unsigned k = (unsigned)(i % abreast);
		bool last = k + 1 == abreast || i + 1 == tiles->count;
		unsigned width = tp_terminal_width(cells[i].figure);

		tp_terminal_left(t, cells[i].label, w.label[k] + WITHIN);
		tp_terminal_put(t, cells[i].look, cells[i].figure);
		if (last)
			tp_sink_puts(t->out, "\n");
		else
			tp_terminal_blanks(t, w.figure[k] - width + BETWEEN);
	}
}

static bool
is_told_chart(const struct tp_block *b)
{
	return tp_chart_words(b->chart.kind)->terminal != NULL;
}

void
tp_terminal_block(struct tp_terminal *t, const struct tp_block *b)
{
	switch (b->kind) {
	case TP_BLOCK_SECTION:
		show_section(t, &b->section);
		break;
	case TP_BLOCK_PARAGRAPH:
		show_paragraph(t, &b->paragraph);
		break;
	case TP_BLOCK_VERDICT:
		show_verdict(t, &b->verdict);
		break;
	case TP_BLOCK_TILES:
		tp_sink_puts(t->out, "\n");
		show_tiles(t, &b->tiles);
		break;
	case TP_BLOCK_CHART:
		if (is_told_chart(b))
			tp_chart_words(b->chart.kind)->terminal(t, &b->chart);
		break;
	case TP_BLOCK_FINDING:
		show_finding(t, &b->finding);
		break;
	case TP_BLOCK_NOTICE:
		show_notice(t, &b->notice);
		break;
	case TP_BLOCK_TABLE:
		break; /* detail, for the other outputs */
	}
}

/* Whether a part of the first screen is told: what has rows as text. */
static bool
is_told(const struct tp_section *s)
{
	for (const struct tp_block *b = s->first; b != NULL; b = b->next) {
		if (b->kind == TP_BLOCK_CHART ? is_told_chart(b) : b->kind != TP_BLOCK_TABLE)
			return true;
	}
	return false;
}

static enum tp_status
render(const struct tp_doc *doc, const struct tp_render_options *options, struct tp_sink *out,
	struct tp_err *err)
{
	unsigned columns = options->columns == 0 ? USUAL_COLUMNS : options->columns;
	struct tp_terminal t = {
		.out = out,
		.arena = tp_arena_new(),
		.columns = columns < LEAST_COLUMNS ? LEAST_COLUMNS
			: columns > MOST_COLUMNS       ? MOST_COLUMNS
										   : columns,
		.colour = options->colour,
	};

	(void)err;
	for (const struct tp_block *s = doc->first; s != NULL; s = s->next) {
		if (s->section.role != TP_SECTION_SUMMARY)
			continue;
		show_section(&t, &s->section);
		for (const struct tp_block *b = s->section.first; b != NULL; b = b->next) {
			if (b->kind == TP_BLOCK_SECTION && !is_told(&b->section))
				continue;
			tp_terminal_block(&t, b);
			for (const struct tp_block *in = b->kind == TP_BLOCK_SECTION ? b->section.first : NULL;
				 in != NULL; in = in->next)
				tp_terminal_block(&t, in);
		}
	}
	tp_arena_free(t.arena);
	return TP_OK;
}

const struct tp_renderer tp_render_text = {
	.name = "text",
	.suffix = ".txt",
	.other_suffix = ".text",
	.summary = "the first screen in about 20 lines for a terminal: verdict, tiles, findings",
	.render = render,
};

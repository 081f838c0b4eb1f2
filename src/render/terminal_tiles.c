/* Tiles side by side: label, figure, and the word of the judgement, or why there is no figure. */
#include "render/terminal.h"

#include "base/arena.h"

enum { MOST_ABREAST = 3, WITHIN = 2, BETWEEN = 3 };

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

void
tp_terminal_tiles(struct tp_terminal *t, const struct tp_tiles *tiles)
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

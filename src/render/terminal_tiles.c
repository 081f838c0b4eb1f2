/* Tiles side by side: label, figure, and the word of the judgement. */
#include "render/terminal.h"

#include "base/arena.h"

enum { MOST_ABREAST = 3, WITHIN = 2, BETWEEN = 3 };

struct cell {
	struct tp_slice label, figure;
	enum tp_terminal_look look;
};

/* What stands before the first " · ": "high" of "high · limit 20 %". */
static struct tp_slice
first_item(struct tp_slice text)
{
	const char *dot = text.len != 0 ? memmem(text.ptr, text.len, " · ", strlen(" · ")) : NULL;

	return dot != NULL ? (struct tp_slice){text.ptr, (size_t)(dot - text.ptr)} : text;
}

static struct cell
cell_of(struct tp_terminal *t, const struct tp_tile *tile)
{
	char buf[TP_VALUE_BUF];
	struct tp_slice value = tp_terminal_clean(t, tp_value_text(tile->value, buf));
	struct tp_slice qualifier = tp_terminal_clean(t, tile->qualifier);
	struct tp_slice glyph = tp_judge_glyph(tile->judge);
	struct tp_slice word =
		glyph.len != 0 ? first_item(tp_terminal_sentence(t, tile->note[0])) : TP_S("");

	return (struct cell){
		.label = tp_terminal_clean(t, tile->label),
		.figure = tp_arena_printf(t->arena, "%.*s%s%.*s%s%.*s%s%.*s", TP_ARG(value),
			qualifier.len != 0 ? " " : "", TP_ARG(qualifier), glyph.len != 0 ? " " : "",
			TP_ARG(glyph), word.len != 0 ? " " : "", TP_ARG(word)),
		.look = glyph.len != 0 ? tp_terminal_judged(tile->judge) : TP_TERMINAL_PLAIN,
	};
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

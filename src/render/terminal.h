/* What the parts of the text for terminals share: how wide a line is, in which colours, and who writes which block. */
#ifndef TP_RENDER_TERMINAL_H
#define TP_RENDER_TERMINAL_H

#include "io/sink.h"
#include "report/doc.h"

struct tp_terminal {
	struct tp_sink *out;
	struct tp_arena *arena; /* for the time of the rendering */
	unsigned columns;
	bool colour;
	/* Of the findings of the section in hand. */
	unsigned id_columns, saving_columns;
	/* what all of them have behind the figure, said above them; else empty */
	struct tp_slice saving_note;
};

/* How a piece looks where there are colours. */
enum tp_terminal_look {
	TP_TERMINAL_PLAIN,
	TP_TERMINAL_STRONG,
	TP_TERMINAL_FAINT,
	TP_TERMINAL_BAD,
	TP_TERMINAL_WARN,
	TP_TERMINAL_GOOD,
};

/* Texts (terminal_text.c). Text is cleaned first: one line, and nothing in it that a terminal would obey. */
struct tp_slice tp_terminal_clean(struct tp_terminal *t, struct tp_slice text);
struct tp_slice tp_terminal_sentence(struct tp_terminal *t, struct tp_text text);
unsigned tp_terminal_width(struct tp_slice text); /* in columns */

/* The look of a judgement. */
enum tp_terminal_look tp_terminal_judged(enum tp_judge judge);

void tp_terminal_put(struct tp_terminal *t, enum tp_terminal_look look, struct tp_slice text);
void tp_terminal_blanks(struct tp_terminal *t, unsigned count);
/* With blanks behind or before it, so that it takes so many columns. */
void tp_terminal_left(struct tp_terminal *t, struct tp_slice text, unsigned columns);
void tp_terminal_right(struct tp_terminal *t, struct tp_slice text, unsigned columns);

/* What is longer ends in "…". */
struct tp_slice tp_terminal_fit(struct tp_terminal *t, struct tp_slice text, unsigned columns);

/* Takes from *rest the words that fit into so many columns, and what is left of a word that is longer than a line. */
struct tp_slice tp_terminal_line(struct tp_slice *rest, unsigned columns);

/* A paragraph: the first `led` bytes have the look, and lines after the first are indented by two columns, as is the first
 * if so wished. */
void tp_terminal_flow(struct tp_terminal *t, bool indented, enum tp_terminal_look look, size_t led,
	struct tp_slice text);

/* A block as the first screen shows it (terminal.c); of a section its heading, and what its findings have in common; of a table
 * nothing. */
void tp_terminal_block(struct tp_terminal *t, const struct tp_block *b);

#endif

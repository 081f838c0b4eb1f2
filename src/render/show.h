/* A section of a report as text, in so many bytes: for a person at a terminal, or a program that looks further. */
#ifndef TP_RENDER_SHOW_H
#define TP_RENDER_SHOW_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>

struct tp_arena;
struct tp_block;
struct tp_doc;
struct tp_sink;

struct tp_show {
	unsigned columns; /* width of a line; 0: 80 */
	bool exact;       /* just that; else between 40 and 160, so that lines can be read */
	bool colour;
	size_t most_bytes;
	size_t most_rows;       /* of a table, beside those that sum up; SIZE_MAX: all */
	struct tp_slice filter; /* rows with this in a cell, and nothing else; empty: all there is */
};

/* The section with this id, or the table; else the one whose title begins so, whatever the case. NULL: there is none, or more than
 * one title does; then *message says which there are, in arena. */
const struct tp_block *tp_show_find(const struct tp_doc *doc, struct tp_slice wish,
	struct tp_arena *arena, struct tp_slice *message);

/* The section with those in it, or the table; of folded sections the ids, unless rows are looked for. What there is no room for is
 * named. */
void tp_show_block(const struct tp_block *block, const struct tp_show *how, struct tp_sink *out);

/* The sections, each with its answer in a line. */
void tp_show_list(const struct tp_doc *doc, const struct tp_show *how, struct tp_sink *out);

#endif

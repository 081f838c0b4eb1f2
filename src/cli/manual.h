/* The manual: one text a topic, in a small part of Markdown, embedded as "manual/<topic>.md"; read here piece by piece for the terminal
 * and for man pages. */
#ifndef TP_CLI_MANUAL_H
#define TP_CLI_MANUAL_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>

struct tp_arena;

struct tp_topic {
	struct tp_slice name, says; /* of the first line, "# name: what it says" */
	struct tp_slice text;       /* behind that line */
};

/* The topics in the order of their names; an empty name ends them. Texts of commands are among them where `commands` is set. */
struct tp_topic tp_topic_at(size_t index);

/* The topic of this name, that of a command too; an empty name: there is none. */
struct tp_topic tp_topic_named(struct tp_slice name);

/* The topic's text; that of "metrics" with all that there are, in arena. */
struct tp_slice tp_topic_text(struct tp_topic topic, struct tp_arena *arena);

/* The part of a topic under the heading that ends in "(name)", with the heading; empty: there is none. */
struct tp_slice tp_topic_part(struct tp_slice name);

enum tp_manual_kind {
	TP_MANUAL_HEADING,
	TP_MANUAL_TEXT,
	TP_MANUAL_ITEM,
	TP_MANUAL_TERM, /* a row of a table: its first cell, and the others */
	TP_MANUAL_CODE, /* one line of an example */
};

/* Where texts are strong: from the one sign to the other. No other text has them. */
#define TP_MANUAL_STRONG '\1'
#define TP_MANUAL_PLAIN '\2'

struct tp_manual_piece {
	enum tp_manual_kind kind;
	unsigned level; /* of a heading: 2, 3 */
	struct tp_slice term, text;
};

struct tp_manual {
	struct tp_arena *arena; /* of the pieces */
	struct tp_slice rest;
	struct tp_slice header; /* of the table in hand */
	bool code;
};

/* The next piece; false when done. */
bool tp_manual_next(struct tp_manual *m, struct tp_manual_piece *out);

#endif

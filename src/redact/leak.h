/* The proof: names that were replaced, searched for in what would be written. A name is found where it stands between borders of words,
 * in upper or lower case, with or without a number behind it: "layer" in "Layer_12", not in "player". */
#ifndef TP_REDACT_LEAK_H
#define TP_REDACT_LEAK_H

#include "redact/redaction.h"

struct tp_search;

/* Of all names that the reports redacted so far had. */
struct tp_search *tp_search_new(const struct tp_redaction *r, struct tp_arena *arena);

struct tp_leak {
	struct tp_slice name; /* as it was searched for */
	size_t at;            /* byte of the text */
};

/* Whether a text has one of them; as it is, and with escapes of JSON, entities of XML and %XX undone. */
bool tp_search_finds(const struct tp_search *s, struct tp_slice text, struct tp_leak *leak);

/* The same for a finished output, by how its bytes begin: of a page all but its scripts and styles, which are ours; of a PDF its texts
 * outside of streams: in those text is drawn by glyphs, from the report alone. What is packed in either is left to the caller. */
bool tp_search_finds_in_file(
	const struct tp_search *s, struct tp_slice bytes, struct tp_leak *leak);

#endif

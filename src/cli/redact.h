/* --redact: reading what it names, and redacting documents. */
#ifndef TP_CLI_REDACT_H
#define TP_CLI_REDACT_H

#include "base/err.h"

#include <stdbool.h>

struct tp_args;
struct tp_arena;
struct tp_doc;
struct tp_profile;
struct tp_redaction;

/* What --redact asks for, in arena; false, with a message, where it names what is no kind. words: "", for all, or "paths,hosts". */
bool tp_redact_read(const char *words, struct tp_arena *arena, struct tp_redaction **out);

/* Names that a profile holds as whole ones. */
void tp_redact_learn(struct tp_redaction *redaction, const struct tp_profile *profile);

/* The document with pseudonyms, in arena, and what was replaced as its last section; NULL and err: a fault of ours. */
struct tp_doc *tp_redacted(struct tp_redaction *redaction, const struct tp_doc *doc,
	struct tp_arena *arena, struct tp_err *err);

#endif

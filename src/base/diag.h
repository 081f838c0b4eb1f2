/* Odd but survivable things met on the way: collected, said once each, counted. */
#ifndef TP_BASE_DIAG_H
#define TP_BASE_DIAG_H

#include "base/err.h"
#include "base/map.h"
#include "base/slice.h"

struct tp_arena;

enum tp_diag_level {
	TP_DIAG_NOTE,    /* worth knowing: what was assumed or chosen */
	TP_DIAG_WARNING, /* a part of the input was not used: figures may be incomplete */
};

struct tp_diag {
	enum tp_diag_level level;
	struct tp_slice input; /* file; may be empty */
	uint64_t offset;       /* of the first occurrence, or TP_NO_OFFSET */
	struct tp_slice text;
	uint64_t count; /* times met */
	uint64_t key;   /* of level, input and text as they were, not yet clean */
	struct tp_diag *next;
};

struct tp_diags {
	struct tp_arena *arena;
	struct tp_diag *first, **tail;
	unsigned notes, warnings; /* different messages of each level */
	/* Its own: each message, and its number by key. */
	struct tp_diag **all;
	struct tp_map known;
};

void tp_diags_init(struct tp_diags *d, struct tp_arena *keep);

/* Adds a message, or counts it when the same (level, input, text) was said before. Of some hundred different ones on, the
 * rest is one message that says so. Long texts are cut. */
void tp_diag_at(struct tp_diags *d, enum tp_diag_level level, const char *input, uint64_t offset,
	const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Adds all that another list holds, in its order and as often as it was met there. */
void tp_diags_join(struct tp_diags *d, const struct tp_diags *other);

/* The same from an error that was survived. */
void tp_diag_err(struct tp_diags *d, enum tp_diag_level level, const struct tp_err *err);

#endif

/* Names like one that was asked for and is not there: what a message offers instead. */
#ifndef TP_BASE_NEAREST_H
#define TP_BASE_NEAREST_H

#include "base/slice.h"

struct tp_arena;

enum { TP_NEAREST_MOST = 5 };

struct tp_nearest {
	struct tp_arena *arena; /* of the names */
	struct tp_slice wish;
	struct tp_slice names[TP_NEAREST_MOST]; /* the nearest first, each once */
	unsigned distances[TP_NEAREST_MOST];
	unsigned count;
};

/* Takes a name into the choice when it is near: few letters differ, it holds what was asked for, or it differs only behind its
 * last dot. */
void tp_nearest_offer(struct tp_nearest *n, struct tp_slice name);

/* "a, b, c"; with the words "; near are --a, --b", `before` before each name. Empty when none is near. */
struct tp_slice tp_nearest_text(const struct tp_nearest *n);
struct tp_slice tp_nearest_words(const struct tp_nearest *n, const char *before);

#endif

/* Words: runs of letters, digits and _ in a text. What stands between is never part of a name that is replaced or searched for. */
#ifndef TP_REDACT_WORDS_H
#define TP_REDACT_WORDS_H

#include "base/slice.h"

enum { TP_WORD_MOST = 1024 }; /* bytes; the rest of a longer one is the next */

struct tp_word {
	size_t start, end;     /* in the text, as it is written */
	struct tp_slice shown; /* decoded; points into the text or into room */
	char room[TP_WORD_MOST];
};

/* How a text is written: an id has %XX for bytes that ids may not hold. */
enum tp_writing { TP_WRITTEN_PLAIN, TP_WRITTEN_AS_ID };

/* The next word at or after *at, which moves behind it; false at the end. */
bool tp_word_next(struct tp_slice text, enum tp_writing writing, size_t *at, struct tp_word *word);

/* Whether the text at byte `at` begins with these bytes, in any case, and a word does not go on behind them but for such a number; or with
 * some of them and then "…", where it was cut. *end: where they end. */
bool tp_words_begin(
	struct tp_slice text, enum tp_writing writing, size_t at, struct tp_slice wanted, size_t *end);

/* Whether "…" is at a place: what stands before it was cut. Never in an id, in which names cut at two places stay apart. */
bool tp_word_is_cut(struct tp_slice text, enum tp_writing writing, size_t at);

/* The word without a number that _ joins to it: "layer" of "layer_12" and "layer_"; the word itself where nothing else is in it. "conv2" stays. */
struct tp_slice tp_word_stem(struct tp_slice word);

/* In lower case, in room; the first TP_WORD_MOST bytes. */
struct tp_slice tp_word_folded(struct tp_slice word, char room[static TP_WORD_MOST]);

#endif

/* Words that tell nothing of whose profile a report is of: those of tpreport's own texts, and names that frameworks, compilers and libraries
 * give (public_names.txt). Any other word is somebody's own. */
#ifndef TP_REDACT_PUBLIC_WORDS_H
#define TP_REDACT_PUBLIC_WORDS_H

#include "base/slice.h"

struct tp_arena;
struct tp_public;

/* Each followed by a zero, the last by another; made from the sources when tpreport is built. */
extern const char tp_public_words[], tp_public_parts[];

struct tp_public *tp_public_new(struct tp_arena *arena);

/* Whether a word is public: by itself, without numbers at its end, as a number with a unit, or as a name of a family such as
 * "loop_add_fusion_3" all of whose parts are. */
bool tp_public_has(struct tp_public *p, struct tp_slice word);

/* Whether all parts of a word that _ joins are public: "self_ms". */
bool tp_public_has_parts(struct tp_public *p, struct tp_slice word);

/* From now on this word is public, too. */
void tp_public_add(struct tp_public *p, struct tp_slice word);

/* Whether names in this space of C++ are public: "at" of at::native::add. */
bool tp_public_space(struct tp_slice word);

/* Whether files of this package of Python are public: "torch" of torch/nn/modules/linear.py. */
bool tp_public_package(struct tp_slice word);

#endif

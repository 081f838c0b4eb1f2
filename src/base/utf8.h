/* Text from outside made safe to pass on: valid UTF-8. */
#ifndef TP_BASE_UTF8_H
#define TP_BASE_UTF8_H

#include "base/slice.h"

struct tp_arena;

/* Whether all of s is well-formed (no overlong forms, no surrogates, nothing above U+10FFFF). */
bool tp_utf8_valid(struct tp_slice s);

/* How many bytes at the start are well-formed. */
size_t tp_utf8_prefix(struct tp_slice s);

/* How many bytes at the start, which is not well-formed, stand for one U+FFFD: the longest beginning of a character that
 * is there, at least 1 (the Unicode standard's recommended practice). */
size_t tp_utf8_ill_formed(struct tp_slice s);

/* The most bytes at the start of s, at most `most`, that do not cut a character in two. */
size_t tp_utf8_fit(struct tp_slice s, size_t most);

/* s itself when it is valid, else a copy in arena with each ill-formed part replaced by U+FFFD. */
struct tp_slice tp_utf8_clean(struct tp_arena *arena, struct tp_slice s);

#endif

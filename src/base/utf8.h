/* Text from outside made safe to pass on: valid UTF-8, and what of it a reader can see. */
#ifndef TP_BASE_UTF8_H
#define TP_BASE_UTF8_H

#include "base/slice.h"

#include <stdint.h>

struct tp_arena;

#define TP_UTF8_ILL_FORMED UINT32_MAX

/* The character at the start of s, which is not empty, and its length in bytes; TP_UTF8_ILL_FORMED when no whole one is
 * there, with the bytes that stand for one U+FFFD. */
uint32_t tp_utf8_next(struct tp_slice s, size_t *length);

/* Whether a character is shown as it is. Not shown are controls, line ends and tabs among them, what turns the direction
 * of text or is not seen at all (two names that look alike are the same then), and noncharacters, which cairo refuses and
 * HTML forbids. */
bool tp_utf8_shown(uint32_t character);

/* Whether all of s is well-formed (no overlong forms, no surrogates, nothing above U+10FFFF). */
bool tp_utf8_valid(struct tp_slice s);

/* Whether some of s may run from right to left: what is neither ASCII nor Latin. */
bool tp_utf8_may_turn(struct tp_slice s);

/* The most bytes at the start of s, at most `most`, that do not cut a character in two. */
size_t tp_utf8_fit(struct tp_slice s, size_t most);

/* s itself when it has at most `most` bytes, else as many of them as do not cut a character in two, with "…" behind them, in arena. */
struct tp_slice tp_utf8_shorten(struct tp_arena *arena, struct tp_slice s, size_t most);

/* s itself when it is valid, else a copy in arena with each ill-formed part replaced by U+FFFD. */
struct tp_slice tp_utf8_clean(struct tp_arena *arena, struct tp_slice s);

/* s as one line of what a reader can see, in arena: line ends and tabs are blanks, what is not shown is U+FFFD. */
struct tp_slice tp_utf8_line(struct tp_arena *arena, struct tp_slice s);

#endif

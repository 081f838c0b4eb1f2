/* The parts of a name: scopes, calls, words, arguments. All lengths are in bytes. */
#ifndef TP_RENDER_NAMES_PARTS_H
#define TP_RENDER_NAMES_PARTS_H

#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

enum { TP_NAME_DIFFERENCE = 4 }; /* bytes that are to be seen of what tells a name from another */

/* How many bytes two names have in common at their beginning. */
uint32_t tp_names_common(struct tp_slice a, struct tp_slice b);

/* How much of the first `length` bytes of a name are whole parts of it. Arguments are none: what stands before them tells more. */
uint32_t tp_name_parts(struct tp_slice name, uint32_t length);

/* How much of the first `length` bytes of a name can be left out so that byte `length` is seen: of a call stack whole calls, of another
 * name whole parts, or words where the part is too long; within arguments no more than what stands before them. */
uint32_t tp_name_parts_before(struct tp_slice name, uint32_t length, uint32_t shown);

/* The same, but no more than it takes for byte `length` to be among the first `shown`; 0: its part is too long. */
uint32_t tp_name_parts_within(struct tp_slice name, uint32_t length, uint32_t shown);

/* Where the arguments begin that byte `at` is within, behind their bracket; 0: it is in none. What stands in "()" is a part, as in
 * "jit(main)", but for the parameters behind "f<T>". */
uint32_t tp_name_arguments(struct tp_slice name, uint32_t at);

/* Letters, digits, and all that is not ASCII. */
bool tp_name_in_word(char c);

/* Where the word begins that byte `at` is in, with the brackets that open before it; of a long word, where its letter begins. */
uint32_t tp_name_word(struct tp_slice name, uint32_t at);

/* Where the part ends that byte `at` is in; words: of a name whose parts are words. */
uint32_t tp_name_part_end(struct tp_slice name, uint32_t at, bool words);

#endif

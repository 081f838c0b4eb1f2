/* Differences as people read them. */
#ifndef TP_COMPARE_SIGNED_H
#define TP_COMPARE_SIGNED_H

#include "base/number.h"

struct tp_arena;

/* "+2.00 ms", "0 ms"; of shares "−4.1 %", "+0.032 %"; in the arena. */
struct tp_slice tp_signed_text(struct tp_arena *arena, struct tp_value value);

/* How far a figure moved: "+4.1 %" of what it was, of a share "−0.4 pp"; empty where that is no number. */
struct tp_slice tp_signed_change(struct tp_arena *arena, struct tp_value from, struct tp_value to);

#endif

/* Reading CSV as RFC 4180 has it. */
#ifndef TP_CODEC_CSV_H
#define TP_CODEC_CSV_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>

struct tp_arena;

struct tp_csv_row {
	struct tp_slice *
		cells; /* in the arena, NUL-terminated, without quotes, and without the apostrophe that keeps a spreadsheet from running a text */
	size_t count;
};

/* Takes the next row off *rest; lines end in CR LF or LF. False at the end. */
bool tp_csv_next(struct tp_slice *rest, struct tp_arena *arena, struct tp_csv_row *out);

/* Whether a spreadsheet would take a text that begins so for a formula and run it: such a text is written with an apostrophe before it
 * (https://owasp.org/www-community/attacks/CSV_Injection). */
bool tp_csv_is_formula(struct tp_slice text);

#endif

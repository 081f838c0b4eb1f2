/* The list of diagnostics; short by nature, so a linear search finds repetitions. */
#include "base/diag.h"

#include "base/arena.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>

void
tp_diags_init(struct tp_diags *d, struct tp_arena *keep)
{
	*d = (struct tp_diags){.arena = keep};
	d->tail = &d->first;
}

enum { MOST_DIFFERENT = 500, LONGEST_TEXT = 1024 };

static bool
said_before(
	struct tp_diags *d, enum tp_diag_level level, struct tp_slice input, struct tp_slice text)
{
	for (struct tp_diag *it = d->first; it != NULL; it = it->next) {
		if (it->level == level && tp_slice_eq(it->said, text) && tp_slice_eq(it->from, input)) {
			it->count++;
			return true;
		}
	}
	return false;
}

static void
add(struct tp_diags *d, enum tp_diag_level level, struct tp_slice input, uint64_t offset,
	struct tp_slice text)
{
	if (said_before(d, level, input, text))
		return;
	if (d->notes + d->warnings >= MOST_DIFFERENT) {
		input = TP_S("");
		offset = TP_NO_OFFSET;
		text = level == TP_DIAG_NOTE ? TP_S("there are more notes than are told here")
									 : TP_S("there are more warnings than are told here");
		if (said_before(d, level, input, text))
			return;
	}
	struct tp_diag *fresh = tp_new(d->arena, struct tp_diag);

	*fresh = (struct tp_diag){
		.level = level,
		.from = tp_arena_copy(d->arena, input),
		.said = tp_arena_copy(d->arena, text),
		.offset = offset,
		.count = 1,
	};
	fresh->input = tp_utf8_clean(d->arena, fresh->from);
	fresh->text = tp_utf8_clean(d->arena, fresh->said);
	*d->tail = fresh;
	d->tail = &fresh->next;
	if (level == TP_DIAG_NOTE)
		d->notes++;
	else
		d->warnings++;
}

void
tp_diag_at(struct tp_diags *d, enum tp_diag_level level, const char *input, uint64_t offset,
	const char *format, ...)
{
	va_list args;

	char text[LONGEST_TEXT];

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	add(d, level, tp_slice_of(input), offset, tp_slice_of(text));
}

void
tp_diag_err(struct tp_diags *d, enum tp_diag_level level, const struct tp_err *err)
{
	add(d, level, tp_slice_of(err->input), err->offset, tp_slice_of(err->text));
}

/* The list of diagnostics; short by nature, so a linear search finds repetitions. */
#include "base/diag.h"

#include "base/arena.h"
#include "base/utf8.h"

#include <stdarg.h>

void
tp_diags_init(struct tp_diags *d, struct tp_arena *keep)
{
	*d = (struct tp_diags){.arena = keep};
	d->tail = &d->first;
}

static void
add(struct tp_diags *d, enum tp_diag_level level, const char *input, uint64_t offset,
	struct tp_slice text)
{
	struct tp_slice name = tp_slice_of(input);

	text = tp_utf8_clean(d->arena, text);

	for (struct tp_diag *it = d->first; it != NULL; it = it->next) {
		if (it->level == level && tp_slice_eq(it->input, name) && tp_slice_eq(it->text, text)) {
			it->count++;
			return;
		}
	}
	struct tp_diag *fresh = tp_new(d->arena, struct tp_diag);

	*fresh = (struct tp_diag){
		.level = level,
		.input = tp_utf8_clean(d->arena, tp_arena_copy(d->arena, name)),
		.offset = offset,
		.text = text,
		.count = 1,
	};
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

	va_start(args, format);
	struct tp_slice text = tp_arena_vprintf(d->arena, format, args);

	va_end(args);
	add(d, level, input, offset, text);
}

void
tp_diag_err(struct tp_diags *d, enum tp_diag_level level, const struct tp_err *err)
{
	add(d, level, err->input, err->offset, tp_arena_copy(d->arena, tp_slice_of(err->text)));
}

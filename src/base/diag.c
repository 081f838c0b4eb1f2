/* The list of diagnostics; repetitions are found by a hash. */
#include "base/diag.h"

#include "base/arena.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>

enum { MOST_DIFFERENT = 500, LONGEST_TEXT = 1024 };

void
tp_diags_init(struct tp_diags *d, struct tp_arena *keep)
{
	*d = (struct tp_diags){.arena = keep};
	d->tail = &d->first;
	/* One more of each level says that there are more. */
	d->all = tp_new_array(keep, struct tp_diag *, MOST_DIFFERENT + 2);
	tp_map_init(&d->known, keep);
}

static uint64_t
key_of(enum tp_diag_level level, struct tp_slice input, struct tp_slice text)
{
	return tp_hash_pair(tp_hash_pair(level, tp_hash_bytes(input)), tp_hash_bytes(text));
}

static bool
said_before(struct tp_diags *d, uint64_t key)
{
	uint32_t at = tp_map_get(&d->known, key);

	if (at != TP_MAP_NONE)
		d->all[at]->count++;
	return at != TP_MAP_NONE;
}

static void
add(struct tp_diags *d, enum tp_diag_level level, struct tp_slice input, uint64_t offset,
	struct tp_slice text)
{
	uint64_t key = key_of(level, input, text);

	if (said_before(d, key))
		return;
	if (d->notes + d->warnings >= MOST_DIFFERENT) {
		input = TP_S("");
		offset = TP_NO_OFFSET;
		text = level == TP_DIAG_NOTE ? TP_S("further notes are not shown")
									 : TP_S("further warnings are not shown");
		key = key_of(level, input, text);
		if (said_before(d, key))
			return;
	}
	struct tp_diag *fresh = tp_new(d->arena, struct tp_diag);

	*fresh = (struct tp_diag){
		.level = level,
		.input = tp_utf8_clean(d->arena, tp_arena_copy(d->arena, input)),
		.text = tp_utf8_clean(d->arena, tp_arena_copy(d->arena, text)),
		.offset = offset,
		.count = 1,
	};
	d->all[d->notes + d->warnings] = fresh;
	tp_map_put(&d->known, key, d->notes + d->warnings);
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

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
said_before(struct tp_diags *d, uint64_t key, uint64_t count)
{
	uint32_t at = tp_map_get(&d->known, key);

	if (at != TP_MAP_NONE)
		d->all[at]->count += count;
	return at != TP_MAP_NONE;
}

static void
add(struct tp_diags *d, struct tp_diag said)
{
	if (said_before(d, said.key, said.count))
		return;
	if (d->notes + d->warnings >= MOST_DIFFERENT) {
		said.input = TP_S("");
		said.offset = TP_NO_OFFSET;
		said.text = said.level == TP_DIAG_NOTE ? TP_S("further notes are not shown")
											   : TP_S("further warnings are not shown");
		said.key = key_of(said.level, said.input, said.text);
		if (said_before(d, said.key, said.count))
			return;
	}
	struct tp_diag *fresh = tp_new(d->arena, struct tp_diag);

	*fresh = said;
	fresh->input = tp_utf8_clean(d->arena, tp_arena_copy(d->arena, said.input));
	fresh->text = tp_utf8_clean(d->arena, tp_arena_copy(d->arena, said.text));
	fresh->next = NULL;
	d->all[d->notes + d->warnings] = fresh;
	tp_map_put(&d->known, said.key, d->notes + d->warnings);
	*d->tail = fresh;
	d->tail = &fresh->next;
	if (said.level == TP_DIAG_NOTE)
		d->notes++;
	else
		d->warnings++;
}

static void
say(struct tp_diags *d, enum tp_diag_level level, const char *input, uint64_t offset,
	const char *text)
{
	struct tp_slice of = tp_slice_of(input), what = tp_slice_of(text);

	add(d,
		(struct tp_diag){.level = level,
			.input = of,
			.offset = offset,
			.text = what,
			.count = 1,
			.key = key_of(level, of, what)});
}

void
tp_diags_join(struct tp_diags *d, const struct tp_diags *other)
{
	for (const struct tp_diag *said = other->first; said != NULL; said = said->next)
		add(d, *said);
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
	say(d, level, input, offset, text);
}

void
tp_diag_err(struct tp_diags *d, enum tp_diag_level level, const struct tp_err *err)
{
	say(d, level, err->input, err->offset, err->text);
}

/* The events of a trace read with and without ingest/torch_usual.h: both must find the same. */
#ifndef TP_TESTS_TORCH_WAYS_H
#define TP_TESTS_TORCH_WAYS_H

#include "base/arena.h"
#include "codec/json_pull.h"
#include "ingest/torch_event.h"
#include "ingest/torch_usual.h"

#include <stdlib.h>

struct torch_way {
	struct tp_arena *arena;
	struct tp_strings strings;
	struct tp_buf events; /* struct tp_torch_event */
	size_t usual;         /* how many of them were read the short way */
	struct tp_pull end;
};

/* Up to the end of the first array of events. */
static inline void
torch_way_read(struct torch_way *w, struct tp_slice text, bool with_usual)
{
	struct tp_arena *a = w->arena = tp_arena_new();
	struct tp_torch_gaps *gaps = tp_torch_gaps_new(a);
	struct tp_torch_events x;
	struct tp_torch_event e;
	struct tp_pull j;

	tp_strings_init(&w->strings, a);
	tp_torch_events_init(&x, a, a, &w->strings);
	tp_pull_open(&j, text, NULL, NULL);
	while (tp_pull_next(&j) && j.type != TP_PULL_ARRAY)
		;
	for (;;) {
		if (with_usual && tp_torch_usual_read(gaps, &x, &j, &e))
			w->usual++;
		else if (!tp_pull_item(&j) || j.type != TP_PULL_OBJECT || !tp_torch_event_read(&x, &j, &e))
			break;
		*(struct tp_torch_event *)tp_buf_add(&w->events, sizeof e) = e;
	}
	w->end = j;
	tp_pull_close(&j);
}

static inline bool
torch_way_same(const struct torch_way *a, const struct torch_way *b)
{
	if (a->events.count != b->events.count || a->strings.count != b->strings.count ||
		a->end.state != b->end.state || a->end.offset != b->end.offset ||
		a->end.non_finite_values != b->end.non_finite_values || a->end.repairs != b->end.repairs)
		return false;
	for (uint32_t i = 0; i < a->strings.count; i++) {
		if (!tp_slice_eq(a->strings.text[i], b->strings.text[i]))
			return false;
	}
	return a->events.count == 0 ||
		memcmp(a->events.data, b->events.data, a->events.count * sizeof(struct tp_torch_event)) ==
		0;
}

/* Whether both ways find the same; *usual: how many events were read the short way. The text is copied, so that a sanitizer
 * sees one byte too far. */
static inline bool
torch_ways_agree(struct tp_slice text, size_t *usual)
{
	struct torch_way ways[2] = {{.usual = 0}, {.usual = 0}};
	char *copy = malloc(text.len + (text.len == 0));

	if (text.len != 0)
		memcpy(copy, text.ptr, text.len);
	for (int i = 0; i < 2; i++)
		torch_way_read(&ways[i], (struct tp_slice){copy, text.len}, i == 1);
	bool same = torch_way_same(&ways[0], &ways[1]);

	*usual = ways[1].usual;
	for (int i = 0; i < 2; i++) {
		tp_buf_free(&ways[i].events);
		tp_arena_free(ways[i].arena);
	}
	free(copy);
	return same;
}

#endif

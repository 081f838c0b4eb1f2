/* Shapes as HLO prints them: written. */
#include "model/shape.h"

#include "base/arena.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* Text that is first measured (at NULL), then written. */
struct text {
	char *at;
	size_t length;
	bool numbered; /* members of tuples */
};

static void __attribute__((format(printf, 2, 3))) put(struct text *out, const char *format, ...)
{
	char buf[64];
	va_list args;

	va_start(args, format);
	int length = vsnprintf(buf, sizeof buf, format, args);
	va_end(args);
	if (out->at != NULL)
		memcpy(out->at + out->length, buf, (size_t)length);
	out->length += (size_t)length;
}

static void
put_tiles(struct text *out, const struct tp_layout *l)
{
	if (l->tile_count != 0)
		put(out, "T");
	for (uint32_t i = 0; i < l->tile_count; i++) {
		const struct tp_shape_tile *t = l->tiles[i];

		for (uint32_t k = 0; k < t->count; k++) {
			put(out, k == 0 ? "(" : ",");
			if (t->sizes[k] == TP_TILE_COMBINE)
				put(out, "*");
			else
				put(out, "%" PRId64, t->sizes[k]);
		}
		put(out, ")");
	}
}

static bool
says_more(const struct tp_layout *l)
{
	return l->tile_count != 0 || l->tail_alignment > 1 || l->element_bits != 0 ||
		l->memory_space != 0 || l->prefix_bytes != 0;
}

static void
put_layout(struct text *out, const struct tp_layout *l, uint32_t rank)
{
	put(out, "{");
	for (uint32_t i = 0; i < rank; i++)
		put(out, "%s%" PRIu32, i == 0 ? "" : ",", l->minor_to_major[i]);
	if (says_more(l))
		put(out, ":");
	put_tiles(out, l);
	if (l->tail_alignment > 1)
		put(out, "L(%" PRIu64 ")", l->tail_alignment);
	if (l->element_bits != 0)
		put(out, "E(%" PRIu32 ")", l->element_bits);
	if (l->memory_space != 0)
		put(out, "S(%" PRId64 ")", l->memory_space);
	if (l->prefix_bytes != 0)
		put(out, "M(%" PRIu64 ")", l->prefix_bytes);
	put(out, "}");
}

static void
put_array(struct text *out, const struct tp_shape *s)
{
	struct tp_slice name = tp_element_name(s->type);

	if (name.len != 0)
		put(out, "%.*s[", TP_ARG(name));
	else
		put(out, "type%" PRIu32 "[", s->type);
	for (uint32_t i = 0; i < s->rank; i++)
		put(out, "%s%s%" PRIu64, i == 0 ? "" : ",", s->dynamic >> i & 1 ? "<=" : "", s->sizes[i]);
	put(out, "]");
	if (s->layout != NULL && (s->rank != 0 || says_more(s->layout)))
		put_layout(out, s->layout, s->rank);
}

/* Tuples are as deep as readers allow. */
static void
put_shape(struct text *out, const struct tp_shape *s)
{
	switch (s->kind) {
	case TP_SHAPE_ARRAY:
		put_array(out, s);
		return;
	case TP_SHAPE_TOKEN:
		put(out, "token[]");
		return;
	case TP_SHAPE_OPAQUE:
		put(out, "opaque[]");
		return;
	case TP_SHAPE_TUPLE:
		put(out, s->type == TP_SHAPE_BUFFER ? "b(" : "(");
		for (uint32_t i = 0; i < s->member_count; i++) {
			put(out, "%s", i == 0 ? "" : ", ");
			if (out->numbered && i != 0 && i % 5 == 0)
				put(out, "/*index=%" PRIu32 "*/", i);
			put_shape(out, &s->members[i]);
		}
		put(out, ")");
	}
}

static struct tp_slice
text_of(const struct tp_shape *s, bool numbered, struct tp_arena *arena)
{
	struct text out = {.numbered = numbered};

	put_shape(&out, s);
	out.at = tp_arena_alloc(arena, out.length + 1);
	out.length = 0;
	put_shape(&out, s);
	return (struct tp_slice){out.at, out.length};
}

struct tp_slice
tp_shape_text(const struct tp_shape *s, struct tp_arena *arena)
{
	return text_of(s, false, arena);
}

struct tp_slice
tp_shape_numbered_text(const struct tp_shape *s, struct tp_arena *arena)
{
	return text_of(s, true, arena);
}

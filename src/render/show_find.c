/* Which section of a report a word means. */
#include "base/arena.h"
#include "base/nearest.h"
#include "render/show.h"
#include "report/doc.h"

static char
lower(char c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

static bool
begins(struct tp_slice title, struct tp_slice wish)
{
	for (size_t i = 0; i < wish.len; i++) {
		if (i >= title.len || lower(title.ptr[i]) != lower(wish.ptr[i]))
			return false;
	}
	return wish.len != 0;
}

static const struct tp_block *
with_id(const struct tp_doc *doc, struct tp_slice id)
{
	for (struct tp_walk w = tp_walk_of(doc); tp_walk_next(&w);) {
		if ((w.block->kind == TP_BLOCK_SECTION || w.block->kind == TP_BLOCK_TABLE) &&
			tp_slice_eq(w.block->id, id))
			return w.block;
	}
	return NULL;
}

/* The sections whose titles begin so: the first, how many, and their ids. Of the outermost alone, or of all. */
static const struct tp_block *
with_title(const struct tp_doc *doc, struct tp_slice wish, bool outermost, size_t *count,
	struct tp_slice *ids, struct tp_arena *arena)
{
	enum { MOST_TOLD = 8 };
	const struct tp_block *first = NULL;

	*count = 0;
	for (struct tp_walk w = tp_walk_of(doc); tp_walk_next(&w);) {
		if (w.event != TP_WALK_ENTER || w.block->kind != TP_BLOCK_SECTION ||
			(outermost && w.depth != 0) || !begins(w.block->section.title, wish))
			continue;
		first = first != NULL ? first : w.block;
		if (++*count <= MOST_TOLD)
			*ids = tp_arena_printf(
				arena, "%.*s%s%.*s", TP_ARG(*ids), *count > 1 ? ", " : "", TP_ARG(w.block->id));
		else if (*count == MOST_TOLD + 1)
			*ids = tp_arena_printf(arena, "%.*s …", TP_ARG(*ids));
	}
	return first;
}

static struct tp_slice
none_message(const struct tp_doc *doc, struct tp_slice wish, struct tp_arena *arena)
{
	struct tp_nearest near = {.arena = arena, .wish = wish};
	struct tp_slice all = TP_S("");

	for (const struct tp_block *b = doc->first; b != NULL; b = b->next) {
		tp_nearest_offer(&near, b->id);
		all = tp_arena_printf(
			arena, "%.*s%s%.*s", TP_ARG(all), all.len != 0 ? ", " : "", TP_ARG(b->id));
	}
	return tp_arena_printf(arena, "no section %.*s%.*s; there are %.*s", TP_ARG(wish),
		TP_ARG(tp_nearest_words(&near, "")), TP_ARG(all));
}

const struct tp_block *
tp_show_find(const struct tp_doc *doc, struct tp_slice wish, struct tp_arena *arena,
	struct tp_slice *message)
{
	const struct tp_block *found = with_id(doc, wish);
	struct tp_slice ids = TP_S("");
	size_t count = found != NULL;

	if (found == NULL)
		found = with_title(doc, wish, true, &count, &ids, arena);
	if (found == NULL)
		found = with_title(doc, wish, false, &count, &ids, arena);
	if (count == 1)
		return found;
	*message = found == NULL
		? none_message(doc, wish, arena)
		: tp_arena_printf(arena, "%zu sections begin with %.*s; give an id: %.*s", count,
			  TP_ARG(wish), TP_ARG(ids));
	return NULL;
}

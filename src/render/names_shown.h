/* The names of one column, while it is found what is left out of them (names_alike.c, names_apart.c, names_glance.c). */
#ifndef TP_RENDER_NAMES_SHOWN_H
#define TP_RENDER_NAMES_SHOWN_H

#include "render/names_alike.h"

enum { TP_NAME_WORTH = 8 }; /* bytes; what is left out is no less */

struct tp_name {
	struct tp_slice text;
	size_t row;
	uint32_t shown; /* bytes of it in a narrow column */
	struct tp_alike alike;
	char *seen;             /* room for that many bytes */
	struct tp_slice glance; /* what is seen of it in a narrow column */
	/* Of the names with the same head; it says for them how much of the head goes at most, and where the part ends that tells them from
	 * other names (0: none does). */
	size_t first;
	uint32_t common, kept;
};

/* What is shown of a name between what is left out, and behind it. */
struct tp_slice tp_name_middle(const struct tp_name *name);
struct tp_slice tp_name_rest(const struct tp_name *name);

/* For qsort of pointers to names: by what is shown of them, then by all of them. */
int tp_names_by_shown(const void *a, const void *b);
bool tp_names_shown_alike(const struct tp_name *a, const struct tp_name *b);

/* Heads of names that would be shown alike without them, such as "a/x" and "b/x", keep the part that tells them apart. */
void tp_names_tell_apart(struct tp_name *names, size_t count, struct tp_arena *arena);

/* Names that are cut to look alike in a narrow column are cut elsewhere, if that tells them apart. What it works with is in the arena. */
void tp_names_cut_deeper(struct tp_name *names, size_t count, struct tp_arena *arena);

#endif

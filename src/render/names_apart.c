/* Names that would be shown alike without their heads. */
#include "base/arena.h"
#include "render/names_parts.h"
#include "render/names_shown.h"

#include <stdlib.h>

static uint32_t
min(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static uint32_t
max(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

struct tp_slice
tp_name_middle(const struct tp_name *name)
{
	struct tp_alike a = name->alike;

	return (struct tp_slice){name->text.ptr + a.head, a.again != 0 ? a.again - a.head : 0};
}

struct tp_slice
tp_name_rest(const struct tp_name *name)
{
	return tp_slice_from(
		name->text, name->alike.again != 0 ? name->alike.again_end : name->alike.head);
}

int
tp_names_by_shown(const void *a, const void *b)
{
	const struct tp_name *x = *(const struct tp_name *const *)a;
	const struct tp_name *y = *(const struct tp_name *const *)b;
	int order = tp_slice_cmp(tp_name_middle(x), tp_name_middle(y));

	if (order == 0)
		order = tp_slice_cmp(tp_name_rest(x), tp_name_rest(y));
	return order != 0 ? order : tp_slice_cmp(x->text, y->text);
}

bool
tp_names_shown_alike(const struct tp_name *a, const struct tp_name *b)
{
	return tp_slice_eq(tp_name_middle(a), tp_name_middle(b)) &&
		tp_slice_eq(tp_name_rest(a), tp_name_rest(b));
}

/* Different names that are shown alike, in order: what they all begin with is left out, and what tells them apart is kept. */
static void
keep_difference(struct tp_name *names, struct tp_name *const *shown, size_t count)
{
	struct tp_slice first = shown[0]->text, last = shown[count - 1]->text;
	uint32_t common = tp_name_parts(first, tp_names_common(first, last));

	if (tp_slice_eq(first, last))
		return;
	for (size_t i = 0; i < count; i++) {
		struct tp_name *name = &names[shown[i]->first];
		uint32_t head = shown[i]->alike.head, differs = common;

		for (size_t n = i > 0 ? i - 1 : 0; n < count && n <= i + 1; n++)
			if (n != i && !tp_slice_eq(shown[i]->text, shown[n]->text))
				differs = max(differs, tp_names_common(shown[i]->text, shown[n]->text));
		name->common = min(name->common, common < TP_NAME_WORTH ? 0 : common);
		name->kept = max(name->kept,
			tp_name_part_end(shown[i]->text, differs, shown[i]->text.ptr[head - 1] == '_'));
	}
}

void
tp_names_tell_apart(struct tp_name *names, size_t count, struct tp_arena *arena)
{
	struct tp_name **shown = tp_new_array(arena, struct tp_name *, count);
	size_t cut = 0;

	for (size_t i = 0; i < count; i++)
		if (names[i].alike.head != 0)
			shown[cut++] = &names[i];
	if (cut != 0)
		qsort(shown, cut, sizeof(struct tp_name *), tp_names_by_shown);
	for (size_t i = 0, next; i < cut; i = next) {
		for (next = i + 1; next < cut && tp_names_shown_alike(shown[i], shown[next]);)
			next++;
		keep_difference(names, shown + i, next - i);
	}
	for (size_t i = 0; i < count; i++) {
		struct tp_alike *a = &names[i].alike;
		const struct tp_name *first = &names[names[i].first];

		if (a->head == 0 || first->kept == 0)
			continue;
		*a = a->head >= first->kept + TP_NAME_WORTH
			? (struct tp_alike){.head = first->common, .again = first->kept, .again_end = a->head}
			: (struct tp_alike){.head = first->common};
	}
}

/* Names that are still seen alike in a narrow column: more of them goes, up to what tells them apart. */
#include "base/arena.h"
#include "render/names_parts.h"
#include "render/names_shown.h"

#include <stdlib.h>
#include <string.h>

/* Before a cut, by name: what was left out of it, and how many were seen as it was. */
struct before {
	struct tp_alike *alike;
	size_t *count;
};

/* As much of the text as there is still room for. */
static void
see(struct tp_name *name, struct tp_slice text)
{
	size_t room = name->shown - name->glance.len, length = text.len < room ? text.len : room;

	memcpy(name->seen + name->glance.len, text.ptr, length);
	name->glance.len += length;
}

static void
look(struct tp_name *name)
{
	struct tp_slice left_out = TP_S("~");

	name->glance = (struct tp_slice){name->seen, 0};
	if (name->alike.head != 0)
		see(name, left_out);
	see(name, tp_name_middle(name));
	if (name->alike.again != 0)
		see(name, left_out);
	see(name, tp_name_rest(name));
}

static int
by_glance(const void *a, const void *b)
{
	const struct tp_name *x = *(const struct tp_name *const *)a;
	const struct tp_name *y = *(const struct tp_name *const *)b;
	int order = tp_slice_cmp(x->glance, y->glance);

	return order != 0 ? order : tp_slice_cmp(x->text, y->text);
}

/* Where the names in order end that are seen as the one at `from` is. */
static size_t
end_of_glance(struct tp_name *const *order, size_t from, size_t count)
{
	size_t i = from + 1;

	while (i < count && tp_slice_eq(order[i]->glance, order[from]->glance))
		i++;
	return i;
}

static bool
is_one(struct tp_name *const *order, size_t from, size_t end)
{
	return tp_slice_eq(order[from]->text, order[end - 1]->text);
}

/* How much the name at `at`, which is there up to `end_of_name`, has in common with the others that are seen as it is. */
static uint32_t
common_of(struct tp_name *const *order, size_t from, size_t end, size_t at, size_t end_of_name)
{
	uint32_t before = at > from ? tp_names_common(order[at - 1]->text, order[at]->text) : 0;
	uint32_t after =
		end_of_name < end ? tp_names_common(order[end_of_name]->text, order[at]->text) : 0;

	return before > after ? before : after;
}

/* All goes that stands before the part that tells the name from those that have `common` bytes in common with it. */
static void
cut_before(struct tp_name *name, uint32_t common)
{
	uint32_t head = tp_name_parts_before(name->text, common, name->shown);

	if (head >= TP_NAME_WORTH && common >= name->shown)
		name->alike = (struct tp_alike){.head = head};
}

/* The same, but for the parts that there is room for. */
static void
cut_to_fit(struct tp_name *name, uint32_t common)
{
	uint32_t head = tp_name_parts_within(name->text, common, name->shown);

	if (head >= TP_NAME_WORTH && common >= name->shown)
		name->alike = (struct tp_alike){.head = head};
}

/* Names that differ in their arguments: what stands before these stays where there is room for it. */
static void
cut_arguments(struct tp_name *name, uint32_t common)
{
	uint32_t from = tp_name_arguments(name->text, common), head, word;

	if (from == 0 || common < name->shown)
		return;
	head = tp_name_parts(name->text, from);
	word = tp_name_word(name->text, common);
	if (word < from + TP_NAME_WORTH)
		return;
	name->alike = from - head + common - word + TP_NAME_DIFFERENCE < name->shown
		? (struct tp_alike){.head = head, .again = from, .again_end = word}
		: (struct tp_alike){.head = word};
}

/* Before the part that was cut to, the part that tells the name from those that have the same there; all from that part on where there is
 * no room for both. */
static void
keep_part(struct tp_name *name, uint32_t common)
{
	uint32_t head = tp_name_parts(name->text, common);
	uint32_t again = tp_name_part_end(name->text, common, false);

	if (name->alike.again != 0 || common >= name->alike.head)
		return;
	if (again - head > name->shown / 2)
		again = tp_name_part_end(name->text, common, true);
	if (again + TP_NAME_WORTH <= name->alike.head && again - head <= name->shown / 2)
		name->alike =
			(struct tp_alike){.head = head, .again = again, .again_end = name->alike.head};
	else if (head >= TP_NAME_WORTH && common - head + TP_NAME_DIFFERENCE < name->shown)
		name->alike.head = head;
}

static void
put_in_order(struct tp_name **order, size_t count)
{
	for (size_t i = 0; i < count; i++)
		look(order[i]);
	qsort(order, count, sizeof *order, by_glance);
}

/* Calls `cut` for names that are seen alike; a name that stands in several rows is cut alike in all of them. */
static void
each_alike(struct tp_name *const *order, size_t count, void (*cut)(struct tp_name *, uint32_t))
{
	for (size_t i = 0, next; i < count; i = next) {
		next = end_of_glance(order, i, count);
		if (is_one(order, i, next))
			continue;
		for (size_t at = i, end; at < next; at = end) {
			for (end = at + 1; end < next && tp_slice_eq(order[end]->text, order[at]->text);)
				end++;
			uint32_t common = common_of(order, i, next, at, end);

			for (size_t k = at; k < end; k++)
				cut(order[k], common);
		}
	}
}

/* By name: how many are seen as it is. False: no different ones are. */
static bool
count_alike(struct tp_name *const *order, size_t count, const struct tp_name *names, size_t *alike)
{
	bool any = false;

	for (size_t i = 0, next; i < count; i = next) {
		next = end_of_glance(order, i, count);
		bool one = is_one(order, i, next);

		any |= !one;
		for (size_t k = i; k < next; k++)
			alike[order[k] - names] = one ? 1 : next - i;
	}
	return any;
}

static bool
is_as_before(const struct tp_name *name, const struct tp_alike *before)
{
	return name->alike.head == before->head && name->alike.again == before->again &&
		name->alike.again_end == before->again_end;
}

/* A cut is undone where as many names are seen alike now as before. If one of these names was not cut, no cut of the others told it apart: all
 * are undone. */
static void
undo(struct tp_name *const *order, size_t count, const struct tp_name *names,
	const struct before *before)
{
	for (size_t i = 0, next; i < count; i = next) {
		bool all = false;

		next = end_of_glance(order, i, count);
		if (is_one(order, i, next))
			continue;
		for (size_t k = i; k < next; k++) {
			size_t n = (size_t)(order[k] - names);

			all |= before->count[n] <= next - i && is_as_before(order[k], &before->alike[n]);
		}
		for (size_t k = i; k < next; k++) {
			size_t n = (size_t)(order[k] - names);

			if (all || before->count[n] <= next - i)
				order[k]->alike = before->alike[n];
		}
	}
}

/* As are the cuts of different names that would be shown alike where there is room for all that is left of them. */
static void
undo_shown(
	struct tp_name **order, size_t count, const struct tp_name *names, const struct before *before)
{
	qsort(order, count, sizeof(struct tp_name *), tp_names_by_shown);
	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count && tp_names_shown_alike(order[i], order[next]);)
			next++;
		if (is_one(order, i, next))
			continue;
		for (size_t k = i; k < next; k++)
			order[k]->alike = before->alike[order[k] - names];
	}
}

void
tp_names_cut_deeper(struct tp_name *names, size_t count, struct tp_arena *arena)
{
	static void (*const cuts[])(struct tp_name *, uint32_t) = {
		cut_before, cut_arguments, cut_to_fit};
	struct tp_name **order = tp_new_array(arena, struct tp_name *, count);
	struct before before = {
		tp_new_array(arena, struct tp_alike, count), tp_new_array(arena, size_t, count)};

	for (size_t i = 0; i < count; i++) {
		order[i] = &names[i];
		names[i].seen = tp_new_array(arena, char, names[i].shown);
	}
	for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++) {
		put_in_order(order, count);
		if (!count_alike(order, count, names, before.count))
			return;
		for (size_t i = 0; i < count; i++)
			before.alike[i] = names[i].alike;
		each_alike(order, count, cuts[c]);
		put_in_order(order, count);
		each_alike(order, count, keep_part);
		put_in_order(order, count);
		undo(order, count, names, &before);
		undo_shown(order, count, names, &before);
	}
}

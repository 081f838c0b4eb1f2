#include "render/names_alike.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

enum { WORTH = 8 }; /* what is left out is no less */

struct tp_slice
tp_cell_whole_text(const struct tp_cell *cell)
{
	struct tp_slice dots = TP_S("…"), text = cell->value.text;

	if (!tp_slice_ends(text, dots))
		return text;
	return tp_slice_starts(cell->full, (struct tp_slice){text.ptr, text.len - dots.len})
		? cell->full
		: text;
}

struct name {
	struct tp_slice text;
	size_t row;
	uint32_t shown; /* bytes of it in a narrow column */
	struct tp_alike alike;
	struct tp_slice glance; /* what is seen of it in a narrow column */
	/* Of the names with the same head; it says for them how much of the head goes at most, and where the part ends that tells them from
	 * other names (0: none does). */
	size_t first;
	uint32_t common, kept;
};

static int
by_text(const void *a, const void *b)
{
	return tp_slice_cmp(((const struct name *)a)->text, ((const struct name *)b)->text);
}

uint32_t
tp_names_common(struct tp_slice a, struct tp_slice b)
{
	uint32_t i = 0;

	while (i < a.len && i < b.len && a.ptr[i] == b.ptr[i])
		i++;
	return i;
}

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

static bool
parts(char c)
{
	return c == '/' || c == ':';
}

static bool
begins_arguments(char c)
{
	return memchr("[<{", c, 3) != NULL;
}

/* How much of the first `length` bytes of a name are whole parts of it. Arguments are none: what stands before them tells more. */
static uint32_t
whole_parts(struct tp_slice name, uint32_t length)
{
	uint32_t strong = 0, weak = 0;

	for (uint32_t i = 0; i < length && !begins_arguments(name.ptr[i]); i++) {
		if (parts(name.ptr[i]))
			strong = i + 1;
		else if (name.ptr[i] == '_')
			weak = i + 1;
	}
	return strong != 0 ? strong : weak;
}

/* How much of the first `length` bytes of a name can be left out so that byte `length` is seen: of a call stack whole calls, of another
 * name whole parts, or words where the part is too long; nothing where it is within arguments. */
static uint32_t
parts_before(struct tp_slice name, uint32_t length, uint32_t shown)
{
	static const char call[] = " › ";
	enum { CALL = sizeof call - 1 };
	uint32_t strong = whole_parts(name, length), weak = length;

	for (uint32_t i = length; i >= CALL; i--) {
		if (memcmp(name.ptr + i - CALL, call, CALL) == 0)
			return i;
	}
	for (uint32_t i = 0; i < length; i++) {
		if (begins_arguments(name.ptr[i]))
			return 0;
	}
	while (weak > strong && name.ptr[weak - 1] != '_')
		weak--;
	return strong + shown / 2 > length ? strong : weak;
}

/* Where the part ends that byte `at` is in; words: of a name whose parts are words. */
static uint32_t
end_of_part(struct tp_slice name, uint32_t at, bool words)
{
	while (at < name.len && !parts(name.ptr[at]) && !(words && name.ptr[at] == '_'))
		at++;
	return at < name.len ? at + 1 : at;
}

static bool
look_alike(const struct name *a, const struct name *b)
{
	uint32_t from = a->alike.head, length = tp_names_common(a->text, b->text);

	return b->alike.head == from && (length >= from + a->shown || tp_slice_eq(a->text, b->text));
}

/* Where the names in order end that look like the one at `from`. */
static size_t
end_of_alike(const struct name *names, size_t from, size_t end)
{
	size_t i = from + 1;

	while (i < end && look_alike(&names[from], &names[i]))
		i++;
	return i;
}

/* How far the names from … end - 1 have whole parts in common; 0: they are one name. */
static uint32_t
common_parts(const struct name *names, size_t from, size_t end)
{
	struct tp_slice first = names[from].text, last = names[end - 1].text;

	return tp_slice_eq(first, last) ? 0 : whole_parts(first, tp_names_common(first, last));
}

/* Names from … end - 1 look alike behind their head, within first … last - 1, which share it. */
static void
part_again(struct name *names, size_t first, size_t last, size_t from, size_t end)
{
	struct tp_slice name = names[from].text;
	uint32_t to = common_parts(names, from, end), differs = 0, again;

	if (from > first)
		differs = tp_names_common(name, names[from - 1].text);
	if (end < last) {
		uint32_t next = tp_names_common(names[end - 1].text, names[end].text);

		differs = next > differs ? next : differs;
	}
	again = end_of_part(
		name, differs > names[from].alike.head ? differs : names[from].alike.head, false);
	for (size_t i = from; i < end && to >= again + WORTH; i++) {
		names[i].alike.again = again;
		names[i].alike.again_end = to;
	}
}

/* Names first … last - 1 look alike. */
static bool
part(struct name *names, size_t first, size_t last)
{
	uint32_t head = common_parts(names, first, last);

	if (head < WORTH)
		return false;
	for (size_t i = first; i < last; i++) {
		names[i].alike.head = head;
		names[i].first = first;
		names[i].common = head;
	}
	for (size_t i = first, next; i < last; i = next) {
		next = end_of_alike(names, i, last);
		part_again(names, first, last, i, next);
	}
	return true;
}

/* What is shown of a name between what is left out, and behind it. */
static struct tp_slice
middle_of(const struct name *name)
{
	struct tp_alike a = name->alike;

	return (struct tp_slice){name->text.ptr + a.head, a.again != 0 ? a.again - a.head : 0};
}

static struct tp_slice
rest_of(const struct name *name)
{
	return tp_slice_from(
		name->text, name->alike.again != 0 ? name->alike.again_end : name->alike.head);
}

static int
by_shown(const void *a, const void *b)
{
	const struct name *x = *(const struct name *const *)a, *y = *(const struct name *const *)b;
	int order = tp_slice_cmp(middle_of(x), middle_of(y));

	if (order == 0)
		order = tp_slice_cmp(rest_of(x), rest_of(y));
	return order != 0 ? order : tp_slice_cmp(x->text, y->text);
}

static bool
shown_alike(const struct name *a, const struct name *b)
{
	return tp_slice_eq(middle_of(a), middle_of(b)) && tp_slice_eq(rest_of(a), rest_of(b));
}

/* Different names that are shown alike, in order: what they all begin with is left out, and what tells them apart is kept. */
static void
keep_difference(struct name *names, struct name *const *shown, size_t count)
{
	struct tp_slice first = shown[0]->text, last = shown[count - 1]->text;
	uint32_t common = whole_parts(first, tp_names_common(first, last));

	if (tp_slice_eq(first, last))
		return;
	for (size_t i = 0; i < count; i++) {
		struct name *name = &names[shown[i]->first];
		uint32_t head = shown[i]->alike.head, differs = common;

		for (size_t n = i > 0 ? i - 1 : 0; n < count && n <= i + 1; n++)
			if (n != i && !tp_slice_eq(shown[i]->text, shown[n]->text))
				differs = max(differs, tp_names_common(shown[i]->text, shown[n]->text));
		name->common = min(name->common, common < WORTH ? 0 : common);
		name->kept = max(
			name->kept, end_of_part(shown[i]->text, differs, shown[i]->text.ptr[head - 1] == '_'));
	}
}

/* Heads of names that would be shown alike without them, such as "a/x" and "b/x", keep the part that tells them apart. */
static void
tell_apart(struct name *names, size_t count, struct tp_arena *arena)
{
	struct name **shown = tp_new_array(arena, struct name *, count);
	size_t cut = 0;

	for (size_t i = 0; i < count; i++)
		if (names[i].alike.head != 0)
			shown[cut++] = &names[i];
	if (cut != 0)
		qsort(shown, cut, sizeof(struct name *), by_shown);
	for (size_t i = 0, next; i < cut; i = next) {
		for (next = i + 1; next < cut && shown_alike(shown[i], shown[next]);)
			next++;
		keep_difference(names, shown + i, next - i);
	}
	for (size_t i = 0; i < count; i++) {
		struct tp_alike *a = &names[i].alike;
		const struct name *first = &names[names[i].first];

		if (a->head == 0 || first->kept == 0)
			continue;
		*a = a->head >= first->kept + WORTH
			? (struct tp_alike){.head = first->common, .again = first->kept, .again_end = a->head}
			: (struct tp_alike){.head = first->common};
	}
}

static struct tp_slice
first_of(struct tp_slice text, uint32_t bytes)
{
	return (struct tp_slice){text.ptr, min((uint32_t)text.len, bytes)};
}

static void
look(struct name *name, struct tp_arena *arena)
{
	struct tp_slice middle = first_of(middle_of(name), name->shown);
	struct tp_slice rest = first_of(rest_of(name), name->shown);
	const char *left_out = name->alike.head != 0 ? "~" : "";
	const char *again = name->alike.again != 0 ? "~" : "";

	name->glance = first_of(
		tp_arena_printf(arena, "%s%.*s%s%.*s", left_out, TP_ARG(middle), again, TP_ARG(rest)),
		name->shown);
}

static int
by_glance(const void *a, const void *b)
{
	const struct name *x = *(const struct name *const *)a, *y = *(const struct name *const *)b;
	int order = tp_slice_cmp(x->glance, y->glance);

	return order != 0 ? order : tp_slice_cmp(x->text, y->text);
}

/* Where the names in order end that are seen as the one at `from` is. */
static size_t
end_of_glance(struct name *const *order, size_t from, size_t count)
{
	size_t i = from + 1;

	while (i < count && tp_slice_eq(order[i]->glance, order[from]->glance))
		i++;
	return i;
}

static bool
is_one(struct name *const *order, size_t from, size_t end)
{
	return tp_slice_eq(order[from]->text, order[end - 1]->text);
}

/* Of names that are still seen alike all goes that stands before what tells them apart; not where others would be seen alike then. */
static void
cut_deeper(struct name *names, size_t count, struct tp_arena *arena)
{
	struct name **order = tp_new_array(arena, struct name *, count);
	struct tp_alike *before = tp_new_array(arena, struct tp_alike, count);

	for (size_t i = 0; i < count; i++) {
		look(&names[i], arena);
		before[i] = names[i].alike;
		order[i] = &names[i];
	}
	qsort(order, count, sizeof *order, by_glance);
	for (size_t i = 0, next; i < count; i = next) {
		next = end_of_glance(order, i, count);
		for (size_t k = i; k < next && !is_one(order, i, next); k++) {
			uint32_t common = 0;

			for (size_t n = k > i ? k - 1 : i; n < next && n <= k + 1; n++)
				if (!tp_slice_eq(order[n]->text, order[k]->text))
					common = max(common, tp_names_common(order[n]->text, order[k]->text));
			uint32_t head = parts_before(order[k]->text, common, order[k]->shown);

			if (head >= WORTH && common >= order[k]->shown)
				order[k]->alike = (struct tp_alike){.head = head};
		}
	}
	for (size_t i = 0; i < count; i++)
		look(&names[i], arena);
	qsort(order, count, sizeof *order, by_glance);
	for (size_t i = 0, next; i < count; i = next) {
		next = end_of_glance(order, i, count);
		for (size_t k = i; k < next && !is_one(order, i, next); k++)
			order[k]->alike = before[order[k] - names];
	}
}

static size_t
names_of(const struct tp_table *table, size_t column, uint32_t shown, struct name *names)
{
	size_t count = 0;

	for (size_t i = 0; i < table->row_count; i++) {
		const struct tp_cell *cell = &table->rows[i].cells[column];

		if (table->rows[i].role == TP_ROW_NORMAL && cell->value.kind == TP_VALUE_TEXT)
			names[count++] =
				(struct name){.text = tp_cell_whole_text(cell), .row = i, .shown = shown};
	}
	if (count != 0)
		qsort(names, count, sizeof *names, by_text);
	return count;
}

struct tp_alike *
tp_names_alike(const struct tp_table *table, size_t column, uint32_t shown, struct tp_arena *arena)
{
	if (!table->columns[column].code)
		return NULL;
	struct name *names = tp_new_array(arena, struct name, table->row_count);
	struct tp_alike *alike = tp_new_array(arena, struct tp_alike, table->row_count);
	size_t count = names_of(table, column, shown, names);
	bool any = false;

	for (size_t i = 0, next; i < count; i = next) {
		next = end_of_alike(names, i, count);
		any |= part(names, i, next);
	}
	tell_apart(names, count, arena);
	if (any)
		cut_deeper(names, count, arena);
	for (size_t i = 0; i < count; i++)
		alike[names[i].row] = names[i].alike;
	return any ? alike : NULL;
}

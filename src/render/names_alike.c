#include "render/names_alike.h"

#include "base/arena.h"
#include "render/names_parts.h"
#include "render/names_shown.h"

#include <stdlib.h>

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

static int
by_text(const void *a, const void *b)
{
	return tp_slice_cmp(((const struct tp_name *)a)->text, ((const struct tp_name *)b)->text);
}

static bool
look_alike(const struct tp_name *a, const struct tp_name *b)
{
	uint32_t from = a->alike.head, length = tp_names_common(a->text, b->text);

	return b->alike.head == from && (length >= from + a->shown || tp_slice_eq(a->text, b->text));
}

/* Where the names in order end that look like the one at `from`. */
static size_t
end_of_alike(const struct tp_name *names, size_t from, size_t end)
{
	size_t i = from + 1;

	while (i < end && look_alike(&names[from], &names[i]))
		i++;
	return i;
}

/* How far the names from … end - 1 have whole parts in common; 0: they are one name. */
static uint32_t
common_parts(const struct tp_name *names, size_t from, size_t end)
{
	struct tp_slice first = names[from].text, last = names[end - 1].text;

	return tp_slice_eq(first, last) ? 0 : tp_name_parts(first, tp_names_common(first, last));
}

/* Names from … end - 1 look alike behind their head, within first … last - 1, which share it. */
static void
part_again(struct tp_name *names, size_t first, size_t last, size_t from, size_t end)
{
	struct tp_slice name = names[from].text;
	uint32_t to = common_parts(names, from, end), differs = 0, again;

	if (from > first)
		differs = tp_names_common(name, names[from - 1].text);
	if (end < last) {
		uint32_t next = tp_names_common(names[end - 1].text, names[end].text);

		differs = next > differs ? next : differs;
	}
	again = tp_name_part_end(
		name, differs > names[from].alike.head ? differs : names[from].alike.head, false);
	for (size_t i = from; i < end && to >= again + TP_NAME_WORTH; i++) {
		names[i].alike.again = again;
		names[i].alike.again_end = to;
	}
}

/* Names first … last - 1 look alike. */
static bool
part(struct tp_name *names, size_t first, size_t last)
{
	uint32_t head = common_parts(names, first, last);

	if (head < TP_NAME_WORTH)
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

static size_t
names_of(const struct tp_table *table, size_t column, uint32_t shown, struct tp_name *names)
{
	size_t count = 0;

	for (size_t i = 0; i < table->row_count; i++) {
		const struct tp_cell *cell = &table->rows[i].cells[column];

		if (table->rows[i].role == TP_ROW_NORMAL && cell->value.kind == TP_VALUE_TEXT)
			names[count++] =
				(struct tp_name){.text = tp_cell_whole_text(cell), .row = i, .shown = shown};
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
	struct tp_arena *work = tp_arena_new(); /* a table may have millions of rows */
	struct tp_name *names = tp_new_array(work, struct tp_name, table->row_count);
	struct tp_alike *alike = tp_new_array(arena, struct tp_alike, table->row_count);
	size_t count = names_of(table, column, shown, names);
	bool any = false;

	for (size_t i = 0, next; i < count; i = next) {
		next = end_of_alike(names, i, count);
		any |= part(names, i, next);
	}
	tp_names_tell_apart(names, count, work);
	if (any)
		tp_names_cut_deeper(names, count, work);
	for (size_t i = 0; i < count; i++)
		alike[names[i].row] = names[i].alike;
	tp_arena_free(work);
	return any ? alike : NULL;
}

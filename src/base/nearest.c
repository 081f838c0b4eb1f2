/* Judging how near names are: letters that differ, up to a few, in a band along the diagonal of the usual table. */
#include "base/nearest.h"

#include "base/arena.h"

enum { MOST_EDITS = 3, HOLDS_IT, SAME_STEM, FAR, LONGEST = 128 };

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Whether the last two of the first i and j letters are the same two, the other way round. */
static bool
swaps(struct tp_slice a, size_t i, struct tp_slice b, size_t j)
{
	return i > 1 && j > 1 && a.ptr[i - 1] == b.ptr[j - 2] && a.ptr[i - 2] == b.ptr[j - 1];
}

/* How many letters are to be put in, taken out or changed, or neighbours swapped; FAR for more than MOST_EDITS. */
static unsigned
edits(struct tp_slice a, struct tp_slice b)
{
	enum { BAND = 2 * MOST_EDITS + 1 };
	/* row[k]: edits between the first i letters of a and the first i + k - MOST_EDITS of b. */
	unsigned row[BAND + 1], above[BAND + 1] = {0}; /* above: the row before it */
	size_t apart = a.len > b.len ? a.len - b.len : b.len - a.len;

	if (apart > MOST_EDITS || a.len > LONGEST || b.len > LONGEST)
		return FAR;
	for (unsigned k = 0; k <= BAND; k++)
		row[k] = k >= MOST_EDITS && k < BAND ? k - MOST_EDITS : FAR;
	for (size_t i = 1; i <= a.len; i++) {
		unsigned before = FAR, nearest = FAR;

		for (unsigned k = 0; k < BAND; k++) {
			size_t j = i + k; /* of b, MOST_EDITS too much */
			unsigned cost = FAR;

			if (j >= MOST_EDITS && j - MOST_EDITS <= b.len) {
				bool first = j == MOST_EDITS; /* nothing of b */

				cost = row[k + 1] + 1;
				if (!first)
					cost = least(cost,
						least(before + 1, row[k] + (a.ptr[i - 1] != b.ptr[j - MOST_EDITS - 1])));
				if (swaps(a, i, b, first ? 0 : j - MOST_EDITS))
					cost = least(cost, above[k] + 1);
			}
			above[k] = row[k];
			before = row[k] = least(cost, FAR);
			nearest = least(nearest, before);
		}
		if (nearest == FAR)
			return FAR;
	}
	unsigned last = row[MOST_EDITS + b.len - a.len];

	return last <= MOST_EDITS ? last : FAR;
}

/* What stands before the last dot; all when there is none. */
static struct tp_slice
stem(struct tp_slice name)
{
	const char *dot = name.len != 0 ? memrchr(name.ptr, '.', name.len) : NULL;

	return dot != NULL ? (struct tp_slice){name.ptr, (size_t)(dot - name.ptr)} : name;
}

static unsigned
distance(struct tp_slice wish, struct tp_slice name)
{
	unsigned changed = edits(wish, name);

	/* In short names any letter may be another. */
	if (changed <= MOST_EDITS && changed * 2 < wish.len)
		return changed;
	if (wish.len > 1 && tp_slice_has(name, wish))
		return HOLDS_IT;
	return stem(wish).len != 0 && tp_slice_eq(stem(wish), stem(name)) ? SAME_STEM : FAR;
}

void
tp_nearest_offer(struct tp_nearest *n, struct tp_slice name)
{
	unsigned away = distance(n->wish, name), at = n->count;

	if (away == FAR)
		return;
	for (unsigned i = 0; i < n->count; i++) {
		if (tp_slice_eq(n->names[i], name))
			return;
	}
	while (at > 0 && n->distances[at - 1] > away)
		at--;
	if (at == TP_NEAREST_MOST)
		return;
	if (n->count < TP_NEAREST_MOST)
		n->count++;
	for (unsigned i = n->count - 1; i > at; i--) {
		n->names[i] = n->names[i - 1];
		n->distances[i] = n->distances[i - 1];
	}
	n->names[at] = tp_arena_copy(n->arena, name);
	n->distances[at] = away;
}

static struct tp_slice
listed(const struct tp_nearest *n, const char *before)
{
	struct tp_slice text = TP_S("");

	for (unsigned i = 0; i < n->count; i++)
		text = tp_arena_printf(n->arena, "%.*s%s%s%.*s", TP_ARG(text), i != 0 ? ", " : "", before,
			TP_ARG(n->names[i]));
	return text;
}

struct tp_slice
tp_nearest_text(const struct tp_nearest *n)
{
	return listed(n, "");
}

struct tp_slice
tp_nearest_words(const struct tp_nearest *n, const char *before)
{
	if (n->count == 0)
		return TP_S("");
	return tp_arena_printf(
		n->arena, "; near %s %.*s", n->count == 1 ? "is" : "are", TP_ARG(listed(n, before)));
}

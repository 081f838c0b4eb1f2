/* Which of the earlier runs say how much runs of this program differ. */
#include "base/arena.h"
#include "compare/context.h"

/* In whatever form a report is: all figures that both tell are the same to the last digit, which no two runs are. */
bool
tp_is_same_run(const struct tp_doc *a, const struct tp_doc *b)
{
	size_t count = 0;

	if (a == NULL || b == NULL)
		return false;
	for (const struct tp_metric *m = a->metrics; m != NULL; m = m->next) {
		const struct tp_metric *other = tp_doc_find_metric(b, m->id);
		char buf[TP_VALUE_BUF], other_buf[TP_VALUE_BUF];

		if (other == NULL || tp_slice_has(m->id, TP_S("@")) || !tp_known(m->value))
			continue;
		if (!tp_slice_eq(tp_value_raw(m->value, buf), tp_value_raw(other->value, other_buf)))
			return false;
		count++;
	}
	return count != 0;
}

static bool
is_counted(const struct tp_compare_wish *wish, const struct tp_doc *const *kept, size_t count,
	const struct tp_doc *doc)
{
	bool found = tp_is_same_run(wish->a, doc) || tp_is_same_run(wish->b, doc);

	for (size_t i = 0; i < count && !found; i++)
		found = tp_is_same_run(kept[i], doc);
	return found;
}

static bool
is_comparable(const struct tp_doc *a, const struct tp_doc *b, struct tp_arena *arena)
{
	const struct tp_compare_wish pair = {.a = a, .b = b};
	struct tp_comparison c = {.wish = &pair, .arena = arena};

	tp_compare_facts(&c);
	return c.not_comparable.len == 0;
}

void
tp_baselines_settle(struct tp_compare_wish *wish, struct tp_arena *arena)
{
	const struct tp_doc **kept = tp_new_array(arena, const struct tp_doc *, wish->baseline_count);
	size_t count = 0;

	for (size_t i = 0; i < wish->baseline_count; i++) {
		if (is_counted(wish, kept, count, wish->baselines[i]))
			wish->counted_already++;
		else if (!is_comparable(wish->a, wish->baselines[i], arena))
			wish->incomparable++;
		else
			kept[count++] = wish->baselines[i];
	}
	wish->baselines = kept;
	wish->baseline_count = count;
}

/* Whether runs of a history are runs of one program on one kind of machine. */
#include "compare/trend.h"

#include "base/arena.h"
#include "compare/context.h"

/* Adds what is not said yet. */
static struct tp_slice
add(struct tp_slice said, struct tp_slice what, struct tp_arena *arena)
{
	if (tp_slice_has(said, what))
		return said;
	return said.len == 0 ? what : tp_arena_printf(arena, "%.*s, %.*s", TP_ARG(said), TP_ARG(what));
}

struct tp_trend_mixed
tp_trend_mixed(const struct tp_trend_run *runs, size_t count, struct tp_arena *arena)
{
	const struct tp_doc *newest = runs[count - 1].doc;
	struct tp_trend_mixed mixed = {.what = TP_S("")};

	for (size_t i = 0; i + 1 < count; i++) {
		const struct tp_compare_wish pair = {.a = runs[i].doc, .b = newest};
		struct tp_comparison c = {.wish = &pair, .arena = arena};
		bool other_job = !tp_slice_eq(runs[i].doc->name, newest->name);

		tp_compare_facts(&c);
		mixed.count += other_job || c.not_comparable.len != 0;
		if (other_job)
			mixed.what = add(mixed.what, TP_S("the job"), arena);
		if (c.not_comparable.len != 0)
			mixed.what = add(mixed.what, c.not_comparable, arena);
	}
	return mixed;
}

/* One fact of both runs. */
#include "base/arena.h"
#include "compare/context.h"

void
tp_compare_add_fact(struct tp_comparison *c, struct tp_slice what, struct tp_slice a,
	struct tp_slice b, bool differs, const char *blocks)
{
	struct tp_fact *f = &c->facts[c->fact_count];

	/* What only one of them tells decides nothing. */
	bool decides = differs && blocks != NULL && a.len != 0 && b.len != 0;

	if (a.len == 0 && b.len == 0)
		return;
	*f = (struct tp_fact){.what = what, .a = a, .b = b, .differs = differs, .decides = decides};
	c->fact_count++;
	if (decides)
		c->not_comparable = c->not_comparable.len == 0
			? tp_slice_of(blocks)
			: tp_arena_printf(c->arena, "%.*s, %s", TP_ARG(c->not_comparable), blocks);
}

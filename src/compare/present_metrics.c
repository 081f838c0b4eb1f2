/* Every metric of both reports, what became of it, and what decided. */
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/order.h"
#include "compare/context.h"
#include "report/column.h"

struct cells {
	struct tp_cell metric, a, b, change, share, low, high, verdict, decided, id;
};

static const struct tp_column columns[] = {
	TP_COLUMN("metric", "Metric"),
	TP_COLUMN("a", "A"),
	TP_COLUMN("b", "B"),
	TP_COLUMN("change", "Change"),
	TP_SHARE_COLUMN("change_share", "Change", .change = true),
	TP_SHARE_COLUMN("low_share", "Noise from", .change = true),
	TP_SHARE_COLUMN("high_share", "Noise to", .change = true),
	TP_COLUMN("verdict", "Verdict"),
	TP_COLUMN("decided_by", "Decided by"),
	TP_COLUMN("id", "Id", .code = true),
};
TP_CELLS_ARE_COLUMNS(struct cells, columns);

static struct tp_value
text_of(const struct tp_comparison *c, struct tp_value value)
{
	char buf[TP_VALUE_BUF];

	return tp_text_value(tp_arena_copy(c->arena, tp_value_text(value, buf)));
}

/* What a figure of this unit says of the thing that it is named after; NULL: nothing that tells it from others. */
static const char *
quantity_of(enum tp_unit unit)
{
	static const struct {
		enum tp_unit unit;
		const char *quantity;
	} known[] = {
		{TP_UNIT_SHARE, "share"},
		{TP_UNIT_COUNT, "count"},
		{TP_UNIT_NONE, "count"},
		{TP_UNIT_PS, "time"},
		{TP_UNIT_NS, "time"},
		{TP_UNIT_US, "time"},
		{TP_UNIT_MS, "time"},
		{TP_UNIT_S, "time"},
		{TP_UNIT_BYTES, "size"},
		{TP_UNIT_KIB, "size"},
		{TP_UNIT_MIB, "size"},
		{TP_UNIT_GIB, "size"},
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (known[i].unit == unit)
			return known[i].quantity;
	}
	return NULL;
}

/* Time and share of one class have one label in a report, where each stands with its unit; in one table "Idle, time" and "Idle, share". */
static struct tp_slice
distinct_label(const struct tp_comparison *c, const struct tp_change *change)
{
	const char *quantity = quantity_of(change->b.unit);
	bool is_unique = true, is_told = quantity != NULL;

	for (size_t i = 0; i < c->change_count; i++) {
		const struct tp_change *other = &c->changes[i];

		if (other == change || !tp_slice_eq(other->label, change->label))
			continue;
		is_unique = false;
		is_told = is_told && quantity_of(other->b.unit) != quantity;
	}
	return is_unique ? change->label
		: is_told
		? tp_arena_printf(c->arena, "%.*s, %s", TP_ARG(change->label), quantity)
		: tp_arena_printf(c->arena, "%.*s (%.*s)", TP_ARG(change->label), TP_ARG(change->id));
}

/* What runs of the same program may differ from A. */
static struct tp_value
edge(const struct tp_comparison *c, const struct tp_change *change, double edge)
{
	double a = tp_value_in(change->a, change->b.unit);

	return tp_number_or(change->has_expected && a > 0 ? edge / a - 1 : NAN, TP_UNIT_SHARE,
		tp_change_why_unknown(c));
}

static void
put(struct tp_comparison *c, struct tp_draft *draft, const struct tp_change *change)
{
	struct cells *cells = (void *)tp_draft_row(draft, change->id, TP_ROW_NORMAL, 0);
	enum tp_unit unit = change->b.unit;

	cells->metric.value = tp_text_value(distinct_label(c, change));
	cells->a.value = text_of(c, change->a);
	cells->b.value = text_of(c, change->b);
	/* Of shares the difference is one of percentage points. */
	cells->change.value = tp_text_value(unit == TP_UNIT_SHARE
			? tp_signed_change(c->arena, change->a, change->b)
			: tp_signed_text(c->arena, tp_number(change->difference, unit)));
	cells->share.value = tp_number_or(change->share, TP_UNIT_SHARE, TP_S("it is 0 in A"));
	cells->low.value = edge(c, change, change->expected.low);
	cells->high.value = edge(c, change, change->expected.high);
	cells->verdict.value = tp_text_value(tp_change_word(change));
	cells->verdict.judge = tp_change_judge(change->verdict);
	cells->decided.value = tp_text_value(change->decided_by);
	cells->id.value = tp_text_value(change->id);
}

/* Changes first, then what cannot be decided, then what is equal. */
static int
rank(const struct tp_change *change)
{
	switch (change->verdict) {
	case TP_CHANGE_WORSE:
		return 0;
	case TP_CHANGE_BETTER:
		return 1;
	case TP_CHANGE_UNDECIDED:
		return 2;
	case TP_CHANGE_OTHER:
		return 3;
	case TP_CHANGE_SAME:
		break;
	}
	return 4;
}

/* Its place among the headline figures; behind all when it is none. */
static size_t
headline(const struct tp_change *change)
{
	size_t i = 0;

	while (i < tp_headline_count && !tp_slice_eq(change->id, tp_slice_of(tp_headlines[i].id)))
		i++;
	return i;
}

TP_ORDER_POINTERS(most_telling_first, struct tp_change,
	(headline(a) > headline(b)) - (headline(a) < headline(b)), rank(a) - rank(b), TP_AS_THEY_STAND);

void
tp_compare_present_metrics(struct tp_comparison *c)
{
	struct tp_block *section = tp_doc_section(c->doc, NULL, TP_SECTION_MAIN, "metrics", "Metrics");
	struct tp_draft draft = TP_DRAFT_TABLE(c->doc, section, "metrics/table", columns);
	const struct tp_change **order =
		tp_new_array(c->arena, const struct tp_change *, c->change_count);
	size_t counts[5] = {0};

	for (size_t i = 0; i < c->change_count; i++) {
		order[i] = &c->changes[i];
		counts[rank(order[i])]++;
	}
	qsort(order, c->change_count, sizeof *order, most_telling_first);
	for (size_t i = 0; i < c->change_count; i++)
		put(c, &draft, order[i]);
	struct tp_table *t = tp_draft_finish(&draft, c->wish->top);

	t->caption = TP_S("Metrics that both reports have");
	section->section.key_figure =
		tp_text_value(tp_arena_printf(c->arena, "%zu changed", counts[0] + counts[1]));
	section->section.answer = TP_SAY(c->doc,
		"{} got worse, {} better, {} differ and cannot be judged, {} differ and are neither, {} are equal or within the noise.",
		tp_count(counts[0]), tp_count(counts[1]), tp_count(counts[2]), tp_count(counts[3]),
		tp_count(counts[4]));
}

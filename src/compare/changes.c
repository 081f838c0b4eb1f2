/* What became of each metric, and whether that is more than runs of the same program differ anyway. */
#include <math.h>

#include "base/arena.h"
#include "compare/context.h"
#include "compare/look.h"

/* Steps of both runs, in milliseconds. */
static size_t
steps_of(const struct tp_doc *doc, struct tp_arena *arena, double **out)
{
	const struct tp_table *t = tp_look_table(doc, "steps/each");
	size_t column = t != NULL ? tp_look_column(t, "time_ms") : 0, count = 0;

	*out = tp_new_array(arena, double, t != NULL ? t->row_count : 0);
	for (size_t i = 0; t != NULL && i < t->row_count; i++) {
		double ms = tp_look_number(t, i, column, TP_UNIT_MS);

		if (ms > 0)
			(*out)[count++] = ms;
	}
	return count;
}

/* How far the change of the median step is certain from the steps of both runs. */
static void
set_interval(const struct tp_comparison *c, struct tp_change *change)
{
	enum { PERCENT = 95 };
	double *a, *b;

	if (!tp_slice_eq(change->id, TP_S("step.time.p50_ms")))
		return;
	size_t a_count = steps_of(c->wish->a, c->arena, &a);
	size_t b_count = steps_of(c->wish->b, c->arena, &b);

	change->has_interval =
		tp_ratio_of_medians(a, a_count, b, b_count, PERCENT / 100.0, c->arena, &change->interval);
	change->interval.low -= 1;
	change->interval.high -= 1;
}

/* What the earlier runs, A among them, let expect of one more. */
static void
set_expected(const struct tp_comparison *c, struct tp_change *change)
{
	const struct tp_compare_wish *wish = c->wish;
	double *figures = tp_new_array(c->arena, double, wish->baseline_count + 1);
	size_t count = 0;

	figures[count++] = tp_value_in(change->a, change->b.unit);
	for (size_t i = 0; i < wish->baseline_count; i++) {
		const struct tp_metric *m = tp_doc_find_metric(wish->baselines[i], change->id);
		double figure = m != NULL ? tp_value_in(m->value, change->b.unit) : NAN;

		if (isfinite(figure))
			figures[count++] = figure;
	}
	change->has_expected = tp_expect(figures, count, wish->level, &change->expected);
}

static enum tp_change_verdict
changed(const struct tp_change *change)
{
	if (change->direction == TP_NO_DIRECTION)
		return TP_CHANGE_OTHER;
	return (change->difference < 0) == (change->direction == TP_LOWER_IS_BETTER) ? TP_CHANGE_BETTER
																				 : TP_CHANGE_WORSE;
}

static void
decide(const struct tp_comparison *c, struct tp_change *change)
{
	double b = tp_value_in(change->b, change->b.unit);

	if (change->difference == 0) {
		change->verdict = TP_CHANGE_SAME;
		change->decided_by = TP_S("same figure");
	} else if (change->direction == TP_NO_DIRECTION) {
		change->verdict = TP_CHANGE_OTHER;
		change->decided_by = TP_S("neither is better");
	} else if (c->not_comparable.len != 0) {
		change->verdict = TP_CHANGE_UNDECIDED;
		change->decided_by = TP_S("the runs are not comparable");
	} else if (change->has_expected) {
		bool within = b >= change->expected.low && b <= change->expected.high;

		change->verdict = within ? TP_CHANGE_SAME : changed(change);
		change->decided_by = tp_arena_printf(c->arena, "%zu runs", change->expected.runs);
	} else if (isfinite(c->wish->floor)) {
		change->verdict = fabs(change->share) <= c->wish->floor ? TP_CHANGE_SAME : changed(change);
		change->decided_by = TP_S("floor");
	} else {
		change->verdict = TP_CHANGE_UNDECIDED;
		change->decided_by = TP_S("run-to-run noise unknown");
	}
}

void
tp_compare_metrics(struct tp_comparison *c)
{
	const struct tp_compare_wish *wish = c->wish;

	c->changes = tp_new_array(c->arena, struct tp_change, wish->a->metric_count);
	for (const struct tp_metric *m = wish->a->metrics; m != NULL; m = m->next) {
		const struct tp_metric *other = tp_doc_find_metric(wish->b, m->id);
		struct tp_change *change = &c->changes[c->change_count];

		if (other == NULL || tp_slice_has(m->id, TP_S("@")))
			continue;
		*change =
			(struct tp_change){.id = m->id, .label = m->label, .a = m->value, .b = other->value};
		double a = tp_value_in(m->value, other->value.unit);
		double b = tp_value_in(other->value, other->value.unit);

		if (!isfinite(a) || !isfinite(b))
			continue;
		c->change_count++;
		change->direction = tp_metric_direction(m->id);
		change->difference = b - a;
		change->share = a != 0 ? b / a - 1 : NAN;
		set_interval(c, change);
		set_expected(c, change);
		decide(c, change);
	}
}

const struct tp_change *
tp_change_of(const struct tp_comparison *c, const char *id)
{
	for (size_t i = 0; i < c->change_count; i++) {
		if (tp_slice_eq(c->changes[i].id, tp_slice_of(id)))
			return &c->changes[i];
	}
	return NULL;
}

struct tp_slice
tp_change_why_unknown(const struct tp_comparison *c)
{
	const struct tp_compare_wish *wish = c->wish;
	size_t given = wish->baseline_count + wish->counted_already + wish->incomparable;
	struct tp_slice left_out = {NULL, 0};

	if (given == 0)
		return TP_S("give two or more further runs of A's program with --baseline, or a --floor");
	if (wish->baseline_count + 1 >= TP_EXPECTED_LEAST_RUNS)
		return TP_S("too few of the baselines have this figure");
	if (wish->counted_already != 0)
		left_out = tp_arena_printf(c->arena, ", %zu %s A, B or another baseline again",
			wish->counted_already, tp_plural(wish->counted_already, "is", "are"));
	if (wish->incomparable != 0)
		left_out = tp_arena_printf(
			c->arena, "%.*s, %zu cannot be compared with A", TP_ARG(left_out), wish->incomparable);
	return tp_arena_printf(c->arena,
		"two or more baselines besides A are needed; of %zu given %zu %s%.*s", given,
		wish->baseline_count, tp_plural(wish->baseline_count, "counts", "count"), TP_ARG(left_out));
}

enum tp_judge
tp_change_judge(enum tp_change_verdict verdict)
{
	static const enum tp_judge judges[] = {
		[TP_CHANGE_SAME] = TP_JUDGE_GOOD,
		[TP_CHANGE_BETTER] = TP_JUDGE_GOOD,
		[TP_CHANGE_WORSE] = TP_JUDGE_BAD,
		[TP_CHANGE_OTHER] = TP_JUDGE_NONE,
		[TP_CHANGE_UNDECIDED] = TP_JUDGE_UNDECIDED,
	};

	return judges[verdict];
}

struct tp_slice
tp_change_word(const struct tp_change *change)
{
	bool time = tp_slice_starts(change->id, TP_S("step.time."));

	switch (change->verdict) {
	case TP_CHANGE_SAME:
		return TP_S("same");
	case TP_CHANGE_UNDECIDED:
		return TP_S("undecided");
	case TP_CHANGE_BETTER:
	case TP_CHANGE_WORSE:
	case TP_CHANGE_OTHER:
		break;
	}
	if (time)
		return change->difference > 0 ? TP_S("slower") : TP_S("faster");
	return change->difference > 0 ? TP_S("more") : TP_S("less");
}

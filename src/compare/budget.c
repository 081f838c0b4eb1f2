/* A budget judged: each metric against its limits and, where there are baselines, against what they let expect. */
#include "compare/budget.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "compare/context.h"

/* One limit of a metric, in the unit of the run's figure. */
struct question {
	double value, base, limit;
	bool above;                  /* the value should not be above the limit; else not below */
	bool from_base;              /* the limit moves with the baseline, so noise counts */
	struct tp_expected expected; /* runs 0: noise is not known */
};

static struct tp_slice
joined(struct tp_arena *arena, struct tp_slice a, struct tp_slice b)
{
	return a.len == 0 ? b
		: b.len == 0  ? a
					  : tp_arena_printf(arena, "%.*s, %.*s", TP_ARG(a), TP_ARG(b));
}

/* What is missing of all together is missing of each, for the same reason. */
static const struct tp_metric *
find(const struct tp_doc *doc, struct tp_slice id)
{
	const struct tp_metric *m = tp_doc_find_metric(doc, id), *all;

	if (m != NULL)
		return m;
	all = tp_doc_find_metric(doc, tp_scope_base(id));
	return all != NULL && !tp_known(all->value) ? all : NULL;
}

static struct tp_value
value_of(const struct tp_doc *doc, struct tp_slice id)
{
	const struct tp_metric *m = doc != NULL ? find(doc, id) : NULL;

	if (doc == NULL)
		return tp_missing(TP_S("this limit is relative to a baseline: give --baseline"));
	return m != NULL ? m->value : tp_missing(TP_S("this report has no such metric"));
}

/* As people read it; two that look alike and are not are written out. */
static struct tp_slice
text_of(struct tp_arena *arena, struct tp_value v, bool exact)
{
	char buf[TP_VALUE_BUF];
	struct tp_slice unit = tp_unit_symbol(v.unit);

	if (!exact)
		return tp_arena_copy(arena, tp_value_text(v, buf));
	/* Narrow no-break space, as in all figures. */
	if (v.unit == TP_UNIT_SHARE)
		return tp_arena_printf(arena, "%.12g\u202f%%", tp_value_in(v, v.unit) * 100);
	return tp_arena_printf(arena, "%.*s%s%.*s", TP_ARG(tp_value_raw(v, buf)),
		unit.len != 0 ? "\u202f" : "", TP_ARG(unit));
}

static bool
look_alike(double a, double b)
{
	return a != b && fabs(a - b) < 0.01 * fabs(b);
}

/* How far noise may take a figure up or down, as a factor; NaN: not known. */
static double
noise(const struct tp_comparison *c, const struct question *q)
{
	if (q->expected.runs != 0)
		return q->expected.high / q->expected.middle;
	return 1 + c->wish->floor;
}

static bool
is_beyond(double value, double limit, bool above)
{
	return above ? value > limit : value < limit;
}

/* Of several limits the worst counts. */
static void
settle(const struct tp_comparison *c, struct tp_budget_item *item, enum tp_budget_status status,
	struct tp_slice why)
{
	if (status == TP_BUDGET_WITHIN || status > item->status)
		return;
	item->why = status == item->status ? joined(c->arena, item->why, why) : why;
	item->status = status;
}

/* Judges one limit of the item; why: what to say where it is broken. */
static void
take(const struct tp_comparison *c, struct tp_budget_item *item, const struct question *q,
	struct tp_slice why)
{
	double factor = noise(c, q);
	enum tp_budget_status status = TP_BUDGET_WITHIN;

	if (q->from_base && isnan(factor) && q->value != q->base) {
		status = TP_BUDGET_NOT_JUDGED;
		why = TP_S("noise between runs is unknown: give three baselines or more, or --floor");
	} else if (is_beyond(q->value, q->limit, q->above)) {
		double reach = q->above ? q->limit * factor : q->limit / factor;
		bool is_sure = !q->from_base || is_beyond(q->value, reach, q->above);

		status = is_sure ? TP_BUDGET_OUTSIDE : TP_BUDGET_NOT_JUDGED;
		if (!is_sure)
			why = tp_arena_printf(c->arena,
				"the change is beyond the limit by less than the noise between runs, ±%.2g %%",
				(factor - 1) * 100);
	}
	settle(c, item, status, why);
}

/* max and min. */
static void
ask_absolute(const struct tp_comparison *c, struct tp_budget_item *item,
	const struct tp_budget_limit *limit, double bound, bool above)
{
	enum tp_unit unit = limit->unit != TP_UNIT_NONE ? limit->unit : item->value.unit;
	struct tp_value edge = tp_number(bound, unit);
	struct question q = {
		.value = tp_value_in(item->value, unit),
		.limit = bound,
		.above = above,
	};

	if (isnan(bound))
		return;
	bool exact = look_alike(q.value, bound);
	struct tp_slice shown = tp_arena_printf(
		c->arena, "%s %.*s", above ? "≤" : "≥", TP_ARG(text_of(c->arena, edge, exact)));

	item->limit = joined(c->arena, item->limit, shown);
	if (exact)
		item->now = text_of(c->arena, tp_number(q.value, unit), true);
	take(c, item, &q,
		tp_arena_printf(c->arena, "%.*s is not %.*s", TP_ARG(item->now), TP_ARG(shown)));
}

/* Earlier runs and the newest of them, in the unit. */
static struct tp_expected
expected(const struct tp_comparison *c, const struct tp_budget_limit *limit, enum tp_unit unit)
{
	const struct tp_compare_wish *wish = c->wish;
	double *figures = tp_new_array(c->arena, double, wish->baseline_count + 1);
	struct tp_expected e = {0};
	size_t count = 0;

	for (size_t i = 0; i <= wish->baseline_count; i++) {
		const struct tp_doc *doc = i == 0 ? wish->a : wish->baselines[i - 1];
		double figure = tp_value_in(value_of(doc, limit->id), unit);

		if (isfinite(figure))
			figures[count++] = figure;
	}
	return tp_expect(figures, count, wish->level, &e) ? e : (struct tp_expected){0};
}

static struct tp_slice
step_text(const struct tp_budget_step *step, enum tp_unit unit, bool above, struct tp_arena *arena)
{
	struct tp_value amount = tp_number(step->amount, step->is_share ? TP_UNIT_SHARE : unit);
	char buf[TP_VALUE_BUF];

	if (unit == TP_UNIT_SHARE)
		return tp_arena_printf(arena, "%s%.3g\u202fpp", above ? "≤ +" : "≥ −", step->amount * 100);
	return tp_arena_printf(
		arena, "%s%.*s", above ? "≤ +" : "≥ −", TP_ARG(tp_value_text(amount, buf)));
}

/* max_increase and max_decrease. */
static void
ask_step(const struct tp_comparison *c, struct tp_budget_item *item,
	const struct tp_budget_limit *limit, const struct tp_budget_step *step, bool above)
{
	enum tp_unit unit = limit->unit != TP_UNIT_NONE ? limit->unit : item->value.unit;
	struct tp_arena *arena = c->arena;
	struct question q = {
		.value = tp_value_in(item->value, unit),
		.base = tp_value_in(item->base_value, unit),
		.above = above,
		.from_base = true,
	};

	if (isnan(step->amount))
		return;
	struct tp_slice shown = step_text(step, unit, above, arena);

	item->limit = joined(arena, item->limit, shown);
	if (!isfinite(q.base)) {
		settle(c, item, TP_BUDGET_NOT_JUDGED,
			c->wish->a == NULL ? item->base_value.text
							   : tp_arena_printf(arena, "not in the baseline: %.*s",
									 TP_ARG(item->base_value.text)));
		return;
	}
	double by = step->is_share ? fabs(q.base) * step->amount : step->amount;

	q.limit = above ? q.base + by : q.base - by;
	q.expected = expected(c, limit, unit);
	take(c, item, &q,
		tp_arena_printf(arena, "%.*s from %.*s is not %.*s", TP_ARG(item->change),
			TP_ARG(item->base), TP_ARG(shown)));
}

static void
judge_limit(
	const struct tp_comparison *c, const struct tp_budget_limit *limit, struct tp_budget_item *item)
{
	const struct tp_metric *m = find(c->wish->b, limit->id);
	struct tp_arena *arena = c->arena;

	*item = (struct tp_budget_item){
		.id = limit->id,
		.label = m != NULL ? m->label : TP_S(""),
		.value = value_of(c->wish->b, limit->id),
		.base_value = value_of(c->wish->a, limit->id),
		.status = TP_BUDGET_WITHIN,
		.missing = limit->missing,
	};
	bool is_figure = isfinite(tp_value_in(item->value, item->value.unit));

	item->now = tp_known(item->value) ? text_of(arena, item->value, false) : TP_S("");
	item->base = tp_known(item->base_value) ? text_of(arena, item->base_value, false) : TP_S("");
	item->change = is_figure ? tp_signed_change(arena, item->base_value, item->value) : TP_S("");
	if (is_figure) {
		ask_absolute(c, item, limit, limit->max, true);
		ask_absolute(c, item, limit, limit->min, false);
	}
	bool is_crossed = item->status == TP_BUDGET_OUTSIDE; /* whatever the baseline is */

	if (is_figure && c->not_comparable.len == 0) {
		ask_step(c, item, limit, &limit->increase, true);
		ask_step(c, item, limit, &limit->decrease, false);
	}
	if (!is_figure) {
		item->status = TP_BUDGET_NOT_JUDGED;
		item->why = tp_known(item->value) ? TP_S("it is a text, not a number") : item->value.text;
	} else if (c->not_comparable.len != 0 && !is_crossed &&
		!tp_slice_starts(limit->id, TP_S("data."))) {
		item->status = TP_BUDGET_NOT_JUDGED;
		item->why = tp_arena_printf(c->arena, "the runs differ in %.*s", TP_ARG(c->not_comparable));
	}
}

/* Findings. */

/* A check that could not decide may have been of any severity. */
static bool
is_meant(const struct tp_finding *f, struct tp_slice pattern)
{
	static const struct {
		const char *pattern;
		enum tp_judge severity;
	} severities[] = {{"severity:high", TP_JUDGE_BAD}, {"severity:medium", TP_JUDGE_WARN},
		{"severity:low", TP_JUDGE_NONE}};

	for (size_t i = 0; i < sizeof severities / sizeof *severities; i++) {
		if (tp_slice_eq(pattern, tp_slice_of(severities[i].pattern)))
			return f->status == TP_FINDING_UNDECIDED ||
				(f->status == TP_FINDING_OPEN && f->severity == severities[i].severity);
	}
	return tp_id_fits(f->id, pattern.ptr);
}

static void
judge_findings(const struct tp_comparison *c, const struct tp_budget_forbidden *forbidden,
	struct tp_budget_item *item)
{
	enum { MOST_NAMED = 5 };
	struct tp_slice open = {0}, undecided = {0}, pattern = forbidden->pattern;
	size_t all = 0, meant = 0, undecided_count = 0;

	for (struct tp_walk walk = tp_walk_of(c->wish->b); tp_walk_next(&walk);) {
		const struct tp_block *b = walk.block;
		const struct tp_finding *f = b->kind == TP_BLOCK_FINDING ? b->finding.finding : NULL;

		if (walk.event != TP_WALK_ENTER || f == NULL || b->finding.brief)
			continue;
		all++;
		if (!is_meant(f, pattern))
			continue;
		meant++;
		if (f->status == TP_FINDING_OPEN)
			open = joined(c->arena, open,
				tp_arena_printf(c->arena, "%.*s: %.*s", TP_ARG(f->id),
					TP_ARG(tp_text_shown(f->title, c->arena))));
		else if (f->status == TP_FINDING_UNDECIDED && undecided_count++ < MOST_NAMED)
			undecided = joined(c->arena, undecided, f->id);
	}
	bool by_severity = tp_slice_starts(pattern, TP_S("severity:"));

	*item = (struct tp_budget_item){
		.is_finding = true,
		.id = pattern,
		.label = TP_S("Findings"),
		.value = tp_missing(TP_S("a check, not a figure")),
		.base_value = tp_missing(TP_S("a check, not a figure")),
		.limit = TP_S("none"),
		.status = TP_BUDGET_WITHIN,
		.missing = forbidden->missing,
		.now = open.len != 0 ? TP_S("found") : TP_S("none"),
	};
	if (open.len != 0) {
		item->status = TP_BUDGET_OUTSIDE;
		item->why = open;
	} else if (undecided.len != 0) {
		item->status = TP_BUDGET_NOT_JUDGED;
		item->now = TP_S("undecided");
		item->why = tp_arena_printf(c->arena, "this profile cannot decide %.*s", TP_ARG(undecided));
		if (undecided_count > MOST_NAMED)
			item->why = tp_arena_printf(
				c->arena, "%.*s and %zu more", TP_ARG(item->why), undecided_count - MOST_NAMED);
	} else if ((by_severity ? all : meant) == 0) {
		item->status = TP_BUDGET_NOT_JUDGED;
		item->now = TP_S("");
		item->why = TP_S("this report does not have this check");
	}
}

/* Those outside first, then those that cannot be judged, each as the budget has them. */
static void
put_in_order(struct tp_budget_result *out, struct tp_budget_item *items, enum tp_missing missing)
{
	size_t at = 0;

	for (int status = TP_BUDGET_OUTSIDE; status <= TP_BUDGET_WITHIN; status++) {
		for (size_t i = 0; i < out->count; i++) {
			struct tp_budget_item *item = &items[i];

			if ((int)item->status != status)
				continue;
			if (item->missing == TP_MISSING_STAYS)
				item->missing = missing;
			out->items[at++] = *item;
			out->outside += status == TP_BUDGET_OUTSIDE;
			if (status != TP_BUDGET_NOT_JUDGED)
				continue;
			out->not_judged++;
			out->passed += item->missing == TP_MISSING_PASSES;
			out->failed += item->missing == TP_MISSING_FAILS;
		}
	}
}

void
tp_budget_judge(const struct tp_budget *budget, const struct tp_compare_wish *wish,
	enum tp_missing missing, struct tp_arena *arena, struct tp_budget_result *out)
{
	struct tp_comparison c = {.wish = wish, .arena = arena};
	size_t most = budget->limit_count + budget->forbidden_count;
	struct tp_budget_item *items = tp_new_array(arena, struct tp_budget_item, most);

	*out = (struct tp_budget_result){.items = tp_new_array(arena, struct tp_budget_item, most)};
	if (wish->a != NULL)
		tp_compare_facts(&c);
	out->not_comparable = c.not_comparable;
	for (size_t i = 0; i < budget->limit_count; i++)
		judge_limit(&c, &budget->limits[i], &items[out->count++]);
	for (size_t i = 0; i < budget->forbidden_count; i++)
		judge_findings(&c, &budget->forbidden[i], &items[out->count++]);
	put_in_order(out, items, missing);
}

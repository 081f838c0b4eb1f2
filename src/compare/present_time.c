/* Where the time of a step went: its classes in both runs, and what each adds to the difference of the mean step. */
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/order.h"
#include "compare/context.h"
#include "compare/look.h"
#include "compare/sums.h"
#include "report/column.h"

struct part {
	struct tp_slice label;
	double a, b, noise; /* ms; noise: half of what runs differ anyway, NaN when that is not known */
};

struct parts {
	struct part *parts;
	size_t count;
	double a, b; /* mean steps, ms */
};

static const char CLASS[] = "step.class.", MS[] = "_ms";

static bool
is_class(const struct tp_change *change)
{
	return tp_slice_starts(change->id, tp_slice_of(CLASS)) &&
		tp_slice_ends(change->id, tp_slice_of(MS));
}

static double
noise_of(const struct tp_change *change)
{
	return change->has_expected ? (change->expected.high - change->expected.low) / 2 : NAN;
}

/* Less than the last decimal of the table: the classes' own rounding. */
static bool
is_residue(double ms)
{
	return fabs(ms) < 0.0005;
}

/* What one report tells apart and the other does not is the remainder, so that the parts are the step on both sides. */
static struct parts
parts_of(const struct tp_comparison *c, const struct tp_change *mean)
{
	struct parts p = {
		.parts = tp_new_array(c->arena, struct part, c->change_count + 1),
		.a = tp_value_in(mean->a, TP_UNIT_MS),
		.b = tp_value_in(mean->b, TP_UNIT_MS),
	};
	double a = 0, b = 0;

	for (size_t i = 0; i < c->change_count; i++) {
		const struct tp_change *change = &c->changes[i];
		double of_a = tp_value_in(change->a, TP_UNIT_MS), of_b = tp_value_in(change->b, TP_UNIT_MS);

		if (!is_class(change) || (of_a == 0 && of_b == 0))
			continue;
		p.parts[p.count++] = (struct part){change->label, of_a, of_b, noise_of(change)};
		a += of_a;
		b += of_b;
	}
	if (!is_residue(p.a - a) || !is_residue(p.b - b))
		p.parts[p.count++] = (struct part){TP_S("Remainder"), p.a - a, p.b - b, NAN};
	return p;
}

/* As B's report draws it, so that a class has one colour everywhere. */
static struct tp_series
look_of(const struct tp_comparison *c, const struct part *part)
{
	struct tp_series look = {
		.key = part->label, .label = part->label, .hue = TP_HUE_IDLE, .tint = TP_TINT_UNRECORDED};
	const struct tp_doc *docs[] = {c->wish->a, c->wish->b};

	for (size_t d = 0; d < 2; d++) {
		for (struct tp_walk w = tp_walk_of(docs[d]); tp_walk_next(&w);) {
			const struct tp_block *b = w.block;

			if (b->kind != TP_BLOCK_CHART || !tp_slice_eq(b->id, TP_S("summary/step/classes")))
				continue;
			for (size_t i = 0; i < b->chart.series_count; i++) {
				if (tp_slice_eq(b->chart.series[i].label, part->label))
					look = b->chart.series[i];
			}
			break;
		}
	}
	return look;
}

/* The bars in words, for those who do not see them. */
static struct tp_slice
words_of(struct tp_arena *arena, const struct parts *p)
{
	struct tp_slice words = TP_S("The mean steps of A and B by class of time");

	for (size_t i = 0; i < p->count; i++) {
		char a[TP_VALUE_BUF], b[TP_VALUE_BUF];

		words = tp_arena_printf(arena, "%.*s%s %.*s %.*s in A, %.*s in B", TP_ARG(words),
			i == 0 ? ":" : ";", TP_ARG(p->parts[i].label),
			TP_ARG(tp_value_text(tp_number(p->parts[i].a, TP_UNIT_MS), a)),
			TP_ARG(tp_value_text(tp_number(p->parts[i].b, TP_UNIT_MS), b)));
	}
	return tp_arena_printf(arena, "%.*s.", TP_ARG(words));
}

/* Both mean steps as bars of their parts. */
static void
bars(struct tp_comparison *c, struct tp_block *parent, const struct parts *p)
{
	struct tp_block *block = tp_doc_add(c->doc, parent, TP_BLOCK_CHART, TP_S("summary/step/bars"));
	struct tp_series *series = tp_new_array(c->arena, struct tp_series, p->count);
	struct tp_slice *labels = tp_new_array(c->arena, struct tp_slice, 2);

	labels[0] = TP_S("A");
	labels[1] = TP_S("B");
	for (size_t i = 0; i < p->count; i++) {
		double *values = tp_new_array(c->arena, double, 2);

		values[0] = fmax(p->parts[i].a, 0);
		values[1] = fmax(p->parts[i].b, 0);
		series[i] = look_of(c, &p->parts[i]);
		series[i].values = values;
		series[i].unused = 0; /* which is of the step of one report */
		series[i].unused_label = TP_S("");
	}
	block->chart = (struct tp_chart){
		.kind = TP_CHART_BARS,
		.alt = words_of(c->arena, p),
		.unit = TP_UNIT_MS,
		.legend = true,
		.series_count = p->count,
		.point_count = 2,
		.series = series,
		.labels = labels,
		.marked = SIZE_MAX,
	};
}

/* From A to B part by part: each begins where the one before ended. Pale: within the noise of that part. */
static void
waterfall(struct tp_comparison *c, struct tp_block *parent, const struct parts *p)
{
	struct tp_block *block = tp_doc_add(c->doc, parent, TP_BLOCK_CHART, TP_S("time/waterfall"));
	struct tp_lane *lanes = tp_new_array(c->arena, struct tp_lane, p->count);
	struct tp_period *periods = tp_new_array(c->arena, struct tp_period, p->count);
	struct tp_curves *all = tp_new(c->arena, struct tp_curves);
	double at = p->a, low = fmin(p->a, p->b), high = fmax(p->a, p->b);

	for (size_t i = 0; i < p->count; i++) {
		const struct part *part = &p->parts[i];
		double change = part->b - part->a, to = i + 1 < p->count ? at + change : p->b;
		struct tp_series look = look_of(c, part);

		periods[i] = (struct tp_period){
			.label = part->label,
			.note = tp_signed_text(c->arena, tp_number(change, TP_UNIT_MS)),
			.from = fmin(at, to),
			.to = fmax(at, to),
			.hue = look.hue,
			.tint = fabs(change) <= part->noise ? TP_TINTS - 1 : look.tint,
		};
		lanes[i] = (struct tp_lane){
			tp_arena_printf(c->arena, "%.*s %.*s", TP_ARG(part->label), TP_ARG(periods[i].note)),
			&periods[i], 1};
		low = fmin(low, periods[i].from);
		high = fmax(high, periods[i].to);
		at = to;
	}
	double margin = high > low ? (high - low) / 20 : fmax(high / 20, 1e-6);

	*all = (struct tp_curves){
		.lanes = lanes,
		.lane_count = p->count,
		.x_title = TP_S("mean step"),
		.low = fmax(low - margin, 0),
		.high = high + margin,
		.window_from = NAN,
		.window_to = NAN,
	};
	block->chart = (struct tp_chart){
		.kind = TP_CHART_CURVES,
		.alt = TP_S("From the mean step of A to that of B: what each part adds or takes."),
		.unit = TP_UNIT_MS,
		.curves = all,
	};
}

struct cells {
	struct tp_cell part, a, b, change, noise;
};

static const struct tp_column columns[] = {
	TP_COLUMN("part", "Part of the mean step"),
	TP_COLUMN("a_ms", "A", .unit = TP_UNIT_MS, .decimals = 3),
	TP_COLUMN("b_ms", "B", .unit = TP_UNIT_MS, .decimals = 3),
	TP_COLUMN("change_ms", "Change", .unit = TP_UNIT_MS, .decimals = 3, .change = true),
	TP_COLUMN("noise_ms", "Noise ±", .unit = TP_UNIT_MS, .decimals = 3),
};
TP_CELLS_ARE_COLUMNS(struct cells, columns);

static void
put(const struct tp_comparison *c, struct tp_draft *draft, struct tp_slice label,
	enum tp_row_role role, double a, double b, double noise)
{
	struct cells *cells = (void *)tp_draft_row(draft, label, role, 0);

	cells->part.value = tp_text_value(label);
	cells->a.value = tp_number(a, TP_UNIT_MS);
	cells->b.value = tp_number(b, TP_UNIT_MS);
	cells->change.value = tp_number(b - a, TP_UNIT_MS);
	cells->noise.value = tp_number_or(noise, TP_UNIT_MS, tp_change_why_unknown(c));
}

TP_ORDER(largest_first, struct part,
	(fabs(a->b - a->a) < fabs(b->b - b->a)) - (fabs(a->b - a->a) > fabs(b->b - b->a)),
	tp_slice_cmp(a->label, b->label));

/* "Collectives −16.8 ms, Host compute +15.3 ms": the largest changes. */
static struct tp_value
largest(const struct tp_comparison *c, const struct parts *p)
{
	enum { MOST = 3 };
	struct tp_slice text = {NULL, 0};

	for (size_t i = 0; i < p->count && i < MOST && p->parts[i].a != p->parts[i].b; i++)
		text = tp_arena_printf(c->arena, "%.*s%s%.*s %.*s", TP_ARG(text), i == 0 ? "" : ", ",
			TP_ARG(p->parts[i].label),
			TP_ARG(tp_signed_text(c->arena, tp_number(p->parts[i].b - p->parts[i].a, TP_UNIT_MS))));
	return tp_text_value(text);
}

/* The largest part first, as a step is read; then by change, as the difference is. */
void
tp_compare_present_time(struct tp_comparison *c, struct tp_block *summary)
{
	const struct tp_change *mean = tp_change_of(c, TP_MEAN_STEP);

	if (mean == NULL)
		return;
	struct parts p = parts_of(c, mean);
	struct tp_value change =
		tp_text_value(tp_signed_text(c->arena, tp_number(p.b - p.a, TP_UNIT_MS)));
	struct tp_block *sub =
		tp_doc_section(c->doc, summary, TP_SECTION_SUB, "summary/step", "Where the time went");
	struct tp_block *section;

	if (p.count == 0)
		return;
	const struct tp_change *median = tp_change_of_time(c);

	sub->section.aside = median != NULL
		? TP_SAY(c->doc, "mean steps; the verdict is of the median step, {} → {}", median->a,
			  median->b)
		: TP_SAY0(c->doc, "mean steps");
	bars(c, sub, &p);
	qsort(p.parts, p.count, sizeof *p.parts, largest_first);
	section = tp_doc_section(c->doc, NULL, TP_SECTION_MAIN, "time", "Where the time went");
	section->section.key_figure = change;
	section->section.answer = p.a == p.b
		? TP_SAY0(c->doc, "The mean step is the same.")
		: TP_SAY(c->doc, "The mean step changes by {}: {}.", change, largest(c, &p));
	waterfall(c, section, &p);
	struct tp_draft draft = TP_DRAFT_TABLE(c->doc, section, "time/parts", columns);

	for (size_t i = 0; i < p.count; i++)
		put(c, &draft, p.parts[i].label, TP_ROW_NORMAL, p.parts[i].a, p.parts[i].b,
			p.parts[i].noise);
	put(c, &draft, TP_S("Mean step"), TP_ROW_TOTAL, p.a, p.b, noise_of(mean));
	struct tp_table *t = tp_draft_finish(&draft, SIZE_MAX);

	t->caption = TP_S(
		"Parts of the mean step: their changes add up to its change; the remainder is what only "
		"one report separates");
	if (isnan(noise_of(mean)))
		tp_table_drop_missing(c->doc, t, TP_COLUMN_OF(struct cells, noise));
}

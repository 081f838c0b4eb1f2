/* Runs in order: a first screen with the newest change of the step time, curves, change points and the runs themselves. */
#include "compare/trend.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/order.h"
#include "compare/change_points.h"
#include "compare/context.h"
#include "report/column.h"

enum { MOST_METRICS = 8 };

/* A headline figure over the runs. */
struct series {
	struct tp_slice id, label;
	enum tp_unit unit;
	enum tp_direction direction;
	double *values; /* one a run; NaN where a report does not have it */
	double *known;  /* those that are known … */
	size_t *runs;   /* … and of which run */
	size_t known_count;
	struct tp_change_point *points; /* places among the known ones */
	size_t point_count;
};

struct trend {
	const struct tp_trend_run *runs;
	size_t count;
	struct tp_arena *arena;
	struct tp_doc *doc;
	struct series series[MOST_METRICS];
	size_t series_count;
};

static struct tp_slice
label_of(const struct tp_trend_run *run)
{
	return run->label.len != 0 ? run->label : run->doc->run;
}

/* False when fewer than two reports have the metric. */
static bool
fill(struct trend *t, const struct tp_headline *headline, struct series *s)
{
	*s = (struct series){
		.id = tp_slice_of(headline->id),
		.label = tp_slice_of(headline->label),
		.direction = tp_metric_direction(tp_slice_of(headline->id)),
		.values = tp_new_array(t->arena, double, t->count),
		.known = tp_new_array(t->arena, double, t->count),
		.runs = tp_new_array(t->arena, size_t, t->count),
	};
	for (size_t i = 0; i < t->count; i++) {
		struct tp_value value = tp_doc_value(t->runs[i].doc, headline->id);
		bool number = value.kind == TP_VALUE_NUMBER || value.kind == TP_VALUE_INTEGER;

		if (number && s->known_count == 0)
			s->unit = value.unit;
		s->values[i] = number ? tp_value_in(value, s->unit) : NAN;
		if (isnan(s->values[i]))
			continue;
		s->runs[s->known_count] = i;
		s->known[s->known_count++] = s->values[i];
	}
	s->point_count = tp_change_points(s->known, s->known_count, t->arena, &s->points);
	return s->known_count >= 2;
}

static void
collect(struct trend *t)
{
	for (size_t i = 0; i < tp_headline_count && t->series_count < MOST_METRICS; i++) {
		bool again = t->series_count != 0 &&
			tp_slice_eq(t->series[t->series_count - 1].label, tp_slice_of(tp_headlines[i].label));

		if (!again)
			t->series_count += fill(t, &tp_headlines[i], &t->series[t->series_count]);
	}
}

static struct tp_value
signed_share(const struct trend *t, double share)
{
	char buf[TP_VALUE_BUF];
	struct tp_slice text = tp_value_text(tp_number(share, TP_UNIT_SHARE), buf);

	return tp_text_value(tp_arena_printf(t->arena, "%s%.*s", share > 0 ? "+" : "", TP_ARG(text)));
}

static double
share_of(const struct tp_change_point *p)
{
	return p->before != 0 ? p->after / p->before - 1 : NAN;
}

static enum tp_judge
judge_of(const struct series *s, const struct tp_change_point *p)
{
	if (s->direction == TP_NO_DIRECTION)
		return TP_JUDGE_NONE;
	return (p->after < p->before) == (s->direction == TP_LOWER_IS_BETTER) ? TP_JUDGE_GOOD
																		  : TP_JUDGE_BAD;
}

/* The newest change of level; NULL: there is none. */
static const struct tp_change_point *
newest(const struct series *s)
{
	return s->point_count != 0 ? &s->points[s->point_count - 1] : NULL;
}

/* "24 (b07d9a3)": a run by its number and label. */
static struct tp_value
run_named(const struct trend *t, const struct series *s, const struct tp_change_point *p)
{
	size_t run = s->runs[p->at];

	return tp_text_value(
		tp_arena_printf(t->arena, "%zu (%.*s)", run + 1, TP_ARG(label_of(&t->runs[run]))));
}

static void
say_verdict(struct trend *t, struct tp_block *summary)
{
	struct tp_verdict *v =
		&tp_doc_add(t->doc, summary, TP_BLOCK_VERDICT, TP_S("summary/verdict"))->verdict;
	const struct series *s = t->series_count != 0 ? &t->series[0] : NULL;
	const struct tp_change_point *p = s != NULL ? newest(s) : NULL;

	if (s == NULL) {
		*v = (struct tp_verdict){.judge = TP_JUDGE_UNDECIDED,
			.name = TP_SAY0(t->doc, "Nothing to follow:"),
			.saw = TP_SAY0(t->doc, "no headline figure is in two of the reports.")};
	} else if (s->known_count < TP_CHANGE_POINTS_LEAST_VALUES) {
		*v = (struct tp_verdict){.judge = TP_JUDGE_UNDECIDED,
			.name = TP_SAY0(t->doc, "Too few runs:"),
			.saw = TP_SAY(t->doc, "changes of level are looked for from {} runs on; here are {}.",
				tp_count(TP_CHANGE_POINTS_LEAST_VALUES), tp_count(s->known_count))};
	} else if (p == NULL) {
		*v = (struct tp_verdict){.judge = TP_JUDGE_GOOD,
			.name = TP_SAY0(t->doc, "Steady:"),
			.saw = TP_SAY(t->doc, "{} has one level in all {} runs.", tp_text_value(s->label),
				tp_count(s->known_count))};
	} else {
		*v = (struct tp_verdict){.judge = judge_of(s, p),
			.name = TP_SAY(t->doc, "{} {}:", tp_text_value(s->label), signed_share(t, share_of(p))),
			.saw = TP_SAY(t->doc, "{} instead of {} since run {}.", tp_number(p->after, s->unit),
				tp_number(p->before, s->unit), run_named(t, s, p))};
	}
}

/* Each with its values over the runs as a line. */
static void
say_tiles(struct trend *t, struct tp_block *summary)
{
	struct tp_tile *tiles = tp_new_array(t->arena, struct tp_tile, MOST_METRICS);

	for (size_t i = 0; i < t->series_count; i++) {
		const struct series *s = &t->series[i];
		const struct tp_change_point *p = newest(s);
		struct tp_tile *tile = &tiles[i];

		tp_doc_metric(t->doc, s->id, tp_arena_copy(t->arena, s->label).ptr,
			tp_number(s->known[s->known_count - 1], s->unit), TP_S("in the newest run that has it"),
			TP_S(""));
		*tile = tp_doc_tile(t->doc, tp_doc_id(t->doc, "summary/tile", s->id).ptr,
			tp_arena_copy(t->arena, s->label).ptr, s->id.ptr);
		tile->section = TP_S("trends");
		tile->spark = s->known;
		tile->spark_count = s->known_count;
		tile->judge = p != NULL                               ? judge_of(s, p)
			: s->known_count >= TP_CHANGE_POINTS_LEAST_VALUES ? TP_JUDGE_GOOD
															  : TP_JUDGE_UNDECIDED;
		tile->note[0] = p != NULL ? TP_SAY(t->doc, "{} since run {}", signed_share(t, share_of(p)),
										tp_count(s->runs[p->at] + 1))
			: s->known_count >= TP_CHANGE_POINTS_LEAST_VALUES ? TP_SAY0(t->doc, "steady")
															  : TP_SAY0(t->doc, "too few runs");
		tile->note[1] =
			TP_SAY(t->doc, "{} of {} runs", tp_count(s->known_count), tp_count(t->count));
	}
	if (t->series_count != 0)
		tp_doc_add(t->doc, summary, TP_BLOCK_TILES, TP_S("summary/tiles"))->tiles =
			(struct tp_tiles){tiles, t->series_count};
}

static void
say_curves(struct trend *t)
{
	struct tp_block *section = tp_doc_section(t->doc, NULL, TP_SECTION_MAIN, "trends", "Trends");
	struct tp_curves *all = tp_new(t->arena, struct tp_curves);
	struct tp_curve *curves = tp_new_array(t->arena, struct tp_curve, t->series_count);
	struct tp_moment *moments = tp_new_array(t->arena, struct tp_moment, t->count);
	size_t moment_count = 0;

	section->section.answer =
		TP_SAY(t->doc, "{} runs, each figure on a scale of its own.", tp_count(t->count));
	for (size_t i = 0; i < t->series_count; i++) {
		const struct series *s = &t->series[i];
		double *xs = tp_new_array(t->arena, double, s->known_count);
		double *ys = tp_new_array(t->arena, double, s->known_count);
		enum tp_unit shown = s->unit == TP_UNIT_BYTES ? TP_UNIT_MIB : s->unit;
		struct tp_slice unit = tp_unit_symbol(shown);

		for (size_t k = 0; k < s->known_count; k++) {
			xs[k] = (double)(s->runs[k] + 1);
			ys[k] = tp_value_in(tp_number(s->known[k], s->unit), shown) *
				(shown == TP_UNIT_SHARE ? 100 : 1);
		}

		curves[i] = (struct tp_curve){
			.label = unit.len != 0
				? tp_arena_printf(t->arena, "%.*s, %.*s", TP_ARG(s->label), TP_ARG(unit))
				: s->label,
			.xs = xs,
			.ys = ys,
			.count = s->known_count,
			.points = s->known_count,
		};
	}
	const struct series *first = &t->series[0];

	for (size_t i = 0; i < first->point_count; i++)
		moments[moment_count++] =
			(struct tp_moment){label_of(&t->runs[first->runs[first->points[i].at]]),
				(double)(first->runs[first->points[i].at] + 1)};
	*all = (struct tp_curves){
		.curves = curves,
		.curve_count = t->series_count,
		.moments = moments,
		.moment_count = moment_count,
		.x_title = TP_S("run"),
		.low = 1,
		.high = t->count > 1 ? (double)t->count : 2,
		.window_from = NAN,
		.window_to = NAN,
	};
	tp_doc_add(t->doc, section, TP_BLOCK_CHART, TP_S("trends/curves"))->chart = (struct tp_chart){
		.kind = TP_CHART_CURVES,
		.alt = TP_S("Headline figures over the runs"),
		.curves = all,
	};
}

struct change_cells {
	struct tp_cell run, label, metric, before, after, share, p;
};

static const struct tp_column change_columns[] = {
	TP_COUNT_COLUMN("run", "Run"),
	TP_COLUMN("label", "Label"),
	TP_COLUMN("metric", "Metric"),
	TP_COLUMN("before", "Before"),
	TP_COLUMN("after", "After"),
	TP_SHARE_COLUMN("change_share", "Change", .change = true),
	TP_COLUMN("p", "p", .unit = TP_UNIT_COUNT, .decimals = 3),
};
TP_CELLS_ARE_COLUMNS(struct change_cells, change_columns);

static struct tp_value
text_of(const struct trend *t, double number, enum tp_unit unit)
{
	char buf[TP_VALUE_BUF];

	return tp_text_value(tp_arena_copy(t->arena, tp_value_text(tp_number(number, unit), buf)));
}

static void
say_changes(struct trend *t)
{
	struct tp_block *section =
		tp_doc_section(t->doc, NULL, TP_SECTION_MAIN, "changes", "Change points");
	struct tp_draft draft = TP_DRAFT_TABLE(t->doc, section, "changes/table", change_columns);
	size_t count = 0;

	for (size_t i = 0; i < t->series_count; i++) {
		const struct series *s = &t->series[i];

		for (size_t k = 0; k < s->point_count; k++, count++) {
			const struct tp_change_point *p = &s->points[k];
			struct change_cells *cells = (void *)tp_draft_row(&draft, s->id, TP_ROW_NORMAL, 0);

			cells->run.value = tp_count(s->runs[p->at] + 1);
			cells->label.value = tp_text_value(label_of(&t->runs[s->runs[p->at]]));
			cells->metric.value = tp_text_value(s->label);
			cells->metric.judge = judge_of(s, p);
			cells->before.value = text_of(t, p->before, s->unit);
			cells->after.value = text_of(t, p->after, s->unit);
			cells->share.value = tp_number_or(share_of(p), TP_UNIT_SHARE, TP_S("it was 0 before"));
			cells->p.value = tp_number(p->p, TP_UNIT_COUNT);
		}
	}
	tp_draft_finish(&draft, SIZE_MAX)->caption = TP_S(
		"Runs from which on a figure has another level; before and after are medians of the levels");
	section->section.key_figure = tp_count(count);
	section->section.answer = count == 0
		? TP_SAY0(t->doc, "No figure changed its level.")
		: TP_SAY(t->doc, "{} {} of level.", tp_count(count),
			  tp_text_value(tp_slice_of(tp_plural(count, "change", "changes"))));
}

struct run_cells {
	struct tp_cell run, label, captured, figures[MOST_METRICS], path;
};

static void
say_runs(struct trend *t)
{
	static const struct tp_column number = TP_COUNT_COLUMN("run", "Run");
	static const struct tp_column label = TP_COLUMN("label", "Label");
	static const struct tp_column captured =
		TP_COLUMN("captured", "Captured", .unit = TP_UNIT_UNIX_NS);
	static const struct tp_column path = TP_COLUMN("path", "Report", .code = true);
	struct tp_column *columns = tp_new_array(t->arena, struct tp_column, t->series_count + 4);
	size_t count = 0;

	columns[count++] = number;
	columns[count++] = label;
	columns[count++] = captured;
	for (size_t i = 0; i < t->series_count; i++)
		columns[count++] = (struct tp_column){.key = t->series[i].id,
			.title = t->series[i].label,
			.unit = t->series[i].unit,
			.decimals = TP_DECIMALS_BY_SIZE};
	columns[count++] = path;
	struct tp_block *section = tp_doc_section(t->doc, NULL, TP_SECTION_MAIN, "runs", "Runs");
	struct tp_draft draft = tp_draft_table(t->doc, section, "runs/table", columns, count);

	for (size_t r = t->count; r-- > 0;) {
		const struct tp_trend_run *run = &t->runs[r];
		struct tp_cell *cells =
			tp_draft_row(&draft, tp_arena_printf(t->arena, "%zu", r + 1), TP_ROW_NORMAL, 0);

		cells[0].value = tp_count(r + 1);
		cells[1].value = tp_text_value(label_of(run));
		cells[2].value = run->doc->made_unix_s > 0
			? tp_integer(run->doc->made_unix_s * 1000000000, TP_UNIT_UNIX_NS)
			: tp_missing(TP_S("the report does not tell"));
		for (size_t i = 0; i < t->series_count; i++)
			cells[3 + i].value = tp_number_or(
				t->series[i].values[r], t->series[i].unit, TP_S("this report does not have it"));
		cells[count - 1].value = tp_text_value(run->path);
	}
	tp_draft_finish(&draft, 20)->caption = TP_S("The runs, the newest first");
	section->section.key_figure = tp_count(t->count);
	section->section.answer = TP_SAY(t->doc, "{} runs.", tp_count(t->count));
}

struct tp_doc *
tp_trend(const struct tp_trend_run *runs, size_t count, struct tp_arena *arena)
{
	struct trend t = {.runs = runs, .count = count, .arena = arena, .doc = tp_doc_new(arena)};
	const struct tp_doc *last = runs[count - 1].doc;

	t.doc->version = last->version;
	t.doc->name = last->name;
	t.doc->made_unix_s = last->made_unix_s;
	t.doc->title = tp_arena_printf(arena, "%.*s, %zu runs", TP_ARG(last->name), count);
	collect(&t);
	struct tp_block *summary =
		tp_doc_section(t.doc, NULL, TP_SECTION_SUMMARY, "summary", "Summary");

	say_verdict(&t, summary);
	say_tiles(&t, summary);
	if (t.series_count != 0) {
		say_curves(&t);
		say_changes(&t);
	}
	say_runs(&t);
	struct tp_block *method = tp_doc_section(t.doc, NULL, TP_SECTION_MINOR, "method", "Method");

	method->section.answer = TP_SAY0(t.doc, "How changes of level are found.");
	tp_doc_paragraph(t.doc, method, TP_PARAGRAPH_BODY, "method/how",
		TP_SAY0(t.doc,
			"E-divisive (Matteson and James 2014): the split of a stretch of runs that makes the energy distance between its sides largest, "
			"at least 5 runs a side, as long as a permutation test of 999 draws gives p < 0.01. A single run that deviates is no change of "
			"level. With fewer than 10 runs none is looked for."));
	const struct tp_verdict *v = tp_doc_verdict(t.doc);

	t.doc->description = tp_arena_printf(arena, "%.*s %.*s", TP_ARG(tp_text_shown(v->name, arena)),
		TP_ARG(tp_text_shown(v->saw, arena)));
	return t.doc;
}

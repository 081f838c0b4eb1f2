/* Runs in order: a first screen with the newest change of the step time, curves, change points and the runs themselves. */
#include "compare/trend.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/number.h"
#include "base/utf8.h"
#include "compare/context.h"
#include "compare/series.h"
#include "report/column.h"

/* Beyond, nanoseconds have no room. */
static const int64_t most_unix_s = INT64_MAX / 1000000000;

struct trend {
	const struct tp_trend_run *runs;
	size_t count;
	struct tp_arena *arena;
	struct tp_doc *doc;
	const struct tp_series_of_runs *series;
	size_t series_count;
};

static struct tp_slice
label_of(const struct tp_trend_run *run)
{
	return run->label.len != 0 ? run->label : run->doc->run;
}

static struct tp_value
signed_share(const struct trend *t, double share)
{
	return tp_text_value(tp_signed_text(t->arena, tp_number(share, TP_UNIT_SHARE)));
}

static enum tp_judge
judge_of(const struct tp_series_of_runs *s, const struct tp_change_point *p)
{
	if (s->direction == TP_NO_DIRECTION)
		return TP_JUDGE_NONE;
	return tp_series_is_worse(s, p) ? TP_JUDGE_BAD : TP_JUDGE_GOOD;
}

/* "24 (b07d9a3)": a run by its number and label. */
static struct tp_value
run_named(const struct trend *t, const struct tp_series_of_runs *s, const struct tp_change_point *p)
{
	size_t run = s->runs[p->at];

	return tp_text_value(
		tp_arena_printf(t->arena, "%zu (%.*s)", run + 1, TP_ARG(label_of(&t->runs[run]))));
}

/* How many other figures' newest change is for the worse. */
static size_t
others_worse(const struct trend *t, const struct tp_series_of_runs *lead)
{
	size_t count = 0;

	for (size_t i = 0; i < t->series_count; i++) {
		const struct tp_change_point *p = tp_series_newest(&t->series[i]);

		count += &t->series[i] != lead && p != NULL && tp_series_is_worse(&t->series[i], p);
	}
	return count;
}

static void
say_change(struct trend *t, const struct tp_series_of_runs *s, struct tp_verdict *v)
{
	const struct tp_change_point *p = tp_series_newest(s);
	size_t others = others_worse(t, s);

	*v = (struct tp_verdict){.judge = judge_of(s, p),
		.name =
			TP_SAY(t->doc, "{} {}:", tp_text_value(s->label), signed_share(t, tp_change_share(p))),
		.saw = TP_SAY(t->doc, "{} instead of {} since run {}.", tp_number(p->after, s->unit),
			tp_number(p->before, s->unit), run_named(t, s, p))};
	if (others != 0)
		v->consequence = TP_SAY(t->doc, "{} other {} worse, too.", tp_count(others),
			tp_text_value(tp_slice_of(tp_plural(others, "figure got", "figures got"))));
}

static void
say_verdict(struct trend *t, struct tp_block *summary)
{
	struct tp_verdict *v =
		&tp_doc_add(t->doc, summary, TP_BLOCK_VERDICT, TP_S("summary/verdict"))->verdict;
	const struct tp_series_of_runs *s = tp_series_lead(t->series, t->series_count);

	if (s == NULL) {
		*v = (struct tp_verdict){.judge = TP_JUDGE_UNDECIDED,
			.name = TP_SAY0(t->doc, "Nothing to follow:"),
			.saw = TP_SAY0(t->doc, "no headline figure is in two or more of the reports.")};
	} else if (tp_series_newest(s) != NULL) {
		say_change(t, s, v);
	} else if (s->known_count < TP_CHANGE_POINTS_LEAST_VALUES) {
		*v = (struct tp_verdict){.judge = TP_JUDGE_UNDECIDED,
			.name = TP_SAY0(t->doc, "Too few runs:"),
			.saw = TP_SAY(t->doc, "a change of level needs at least {} runs; there are {}.",
				tp_count(TP_CHANGE_POINTS_LEAST_VALUES), tp_count(s->known_count))};
	} else {
		*v = (struct tp_verdict){.judge = TP_JUDGE_GOOD,
			.name = TP_SAY0(t->doc, "Steady:"),
			.saw = TP_SAY(t->doc, "{} has one level in all {} runs.", tp_text_value(s->label),
				tp_count(s->known_count))};
	}
}

/* Runs of something else are no further runs: their figures do not belong to one level. */
static void
say_mixed(struct trend *t, struct tp_block *summary)
{
	struct tp_trend_mixed mixed = tp_trend_mixed(t->runs, t->count, t->arena);

	if (mixed.count == 0)
		return;
	struct tp_block *block = tp_doc_add(t->doc, summary, TP_BLOCK_NOTICE, TP_S("summary/mixed"));

	block->notice = (struct tp_notice){.judge = TP_JUDGE_WARN,
		.text = TP_SAY(t->doc,
			"{} of {} runs differ from the newest in {}: that alone may explain a change of level.",
			tp_count(mixed.count), tp_count(t->count), tp_text_value(mixed.what))};
}

/* Each with its values over the runs as a line. */
static void
say_tiles(struct trend *t, struct tp_block *summary)
{
	struct tp_tile *tiles = tp_new_array(t->arena, struct tp_tile, TP_SERIES_MOST);

	for (size_t i = 0; i < t->series_count; i++) {
		const struct tp_series_of_runs *s = &t->series[i];
		const struct tp_change_point *p = tp_series_newest(s);
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
		tile->note[0] = p != NULL
			? TP_SAY(t->doc, "{} since run {}", signed_share(t, tp_change_share(p)),
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
		const struct tp_series_of_runs *s = &t->series[i];
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
	const struct tp_series_of_runs *first = &t->series[0];

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
	tp_series_levels(t->series, t->series_count, t->doc, section);
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
		const struct tp_series_of_runs *s = &t->series[i];

		for (size_t k = 0; k < s->point_count; k++, count++) {
			const struct tp_change_point *p = &s->points[k];
			struct change_cells *cells = (void *)tp_draft_row(&draft, s->id, TP_ROW_NORMAL, 0);

			cells->run.value = tp_count(s->runs[p->at] + 1);
			cells->label.value = tp_text_value(label_of(&t->runs[s->runs[p->at]]));
			cells->metric.value = tp_text_value(s->label);
			cells->metric.judge = judge_of(s, p);
			cells->before.value = text_of(t, p->before, s->unit);
			cells->after.value = text_of(t, p->after, s->unit);
			cells->share.value =
				tp_number_or(tp_change_share(p), TP_UNIT_SHARE, TP_S("it was 0 before"));
			cells->p.value = tp_number(p->p, TP_UNIT_COUNT);
		}
	}
	tp_draft_finish(&draft, SIZE_MAX)->caption = TP_S(
		"Runs at which the level of a figure changed; before and after are medians of the levels");
	section->section.key_figure = tp_count(count);
	section->section.answer = count == 0
		? TP_SAY0(t->doc, "No figure changed its level.")
		: TP_SAY(t->doc, "{} {} of level.", tp_count(count),
			  tp_text_value(tp_slice_of(tp_plural(count, "change", "changes"))));
}

struct run_cells {
	struct tp_cell run, label, captured, figures[TP_SERIES_MOST], path;
};

/* A column without a unit is one of texts, and numbers without one, such as examples per second, stand below each other as counts do. */
static enum tp_unit
column_unit(const struct tp_series_of_runs *s)
{
	return s->unit != TP_UNIT_NONE ? s->unit : TP_UNIT_COUNT;
}

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
			.unit = column_unit(&t->series[i]),
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
		cells[2].value = run->doc->made_unix_s > 0 && run->doc->made_unix_s <= most_unix_s
			? tp_integer(run->doc->made_unix_s * 1000000000, TP_UNIT_UNIX_NS)
			: tp_missing(TP_S("not in this report"));
		for (size_t i = 0; i < t->series_count; i++)
			cells[3 + i].value = tp_number_or(
				t->series[i].values[r], column_unit(&t->series[i]), TP_S("not in this report"));
		cells[count - 1].value = tp_text_value(tp_utf8_clean(t->arena, run->path));
		cells[count - 1].href = run->href;
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
	t.doc->about = TP_ABOUT_HISTORY;
	t.doc->title = tp_arena_printf(arena, "%.*s, %zu runs", TP_ARG(last->name), count);
	t.series_count = tp_series_collect(runs, count, arena, &t.series);
	struct tp_block *summary =
		tp_doc_section(t.doc, NULL, TP_SECTION_SUMMARY, "summary", "Summary");

	say_verdict(&t, summary);
	say_mixed(&t, summary);
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
			"E-divisive (Matteson and James 2014): the split of a stretch of runs that makes the "
			"energy distance between its sides largest, at least 5 runs a side, as long as a "
			"permutation test of 999 draws gives p < 0.01. A single run that deviates is not a "
			"change of level. With fewer than 10 runs, tpreport looks for no change."));
	tp_doc_paragraph(t.doc, method, TP_PARAGRAPH_BODY, "method/interval",
		TP_SAY0(t.doc,
			"Where one more run is expected: the prediction interval of a further value, at a level of 99 %, from the runs since the newest change of "
			"level, three of them at least (the same as tpreport diff with --baseline)."));
	const struct tp_verdict *v = tp_doc_verdict(t.doc);

	t.doc->description = tp_arena_printf(arena, "%.*s %.*s", TP_ARG(tp_text_shown(v->name, arena)),
		TP_ARG(tp_text_shown(v->saw, arena)));
	return t.doc;
}

/* Operation time as charts: the mean by type of operation, and a column for each step that was traced. */
#include "analyze/tfprof/tfprof.h"

#include "analyze/core/say.h"
#include "analyze/ops/op_profile.h"
#include "analyze/steps/steps.h"
#include "analyze/tfprof/tfprof_words.h"
#include "base/arena.h"
#include "model/tfprof_fields.h"
#include "report/doc.h"

#include <math.h>
#include <stdint.h>

/* Types with a part of their own; between traced steps so many columns at most, gaps among them. */
enum { MOST_TYPES = 3, MOST_SLOTS = 24, MOST_NAMED = 6 };

bool
tp_tfprof_leads(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s)
{
	return s != NULL && tp_tfprof_top(s) != NULL && tp_result(ctx, &tp_pass_steps) == NULL &&
		tp_ops_known(ctx) == NULL;
}

/* How many types are drawn: of one more than these no rest is made. */
static uint32_t
shown_types(const struct tp_tfprof_section *s)
{
	uint32_t count = 0;

	while (count + 1 < s->ops.count && s->ops.rows[count + 1].own.of[TP_TFPROF_US] > 0)
		count++;
	return count <= MOST_TYPES + 1 ? count : MOST_TYPES;
}

/* A node of a damaged dump may have no type. */
static struct tp_slice
type_name(const struct tp_tfprof_row *row)
{
	return row->name.len != 0 ? row->name : TP_S("without a type");
}

static struct tp_series *
series(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s, size_t points,
	double **values, size_t *count)
{
	uint32_t types = shown_types(s);
	struct tp_series *all = tp_new_array(ctx->keep, struct tp_series, types + 1);

	for (uint32_t i = 0; i <= types; i++) {
		values[i] = tp_new_array(ctx->keep, double, points);
		all[i] = (struct tp_series){
			.key = i < types ? type_name(&s->ops.rows[i + 1]) : TP_S("other"),
			.label = i < types           ? type_name(&s->ops.rows[i + 1])
				: s->tfprof->lacks_graph ? TP_S("Other nodes")
										 : TP_S("Other types"),
			.hue = TP_HUE_COMPUTE,
			.tint = (int)i,
			.values = values[i],
		};
	}
	*count = types <= MOST_TYPES ? types + 1 : types;
	return all;
}

static void
mean_bar(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s, struct tp_doc *doc,
	struct tp_block *parent)
{
	struct tp_chart *chart =
		&tp_doc_add(doc, parent, TP_BLOCK_CHART, TP_S("summary/op-time/types"))->chart;
	struct tp_slice *label = tp_new(ctx->keep, struct tp_slice);
	double *values[MOST_TYPES + 2];
	double rest_us = (double)s->dumps[s->chosen].total.of[TP_TFPROF_US];

	*label = TP_S("mean step");
	*chart = (struct tp_chart){
		.kind = TP_CHART_STACK,
		.alt = TP_S(text_strip_mean),
		.unit = TP_UNIT_MS,
		.labels = label,
		.point_count = 1,
		.marked = SIZE_MAX,
		.legend = true,
	};
	chart->series = series(ctx, s, 1, values, &chart->series_count);
	for (uint32_t i = 0; i < shown_types(s); i++) {
		double us = (double)s->ops.rows[i + 1].own.of[TP_TFPROF_US];

		values[i][0] = us / 1e3;
		rest_us -= us;
	}
	values[shown_types(s)][0] = fmax(0, rest_us) / 1e3;
	if (!(rest_us > 0) && chart->series_count > shown_types(s))
		chart->series_count--;
}

/* The columns: for each the index of the step that it shows, or SIZE_MAX: this step was not traced. Where steps are far apart, only those
 * that were traced. */
static size_t
columns(const struct tp_pass_ctx *ctx, const struct tp_tfprof *t, size_t **shown)
{
	uint64_t span = (uint64_t)t->steps[t->step_count - 1] - (uint64_t)t->steps[0];
	size_t slots = span < MOST_SLOTS ? (size_t)span + 1 : t->step_count, k = 0;

	*shown = tp_new_array(ctx->scratch, size_t, slots);
	for (size_t i = 0; i < slots; i++) {
		bool traced = span >= MOST_SLOTS || t->steps[k] == t->steps[0] + (int64_t)i;

		(*shown)[i] = traced ? k : SIZE_MAX;
		k += traced;
	}
	return slots;
}

/* What each type took in each step, and what the others did. Times of a damaged dump may be below 0, which is no height. */
static void
fill_columns(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s, const size_t *shown,
	size_t count, double **values)
{
	uint32_t types = shown_types(s);
	int64_t *rest_us = tp_new_array(ctx->scratch, int64_t, count);

	for (size_t c = 0; c < count; c++)
		rest_us[c] = shown[c] != SIZE_MAX ? s->by_step[shown[c]].of[TP_TFPROF_US] : 0;
	for (uint32_t i = 0; i < types; i++) {
		const struct tp_tfprof_row *row = &s->ops.rows[i + 1];
		struct tp_tfprof_figures *sums =
			tp_new_array(ctx->scratch, struct tp_tfprof_figures, s->tfprof->step_count);

		for (uint32_t k = 0; k < row->member_count; k++)
			tp_tfprof_node_by_step(
				s->tfprof, &s->tfprof->nodes[s->ops.members[row->first_member + k]], sums);
		for (size_t c = 0; c < count; c++) {
			if (shown[c] == SIZE_MAX)
				continue;
			const int64_t *of = sums[shown[c]].of;
			int64_t us = tp_tfprof_plus(of[TP_TFPROF_ACCELERATOR_US], of[TP_TFPROF_CPU_US]);

			us = us > 0 ? us : 0;
			values[i][c] = (double)us / 1e3;
			rest_us[c] = us < rest_us[c] ? rest_us[c] - us : 0;
		}
	}
	for (size_t c = 0; c < count; c++)
		values[types][c] = fmax(0, (double)rest_us[c]) / 1e3;
}

/* What the columns say in words; the slowest is marked. */
static void
name_columns(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s, const size_t *shown,
	struct tp_chart *chart)
{
	struct tp_slice *labels = tp_new_array(ctx->keep, struct tp_slice, chart->point_count);
	bool *absent = tp_new_array(ctx->keep, bool, chart->point_count);

	for (size_t c = 0; c < chart->point_count; c++) {
		int64_t number =
			shown[c] != SIZE_MAX ? s->tfprof->steps[shown[c]] : s->tfprof->steps[0] + (int64_t)c;

		labels[c] = tp_say_value(ctx, tp_integer(number, TP_UNIT_COUNT));
		absent[c] = shown[c] == SIZE_MAX;
		if (chart->marked == SIZE_MAX ||
			tp_chart_total(chart, c) > tp_chart_total(chart, chart->marked))
			chart->marked = c;
	}
	chart->labels = labels;
	chart->absent = absent;
}

void
tp_tfprof_strip(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s,
	struct tp_doc *doc, struct tp_block *parent, const char *id, bool legend)
{
	const struct tp_tfprof *t = s->tfprof;
	struct tp_rule *rule = tp_new(ctx->keep, struct tp_rule);
	double *values[MOST_TYPES + 2];
	size_t *shown;

	if (t->step_count < 2 || tp_tfprof_top(s) == NULL)
		return;
	struct tp_chart *chart = &tp_doc_add(doc, parent, TP_BLOCK_CHART, tp_slice_of(id))->chart;

	*rule =
		(struct tp_rule){TP_S("mean"), (double)s->dumps[s->chosen].total.of[TP_TFPROF_US] / 1e3};
	*chart = (struct tp_chart){
		.kind = TP_CHART_STRIP,
		.unit = TP_UNIT_MS,
		.rules = rule,
		.rule_count = 1,
		.marked = SIZE_MAX,
		.legend = legend,
	};
	chart->point_count = columns(ctx, t, &shown);
	chart->series = series(ctx, s, chart->point_count, values, &chart->series_count);
	fill_columns(ctx, s, shown, chart->point_count, values);
	name_columns(ctx, s, shown, chart);
	chart->alt = tp_arena_printf(ctx->keep, text_strip_alt, t->step_count,
		TP_ARG(chart->labels[chart->marked]),
		TP_ARG(tp_say_value(ctx, tp_number(tp_chart_total(chart, chart->marked), TP_UNIT_MS))));
}

void
tp_tfprof_where(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s,
	struct tp_doc *doc, struct tp_block *summary)
{
	struct tp_block *sub =
		tp_doc_section(doc, summary, TP_SECTION_SUB, "summary/op-time", title_where);
	uint32_t steps = s->tfprof->step_count - !isnan(s->first_us);

	sub->section.aside = steps == 1
		? TP_SAY(doc, text_where_step, tp_integer(s->tfprof->steps[0], TP_UNIT_COUNT),
			  tp_say_number(ctx, s->dumps[s->chosen].nodes_run, "node", "nodes"))
		: TP_SAY(doc, text_where_mean, tp_say_number(ctx, steps, "step", "steps"),
			  tp_text_value(isnan(s->first_us) ? TP_S("") : TP_S(" after the first")),
			  tp_say_number(ctx, s->dumps[s->chosen].nodes_run, "node", "nodes"));
	mean_bar(ctx, s, doc, sub);
	tp_tfprof_strip(ctx, s, doc, sub, "summary/op-time/strip", false);
}

/* "steps 0, 3, 6, 9"; of many the first and the last. */
static struct tp_text
say_steps(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_tfprof *t)
{
	struct tp_slice words = tp_say_value(ctx, tp_integer(t->steps[0], TP_UNIT_COUNT));
	bool few = t->step_count <= MOST_NAMED;

	for (uint32_t i = few ? 1 : t->step_count - 1; i < t->step_count; i++)
		words = tp_arena_printf(ctx->keep, "%.*s%s%.*s", TP_ARG(words), few ? ", " : "–",
			TP_ARG(tp_say_value(ctx, tp_integer(t->steps[i], TP_UNIT_COUNT))));
	return TP_SAY(doc, t->step_count == 1 ? "step {}" : "steps {}", tp_text_value(words));
}

size_t
tp_tfprof_say_dump(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s,
	struct tp_doc *doc, struct tp_text *list)
{
	list[0] = TP_SAY(doc, s->tfprof->built ? "RunMetadata `{}`" : "tfprof dump `{}`",
		tp_text_value(s->tfprof->name));
	if (s->dump_count > 1)
		TP_SAY_MORE(doc, list[0], ", one of {}", tp_count(s->dump_count));
	list[1] = say_steps(ctx, doc, s->tfprof);
	return 2;
}

/* Charts of steps as data: classes stacked in one order, that of the tables beside them. */
#include "analyze/steps/step_charts.h"

#include "analyze/steps/steps_words.h"
#include "base/arena.h"
#include "report/doc.h"
#include "report/strip_gaps.h"

#include <math.h>

/* The order of classes in every chart, legend and table, so that two reports can be laid side by side: work, what is between devices, the
 * host, what is not work, and input wait at the end. The place of compute is taken twice: arithmetic, then copies. */
static const enum tp_class order[TP_STEP_PART_COUNT] = {
	TP_CLASS_COMPUTE,
	TP_CLASS_COMPUTE,
	TP_CLASS_DEVICE_TO_DEVICE,
	TP_CLASS_HOST_TRANSFER,
	TP_CLASS_COLLECTIVE,
	TP_CLASS_SEND_RECV,
	TP_CLASS_SPARSE_CORE,
	TP_CLASS_OUTPUT,
	TP_CLASS_HOST_COMPUTE,
	TP_CLASS_LAUNCH,
	TP_CLASS_SETUP,
	TP_CLASS_COMPILE,
	TP_CLASS_QUEUED,
	TP_CLASS_IDLE,
	TP_CLASS_OTHER,
	TP_CLASS_INPUT_WAIT,
};
enum { ARITHMETIC = 0, COPIES = 1 };

struct tp_step_part
tp_step_part(size_t part)
{
	const struct tp_class_info *info = tp_class_info(order[part]);

	if (part == ARITHMETIC)
		return (struct tp_step_part){"arithmetic", "Compute", TP_HUE_COMPUTE, 0};
	if (part == COPIES)
		return (struct tp_step_part){"copy", "Memory, copy", TP_HUE_MEMORY, 0};
	return (struct tp_step_part){info->key, info->label, info->hue, info->tint};
}

static double
part_ps(const double *class_ps, double copy_ps, size_t part)
{
	if (part == COPIES)
		return copy_ps;
	return class_ps[order[part]] - (part == ARITHMETIC ? copy_ps : 0);
}

double
tp_step_part_ps(const struct tp_step *step, size_t part)
{
	return part_ps(step->class_ps, step->copy_ps, part);
}

double
tp_step_part_mean_ps(const struct tp_steps *steps, size_t part)
{
	return part_ps(steps->class_mean_ps, steps->copy_mean_ps, part);
}

enum { MOST_COLUMNS = 240 };

size_t
tp_step_columns(const struct tp_pass_ctx *ctx, const struct tp_steps *s, size_t **shown)
{
	size_t each = (s->count + MOST_COLUMNS - 1) / MOST_COLUMNS, count = 0;

	*shown = tp_new_array(ctx->scratch, size_t, s->count);
	for (size_t i = 0; i < s->count; i += each) {
		size_t slowest = i;

		for (size_t k = i; k < i + each && k < s->count; k++)
			slowest = s->steps[k].time_ps > s->steps[slowest].time_ps ? k : slowest;
		(*shown)[count++] = slowest;
	}
	return count;
}

static struct tp_series *
series(const struct tp_pass_ctx *ctx, const struct tp_steps *s, const size_t *shown, size_t points,
	size_t *count)
{
	struct tp_series *all = tp_new_array(ctx->keep, struct tp_series, TP_STEP_PART_COUNT);

	*count = 0;
	for (size_t k = 0; k < TP_STEP_PART_COUNT; k++) {
		struct tp_step_part part = tp_step_part(k);

		if (!(tp_step_part_mean_ps(s, k) > 0))
			continue;
		double *values = tp_new_array(ctx->keep, double, points);

		for (size_t at = 0; at < points; at++) {
			double ps =
				shown ? tp_step_part_ps(&s->steps[shown[at]], k) : tp_step_part_mean_ps(s, k);

			values[at] = ps > 0 ? ps / 1e9 : 0;
		}
		all[(*count)++] = (struct tp_series){
			.key = tp_slice_of(part.key),
			.label = tp_slice_of(part.label),
			.hue = part.hue,
			.tint = part.tint,
			.values = values,
		};
	}
	return all;
}

struct tp_slice
tp_step_unused_waiting(enum tp_class c)
{
	return c == TP_CLASS_SEND_RECV ? TP_S(text_unused_receive) : TP_S(text_unused_collective);
}

/* That so much of a class was paid for and not used; NaN or 0: nothing is known of it. */
static void
say_unused(struct tp_series *all, size_t count, enum tp_class c, double ps, struct tp_slice label)
{
	struct tp_slice key = tp_slice_of(tp_class_info(c)->key);

	for (size_t i = 0; i < count && ps > 0; i++) {
		if (!tp_slice_eq(all[i].key, key))
			continue;
		all[i].unused = fmin(ps / 1e9, all[i].values[0]);
		all[i].unused_label = label;
	}
}

void
tp_step_stack(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_step_waits waits,
	struct tp_doc *doc, struct tp_block *parent, const char *id)
{
	struct tp_chart *chart = &tp_doc_add(doc, parent, TP_BLOCK_CHART, tp_slice_of(id))->chart;
	char buf[TP_VALUE_BUF];
	struct tp_slice mean = tp_value_text(tp_ps_in_ms(s->time.mean), buf);

	struct tp_slice *label = tp_new(ctx->keep, struct tp_slice);

	*label = TP_S(text_mean_step);
	*chart = (struct tp_chart){
		.kind = TP_CHART_STACK,
		.alt = tp_arena_printf(ctx->keep, text_stack_alt, TP_ARG(mean)),
		.unit = TP_UNIT_MS,
		.labels = label,
		.point_count = 1,
		.marked = SIZE_MAX,
		.legend = true,
	};
	struct tp_series *all = series(ctx, s, NULL, 1, &chart->series_count);

	say_unused(all, chart->series_count, TP_CLASS_COLLECTIVE, waits.collective_ps,
		tp_step_unused_waiting(TP_CLASS_COLLECTIVE));
	say_unused(all, chart->series_count, TP_CLASS_SEND_RECV, waits.receive_ps,
		tp_step_unused_waiting(TP_CLASS_SEND_RECV));
	say_unused(all, chart->series_count, TP_CLASS_HOST_COMPUTE, tp_steps_outside_operations_ps(s),
		TP_S(text_unused_outside));
	chart->series = all;
}

/* " No figures of steps 5–6, 9.": what neighbours in the chart leave out between them; empty where that is nothing. */
static const char *
missing_steps(const struct tp_pass_ctx *ctx, const struct tp_steps *s, const struct tp_chart *chart)
{
	enum { NAMED = 6 };
	struct tp_strip_gap gaps[TP_STRIP_MOST_GAPS];
	size_t count = tp_strip_gaps(chart, gaps);
	const char *list = "";

	for (size_t i = 0; i < count && i < NAMED; i++)
		list = tp_arena_printf(ctx->scratch, gaps[i].from == gaps[i].to ? "%s%s%zu" : "%s%s%zu–%zu",
			list, i == 0 ? "" : ", ", gaps[i].from, gaps[i].to)
				   .ptr;
	return count == 0 ? ""
					  : tp_arena_printf(ctx->scratch, text_missing_steps,
							tp_steps_word(s, count == 1 && gaps[0].from == gaps[0].to ? 1 : 2),
							list, count > NAMED ? " …" : "")
							.ptr;
}

void
tp_step_strip(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc,
	struct tp_block *parent, const char *id, bool legend)
{
	struct tp_chart *chart = &tp_doc_add(doc, parent, TP_BLOCK_CHART, tp_slice_of(id))->chart;
	size_t *shown, points = tp_step_columns(ctx, s, &shown);
	struct tp_slice *labels = tp_new_array(ctx->keep, struct tp_slice, points);
	struct tp_rule *rules = tp_new_array(ctx->keep, struct tp_rule, 2);
	char p50[TP_VALUE_BUF], p95[TP_VALUE_BUF];
	struct tp_slice median = tp_value_text(tp_ps_in_ms(s->time.p50), p50);
	struct tp_slice high = tp_value_text(tp_ps_in_ms(s->time.p95), p95);

	*chart = (struct tp_chart){
		.kind = TP_CHART_STRIP,
		.unit = TP_UNIT_MS,
		.labels = labels,
		.point_count = points,
		.rules = rules,
		.rule_count = s->count > 1 ? 2 : 0,
		.marked = SIZE_MAX,
		.legend = legend,
	};
	bool *open = s->open_count != 0 ? tp_new_array(ctx->keep, bool, points) : NULL;

	for (size_t i = 0; i < points; i++) {
		const struct tp_step *step = &s->steps[shown[i]];

		labels[i] = step->name;
		if (open != NULL)
			open[i] = step->open_start || step->open_end;
		if (shown[i] == s->slowest && s->count > 2 && !tp_steps_equal(s))
			chart->marked = i;
	}
	rules[0] = (struct tp_rule){TP_S("p50"), s->time.p50 / 1e9};
	rules[1] = (struct tp_rule){TP_S("p95"), s->time.p95 / 1e9};
	chart->open = open;
	chart->series = series(ctx, s, shown, points, &chart->series_count);
	chart->alt = tp_arena_printf(ctx->keep, text_strip_alt, s->count, tp_steps_word(s, s->count),
		TP_ARG(median), TP_ARG(high), points < s->count ? text_column_of_several : "",
		open != NULL ? text_dashed : "", missing_steps(ctx, s, chart));
}

void
tp_step_pair(const struct tp_pass_ctx *ctx, const struct tp_steps *s,
	const struct tp_step *const pair[static 2], struct tp_doc *doc, struct tp_block *parent,
	const char *id)
{
	struct tp_chart *chart = &tp_doc_add(doc, parent, TP_BLOCK_CHART, tp_slice_of(id))->chart;
	struct tp_slice *labels = tp_new_array(ctx->keep, struct tp_slice, 2);
	size_t shown[2];
	char usual[TP_VALUE_BUF], slow[TP_VALUE_BUF];
	struct tp_slice time[2] = {
		tp_value_text(tp_ps_in_ms(pair[0]->time_ps), usual),
		tp_value_text(tp_ps_in_ms(pair[1]->time_ps), slow),
	};

	for (int i = 0; i < 2; i++) {
		shown[i] = (size_t)(pair[i] - s->steps);
		labels[i] =
			tp_arena_printf(ctx->keep, i == 0 ? text_typical : text_slowest, TP_ARG(pair[i]->name));
	}
	*chart = (struct tp_chart){
		.kind = TP_CHART_BARS,
		.alt = tp_arena_printf(ctx->keep, text_pair_alt, TP_ARG(pair[0]->name), TP_ARG(time[0]),
			TP_ARG(pair[1]->name), TP_ARG(time[1])),
		.unit = TP_UNIT_MS,
		.labels = labels,
		.point_count = 2,
		.marked = SIZE_MAX,
	};
	chart->series = series(ctx, s, shown, 2, &chart->series_count);
}

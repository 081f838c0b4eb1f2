/* Curves of allocators. */
#include "analyze/memory/memory_curve.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "report/doc.h"

enum { MOST_STRETCHES = 240 };

struct tp_memory_interval *
tp_memory_intervals(
	const struct tp_pass_ctx *ctx, const int64_t *times_ps, size_t count, size_t *interval_count)
{
	int64_t first_ps = times_ps[0];
	uint64_t span_ps = (uint64_t)times_ps[count - 1] - (uint64_t)first_ps;
	size_t intervals = count < MOST_STRETCHES ? count : MOST_STRETCHES, next = 0;

	if (span_ps < intervals)
		intervals = 1;
	struct tp_memory_interval *out = tp_new_array(ctx->keep, struct tp_memory_interval, intervals);
	/* Times are below 2^61, so an interval more does not overflow. */
	uint64_t width_ps = span_ps / intervals + 1;

	for (size_t i = 0; i < intervals; i++) {
		uint64_t end_ps = (uint64_t)(i + 1) * width_ps;

		out[i].start_ps = first_ps + (int64_t)(i * width_ps);
		out[i].first = next;
		while (next < count && (uint64_t)times_ps[next] - (uint64_t)first_ps < end_ps)
			next++;
		out[i].end = next;
	}
	*interval_count = intervals;
	return out;
}

/* "0.313 ms" */
static struct tp_slice
in_unit(const struct tp_pass_ctx *ctx, int64_t time_ps, enum tp_unit unit)
{
	char buf[TP_VALUE_BUF];

	return tp_arena_printf(ctx->keep, "%.*s\u202f%.*s",
		TP_ARG(tp_value_fixed(tp_integer(time_ps, TP_UNIT_PS), unit, 3, buf)),
		TP_ARG(tp_unit_symbol(unit)));
}

void
tp_memory_curve_chart(const struct tp_pass_ctx *ctx, const struct tp_memory_curve *curve,
	struct tp_doc *doc, struct tp_block *parent, const char *id)
{
	struct tp_chart *chart = &tp_doc_add(doc, parent, TP_BLOCK_CHART, tp_slice_of(id))->chart;
	struct tp_slice *labels = tp_new_array(ctx->keep, struct tp_slice, curve->point_count);

	/* Intervals are of one length. */
	size_t last = curve->point_count - 1;
	int64_t first_ps = curve->start_ps[0], each_ps = last == 0 ? 0 : curve->start_ps[1] - first_ps;
	enum tp_unit unit =
		tp_unit_of_axis((double)first_ps + (double)(last + 1) * (double)each_ps, TP_UNIT_PS);

	for (size_t i = 0; i < curve->point_count; i++)
		labels[i] = in_unit(ctx, curve->start_ps[i], unit);
	*chart = (struct tp_chart){
		.kind = TP_CHART_STRIP,
		.alt = curve->alt,
		.unit = curve->unit,
		.labels = labels,
		.point_count = curve->point_count,
		.marked = curve->marked,
		/* As beside the chart and in the table of devices; the axis needs more digits. */
		.marked_label = curve->marked == SIZE_MAX
			? TP_S("")
			: tp_say_value(ctx, tp_ps_in_ms((double)curve->marked_ps)),
		.marked_value =
			tp_value_in(tp_number((double)curve->marked_bytes, TP_UNIT_BYTES), curve->unit),
		.series = curve->series,
		.series_count = curve->series_count,
		.legend = true,
		.area = true,
	};
	if (first_ps >= 0 && each_ps > 0) {
		chart->x_unit = unit;
		chart->x_from = tp_value_in(tp_integer(first_ps, TP_UNIT_PS), unit);
		chart->x_to =
			tp_value_in(tp_integer(first_ps + (int64_t)(last + 1) * each_ps, TP_UNIT_PS), unit);
	}
	/* A roof far above the curve would flatten it. */
	if (curve->capacity_bytes != 0 &&
		(double)curve->capacity_bytes < 2 * (double)curve->top_bytes) {
		struct tp_rule *rule = tp_new(ctx->keep, struct tp_rule);

		*rule = (struct tp_rule){TP_S("limit"),
			tp_value_in(tp_number((double)curve->capacity_bytes, TP_UNIT_BYTES), curve->unit)};
		chart->rules = rule;
		chart->rule_count = 1;
	}
}

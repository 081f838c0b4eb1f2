/* The curve of a program's memory over its program points, as data: what is live, data and padding apart. */
#include "analyze/memory/memory.h"

#include "analyze/facts/peaks.h"
#include "base/arena.h"
#include "report/doc.h"

#include <math.h>

/* More points than this become runs of points, each shown by its largest: the peak is always among them. */
enum { MOST_POINTS = 1000, MOST_LIFETIMES = 10 };

static const double mib = 1 << 20;

static double
padding(const struct tp_memory_space *s, size_t point)
{
	return s->bytes[point] > s->unpadded[point] ? (double)(s->bytes[point] - s->unpadded[point])
												: 0;
}

static size_t
pick_points(const struct tp_memory_space *s, size_t *shown)
{
	size_t points = (size_t)s->event_count + 1;
	size_t count = points < MOST_POINTS ? points : MOST_POINTS;

	for (size_t i = 0; i < count; i++) {
		size_t from = i * points / count, to = (i + 1) * points / count;

		shown[i] = from;
		for (size_t k = from; k < to; k++)
			shown[i] = s->bytes[k] > s->bytes[shown[i]] ? k : shown[i];
	}
	return count;
}

/* A buffer that comes with event s and goes with event e is part of points s + 1 … e. */
static void
draw_lifetimes(
	const struct tp_pass_ctx *ctx, const struct tp_memory_space *s, struct tp_chart *chart)
{
	double points = (double)s->event_count + 1;
	size_t count = s->row_count < MOST_LIFETIMES ? s->row_count : MOST_LIFETIMES;
	struct tp_lifetime *lives = tp_new_array(ctx->keep, struct tp_lifetime, count);

	for (size_t i = 0; i < count; i++) {
		const struct tp_memory_row *row = &s->rows[i];
		char size[TP_VALUE_BUF];
		uint64_t bytes = row->size_bytes > INT64_MAX ? INT64_MAX : row->size_bytes;

		lives[i] = (struct tp_lifetime){
			.label = row->name,
			.note = tp_arena_printf(ctx->keep, "%.*s, %s",
				TP_ARG(tp_value_text(tp_integer((int64_t)bytes, TP_UNIT_BYTES), size)),
				tp_buffer_kind_name(row->kind)),
			.from = row->whole ? 0 : ((double)row->start + 1) / points,
			.to = row->whole ? 1 : fmin(((double)row->end + 1) / points, 1),
			.hue = TP_HUE_MEMORY,
			.tint = row->whole ? 2 : 0,
		};
	}
	chart->lifetimes = lives;
	chart->lifetime_count = count;
	chart->lifetimes_title = count < s->row_count
		? tp_arena_printf(ctx->keep, "Lifetimes of the %zu largest buffers at the peak", count)
		: TP_S("Lifetimes of the buffers at the peak");
	chart->axis_points = (size_t)s->event_count + 1;
}

void
tp_memory_curve(const struct tp_pass_ctx *ctx, const struct tp_memory_space *s, struct tp_doc *doc,
	struct tp_block *parent, const char *id)
{
	struct tp_chart *chart = &tp_doc_add(doc, parent, TP_BLOCK_CHART, tp_slice_of(id))->chart;
	size_t *shown = tp_new_array(ctx->scratch, size_t, MOST_POINTS);
	size_t count = pick_points(s, shown);
	struct tp_slice *labels = tp_new_array(ctx->keep, struct tp_slice, count);
	struct tp_series *series = tp_new_array(ctx->keep, struct tp_series, 2);
	struct tp_rule *rule = tp_new(ctx->keep, struct tp_rule);
	double *data = tp_new_array(ctx->keep, double, count);
	double *more = tp_new_array(ctx->keep, double, count);
	double capacity = tp_value_in(tp_peak_value(ctx, TP_PEAK_CAPACITY), TP_UNIT_BYTES);
	char peak[TP_VALUE_BUF];

	*chart = (struct tp_chart){
		.kind = TP_CHART_STRIP,
		.unit = TP_UNIT_MIB,
		.labels = labels,
		.point_count = count,
		.rules = rule,
		.marked = SIZE_MAX,
		.series = series,
		.series_count = 2,
		.legend = true,
	};
	for (size_t i = 0; i < count; i++) {
		/* A point is named after the event that leads to it, as the peak is. */
		labels[i] = shown[i] == 0 ? TP_S("start") : tp_arena_printf(ctx->keep, "%zu", shown[i] - 1);
		more[i] = padding(s, shown[i]) / mib;
		data[i] = (double)s->bytes[shown[i]] / mib - more[i];
		if (chart->marked == SIZE_MAX && s->bytes[shown[i]] == s->peak_bytes)
			chart->marked = i;
	}
	series[0] = (struct tp_series){
		.key = TP_S("data"), .label = TP_S("Data"), .hue = TP_HUE_MEMORY, .values = data};
	series[1] = (struct tp_series){.key = TP_S("padding"),
		.label = TP_S("Padding"),
		.hue = TP_HUE_MEMORY,
		.tint = 3,
		.values = more};
	/* A roof far above the curve would flatten it. */
	if (s->space == 0 && capacity > 0 && capacity < 2 * (double)s->peak_bytes) {
		*rule = (struct tp_rule){TP_S("limit"), capacity / mib};
		chart->rule_count = 1;
	}
	draw_lifetimes(ctx, s, chart);
	chart->alt = tp_arena_printf(ctx->keep,
		"Memory in use over %u program points; the peak is %.*s, made at point %u.%s",
		s->event_count,
		TP_ARG(tp_value_text(tp_number((double)s->peak_bytes, TP_UNIT_BYTES), peak)),
		s->peak_position,
		count <= s->event_count ? " Each column is the largest of several points in a row." : "");
}

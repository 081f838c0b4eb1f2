/* One memory space of a program: the curve over its program points, data and padding apart, and the buffers at its peak. */
#include "analyze/memory/memory.h"

#include "analyze/core/say.h"
#include "analyze/facts/peaks.h"
#include "analyze/memory/memory_columns.h"
#include "analyze/memory/memory_words.h"
#include "base/arena.h"
#include "base/order.h"
#include "report/draft.h"

#include <math.h>
#include <stdlib.h>

/* More points than this become runs of points, each shown by its largest: the peak is always among them. */
enum { MOST_POINTS = 1000, MOST_COLUMNS = 240, MOST_LIFETIMES = 10 };

static const double mib = 1 << 20;

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

		lives[i] = (struct tp_lifetime){
			.label = row->name,
			.note = tp_arena_printf(ctx->keep, "%.*s, %s",
				TP_ARG(tp_say_value(ctx, tp_bytes(row->size_bytes))),
				tp_buffer_kind_names[row->kind]),
			.from = row->whole ? 0 : ((double)row->start + 1) / points,
			.to = row->whole ? 1 : fmin(((double)row->end + 1) / points, 1),
			.hue = TP_HUE_MEMORY,
			.tint = row->whole ? 2 : 0,
		};
	}
	chart->lifetimes = lives;
	chart->lifetime_count = count;
	chart->lifetimes_title = count < s->row_count
		? tp_arena_printf(ctx->keep, text_some_lifetimes, count)
		: TP_S(text_lifetimes);
	chart->axis_points = (size_t)s->event_count + 1;
}

static void
curve(const struct tp_pass_ctx *ctx, const struct tp_memory_space *s, struct tp_doc *doc,
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
		.area = true,
	};
	for (size_t i = 0; i < count; i++) {
		/* A point is named after the event that leads to it, as the peak is. */
		labels[i] = shown[i] == 0 ? TP_S("start") : tp_arena_printf(ctx->keep, "%zu", shown[i] - 1);
		more[i] = (double)tp_memory_padding(s->bytes[shown[i]], s->unpadded[shown[i]]) / mib;
		data[i] = (double)s->bytes[shown[i]] / mib - more[i];
		if (chart->marked == SIZE_MAX && s->bytes[shown[i]] == s->peak_bytes)
			chart->marked = i;
	}
	series[0] = (struct tp_series){
		.key = TP_S("data"), .label = TP_S("Data"), .hue = TP_HUE_MEMORY, .values = data};
	series[1] = (struct tp_series){.key = TP_S("padding"),
		.label = TP_S("Padding"),
		.hue = TP_HUE_MEMORY,
		.tint = TP_TINT_UNUSED,
		.values = more};
	/* A roof far above the curve would flatten it. */
	if (s->space == 0 && capacity > 0 && capacity < 2 * (double)s->peak_bytes) {
		*rule = (struct tp_rule){TP_S("limit"), capacity / mib};
		chart->rule_count = 1;
	}
	/* Where columns stand for several points, round ticks say where these are. */
	if (s->event_count >= MOST_COLUMNS)
		chart->x_to = s->event_count;
	draw_lifetimes(ctx, s, chart);
	chart->alt = tp_arena_printf(ctx->keep, text_curve_alt, s->event_count,
		TP_ARG(tp_say_value(ctx, tp_number((double)s->peak_bytes, TP_UNIT_BYTES))),
		s->peak_position, count <= s->event_count ? text_largest_of_several : "");
}

/* Of one buffer, or of several together. */
static void
fill_padding(uint64_t size_bytes, uint64_t unpadded_bytes, struct buffer_cells *cells)
{
	if (unpadded_bytes != 0)
		cells->expansion.value =
			tp_number((double)size_bytes / (double)unpadded_bytes, TP_UNIT_TIMES);
	cells->extra.value = tp_integer((int64_t)(size_bytes - unpadded_bytes), TP_UNIT_BYTES);
}

static void
buffer_row(struct tp_draft *draft, const struct tp_memory_row *r)
{
	struct buffer_cells *cells = tp_draft_row_of(draft, r->name, TP_ROW_NORMAL, 0, r);

	cells->expansion.value = tp_missing(TP_S(why_empty));
	fill_padding(r->size_bytes, r->unpadded_bytes, cells);
	cells->kind.value = tp_text_value(tp_slice_of(tp_buffer_kind_names[r->kind]));
}

/* Those too many to list, as one row. */
static void
smaller_row(const struct tp_pass_ctx *ctx, const struct tp_memory_space *s, struct tp_draft *draft)
{
	if (s->smaller_count == 0)
		return;
	struct buffer_cells *cells = tp_draft_rest_row(draft, TP_S("smaller"), why_rest);

	cells->buffer.value = tp_say_number(ctx, s->smaller_count, "smaller buffer", "smaller buffers");
	cells->size.value = tp_bytes(s->smaller_bytes);
	cells->unpadded.value = tp_bytes(s->smaller_unpadded_bytes);
	fill_padding(s->smaller_bytes, s->smaller_unpadded_bytes, cells);
}

/* With a script, pointing at a row shows its lifetime on the curve (empty: there is none). */
static struct tp_table *
finish(const struct tp_pass_ctx *ctx, struct tp_draft *draft, struct tp_slice chart)
{
	struct tp_table *table = tp_draft_finish(draft, ctx->options->top);
	struct tp_table_life *life = tp_new(ctx->keep, struct tp_table_life);

	if (chart.len == 0)
		return table;
	*life = (struct tp_table_life){chart, TP_COLUMN_OF(struct buffer_cells, start),
		TP_COLUMN_OF(struct buffer_cells, end), TP_COLUMN_OF(struct buffer_cells, kind)};
	table->life = life;
	return table;
}

TP_ORDER_POINTERS(by_order, struct tp_memory_row, TP_UP(order));

static void
in_program_order(const struct tp_pass_ctx *ctx, const struct tp_memory_space *s, struct tp_doc *doc,
	struct tp_block *parent, struct tp_slice chart)
{
	const struct tp_memory_row **order =
		tp_new_array(ctx->scratch, const struct tp_memory_row *, s->row_count);
	struct tp_draft draft =
		TP_DRAFT_FOLD(doc, parent, tp_arena_printf(ctx->keep, "%s/program-order", parent->id.ptr),
			title_in_order, buffer_columns);

	for (size_t i = 0; i < s->row_count; i++)
		order[i] = &s->rows[i];
	qsort(order, s->row_count, sizeof *order, by_order);
	for (size_t i = 0; i < s->row_count; i++)
		buffer_row(&draft, order[i]);
	smaller_row(ctx, s, &draft);
	finish(ctx, &draft, chart)->caption = TP_S(caption_in_order);
}

static void
by_size(const struct tp_pass_ctx *ctx, const struct tp_memory_space *s, struct tp_doc *doc,
	struct tp_block *parent, struct tp_slice chart)
{
	struct tp_draft draft = TP_DRAFT_TABLE(
		doc, parent, tp_arena_printf(ctx->keep, "%s/buffers", parent->id.ptr).ptr, buffer_columns);

	for (size_t i = 0; i < s->row_count; i++)
		buffer_row(&draft, &s->rows[i]);
	smaller_row(ctx, s, &draft);
	struct tp_table *table = finish(ctx, &draft, chart);

	table->numbered = true;
	table->caption = TP_S(caption_buffers);
}

void
tp_memory_space_present(const struct tp_pass_ctx *ctx, const struct tp_memory_module *m,
	const struct tp_memory_space *s, struct tp_doc *doc, struct tp_block *parent)
{
	const char *id = parent->id.ptr;
	struct tp_slice chart = TP_S("");

	if (s == &m->spaces[0] && m->scoped_bytes != 0)
		tp_doc_paragraph(doc, parent, TP_PARAGRAPH_BODY,
			tp_arena_printf(ctx->keep, "%s/scoped", id).ptr,
			TP_SAY(
				doc, text_scoped, tp_text_value(m->scoped_instruction), tp_bytes(m->scoped_bytes)));
	if (s->event_count != 0) {
		tp_doc_paragraph(doc, parent, TP_PARAGRAPH_BODY,
			tp_arena_printf(ctx->keep, "%s/peak", id).ptr,
			TP_SAY(doc, text_peak_at, tp_text_value(s->peak_instruction),
				tp_count(s->peak_position), tp_count(s->event_count), tp_bytes(s->whole_bytes)));
		chart = tp_arena_printf(ctx->keep, "%s/curve", id);
		curve(ctx, s, doc, parent, chart.ptr);
	}
	by_size(ctx, s, doc, parent, chart);
	in_program_order(ctx, s, doc, parent, chart);
}

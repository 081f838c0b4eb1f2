/* What is drawn of a timeline: rows that cover most of the steps, and bars for their events. */
#include "analyze/timeline/timeline.h"

#include "analyze/core/intervals.h"
#include "analyze/core/say.h"
#include "analyze/facts/kernel_name.h"
#include "analyze/pod/pod.h"
#include "analyze/timeline/timeline_words.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>

enum {
	MOST_ROWS = 8,
	/* Of those rows, where a device worked; two units are compared by their devices alone. */
	MOST_THREADS = 4,
	COLUMNS = 160, /* of the longest window: what is shorter is drawn with its neighbours */
};

/* A row is not drawn that covers less of the windows than this. */
static const double least_share = 0.005;

struct row {
	size_t line, unit;
	unsigned lane; /* from the first of the line that can be drawn */
	uint64_t covered_ps;
	bool of_device;
	uint32_t order; /* as the profile has it */
};

TP_ORDER(by_cover, struct row, TP_UP(unit), TP_DOWN(of_device), TP_DOWN(covered_ps), TP_UP(order),
	TP_UP(lane));
TP_ORDER(as_drawn, struct row, TP_UP(unit), TP_DOWN(of_device), TP_UP(order), TP_UP(lane));

static struct row *
find_rows(const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t, size_t *count)
{
	struct row *rows =
		tp_new_array(ctx->scratch, struct row, t->line_count * TP_TIMELINE_DRAWN_LANES);
	uint64_t all_ps = 0;
	size_t found = 0, kept = 0;

	for (size_t i = 0; i < t->span_count; i++)
		all_ps += t->spans[i].to_ps - t->spans[i].from_ps;
	for (size_t i = 0; i < t->line_count; i++) {
		const struct tp_timeline_line *line = &t->lines[i];

		size_t unit = tp_timeline_unit_of(t, line);

		if (unit == t->unit_count)
			continue;
		for (unsigned lane = 0; lane < TP_TIMELINE_DRAWN_LANES; lane++) {
			struct row row = {i, unit, lane, 0, line->line->device != TP_NONE, line->number};

			for (size_t k = 0; k < t->span_count; k++)
				row.covered_ps += line->covered_ps[k][lane];
			if ((double)row.covered_ps >= least_share * (double)all_ps)
				rows[found++] = row;
		}
	}
	qsort(rows, found, sizeof *rows, by_cover);
	for (size_t i = 0, unit = t->unit_count, of_unit = 0, threads = 0; i < found; i++) {
		size_t most = MOST_ROWS / t->unit_count,
			   most_threads = t->unit_count == 1 ? MOST_THREADS : 0;

		if (rows[i].unit != unit)
			of_unit = threads = 0;
		unit = rows[i].unit;
		if (of_unit == most ||
			!(rows[i].of_device ? of_unit < most - 2
								: t->device == TP_NONE || threads++ < most_threads))
			continue;
		rows[kept++] = rows[i];
		of_unit++;
	}
	qsort(rows, kept, sizeof *rows, as_drawn);
	*count = kept;
	return rows;
}

/* The bar in hand; events that are shorter than a column are put into it as long as they begin in the same. It is as long as they cover
 * together: what is left free of a column is the share of it in which nothing ran. */
struct drawing {
	const struct tp_pass_ctx *ctx;
	const struct tp_timeline_found *t;
	struct tp_buf *bars; /* struct tp_timeline_bar */
	uint64_t column_ps;
	uint64_t column, longest_ps, events;   /* of the bar in hand */
	uint64_t first_ps, end_ps, covered_ps; /* likewise; those of the last lane may overlap */
	bool merging;
};

static double
ms(uint64_t ps)
{
	return (double)ps / 1e9;
}

/* The bar in hand; NULL: there is none yet. */
static struct tp_timeline_bar *
last_bar(const struct drawing *d)
{
	struct tp_timeline_bar *bars = d->bars->data;

	return d->bars->count != 0 ? &bars[d->bars->count - 1] : NULL;
}

static void
note_merged(struct drawing *d)
{
	if (!d->merging || d->events < 2)
		return;
	struct tp_timeline_bar *bar = last_bar(d);
	struct tp_value events = tp_say_number(d->ctx, d->events, "event", "events");

	bar->note =
		tp_arena_printf(d->ctx->keep, "and others, %.*s", TP_ARG(tp_say_value(d->ctx, events)));
}

static struct tp_slice
label_of(const struct drawing *d, uint32_t op)
{
	return tp_kernel_shown(tp_timeline_name(d->t->profile, op), d->ctx->keep);
}

/* A call around one that waits for input, for nearly all of its time, is coloured as that, which may be too deep to be drawn. */
static const double waits_share = 0.9;

enum { MOST_NESTED = 4096 };

static struct tp_timeline_look
look_with_waits(const struct tp_timeline_found *t, const struct tp_line *line, uint32_t event,
	struct tp_timeline_place at, struct tp_timeline_look own)
{
	double length = (double)(at.to_ps - at.from_ps), input_ps = 0;
	int64_t start = tp_line_start_ps(line, event), until = start;
	int64_t end = start + (int64_t)(at.to_ps - at.from_ps);

	if (line->kind != TP_LINE_THREAD || own.hue != TP_HUE_HOST)
		return own;
	for (uint32_t i = event + 1; i < line->count && i - event <= MOST_NESTED; i++) {
		int64_t from = tp_line_start_ps(line, i), to = from + tp_line_duration_ps(line, i);
		struct tp_timeline_look look;

		if (from >= end)
			break;
		if (to <= until)
			continue;
		look = tp_timeline_look(t, line, tp_line_op(line, i));
		if (look.hue != TP_HUE_INPUT)
			continue;
		input_ps += (double)(tp_earlier(to, end) - tp_later(from, until));
		until = to;
		if (input_ps >= waits_share * length)
			return look;
	}
	return own;
}

static void
draw_event(struct drawing *d, const struct tp_timeline_span *span, const struct tp_line *line,
	uint32_t event, struct tp_timeline_place at, size_t row)
{
	uint64_t from = at.from_ps > span->from_ps ? at.from_ps - span->from_ps : 0;
	uint64_t to = (at.to_ps < span->to_ps ? at.to_ps : span->to_ps) - span->from_ps;
	struct tp_timeline_look look =
		tp_timeline_look_of_event(d->t, line, tp_line_op(line, event), at.to_ps - at.from_ps);

	look = look_with_waits(d->t, line, event, at, look);
	bool is_short = to - from < d->column_ps;
	struct tp_timeline_bar *last = last_bar(d);

	if (is_short && d->merging && from / d->column_ps == d->column) {
		d->events++;
		d->covered_ps += to - from;
		d->end_ps = to > d->end_ps ? to : d->end_ps;
		last->to = fmin(ms(d->first_ps + d->covered_ps), ms(d->end_ps));
		if (to - from <= d->longest_ps)
			return;
		d->longest_ps = to - from;
		last->label = label_of(d, tp_line_op(line, event));
		last->hue = look.hue;
		last->tint = look.tint;
		last->note = tp_say_value(d->ctx, tp_number(ms(at.to_ps - at.from_ps), TP_UNIT_MS));
		return;
	}
	note_merged(d);
	d->merging = is_short;
	d->column = from / d->column_ps;
	d->longest_ps = to - from;
	d->events = 1;
	d->first_ps = from;
	d->end_ps = to;
	d->covered_ps = to - from;
	TP_PUSH(d->bars, struct tp_timeline_bar, label_of(d, tp_line_op(line, event)),
		tp_say_value(d->ctx, tp_number(ms(at.to_ps - at.from_ps), TP_UNIT_MS)), row, ms(from),
		ms(to), look.hue, look.tint);
}

/* Of what starts before the span only the last event of a lane can reach into it. */
static void
draw_row(struct drawing *d, size_t span, const struct row *row, size_t number)
{
	const struct tp_timeline_line *line = &d->t->lines[row->line];
	const struct tp_timeline_span *of = &d->t->spans[span];
	uint32_t before = line->before[span][row->lane];

	d->merging = false;
	if (before != 0 && tp_timeline_place(line, before - 1).to_ps > of->from_ps)
		draw_event(d, of, line->line, before - 1, tp_timeline_place(line, before - 1), number);
	for (uint32_t i = tp_timeline_first_from(line, of->from_ps); i < line->line->count; i++) {
		struct tp_timeline_place at = tp_timeline_place(line, i);

		if (at.from_ps >= of->to_ps)
			break;
		if (line->lane_of[i] == line->first_lane + row->lane)
			draw_event(d, of, line->line, i, at, number);
	}
	note_merged(d);
}

static struct tp_slice
row_name(const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t, const struct row *row)
{
	const struct tp_timeline_line *line = &t->lines[row->line];
	struct tp_slice name = tp_timeline_line_name(line->line);
	unsigned lane = line->first_lane + row->lane;

	return lane == 0 ? name : tp_arena_printf(ctx->keep, "%.*s, level %u", TP_ARG(name), lane + 1);
}

/* Whether a row begins another group than the one before, which a head names: not if all are the threads of one host. */
static bool
needs_head(const struct tp_timeline_found *t, const struct row *rows, size_t count, size_t i)
{
	const struct tp_line *line = t->lines[rows[i].line].line;
	const struct tp_line *first = t->lines[rows[0].line].line,
						 *last = t->lines[rows[count - 1].line].line;

	if (t->profile->host_count == 1 && line->device == TP_NONE && line->process.len == 0 &&
		tp_timeline_same_group(first, last))
		return false;
	return i == 0 || !tp_timeline_same_group(line, t->lines[rows[i - 1].line].line);
}

/* Of cores only one that costs enough is called a straggler; of workers no other is drawn. */
static const char *
what_lags(const struct tp_pass_ctx *ctx)
{
	const struct tp_pod *pod = tp_result(ctx, &tp_pass_pod);

	return pod == NULL || tp_pod_straggles(ctx, pod) ? text_straggler : text_slowest_core;
}

static struct tp_slice
head_name(const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t, const struct row *row)
{
	struct tp_slice name = tp_timeline_group_name(ctx, t->lines[row->line].line);

	const struct tp_timeline_unit *unit = &t->units[row->unit];

	if (!row->of_device && unit->device != TP_NONE)
		return name;
	if (unit->called.len != 0)
		name = tp_arena_printf(ctx->keep, "%.*s (%.*s)", TP_ARG(name), TP_ARG(unit->called));
	return unit->lags ? tp_arena_printf(ctx->keep, "%.*s, %s", TP_ARG(name), what_lags(ctx)) : name;
}

/* The rows' names, with heads between them; where each row is then. */
static size_t *
name_rows(const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t, const struct row *rows,
	size_t count, struct tp_timeline *out)
{
	struct tp_slice *names = tp_new_array(ctx->keep, struct tp_slice, 2 * count);
	bool *inner = tp_new_array(ctx->keep, bool, 2 * count);
	size_t *place = tp_new_array(ctx->scratch, size_t, count), n = 0;

	for (size_t i = 0; i < count; i++) {
		if (needs_head(t, rows, count, i)) {
			inner[n] = true;
			names[n++] = head_name(ctx, t, &rows[i]);
		}
		place[i] = n;
		names[n] = row_name(ctx, t, &rows[i]);
		inner[n++] = i != 0 && rows[i].line == rows[i - 1].line;
	}
	out->rows = names;
	out->inner = inner;
	out->row_count = n;
	return place;
}

void
tp_timeline_draw(
	const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t, struct tp_timeline *out)
{
	size_t count;
	struct row *rows = find_rows(ctx, t, &count);
	const size_t *place = name_rows(ctx, t, rows, count, out);
	struct tp_timeline_window *windows =
		tp_new_array(ctx->keep, struct tp_timeline_window, t->span_count);
	uint64_t longest_ps = 0;

	for (size_t i = 0; i < t->span_count; i++) {
		uint64_t length = t->spans[i].to_ps - t->spans[i].from_ps;

		longest_ps = length > longest_ps ? length : longest_ps;
	}
	for (size_t i = 0; i < t->span_count; i++) {
		const struct tp_timeline_span *span = &t->spans[i];
		struct tp_buf bars = {0};
		struct drawing d = {
			.ctx = ctx, .t = t, .bars = &bars, .column_ps = longest_ps / COLUMNS + 1};

		for (size_t k = 0; k < count; k++)
			draw_row(&d, i, &rows[k], place[k]);
		windows[i] = (struct tp_timeline_window){
			.label = span->label,
			.note = span->note,
			.from_ps = (double)span->from_ps,
			.length = ms(span->to_ps - span->from_ps),
			.bar_count = bars.count,
		};
		windows[i].bars = tp_buf_settle(&bars, sizeof(struct tp_timeline_bar), ctx->keep);
	}
	out->windows = windows;
	out->window_count = t->span_count;
}

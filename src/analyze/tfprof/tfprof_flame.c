/* Which lines of code the time is from: as a flame graph by call stack, and as a table of lines. */
#include "analyze/tfprof/tfprof.h"

#include "analyze/core/say.h"
#include "analyze/tfprof/tfprof_columns.h"
#include "analyze/tfprof/tfprof_words.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "model/profile.h"
#include "report/draft.h"

#include <stdlib.h>

/* What is narrower is not seen; so many bars are enough. */
#define LEAST_SHARE 0.002
enum { MOST_BARS = 2000, MOST_LINES = 1000 };

static void
draw(const struct tp_pass_ctx *ctx, const struct tp_tfprof_view *v, struct tp_buf *frames)
{
	double all_us = (double)v->rows[0].total.of[TP_TFPROF_US];
	double *from = tp_new_array(ctx->scratch, double, v->count);
	double *next = tp_new_array(ctx->scratch, double, v->count);
	bool *drawn = tp_new_array(ctx->scratch, bool, v->count);

	drawn[0] = true;
	for (uint32_t i = 1; i < v->count; i++) {
		const struct tp_tfprof_row *row = &v->rows[i];
		double us = (double)row->total.of[TP_TFPROF_US], share = us / all_us;

		from[i] = next[i] = next[row->parent];
		next[row->parent] += us > 0 ? share : 0;
		drawn[i] = drawn[row->parent] && share >= LEAST_SHARE && row->depth <= TP_FLAME_MOST_ROWS &&
			frames->count < MOST_BARS && from[i] + share <= 1.0001;
		if (!drawn[i])
			continue;
		*tp_buf_new(frames, struct tp_frame) = (struct tp_frame){
			.label = row->name,
			.note = tp_arena_printf(ctx->keep, "%.*s, %.*s",
				TP_ARG(tp_say_value(ctx, tp_number(us, TP_UNIT_US))),
				TP_ARG(tp_say_value(ctx, tp_number(share, TP_UNIT_SHARE)))),
			.row = row->depth - 1,
			.from = from[i],
			.to = from[i] + share > 1 ? 1 : from[i] + share,
			.hue = TP_HUE_COMPUTE,
			.tint = row->gradient ? 1 : 0,
		};
	}
}

/* Which tint is whose, and how much of the time: of the nodes that were made for gradients and of the others. */
static void
parts(const struct tp_pass_ctx *ctx, const struct tp_tfprof_view *v, struct tp_doc *doc,
	struct tp_block *section)
{
	enum { FORWARD, GRADIENTS, PARTS };
	static const struct tp_slice one_bar[] = {TP_LIT("operation time")};
	struct tp_series *series = tp_new_array(ctx->keep, struct tp_series, PARTS);
	bool gradients_first = v->rows[1].gradient; /* as the flame graph begins */
	double *us = tp_new_array(ctx->keep, double, PARTS);

	for (uint32_t i = 1; i < v->count; i++)
		us[v->rows[i].gradient ? GRADIENTS : FORWARD] += (double)v->rows[i].own.of[TP_TFPROF_US];
	if (!(us[GRADIENTS] > 0))
		return;
	series[gradients_first] = (struct tp_series){.key = TP_S("program"),
		.label = TP_S("Made by the program"),
		.hue = TP_HUE_COMPUTE,
		.values = &us[FORWARD]};
	series[!gradients_first] = (struct tp_series){.key = TP_S("gradients"),
		.label = TP_S("Made for gradients"),
		.hue = TP_HUE_COMPUTE,
		.tint = 1,
		.values = &us[GRADIENTS]};
	tp_doc_add(doc, section, TP_BLOCK_CHART, TP_S("tfprof/flame-parts"))->chart = (struct tp_chart){
		.kind = TP_CHART_STACK,
		.alt = tp_arena_printf(ctx->keep, text_made_alt,
			TP_ARG(tp_say_value(ctx, tp_number(us[FORWARD], TP_UNIT_US))),
			TP_ARG(tp_say_value(ctx, tp_number(us[GRADIENTS], TP_UNIT_US)))),
		.unit = TP_UNIT_US,
		.series = series,
		.series_count = PARTS,
		.labels = one_bar,
		.point_count = 1,
		.legend = true,
		.marked = SIZE_MAX,
	};
}

static void
flame(const struct tp_pass_ctx *ctx, const struct tp_tfprof_view *v, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_buf frames = {0};

	draw(ctx, v, &frames);
	size_t count = frames.count;

	if (count == 0) {
		tp_buf_free(&frames);
		return;
	}
	const struct tp_frame *widest = frames.data;
	struct tp_slice alt = tp_arena_printf(ctx->keep, text_flame_alt,
		TP_ARG(tp_say_value(ctx, tp_integer(v->rows[0].total.of[TP_TFPROF_US], TP_UNIT_US))),
		TP_ARG(widest->label), TP_ARG(widest->note));

	tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "tfprof/flame-text",
		TP_SAY(doc, text_flame, tp_integer(v->rows[0].total.of[TP_TFPROF_US], TP_UNIT_US)));
	parts(ctx, v, doc, section);
	tp_doc_add(doc, section, TP_BLOCK_CHART, TP_S("tfprof/flame"))->chart = (struct tp_chart){
		.kind = TP_CHART_FLAME,
		.alt = alt,
		.unit = TP_UNIT_SHARE,
		.frames = tp_buf_settle(&frames, sizeof(struct tp_frame), ctx->keep),
		.frame_count = count,
	};
}

TP_ORDER(by_time, struct line, TP_DOWN(us), TP_DOWN(nodes), TP_UP(order));

static bool
is_of_library(struct tp_slice file)
{
	return tp_slice_has(file, TP_S("-packages/")) || tp_slice_has(file, TP_S("/tensorflow/"));
}

/* Of each row the nearest row above, itself among them, that is in the user's own file; the root: there is none. */
static void
find_own(const struct tp_tfprof_view *v, uint32_t *own)
{
	for (uint32_t i = 1; i < v->count; i++)
		own[i] = v->rows[i].frame.file.len != 0 && !is_of_library(v->rows[i].frame.file)
			? i
			: own[v->rows[i].parent];
}

static size_t
collect(const struct tp_pass_ctx *ctx, const struct tp_tfprof_view *v, struct line **out)
{
	uint32_t *own = tp_new_array(ctx->scratch, uint32_t, v->count), number;
	struct line *lines = tp_new_array(ctx->keep, struct line, v->count);
	size_t count = 0;
	struct tp_map known;

	tp_map_init(&known, ctx->scratch);
	find_own(v, own);
	for (uint32_t i = 1; i < v->count; i++) {
		const struct tp_tfprof_row *row = &v->rows[i], *at = &v->rows[own[i]];

		if (row->member_count == 0 || own[i] == 0)
			continue;
		uint64_t key = tp_hash_pair(tp_hash_pair(at->frame.file_id, at->frame.function_id),
			(uint64_t)(uint32_t)at->frame.line);

		if (tp_map_number(&known, key, &number))
			lines[count++] =
				(struct line){.name = at->name, .file = at->frame.file, .order = number};
		struct line *l = &lines[number];

		if (at->gradient) {
			l->name.len -= l->name.len > 11 && tp_slice_ends(l->name, TP_S(" (gradient)")) ? 11 : 0;
			l->gradient_us += row->own.of[TP_TFPROF_US];
		}
		l->us += row->own.of[TP_TFPROF_US];
		l->nodes += row->member_count;
	}
	qsort(lines, count, sizeof *lines, by_time);
	*out = lines;
	return count;
}

static void
lines_table(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_tfprof_view *v = &s->code;
	bool ran = s->tfprof->step_count != 0;
	struct line *lines;
	size_t count = collect(ctx, v, &lines);
	double all_us = (double)v->rows[0].total.of[TP_TFPROF_US];

	if (count == 0)
		return;
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "tfprof/lines", line_columns);

	for (size_t i = 0; i < count && i < MOST_LINES; i++) {
		struct line_cells *cells =
			tp_draft_row_of(&draft, lines[i].name, TP_ROW_NORMAL, 0, &lines[i]);

		cells->share.value = tp_share((double)lines[i].us, all_us, TP_S(why_no_line_time));
		if (!ran)
			cells->time.value = cells->share.value = cells->gradient.value =
				tp_missing(TP_S(TP_TFPROF_NO_STEP));
	}
	tp_draft_finish(&draft, ctx->options->top)->caption =
		ran ? TP_S(caption_lines) : TP_S(caption_lines_by_nodes);
	tp_say_left_out(
		ctx, doc, section, "tfprof/more-lines", count, MOST_LINES, "more line", "more lines");
}

void
tp_tfprof_flame(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s,
	struct tp_doc *doc, struct tp_block *section)
{
	if (!s->has_code) {
		tp_doc_paragraph(
			doc, section, TP_PARAGRAPH_SMALL, "tfprof/no-code", TP_SAY0(doc, text_no_code));
		return;
	}
	if (s->code.rows[0].total.of[TP_TFPROF_US] > 0)
		flame(ctx, &s->code, doc, section);
	lines_table(ctx, s, doc, section);
}

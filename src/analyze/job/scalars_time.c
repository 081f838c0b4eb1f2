/* What the report says about the wall time of a run: where it went, which gaps there were and why, and what sessions marked. */
#include "analyze/job/scalars.h"

#include "analyze/core/say.h"
#include "analyze/job/scalars_columns.h"
#include "analyze/job/scalars_words.h"
#include "base/arena.h"
#include "base/order.h"
#include "base/utf8.h"
#include "model/events.h"
#include "report/draft.h"

#include <math.h>
#include <stdlib.h>

enum { GAPS_OPEN = 8, MOST_GAPS = 500, MARKS_OPEN = 12, MOST_LISTED_MARKS = 500 };

/* Seconds since 1970 as a date. */
static struct tp_value
date(double wall_s)
{
	double ns = wall_s * 1e9;

	if (!(fabs(ns) < (double)INT64_MAX))
		return tp_missing(TP_S(why_no_date));
	return tp_integer((int64_t)ns, TP_UNIT_UNIX_NS);
}

static void
bar(const struct tp_pass_ctx *ctx, const struct tp_scalar_pace *pace, struct tp_doc *doc,
	struct tp_block *section)
{
	static const struct tp_slice label[] = {TP_LIT("wall time")};
	struct tp_series *series = tp_new_array(ctx->keep, struct tp_series, TP_PACE_PARTS);
	struct tp_slice alt = TP_S("");

	for (int part = 0; part < TP_PACE_PARTS; part++) {
		const struct tp_pace_part_info *info = &tp_pace_parts[part];
		struct tp_value share = tp_share(pace->part_s[part], pace->wall_s, TP_S("no time"));

		series[part] = (struct tp_series){
			.key = tp_slice_of(info->key),
			.label = tp_slice_of(info->label),
			.hue = info->hue,
			.tint = info->tint,
			.values = &pace->part_s[part],
		};
		if (pace->part_s[part] > 0)
			alt = tp_arena_printf(ctx->keep, "%.*s%s%s %.*s", TP_ARG(alt), alt.len != 0 ? ", " : "",
				info->label, TP_ARG(tp_say_value(ctx, share)));
	}
	tp_doc_add(doc, section, TP_BLOCK_CHART, TP_S("whole-run/time"))->chart = (struct tp_chart){
		.kind = TP_CHART_STACK,
		.alt = tp_arena_printf(ctx->keep, text_time_alt, TP_ARG(alt)),
		.unit = TP_UNIT_S,
		.series = series,
		.series_count = TP_PACE_PARTS,
		.labels = label,
		.point_count = 1,
		.marked = SIZE_MAX,
		.legend = true,
	};
}

static double
took_s(const struct tp_pace_gap *gap)
{
	return gap->to_s - gap->from_s;
}

TP_ORDER(longest_first, struct tp_pace_gap, (took_s(a) < took_s(b)) - (took_s(a) > took_s(b)),
	TP_UP(from_s));

static void
gaps(const struct tp_pass_ctx *ctx, const struct tp_scalar_pace *pace, struct tp_doc *doc,
	struct tp_block *section)
{
	static const struct tp_slice causes[TP_PACE_PARTS] = {
		[TP_PACE_RESTART] = TP_LIT("restart"),
		[TP_PACE_EVAL] = TP_LIT("evaluation"),
		[TP_PACE_SAVE] = TP_LIT("a checkpoint"),
	};
	struct tp_value silent = tp_missing(TP_S(why_silent));
	struct tp_pace_gap *list = tp_new_array(ctx->scratch, struct tp_pace_gap, pace->gap_count);
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "whole-run/gap-list", gap_columns);

	memcpy(list, pace->gap_list, pace->gap_count * sizeof *list);
	qsort(list, pace->gap_count, sizeof *list, longest_first);
	for (uint32_t i = 0; i < pace->gap_count && i < MOST_GAPS; i++) {
		const struct tp_pace_gap *gap = &list[i];
		struct tp_slice cause = causes[gap->cause];
		struct gap_cells *cells = tp_draft_row_of(&draft,
			tp_arena_printf(ctx->keep, "%lld", (long long)gap->after_step), TP_ROW_NORMAL, 0, gap);

		cells->from.value = date(gap->from_s);
		cells->took.value = tp_number(took_s(gap), TP_UNIT_S);
		cells->cause.value = cause.len != 0 ? tp_text_value(cause) : silent;
		cells->cause.swatch = tp_pace_parts[gap->cause].hue;
		cells->cause.tint = (unsigned)tp_pace_parts[gap->cause].tint;
		cells->again.value = gap->cause == TP_PACE_RESTART ? tp_number(gap->again_s, TP_UNIT_S)
														   : tp_missing(TP_S(why_no_restart));
	}
	tp_draft_finish(&draft, GAPS_OPEN)->caption = TP_S(caption_gaps);
	tp_say_left_out(ctx, doc, section, "whole-run/more-gaps", pace->gap_count, MOST_GAPS,
		"shorter gap", "shorter gaps");
}

static void
marks(const struct tp_pass_ctx *ctx, const struct tp_event_run *run, struct tp_doc *doc,
	struct tp_block *section)
{
	static const struct tp_slice names[] = {
		[TP_EVENT_START] = TP_LIT("session begins"),
		[TP_EVENT_STOP] = TP_LIT("session ends"),
		[TP_EVENT_CHECKPOINT] = TP_LIT("checkpoint"),
	};
	struct tp_block *fold =
		tp_doc_section(doc, section, TP_SECTION_FOLD, "whole-run/marks", title_marks);
	struct tp_draft draft = TP_DRAFT_TABLE(doc, fold, "whole-run/mark-list", mark_columns);

	for (uint32_t i = 0; i < run->mark_count && i < MOST_LISTED_MARKS; i++) {
		const struct tp_event_mark *m = &run->marks[i];
		struct mark_cells *cells =
			tp_draft_row_of(&draft, tp_arena_printf(ctx->keep, "%u", i + 1), TP_ROW_NORMAL, 0, m);

		cells->mark.value = tp_text_value(names[m->kind]);
		cells->at.value = date(m->wall_s);
		cells->purged.value =
			m->kind == TP_EVENT_START ? tp_count(m->purged) : tp_missing(TP_S(why_discards_none));
		cells->path.value = tp_say_text(tp_utf8_clean(ctx->keep, m->path), why_no_path);
	}
	tp_draft_finish(&draft, MARKS_OPEN)->caption = TP_S(caption_marks);
	fold->section.off_paper = true;
	if (run->mark_count > MOST_LISTED_MARKS)
		tp_doc_paragraph(doc, fold, TP_PARAGRAPH_SMALL, "whole-run/more-marks",
			TP_SAY(doc, "{} are left out.",
				tp_say_number(ctx, run->mark_count - MOST_LISTED_MARKS + run->marks_dropped,
					"more mark", "more marks")));
}

void
tp_scalars_time(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_scalar_run *main = &s->runs[s->main];

	bool told = tp_pace_unknown(&main->pace).len == 0;

	if (told && main->pace.wall_s > 0)
		bar(ctx, &main->pace, doc, section);
	if (told && main->pace.gap_count != 0)
		gaps(ctx, &main->pace, doc, section);
	if (main->run->mark_count != 0)
		marks(ctx, main->run, doc, section);
}

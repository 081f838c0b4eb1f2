/* What the report says about the whole run: every session and phase, and the ten figures of TensorBoard's end-to-end tool. */
#include "analyze/job/end_to_end.h"
#include "analyze/job/lanes.h"

#include "analyze/core/say.h"
#include "analyze/job/end_to_end_columns.h"
#include "analyze/job/end_to_end_words.h"
#include "base/arena.h"
#include "base/order.h"
#include "model/events.h"
#include "model/profile.h"
#include "report/draft.h"

#include <math.h>
#include <stdlib.h>

enum { SESSIONS_OPEN = 8 };

static struct tp_value
ms(double number)
{
	return tp_number(number, TP_UNIT_MS);
}

static struct tp_value
share_of_run(const struct tp_e2e *e, struct tp_value took)
{
	return tp_share(tp_value_in(took, TP_UNIT_MS), e->total_ms, TP_S(why_no_length));
}

TP_ORDER(by_start, struct tp_period, TP_UP(from));

/* What no session covers, between the first mark and the latest. */
static struct tp_lane
between(const struct tp_pass_ctx *ctx, const struct tp_e2e *e, double low, double high)
{
	struct tp_period *sessions = tp_new_array(ctx->scratch, struct tp_period, e->session_count);
	struct tp_period *gaps = tp_new_array(ctx->keep, struct tp_period, e->session_count + 1);
	size_t count = 0, gap_count = 0;
	double until = low;

	for (uint32_t i = 0; i < e->span_count; i++) {
		const struct tp_e2e_span *span = &e->spans[i];

		if (span->phase < TP_PHASE_SESSIONS)
			sessions[count++] = (struct tp_period){.from = e->first_unix_s + span->start_ms / 1e3,
				.to = e->first_unix_s + span->end_ms / 1e3};
	}
	qsort(sessions, count, sizeof *sessions, by_start);
	for (size_t i = 0; i <= count; i++) {
		double next = i < count ? sessions[i].from : high;

		if (next - until > 1e-6) /* what the clock's own precision leaves is none */
			gaps[gap_count++] = (struct tp_period){.label = TP_S("no session"),
				.note = tp_say_value(ctx, tp_number(next - until, TP_UNIT_S)),
				.from = until,
				.to = next,
				.hue = TP_HUE_IDLE};
		until = i < count ? fmax(until, sessions[i].to) : until;
	}
	return tp_job_lane(ctx, "between", gaps, gap_count, low, high);
}

static struct tp_lane
set_back(const struct tp_pass_ctx *ctx, const struct tp_e2e *e, double low, double high)
{
	struct tp_period *backs = tp_new_array(ctx->keep, struct tp_period, e->backwards);

	for (uint32_t i = 0; i < e->backwards; i++) {
		double by_s = (e->backs[i].before_ms - e->backs[i].at_ms) / 1e3;
		struct tp_slice by = tp_say_value(ctx, tp_number(by_s, TP_UNIT_S));

		backs[i] = (struct tp_period){.label = TP_S("clock set back"),
			.note = tp_arena_printf(ctx->keep, "by %.*s", TP_ARG(by)),
			.from = e->first_unix_s + e->backs[i].at_ms / 1e3,
			.to = e->first_unix_s + e->backs[i].before_ms / 1e3,
			.hue = TP_HUE_INPUT};
	}
	return tp_job_lane(ctx, "clock back", backs, e->backwards, low, high);
}

/* Sessions and phases over wall time: a lane for each kind, between them what is no session, and which intervals of time a clock that
 * was set back counted twice. */
static void
chart(const struct tp_pass_ctx *ctx, const struct tp_e2e *e, struct tp_doc *doc,
	struct tp_block *section)
{
	double low = e->first_unix_s, high = low + e->total_ms / 1e3;
	struct tp_lane *lanes = tp_new_array(ctx->keep, struct tp_lane, TP_PHASE_COUNT + 2);
	struct tp_curves *all = tp_new(ctx->keep, struct tp_curves);
	size_t count = 0;

	if (!(high > low && low > -TP_LATEST_S && high < TP_LATEST_S))
		return;
	count += tp_job_phase_lanes(ctx, e, TP_PHASE_TRAIN, TP_PHASE_PREDICT, low, high, lanes);
	/* Where time counts twice, what lies between sessions is not known. */
	if (e->backwards == 0)
		lanes[count] = between(ctx, e, low, high);
	count += lanes[count].count != 0;
	count += tp_job_phase_lanes(
		ctx, e, TP_PHASE_INIT_SYSTEM, TP_PHASE_SETUP_INFEED, low, high, lanes + count);
	if (e->backwards != 0)
		lanes[count++] = set_back(ctx, e, low, high);
	*all = (struct tp_curves){
		.lanes = lanes,
		.lane_count = count,
		.x_title = TP_S("UTC"),
		.utc = true,
		.low = low,
		.high = high,
	};
	tp_run_window(ctx->profile, &all->window_from, &all->window_to);
	all->window_label = tp_run_window_label(ctx, all->window_from, all->window_to);
	tp_doc_add(doc, section, TP_BLOCK_CHART, TP_S("whole-run/intervals"))->chart =
		(struct tp_chart){
			.kind = TP_CHART_CURVES,
			.alt = tp_arena_printf(ctx->keep, text_lanes_alt, e->session_count,
				tp_plural(e->session_count, "session", "sessions"), e->unended),
			.unit = TP_UNIT_NONE,
			.curves = all,
		};
}

/* Which share of the run something is. */
static struct tp_cell
share_cell(const struct tp_e2e *e, struct tp_value took, const struct tp_phase_look *look)
{
	return (struct tp_cell){
		.value = tp_known(took) ? share_of_run(e, took) : took,
		.swatch = look->hue,
		.tint = (unsigned)look->tint,
	};
}

static void
kind_row(const struct tp_e2e *e, struct tp_slice name, struct tp_value times, struct tp_value took,
	const struct tp_phase_look *look, struct tp_draft *draft)
{
	struct kind_cells *cells = tp_draft_row_of(draft, name, TP_ROW_NORMAL, 0, NULL);

	cells->kind.value = tp_text_value(name);
	cells->times.value = times;
	cells->took.value = took;
	cells->share = share_cell(e, took, look);
}

/* Every kind of session, what lies between them, and every kind of phase inside them. */
static void
kinds(const struct tp_e2e *e, struct tp_doc *doc, struct tp_block *section)
{
	static const struct tp_phase_look idle = {"no session", TP_HUE_IDLE, 0};
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "whole-run/kinds", kind_columns);

	for (int phase = 0; phase < TP_PHASE_COUNT; phase++) {
		const struct tp_phase_look *look = &tp_phase_looks[phase];

		if (phase == TP_PHASE_SESSIONS && e->backwards == 0)
			kind_row(e, tp_slice_of(idle.name), tp_missing(TP_S(why_remainder)),
				ms(fmax(0, e->total_ms - e->session_ms)), &idle, &draft);
		if (e->times[phase] != 0)
			kind_row(e, tp_slice_of(look->name), tp_count(e->times[phase]), e->took[phase], look,
				&draft);
	}
	tp_draft_finish(&draft, TP_PHASE_COUNT + 1)->caption = TP_S(caption_kinds);
}

static const struct tp_slice ends[] = {
	[TP_E2E_MARKED] = TP_LIT("yes"),
	[TP_E2E_LAST_MARK] = TP_LIT("no: until its last mark"),
	[TP_E2E_LAST_SCALAR] = TP_LIT("no: until its last scalar"),
	[TP_E2E_OF_SESSION] = TP_LIT("no: until the end of its session"),
};

static void
span_row(const struct tp_pass_ctx *ctx, const struct tp_e2e *e, const struct tp_e2e_span *span,
	struct tp_draft *draft)
{
	struct tp_value took =
		span->set_back ? tp_missing(TP_S(why_set_back)) : ms(span->end_ms - span->start_ms);
	struct tp_slice name = tp_e2e_span_name(ctx, span);
	struct span_cells *cells =
		tp_draft_row_of(draft, name, TP_ROW_NORMAL, span->session == TP_NONE ? 0 : 1, span);

	cells->phase.value = tp_text_value(name);
	cells->took.value = took;
	cells->share = share_cell(e, took, &tp_phase_looks[span->phase]);
	cells->ended.value = tp_text_value(ends[span->until]);
}

static void
spans(const struct tp_pass_ctx *ctx, const struct tp_e2e *e, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "whole-run/sessions", span_columns);
	uint32_t *first = tp_new_array(ctx->scratch, uint32_t, e->span_count);
	uint32_t *next = tp_new_array(ctx->scratch, uint32_t, e->span_count);

	/* Phases stand behind their session, in a list of its own. */
	memset(first, 0xff, e->span_count * sizeof *first);
	for (uint32_t i = e->span_count; i-- > 0;) {
		uint32_t session = e->spans[i].session;

		if (session == TP_NONE)
			continue;
		next[i] = first[session];
		first[session] = i;
	}
	for (uint32_t i = 0; i < e->span_count; i++) {
		if (e->spans[i].session != TP_NONE)
			continue;
		span_row(ctx, e, &e->spans[i], &draft);
		for (uint32_t k = first[i]; k != TP_NONE; k = next[k])
			span_row(ctx, e, &e->spans[k], &draft);
	}
	struct tp_table *table = tp_draft_finish(&draft, SESSIONS_OPEN);

	table->tree = true;
	table->caption = TP_S(caption_spans);
}

/* Which session a category is of: without it the figure is none. */
static enum tp_phase
session_of(enum tp_e2e_category c)
{
	return c <= TP_E2E_TRAINING                   ? TP_PHASE_TRAIN
		: c == TP_E2E_TO_EVAL || c == TP_E2E_EVAL ? TP_PHASE_EVAL
												  : TP_PHASE_PREDICT;
}

static void
categories(const struct tp_e2e *e, struct tp_doc *doc, struct tp_block *section)
{
	static const struct tp_slice none[TP_PHASE_SESSIONS] = {
		TP_LIT("no training session"), TP_LIT("no eval session"), TP_LIT("no predict session")};
	struct tp_block *fold =
		tp_doc_section(doc, section, TP_SECTION_FOLD, "whole-run/original", title_categories);
	struct tp_draft draft = TP_DRAFT_TABLE(doc, fold, "whole-run/categories", category_columns);

	for (int c = 0; c < TP_E2E_COUNT; c++) {
		enum tp_phase session = session_of((enum tp_e2e_category)c);
		struct tp_slice label = tp_slice_of(tp_e2e_categories[c].label);
		struct category_cells *cells = tp_draft_row_of(&draft, label, TP_ROW_NORMAL, 0, NULL);

		cells->category.value = tp_text_value(label);
		cells->time.value = e->has[session] ? ms(e->category_ms[c]) : tp_missing(none[session]);
	}
	tp_draft_finish(&draft, TP_E2E_COUNT)->caption = TP_S(caption_categories);
}

/* "Training is 68.0 %, evaluation 6.4 %" */
static struct tp_slice
shares(const struct tp_pass_ctx *ctx, const struct tp_e2e *e)
{
	static const char *const names[TP_PHASE_SESSIONS][2] = {
		{"Training", "training"}, {"Evaluation", "evaluation"}, {"Prediction", "prediction"}};
	struct tp_slice list = TP_S("");

	for (int s = 0; s < TP_PHASE_SESSIONS; s++) {
		struct tp_slice share = tp_known(e->took[s])
			? tp_say_value(ctx, share_of_run(e, e->took[s]))
			: TP_S(text_unknown_share);

		if (e->times[s] == 0)
			continue;
		list = list.len == 0
			? tp_arena_printf(ctx->keep, "%s is %.*s", names[s][0], TP_ARG(share))
			: tp_arena_printf(ctx->keep, "%.*s, %s %.*s", TP_ARG(list), names[s][1], TP_ARG(share));
	}
	return list.len != 0 ? list : TP_S(text_no_session_part);
}

struct tp_text
tp_e2e_say_set_up(struct tp_doc *doc, const struct tp_e2e *e)
{
	if (e->before_steps_longer && !(e->before_steps_ms > 0))
		return TP_SAY0(doc, text_unknown_share);
	return TP_SAY(doc, e->before_steps_longer ? text_at_least : "{}",
		tp_share(e->before_steps_ms, e->total_ms, TP_S(why_no_length)));
}

static void
answer(const struct tp_pass_ctx *ctx, const struct tp_e2e *e, struct tp_doc *doc,
	struct tp_block *section)
{
	double outside_ms = e->total_ms - e->session_ms;

	section->section.key_figure = tp_number(e->total_ms / 1e3, TP_UNIT_S);
	section->section.answer = tp_doc_join(doc,
		TP_SAY(doc, text_start_to_end, tp_text_value(shares(ctx, e)),
			tp_number(e->total_ms / 1e3, TP_UNIT_S)),
		tp_doc_join(doc, tp_e2e_say_set_up(doc, e), TP_SAY0(doc, text_set_up)));
	if (e->backwards != 0) {
		section->section.so_what = TP_SAY(
			doc, text_between_unknown, tp_say_number(ctx, e->session_count, "session", "sessions"));
		return;
	}
	if (e->session_count == 1 && !(outside_ms > 0)) {
		section->section.so_what =
			TP_SAY0(doc, e->unended != 0 ? text_one_session_unended : text_one_session);
		return;
	}
	section->section.so_what =
		TP_SAY(doc, text_between, tp_say_number(ctx, e->session_count, "session", "sessions"),
			tp_number((outside_ms > 0 ? outside_ms : 0) / 1e3, TP_UNIT_S));
}

static void
oddities(const struct tp_pass_ctx *ctx, const struct tp_e2e *e, struct tp_doc *doc,
	struct tp_block *section)
{
	uint32_t last = e->unended - e->began_anew;

	if (e->other_files != 0) {
		struct tp_value other = tp_text_value(tp_say_file_name(e->other->from));

		tp_doc_add(doc, section, TP_BLOCK_NOTICE, TP_S("whole-run/other-jobs"))->notice =
			(struct tp_notice){.judge = TP_JUDGE_WARN,
				.text = e->other_files == 1
					? TP_SAY(doc, text_other_file, other)
					: TP_SAY(doc, text_other_files, tp_count(e->other_files), other)};
	}
	if (e->began_anew != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "whole-run/began-anew",
			TP_SAY(doc, text_restarted,
				tp_say_number(ctx, e->began_anew, "session has", "sessions have")));
	if (last != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "whole-run/unended",
			TP_SAY(doc, text_unended, tp_say_number(ctx, last, "session has", "sessions have")));
	if (e->backwards != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "whole-run/backwards",
			TP_SAY(doc, text_set_back, tp_say_number(ctx, e->backwards, "mark is", "marks are")));
	if (e->strays != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "whole-run/strays",
			TP_SAY(doc, text_strays, tp_say_number(ctx, e->strays, "end", "ends")));
}

void
tp_e2e_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_e2e *e = result;
	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "whole-run", "Whole run");

	answer(ctx, e, doc, section);
	chart(ctx, e, doc, section);
	kinds(e, doc, section);
	spans(ctx, e, doc, section);
	oddities(ctx, e, doc, section);
	categories(e, doc, section);
	tp_say_how(ctx, doc, section, "whole-run/how", how_end_to_end);
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_SOURCE, "whole-run/source",
		TP_SAY(doc, source_end_to_end, tp_text_value(tp_say_file_name(e->from->from))));
}

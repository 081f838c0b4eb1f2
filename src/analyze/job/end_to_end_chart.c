/* The sessions and phases of a job drawn over its wall time: a lane for each kind, between them what is no session, and which
 * intervals of time a clock that was set back counted twice. */
#include "analyze/job/end_to_end.h"
#include "analyze/job/lanes.h"

#include "base/arena.h"
#include "model/events.h"
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>

static int
by_start(const void *left, const void *right)
{
	const struct tp_period *a = left, *b = right;

	return (a->from > b->from) - (a->from < b->from);
}

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
	if (count != 0)
		qsort(sessions, count, sizeof *sessions, by_start);
	for (size_t i = 0; i <= count; i++) {
		double next = i < count ? sessions[i].from : high;

		if (next - until > 1e-6) { /* what the clock's own precision leaves is none */
			char buf[TP_VALUE_BUF];
			struct tp_slice took = tp_value_text(tp_number(next - until, TP_UNIT_S), buf);

			gaps[gap_count++] = (struct tp_period){.label = TP_S("no session"),
				.note = tp_arena_copy(ctx->keep, took),
				.from = until,
				.to = next,
				.hue = TP_HUE_IDLE};
		}
		until = i < count ? fmax(until, sessions[i].to) : until;
	}
	return tp_job_lane(ctx, "between", gaps, gap_count, low, high);
}

static struct tp_lane
set_back(const struct tp_pass_ctx *ctx, const struct tp_e2e *e, double low, double high)
{
	struct tp_period *backs = tp_new_array(ctx->keep, struct tp_period, e->backwards);

	for (uint32_t i = 0; i < e->backwards; i++) {
		char buf[TP_VALUE_BUF];
		double by_s = (e->backs[i].before_ms - e->backs[i].at_ms) / 1e3;
		struct tp_slice by = tp_value_text(tp_number(by_s, TP_UNIT_S), buf);

		backs[i] = (struct tp_period){.label = TP_S("clock set back"),
			.note = tp_arena_printf(ctx->keep, "by %.*s", TP_ARG(by)),
			.from = e->first_unix_s + e->backs[i].at_ms / 1e3,
			.to = e->first_unix_s + e->backs[i].before_ms / 1e3,
			.hue = TP_HUE_INPUT};
	}
	return tp_job_lane(ctx, "clock back", backs, e->backwards, low, high);
}

void
tp_e2e_chart(const struct tp_pass_ctx *ctx, const struct tp_e2e *e, struct tp_doc *doc,
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
	tp_doc_add(doc, section, TP_BLOCK_CHART, TP_S("whole-run/intervals"))
		->chart = (struct tp_chart){
		.kind = TP_CHART_CURVES,
		.alt = tp_arena_printf(ctx->keep,
			"Over wall time in UTC, every session and what it did before its first step: %u %s, %u "
			"of them without an end.",
			e->session_count, tp_plural(e->session_count, "session", "sessions"), e->unended),
		.unit = TP_UNIT_NONE,
		.marked = SIZE_MAX,
		.curves = all,
	};
}

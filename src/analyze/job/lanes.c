/* Sessions, phases and gaps as lanes. */
#include "analyze/job/lanes.h"

#include "analyze/job/scalars.h"
#include "base/arena.h"
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_PERIODS = 300 };

/* Training, evaluation and prediction as in the bar of the wall time; what comes before steps is dark. */
static const struct tp_phase_look phases[TP_PHASE_COUNT] = {
	[TP_PHASE_TRAIN] = {"training", TP_HUE_COMPUTE, 0},
	[TP_PHASE_EVAL] = {"evaluation", TP_HUE_COMPUTE, 1},
	[TP_PHASE_PREDICT] = {"prediction", TP_HUE_COMPUTE, 2},
	[TP_PHASE_INIT_SYSTEM] = {"init-system", TP_HUE_COMPILE, 0},
	[TP_PHASE_MODEL_FN] = {"model-fn", TP_HUE_COMPILE, 0},
	[TP_PHASE_SETUP_INFEED] = {"setup-infeed", TP_HUE_COMPILE, 0},
};

const struct tp_phase_look *
tp_phase_look(enum tp_phase phase)
{
	return &phases[phase];
}

struct tp_slice
tp_e2e_span_name(const struct tp_pass_ctx *ctx, const struct tp_e2e_span *span)
{
	return tp_arena_printf(ctx->keep, "%s %u", phases[span->phase].name, span->number);
}

void
tp_run_window(const struct tp_profile *p, double *from_s, double *to_s)
{
	*from_s = *to_s = NAN;
	for (uint32_t h = 0; h < p->host_count; h++) {
		const struct tp_host *host = &p->hosts[h];

		if (host->start_unix_ns <= 0 || host->stop_unix_ns < host->start_unix_ns)
			continue;
		*from_s = fmin(*from_s, (double)host->start_unix_ns / 1e9);
		*to_s = fmax(*to_s, (double)host->stop_unix_ns / 1e9);
	}
}

static int
by_begin(const void *left, const void *right)
{
	const struct tp_period *a = left, *b = right;

	return a->from != b->from ? (a->from > b->from) - (a->from < b->from)
							  : (a->to > b->to) - (a->to < b->to);
}

/* Joins neighbours that would be drawn in one place, within `apart` of each other's begin. */
static size_t
join(const struct tp_pass_ctx *ctx, const char *label, struct tp_period *p, size_t count,
	double apart)
{
	size_t kept = 0, joined = 0;

	for (size_t i = 0; i < count; i++) {
		struct tp_period *last = kept != 0 ? &p[kept - 1] : NULL;

		if (last == NULL || p[i].to - last->from > apart) {
			p[kept++] = p[i];
			joined = 1;
			continue;
		}
		joined++;
		last->to = fmax(last->to, p[i].to);
		last->open |= p[i].open;
		if (last->hue != p[i].hue || last->tint != p[i].tint) {
			last->hue = TP_HUE_NONE;
			last->tint = 0;
		}
		last->note = TP_S("");
		last->label = tp_arena_printf(ctx->keep, "%zu × %s", joined, label);
	}
	return kept;
}

struct tp_lane
tp_job_lane(const struct tp_pass_ctx *ctx, const char *label, struct tp_period *periods,
	size_t count, double low, double high)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		struct tp_period p = periods[i];

		if (!(p.to >= low && p.from <= high))
			continue;
		p.from = fmax(p.from, low);
		p.to = fmin(p.to, high);
		periods[kept++] = p;
	}
	if (kept != 0)
		qsort(periods, kept, sizeof *periods, by_begin);
	if (kept > MOST_PERIODS)
		kept = join(ctx, label, periods, kept, (high - low) / MOST_PERIODS);
	return (struct tp_lane){.label = tp_slice_of(label), .periods = periods, .count = kept};
}

/* "12.5 s" */
static struct tp_slice
seconds(const struct tp_pass_ctx *ctx, double s)
{
	char buf[TP_VALUE_BUF];
	struct tp_slice text = tp_value_text(tp_number(s, TP_UNIT_S), buf);

	return tp_arena_copy(ctx->keep, text);
}

struct tp_slice
tp_run_window_label(const struct tp_pass_ctx *ctx, double from_s, double to_s)
{
	struct tp_slice length = seconds(ctx, to_s - from_s);

	return to_s > from_s ? tp_arena_printf(ctx->keep, "profile, %.*s", TP_ARG(length))
						 : TP_S("profile");
}

size_t
tp_job_phase_lanes(const struct tp_pass_ctx *ctx, const struct tp_e2e *e, enum tp_phase first,
	enum tp_phase last, double low, double high, struct tp_lane *lanes)
{
	size_t lane_count = 0;

	for (int phase = (int)first; phase <= (int)last; phase++) {
		size_t count = 0;

		for (uint32_t i = 0; i < e->span_count; i++)
			count += (int)e->spans[i].phase == phase;
		if (count == 0)
			continue;
		struct tp_period *periods = tp_new_array(ctx->keep, struct tp_period, count);

		count = 0;
		for (uint32_t i = 0; i < e->span_count; i++) {
			const struct tp_e2e_span *span = &e->spans[i];

			if ((int)span->phase == phase)
				periods[count++] = (struct tp_period){
					.label = tp_e2e_span_name(ctx, span),
					.note = span->set_back ? TP_S("the clock was set back before its end")
										   : seconds(ctx, (span->end_ms - span->start_ms) / 1e3),
					.from = e->first_unix_s + span->start_ms / 1e3,
					.to = e->first_unix_s + span->end_ms / 1e3,
					.hue = phases[phase].hue,
					.tint = phases[phase].tint,
					.open = tp_e2e_unended(span),
				};
		}
		lanes[lane_count++] = tp_job_lane(ctx, phases[phase].name, periods, count, low, high);
	}
	return lane_count;
}

static struct tp_period
pace_period(const struct tp_pass_ctx *ctx, enum tp_pace_part part, double from_s, double to_s)
{
	const struct tp_pace_part_info *info = tp_pace_part_info(part);

	return (struct tp_period){
		.label = tp_slice_of(info->label),
		.note = seconds(ctx, to_s - from_s),
		.from = from_s,
		.to = to_s,
		.hue = info->hue,
		.tint = info->tint,
	};
}

struct tp_lane
tp_job_pace_lane(
	const struct tp_pass_ctx *ctx, const struct tp_scalar_pace *pace, double low, double high)
{
	struct tp_period *periods = tp_new_array(ctx->keep, struct tp_period, 3 * pace->gap_count + 1);
	double until_s = pace->first_point_s;
	size_t count = 0;

	for (uint32_t i = 0; i < pace->gap_count; i++) {
		const struct tp_pace_gap *gap = &pace->gap_list[i];
		double again_until_s = gap->from_s + gap->again_s;

		if (gap->from_s > until_s)
			periods[count++] = pace_period(ctx, TP_PACE_STEPS, until_s, gap->from_s);
		if (gap->again_s > 0)
			periods[count++] = pace_period(ctx, TP_PACE_AGAIN, gap->from_s, again_until_s);
		if (gap->to_s > again_until_s)
			periods[count++] = pace_period(ctx, gap->cause, again_until_s, gap->to_s);
		until_s = gap->to_s;
	}
	if (pace->last_point_s > until_s)
		periods[count++] = pace_period(ctx, TP_PACE_STEPS, until_s, pace->last_point_s);
	return tp_job_lane(ctx, "steps, gaps", periods, count, low, high);
}

/* Sessions, phases and gaps as lanes. */
#include "analyze/job/lanes.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "base/order.h"
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_PERIODS = 300 };

/* Training, evaluation and prediction as in the bar of the wall time; what comes before steps is dark. */
const struct tp_phase_look tp_phase_looks[TP_PHASE_COUNT] = {
	[TP_PHASE_TRAIN] = {"training", TP_HUE_COMPUTE, 0},
	[TP_PHASE_EVAL] = {"evaluation", TP_HUE_COMPUTE, 1},
	[TP_PHASE_PREDICT] = {"prediction", TP_HUE_COMPUTE, 2},
	[TP_PHASE_INIT_SYSTEM] = {"init-system", TP_HUE_COMPILE, 0},
	[TP_PHASE_MODEL_FN] = {"model-fn", TP_HUE_COMPILE, 0},
	[TP_PHASE_SETUP_INFEED] = {"setup-infeed", TP_HUE_COMPILE, 0},
};

struct tp_slice
tp_e2e_span_name(const struct tp_pass_ctx *ctx, const struct tp_e2e_span *span)
{
	return tp_arena_printf(ctx->keep, "%s %u", tp_phase_looks[span->phase].name, span->number);
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

TP_ORDER(by_begin, struct tp_period, TP_UP(from), TP_UP(to));

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
	qsort(periods, kept, sizeof *periods, by_begin);
	if (kept > MOST_PERIODS)
		kept = join(ctx, label, periods, kept, (high - low) / MOST_PERIODS);
	return (struct tp_lane){.label = tp_slice_of(label), .periods = periods, .count = kept};
}

struct tp_slice
tp_run_window_label(const struct tp_pass_ctx *ctx, double from_s, double to_s)
{
	struct tp_slice length = tp_say_value(ctx, tp_number(to_s - from_s, TP_UNIT_S));

	return to_s > from_s ? tp_arena_printf(ctx->keep, "profile, %.*s", TP_ARG(length))
						 : TP_S("profile");
}

size_t
tp_job_phase_lanes(const struct tp_pass_ctx *ctx, const struct tp_e2e *e, enum tp_phase first,
	enum tp_phase last, double low, double high, struct tp_lane *lanes)
{
	size_t lane_count = 0;

	for (int phase = (int)first; phase <= (int)last; phase++) {
		struct tp_period *periods = tp_new_array(ctx->keep, struct tp_period, e->times[phase]);
		size_t count = 0;

		for (uint32_t i = 0; i < e->span_count; i++) {
			const struct tp_e2e_span *span = &e->spans[i];

			if ((int)span->phase == phase)
				periods[count++] = (struct tp_period){
					.label = tp_e2e_span_name(ctx, span),
					.note = span->set_back
						? TP_S("the clock was set back before its end")
						: tp_say_value(
							  ctx, tp_number((span->end_ms - span->start_ms) / 1e3, TP_UNIT_S)),
					.from = e->first_unix_s + span->start_ms / 1e3,
					.to = e->first_unix_s + span->end_ms / 1e3,
					.hue = tp_phase_looks[phase].hue,
					.tint = tp_phase_looks[phase].tint,
					.open = tp_e2e_unended(span),
				};
		}
		if (count != 0)
			lanes[lane_count++] =
				tp_job_lane(ctx, tp_phase_looks[phase].name, periods, count, low, high);
	}
	return lane_count;
}

/* Until when a session without an end was at work: its last mark is that of its first step, but scalars go on. */
#include "analyze/job/end_to_end.h"
#include "analyze/job/scalars.h"

#include "base/arena.h"
#include "model/events.h"
#include "model/profile.h"

#include <math.h>

/* The sessions of one kind, in order of their begins. */
struct kind {
	struct tp_e2e_span **sessions;
	uint32_t count;
};

static struct kind
sessions_of(
	struct tp_e2e_span *spans, uint32_t count, enum tp_phase phase, struct tp_arena *scratch)
{
	struct kind kind = {tp_new_array(scratch, struct tp_e2e_span *, count), 0};

	for (uint32_t i = 0; i < count; i++) {
		if (spans[i].phase == phase)
			kind.sessions[kind.count++] = &spans[i];
	}
	return kind;
}

/* Something was written at this time: it is of the session that began last. */
static void
take_time(const struct kind *kind, double at_ms)
{
	uint32_t low = 0, high = kind->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (kind->sessions[middle]->start_ms > at_ms)
			high = middle;
		else
			low = middle + 1;
	}
	if (low == 0 || !tp_e2e_unended(kind->sessions[low - 1]) ||
		kind->sessions[low - 1]->end_ms >= at_ms)
		return;
	kind->sessions[low - 1]->end_ms = at_ms;
	kind->sessions[low - 1]->until = TP_E2E_LAST_SCALAR;
}

static void
take_points(const struct tp_event_run *run, const struct kind *kind, double first_s)
{
	for (uint32_t i = 0; i < run->tags.count && i < run->series_capacity; i++) {
		struct tp_points_walk w = tp_points_walk(&run->series[i].points);
		struct tp_event_point p;

		while (tp_points_next(&w, &p)) {
			if (fabs(p.wall_s) < TP_LATEST_S)
				take_time(kind, (p.wall_s - first_s) * 1e3);
		}
	}
	/* What a restart made void was written all the same. */
	for (uint32_t i = 0; i < run->mark_count; i++) {
		if (isfinite(run->marks[i].purged_until_s))
			take_time(kind, (run->marks[i].purged_until_s - first_s) * 1e3);
	}
}

double
tp_e2e_extend(const struct tp_pass_ctx *ctx, struct tp_e2e_span *spans, uint32_t count,
	double first_s, double total_ms)
{
	const struct kind training = sessions_of(spans, count, TP_PHASE_TRAIN, ctx->scratch),
					  evaluation = sessions_of(spans, count, TP_PHASE_EVAL, ctx->scratch);

	for (const struct tp_event_run *r = ctx->profile->event_runs; r != NULL; r = r->next)
		take_points(r, tp_scalars_is_evaluation(r->folder) ? &evaluation : &training, first_s);
	for (uint32_t i = 0; i < count; i++)
		total_ms = fmax(total_ms, spans[i].end_ms);
	return total_ms;
}

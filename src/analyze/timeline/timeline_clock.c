/* Times of hosts and steps as times of the timeline. */
#include "analyze/core/pass.h"
#include "analyze/facts/clock.h"
#include "analyze/steps/steps.h"
#include "analyze/timeline/timeline.h"

uint32_t
tp_timeline_step_host(
	const struct tp_pass_ctx *ctx, const struct tp_steps *s, const struct tp_step *step)
{
	if (s->cores != NULL)
		return s->cores[step->slowest].host;
	return step->slowest < ctx->profile->host_count ? step->slowest : 0;
}

struct tp_stretch
tp_timeline_step(const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t,
	const struct tp_steps *steps, const struct tp_step *step)
{
	const struct tp_profile *p = ctx->profile;
	__int128 shift =
		(__int128)tp_clock_offset_ps(p, tp_timeline_step_host(ctx, steps, step), t->base_ns) -
		t->low_ps;
	__int128 from = step->start_ps + shift, to = step->end_ps + shift;

	if (to <= 0 || to < from || to > (__int128)TP_TIMELINE_LATEST_PS)
		return (struct tp_stretch){0, 0};
	return (struct tp_stretch){from > 0 ? (uint64_t)from : 0, (uint64_t)to};
}

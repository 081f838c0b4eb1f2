#include "analyze/timeline/gap_causes.h"

#include "analyze/core/intervals.h"
#include "analyze/core/pass.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "analyze/torch_steps/torch_host_time.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"

#include <string.h>

/* What makes times of the host's events times of the timeline. */
static uint64_t
shift_of(const struct tp_timeline_found *t)
{
	for (size_t i = 0; i < t->line_count; i++) {
		if (t->lines[i].line->host == t->host)
			return t->lines[i].shift_ps;
	}
	return 0;
}

/* Of all traces of the host, united. */
static struct tp_buf
queued_on(const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t)
{
	const struct tp_torch *torch = t->profile->torch;
	const struct tp_torch_correlated *links = tp_result(ctx, &tp_pass_torch_correlation);
	struct tp_buf queued = {0};
	uint64_t shift = shift_of(t);

	for (uint32_t i = 0; links != NULL && i < torch->trace_count; i++) {
		size_t work = links->traces[i].work.count;

		if (torch->traces[i]->host != t->host || work == 0)
			continue;
		struct tp_interval *out = tp_buf_extend(&queued, work, sizeof *out);
		size_t count = tp_torch_queued(torch->traces[i], &links->traces[i], out);

		for (size_t k = 0; k < count; k++)
			out[k] = (struct tp_interval){(int64_t)((uint64_t)out[k].start_ps + shift),
				(int64_t)((uint64_t)out[k].end_ps + shift)};
		queued.count -= work - count;
	}
	queued.count = tp_intervals_unite(queued.data, queued.count);
	return queued;
}

static struct tp_stretch
stretch_of(struct tp_interval i)
{
	return i.end_ps > i.start_ps ? (struct tp_stretch){(uint64_t)i.start_ps, (uint64_t)i.end_ps}
								 : (struct tp_stretch){0};
}

struct tp_stretch
tp_timeline_longest_idle_in(const struct tp_interval *list, size_t count,
	const struct tp_timeline_span *span, const struct tp_interval *busy, size_t busy_count)
{
	struct tp_interval longest = {0};

	for (size_t i = 0; i < count; i++) {
		int64_t from = tp_later(list[i].start_ps, (int64_t)span->from_ps);
		int64_t to = tp_earlier(list[i].end_ps, (int64_t)span->to_ps);
		struct tp_interval gap = tp_intervals_longest_gap(busy, busy_count, from, to);

		if (gap.end_ps - gap.start_ps > longest.end_ps - longest.start_ps)
			longest = gap;
	}
	return stretch_of(longest);
}

static void
add_all(struct tp_buf *to, const struct tp_interval *list, size_t count)
{
	if (count != 0)
		memcpy(tp_buf_extend(to, count, sizeof *list), list, count * sizeof *list);
}

struct tp_gap_causes
tp_timeline_gap_causes(const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t,
	const struct tp_timeline_span *span, const struct tp_interval *busy, size_t busy_count,
	struct tp_buf *waits)
{
	struct tp_gap_causes causes = {0};

	if (t->profile->torch == NULL || t->device == TP_NONE)
		return causes;
	struct tp_buf queued = queued_on(ctx, t);

	causes.queued = tp_timeline_longest_idle_in(queued.data, queued.count, span, busy, busy_count);
	add_all(waits, busy, busy_count);
	add_all(waits, queued.data, queued.count);
	waits->count = tp_intervals_unite(waits->data, waits->count);
	causes.host = stretch_of(tp_intervals_longest_gap(
		waits->data, waits->count, (int64_t)span->from_ps, (int64_t)span->to_ps));
	tp_buf_free(&queued);
	return causes;
}

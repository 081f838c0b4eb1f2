/* Whose rows are drawn: the device of the slowest step with its host's threads; and where all wait for one core or worker, that one first, and
 * one that does not lag beside it. */
#include "analyze/core/pass.h"
#include "analyze/core/say.h"
#include "analyze/pod/pod.h"
#include "analyze/steps/steps.h"
#include "analyze/timeline/timeline.h"
#include "analyze/torch/comm/torch_comm.h"
#include "analyze/torch/comm/torch_comm_present.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"

size_t
tp_timeline_unit_of(const struct tp_timeline_found *t, const struct tp_timeline_line *of)
{
	const struct tp_line *line = of->line;
	size_t unit = 0;

	if (of->number >= t->read_count || (line->device != TP_NONE && line->kind == TP_LINE_STEPS))
		return t->unit_count;
	while (unit < t->unit_count &&
		(line->device != TP_NONE ? line->device != t->units[unit].device
								 : line->host != t->units[unit].host))
		unit++;
	return unit;
}

/* Of the events in the spans; without any, of all. */
static uint64_t
events_in_spans(const struct tp_timeline_found *t, const struct tp_timeline_line *line)
{
	uint64_t count = 0;

	for (size_t k = 0; k < t->span_count; k++)
		count += tp_timeline_first_from(line, t->spans[k].to_ps) -
			tp_timeline_first_from(line, t->spans[k].from_ps);
	return t->span_count != 0 ? count : line->line->count;
}

/* A device of the host that has lines, the one with most events in the spans, or else of all. */
static uint32_t
busiest_device(const struct tp_timeline_found *t, uint32_t host)
{
	const struct tp_line *most = NULL;
	uint64_t most_events = 0;

	for (size_t i = 0; i < t->line_count; i++) {
		const struct tp_line *line = t->lines[i].line;

		if (line->host != host || line->device == TP_NONE ||
			(line->kind != TP_LINE_OPS && line->kind != TP_LINE_STREAM))
			continue;
		uint64_t events = events_in_spans(t, &t->lines[i]);

		if (most == NULL || events > most_events ||
			(events == most_events &&
				(line->count > most->count || (line->count == most->count && line < most)))) {
			most = line;
			most_events = events;
		}
	}
	return most != NULL ? most->device : TP_NONE;
}

/* Draws first the one that lags, and beside it the one whose steps the spans are; where they are the same, the other. */
static void
draw_both(struct tp_timeline_found *t, struct tp_timeline_unit lags, struct tp_timeline_unit other)
{
	bool same = t->device != TP_NONE || lags.device != TP_NONE ? t->device == lags.device
															   : t->host == lags.host;

	lags.lags = true;
	t->units[1] = same ? other : t->units[0];
	t->units[0] = lags;
	t->unit_count = 2;
}

/* Empty where it is called as the device is. */
static struct tp_slice
name_in_pod(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, uint32_t device)
{
	for (size_t i = 0; i < pod->count; i++) {
		struct tp_slice name;

		if (pod->units[i].device != device)
			continue;
		name = tp_pod_name(ctx, pod, TP_POD_CORE, i);
		return tp_slice_eq(name, tp_say_device(ctx, device)) ? TP_S("") : name;
	}
	return TP_S("");
}

/* The core whose own time is the median. */
static void
find_core(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_timeline_found *t)
{
	const struct tp_pod_unit *lags = &pod->units[pod->straggler.unit];
	const struct tp_pod_unit *other = &pod->units[pod->by_own[pod->count / 2]];

	if (lags->device == TP_NONE || other->device == TP_NONE || lags->host == TP_NONE ||
		other->host == TP_NONE || lags == other)
		return;
	draw_both(t, (struct tp_timeline_unit){lags->host, lags->device, true, TP_S("")},
		(struct tp_timeline_unit){other->host, other->device, false, TP_S("")});
	for (size_t i = 0; i < t->unit_count; i++)
		t->units[i].called = name_in_pod(ctx, pod, t->units[i].device);
}

/* The worker that waits longest for the last. */
static void
find_worker(const struct tp_torch_comm *c, struct tp_timeline_found *t)
{
	struct tp_torch_trace *const *traces = t->profile->torch->traces;
	uint32_t host = traces[c->straggler]->host, other = TP_NONE;

	for (uint32_t i = 0; i < c->trace_count; i++) {
		if (traces[i]->host != host &&
			(other == TP_NONE || c->traces[i].own_wait_ps > c->traces[other].own_wait_ps))
			other = i;
	}
	if (other != TP_NONE)
		draw_both(t, (struct tp_timeline_unit){host, busiest_device(t, host), true, TP_S("")},
			(struct tp_timeline_unit){
				traces[other]->host, busiest_device(t, traces[other]->host), false, TP_S("")});
}

void
tp_timeline_find_units(const struct tp_pass_ctx *ctx, struct tp_timeline_found *t)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	const struct tp_pod *pod = tp_result(ctx, &tp_pass_pod);
	const struct tp_torch_comm *comm = tp_result(ctx, &tp_pass_torch_comm);
	bool of_cores = s != NULL && s->count != 0 && s->precomputed_from.len == 0 && s->cores != NULL;

	t->device =
		of_cores ? s->cores[s->steps[s->slowest].slowest].device : busiest_device(t, t->host);
	t->units[0] = (struct tp_timeline_unit){t->host, t->device, false, TP_S("")};
	t->unit_count = 1;
	if (pod != NULL && pod->cores && pod->precomputed_from.len == 0 && tp_pod_has_straggler(pod))
		find_core(ctx, pod, t);
	else if (comm != NULL && comm->straggler != TP_NONE && tp_torch_comm_has_straggler(ctx, comm))
		find_worker(comm, t);
}

struct tp_timeline_drawn
tp_timeline_drawn(const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t)
{
	const struct tp_profile *p = t->profile;
	struct tp_timeline_drawn drawn = {.devices = t->device != TP_NONE};
	bool *seen = tp_new_array(ctx->scratch, bool, drawn.devices ? p->device_count : p->host_count);

	for (size_t i = 0; i < t->line_count; i++) {
		const struct tp_line *line = t->lines[i].line;
		uint32_t unit = drawn.devices ? line->device : line->host;

		if (unit == TP_NONE || seen[unit] ||
			(drawn.devices && line->kind != TP_LINE_OPS && line->kind != TP_LINE_STREAM))
			continue;
		seen[unit] = true;
		drawn.of++;
	}
	for (size_t i = 0; i < t->unit_count; i++)
		drawn.units += drawn.devices ? t->units[i].device != TP_NONE : 1;
	return drawn;
}

/* Repeating calls on the main thread. */
#include "analyze/steps/step_hosts.h"

#include "analyze/steps/step_group_column.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/texts.h"
#include "model/profile.h"

enum { DEEPEST = 8 }; /* calls nested deeper are not looked at */

/* How profilers name the thread that runs the training loop. Others begin with the name of their pool. */
static bool
is_main_thread(struct tp_slice name)
{
	return tp_texts_any(name, tp_slice_starts, TP_TEXTS("python", "main", "MainThread"));
}

/* Of each event how many others it is nested in, at most DEEPEST. */
static uint8_t *
depths(const struct tp_line *line, struct tp_arena *scratch)
{
	uint8_t *depth = tp_new_array(scratch, uint8_t, line->count);
	struct tp_buf ends = {0}; /* int64_t */

	for (uint32_t i = 0; i < line->count; i++) {
		int64_t end = tp_line_start_ps(line, i) + tp_line_duration_ps(line, i);

		while (ends.count != 0 && ((int64_t *)ends.data)[ends.count - 1] < end)
			ends.count--;
		depth[i] = (uint8_t)(ends.count < DEEPEST ? ends.count : DEEPEST);
		TP_PUSH(&ends, int64_t, end);
	}
	tp_buf_free(&ends);
	return depth;
}

/* The calls of one depth, and which events they are. */
static struct tp_runs
calls_at(const struct tp_line *line, const uint8_t *depth, uint8_t wanted, uint32_t **events,
	struct tp_arena *scratch)
{
	uint32_t count = 0, n = 0;

	for (uint32_t i = 0; i < line->count; i++)
		count += depth[i] == wanted;
	struct tp_run *runs = tp_new_array(scratch, struct tp_run, count);

	*events = tp_new_array(scratch, uint32_t, count);
	for (uint32_t i = 0; i < line->count; i++) {
		if (depth[i] != wanted)
			continue;
		(*events)[n] = i;
		runs[n++] = (struct tp_run){tp_line_op(line, i), tp_line_start_ps(line, i),
			tp_line_start_ps(line, i) + tp_line_duration_ps(line, i)};
	}
	return (struct tp_runs){runs, n};
}

/* Nothing follows the last step that would end it. It lasts as long as its own calls, and these as long as a call that they are
 * nested in: such as one that waits for the device, of which only what runs first is as deep as the steps. What began before
 * the step wraps the loop. */
static int64_t
end_of_last(const struct tp_line *line, const struct tp_inferred_step *step)
{
	int64_t end = step->end_ps;

	for (uint32_t i = 0; i < line->count; i++) {
		int64_t start = tp_line_start_ps(line, i);

		if (start >= step->start_ps && start < step->end_ps)
			end = tp_later(end, start + tp_line_duration_ps(line, i));
	}
	return end;
}

static void
take_windows(const struct tp_profile *p, uint32_t l, const struct tp_inferred_steps *steps,
	const uint32_t *events, struct tp_windows *out, struct tp_arena *scratch)
{
	const struct tp_line *line = &p->lines[l];
	size_t tag = 0;
	bool any_numbered = false;

	out->line = l;
	out->name = p->ops[out->repetition.kind].name;
	out->count = steps->count;
	out->list = tp_new_array(scratch, struct tp_window, steps->count);
	for (uint32_t s = 0; s < steps->count; s++) {
		const struct tp_inferred_step *step = &steps->steps[s];
		struct tp_window *w = &out->list[s];

		*w = (struct tp_window){
			.event = events[step->run], .start_ps = step->start_ps, .end_ps = step->end_ps};
		if (s + 1 == steps->count)
			w->end_ps = end_of_last(line, step);
		w->numbered = tp_tag_find(line, &tag, w->event, TP_TAG_STEP_NUMBER, &w->number);
		any_numbered |= w->numbered;
	}
	/* Calls that say no number are counted, as runs of a program are. */
	for (uint32_t s = 0; s < steps->count && !any_numbered; s++) {
		out->list[s].number = s;
		out->list[s].numbered = true;
	}
}

/* Whether the search may end here: calls of this depth repeat well enough, or there are none. What they show is kept where
 * they are better than the best so far. */
static bool
infer_depth(const struct tp_profile *p, uint32_t l, const uint8_t *depth, uint8_t wanted,
	struct tp_windows *best, struct tp_arena *calls_scratch, struct tp_arena *scratch)
{
	struct tp_repetition found;
	uint32_t *events;
	struct tp_runs calls = calls_at(&p->lines[l], depth, wanted, &events, calls_scratch);

	if (calls.count == 0)
		return true;
	struct tp_inferred_steps *steps = tp_infer_steps(&calls, 1, &found, calls_scratch);

	if (steps == NULL || found.confidence <= best->repetition.confidence)
		return false;
	best->repetition = found;
	take_windows(p, l, steps, events, best, scratch);
	return found.confidence >= TP_INFERENCE_THRESHOLD;
}

/* The outermost calls that repeat well enough; where one call wraps the whole loop, those within. */
static void
infer_thread(
	const struct tp_profile *p, uint32_t l, struct tp_windows *best, struct tp_arena *scratch)
{
	struct tp_arena *own = tp_arena_new(), *of_depth = tp_arena_new();
	const uint8_t *depth = depths(&p->lines[l], own);

	for (uint8_t d = 0; d < DEEPEST; d++) {
		if (infer_depth(p, l, depth, d, best, of_depth, scratch))
			break;
		tp_arena_reset(of_depth);
	}
	tp_arena_free(of_depth);
	tp_arena_free(own);
}

bool
tp_infer_windows(
	const struct tp_profile *p, uint32_t host, struct tp_windows *out, struct tp_arena *scratch)
{
	*out = (struct tp_windows){0};
	for (uint32_t l = 0; l < p->line_count; l++) {
		if (p->lines[l].host == host && p->lines[l].kind == TP_LINE_THREAD &&
			is_main_thread(p->lines[l].name))
			infer_thread(p, l, out, scratch);
	}
	return out->count != 0;
}

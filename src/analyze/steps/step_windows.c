/* The steps of one host: of windows of time that are its markers, or calls that repeat, and that are followed to when the work
 * runs that they launch. */
#include "analyze/steps/step_hosts.h"

#include "analyze/steps/step_group_column.h"
#include "base/arena.h"
#include "base/buf.h"
#include "model/profile.h"

/* When calls take less than this share of the time that their work takes, they run ahead of it. */
#define AHEAD_SHARE 0.5

/* Windows of inferred steps stand in for markers, and all have numbers. The call that a window begins with is no work of its
 * own when it holds others. */
static void
set_windows(const struct tp_marking_host *h, const struct tp_groups *found)
{
	const struct tp_windows *w = h->windows;
	const struct tp_line *line = &h->p->lines[w->line];

	for (uint32_t i = 0; i < w->count; i++) {
		struct tp_window *window = &w->list[i];
		uint32_t call = window->event;
		int64_t end = tp_line_start_ps(line, call) + tp_line_duration_ps(line, call);

		window->number = window->numbered ? window->number : i;
		window->numbered = true;
		if (call + 1 < line->count && tp_line_start_ps(line, call + 1) < end)
			tp_group_put(found->of_event[w->line], call, -1);
	}
}

static bool
is_input(const struct tp_host_op *op)
{
	return op->type == TP_EVENT_WAIT_INPUT || op->type == TP_EVENT_HOST_TO_DEVICE;
}

static bool
is_marker(const struct tp_marking_host *h, const struct tp_line *line, uint32_t event, size_t *tag)
{
	int64_t name;

	return h->ops[tp_line_op(line, event)].marker ||
		tp_tag_find(line, tag, event, TP_TAG_STEP_NAME, &name);
}

/* Asking for the next batch is part of the loop, also on a thread that no flow leads to: by time, then. So is all that the
 * host does (`all`), where steps are followed to when the device works. */
static void
add_by_time(const struct tp_marking_host *h, const struct tp_windows *w, uint32_t l, bool all,
	struct tp_groups *found)
{
	const struct tp_line *line = &h->p->lines[l];
	size_t tag = 0;

	for (uint32_t i = 0, at = 0; i < line->count; i++) {
		if ((found->of_event[l] != NULL && tp_group_at(found->of_event[l], i) >= 0) ||
			(all ? is_marker(h, line, i, &tag) : !is_input(&h->ops[tp_line_op(line, i)])))
			continue;
		while (at < w->count && w->list[at].end_ps <= tp_line_start_ps(line, i))
			at++;
		if (at == w->count || tp_line_start_ps(line, i) < w->list[at].start_ps)
			continue;
		if (found->of_event[l] == NULL)
			found->of_event[l] = tp_group_column_new(line->count, h->scratch);
		tp_group_put(found->of_event[l], i, (int32_t)at);
	}
}

/* The markers of a host in order of start, and which group each is of. Empty when a device marks its steps itself. */
static struct tp_windows
windows_of_markers(const struct tp_marking_host *h, const struct tp_step_group *groups,
	int32_t count, uint32_t **window_of_group)
{
	struct tp_windows w = {.list = tp_new_array(h->scratch, struct tp_window, (size_t)count)};
	struct tp_run *order = tp_new_array(h->scratch, struct tp_run, (size_t)count); /* by group */

	for (int32_t g = 0; g < count; g++) {
		const struct tp_step_group *one = &groups[g];

		if (one->device_marker.there)
			return (struct tp_windows){0};
		if (one->host_marker.there)
			order[w.count++] = (struct tp_run){(uint32_t)g, one->host_marker.start_ps, 0};
	}
	tp_runs_sort(order, w.count);
	*window_of_group = tp_new_array(h->scratch, uint32_t, (size_t)count);
	memset(*window_of_group, 0xff, (size_t)count * sizeof **window_of_group);
	for (uint32_t i = 0; i < w.count; i++) {
		const struct tp_step_group *one = &groups[order[i].kind];

		(*window_of_group)[order[i].kind] = i;
		w.list[i] = (struct tp_window){TP_NONE, one->host_marker.start_ps, one->host_marker.end_ps,
			one->numbered ? one->number : i, true};
	}
	return w;
}

/* Which window an event belongs to that is followed: operations of XLA and work of GPUs by what launched it, what the host
 * does by its time. Markers themselves belong to none. */
static void
regroup(const struct tp_marking_host *h, const struct tp_followed *f,
	const uint32_t *window_of_group, const struct tp_windows *w, struct tp_groups *found)
{
	found->count = (int32_t)w->count;
	for (uint32_t l = 0; l < h->p->line_count; l++) {
		const struct tp_line *line = &h->p->lines[l];
		const uint32_t *run = f->timing == TP_TIMED_BY_RUN ? f->runs.of_event[l] : NULL;
		const struct tp_group_column *of = f->timing == TP_TIMED_BY_RUN ||
				(f->timing == TP_TIMED_BY_WORK && line->kind == TP_LINE_THREAD)
			? NULL
			: found->of_event[l];

		found->of_event[l] = NULL;
		if (line->host != h->host || (run == NULL && of == NULL))
			continue;
		struct tp_group_column *now = tp_group_column_new(line->count, h->scratch);
		size_t tag = 0;

		for (uint32_t i = 0; i < line->count; i++) {
			uint32_t window = TP_NONE;

			if (run != NULL && run[i] != TP_NONE)
				window = f->window_of_run[run[i]];
			else if (run == NULL && tp_group_at(of, i) >= 0)
				window = window_of_group[tp_group_at(of, i)];
			if (window != TP_NONE && !is_marker(h, line, i, &tag))
				tp_group_put(now, i, (int32_t)window);
		}
		found->of_event[l] = now;
	}
	for (uint32_t l = 0; l < h->p->line_count; l++) {
		if (h->p->lines[l].host == h->host && h->p->lines[l].kind == TP_LINE_THREAD)
			add_by_time(h, w, l, h->has_device && f->timing == TP_TIMED_BY_WORK, found);
	}
}

/* The windows are the steps now. */
static struct tp_step_group *
groups_of_windows(const struct tp_marking_host *h, const struct tp_windows *w)
{
	struct tp_step_group *groups = tp_new_array(h->scratch, struct tp_step_group, w->count);

	for (uint32_t i = 0; i < w->count; i++)
		groups[i] = (struct tp_step_group){
			.host_marker = {w->list[i].start_ps, w->list[i].end_ps, true},
			.number = w->list[i].number,
			.numbered = w->list[i].numbered,
		};
	return groups;
}

static bool
is_work(const struct tp_profile *p, const struct tp_line *line, uint32_t event)
{
	return line->kind == TP_LINE_STREAM ||
		(line->kind == TP_LINE_THREAD && p->ops[tp_line_op(line, event)].xla);
}

/* From when to when the work of each window runs; a window without any keeps an empty span. */
static struct tp_run *
spans_of_work(const struct tp_marking_host *h, const struct tp_groups *groups)
{
	const struct tp_profile *p = h->p;
	const struct tp_windows *w = h->windows;
	struct tp_run *spans = tp_new_array(h->scratch, struct tp_run, w->count);

	for (uint32_t i = 0; i < w->count; i++)
		spans[i] = (struct tp_run){w->repetition.kind, INT64_MAX, INT64_MIN};
	for (uint32_t l = 0; l < p->line_count; l++) {
		const struct tp_line *line = &p->lines[l];
		const struct tp_group_column *of = groups->of_event[l];

		if (line->host != h->host || of == NULL || l == w->line)
			continue;
		for (uint32_t i = 0; i < line->count; i++) {
			int32_t group = tp_group_at(of, i);

			if (group < 0 || !is_work(p, line, i))
				continue;
			tp_run_widen(&spans[group], tp_line_start_ps(line, i),
				tp_line_start_ps(line, i) + tp_line_duration_ps(line, i));
		}
	}
	return spans;
}

/* Work that a host only starts may run when the window of its call is long over. When the calls are at least that much
 * ahead, windows follow the work instead: from the first work of one call to the first of the next. */
static void
follow_work(const struct tp_marking_host *h, const struct tp_groups *groups)
{
	struct tp_windows *w = h->windows;
	struct tp_run *spans = spans_of_work(h, groups);

	for (uint32_t i = 0; i < w->count; i++) {
		if (spans[i].end_ps < spans[i].start_ps ||
			(i != 0 && spans[i].start_ps < spans[i - 1].start_ps))
			return; /* a call without work, or work out of order: no steps to be had from it */
	}
	double calls = (double)w->list[w->count - 1].end_ps - (double)w->list[0].start_ps;
	double work = (double)spans[w->count - 1].end_ps - (double)spans[0].start_ps;
	struct tp_runs line = {spans, w->count};
	struct tp_repetition found;

	if (calls >= AHEAD_SHARE * work)
		return;
	struct tp_inferred_steps *steps = tp_infer_steps(&line, 1, &found, h->scratch);

	if (steps == NULL)
		return;
	w->repetition = found;
	for (uint32_t i = 0; i < w->count; i++) {
		w->list[i].start_ps = steps->steps[i].start_ps;
		w->list[i].end_ps = steps->steps[i].end_ps;
	}
}

size_t
tp_marked_steps_of_host(
	const struct tp_marking_host *h, struct tp_followed *followed, struct tp_buf *steps)
{
	struct tp_arena *grouping = tp_arena_new(); /* of the group of each event */
	struct tp_groups found;
	uint32_t *window_of_group = NULL;

	tp_group_events(h, &found, grouping);
	struct tp_step_group *groups =
		tp_new_array(h->scratch, struct tp_step_group, (size_t)found.count);
	struct tp_buf noted = tp_take_lines(h, &found, groups);
	struct tp_windows w = windows_of_markers(h, groups, found.count, &window_of_group);
	uint32_t marked = w.count;

	if (followed == NULL || !tp_follow_launches(h, &found, window_of_group, &w, followed)) {
		tp_arena_free(grouping);
		return tp_sweep_groups(h, &noted, groups, found.count, steps);
	}
	tp_buf_free(&noted);
	regroup(h, followed, window_of_group, &w, &found);
	groups = groups_of_windows(h, &w);
	noted = tp_take_lines(h, &found, groups);
	tp_arena_free(grouping);
	tp_sweep_groups(h, &noted, groups, found.count, steps);
	return marked;
}

size_t
tp_inferred_steps_of_host(const struct tp_marking_host *h, struct tp_buf *steps)
{
	struct tp_windows *windows = h->windows;
	struct tp_followed followed;
	struct tp_groups found;

	tp_group_windows(h, &found);
	follow_work(h, &found);
	uint32_t *same = tp_new_array(h->scratch, uint32_t, windows->count);

	for (uint32_t i = 0; i < windows->count; i++)
		same[i] = i;
	if (tp_follow_launches(h, &found, same, windows, &followed))
		regroup(h, &followed, same, windows, &found);
	else
		set_windows(h, &found);
	for (uint32_t l = 0; l < h->p->line_count; l++) {
		const struct tp_line *line = &h->p->lines[l];

		if (line->host == h->host && line->kind == TP_LINE_THREAD && l != windows->line)
			add_by_time(h, windows, l, false, &found);
	}
	struct tp_step_group *groups = groups_of_windows(h, windows);
	struct tp_buf noted = tp_take_lines(h, &found, groups);

	return tp_sweep_groups(h, &noted, groups, found.count, steps);
}

struct tp_map
tp_host_steps_by_number(const struct tp_host_step *all, size_t count, struct tp_arena *scratch)
{
	struct tp_map index;

	tp_map_init(&index, scratch);
	for (size_t i = count; i-- > 0;) {
		if (all[i].numbered)
			tp_map_put(&index, tp_hash_pair((uint64_t)all[i].number, all[i].host), (uint32_t)i);
	}
	return index;
}

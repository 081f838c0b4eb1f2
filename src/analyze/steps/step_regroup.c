/* Groups of a host's events by its markers, and by windows that stand in for these or that they are followed to. */
#include "analyze/steps/step_hosts.h"

#include "analyze/steps/step_group_column.h"
#include "base/arena.h"
#include "model/profile.h"

void
tp_set_windows(
	const struct tp_marking_host *h, const struct tp_groups *found, struct tp_step_group *groups)
{
	const struct tp_windows *w = h->windows;
	const struct tp_line *line = &h->p->lines[w->line];

	for (uint32_t i = 0; i < w->count; i++) {
		const struct tp_window *window = &w->list[i];
		uint32_t call = window->event;
		int64_t end = line->start_ps[call] + line->duration_ps[call];

		groups[i].host_marker = (struct tp_step_span){window->start_ps, window->end_ps, true};
		groups[i].numbered = true;
		groups[i].number = window->numbered ? window->number : i;
		if (call + 1 < line->count && line->start_ps[call + 1] < end)
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

	return h->ops[line->op[event]].marker || tp_tag_find(line, tag, event, TP_TAG_STEP_NAME, &name);
}

void
tp_add_by_time(const struct tp_marking_host *h, const struct tp_windows *w, uint32_t l, bool all,
	struct tp_groups *found)
{
	const struct tp_line *line = &h->p->lines[l];
	size_t tag = 0;

	for (uint32_t i = 0, at = 0; i < line->count; i++) {
		if ((found->of_event[l] != NULL && tp_group_at(found->of_event[l], i) >= 0) ||
			(all ? is_marker(h, line, i, &tag) : !is_input(&h->ops[line->op[i]])))
			continue;
		while (at < w->count && w->list[at].end_ps <= line->start_ps[i])
			at++;
		if (at == w->count || line->start_ps[i] < w->list[at].start_ps)
			continue;
		if (found->of_event[l] == NULL)
			found->of_event[l] = tp_group_column_new(line->count, h->scratch);
		tp_group_put(found->of_event[l], i, (int32_t)at);
	}
}

struct tp_windows
tp_windows_of_markers(const struct tp_marking_host *h, const struct tp_step_group *groups,
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

void
tp_regroup(const struct tp_marking_host *h, const struct tp_followed *f,
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
			tp_add_by_time(h, w, l, h->has_device && f->timing == TP_TIMED_BY_WORK, found);
	}
}

struct tp_step_group *
tp_groups_of_windows(const struct tp_marking_host *h, const struct tp_windows *w)
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

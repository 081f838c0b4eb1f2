/* The events of each step of a host, swept by priority. Sources of the rules: xprof's xplane_to_step_events.cc and
 * step_events_to_steps_db.cc. */
#include "analyze/steps/step_hosts.h"

#include "analyze/steps/step_group_column.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"
#include "base/texts.h"
#include "model/profile.h"

#include <stdlib.h>

/* An interval of a group, as they come: a list for each of a million groups would cost more than what is in it. */
struct noted {
	int64_t start_ps, end_ps;
	int32_t group;
	enum tp_event_type type;
};

static void
widen(struct tp_step_span *s, int64_t start_ps, int64_t end_ps, bool longest_only)
{
	if (!s->there || (longest_only && end_ps - start_ps > s->end_ps - s->start_ps)) {
		*s = (struct tp_step_span){start_ps, end_ps, true};
		return;
	}
	if (longest_only)
		return;
	s->start_ps = tp_earlier(s->start_ps, start_ps);
	s->end_ps = tp_later(s->end_ps, end_ps);
}

struct open_event {
	int64_t end_ps;
	int32_t group;
	enum tp_event_type type;
};

/* Whether the event that was opened last holds this one, is of its group, and of no lower type. */
static inline bool
is_inside(const struct tp_buf *stack, int64_t end_ps, int32_t group, enum tp_event_type type)
{
	const struct open_event *open = stack->data;

	if (stack->count == 0)
		return false;
	const struct open_event *outer = &open[stack->count - 1];

	return outer->end_ps >= end_ps && outer->group == group && outer->type >= type;
}

/* An event inside another of the same step on the same thread changes nothing unless its type ranks higher. Only those that change
 * something are kept open: what is inside one of the others is inside the same one as that. */
static inline bool
adds_something(struct tp_buf *stack, int64_t end_ps, int32_t group, enum tp_event_type type)
{
	const struct open_event *open = stack->data;

	while (stack->count != 0 && open[stack->count - 1].end_ps < end_ps)
		stack->count--;
	if (is_inside(stack, end_ps, group, type))
		return false;
	TP_PUSH(stack, struct open_event, end_ps, group, type);
	return true;
}

static void
take_marker(const struct tp_line *line, uint32_t i, struct tp_slice name, size_t *tag,
	struct tp_step_group *g, bool device)
{
	int64_t end = tp_line_start_ps(line, i) + tp_line_duration_ps(line, i), number;

	widen(device ? &g->device_marker : &g->host_marker, tp_line_start_ps(line, i), end, true);
	if (!g->numbered &&
		(tp_tag_find(line, tag, i, TP_TAG_STEP_NUMBER, &number) ||
			tp_tag_find(line, tag, i, TP_TAG_ITERATION, &number))) {
		g->number = number;
		g->numbered = true;
	}
	if (g->name.len == 0)
		g->name = name;
}

const struct tp_host_op *
tp_read_host_names(const struct tp_profile *p, bool has_device, struct tp_arena *scratch)
{
	struct tp_host_op *ops = tp_new_array(scratch, struct tp_host_op, p->op_count);

	for (uint32_t i = 0; i < p->op_count; i++) {
		struct tp_slice name = p->ops[i].name;

		ops[i] = (struct tp_host_op){
			.marker = tp_name_marks_step(name),
			.wrapper = tp_is_wrapper_event(name),
			.type = p->ops[i].xla && !has_device ? TP_EVENT_HOST_XLA
												 : tp_type_of_host_event(name, has_device, false),
			.type_correlated = tp_type_of_host_event(name, has_device, true),
		};
	}
	return ops;
}

/* Bits of a line's operations that may change something inside an open event of a type: of markers, and of what ranks higher. */
static void
find_changing(const struct tp_line *line, const struct tp_host_op *ops,
	uint64_t changing[static TP_EVENT_TYPE_COUNT])
{
	memset(changing, 0, TP_EVENT_TYPE_COUNT * sizeof *changing);
	for (uint32_t i = 0; line->ops.met != NULL && i < line->ops.met_count; i++) {
		const struct tp_host_op *op = &ops[line->ops.met[i]];

		for (int t = 0; t < TP_EVENT_TYPE_COUNT; t++)
			changing[t] |= op->marker || (int)op->type > t ? tp_met_bit(i) : 0;
	}
}

/* Whether the block of events that begins here is in no group, or nothing in it but inside the event that was opened last. */
static inline bool
block_adds_nothing(const struct tp_line *line, const struct tp_group_column *of, uint32_t i,
	const struct tp_buf *stack, const uint64_t *changing)
{
	const struct open_event *open = stack->data;
	int32_t group;

	if (!tp_group_of_block(of, i, &group))
		return false;
	return group < 0 ||
		(stack->count != 0 &&
			is_inside(stack, tp_times_reach_ps(&line->host_times, i), group, TP_EVENT_UNKNOWN) &&
			!tp_op_column_may_have(&line->ops, changing[open[stack->count - 1].type], i));
}

static void
take_thread(const struct tp_profile *p, const struct tp_line *line,
	const struct tp_group_column *of, struct tp_step_group *groups, struct tp_buf *noted,
	bool has_device, const struct tp_host_op *ops)
{
	bool any_named = (line->tag_keys & (uint64_t)1 << TP_TAG_STEP_NAME) != 0;
	bool any_correlated = has_device && (line->tag_keys & (uint64_t)1 << TP_TAG_CORRELATION) != 0;
	bool in_blocks = !any_named && !any_correlated;
	uint64_t changing[TP_EVENT_TYPE_COUNT];
	struct tp_buf stack = {0}; /* struct open_event */
	size_t tag = 0;

	find_changing(line, ops, changing);
	for (uint32_t i = 0; i < line->count; i++) {
		while (in_blocks && i % TP_BLOCK_EVENTS == 0 && line->count - i > TP_BLOCK_EVENTS &&
			block_adds_nothing(line, of, i, &stack, changing))
			i += TP_BLOCK_EVENTS;
		const struct tp_host_op *op = &ops[tp_line_op(line, i)];
		int64_t end = tp_line_start_ps(line, i) + tp_line_duration_ps(line, i), value;
		int32_t group = tp_group_at(of, i);

		/* Most are in none, or nothing but inside another. */
		if (group < 0 ||
			(!op->marker && !any_named && !any_correlated &&
				is_inside(&stack, end, group, op->type)))
			continue;
		if (op->marker || (any_named && tp_tag_find(line, &tag, i, TP_TAG_STEP_NAME, &value))) {
			take_marker(line, i, p->ops[tp_line_op(line, i)].name, &tag, &groups[group], false);
			continue;
		}
		if (op->wrapper)
			continue;
		bool correlated = any_correlated && tp_tag_find(line, &tag, i, TP_TAG_CORRELATION, &value);
		enum tp_event_type type = correlated ? op->type_correlated : op->type;

		/* Host arithmetic counts only where there is no device to do it. */
		if (has_device && type == TP_EVENT_HOST_COMPUTE)
			continue;
		if (adds_something(&stack, end, group, type))
			TP_PUSH(noted, struct noted, tp_line_start_ps(line, i), end, group, type);
	}
	tp_buf_free(&stack);
}

static void
take_stream(const struct tp_profile *p, const struct tp_line *line,
	const struct tp_group_column *of, struct tp_step_group *groups, struct tp_buf *noted)
{
	size_t tag = 0;

	for (uint32_t i = 0; i < line->count; i++) {
		int64_t end = tp_line_start_ps(line, i) + tp_line_duration_ps(line, i), shapes = 0,
				correlation;
		int32_t group = tp_group_at(of, i);

		if (group < 0 || !tp_tag_find(line, &tag, i, TP_TAG_CORRELATION, &correlation))
			continue;
		tp_tag_find(line, &tag, i, TP_TAG_SHAPE, &shapes);
		widen(&groups[group].device_hull, tp_line_start_ps(line, i), end, false);
		TP_PUSH(noted, struct noted, tp_line_start_ps(line, i), end, group,
			tp_type_of_gpu_event(
				p->ops[tp_line_op(line, i)].name, tp_string(&p->strings, (uint32_t)shapes)));
	}
}

static void
take_device_markers(const struct tp_profile *p, const struct tp_line *line,
	const struct tp_group_column *of, struct tp_step_group *groups)
{
	size_t tag = 0;

	for (uint32_t i = 0; i < line->count; i++) {
		int32_t group = tp_group_at(of, i);

		if (group >= 0)
			take_marker(line, i, p->ops[tp_line_op(line, i)].name, &tag, &groups[group], true);
	}
}

/* The longest host marker when it holds the longest device marker (or there is none), else the device marker. */
static struct tp_step_span
step_span(const struct tp_step_group *g)
{
	struct tp_step_span host = g->host_marker, device = g->device_marker;

	if (!device.there)
		device = g->device_hull;
	if (!host.there)
		return g->device_marker;
	if (!device.there || (host.start_ps <= device.start_ps && device.end_ps <= host.end_ps))
		return host;
	return g->device_marker.there ? g->device_marker : host;
}

static const enum tp_class class_of_type[TP_EVENT_TYPE_COUNT] = {
	[TP_EVENT_UNKNOWN] = TP_CLASS_OTHER,
	[TP_EVENT_HOST_COMPUTE] = TP_CLASS_HOST_COMPUTE,
	[TP_EVENT_COMPILE] = TP_CLASS_COMPILE,
	[TP_EVENT_HOST_TO_HOST] = TP_CLASS_OTHER,
	[TP_EVENT_HOST_TO_DEVICE] = TP_CLASS_INPUT_WAIT,
	[TP_EVENT_PREPARE] = TP_CLASS_LAUNCH,
	[TP_EVENT_COLLECTIVE] = TP_CLASS_COLLECTIVE,
	[TP_EVENT_WAIT_INPUT] = TP_CLASS_INPUT_WAIT,
	[TP_EVENT_DEVICE_TO_DEVICE] = TP_CLASS_DEVICE_TO_DEVICE,
	[TP_EVENT_DEVICE_TO_HOST] = TP_CLASS_OUTPUT,
	[TP_EVENT_HOST_XLA] = TP_CLASS_HOST_COMPUTE,
	[TP_EVENT_COMPUTE_32] = TP_CLASS_COMPUTE,
	[TP_EVENT_COMPUTE_16] = TP_CLASS_COMPUTE,
};

/* The intervals, those of each group together. */
static struct tp_class_interval *
sort_noted(const struct tp_buf *noted, struct tp_step_group *groups, int32_t count,
	struct tp_arena *scratch)
{
	const struct noted *n = noted->data;
	struct tp_class_interval *sorted =
		tp_new_array(scratch, struct tp_class_interval, noted->count);
	size_t next = 0;

	for (size_t i = 0; i < noted->count; i++)
		groups[n[i].group].count++;
	for (int32_t g = 0; g < count; g++) {
		groups[g].first = next;
		next += groups[g].count;
		groups[g].count = 0;
	}
	for (size_t i = 0; i < noted->count; i++) {
		struct tp_step_group *g = &groups[n[i].group];

		sorted[g->first + g->count++] =
			(struct tp_class_interval){n[i].start_ps, n[i].end_ps, n[i].type};
	}
	return sorted;
}

/* What ran for other steps, or for none, while nothing of the group did. */
static int64_t
elsewhere_ps(const struct tp_elsewhere *ran, struct tp_step_span span,
	const struct tp_class_interval *own, size_t count, struct tp_arena *scratch)
{
	struct tp_interval *list = tp_new_array(scratch, struct tp_interval, count);
	int64_t sum = tp_cover_within(&ran->any, span.start_ps, span.end_ps);

	for (size_t i = 0; i < count; i++)
		list[i] = (struct tp_interval){own[i].start_ps, own[i].end_ps};
	count = tp_intervals_unite(list, count);
	for (size_t i = 0; i < count; i++)
		sum -= tp_cover_within(&ran->any, tp_later(list[i].start_ps, span.start_ps),
			tp_earlier(list[i].end_ps, span.end_ps));
	return sum;
}

static bool
sweep_group(const struct tp_marking_host *h, const struct tp_step_group *g,
	const struct tp_class_interval *intervals, const struct tp_elsewhere *ran,
	struct tp_host_step *out, struct tp_arena *scratch)
{
	enum tp_event_type compute = h->has_device ? TP_EVENT_COMPUTE_32 : TP_EVENT_HOST_COMPUTE;
	struct tp_step_span span = step_span(g);
	int64_t ps[TP_EVENT_TYPE_COUNT];

	if (!span.there || span.end_ps <= span.start_ps)
		return false;
	tp_sweep(intervals + g->first, g->count, span.start_ps, span.end_ps, ps, scratch);
	int64_t elsewhere = elsewhere_ps(ran, span, intervals + g->first, g->count, scratch);

	ps[compute] += elsewhere;
	ps[TP_EVENT_UNKNOWN] -= elsewhere;
	int64_t work = h->has_device ? ps[TP_EVENT_COMPUTE_16] + ps[TP_EVENT_COMPUTE_32]
								 : ps[TP_EVENT_HOST_COMPUTE] + ps[TP_EVENT_HOST_XLA];

	if (work == 0 && !h->without_work)
		return false;
	*out = (struct tp_host_step){
		.name = g->name,
		.number = g->number,
		.numbered = g->numbered,
		.start_ps = span.start_ps,
		.end_ps = span.end_ps,
		.time_ps = (double)(span.end_ps - span.start_ps),
	};
	for (int t = 0; t < TP_EVENT_TYPE_COUNT; t++)
		out->class_ps[class_of_type[t]] += (double)ps[t];
	for (size_t i = 0; i < g->count; i++) {
		enum tp_event_type type = intervals[g->first + i].type;

		out->has_input |= class_of_type[type] == TP_CLASS_INPUT_WAIT;
		out->asks_input |= type == TP_EVENT_WAIT_INPUT;
	}
	out->to_device_ps = (double)ps[TP_EVENT_HOST_TO_DEVICE];
	out->work_ps = (double)tp_cover_within(&ran->work, span.start_ps, span.end_ps);
	return true;
}

TP_ORDER(by_start, struct tp_host_step, TP_UP(start_ps), TP_UP(group));

static void
take_line(const struct tp_marking_host *h, uint32_t l, const struct tp_groups *found,
	struct tp_step_group *groups, struct tp_buf *noted)
{
	const struct tp_line *line = &h->p->lines[l];
	const struct tp_group_column *of = found->of_event[l];

	if (of == NULL)
		return;
	if (line->kind == TP_LINE_THREAD)
		take_thread(h->p, line, of, groups, noted, h->has_device, h->ops);
	else if (line->kind == TP_LINE_STREAM)
		take_stream(h->p, line, of, groups, noted);
	else
		take_device_markers(h->p, line, of, groups);
}

/* When the steps are. */
static struct tp_elsewhere
what_ran(const struct tp_marking_host *h, const struct tp_step_group *groups, int32_t count)
{
	struct tp_interval *steps = tp_new_array(h->scratch, struct tp_interval, (size_t)count);
	size_t n = 0;

	for (int32_t g = 0; g < count; g++) {
		struct tp_step_span span = step_span(&groups[g]);

		if (span.there)
			steps[n++] = (struct tp_interval){span.start_ps, span.end_ps};
	}
	return tp_what_ran(h, steps, n);
}

struct tp_buf
tp_take_lines(
	const struct tp_marking_host *h, const struct tp_groups *found, struct tp_step_group *groups)
{
	struct tp_buf noted = {0};

	for (uint32_t l = 0; l < h->p->line_count; l++)
		take_line(h, l, found, groups, &noted);
	return noted;
}

size_t
tp_sweep_groups(const struct tp_marking_host *h, struct tp_buf *noted, struct tp_step_group *groups,
	int32_t count, struct tp_buf *steps)
{
	size_t before = steps->count, marked = 0;
	struct tp_arena *sweeping = tp_arena_new();
	const struct tp_class_interval *intervals = sort_noted(noted, groups, count, h->scratch);

	tp_buf_free(noted);
	const struct tp_elsewhere ran = what_ran(h, groups, count);

	for (int32_t g = 0; g < count; g++) {
		struct tp_host_step step;

		marked += groups[g].host_marker.there || groups[g].device_marker.there;
		if (sweep_group(h, &groups[g], intervals, &ran, &step, sweeping)) {
			step.group = g;
			step.host = h->host;
			*tp_buf_new(steps, struct tp_host_step) = step;
		}
		tp_arena_reset(sweeping);
	}
	tp_arena_free(sweeping);
	if (steps->count > before)
		qsort((struct tp_host_step *)steps->data + before, steps->count - before,
			sizeof(struct tp_host_step), by_start);
	return marked;
}

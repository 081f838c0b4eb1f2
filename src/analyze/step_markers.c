/* Steps from markers of the host (and of GPUs): the events of each step, swept by priority. Sources of the rules: the
 * peer's xplane_to_step_events.cc and step_events_to_steps_db.cc. */
#include "analyze/steps.h"

#include "analyze/step_groups.h"
#include "analyze/sweep.h"
#include "base/arena.h"
#include "base/buf.h"
#include "model/profile.h"

#include <stdlib.h>

struct span {
	int64_t start_ps, end_ps;
	bool there;
};

/* One group of one host: a step, when it has a marker. */
struct group {
	struct span host_marker, device_marker, device_hull;
	struct tp_slice name; /* of the marker */
	int64_t number;
	bool numbered;
	size_t first, count; /* of its intervals, once they are sorted */
};

/* An interval of a group, as they come: a list for each of a million groups would cost more than what is in it. */
struct noted {
	int32_t group;
	struct tp_interval interval;
};

/* What a swept group says. */
struct part {
	struct tp_slice name;
	int64_t number, start_ps;
	bool numbered;
	int32_t group;
	uint32_t host;
	double time_ps, class_ps[TP_CLASS_COUNT];
};

static bool
is_marker_name(struct tp_slice name)
{
	return (tp_slice_starts(name, TP_S("train")) || tp_slice_starts(name, TP_S("test")) ||
			   tp_slice_starts(name, TP_S("TraceContext"))) &&
		!tp_slice_has(name, TP_S("/"));
}

static void
widen(struct span *s, int64_t start_ps, int64_t end_ps, bool longest_only)
{
	if (!s->there || (longest_only && end_ps - start_ps > s->end_ps - s->start_ps)) {
		*s = (struct span){start_ps, end_ps, true};
		return;
	}
	if (longest_only)
		return;
	s->start_ps = start_ps < s->start_ps ? start_ps : s->start_ps;
	s->end_ps = end_ps > s->end_ps ? end_ps : s->end_ps;
}

struct open_event {
	int64_t end_ps;
	int32_t group;
	enum tp_event_type highest;
};

/* An event inside another of the same step on the same thread changes nothing unless its type ranks higher. */
static bool
adds_something(struct open_event *stack, uint32_t *depth, int64_t end_ps, int32_t group,
	enum tp_event_type type)
{
	while (*depth != 0 && stack[*depth - 1].end_ps < end_ps)
		(*depth)--;
	const struct open_event *outer = *depth != 0 ? &stack[*depth - 1] : NULL;
	bool covered = outer != NULL && outer->group == group && outer->highest >= type;
	enum tp_event_type highest = covered ? outer->highest : type;

	stack[(*depth)++] = (struct open_event){end_ps, group, highest};
	return !covered;
}

static void
note(struct tp_buf *noted, int32_t group, int64_t start_ps, int64_t end_ps, enum tp_event_type type)
{
	*(struct noted *)tp_buf_add(noted, sizeof(struct noted)) =
		(struct noted){group, {start_ps, end_ps, type}};
}

static void
take_marker(const struct tp_line *line, uint32_t i, struct tp_slice name, size_t *tag,
	struct group *g, bool device)
{
	int64_t end = line->start_ps[i] + line->duration_ps[i], number;

	widen(device ? &g->device_marker : &g->host_marker, line->start_ps[i], end, true);
	if (!g->numbered &&
		(tp_tag_find(line, tag, i, TP_TAG_STEP_NUMBER, &number) ||
			tp_tag_find(line, tag, i, TP_TAG_ITERATION, &number))) {
		g->number = number;
		g->numbered = true;
	}
	if (g->name.len == 0)
		g->name = name;
}

/* What an operation's name says, worked out once an operation instead of once an event. */
struct host_op {
	bool marker, wrapper;
	enum tp_event_type type, type_correlated;
};

static const struct host_op *
read_names(const struct tp_profile *p, bool has_device, struct tp_arena *scratch)
{
	struct host_op *ops = tp_new_array(scratch, struct host_op, p->op_count);

	for (uint32_t i = 0; i < p->op_count; i++) {
		struct tp_slice name = p->ops[i].name;

		ops[i] = (struct host_op){
			.marker = is_marker_name(name),
			.wrapper = tp_is_wrapper_event(name),
			.type = tp_type_of_host_event(name, has_device, false),
			.type_correlated = tp_type_of_host_event(name, has_device, true),
		};
	}
	return ops;
}

static void
take_thread(const struct tp_profile *p, const struct tp_line *line, const int32_t *of,
	struct group *groups, struct tp_buf *noted, bool has_device, const struct host_op *ops,
	struct tp_arena *scratch)
{
	struct open_event *stack = tp_new_array(scratch, struct open_event, line->count);
	uint32_t depth = 0;
	size_t tag = 0;

	for (uint32_t i = 0; i < line->count; i++) {
		const struct host_op *op = &ops[line->op[i]];
		int64_t end = line->start_ps[i] + line->duration_ps[i], value;

		if (of[i] < 0)
			continue;
		if (op->marker || tp_tag_find(line, &tag, i, TP_TAG_STEP_NAME, &value)) {
			take_marker(line, i, p->ops[line->op[i]].name, &tag, &groups[of[i]], false);
			continue;
		}
		if (op->wrapper)
			continue;
		bool correlated = has_device && tp_tag_find(line, &tag, i, TP_TAG_CORRELATION, &value);
		enum tp_event_type type = correlated ? op->type_correlated : op->type;

		/* Host arithmetic counts only where there is no device to do it. */
		if (has_device && type == TP_EVENT_HOST_COMPUTE)
			continue;
		if (adds_something(stack, &depth, end, of[i], type))
			note(noted, of[i], line->start_ps[i], end, type);
	}
}

static void
take_stream(const struct tp_profile *p, const struct tp_line *line, const int32_t *of,
	struct group *groups, struct tp_buf *noted)
{
	size_t tag = 0;

	for (uint32_t i = 0; i < line->count; i++) {
		int64_t end = line->start_ps[i] + line->duration_ps[i], shapes = 0, correlation;

		if (of[i] < 0 || !tp_tag_find(line, &tag, i, TP_TAG_CORRELATION, &correlation))
			continue;
		tp_tag_find(line, &tag, i, TP_TAG_SHAPE, &shapes);
		widen(&groups[of[i]].device_hull, line->start_ps[i], end, false);
		note(noted, of[i], line->start_ps[i], end,
			tp_type_of_gpu_event(
				p->ops[line->op[i]].name, tp_string(&p->strings, (uint32_t)shapes)));
	}
}

static void
take_device_markers(
	const struct tp_profile *p, const struct tp_line *line, const int32_t *of, struct group *groups)
{
	size_t tag = 0;

	for (uint32_t i = 0; i < line->count; i++) {
		if (of[i] >= 0)
			take_marker(line, i, p->ops[line->op[i]].name, &tag, &groups[of[i]], true);
	}
}

/* The longest host marker when it holds the longest device marker (or there is none), else the device marker. */
static struct span
step_span(const struct group *g)
{
	struct span host = g->host_marker, device = g->device_marker;

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
	[TP_EVENT_COMPUTE_32] = TP_CLASS_COMPUTE,
	[TP_EVENT_COMPUTE_16] = TP_CLASS_COMPUTE,
};

/* The intervals, those of each group together. */
static struct tp_interval *
sort_noted(
	const struct tp_buf *noted, struct group *groups, int32_t count, struct tp_arena *scratch)
{
	const struct noted *n = noted->data;
	struct tp_interval *sorted = tp_new_array(scratch, struct tp_interval, noted->count);
	size_t next = 0;

	for (size_t i = 0; i < noted->count; i++)
		groups[n[i].group].count++;
	for (int32_t g = 0; g < count; g++) {
		groups[g].first = next;
		next += groups[g].count;
		groups[g].count = 0;
	}
	for (size_t i = 0; i < noted->count; i++) {
		struct group *g = &groups[n[i].group];

		sorted[g->first + g->count++] = n[i].interval;
	}
	return sorted;
}

static bool
sweep_group(const struct group *g, const struct tp_interval *intervals, bool has_device,
	struct part *out, struct tp_arena *scratch)
{
	struct span span = step_span(g);
	int64_t ps[TP_EVENT_TYPE_COUNT];

	if (!span.there || span.end_ps <= span.start_ps)
		return false;
	tp_sweep(intervals + g->first, g->count, span.start_ps, span.end_ps, ps, scratch);
	int64_t work =
		has_device ? ps[TP_EVENT_COMPUTE_16] + ps[TP_EVENT_COMPUTE_32] : ps[TP_EVENT_HOST_COMPUTE];

	if (work == 0)
		return false;
	*out = (struct part){
		.name = g->name,
		.number = g->number,
		.numbered = g->numbered,
		.start_ps = span.start_ps,
		.time_ps = (double)(span.end_ps - span.start_ps),
	};
	for (int t = 0; t < TP_EVENT_TYPE_COUNT; t++)
		out->class_ps[class_of_type[t]] += (double)ps[t];
	return true;
}

static bool
host_has_gpu_work(const struct tp_profile *p, uint32_t host)
{
	for (uint32_t l = 0; l < p->line_count; l++) {
		if (p->lines[l].host == host && p->lines[l].kind == TP_LINE_STREAM)
			return true;
	}
	return false;
}

static int
by_start(const void *left, const void *right)
{
	const struct part *a = left, *b = right;

	if (a->start_ps != b->start_ps)
		return a->start_ps < b->start_ps ? -1 : 1;
	return a->group < b->group ? -1 : a->group > b->group;
}

/* Adds the steps of a host to parts, in order of start; returns how many groups had a marker. */
static size_t
steps_of_host(const struct tp_profile *p, uint32_t host, bool has_device, const struct host_op *ops,
	struct tp_buf *parts, struct tp_arena *scratch)
{
	struct tp_groups found;
	struct tp_buf noted = {0};
	size_t before = parts->count, marked = 0;

	tp_group_events(p, host, &found, scratch);
	struct group *groups = tp_new_array(scratch, struct group, (size_t)found.count);
	struct tp_arena *sweeping = tp_arena_new();

	for (uint32_t l = 0; l < p->line_count; l++) {
		const struct tp_line *line = &p->lines[l];

		if (found.of_event[l] == NULL)
			continue;
		if (line->kind == TP_LINE_THREAD)
			take_thread(p, line, found.of_event[l], groups, &noted, has_device, ops, scratch);
		else if (line->kind == TP_LINE_STREAM)
			take_stream(p, line, found.of_event[l], groups, &noted);
		else
			take_device_markers(p, line, found.of_event[l], groups);
	}
	const struct tp_interval *intervals = sort_noted(&noted, groups, found.count, scratch);

	for (int32_t g = 0; g < found.count; g++) {
		struct part part;

		marked += groups[g].host_marker.there || groups[g].device_marker.there;
		if (sweep_group(&groups[g], intervals, has_device, &part, sweeping)) {
			part.group = g;
			part.host = host;
			*(struct part *)tp_buf_add(parts, sizeof part) = part;
		}
		tp_arena_reset(sweeping);
	}
	tp_arena_free(sweeping);
	tp_buf_free(&noted);
	if (parts->count > before)
		qsort((struct part *)parts->data + before, parts->count - before, sizeof(struct part),
			by_start);
	return marked;
}

static struct tp_slice
step_name(const struct tp_pass_ctx *ctx, const struct part *part)
{
	if (part->numbered)
		return tp_arena_printf(ctx->keep, "%lld", (long long)part->number);
	return part->name;
}

/* One step over the hosts that have it: the longest decides, and the others wait for it. */
static struct tp_step
join(const struct tp_pass_ctx *ctx, struct part *const *parts, size_t count)
{
	struct tp_step step = {.name = step_name(ctx, parts[0])};

	for (size_t i = 0; i < count; i++)
		step.time_ps = parts[i]->time_ps > step.time_ps ? parts[i]->time_ps : step.time_ps;
	for (size_t i = 0; i < count; i++) {
		for (int c = 0; c < TP_CLASS_COUNT; c++)
			step.class_ps[c] += parts[i]->class_ps[c] / (double)count;
		step.class_ps[TP_CLASS_IDLE] += (step.time_ps - parts[i]->time_ps) / (double)count;
	}
	step.input_ps = step.class_ps[TP_CLASS_INPUT_WAIT];
	step.output_ps = step.class_ps[TP_CLASS_OUTPUT];
	return step;
}

/* Steps of all hosts, host by host: first[h] … first[h + 1] are those of host h. Returns how many groups had a marker on the
 * host where most had. */
static size_t
steps_of_hosts(const struct tp_pass_ctx *ctx, struct tp_buf *parts, size_t *first, bool *gpu)
{
	const struct tp_profile *p = ctx->profile;
	const struct host_op *names[2] = {NULL, NULL}; /* without, with a device */
	struct tp_arena *scratch = tp_arena_new();
	size_t marked = 0;

	for (uint32_t h = 0; h < p->host_count; h++) {
		bool has_device = host_has_gpu_work(p, h);

		if (names[has_device] == NULL)
			names[has_device] = read_names(p, has_device, ctx->scratch);
		size_t of_host = steps_of_host(p, h, has_device, names[has_device], parts, scratch);

		marked = of_host > marked ? of_host : marked;
		first[h + 1] = parts->count;
		*gpu |= has_device;
		tp_arena_reset(scratch);
	}
	tp_arena_free(scratch);
	return marked;
}

/* Which part of each host has which number; of several with the same the first. */
static struct tp_map
number_parts(const struct part *all, size_t count, struct tp_arena *scratch)
{
	struct tp_map numbers;

	tp_map_init(&numbers, scratch);
	for (size_t i = count; i-- > 0;) {
		if (all[i].numbered)
			tp_map_put(&numbers, tp_hash_pair((uint64_t)all[i].number, all[i].host), (uint32_t)i);
	}
	return numbers;
}

/* The part among first … end of a host that is the same step: hosts pair their steps by the markers' numbers; without
 * numbers, by order. SIZE_MAX: none. */
static size_t
same_step(const struct part *all, const struct part *step, size_t order,
	const struct tp_map *numbers, uint32_t host, size_t first, size_t end)
{
	size_t by_order = first + order, by_number = SIZE_MAX;

	if (step->numbered) {
		uint32_t at = tp_map_get(numbers, tp_hash_pair((uint64_t)step->number, host));

		by_number = at == TP_MAP_NONE ? SIZE_MAX : at;
	}
	if (by_order >= end || (step->numbered && all[by_order].numbered))
		return by_number;
	return by_order < by_number ? by_order : by_number;
}

/* One step for each of the first host that has any, when all hosts with steps have it. */
static void
join_hosts(
	const struct tp_pass_ctx *ctx, struct tp_buf *parts, const size_t *first, struct tp_steps *out)
{
	uint32_t hosts = ctx->profile->host_count, lead = hosts;
	struct part *all = parts->data;
	struct part **row = tp_new_array(ctx->scratch, struct part *, hosts + 1);
	struct tp_map numbers = number_parts(all, parts->count, ctx->scratch);

	for (uint32_t h = hosts; h-- > 0;) {
		bool any = first[h + 1] > first[h];

		lead = any ? h : lead;
		out->timelines += any;
	}
	if (lead == hosts)
		return;
	out->steps = tp_new_array(ctx->keep, struct tp_step, first[lead + 1] - first[lead]);
	for (size_t i = first[lead]; i < first[lead + 1]; i++) {
		size_t n = 0;

		for (uint32_t h = lead; h < hosts; h++) {
			size_t k = h == lead
				? i
				: same_step(all, &all[i], i - first[lead], &numbers, h, first[h], first[h + 1]);

			if (k != SIZE_MAX)
				row[n++] = &all[k];
		}
		if (n == out->timelines)
			out->steps[out->count++] = join(ctx, row, n);
	}
}

bool
tp_steps_from_markers(const struct tp_pass_ctx *ctx, struct tp_steps *out, struct tp_slice *reason)
{
	struct tp_buf parts = {0};
	size_t *first = tp_new_array(ctx->scratch, size_t, ctx->profile->host_count + 1);

	out->seen = steps_of_hosts(ctx, &parts, first, &out->gpu);
	join_hosts(ctx, &parts, first, out);
	tp_buf_free(&parts);
	if (out->seen == 0 && ctx->profile->diags.warnings != 0)
		*reason = TP_S("the part of the profile that could be read holds no step marker");
	else if (out->seen == 0)
		*reason = TP_S("the profile holds no step marker (jax.profiler.StepTraceAnnotation, "
					   "tf.profiler.experimental.Trace(\"train\", step_num=i, _r=1))");
	else if (out->count == 0)
		*reason = TP_S("no step marker covers any work");
	out->incomplete = out->seen > out->count ? out->seen - out->count : 0;
	return out->count != 0;
}

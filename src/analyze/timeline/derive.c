/* As the profiler's own post-processing derives them for other devices: neighbours of one name become one event. */
#include "analyze/timeline/derive.h"

#include "analyze/core/ctx.h"
#include "analyze/facts/framework_name.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "model/profile.h"

#include <stdlib.h>
#include <string.h>

enum {
	MOST_OPERATIONS = 1 << 19, /* that run, on all cores together */
	MOST_LEVELS = 32,          /* of scopes */
};

enum derived { OPERATIONS, SCOPES, SOURCES, DERIVED };

static const char *const line_names[DERIVED] = {
	[OPERATIONS] = "Framework Ops", [SCOPES] = "Framework Name Scope", [SOURCES] = "Source code"};

struct event {
	int64_t start_ps, end_ps;
	uint32_t op, place;
};
/* As events of a line stand; of scopes that begin and end together the outer came first. */
TP_ORDER(by_start, struct event, TP_UP(start_ps), TP_DOWN(end_ps), TP_UP(place));

/* A line that is being made, and its last event of each level, which may go on. */
struct track {
	struct tp_buf events; /* struct event */
	struct {
		size_t event;
		uint64_t step;
	} last[MOST_LEVELS];
	unsigned open;
};

struct deriving {
	const struct tp_pass_ctx *ctx;
	const struct tp_profile *profile;
	struct tp_buf ops;   /* struct tp_op: those that are new */
	struct tp_map known; /* what they are of → their place there */
	struct tp_buf lines; /* struct tp_line */
	struct track tracks[DERIVED];
};

static bool
is_called(const struct tp_line *line, const char *a, const char *b)
{
	return tp_slice_eq(line->name, tp_slice_of(a)) || tp_slice_eq(line->name, tp_slice_of(b));
}

/* Whether the profile has a line of this kind for the device itself. */
static bool
is_there(const struct tp_profile *p, uint32_t device, enum derived kind)
{
	static const char *const older[DERIVED] = {
		[OPERATIONS] = "TensorFlow Ops", [SCOPES] = "TensorFlow Name Scope", [SOURCES] = ""};

	for (uint32_t i = 0; i < p->line_count; i++) {
		const struct tp_line *line = &p->lines[i];

		if (line->device == device && line->kind == TP_LINE_DERIVED &&
			is_called(line, line_names[kind], older[kind]))
			return true;
	}
	return false;
}

static uint32_t
op_called(struct deriving *d, enum derived kind, struct tp_slice name, struct tp_slice label)
{
	uint32_t number;

	if (tp_map_number(&d->known, tp_hash_pair((uint64_t)kind, tp_hash_bytes(name)), &number))
		TP_PUSH(&d->ops, struct tp_op, .name = name, .label = label,
			.framework = tp_slice_eq(name, label) ? TP_S("") : name);
	return d->profile->op_count + number;
}

static void
add(struct track *t, unsigned level, uint64_t step, struct event event)
{
	struct event *events = t->events.data;

	if (level < t->open && t->last[level].step == step &&
		events[t->last[level].event].op == event.op) {
		struct event *last = &events[t->last[level].event];

		last->end_ps = event.end_ps > last->end_ps ? event.end_ps : last->end_ps;
		return;
	}
	t->last[level].event = t->events.count;
	t->last[level].step = step;
	t->open = level + 1;
	event.place = (uint32_t)t->events.count;
	*tp_buf_new(&t->events, struct event) = event;
}

static void
add_framework(struct deriving *d, const struct tp_op *op, uint64_t step, struct event event)
{
	struct tp_framework_name parsed = tp_framework_name(op->framework);
	struct tp_slice name = parsed.name;
	unsigned level = 0;
	size_t from = 0;

	if (parsed.family == TP_FAMILY_NONE || name.len == 0 || tp_framework_is_wrapper(name))
		return;
	for (size_t i = 0; i < name.len && level < MOST_LEVELS; i++) {
		if (name.ptr[i] != '/')
			continue;
		event.op = op_called(d, SCOPES, (struct tp_slice){name.ptr, i},
			(struct tp_slice){name.ptr + from, i - from});
		add(&d->tracks[SCOPES], level++, step, event);
		from = i + 1;
	}
	d->tracks[SCOPES].open = level < d->tracks[SCOPES].open ? level : d->tracks[SCOPES].open;
	event.op = op_called(d, OPERATIONS, name, tp_slice_from(name, from));
	add(&d->tracks[OPERATIONS], 0, step, event);
}

/* The device's steps, or where nothing marks them its programs. */
static const struct tp_line *
steps_of(const struct tp_profile *p, uint32_t device)
{
	const struct tp_line *modules = NULL;

	for (uint32_t i = 0; i < p->line_count; i++) {
		const struct tp_line *line = &p->lines[i];

		if (line->device != device || line->count == 0)
			continue;
		if (line->kind == TP_LINE_STEPS)
			return line;
		modules = line->kind == TP_LINE_MODULES ? line : modules;
	}
	return modules;
}

static void
finish(struct deriving *d, enum derived kind, const struct tp_line *ops)
{
	struct track *t = &d->tracks[kind];
	struct event *event = t->events.data;
	uint32_t count = (uint32_t)t->events.count;

	if (count != 0 && !is_there(d->profile, ops->device, kind)) {
		struct tp_arena *scratch = tp_arena_new();
		int64_t *start_ps = tp_new_array(scratch, int64_t, count);
		int64_t *duration_ps = tp_new_array(scratch, int64_t, count);
		uint32_t *op = tp_new_array(scratch, uint32_t, count);

		qsort(event, count, sizeof *event, by_start);
		for (uint32_t i = 0; i < count; i++) {
			start_ps[i] = event[i].start_ps;
			duration_ps[i] = event[i].end_ps - event[i].start_ps;
			op[i] = event[i].op;
		}
		struct tp_times times = tp_times_of(start_ps, duration_ps, count, d->ctx->keep);

		TP_PUSH(&d->lines, struct tp_line, .kind = TP_LINE_DERIVED, .host = ops->host,
			.device = ops->device, .name = tp_slice_of(line_names[kind]), .count = count,
			.host_times = times, .chip_times = times, .ops = tp_ops_of(op, count, d->ctx->keep));
		tp_arena_free(scratch);
	}
	tp_buf_free(&t->events);
	*t = (struct track){0};
}

static void
derive(struct deriving *d, const struct tp_line *ops)
{
	const struct tp_line *steps = steps_of(d->profile, ops->device);
	uint64_t step = 0;

	for (uint32_t i = 0; i < ops->count; i++) {
		const struct tp_op *op = &d->profile->ops[tp_line_op(ops, i)];
		struct event event = {.start_ps = tp_line_start_ps(ops, i)};

		if (__builtin_add_overflow(event.start_ps, tp_line_duration_ps(ops, i), &event.end_ps) ||
			(i + 1 < ops->count && tp_line_start_ps(ops, i + 1) < event.end_ps))
			continue;
		while (steps != NULL && step < steps->count &&
			tp_line_start_ps(steps, (uint32_t)step) <= event.start_ps)
			step++;
		add_framework(d, op, step, event);
		if (op->source.len != 0) {
			event.op = op_called(d, SOURCES, op->source, op->source);
			add(&d->tracks[SOURCES], 0, step, event);
		}
	}
	for (int kind = 0; kind < DERIVED; kind++)
		finish(d, (enum derived)kind, ops);
}

static uint64_t
operations(const struct tp_profile *p)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < p->line_count; i++)
		count += p->lines[i].kind == TP_LINE_OPS ? p->lines[i].count : 0;
	return count;
}

const struct tp_profile *
tp_timeline_derive(const struct tp_pass_ctx *ctx)
{
	const struct tp_profile *p = ctx->profile;
	struct deriving d = {.ctx = ctx, .profile = p};
	uint64_t count = operations(p);

	if (count == 0 || count > MOST_OPERATIONS)
		return p;
	tp_map_init(&d.known, ctx->scratch);
	for (uint32_t i = 0; i < p->line_count; i++) {
		if (p->lines[i].kind == TP_LINE_OPS && p->lines[i].device != TP_NONE)
			derive(&d, &p->lines[i]);
	}
	if (d.lines.count == 0) {
		tp_buf_free(&d.ops);
		return p;
	}
	struct tp_profile *more = tp_new(ctx->keep, struct tp_profile);

	*more = *p;
	more->line_count += (uint32_t)d.lines.count;
	more->op_count += (uint32_t)d.ops.count;
	more->lines = tp_new_array(ctx->keep, struct tp_line, more->line_count);
	more->ops = tp_new_array(ctx->keep, struct tp_op, more->op_count);
	memcpy(more->lines, p->lines, p->line_count * sizeof *p->lines);
	memcpy(more->ops, p->ops, p->op_count * sizeof *p->ops);
	memcpy(more->lines + p->line_count, d.lines.data, d.lines.count * sizeof *p->lines);
	memcpy(more->ops + p->op_count, d.ops.data, d.ops.count * sizeof *p->ops);
	tp_buf_free(&d.lines);
	tp_buf_free(&d.ops);
	return more;
}

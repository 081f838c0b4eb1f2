/* The pipelines of all hosts, the slowest first, each with its stages as a tree from the consumer down; times of stages are from
 * trees of calls. Source of the rules: xprof's xplane_to_tf_data_stats.cc. It differs in two things, where it errs: ids of
 * iterators from 2^63 on are all 0 to it, so that it adds up different iterators; and it takes the time of calls that run side
 * by side from their caller's twice, which may leave less than nothing. */
#include "analyze/input/tf_data.h"

#include "analyze/core/ctx.h"
#include "analyze/core/intervals.h"
#include "analyze/facts/op_times.h"
#include "analyze/input/tf_data_forest.h"
#include "base/arena.h"
#include "base/order.h"
#include "model/profile.h"

#include <stdlib.h>

/* What is found, host after host. */
struct lists {
	struct tp_buf pipelines; /* struct tp_pipeline, without its stages */
	struct tp_buf stages;    /* struct tp_stage; parents before children */
	struct tp_map places;    /* of stages */
	bool by_name;            /* on some host iterators have no id */
};

/* A call of the tree in hand, with the part of the root's time in which it is the one waited for. */
struct visit {
	uint32_t call, stage;
	bool blocking; /* the root cannot go on without it */
	int64_t from_ps, to_ps;
};

/* What an iterator did within the call of the root in hand. */
struct share {
	int64_t self_ps;
	/* the figures are of this one; else they are of an earlier and count as 0 */
	uint32_t root_call;
	bool blocking;
};

struct walker {
	uint32_t host;
	struct tp_iterator_forest forest;
	struct lists *out;
	struct tp_map pipeline_of_root; /* by iterator */
	struct tp_buf todo, children, touched;
	struct share *shares; /* by iterator */
};

static const struct tp_iterator_call *
call_at(const struct walker *w, uint32_t index)
{
	return (const struct tp_iterator_call *)w->forest.calls.data + index;
}

static const struct tp_iterator *
iterator_at(const struct walker *w, uint32_t index)
{
	return (const struct tp_iterator *)w->forest.iterators.data + index;
}

static struct tp_stage *
stage_at(const struct walker *w, uint32_t index)
{
	return (struct tp_stage *)w->out->stages.data + index;
}

static uint32_t
pipeline_of(struct walker *w, uint32_t root)
{
	uint32_t index = tp_map_get(&w->pipeline_of_root, root);

	if (index != TP_MAP_NONE)
		return index;
	index = (uint32_t)w->out->pipelines.count;
	tp_map_put(&w->pipeline_of_root, root, index);
	TP_PUSH(&w->out->pipelines, struct tp_pipeline, .host = w->host, .min_ps = INT64_MAX);
	return index;
}

static uint32_t
stage_of(struct walker *w, uint32_t call, uint32_t pipeline, uint32_t parent)
{
	const struct tp_iterator_call *c = call_at(w, call);
	const struct tp_iterator *iterator = iterator_at(w, c->iterator);
	struct tp_slice name = tp_iterator_name(iterator->long_name);
	uint64_t place = tp_hash_pair(tp_hash_pair(pipeline, parent), tp_hash_bytes(name));
	uint32_t index = tp_map_get(&w->out->places, place);
	uint64_t mine = tp_hash_pair(place, (uint64_t)c->iterator + 1);

	if (index == TP_MAP_NONE) {
		const struct tp_stage *above = parent == TP_NONE ? NULL : stage_at(w, parent);
		struct tp_stage stage = {
			.name = name,
			.long_name = iterator->long_name,
			.kind = tp_iterator_kind(iterator->long_name),
			.pipeline = pipeline,
			.parent = parent,
			.depth = above == NULL ? 0 : above->depth + 1,
			.ahead = above != NULL && (above->ahead || c->handed_over),
		};

		index = (uint32_t)w->out->stages.count;
		tp_map_put(&w->out->places, place, index);
		*tp_buf_new(&w->out->stages, struct tp_stage) = stage;
	}
	if (tp_map_get(&w->out->places, mine) == TP_MAP_NONE) {
		tp_map_put(&w->out->places, mine, index);
		stage_at(w, index)->iterators++;
		stage_at(w, index)->parallelism = iterator->parallelism;
	}
	return index;
}

TP_ORDER(by_start, struct visit, TP_UP(from_ps), TP_DOWN(to_ps), TP_UP(call));

/* The calls that this one waits for, in order of start; from and to are their own. */
static struct visit *
children_of(struct walker *w, const struct tp_iterator_call *c)
{
	w->children.count = 0;
	for (uint32_t i = c->first_child; i != TP_NONE; i = call_at(w, i)->next) {
		const struct tp_iterator_call *child = call_at(w, i);

		TP_PUSH(&w->children, struct visit, i, TP_NONE, false, child->start_ps, child->end_ps);
	}
	if (w->children.count > 1)
		qsort(w->children.data, w->children.count, sizeof(struct visit), by_start);
	return w->children.data;
}

/* Time of [from, to) in which none of the visits ran. */
static int64_t
uncovered(const struct visit *v, size_t count, int64_t from_ps, int64_t to_ps)
{
	int64_t left = to_ps - from_ps, until = from_ps;

	for (size_t i = 0; i < count; i++) {
		int64_t start = tp_later(v[i].from_ps, until), end = tp_earlier(v[i].to_ps, to_ps);

		if (end <= start)
			continue;
		left -= end - start;
		until = end;
	}
	return left;
}

static void
note_share(struct walker *w, uint32_t root_call, uint32_t iterator, int64_t self_ps, bool blocking)
{
	struct share *s = &w->shares[iterator];

	if (s->root_call != root_call) {
		*s = (struct share){.root_call = root_call};
		TP_PUSH(&w->touched, uint32_t, iterator);
	}
	s->self_ps = tp_add_ps(s->self_ps, self_ps);
	s->blocking |= blocking;
}

/* Time in which several calls run side by side counts as waiting for the one that began first. */
static void
visit_call(struct walker *w, struct visit v, uint32_t root_call)
{
	const struct tp_iterator_call *c = call_at(w, v.call);
	struct visit *child = children_of(w, c);
	size_t count = w->children.count;
	int64_t self = uncovered(child, count, c->start_ps, c->end_ps);
	struct tp_stage *stage = stage_at(w, v.stage);
	int64_t until = v.from_ps, critical = v.to_ps - v.from_ps;
	uint32_t pipeline = stage->pipeline;

	stage->calls++;
	stage->total_ps = tp_add_ps(stage->total_ps, c->end_ps - c->start_ps);
	stage->self_ps = tp_add_ps(stage->self_ps, self);
	note_share(w, root_call, c->iterator, self, v.blocking);
	for (size_t i = 0; i < count; i++) {
		bool overlaps = child[i].from_ps < c->end_ps && child[i].to_ps > c->start_ps;
		int64_t start = tp_later(child[i].from_ps, until);
		int64_t end = tp_earlier(child[i].to_ps, v.to_ps);

		if (end <= start)
			start = end = until;
		critical -= end - start;
		until = end;
		TP_PUSH(&w->todo, struct visit, child[i].call,
			stage_of(w, child[i].call, pipeline, v.stage), v.blocking && overlaps, start, end);
	}
	stage = stage_at(w, v.stage);
	stage->critical_ps = tp_add_ps(stage->critical_ps, critical);
}

static void
find_bottleneck(struct walker *w, struct tp_pipeline *p)
{
	const uint32_t *touched = w->touched.data;

	p->bottleneck_ps = -1;
	for (size_t i = 0; i < w->touched.count; i++) {
		const struct share *s = &w->shares[touched[i]];

		if (!s->blocking || s->self_ps <= p->bottleneck_ps)
			continue;
		p->bottleneck_ps = s->self_ps;
		p->bottleneck = tp_iterator_name(iterator_at(w, touched[i])->long_name);
	}
}

static void
walk_root(struct walker *w, uint32_t root)
{
	const struct tp_iterator_call *c = call_at(w, root);
	uint32_t index = pipeline_of(w, c->iterator);
	int64_t duration = c->end_ps - c->start_ps;

	w->touched.count = w->todo.count = 0;
	TP_PUSH(&w->todo, struct visit, root, stage_of(w, root, index, TP_NONE), true, c->start_ps,
		c->end_ps);
	while (w->todo.count != 0)
		visit_call(w, ((struct visit *)w->todo.data)[--w->todo.count], root);
	struct tp_pipeline *p = (struct tp_pipeline *)w->out->pipelines.data + index;

	if (p->calls == 0 || duration > p->max_ps)
		find_bottleneck(w, p);
	p->calls++;
	p->slow_calls += duration > TP_TF_DATA_SLOW_PS;
	p->sum_ps = tp_add_ps(p->sum_ps, duration);
	p->min_ps = tp_earlier(p->min_ps, duration);
	p->max_ps = tp_later(p->max_ps, duration);
}

/* The calls of one host. events: as tp_iterator_events gives it. */
static void
walk_host(const struct tp_profile *p, uint32_t host, const uint8_t *events, struct lists *out,
	struct tp_arena *scratch)
{
	struct walker w = {.host = host, .out = out};
	bool any_root = false;

	tp_iterator_forest_build(p, host, events, &w.forest, scratch);
	tp_map_init(&w.pipeline_of_root, scratch);
	w.shares = tp_new_array(scratch, struct share, w.forest.iterators.count);
	for (uint32_t i = 0; i < w.forest.iterators.count; i++) {
		w.shares[i].root_call = TP_NONE;
		any_root |= iterator_at(&w, i)->root;
	}
	/* Where no iterator is called "Iterator::X", as in older profilers' files, the outermost calls are the roots. */
	for (uint32_t i = 0; i < w.forest.calls.count; i++) {
		const struct tp_iterator_call *c = call_at(&w, i);

		if (any_root ? iterator_at(&w, c->iterator)->root : c->outermost)
			walk_root(&w, i);
	}
	out->by_name |= w.forest.by_name;
	tp_buf_free(&w.todo);
	tp_buf_free(&w.children);
	tp_buf_free(&w.touched);
	tp_buf_free(&w.forest.iterators);
	tp_buf_free(&w.forest.calls);
}

/* A pipeline that only moves elements to a device takes them from one that runs tf.data, which the profile shows as well. */
static void
mark_to_device(const struct tp_stage *stages, size_t count, struct tp_pipeline *pipelines)
{
	for (size_t i = 0; i < count; i++) {
		if (stages[i].kind == TP_ITERATOR_FORWARD)
			pipelines[stages[i].pipeline].to_device = true;
	}
}

struct rank {
	const struct tp_pipeline *pipeline;
	uint32_t index;
};

TP_ORDER(by_longest_call, struct rank, TP_UP(pipeline->to_device), TP_DOWN(pipeline->max_ps),
	TP_UP(index));

/* Where a stage stands among those below the same one. */
struct sibling {
	const struct tp_stage *stage;
	uint32_t index, first_child, next;
};

/* The more is waited for, the earlier; put in reverse, for each goes before those that are there. */
TP_ORDER_POINTERS(by_least_critical, struct sibling, TP_UP(stage->critical_ps),
	TP_UP(stage->total_ps), tp_slice_cmp(b->stage->name, a->stage->name));

/* The tree of the stages: which is the first below each, and the next beside it; first by pipeline: its root. */
static struct sibling *
plant(const struct tp_stage *stages, size_t count, uint32_t *first, size_t pipelines,
	struct tp_arena *scratch)
{
	struct sibling *tree = tp_new_array(scratch, struct sibling, count);
	struct sibling **order = tp_new_array(scratch, struct sibling *, count);

	memset(first, 0xff, pipelines * sizeof *first);
	for (uint32_t i = 0; i < count; i++) {
		tree[i] = (struct sibling){&stages[i], i, TP_NONE, TP_NONE};
		order[i] = &tree[i];
	}
	qsort(order, count, sizeof(struct sibling *), by_least_critical);
	for (size_t i = 0; i < count; i++) {
		const struct tp_stage *stage = order[i]->stage;
		uint32_t *head =
			stage->parent == TP_NONE ? &first[stage->pipeline] : &tree[stage->parent].first_child;

		order[i]->next = *head;
		*head = order[i]->index;
	}
	return tree;
}

/* Writes the stages of a pipeline in order of its tree to out->stages from out->stage_count on. */
static void
write_stages(struct tp_tf_data *out, struct tp_pipeline *p, uint32_t index,
	const struct sibling *tree, uint32_t root, uint32_t *new_index, uint32_t *stack)
{
	uint32_t depth = 0;

	p->first = p->slowest = (uint32_t)out->stage_count;
	if (root != TP_NONE)
		stack[depth++] = root;
	while (depth != 0) {
		const struct sibling *s = &tree[stack[--depth]];
		struct tp_stage *stage = &out->stages[out->stage_count];

		*stage = *s->stage;
		stage->pipeline = index;
		stage->parent = stage->parent == TP_NONE ? TP_NONE : new_index[stage->parent];
		new_index[s->index] = (uint32_t)out->stage_count;
		if (stage->critical_ps > out->stages[p->slowest].critical_ps)
			p->slowest = (uint32_t)out->stage_count;
		out->stage_count++;
		p->count++;
		if (s->next != TP_NONE)
			stack[depth++] = s->next;
		if (s->first_child != TP_NONE)
			stack[depth++] = s->first_child;
	}
}

bool
tp_stage_works_alone(const struct tp_stage *s)
{
	return s->kind == TP_ITERATOR_SERIAL ||
		(s->kind == TP_ITERATOR_PARALLEL && s->parallelism == 1);
}

static void
sum_up(struct tp_tf_data *out, struct tp_pipeline *p)
{
	for (uint32_t i = p->first; i < p->first + p->count; i++) {
		const struct tp_stage *s = &out->stages[i];

		if (s->ahead || s->kind == TP_ITERATOR_BUFFER)
			p->ahead_ps = tp_add_ps(p->ahead_ps, s->critical_ps);
		if (p->to_device)
			continue;
		out->kind_ps[s->kind] = tp_add_ps(out->kind_ps[s->kind], s->critical_ps);
		if (tp_stage_works_alone(s))
			out->alone_ps = tp_add_ps(out->alone_ps, s->critical_ps);
		if (s->kind == TP_ITERATOR_FILE && !s->ahead &&
			tp_host_op_of_name(s->long_name) == TP_HOST_OP_INPUT + TP_INPUT_DEMANDED_READ)
			out->demanded_ps = tp_add_ps(out->demanded_ps, s->critical_ps);
	}
	if (p->to_device)
		return;
	out->host_count++;
	out->calls += p->calls;
	out->slow_calls += p->slow_calls;
	out->sum_ps = tp_add_ps(out->sum_ps, p->sum_ps);
	out->ahead_ps = tp_add_ps(out->ahead_ps, p->ahead_ps);
}

static void
gather(const struct tp_pass_ctx *ctx, const struct lists *lists, struct tp_tf_data *out)
{
	struct tp_pipeline *found = lists->pipelines.data;
	const struct tp_stage *stages = lists->stages.data;
	size_t count = lists->pipelines.count, stage_count = lists->stages.count;
	struct rank *order = tp_new_array(ctx->scratch, struct rank, count);
	uint32_t *first = tp_new_array(ctx->scratch, uint32_t, count);
	uint32_t *new_index = tp_new_array(ctx->scratch, uint32_t, stage_count);
	uint32_t *stack = tp_new_array(ctx->scratch, uint32_t, stage_count + 1);

	mark_to_device(stages, stage_count, found);
	for (uint32_t i = 0; i < count; i++)
		order[i] = (struct rank){&found[i], i};
	qsort(order, count, sizeof *order, by_longest_call);
	const struct sibling *tree = plant(stages, stage_count, first, count, ctx->scratch);

	out->by_name = lists->by_name;
	out->pipelines = tp_new_array(ctx->keep, struct tp_pipeline, count);
	out->stages = tp_new_array(ctx->keep, struct tp_stage, stage_count);
	for (uint32_t i = 0; i < count; i++) {
		struct tp_pipeline *p = &out->pipelines[out->count++];

		*p = *order[i].pipeline;
		write_stages(out, p, i, tree, first[order[i].index], new_index, stack);
		sum_up(out, p);
	}
}

void
tp_tf_data_find(const struct tp_pass_ctx *ctx, struct tp_tf_data *out)
{
	const uint8_t *events = tp_iterator_events(ctx->profile, ctx->scratch);
	struct lists lists = {0};

	*out = (struct tp_tf_data){0};
	if (events == NULL)
		return;
	tp_map_init(&lists.places, ctx->scratch);
	for (uint32_t h = 0; h < ctx->profile->host_count; h++)
		walk_host(ctx->profile, h, events, &lists, ctx->scratch);
	gather(ctx, &lists, out);
	tp_buf_free(&lists.pipelines);
	tp_buf_free(&lists.stages);
}

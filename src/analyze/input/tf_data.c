/* The pipelines of all hosts, the slowest first, each with its stages as a tree from the consumer down. */
#include "analyze/input/tf_data.h"

#include "analyze/core/ctx.h"
#include "analyze/facts/op_times.h"
#include "analyze/input/tf_data_forest.h"
#include "base/arena.h"
#include "base/order.h"
#include "model/profile.h"

#include <stdlib.h>

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
gather(const struct tp_pass_ctx *ctx, const struct tp_tf_data_lists *lists, struct tp_tf_data *out)
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
	struct tp_tf_data_lists lists = {0};

	*out = (struct tp_tf_data){0};
	if (events == NULL)
		return;
	tp_map_init(&lists.places, ctx->scratch);
	for (uint32_t h = 0; h < ctx->profile->host_count; h++)
		tp_tf_data_walk(ctx->profile, h, events, &lists, ctx->scratch);
	gather(ctx, &lists, out);
	tp_buf_free(&lists.pipelines);
	tp_buf_free(&lists.stages);
}

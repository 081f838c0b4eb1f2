/* Trees by program, by category and by provenance hold the same operations; below each of these there are categories, groups of
 * duplicates, operations, and what those were fused from. */
#include "ingest/tools_op_tree.h"

#include "base/arena.h"
#include "ingest/tools.h"
#include "ingest/tools_op_node.h"

#include <math.h>

enum { MOST_PARTS = 64 };

/* "jit_f" and 12 of "jit_f(12)"; false, and neither is touched, where a name is no such. */
static bool
program_of(struct tp_slice name, struct tp_slice *program, uint64_t *id)
{
	const char *open = name.len != 0 ? memrchr(name.ptr, '(', name.len) : NULL;
	uint64_t number = 0;

	if (open == NULL || !tp_slice_ends(name, TP_S(")")))
		return false;
	const char *end = name.ptr + name.len - 1;

	for (const char *c = open + 1; c < end; c++) {
		if (*c < '0' || *c > '9' || __builtin_mul_overflow(number, 10, &number) ||
			__builtin_add_overflow(number, (uint64_t)(*c - '0'), &number))
			return false;
	}
	if (end == open + 1)
		return false;
	*program = (struct tp_slice){name.ptr, (size_t)(open - name.ptr)};
	*id = number;
	return true;
}

static void
note_program(struct tp_op_tree_reading *r, struct tp_slice name)
{
	struct tp_slice program;
	uint64_t id;

	if (!program_of(name, &program, &id) || tp_map_get(&r->programs, id) != TP_MAP_NONE)
		return;
	tp_map_put(&r->programs, id, (uint32_t)r->names.count);
	*(struct tp_slice *)tp_buf_add(&r->names, sizeof program) = program;
}

static bool
took_time(const struct tp_op_node *n)
{
	return n->time_ps > 0 || n->share > 0;
}

static bool
is_idle(const struct tp_op_node *n)
{
	return tp_slice_eq(n->name, TP_S("IDLE")) && n->expression.len == 0;
}

/* Operations that the compiler made one from the other stand below a node of the first one's name. What an operation was fused
 * from has no time. */
static bool
holds_operations(const struct tp_op_node *n)
{
	for (const struct tp_op_node *c = n->first; c != NULL; c = c->next) {
		if (c->is_op && took_time(c))
			return true;
	}
	return false;
}

static const struct tp_precomputed_fused *
parts_of(struct tp_op_tree_reading *r, const struct tp_op_node *n, size_t *count)
{
	*count = 0;
	for (const struct tp_op_node *c = n->first; c != NULL && *count < MOST_PARTS; c = c->next)
		(*count)++;
	struct tp_precomputed_fused *parts = tp_new_array(r->keep, struct tp_precomputed_fused, *count);
	const struct tp_op_node *c = n->first;

	for (size_t i = 0; i < *count; i++, c = c->next)
		parts[i] = (struct tp_precomputed_fused){
			.name = c->name,
			.opcode = c->opcode,
			.expression = c->expression,
			.framework = c->provenance,
			.source = c->source,
		};
	return parts;
}

static struct tp_precomputed_op *
add_op(struct tp_op_tree_reading *r, const struct tp_op_node *n)
{
	struct tp_precomputed_op *op = tp_buf_add(&r->ops, sizeof *op);

	*op = tp_tool_no_op();
	op->name = n->name;
	op->share = n->share <= 1 ? n->share : NAN;
	op->self_us = n->time_ps / 1e6;
	op->occurrences = n->occurrences;
	op->flops = n->flops;
	op->bytes = n->bytes;
	if (n->time_ps > 0 && isfinite(n->flops))
		op->flop_per_s = n->flops * 1e12 / n->time_ps;
	if (n->time_ps > 0 && isfinite(n->bytes))
		op->bytes_per_s = n->bytes * 1e12 / n->time_ps;
	/* Of the peak over all the run's time; in older files that is 1. */
	op->flops_use = n->time_ps > 0 ? n->flops_share * r->root_ps / n->time_ps : NAN;
	if (!(n->time_ps > 0) && n->share > 0)
		op->flops_use = n->flops_share / n->share;
	op->hbm_use = n->hbm_use;
	return op;
}

static void
name_program(
	struct tp_op_tree_reading *r, struct tp_precomputed_op *op, uint64_t id, struct tp_slice above)
{
	uint32_t at = id != 0 ? tp_map_get(&r->programs, id) : TP_MAP_NONE;

	op->program_id = id;
	op->has_program = id != 0;
	if (at != TP_MAP_NONE)
		op->program = ((struct tp_slice *)r->names.data)[at];
	else if (program_of(above, &op->program, &op->program_id))
		op->has_program = true;
}

/* "fusion.1" of "fusion.1 and its duplicate(s)". */
static struct tp_slice
original(const struct tp_op_node *group)
{
	static const char more[] = " and its duplicate(s)";
	struct tp_slice name = group->name;

	if (tp_slice_ends(name, tp_slice_of(more)))
		name.len -= strlen(more);
	return name;
}

static void
take_op(struct tp_op_tree_reading *r, const struct tp_op_node *n, const struct tp_op_node *group,
	struct tp_slice program, struct tp_slice category)
{
	struct tp_precomputed_op *op = add_op(r, n);

	op->category = n->category.len != 0 ? n->category : category;
	op->opcode = n->opcode;
	op->expression = n->expression;
	op->framework = n->provenance;
	op->source = n->source;
	op->duplicates = group != NULL ? original(group) : TP_S("");
	op->dims = n->dims;
	op->dim_count = n->dim_count;
	op->parts = parts_of(r, n, &op->part_count);
	name_program(r, op, n->program_id, program);
}

/* What the profiler left out of the file counts in the group that it was left out of. */
static void
take_rest(struct tp_op_tree_reading *r, const struct tp_op_node *group, struct tp_slice program,
	struct tp_slice category)
{
	struct tp_op_node rest = {.time_ps = group->time_ps,
		.share = NAN,
		.flops_share = group->flops_share,
		.flops = group->flops,
		.hbm_use = NAN,
		.bytes = group->bytes};
	uint64_t there = 0, occurrences = 0;

	for (const struct tp_op_node *c = group->first; c != NULL; c = c->next) {
		there++;
		occurrences += c->occurrences;
		rest.time_ps -= c->time_ps;
		rest.flops_share -= c->flops_share;
		rest.flops -= c->flops;
		rest.bytes -= c->bytes;
	}
	if (group->all_children <= there || !(rest.time_ps > 0))
		return;
	rest.name = tp_arena_printf(
		r->keep, "%llu more, not in the file", (unsigned long long)(group->all_children - there));
	rest.flops_share = tp_op_not_negative(rest.flops_share);
	rest.flops = tp_op_not_negative(rest.flops);
	rest.bytes = tp_op_not_negative(rest.bytes);
	rest.occurrences = group->occurrences > occurrences ? group->occurrences - occurrences : 0;
	struct tp_precomputed_op *op = add_op(r, &rest);

	op->left_out = true;
	op->duplicates = group->is_op ? original(group) : TP_S("");
	op->category = category;
	name_program(r, op, group->first != NULL ? group->first->program_id : 0, program);
}

/* above: the group of equal operations that the node is one of; NULL: none. */
static void
collect(struct tp_op_tree_reading *r, const struct tp_op_node *n, const struct tp_op_node *above,
	struct tp_slice program, unsigned depth)
{
	bool group = holds_operations(n);

	if (is_idle(n))
		return;
	if (n->is_op && n->has_metrics && !group) {
		if (took_time(n))
			take_op(r, n, above, program, above != NULL ? above->category : TP_S(""));
		return;
	}
	if (depth == 1)
		program = n->name;
	for (const struct tp_op_node *c = n->first; c != NULL; c = c->next)
		collect(r, c, n->is_op ? n : NULL, program, depth + 1);
	if (group)
		take_rest(r, n, program, n->is_op ? n->category : n->name);
}

void
tp_op_tree_note(struct tp_op_tree_reading *r, const struct tp_op_node *root, bool by_program)
{
	for (const struct tp_op_node *c = root != NULL ? root->first : NULL; c != NULL; c = c->next) {
		if (by_program)
			note_program(r, c->name);
		r->idle_ps = is_idle(c) ? c->time_ps : r->idle_ps;
	}
}

void
tp_op_tree_collect(struct tp_op_tree_reading *r, const struct tp_op_node *root)
{
	if (root == NULL)
		return;
	r->root_ps = root->time_ps;
	collect(r, root, NULL, TP_S(""), 0);
}

void
tp_op_tree_fill_shares(struct tp_op_tree_reading *r)
{
	struct tp_precomputed_op *ops = r->ops.data;
	double sum = 0;

	for (size_t i = 0; i < r->ops.count; i++)
		sum += isfinite(ops[i].self_us) ? ops[i].self_us : 0;
	for (size_t i = 0; i < r->ops.count; i++) {
		if (isfinite(ops[i].self_us) && sum > 0 && isfinite(sum))
			ops[i].share = ops[i].self_us / sum;
	}
}

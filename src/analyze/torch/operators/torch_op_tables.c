/* Rows of the tables of operators: which ones a call counts in, and their order. */
#include "analyze/torch/operators/torch_op_tables.h"

#include <stdlib.h>

#include "analyze/facts/op_times.h"
#include "analyze/torch/operators/torch_ops.h"
#include "analyze/torch_steps/torch_role.h"
#include "base/arena.h"
#include "base/order.h"
#include "base/texts.h"
#include "model/profile.h"
#include "model/torch.h"

void
tp_torch_op_tables_init(
	struct tp_torch_op_tables *tables, const struct tp_profile *p, struct tp_arena *scratch)
{
	*tables = (struct tp_torch_op_tables){
		.profile = p,
		.row_of_op = tp_new_array(scratch, uint32_t, p->op_count),
	};
	memset(tables->row_of_op, 0xff, p->op_count * sizeof *tables->row_of_op);
	tp_map_init(&tables->names, scratch);
	tp_map_init(&tables->shapes, scratch);
	tp_map_init(&tables->places, scratch);
}

/* Whether the list of operators has operators of this name. */
static bool
lists(struct tp_slice name)
{
	return !tp_slice_starts(name, TP_S("Optimizer.")) && !tp_torch_is_dataloader(name) &&
		!tp_texts_any(
			name, tp_slice_eq, TP_TEXTS("DataParallel.forward", "DistributedDataParallel.forward"));
}

bool
tp_torch_op_is_listed(const struct tp_profile *p, const struct tp_torch_trace *t, uint32_t event)
{
	return t->kind[event] == TP_TORCH_OPERATOR && lists(tp_torch_name(p, t, event));
}

uint32_t
tp_torch_op_row(struct tp_torch_op_tables *tables, const struct tp_torch_trace *t, uint32_t event)
{
	uint32_t op = tp_torch_op(t, event), row = TP_TORCH_NOT_LISTED;
	struct tp_slice name = tables->profile->ops[op].label;

	if (t->kind[event] != TP_TORCH_OPERATOR)
		return TP_TORCH_NOT_LISTED;
	if (tables->row_of_op[op] != TP_NONE)
		return tables->row_of_op[op];
	if (lists(name) && tp_map_number(&tables->names, tp_hash_bytes(name), &row))
		TP_PUSH(&tables->by_name, struct tp_torch_op_row, .name = name);
	tables->row_of_op[op] = row;
	return row;
}

static uint32_t
shape_row_of(struct tp_torch_op_tables *tables, uint32_t row, uint32_t shapes)
{
	uint32_t at;

	if (tp_map_number(&tables->shapes, (uint64_t)row << 32 | shapes, &at))
		TP_PUSH(&tables->by_shape, struct tp_torch_op_row,
			.name = ((struct tp_torch_op_row *)tables->by_name.data)[row].name,
			.shapes = tp_string(&tables->profile->strings, shapes), .has_shapes = shapes != 0);
	return at;
}

static uint32_t
place_row_of(struct tp_torch_op_tables *tables, uint32_t row, uint32_t stack, uint32_t old_stack)
{
	if (stack == TP_NONE && old_stack == 0)
		return TP_NONE;
	uint32_t at;

	if (tp_map_number(&tables->places, tp_hash_pair((uint64_t)row << 32 | stack, old_stack), &at))
		TP_PUSH(&tables->stacks, struct tp_torch_op_stack, .row = row, .stack = stack,
			.old_stack = old_stack);
	return at;
}

struct tp_torch_op_rows
tp_torch_op_rows_of(struct tp_torch_op_tables *tables, uint32_t row,
	const struct tp_torch_attributes *a, uint32_t stack)
{
	return (struct tp_torch_op_rows){{
		[TP_TORCH_BY_NAME] = row,
		[TP_TORCH_BY_SHAPE] = shape_row_of(tables, row, a->shapes),
		[TP_TORCH_BY_PLACE] = place_row_of(tables, row, stack, a->stack),
	}};
}

uint32_t
tp_torch_op_row_count(const struct tp_torch_op_tables *tables, enum tp_torch_op_table table)
{
	const struct tp_buf *buf = table == TP_TORCH_BY_NAME ? &tables->by_name
		: table == TP_TORCH_BY_SHAPE                     ? &tables->by_shape
														 : &tables->stacks;

	return (uint32_t)buf->count;
}

struct tp_torch_op_sums *
tp_torch_op_sums_in(struct tp_torch_op_tables *tables, enum tp_torch_op_table table, uint32_t row)
{
	struct tp_torch_op_row *by_name = tables->by_name.data, *by_shape = tables->by_shape.data;
	struct tp_torch_op_stack *stacks = tables->stacks.data;

	return table == TP_TORCH_BY_NAME ? &by_name[row].sums
		: table == TP_TORCH_BY_SHAPE ? &by_shape[row].sums
									 : &stacks[row].sums;
}

TP_ORDER(by_key, struct tp_torch_op_row, TP_DOWN(key_ps), TP_DOWN(sums.host_self_ps),
	tp_slice_cmp(a->name, b->name), tp_slice_cmp(a->shapes, b->shapes), TP_UP(found));

TP_ORDER(by_row, struct tp_torch_op_stack, TP_UP(row), TP_DOWN(key_ps), TP_DOWN(sums.host_self_ps),
	TP_UP(found));

static const struct tp_torch_op_row *
sorted_rows(struct tp_buf *buf, const struct tp_torch_ops *o, struct tp_arena *keep)
{
	uint32_t count = (uint32_t)buf->count;
	struct tp_torch_op_row *rows = tp_buf_settle(buf, sizeof *rows, keep);

	for (uint32_t i = 0; i < count; i++) {
		rows[i].key_ps = tp_torch_op_key_ps(o, &rows[i].sums);
		rows[i].found = i;
	}
	qsort(rows, count, sizeof *rows, by_key);
	return rows;
}

/* new_index: of rows by name, by the order in which they were met. */
static const struct tp_torch_op_stack *
sorted_stacks(struct tp_buf *buf, const struct tp_torch_ops *o, const uint32_t *new_index,
	struct tp_arena *keep)
{
	uint32_t count = (uint32_t)buf->count;
	struct tp_torch_op_stack *stacks = tp_buf_settle(buf, sizeof *stacks, keep);

	for (uint32_t i = 0; i < count; i++) {
		stacks[i].row = new_index[stacks[i].row];
		stacks[i].key_ps = tp_torch_op_key_ps(o, &stacks[i].sums);
		stacks[i].found = i;
	}
	qsort(stacks, count, sizeof *stacks, by_row);
	return stacks;
}

const uint32_t *
tp_torch_op_tables_settle(struct tp_torch_op_tables *tables, struct tp_torch_ops *o,
	struct tp_arena *keep, struct tp_arena *scratch)
{
	uint32_t *new_index = tp_new_array(scratch, uint32_t, tables->by_name.count);

	o->name_count = tp_torch_op_row_count(tables, TP_TORCH_BY_NAME);
	o->shape_count = tp_torch_op_row_count(tables, TP_TORCH_BY_SHAPE);
	o->stack_count = tp_torch_op_row_count(tables, TP_TORCH_BY_PLACE);
	o->has_stacks = o->stack_count != 0;
	o->by_name = sorted_rows(&tables->by_name, o, keep);
	for (uint32_t i = 0; i < o->name_count; i++)
		new_index[o->by_name[i].found] = i;
	o->by_shape = sorted_rows(&tables->by_shape, o, keep);
	o->stacks = sorted_stacks(&tables->stacks, o, new_index, keep);
	return new_index;
}

/* The column of operations: narrow until one comes that needs more. */
#include "model/op_column.h"

#include <string.h>

struct tp_op_column
tp_op_column_from(const struct tp_op_column *c, uint32_t first)
{
	return (struct tp_op_column){
		.narrow = c->narrow != NULL ? c->narrow + first : NULL,
		.wide = c->wide != NULL ? c->wide + first : NULL,
	};
}

static void
widen(struct tp_op_draft *d)
{
	const uint16_t *narrow = d->narrow.data;
	uint32_t *wide = tp_buf_extend(&d->wide, d->narrow.count, sizeof *wide);

	for (size_t i = 0; i < d->narrow.count; i++)
		wide[i] = narrow[i];
	d->is_wide = true;
	tp_buf_free(&d->narrow);
}

void
tp_ops_add(struct tp_op_draft *d, const uint32_t *op, uint32_t count)
{
	uint32_t all = 0;

	for (uint32_t i = 0; i < count && !d->is_wide; i++)
		all |= op[i];
	if (all > UINT16_MAX)
		widen(d);
	if (d->is_wide) {
		memcpy(tp_buf_extend(&d->wide, count, sizeof *op), op, count * sizeof *op);
		return;
	}
	uint16_t *narrow = tp_buf_extend(&d->narrow, count, sizeof *narrow);

	for (uint32_t i = 0; i < count; i++)
		narrow[i] = (uint16_t)op[i];
}

void
tp_ops_reserve(struct tp_op_draft *d, size_t events)
{
	if (d->is_wide)
		tp_buf_reserve(&d->wide, events, sizeof(uint32_t));
	else
		tp_buf_reserve(&d->narrow, events, sizeof(uint16_t));
}

struct tp_op_column
tp_ops_so_far(const struct tp_op_draft *d)
{
	return d->is_wide ? (struct tp_op_column){.wide = d->wide.data}
					  : (struct tp_op_column){.narrow = d->narrow.data};
}

struct tp_op_column
tp_ops_give(struct tp_op_draft *d, struct tp_arena *arena)
{
	bool is_wide = d->is_wide;

	d->is_wide = false;
	return is_wide
		? (struct tp_op_column){.wide =
									tp_buf_give(&d->wide, d->wide.count, sizeof(uint32_t), arena)}
		: (struct tp_op_column){
			  .narrow = tp_buf_give(&d->narrow, d->narrow.count, sizeof(uint16_t), arena)};
}

struct tp_op_column
tp_ops_of(const uint32_t *op, uint32_t count, struct tp_arena *arena)
{
	struct tp_op_draft d = {0};

	tp_ops_add(&d, op, count);
	struct tp_op_column ops = tp_ops_give(&d, arena);

	tp_ops_free(&d);
	return ops;
}

void
tp_ops_free(struct tp_op_draft *d)
{
	tp_buf_free(&d->narrow);
	tp_buf_free(&d->wide);
	d->is_wide = false;
}

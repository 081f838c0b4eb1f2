/* What each operator allocated, by itself and with what it calls. Formula: torch-tb-profiler, with two differences: memory that
 * no operator but an annotation asked for (a DataLoader, an optimizer's step) is told by that annotation, where the peer has
 * no owner; and of calls within calls of the same operator each byte counts once, whatever else is between. */
#include "analyze/torch/memory/torch_memory.h"

#include "analyze/torch/torch_links.h"
#include "analyze/torch/torch_ops.h"
#include "base/arena.h"
#include "base/buf.h"
#include "model/profile.h"
#include "model/torch.h"

#include <stdlib.h>

/* Ranges that are deeper in others than that are counted up to here; no program nests operators so. */
enum { DEEPEST = 1000 };

struct row_under_way {
	struct tp_torch_memory_row row;
	uint32_t last; /* the record that it counted last */
};

/* Whether a range counts as a call: of an operator as the list of operators counts it. */
static bool
is_call(const struct tp_torch_trace *t, const struct tp_torch_op_trace *calls, uint32_t event)
{
	if (t->kind[event] != TP_TORCH_OPERATOR || t->detail[event] == TP_NONE || calls == NULL)
		return tp_torch_is_range(t->kind[event]);
	return calls->calls[t->detail[event]].head == event;
}

struct tp_torch_memory_tally
tp_torch_memory_tally_for(const struct tp_pass_ctx *ctx, uint32_t trace)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_torch_trace *t = p->torch->traces[trace];
	const struct tp_torch_ops *ops = tp_result(ctx, &tp_pass_torch_ops);
	struct tp_torch_memory_tally tally = {
		.calls = tp_new_array(ctx->scratch, uint32_t, p->op_count + 1),
		.row_of = tp_new_array(ctx->scratch, uint32_t, p->op_count + 1),
	};

	for (uint32_t e = 0; e < t->count; e++)
		tally.calls[t->op[e]] += is_call(t, ops != NULL ? &ops->traces[trace] : NULL, e);
	return tally;
}

static void
add(struct tp_torch_memory_sums *sums, const struct tp_torch_memory *m)
{
	if (m->bytes > 0) {
		sums->allocations++;
		if (__builtin_add_overflow(
				sums->allocated_bytes, (uint64_t)m->bytes, &sums->allocated_bytes))
			sums->allocated_bytes = UINT64_MAX;
	}
	if (__builtin_add_overflow(sums->growth_bytes, m->bytes, &sums->growth_bytes))
		sums->growth_bytes = m->bytes > 0 ? INT64_MAX : INT64_MIN;
}

/* op: of the profile, or op_count for none. */
static struct row_under_way *
row_of_op(const struct tp_pass_ctx *ctx, const struct tp_torch_memory_tally *tally,
	struct tp_buf *rows, uint32_t op, bool annotation)
{
	const struct tp_profile *p = ctx->profile;
	struct row_under_way *all = rows->data;

	if (tally->row_of[op] != 0)
		return &all[tally->row_of[op] - 1];
	struct row_under_way *new = tp_buf_add(rows, sizeof *new);

	tally->row_of[op] = (uint32_t)rows->count;
	new->last = TP_NONE;
	new->row.op = op < p->op_count ? op : TP_NONE;
	new->row.name = op < p->op_count ? p->ops[op].label : TP_S("");
	new->row.annotation = annotation;
	new->row.calls = tally->calls[op];
	return new;
}

static void
add_record(const struct tp_pass_ctx *ctx, const struct tp_torch_pool *pool, uint32_t record,
	const struct tp_torch_memory_tally *tally, struct tp_buf *rows)
{
	const struct tp_torch_trace *t = ctx->profile->torch->traces[pool->trace];
	const struct tp_torch_linked *linked = tp_result(ctx, &tp_pass_torch_links);
	const uint32_t *parent = linked->traces[pool->trace].parent;
	const struct tp_torch_memory *m = pool->records[record];
	uint32_t owner = pool->owner[record];
	int depth = 0;

	if (owner == TP_NONE) {
		struct row_under_way *none = row_of_op(ctx, tally, rows, ctx->profile->op_count, false);

		add(&none->row.self, m);
		add(&none->row.total, m);
		return;
	}
	for (uint32_t e = owner; e != TP_NONE && depth < DEEPEST; e = parent[e], depth++) {
		if (t->kind[e] == TP_TORCH_STEP)
			continue;
		struct row_under_way *row =
			row_of_op(ctx, tally, rows, t->op[e], t->kind[e] == TP_TORCH_ANNOTATION);

		if (e == owner)
			add(&row->row.self, m);
		if (row->last != record)
			add(&row->row.total, m);
		row->last = record;
	}
}

static int
by_allocated(const void *left, const void *right)
{
	const struct tp_torch_memory_row *a = left, *b = right;

	if (a->self.allocated_bytes != b->self.allocated_bytes)
		return a->self.allocated_bytes > b->self.allocated_bytes ? -1 : 1;
	if (a->total.allocated_bytes != b->total.allocated_bytes)
		return a->total.allocated_bytes > b->total.allocated_bytes ? -1 : 1;
	return tp_slice_cmp(a->name, b->name);
}

struct tp_torch_memory_row *
tp_torch_memory_stats(const struct tp_pass_ctx *ctx, const struct tp_torch_pool *pool,
	uint32_t first, uint32_t count, const struct tp_torch_memory_tally *tally, size_t *row_count)
{
	struct tp_buf rows = {0};

	for (uint32_t i = first; i < first + count; i++)
		add_record(ctx, pool, i, tally, &rows);
	struct tp_torch_memory_row *out =
		tp_new_array(ctx->keep, struct tp_torch_memory_row, rows.count);

	for (size_t k = 0; k < rows.count; k++) {
		out[k] = ((const struct row_under_way *)rows.data)[k].row;
		tally->row_of[out[k].op == TP_NONE ? ctx->profile->op_count : out[k].op] = 0;
	}
	*row_count = rows.count;
	tp_buf_free(&rows);
	if (*row_count != 0)
		qsort(out, *row_count, sizeof *out, by_allocated);
	return out;
}

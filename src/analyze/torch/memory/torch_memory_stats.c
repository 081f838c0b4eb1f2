/* What each operator allocated, by itself and with what it calls. Formula: torch-tb-profiler, with two differences: memory that
 * no operator but an annotation asked for (a DataLoader, an optimizer's step) is told by that annotation, where the peer has
 * no owner; and of calls within calls of the same operator each byte counts once, whatever else is between. */
#include "analyze/torch/memory/torch_memory.h"

#include "analyze/torch/operators/torch_ops.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "base/arena.h"
#include "base/buf.h"
#include "model/profile.h"
#include "model/torch.h"

#include <stdlib.h>

/* What a range asked for among some records. */
struct range_sums {
	uint32_t event;
	struct tp_torch_memory_sums self, total;
};

struct sums_under_way {
	const struct tp_torch_trace *trace;
	const uint32_t *parent;
	const struct tp_torch_memory_tally *tally;
	struct tp_buf ranges; /* struct range_sums */
	struct tp_buf rows;   /* struct tp_torch_memory_row */
};

/* The innermost range around an event that is no step. */
static uint32_t
range_around(const struct tp_torch_trace *t, const uint32_t *parent, uint32_t event)
{
	uint32_t around = parent[event];

	return around != TP_NONE && t->kind[around] == TP_TORCH_STEP ? parent[around] : around;
}

/* Whether a range counts as a call: of an operator as the list of operators counts it. */
static bool
is_call(const struct tp_torch_trace *t, const struct tp_torch_op_trace *calls, uint32_t event)
{
	if (t->kind[event] != TP_TORCH_OPERATOR || t->detail[event] == TP_NONE || calls == NULL)
		return tp_torch_is_range(t->kind[event]);
	return calls->calls[t->detail[event]].head == event;
}

/* Which ranges are in another of the same operation. One walk, with those that are open and how many of them are of each. */
static bool *
find_repeated(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t, const uint32_t *parent)
{
	bool *repeated = tp_new_array(ctx->scratch, bool, t->count);
	uint32_t *open = tp_new_array(ctx->scratch, uint32_t, t->count);
	uint32_t *open_of_op = tp_new_array(ctx->scratch, uint32_t, ctx->profile->op_count);
	uint32_t depth = 0;

	for (uint32_t e = 0; e < t->count; e++) {
		if (!tp_torch_is_range(t->kind[e]) || t->kind[e] == TP_TORCH_STEP)
			continue;
		uint32_t around = range_around(t, parent, e);

		for (; depth != 0 && open[depth - 1] != around; depth--)
			open_of_op[t->op[open[depth - 1]]]--;
		repeated[e] = open_of_op[t->op[e]] != 0;
		open_of_op[t->op[e]]++;
		open[depth++] = e;
	}
	return repeated;
}

struct tp_torch_memory_tally
tp_torch_memory_tally_for(const struct tp_pass_ctx *ctx, uint32_t trace)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_torch_trace *t = p->torch->traces[trace];
	const struct tp_torch_ops *ops = tp_result(ctx, &tp_pass_torch_ops);
	const struct tp_torch_correlated *linked = tp_result(ctx, &tp_pass_torch_correlation);
	struct tp_torch_memory_tally tally = {
		.calls = tp_new_array(ctx->scratch, uint32_t, p->op_count + 1),
		.row_of = tp_new_array(ctx->scratch, uint32_t, p->op_count + 1),
		.sums_of = tp_new_array(ctx->scratch, uint32_t, t->count),
		.repeated = find_repeated(ctx, t, linked->traces[trace].parent),
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

/* What a range asked for is asked for in all that it is in. */
static void
add_sums(struct tp_torch_memory_sums *sums, const struct tp_torch_memory_sums *more)
{
	sums->allocations += more->allocations;
	if (__builtin_add_overflow(
			sums->allocated_bytes, more->allocated_bytes, &sums->allocated_bytes))
		sums->allocated_bytes = UINT64_MAX;
	if (__builtin_add_overflow(sums->growth_bytes, more->growth_bytes, &sums->growth_bytes))
		sums->growth_bytes = more->growth_bytes > 0 ? INT64_MAX : INT64_MIN;
}

/* op: of the profile, or op_count for none. */
static struct tp_torch_memory_row *
row_of_op(const struct tp_pass_ctx *ctx, struct sums_under_way *u, uint32_t op, bool annotation)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_torch_memory_row *all = u->rows.data;

	if (u->tally->row_of[op] != 0)
		return &all[u->tally->row_of[op] - 1];
	struct tp_torch_memory_row *new = tp_buf_add(&u->rows, sizeof *new);

	u->tally->row_of[op] = (uint32_t)u->rows.count;
	new->op = op < p->op_count ? op : TP_NONE;
	new->name = op < p->op_count ? p->ops[op].label : TP_S("");
	new->annotation = annotation;
	new->calls = u->tally->calls[op];
	return new;
}

/* The sums of a range; of those around it there are sums as well. */
static struct range_sums *
sums_of_range(struct sums_under_way *u, uint32_t event)
{
	for (uint32_t e = event; e != TP_NONE && u->tally->sums_of[e] == 0;
		 e = range_around(u->trace, u->parent, e)) {
		((struct range_sums *)tp_buf_add(&u->ranges, sizeof(struct range_sums)))->event = e;
		u->tally->sums_of[e] = (uint32_t)u->ranges.count;
	}
	return (struct range_sums *)u->ranges.data + u->tally->sums_of[event] - 1;
}

static void
add_record(const struct tp_pass_ctx *ctx, struct sums_under_way *u, uint32_t owner,
	const struct tp_torch_memory *m)
{
	if (owner != TP_NONE) {
		add(&sums_of_range(u, owner)->self, m);
		return;
	}
	struct tp_torch_memory_row *none = row_of_op(ctx, u, ctx->profile->op_count, false);

	add(&none->self, m);
	add(&none->total, m);
}

static int
inner_first(const void *left, const void *right)
{
	const struct range_sums *a = left, *b = right;

	return a->event > b->event ? -1 : a->event < b->event;
}

/* From ranges to operators: what holds an event comes before it, so that from the last to the first each range has all of its
 * parts when its turn comes. */
static void
add_ranges(const struct tp_pass_ctx *ctx, struct sums_under_way *u)
{
	struct range_sums *ranges = u->ranges.data;

	if (u->ranges.count != 0)
		qsort(ranges, u->ranges.count, sizeof *ranges, inner_first);
	for (size_t i = 0; i < u->ranges.count; i++)
		u->tally->sums_of[ranges[i].event] = (uint32_t)i + 1;
	for (size_t i = 0; i < u->ranges.count; i++) {
		uint32_t e = ranges[i].event, around = range_around(u->trace, u->parent, e);
		struct tp_torch_memory_row *row =
			row_of_op(ctx, u, u->trace->op[e], u->trace->kind[e] == TP_TORCH_ANNOTATION);

		add_sums(&ranges[i].total, &ranges[i].self);
		add_sums(&row->self, &ranges[i].self);
		if (!u->tally->repeated[e])
			add_sums(&row->total, &ranges[i].total);
		if (around != TP_NONE)
			add_sums(&ranges[u->tally->sums_of[around] - 1].total, &ranges[i].total);
		u->tally->sums_of[e] = 0;
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
	int order = tp_slice_cmp(a->name, b->name);

	return order != 0 ? order : a->op < b->op ? -1 : a->op > b->op;
}

struct tp_torch_memory_rows
tp_torch_memory_stats(const struct tp_pass_ctx *ctx, const struct tp_torch_pool *pool,
	uint32_t first, uint32_t count, const struct tp_torch_memory_tally *tally)
{
	const struct tp_torch_correlated *linked = tp_result(ctx, &tp_pass_torch_correlation);
	struct sums_under_way u = {
		.trace = ctx->profile->torch->traces[pool->trace],
		.parent = linked->traces[pool->trace].parent,
		.tally = tally,
	};

	for (uint32_t i = first; i < first + count; i++)
		add_record(ctx, &u, pool->owner[i], pool->records[i]);
	add_ranges(ctx, &u);
	struct tp_torch_memory_rows out = {
		.count = u.rows.count, .looked_at = (uint64_t)count + u.ranges.count};

	tp_buf_free(&u.ranges);
	out.rows = tp_buf_settle(&u.rows, sizeof *out.rows, ctx->keep);
	for (size_t k = 0; k < out.count; k++)
		tally->row_of[out.rows[k].op == TP_NONE ? ctx->profile->op_count : out.rows[k].op] = 0;
	if (out.count != 0)
		qsort(out.rows, out.count, sizeof *out.rows, by_allocated);
	return out;
}

/* What each operator allocated, by itself and with what it calls, in all and in each step; and what each step began and ended with,
 * and its own peak. Formula: torch-tb-profiler, with two differences. Memory that no operator but an annotation asked for (a
 * DataLoader, an optimizer's step) is told by that annotation, where torch-tb-profiler has no owner. And of calls within calls of
 * the same operator each byte counts once, whatever else is between. */
#include "analyze/torch/memory/torch_memory.h"

#include "analyze/torch/operators/torch_ops.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"
#include "model/profile.h"
#include "model/torch.h"

#include <stdlib.h>

enum { AT_A_TIME = 1 << 14 }; /* records */

/* What a range asked for among some records. */
struct range_sums {
	uint32_t event;
	uint32_t around; /* the range that it is in; TP_NONE: none */
	uint32_t inner;  /* ranges directly in it that its total does not hold yet */
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

struct tp_slice
tp_torch_pool_owner(
	const struct tp_pass_ctx *ctx, const struct tp_torch_pool *pool, uint32_t record)
{
	const struct tp_torch_trace *t = ctx->profile->torch->traces[pool->trace];
	const struct tp_torch_correlated *linked = tp_result(ctx, &tp_pass_torch_correlation);
	uint32_t event = pool->owner[record];

	if (event == TP_NONE)
		return TP_S("");
	struct tp_slice name = tp_torch_name(ctx->profile, t, event);

	if (!tp_slice_starts(name, TP_S("aten::empty")))
		return name;
	uint32_t around = range_around(t, linked->traces[pool->trace].parent, event);

	if (around == TP_NONE)
		return name;
	return tp_arena_printf(
		ctx->keep, "%.*s (%.*s)", TP_ARG(tp_torch_name(ctx->profile, t, around)), TP_ARG(name));
}

/* Whether a range counts as a call: of an operator as the list of operators counts it. */
static bool
is_call(const struct tp_torch_trace *t, const struct tp_torch_op_call *calls, uint32_t event)
{
	if (t->kind[event] != TP_TORCH_OPERATOR || t->detail[event] == TP_NONE || calls == NULL)
		return tp_torch_is_range(t->kind[event]);
	return calls[t->detail[event]].head == event;
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
			open_of_op[tp_torch_op(t, open[depth - 1])]--;
		repeated[e] = open_of_op[tp_torch_op(t, e)] != 0;
		open_of_op[tp_torch_op(t, e)]++;
		open[depth++] = e;
	}
	return repeated;
}

struct tp_torch_memory_tally
tp_torch_memory_tally_for(const struct tp_pass_ctx *ctx, uint32_t trace)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_torch_trace *t = p->torch->traces[trace];
	const struct tp_torch_calls *calls = tp_result(ctx, &tp_pass_torch_calls);
	const struct tp_torch_correlated *linked = tp_result(ctx, &tp_pass_torch_correlation);
	struct tp_torch_memory_tally tally = {
		.calls = tp_new_array(ctx->scratch, uint32_t, p->op_count + 1),
		.row_of = tp_new_array(ctx->scratch, uint32_t, p->op_count + 1),
		.sums_of = tp_new_array(ctx->scratch, uint32_t, t->count),
		.repeated = find_repeated(ctx, t, linked->traces[trace].parent),
	};

	for (uint32_t e = 0; e < t->count; e++)
		tally.calls[tp_torch_op(t, e)] +=
			is_call(t, calls != NULL ? calls->traces[trace] : NULL, e);
	return tally;
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

static void
add_bytes(struct tp_torch_memory_sums *sums, int64_t bytes)
{
	add_sums(sums,
		&(struct tp_torch_memory_sums){.allocations = bytes > 0,
			.allocated_bytes = bytes > 0 ? (uint64_t)bytes : 0,
			.growth_bytes = bytes});
}

/* op: of the profile, or op_count for none. */
static struct tp_torch_memory_row *
row_of_op(const struct tp_pass_ctx *ctx, struct sums_under_way *u, uint32_t op)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_torch_memory_row *all = u->rows.data;

	if (u->tally->row_of[op] != 0)
		return &all[u->tally->row_of[op] - 1];
	struct tp_torch_memory_row *new = tp_buf_add(&u->rows, sizeof *new);

	u->tally->row_of[op] = (uint32_t)u->rows.count;
	new->op = op < p->op_count ? op : TP_NONE;
	new->name = op < p->op_count ? p->ops[op].label : TP_S("");
	new->calls = u->tally->calls[op];
	return new;
}

/* The sums of a range; of those around it there are sums as well. */
static struct range_sums *
sums_of_range(struct sums_under_way *u, uint32_t event)
{
	uint32_t inner = TP_NONE;

	for (uint32_t e = event; e != TP_NONE; e = range_around(u->trace, u->parent, e)) {
		bool known = u->tally->sums_of[e] != 0;

		if (!known) {
			TP_PUSH(&u->ranges, struct range_sums, .event = e, .around = TP_NONE);
			u->tally->sums_of[e] = (uint32_t)u->ranges.count;
		}
		struct range_sums *ranges = u->ranges.data;
		uint32_t at = u->tally->sums_of[e] - 1;

		if (inner != TP_NONE) {
			ranges[inner].around = at;
			ranges[at].inner++;
		}
		if (known)
			break;
		inner = at;
	}
	return (struct range_sums *)u->ranges.data + u->tally->sums_of[event] - 1;
}

static void
add_record(const struct tp_pass_ctx *ctx, struct sums_under_way *u, uint32_t owner,
	const struct tp_torch_memory *m)
{
	if (owner != TP_NONE) {
		add_bytes(&sums_of_range(u, owner)->self, m->bytes);
		return;
	}
	struct tp_torch_memory_row *none = row_of_op(ctx, u, ctx->profile->op_count);

	add_bytes(&none->self, m->bytes);
	add_bytes(&none->total, m->bytes);
}

/* A range that has all of its parts, to its operator and to the range around it. */
static void
add_range(const struct tp_pass_ctx *ctx, struct sums_under_way *u, struct range_sums *r)
{
	struct tp_torch_memory_row *row = row_of_op(ctx, u, tp_torch_op(u->trace, r->event));

	add_sums(&r->total, &r->self);
	add_sums(&row->self, &r->self);
	if (!u->tally->repeated[r->event])
		add_sums(&row->total, &r->total);
	u->tally->sums_of[r->event] = 0;
	if (r->around == TP_NONE)
		return;
	struct range_sums *around = (struct range_sums *)u->ranges.data + r->around;

	add_sums(&around->total, &r->total);
	around->inner--;
}

/* From ranges to operators: from each without parts outwards, as far as those around have all of theirs. */
static void
add_ranges(const struct tp_pass_ctx *ctx, struct sums_under_way *u)
{
	struct range_sums *ranges = u->ranges.data;

	for (size_t i = 0; i < u->ranges.count; i++) {
		struct range_sums *r = &ranges[i];

		/* Those further out went with the last of their parts. */
		while (r->inner == 0 && u->tally->sums_of[r->event] != 0) {
			add_range(ctx, u, r);
			if (r->around == TP_NONE)
				break;
			r = &ranges[r->around];
		}
	}
}

TP_ORDER(by_allocated, struct tp_torch_memory_row, TP_DOWN(self.allocated_bytes),
	TP_DOWN(total.allocated_bytes), tp_slice_cmp(a->name, b->name), TP_UP(op));

static struct tp_torch_memory_rows
stats_of(const struct tp_pass_ctx *ctx, const struct tp_torch_pool *pool, uint32_t first,
	uint32_t count, const struct tp_torch_memory_tally *tally)
{
	const struct tp_torch_correlated *linked = tp_result(ctx, &tp_pass_torch_correlation);
	struct sums_under_way u = {
		.trace = ctx->profile->torch->traces[pool->trace],
		.parent = linked->traces[pool->trace].parent,
		.tally = tally,
	};

	struct tp_torch_memory_rows out = {.looked_at = count};

	/* Sums of sums are the same in any parts, and those of few ranges stay in the cache. */
	for (uint32_t from = 0, end; from < count; from = end) {
		end = count - from > AT_A_TIME ? from + AT_A_TIME : count;
		for (uint32_t i = first + from; i < first + end; i++)
			add_record(ctx, &u, pool->owner[i], pool->records[i]);
		add_ranges(ctx, &u);
		out.looked_at += u.ranges.count;
		u.ranges.count = 0;
	}
	out.count = u.rows.count;
	tp_buf_free(&u.ranges);
	out.rows = tp_buf_settle(&u.rows, sizeof *out.rows, ctx->keep);
	for (size_t k = 0; k < out.count; k++)
		tally->row_of[out.rows[k].op == TP_NONE ? ctx->profile->op_count : out.rows[k].op] = 0;
	qsort(out.rows, out.count, sizeof *out.rows, by_allocated);
	return out;
}

/* Steps that torch marks do not overlap. Where those of a trace do, records and ranges are looked at as often as this, and the
 * steps that come then are passed over: work grows with the trace, not with its steps times its records. */
enum { MOST_LAYERS = 8 };

/* The first record from `from` on that is not before a time. */
static uint32_t
first_from(const struct tp_torch_pool *pool, int64_t time_ps)
{
	return (uint32_t)TP_FIRST_WHERE(i, pool->count, pool->records[i]->time_ps >= time_ps);
}

static int64_t
larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Before the first record the allocator holds what that record found. */
static int64_t
total_before(const struct tp_torch_pool *pool, uint32_t record)
{
	if (!pool->has_totals)
		return -1;
	if (record != 0)
		return pool->records[record - 1]->allocated_bytes;
	if (pool->records[0]->allocated_bytes < 0)
		return -1;
	return larger(pool->records[0]->allocated_bytes - pool->records[0]->bytes, 0);
}

static void
look_at(const struct tp_torch_pool *pool, uint32_t first, uint32_t behind,
	struct tp_torch_memory_step *s)
{
	s->peak_bytes = s->start_bytes;
	if (pool->has_totals && first != 0)
		s->peak_reserved = pool->records[first - 1]->reserved_bytes;
	for (uint32_t i = first; i < behind; i++) {
		const struct tp_torch_memory *m = pool->records[i];

		if (pool->has_totals) {
			s->peak_bytes = larger(s->peak_bytes, m->allocated_bytes);
			s->peak_reserved = larger(s->peak_reserved, m->reserved_bytes);
		}
		s->allocations += m->bytes > 0;
		s->allocated_bytes += m->bytes > 0 ? (uint64_t)m->bytes : 0;
	}
	if (!pool->accelerator)
		s->peak_reserved = -1;
}

/* Steps are taken as the host marks them, for allocators run on the host, ahead of their devices. */
static void
find_steps(const struct tp_pass_ctx *ctx, struct tp_torch_pool *pool,
	const struct tp_torch_memory_tally *tally)
{
	const struct tp_torch_stepped *stepped = tp_result(ctx, &tp_pass_torch_steps);
	const struct tp_torch_trace_steps *of = &stepped->traces[pool->trace];
	uint64_t left = MOST_LAYERS * pool->operators.looked_at;

	if (!of->marked)
		return;
	pool->step_count = of->count;
	pool->steps = tp_new_array(ctx->keep, struct tp_torch_memory_step, of->count);
	for (uint32_t i = 0; i < of->count; i++) {
		uint32_t first = first_from(pool, of->steps[i].host_start_ps);
		uint32_t behind = first_from(pool, of->steps[i].host_end_ps);
		struct tp_torch_memory_step *s = &pool->steps[i];

		*s = (struct tp_torch_memory_step){.name = of->steps[i].name,
			.start_bytes = total_before(pool, first),
			.end_bytes = total_before(pool, behind),
			.passed_over = behind - first > left,
			.peak_bytes = -1,
			.peak_reserved = -1};
		if (s->passed_over)
			continue;
		look_at(pool, first, behind, s);
		s->operators = stats_of(ctx, pool, first, behind - first, tally);
		left -= s->operators.looked_at < left ? s->operators.looked_at : left;
	}
}

void
tp_torch_pool_stats(const struct tp_pass_ctx *ctx, struct tp_torch_pool *pool,
	const struct tp_torch_memory_tally *tally)
{
	pool->operators = stats_of(ctx, pool, 0, pool->count, tally);
	find_steps(ctx, pool, tally);
}

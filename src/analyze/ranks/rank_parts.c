/* Ranks for a summary. Of PyTorch identity, steps, collectives, operators and peaks of memory of each trace, worked out when the summary is
 * written; of XLA's profiler those of each host, while its events are there; and the scalars of event files. */
#include "analyze/ranks/rank_parts.h"
#include "analyze/core/pass.h"

#include "analyze/facts/devices.h"
#include "analyze/facts/op_times.h"
#include "analyze/job/scalars.h"
#include "analyze/memory/allocators.h"
#include "analyze/memory/memory.h"
#include "analyze/ranks/rank_events.h"
#include "analyze/ranks/rank_hosts.h"
#include "analyze/torch/comm/torch_comm.h"
#include "analyze/torch/comm/torch_comm_present.h"
#include "analyze/torch/memory/torch_memory.h"
#include "analyze/torch/operators/torch_ops.h"
#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/order.h"
#include "model/profile.h"
#include "model/rank.h"
#include "report/doc.h"
#include "report/run_ranks.h"

#include <stdlib.h>

enum { MOST_OPERATORS = 200 }; /* further ones are one row together */

/* What the parts are worked out from, as long as the document lives. */
struct source {
	struct tp_pass_ctx ctx;
	const struct tp_torch_stepped *stepped;
	const struct tp_torch_comm *comm; /* NULL: a single process without collectives */
	const struct tp_torch_ops *ops;
	const struct tp_torch_memories *memories;
};

TP_ORDER(by_time, struct tp_torch_op_row, TP_DOWN(key_ps), tp_slice_cmp(a->name, b->name));

static void
put_operator(Tp__Rank *r, const struct tp_torch_op_row *row, struct tp_arena *arena)
{
	Tp__RankOperator *o = tp_new(arena, Tp__RankOperator);

	tp__rank_operator__init(o);
	o->name = (char *)tp_arena_copy(arena, row->name).ptr;
	o->calls = row->sums.calls;
	o->host_self_ps = row->sums.host_self_ps;
	o->device_self_ps = row->sums.device_self_ps;
	r->operators[r->n_operators++] = o;
}

/* The operators of one trace by name, in any order. */
static size_t
sum_operators(const struct source *of, uint32_t trace, struct tp_buf *rows, struct tp_arena *arena)
{
	const struct tp_profile *p = of->ctx.profile;
	const struct tp_torch_trace *t = p->torch->traces[trace];
	const struct tp_torch_op_call *calls = of->ops->traces[trace].calls;
	struct tp_map names;

	tp_map_init(&names, arena);
	for (uint32_t i = 0; i < t->operator_count; i++) {
		const struct tp_torch_op_call *c = &calls[i];
		uint32_t at;

		if (c->event == TP_NONE || c->head != c->event || !tp_torch_op_is_listed(p, t, c->event))
			continue;
		struct tp_slice name = p->ops[tp_torch_op(t, c->event)].label;
		struct tp_torch_op_sums call = tp_torch_op_sums_of(t, c, 0);

		if (tp_map_number(&names, tp_hash_bytes(name), &at))
			TP_PUSH(rows, struct tp_torch_op_row, .name = name);
		tp_torch_op_sums_add(&((struct tp_torch_op_row *)rows->data)[at].sums, &call);
	}
	return rows->count;
}

static void
put_operators(Tp__Rank *r, const struct source *of, uint32_t trace, struct tp_arena *arena)
{
	struct tp_buf buf = {0};
	size_t count = sum_operators(of, trace, &buf, arena);
	struct tp_torch_op_row *rows = buf.data, rest = {.name = TP_S("")};

	r->operators = tp_new_array(arena, Tp__RankOperator *, MOST_OPERATORS + 1);
	for (size_t i = 0; i < count; i++)
		rows[i].key_ps = tp_add_ps(rows[i].sums.host_self_ps, rows[i].sums.device_self_ps);
	if (count != 0)
		qsort(rows, count, sizeof *rows, by_time);
	for (size_t i = 0; i < count; i++) {
		if (i < MOST_OPERATORS)
			put_operator(r, &rows[i], arena);
		else
			tp_torch_op_sums_add(&rest.sums, &rows[i].sums);
	}
	if (count > MOST_OPERATORS)
		put_operator(r, &rest, arena);
	tp_buf_free(&buf);
}

static void
put_memories(Tp__Rank *r, const struct source *of, uint32_t trace, struct tp_arena *arena)
{
	r->memories = tp_new_array(arena, Tp__RankMemory *, of->memories->count);
	for (size_t i = 0; i < of->memories->count; i++) {
		const struct tp_torch_pool *pool = &of->memories->pools[i];
		Tp__RankMemory *m = tp_new(arena, Tp__RankMemory);

		if (pool->trace != trace)
			continue;
		tp__rank_memory__init(m);
		m->device = (char *)tp_arena_copy(arena, pool->device).ptr;
		m->accelerator = pool->accelerator;
		m->peak_bytes = pool->has_totals ? pool->peak_bytes : -1;
		m->peak_reserved_bytes = pool->peak_reserved;
		m->capacity_bytes = pool->capacity_bytes;
		r->memories[r->n_memories++] = m;
	}
}

/* Times count from the first step or call, whatever else is in the report: a rank's bytes are then its own. */
static int64_t
zero_of(const struct source *of, uint32_t trace)
{
	const struct tp_torch_trace_steps *s = &of->stepped->traces[trace];
	const struct tp_torch_comm_trace *t = of->comm != NULL ? &of->comm->traces[trace] : NULL;
	int64_t first_ps = s->count != 0 ? s->steps[0].start_ps
		: t != NULL && t->call_count ? t->calls[0].order_ps
									 : 0;

	return first_ps / 1000 * 1000;
}

static void
put_identity(
	Tp__Rank *r, const struct source *of, uint32_t trace, int64_t zero_ps, struct tp_arena *arena)
{
	const struct tp_torch_trace *t = of->ctx.profile->torch->traces[trace];
	const struct tp_host *host = &of->ctx.profile->hosts[t->host];

	r->worker = (char *)tp_arena_copy(arena, t->worker).ptr;
	r->span = (char *)tp_arena_copy(arena, t->span).ptr;
	r->host = (char *)tp_arena_copy(arena, tp_torch_comm_host(&of->ctx, trace)).ptr;
	r->backend = (char *)tp_arena_copy(arena, t->distributed.backend).ptr;
	r->number = t->distributed.recorded ? t->distributed.rank : -1;
	r->world_size = t->distributed.recorded ? t->distributed.world_size : -1;
	r->device_work = t->work_count != 0;
	r->base_ns = host->base_ns + zero_ps / 1000;
	if (t->has_window && host->base_ns > 0) {
		r->start_unix_ns = host->base_ns + t->window_start_ps / 1000;
		r->stop_unix_ns = host->base_ns + t->window_end_ps / 1000;
	}
}

static Tp__Rank *
rank(const struct source *of, uint32_t trace, size_t most_steps, struct tp_arena *arena)
{
	Tp__Rank *r = tp_new(arena, Tp__Rank);
	int64_t zero_ps = zero_of(of, trace);

	tp__rank__init(r);
	put_identity(r, of, trace, zero_ps, arena);
	tp_rank_put_steps(r, &of->stepped->traces[trace], zero_ps, arena);
	if (of->comm != NULL)
		tp_rank_put_calls(r, of->comm, trace, zero_ps, arena);
	if (of->ops != NULL)
		put_operators(r, of, trace, arena);
	if (of->memories != NULL)
		put_memories(r, of, trace, arena);
	tp_rank_cut(r, most_steps);
	return r;
}

/* All that is kept of a run: its traces, or its hosts, and its event files behind them. */
struct parts {
	const struct source *traces;
	size_t trace_count;
	Tp__Rank *const *hosts;
	size_t host_count;
	const struct tp_scalars *events; /* NULL: none */
};

/* What is cut once of a host stays so: who asks for fewer and fewer steps gets them. */
static Tp__Rank *
part(const struct tp_run_ranks *ranks, size_t number, size_t most, struct tp_arena *arena)
{
	const struct parts *p = ranks->of;

	if (number < p->trace_count)
		return rank(p->traces, (uint32_t)number, most, arena);
	number -= p->trace_count;
	if (number >= p->host_count) {
		const struct tp_scalar_run *run = &p->events->runs[number - p->host_count];

		return tp_rank_of_events(run->run, run->pace.step_s, most, arena);
	}
	tp_rank_cut(p->hosts[number], most);
	return p->hosts[number];
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	struct parts *p = tp_new(ctx->keep, struct parts);
	Tp__Rank **hosts = NULL;

	if (!ctx->options->ranks)
		return tp_fail(err, TP_ABSENT, "no summary is written");
	if (ctx->profile->torch != NULL)
		p->trace_count = ctx->profile->torch->trace_count;
	else if (!tp_profile_is_tracks_alone(ctx->profile))
		p->host_count = tp_rank_hosts_of(ctx, &hosts);
	p->hosts = hosts;
	p->events = tp_result(ctx, &tp_pass_scalars);
	*result = p;
	return TP_OK;
}

static void
present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	struct source *of = tp_new(ctx->keep, struct source);
	struct tp_run_ranks *ranks = tp_new(ctx->keep, struct tp_run_ranks);
	struct parts *p = tp_new(ctx->keep, struct parts);

	*of = (struct source){
		.ctx = {.profile = ctx->profile, .keep = ctx->keep},
		.stepped = tp_result(ctx, &tp_pass_torch_steps),
		.comm = tp_result(ctx, &tp_pass_torch_comm),
		.ops = tp_result(ctx, &tp_pass_torch_ops),
		.memories = tp_result(ctx, &tp_pass_torch_memory),
	};
	*p = *(const struct parts *)result;
	p->traces = of;
	size_t folders = p->events != NULL ? p->events->run_count : 0;

	*ranks =
		(struct tp_run_ranks){p->trace_count + p->host_count + folders, p, part, tp_rank_length};
	if (ranks->count != 0)
		doc->ranks = ranks;
}

const struct tp_pass tp_pass_rank_parts = {
	.name = "ranks",
	.title = "Ranks for other hosts",
	.summary = "what a summary keeps of each rank, so that summaries of many hosts can be merged",
	.needs_any = TP_HAS_PROFILE | TP_HAS_EVENT_FILES,
	.after = TP_AFTER(&tp_pass_op_times, &tp_pass_torch_steps, &tp_pass_torch_comm,
		&tp_pass_torch_ops, &tp_pass_devices, &tp_pass_memory, &tp_pass_torch_memory,
		&tp_pass_allocators, &tp_pass_scalars),
	.place = TP_PLACE_METHOD,
	.analyze = analyze,
	.present = present,
	.lacks_nothing = "it is for summaries alone",
};

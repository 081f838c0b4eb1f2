/* What operations of a host sum up to, and its peaks of memory. An operation is one by program and label, for a label alone is another one in
 * each program. */
#include "analyze/ranks/rank_hosts.h"

#include "analyze/facts/op_times.h"
#include "analyze/memory/allocators.h"
#include "analyze/memory/memory.h"
#include "base/arena.h"
#include "base/order.h"
#include "base/saturate.h"
#include "model/profile.h"

#include <stdlib.h>

enum { MOST_OPERATORS = 200, MOST_MEMORIES = 200 };

/* An operation of a host, over its cores. */
struct row {
	const struct tp_op *op;
	struct tp_slice label;
	uint64_t calls;
	int64_t self_ps;
};

struct summing {
	const struct tp_pass_ctx *ctx;
	struct tp_map programs; /* (host, id) → index in the profile */
	struct tp_map rows_of;  /* (host, program, label) → row of its host */
	struct tp_buf *rows;    /* by host: struct row */
	struct tp_rank_host *hosts;
};

TP_ORDER(
	by_time, struct row, TP_DOWN(self_ps), tp_slice_cmp(a->label, b->label), TP_UP(op->program_id));

static void
add(struct summing *s, const struct tp_op *op, const struct tp_op_sum *sum)
{
	Tp__RankXla *x = s->hosts[sum->host].rank->xla;
	struct tp_buf *rows = &s->rows[sum->host];
	uint64_t program = op->has_program ? op->program_id : UINT64_MAX;
	uint64_t key = tp_hash_pair(tp_hash_pair(tp_hash_bytes(op->label), program), sum->host);
	uint32_t at = tp_map_get(&s->rows_of, key);

	if (at == TP_MAP_NONE) {
		at = (uint32_t)rows->count;
		tp_map_put(&s->rows_of, key, at);
		TP_PUSH(rows, struct row, .op = op, .label = op->label);
	}
	struct row *row = (struct row *)rows->data + at;

	row->calls = tp_plus(row->calls, sum->occurrences);
	row->self_ps = tp_add_ps(row->self_ps, sum->self_ps);
	x->self_ps = tp_add_ps(x->self_ps, sum->self_ps);
	/* As the section on hosts has it. */
	if (x->top_name[0] == '\0' || row->self_ps > x->top_ps) {
		x->top_name = tp_rank_text(&s->hosts[sum->host], op->label);
		x->top_ps = row->self_ps;
	}
}

static Tp__RankOperator *
put_operator(const struct tp_rank_host *h, const struct row *row, bool on_host)
{
	Tp__RankOperator *o = tp_new(h->ctx->keep, Tp__RankOperator);

	tp__rank_operator__init(o);
	o->name = tp_rank_text(h, row->label);
	o->calls = row->calls;
	*(on_host ? &o->host_self_ps : &o->device_self_ps) = row->self_ps;
	h->rank->operators[h->rank->n_operators++] = o;
	return o;
}

static void
put_program(const struct summing *s, uint32_t host, const struct tp_op *op, Tp__RankOperator *o)
{
	const struct tp_program *programs = s->ctx->profile->programs;

	if (!op->has_program)
		return;
	uint32_t i = tp_map_get(&s->programs, tp_hash_pair(op->program_id, host));

	o->has_program = true;
	o->program_id = op->program_id;
	if (i != TP_MAP_NONE)
		o->program = tp_rank_text(&s->hosts[host], programs[i].name);
}

static void
put_operators(const struct summing *s, uint32_t host, bool on_host)
{
	const struct tp_rank_host *h = &s->hosts[host];
	size_t count = s->rows[host].count;
	struct row *rows = s->rows[host].data, rest = {.label = TP_S("")};

	h->rank->operators = tp_new_array(h->ctx->keep, Tp__RankOperator *, MOST_OPERATORS + 1);
	if (count != 0)
		qsort(rows, count, sizeof *rows, by_time);
	for (size_t i = 0; i < count; i++) {
		if (i < MOST_OPERATORS && rows[i].label.len != 0) {
			put_program(s, host, rows[i].op, put_operator(h, &rows[i], on_host));
			continue;
		}
		rest.calls = tp_plus(rest.calls, rows[i].calls);
		rest.self_ps = tp_add_ps(rest.self_ps, rows[i].self_ps);
	}
	if (rest.calls != 0)
		put_operator(h, &rest, on_host);
}

static void
sum_operators(const struct tp_pass_ctx *ctx, struct tp_rank_host *hosts)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_op_times *times = tp_result(ctx, &tp_pass_op_times);
	struct summing s = {.ctx = ctx,
		.rows = tp_new_array(ctx->scratch, struct tp_buf, p->host_count),
		.hosts = hosts};

	if (times == NULL)
		return;
	tp_map_init(&s.programs, ctx->scratch);
	tp_map_init(&s.rows_of, ctx->scratch);
	for (uint32_t i = p->program_count; i-- > 0;)
		tp_map_put(&s.programs, tp_hash_pair(p->programs[i].id, p->programs[i].host), i);
	for (uint32_t i = 0; i < p->op_count; i++) {
		if (times->ops[i].occurrences != 0)
			add(&s, &p->ops[i], &times->ops[i]);
	}
	for (uint32_t h = 0; h < p->host_count; h++) {
		put_operators(&s, h, times->on_host);
		tp_buf_free(&s.rows[h]);
	}
}

static Tp__RankMemory *
memory(struct tp_rank_host *h, struct tp_slice name)
{
	Tp__RankMemory *m = tp_new(h->ctx->keep, Tp__RankMemory);

	if (h->rank->memories == NULL)
		h->rank->memories = tp_new_array(h->ctx->keep, Tp__RankMemory *, MOST_MEMORIES);
	if (h->rank->n_memories == MOST_MEMORIES)
		return NULL;
	tp__rank_memory__init(m);
	m->device = tp_rank_text(h, name);
	m->accelerator = true;
	m->peak_reserved_bytes = -1;
	h->rank->memories[h->rank->n_memories++] = m;
	return m;
}

/* The largest come first, of each program of the host: others may have the same one. */
static void
put_plans(const struct tp_pass_ctx *ctx, struct tp_rank_host *hosts)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_memory *all = tp_result(ctx, &tp_pass_memory);
	struct tp_map modules; /* (id, name) → index */

	tp_map_init(&modules, ctx->scratch);
	for (size_t i = 0; all != NULL && i < all->count; i++) {
		const struct tp_program *program = &p->programs[all->modules[i].program];

		tp_map_put(&modules, tp_hash_pair(program->id, tp_hash_bytes(program->name)), (uint32_t)i);
	}
	for (uint32_t i = 0; i < p->program_count; i++) {
		const struct tp_program *program = &p->programs[i];
		uint32_t at = tp_map_get(&modules, tp_hash_pair(program->id, tp_hash_bytes(program->name)));
		const struct tp_memory_space *space =
			at != TP_MAP_NONE ? tp_memory_main(&all->modules[at]) : NULL;
		Tp__RankMemory *m = space != NULL && program->name.len != 0
			? memory(&hosts[program->host], program->name)
			: NULL;

		if (m == NULL)
			continue;
		m->planned = true;
		m->peak_bytes = (int64_t)space->peak_bytes;
	}
}

static void
put_allocators(const struct tp_pass_ctx *ctx, struct tp_rank_host *hosts)
{
	const struct tp_allocators *all = tp_result(ctx, &tp_pass_allocators);

	for (size_t i = 0; all != NULL && i < all->count; i++) {
		const struct tp_allocator *a = &all->of[i];
		Tp__RankMemory *m = memory(&hosts[a->host], a->name);

		if (m == NULL)
			continue;
		m->peak_bytes = (int64_t)a->peak_bytes;
		m->capacity_bytes = a->capacity_bytes;
	}
}

void
tp_rank_put_sums(const struct tp_pass_ctx *ctx, struct tp_rank_host *hosts)
{
	sum_operators(ctx, hosts);
	put_allocators(ctx, hosts);
	put_plans(ctx, hosts);
}

/* Collectives, sends and receives of a rank as columns; analyze/torch/comm/torch_comm_given.c reads them. Operations and groups are
 * numbered as the rank's calls name them, so that a rank is the same bytes by itself and among others. */
#include "analyze/ranks/rank_parts.h"

#include "analyze/torch/comm/torch_comm.h"
#include "base/arena.h"
#include "base/map.h"
#include "model/profile.h"
#include "model/rank.h"

struct writing {
	Tp__Rank *r;
	const struct tp_torch_comm *c;
	const struct tp_torch_comm_trace *t;
	struct tp_map ops, groups; /* number in c → in r */
	struct tp_arena *arena;
};

static char *
text(const struct writing *w, struct tp_slice s)
{
	return (char *)tp_arena_copy(w->arena, s).ptr;
}

static uint32_t
operation(struct writing *w, uint32_t op)
{
	uint32_t number;

	if (!tp_map_number(&w->ops, op, &number))
		return number;
	Tp__RankOperation *o = tp_new(w->arena, Tp__RankOperation);

	tp__rank_operation__init(o);
	o->name = text(w, w->c->ops[op].name);
	o->kind = w->c->ops[op].kind;
	w->r->operations[w->r->n_operations++] = o;
	return number;
}

static uint32_t
group(struct writing *w, uint32_t group)
{
	const struct tp_torch_comm_group *from = &w->c->groups[group];
	uint32_t number;

	if (!tp_map_number(&w->groups, group, &number))
		return number;
	Tp__RankGroup *g = tp_new(w->arena, Tp__RankGroup);

	tp__rank_group__init(g);
	g->key = text(w, from->key);
	g->name = text(w, from->name);
	g->ranks = text(w, from->ranks);
	g->size = from->size;
	w->r->groups[w->r->n_groups++] = g;
	return number;
}

/* What few calls have. */
static void
put_ends(struct writing *w, const struct tp_torch_comm_call *call, uint32_t *flags)
{
	if (call->away_bytes < 0 && call->from < 0 && call->to < 0 && call->asked_ps == 0 &&
		call->through == TP_NONE)
		return;
	int64_t *ends = &w->r->call_ends[w->r->n_call_ends];

	*flags |= TP_RANK_HAS_ENDS;
	w->r->n_call_ends += TP_RANK_ENDS;
	ends[TP_RANK_AWAY_BYTES] = call->away_bytes < 0 ? -1 : call->away_bytes;
	ends[TP_RANK_FROM] = call->from;
	ends[TP_RANK_TO] = call->to;
	ends[TP_RANK_ASKED_PS] = call->asked_ps - call->order_ps;
	ends[TP_RANK_THROUGH] = call->through == TP_NONE ? -1 : (int64_t)call->through;
}

static void
put_call(struct writing *w, uint32_t i, int64_t before_ps)
{
	const struct tp_torch_comm_call *call = &w->t->calls[i];
	Tp__Rank *r = w->r;

	r->call_operations[i] = operation(w, call->op);
	r->call_groups[i] = group(w, call->group);
	r->call_orders[i] = call->order_ps - before_ps;
	r->call_host_ps[i] = call->host_ps;
	r->call_ranges[i] = call->count;
	r->call_in_bytes[i] = call->in_bytes;
	r->call_out_bytes[i] = call->out_bytes;
	r->call_flags[i] =
		(call->launched ? TP_RANK_LAUNCHED : 0) | (call->carries ? TP_RANK_CARRIES : 0);
	put_ends(w, call, &r->call_flags[i]);
	for (uint32_t k = call->first; k < call->first + call->count; k++) {
		const struct tp_interval *range = &w->t->ranges[k];

		r->range_starts[r->n_range_starts++] = range->start_ps - call->order_ps;
		r->range_lengths[r->n_range_lengths++] = range->end_ps - range->start_ps;
	}
}

static void
make_room(struct writing *w)
{
	size_t calls = w->t->call_count, ranges = w->t->range_count;
	Tp__Rank *r = w->r;

	r->operations = tp_new_array(w->arena, Tp__RankOperation *, w->c->op_count);
	r->groups = tp_new_array(w->arena, Tp__RankGroup *, w->c->group_count);
	r->n_call_operations = r->n_call_groups = r->n_call_orders = r->n_call_host_ps =
		r->n_call_ranges = r->n_call_in_bytes = r->n_call_out_bytes = r->n_call_flags = calls;
	r->call_operations = tp_new_array(w->arena, uint32_t, calls);
	r->call_groups = tp_new_array(w->arena, uint32_t, calls);
	r->call_orders = tp_new_array(w->arena, int64_t, calls);
	r->call_host_ps = tp_new_array(w->arena, int64_t, calls);
	r->call_ranges = tp_new_array(w->arena, uint32_t, calls);
	r->call_in_bytes = tp_new_array(w->arena, int64_t, calls);
	r->call_out_bytes = tp_new_array(w->arena, int64_t, calls);
	r->call_flags = tp_new_array(w->arena, uint32_t, calls);
	r->call_ends = tp_new_array(w->arena, int64_t, calls * TP_RANK_ENDS);
	r->range_starts = tp_new_array(w->arena, int64_t, ranges);
	r->range_lengths = tp_new_array(w->arena, int64_t, ranges);
}

void
tp_rank_put_calls(Tp__Rank *r, const struct tp_torch_comm *c, uint32_t trace, int64_t zero_ps,
	struct tp_arena *arena)
{
	struct writing w = {.r = r, .c = c, .t = &c->traces[trace], .arena = arena};

	tp_map_init(&w.ops, arena);
	tp_map_init(&w.groups, arena);
	make_room(&w);
	for (uint32_t i = 0; i < w.t->call_count; i++)
		put_call(&w, i, i == 0 ? zero_ps : w.t->calls[i - 1].order_ps);
}

/* Which calls of the workers are one collective. All workers of a process group ask for its collectives in the same order, so
 * the k-th of an operation is the same on all. Where a worker's trace holds fewer (its capture began later, or ended
 * earlier), they are laid against the longest row so that ends differ by the same at most calls: clocks differ by a constant,
 * and a collective ends on all workers together. Messages are matched the same way, those from one worker to another of a group
 * being an operation of two. */
#include "analyze/torch/comm/torch_comm.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "model/profile.h"
#include "model/torch.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_SHIFTS = 4096, MOST_SAMPLES = 64 };

/* What calls may be one collective: an operation of a group in a span. op: of messages tp_torch_comm.op_count and more, by sender and
 * receiver. */
struct kind {
	uint32_t span, group, op;
	uint32_t number;     /* in the order in which they come first */
	size_t first, count; /* its calls, by trace */
};

struct ref {
	uint32_t trace, call;
};

/* The calls of one trace for one operation of one group. */
struct row {
	const struct ref *refs;
	size_t count, shift;
};

struct matching {
	const struct tp_pass_ctx *ctx;
	struct tp_torch_comm *c;
	struct tp_buf matches, members, rows, kinds;
};

double
tp_torch_comm_clock(const struct tp_pass_ctx *ctx, uint32_t trace, int64_t ps)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_torch *torch = p->torch;
	int64_t base = p->hosts[torch->traces[trace]->host].base_ns, ns;

	/* Bases are far from 0, but not from each other. */
	if (__builtin_sub_overflow(base, p->hosts[torch->traces[0]->host].base_ns, &ns))
		return (double)base * 1e3 + (double)ps;
	return (double)ns * 1e3 + (double)ps;
}

TP_ORDER(by_size, double, (*a > *b) - (*a < *b));

double
tp_torch_comm_median(double *values, size_t count)
{
	if (count == 0)
		return NAN;
	qsort(values, count, sizeof *values, by_size);
	return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

static struct tp_torch_comm_side
side_of(const struct tp_torch_comm *c, const struct tp_torch_comm_member *who)
{
	const struct tp_torch_comm_trace *t = &c->traces[who->trace];
	const struct tp_torch_comm_call *call = tp_torch_comm_carrier(t, &t->calls[who->call]);

	return (struct tp_torch_comm_side){.trace = who->trace,
		.call = call,
		.begin_ps = t->on_device ? call->start_ps : call->asked_ps,
		.end_ps = call->end_ps};
}

struct tp_torch_comm_sides
tp_torch_comm_sides(const struct tp_torch_comm *c, const struct tp_torch_comm_match *m)
{
	const struct tp_torch_comm_member *who = &c->matched[m->first];
	uint32_t op = c->traces[who->trace].calls[who->call].op;
	uint32_t sends = !tp_slice_eq(c->ops[op].name, TP_S("send"));

	return (struct tp_torch_comm_sides){side_of(c, &who[sends]), side_of(c, &who[!sends])};
}

TP_ORDER(by_kind, struct kind, TP_UP(span), TP_UP(group), TP_UP(op));

static const struct tp_torch_comm_call *
call_of(const struct tp_torch_comm *c, const struct ref *r)
{
	return &c->traces[r->trace].calls[r->call];
}

static double
end_of(const struct matching *m, const struct ref *r)
{
	return tp_torch_comm_clock(
		m->ctx, r->trace, tp_torch_comm_carrier(&m->c->traces[r->trace], call_of(m->c, r))->end_ps);
}

/* How much the differences of ends vary when the row begins at place `shift` of the longest. */
static double
spread(const struct matching *m, const struct row *row, const struct row *longest, size_t shift,
	double *median)
{
	size_t each = (row->count + MOST_SAMPLES - 1) / MOST_SAMPLES, n = 0;
	double differences[MOST_SAMPLES], sum = 0;

	for (size_t i = 0; i < row->count && n < MOST_SAMPLES; i += each)
		differences[n++] = end_of(m, &row->refs[i]) - end_of(m, &longest->refs[i + shift]);
	*median = tp_torch_comm_median(differences, n);
	for (size_t i = 0; i < n; i++)
		sum += fabs(differences[i] - *median);
	return sum / (double)n;
}

static size_t
best_shift(const struct matching *m, const struct row *row, const struct row *longest)
{
	size_t most = longest->count - row->count, best = 0;
	double least = INFINITY, nearest = INFINITY;

	most = most < MOST_SHIFTS ? most : MOST_SHIFTS;
	for (size_t s = 0; s <= most; s++) {
		double median, varies = spread(m, row, longest, s, &median);

		if (varies < least || (varies == least && fabs(median) < nearest)) {
			best = s;
			least = varies;
			nearest = fabs(median);
		}
	}
	return best;
}

static void
match_place(struct matching *m, const struct row *rows, size_t row_count, size_t place)
{
	struct tp_torch_comm_match match = {.first = (uint32_t)m->members.count};

	for (size_t i = 0; i < row_count; i++)
		match.count += place >= rows[i].shift && place - rows[i].shift < rows[i].count;
	/* One that most of them lack says nothing. */
	if (match.count * 2 <= row_count)
		return;
	for (size_t i = 0; i < row_count; i++) {
		if (place < rows[i].shift || place - rows[i].shift >= rows[i].count)
			continue;
		const struct ref *r = &rows[i].refs[place - rows[i].shift];
		struct tp_torch_comm_trace *t = &m->c->traces[r->trace];

		TP_PUSH(&m->members, struct tp_torch_comm_member, r->trace, r->call);
		t->calls[r->call].match = (uint32_t)m->matches.count;
	}
	*(struct tp_torch_comm_match *)tp_buf_add(&m->matches, sizeof match) = match;
}

/* How many workers a group has; where the traces do not say, those of the job; else 0. */
static int64_t
members_of(const struct matching *m, const struct kind *kind, uint32_t trace)
{
	int64_t size = m->c->groups[kind->group].size;
	int64_t world = m->ctx->profile->torch->traces[trace]->distributed.world_size;

	return size > 0 ? size : world > 0 ? world : 0;
}

static bool
is_message(const struct matching *m, const struct kind *kind)
{
	return kind->op >= m->c->op_count;
}

/* One trace that sends and one that receives: where several say that they are the same worker, neither is known. */
static bool
is_pair(const struct matching *m, const struct row *rows, size_t row_count)
{
	return row_count == 2 && call_of(m->c, rows[0].refs)->op != call_of(m->c, rows[1].refs)->op;
}

/* refs: its calls, over all traces. */
static void
match_kind(struct matching *m, const struct kind *kind, const struct ref *refs)
{
	struct row *rows;
	size_t row_count = 0, longest = 0;

	m->rows.count = 0;
	for (size_t i = 0; i < kind->count; i++) {
		if (i == 0 || refs[i].trace != refs[i - 1].trace)
			TP_PUSH(&m->rows, struct row, .refs = &refs[i]);
		((struct row *)m->rows.data)[m->rows.count - 1].count++;
	}
	rows = m->rows.data;
	row_count = m->rows.count;
	if (is_message(m, kind) ? !is_pair(m, rows, row_count)
							: row_count == 1 && members_of(m, kind, refs->trace) != 1)
		return;
	for (size_t i = 1; i < row_count; i++)
		longest = rows[i].count > rows[longest].count ? i : longest;
	for (size_t i = 0; i < row_count; i++) {
		if (rows[i].count != rows[longest].count)
			rows[i].shift = best_shift(m, &rows[i], &rows[longest]);
	}
	for (size_t place = 0; place < rows[longest].count; place++)
		match_place(m, rows, row_count, place);
}

/* The number of a sender and receiver among the operations; TP_NONE: they are not told. */
static uint32_t
number_pair(
	const struct tp_torch_comm *c, const struct tp_torch_comm_call *call, struct tp_map *pairs)
{
	uint64_t key = tp_hash_pair((uint64_t)call->from, (uint64_t)call->to);
	uint32_t number;

	if (call->from < 0 || call->to < 0 || call->from == call->to ||
		(call->count == 0 && call->through == TP_NONE))
		return TP_NONE;
	tp_map_number(pairs, key, &number);
	return c->op_count + number;
}

/* The number of the kind that a call is of; TP_NONE: it is matched with none. */
static uint32_t
number_kind(struct matching *m, const struct tp_torch_comm_call *call, uint32_t span,
	struct tp_map *pairs, struct tp_map *found)
{
	uint32_t number;
	uint32_t op = m->c->ops[call->op].kind == TP_TORCH_COMM_POINT ? number_pair(m->c, call, pairs)
		: call->count != 0 && !call->carries                      ? call->op
																  : TP_NONE;

	if (op == TP_NONE)
		return TP_NONE;
	if (tp_map_number(found, tp_hash_pair(tp_hash_pair(span, call->group), op), &number))
		TP_PUSH(
			&m->kinds, struct kind, .span = span, .group = call->group, .op = op, .number = number);
	((struct kind *)m->kinds.data)[number].count++;
	return number;
}

/* Of all calls, in order of trace. */
static size_t
number_kinds(struct matching *m, struct tp_buf *numbers)
{
	struct tp_map pairs, found;

	tp_map_init(&pairs, m->ctx->scratch);
	tp_map_init(&found, m->ctx->scratch);
	for (uint32_t i = 0; i < m->c->trace_count; i++) {
		const struct tp_torch_comm_trace *t = &m->c->traces[i];
		uint32_t span = m->ctx->profile->torch->traces[i]->span_number;
		uint32_t *number = tp_buf_extend(numbers, t->call_count, sizeof *number);

		for (uint32_t k = 0; k < t->call_count; k++)
			number[k] = number_kind(m, &t->calls[k], span, &pairs, &found);
	}
	return numbers->count;
}

/* In order of kind, then trace: each goes to the next free place of its kind. */
static void
place_calls(struct matching *m, const uint32_t *number, struct ref *refs)
{
	struct kind *kinds = m->kinds.data;
	size_t *place = tp_new_array(m->ctx->scratch, size_t, m->kinds.count), first = 0;

	for (size_t i = 0; i < m->kinds.count; i++) {
		kinds[i].first = place[kinds[i].number] = first;
		first += kinds[i].count;
	}
	for (uint32_t i = 0; i < m->c->trace_count; i++) {
		for (uint32_t k = 0; k < m->c->traces[i].call_count; k++, number++) {
			if (*number != TP_NONE)
				refs[place[*number]++] = (struct ref){i, k};
		}
	}
}

void
tp_torch_comm_match(const struct tp_pass_ctx *ctx, struct tp_torch_comm *c)
{
	struct tp_buf numbers = {0}, room = {0};
	struct matching m = {.ctx = ctx, .c = c};
	struct ref *refs = tp_buf_room(&room, number_kinds(&m, &numbers), sizeof *refs);
	struct kind *kinds = m.kinds.data;

	if (m.kinds.count != 0)
		qsort(kinds, m.kinds.count, sizeof *kinds, by_kind);
	place_calls(&m, numbers.data, refs);
	tp_buf_free(&numbers);
	for (size_t i = 0; i < m.kinds.count; i++)
		match_kind(&m, &kinds[i], refs + kinds[i].first);
	c->match_count = m.matches.count;
	c->matches = tp_buf_settle(&m.matches, sizeof *c->matches, ctx->keep);
	c->matched = tp_buf_settle(&m.members, sizeof *c->matched, ctx->keep);
	tp_buf_free(&m.kinds);
	tp_buf_free(&m.rows);
	tp_buf_free(&room);
}

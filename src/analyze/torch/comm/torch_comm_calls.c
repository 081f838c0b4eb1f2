/* Which collectives a trace holds: host spans with the kernels that they launched, and kernels whose launch is not in it. */
#include "analyze/torch/comm/torch_comm_group.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "analyze/torch_steps/torch_role.h"
#include "base/arena.h"
#include "base/order.h"
#include "base/texts.h"
#include "model/profile.h"
#include "model/torch.h"

#include <stdlib.h>

/* A kernel, or a host's span, and whose it is. */
struct part {
	uint32_t call;
	struct tp_interval when;
};

struct reading {
	const struct tp_profile *profile;
	const struct tp_torch_trace *t;
	const struct tp_torch_correlation *links;
	struct tp_torch_comm_names *names;
	struct tp_arena *keep;
	uint32_t *around;    /* by event: the call that it is or is in; TP_NONE: none */
	uint32_t *record;    /* by event: the collective's arguments around it, an event; TP_NONE */
	struct tp_map by_id; /* calls by External id */
	struct tp_buf calls, parts;
};

static bool
is_range(const struct reading *r, uint32_t event)
{
	uint8_t kind = r->t->kind[event];
	uint8_t *known = &r->names->of_range[tp_torch_op(r->t, event)];

	if (kind != TP_TORCH_OPERATOR && kind != TP_TORCH_ANNOTATION)
		return false;
	if (*known == 0)
		*known = 1 + tp_torch_is_collective_range(tp_torch_name(r->profile, r->t, event));
	return *known == 2;
}

static bool
is_kernel(const struct reading *r, uint32_t event)
{
	uint8_t *known = &r->names->of_kernel[tp_torch_op(r->t, event)];

	if (r->t->kind[event] != TP_TORCH_KERNEL)
		return false;
	if (*known != 2)
		*known = *known == 1 &&
				(r->t->detail[event] == TP_NONE ||
					r->t->works[r->t->detail[event]].collective == TP_NONE)
			? 1
			: 1 + tp_torch_is_collective(r->profile, r->t, event);
	return *known == 2;
}

/* The arguments of a collective; NULL: the event has none. */
static const struct tp_torch_collective *
arguments_of(const struct tp_torch_trace *t, uint32_t event)
{
	uint32_t at = TP_NONE;

	if (event == TP_NONE || t->detail[event] == TP_NONE)
		return NULL;
	if (t->kind[event] == TP_TORCH_OPERATOR || t->kind[event] == TP_TORCH_ANNOTATION)
		at = t->attributes[t->operators[t->detail[event]].attributes].collective;
	else if (t->kind[event] == TP_TORCH_KERNEL)
		at = t->works[t->detail[event]].collective;
	return at == TP_NONE ? NULL : &t->collectives[at];
}

/* Bytes of `elements` of the collective's type; -1: not recorded. */
static int64_t
bytes_of(const struct tp_torch_collective *c, int64_t elements)
{
	uint32_t size = tp_torch_element_bytes(c->dtype);
	int64_t bytes;

	return elements < 0 || size == 0 || __builtin_mul_overflow(elements, (int64_t)size, &bytes)
		? -1
		: bytes;
}

static struct tp_torch_comm_call *
call_at(const struct reading *r, uint32_t call)
{
	return (struct tp_torch_comm_call *)r->calls.data + call;
}

/* Of an all-to-all with sizes: what goes out or what comes in, whichever is more. */
static int64_t
away_bytes(const struct tp_torch_collective *c)
{
	double in = tp_torch_comm_away_share(c->in_split, c->rank) * bytes_of(c, c->in_elements);
	double out = tp_torch_comm_away_share(c->out_split, c->rank) * bytes_of(c, c->out_elements);

	return (int64_t)(in > out ? in : out);
}

static uint32_t
add_call(struct reading *r, struct tp_torch_comm_op op, const struct tp_torch_collective *c,
	struct tp_slice backend, int64_t order_ps)
{
	struct tp_torch_comm_call *call = tp_buf_add(&r->calls, sizeof *call);

	*call = (struct tp_torch_comm_call){.op = tp_torch_comm_find_op(r->names, op),
		.group = tp_torch_comm_find_group(r->names, r->t, c, backend, r->keep),
		.order_ps = order_ps,
		.host_ps = -1,
		.in_bytes = c != NULL ? bytes_of(c, c->in_elements) : -1,
		.out_bytes = c != NULL ? bytes_of(c, c->out_elements) : -1,
		.away_bytes = c != NULL ? away_bytes(c) : -1,
		.from = -1,
		.to = -1,
		.through = TP_NONE,
		.match = TP_NONE};
	return (uint32_t)(r->calls.count - 1);
}

static bool
waits_only(const struct tp_torch_collective *c)
{
	return tp_texts_any(
		c->name, tp_slice_eq, TP_TEXTS("", "wait", "init", "startCoalescing", "endCoalescing"));
}

/* A span is what it is named, but a barrier is made of an all_reduce. */
static struct tp_torch_comm_op
op_of_range(const struct reading *r, uint32_t event, const struct tp_torch_collective *c)
{
	struct tp_torch_comm_op said = tp_torch_comm_op_of(c != NULL ? c->name : TP_S(""), r->keep);

	return c != NULL && (said.kind == TP_TORCH_COMM_IS_BARRIER || !is_range(r, event))
		? said
		: tp_torch_comm_op_of(tp_torch_name(r->profile, r->t, event), r->keep);
}

/* Of a send or receive: between whom. */
static void
set_ends(struct reading *r, uint32_t at, uint32_t event, const struct tp_torch_collective *c)
{
	struct tp_torch_comm_call *call = call_at(r, at);
	const struct tp_torch_comm_op *op = (struct tp_torch_comm_op *)r->names->ops.data + call->op;
	const struct tp_torch_comm_group *g =
		(struct tp_torch_comm_group *)r->names->groups.data + call->group;

	if (op->kind == TP_TORCH_COMM_POINT)
		tp_torch_comm_ends(
			r->profile, r->t, event, c, g->ranks, tp_slice_eq(op->name, TP_S("send")), call);
}

/* The host's span of these launches a kernel, which a trace of the host alone does not hold. */
static bool
only_launches(const struct tp_torch_trace *t, struct tp_slice backend)
{
	return t->kind_count[TP_TORCH_KERNEL] == 0 &&
		tp_texts_any(backend, tp_slice_eq, TP_TEXTS("nccl", "rccl", "xccl", "hccl"));
}

static void
add_host_call(struct reading *r, uint32_t event, bool on_device)
{
	const struct tp_torch_trace *t = r->t;
	const struct tp_torch_collective *c = arguments_of(t, r->record[event]);
	struct tp_slice backend = tp_torch_comm_backend(tp_torch_name(r->profile, t, event));
	uint32_t at = add_call(r, op_of_range(r, event, c), c, is_range(r, event) ? backend : TP_S(""),
		tp_torch_start_ps(t, event));
	struct tp_torch_comm_call *call = call_at(r, at);

	call->host_ps = tp_torch_duration_ps(t, event);
	call->launched = true;
	set_ends(r, at, event, c);
	if (call->in_bytes < 0 && t->detail[event] != TP_NONE) {
		const struct tp_torch_attributes *a =
			&t->attributes[t->operators[t->detail[event]].attributes];

		call->in_bytes = tp_torch_shapes_bytes(
			tp_string(&r->profile->strings, a->shapes), tp_string(&r->profile->strings, a->types));
	}
	if (!on_device && !only_launches(t, backend))
		TP_PUSH(
			&r->parts, struct part, at, {tp_torch_start_ps(t, event), tp_torch_end_ps(t, event)});
	r->around[event] = at;
}

static void
name_call(struct reading *r, uint32_t event, uint32_t call)
{
	int64_t id =
		r->t->detail[event] == TP_NONE ? -1 : r->t->operators[r->t->detail[event]].external_id;

	if (id > 0 && tp_map_get(&r->by_id, (uint64_t)id) == TP_MAP_NONE)
		tp_map_put(&r->by_id, (uint64_t)id, call);
}

/* Whether a span is part of another. Messages that wait at the same time are not, though one may end within the other. */
static bool
is_inside(const struct reading *r, uint32_t event)
{
	uint32_t at = r->around[event];
	const struct tp_torch_comm_op *ops = r->names->ops.data;

	return at != TP_NONE &&
		(ops[call_at(r, at)->op].kind != TP_TORCH_COMM_POINT ||
			tp_torch_comm_op_of(tp_torch_name(r->profile, r->t, event), r->keep).kind !=
				TP_TORCH_COMM_POINT);
}

/* Host spans; of a span within another the outer counts. Arguments of a collective stand for it where no span is in them.
 * What holds an event comes before it. */
static void
read_host(struct reading *r, bool on_device)
{
	const struct tp_torch_trace *t = r->t;
	struct tp_buf spans = {0};
	bool *has_span = tp_buf_room(&spans, t->count, sizeof *has_span);

	memset(has_span, 0, t->count * sizeof *has_span);
	for (uint32_t e = 0; e < t->count; e++) {
		uint32_t parent = r->links->parent[e];

		r->record[e] = parent == TP_NONE ? TP_NONE : r->record[parent];
		if (tp_torch_is_range(t->kind[e]) && arguments_of(t, e) != NULL)
			r->record[e] = e;
		if (is_range(r, e) && r->record[e] != TP_NONE)
			has_span[r->record[e]] = true;
	}
	for (uint32_t e = 0; e < t->count; e++) {
		uint32_t parent = r->links->parent[e];
		bool alone =
			on_device && r->record[e] == e && !has_span[e] && !waits_only(arguments_of(t, e));

		r->around[e] = parent == TP_NONE ? TP_NONE : r->around[parent];
		if ((is_range(r, e) && !is_inside(r, e)) || (alone && r->around[e] == TP_NONE)) {
			add_host_call(r, e, on_device);
			if (r->record[e] != TP_NONE)
				name_call(r, r->record[e], r->around[e]);
		}
		if (r->around[e] != TP_NONE && tp_torch_is_range(t->kind[e]))
			name_call(r, e, r->around[e]);
	}
	tp_buf_free(&spans);
}

/* By the call that launched it; where that is not in the trace, by External id, which up to torch 2.1 names nothing. */
static uint32_t
call_of_kernel(const struct reading *r, uint32_t kernel)
{
	uint32_t launch = r->links->call[kernel];
	uint32_t found = launch != TP_NONE ? r->around[launch] : TP_NONE;
	int64_t id = r->t->detail[kernel] == TP_NONE || r->t->era == TP_TORCH_UP_TO_2_1
		? -1
		: r->t->works[r->t->detail[kernel]].external_id;

	return found == TP_NONE && id > 0 ? tp_map_get(&r->by_id, (uint64_t)id) : found;
}

/* A kernel that no span of the host holds: of when it was launched, where the trace tells that. */
static uint32_t
add_kernel_call(struct reading *r, uint32_t kernel, const struct tp_torch_collective *c)
{
	uint32_t launch = r->links->call[kernel];
	uint32_t at = add_call(r,
		c != NULL && c->name.len != 0
			? tp_torch_comm_op_of(c->name, r->keep)
			: tp_torch_comm_op_of_kernel(tp_torch_name(r->profile, r->t, kernel), r->keep),
		c, TP_S(""), tp_torch_start_ps(r->t, launch != TP_NONE ? launch : kernel));

	call_at(r, at)->launched = launch != TP_NONE;
	set_ends(r, at, kernel, c);
	return at;
}

static void
read_kernels(struct reading *r)
{
	const struct tp_torch_trace *t = r->t;

	for (uint32_t e = 0; e < t->count; e++) {
		if (!is_kernel(r, e))
			continue;
		const struct tp_torch_collective *c = arguments_of(t, e);
		uint32_t at = call_of_kernel(r, e);

		if (at == TP_NONE)
			at = add_kernel_call(r, e, c);
		struct tp_torch_comm_call *call = call_at(r, at);

		if (c != NULL && call->in_bytes < 0)
			call->in_bytes = bytes_of(c, c->in_elements);
		if (c != NULL && call->out_bytes < 0)
			call->out_bytes = bytes_of(c, c->out_elements);
		TP_PUSH(&r->parts, struct part, at, {tp_torch_start_ps(t, e), tp_torch_end_ps(t, e)});
	}
}

TP_ORDER(by_call, struct part, TP_UP(call), TP_UP(when.start_ps));

TP_ORDER(by_order, struct tp_torch_comm_call, TP_UP(order_ps), TP_UP(first));

/* Whether a call is the end of a group, which launches what was asked for before. */
static bool
ends_group(const struct tp_torch_comm_op *ops, const struct tp_torch_comm_call *call)
{
	return call->count != 0 && call->launched &&
		(tp_slice_eq(ops[call->op].name, TP_S("coalesced")) ||
			tp_slice_eq(ops[call->op].name, TP_S("send and recv")));
}

/* Finds the kernel of the sends and receives that were asked for as a group, and have none of their own: that of the next
 * group which the host asked for. Calls are in order. */
static void
carry(struct tp_torch_comm_trace *t, const struct tp_torch_comm_op *ops)
{
	for (uint32_t i = 0, from = 0; i < t->call_count; i++) {
		if (!ends_group(ops, &t->calls[i]))
			continue;
		for (; from < i; from++) {
			struct tp_torch_comm_call *call = &t->calls[from];

			if (ops[call->op].kind != TP_TORCH_COMM_POINT || call->count != 0)
				continue;
			call->through = i;
			t->calls[i].carries = true;
			t->calls[i].group = call->group;
		}
	}
}

static void
settle(struct reading *r, struct tp_torch_comm_trace *out)
{
	struct part *parts = r->parts.data;

	out->call_count = (uint32_t)r->calls.count;
	out->calls = tp_buf_settle(&r->calls, sizeof *out->calls, r->keep);
	out->range_count = (uint32_t)r->parts.count;
	out->ranges = tp_new_array(r->keep, struct tp_interval, r->parts.count);
	out->transfer_ps = tp_new_array(r->keep, int64_t, r->parts.count);
	if (r->parts.count != 0)
		qsort(parts, r->parts.count, sizeof *parts, by_call);
	for (uint32_t i = 0; i < out->range_count; i++) {
		struct tp_torch_comm_call *call = &out->calls[parts[i].call];

		out->ranges[i] = parts[i].when;
		if (call->count++ == 0) {
			call->first = i;
			call->start_ps = parts[i].when.start_ps;
			call->end_ps = parts[i].when.end_ps;
		}
		if (parts[i].when.end_ps > call->end_ps)
			call->end_ps = parts[i].when.end_ps;
	}
	qsort(out->calls, out->call_count, sizeof *out->calls, by_order);
	carry(out, r->names->ops.data);
}

void
tp_torch_comm_read(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, bool on_device, struct tp_torch_comm_names *names,
	struct tp_torch_comm_trace *out)
{
	struct tp_buf around = {0}, record = {0};
	struct reading r = {
		.profile = ctx->profile, .t = t, .links = links, .names = names, .keep = ctx->keep};

	out->on_device = on_device;
	if (t->count == 0)
		return;
	r.around = tp_buf_room(&around, t->count, sizeof *r.around);
	r.record = tp_buf_room(&record, t->count, sizeof *r.record);
	tp_map_init(&r.by_id, ctx->scratch);
	read_host(&r, on_device);
	if (on_device)
		read_kernels(&r);
	settle(&r, out);
	tp_buf_free(&r.parts);
	tp_buf_free(&around);
	tp_buf_free(&record);
}

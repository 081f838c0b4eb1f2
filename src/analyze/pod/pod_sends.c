/* Channels are in the HLO alone: a send and a receive of the same number, with the pairs of replicas (or partitions) in an attribute. */
#include "analyze/pod/pod_sends.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "model/hlo.h"
#include "model/hlo_pairs.h"
#include "model/profile.h"
#include "rank.pb-c.h"

#include <stdlib.h>

struct finding {
	const struct tp_pass_ctx *ctx;
	struct tp_buf sends; /* struct tp_pod_send */
	struct tp_slice damaged;
};

bool
tp_pod_is_send(struct tp_slice category)
{
	return tp_slice_eq(category, TP_S("send"));
}

bool
tp_pod_is_receive(struct tp_slice category)
{
	return tp_slice_eq(category, TP_S("recv-done"));
}

/* The array that is sent: alone, or first in a tuple. */
static uint64_t
payload(const struct tp_shape *shape)
{
	while (shape->kind == TP_SHAPE_TUPLE && shape->member_count != 0)
		shape = &shape->members[0];
	return tp_shape_bytes(shape);
}

static const struct tp_hlo_instruction *
find_receive(const struct tp_hlo_module *m, int64_t channel)
{
	for (uint32_t i = 0; i < m->instruction_count; i++) {
		if (m->instructions[i].details->channel_id == channel &&
			tp_pod_is_receive(m->instructions[i].opcode))
			return &m->instructions[i];
	}
	return NULL;
}

/* The pairs as numbers of cores. */
static void
take_pairs(const struct finding *f, const struct tp_hlo_devices *devices,
	const struct tp_hlo_pairs *pairs, struct tp_pod_send *out)
{
	uint32_t *from = tp_new_array(f->ctx->keep, uint32_t, pairs->count);
	uint32_t *to = tp_new_array(f->ctx->keep, uint32_t, pairs->count);

	for (uint32_t i = 0; i < pairs->count; i++) {
		size_t at = out->pair_count;

		out->pair_count += tp_hlo_device(devices, pairs->at[i].source, &from[at]) &&
			tp_hlo_device(devices, pairs->at[i].target, &to[at]);
	}
	out->from = from;
	out->to = to;
}

static void
read_program(struct finding *f, const struct tp_program *program)
{
	struct tp_arena *arena = tp_arena_new();
	const struct tp_hlo_module *m;
	struct tp_err err;

	if (tp_hlo_read(program->hlo, arena, &m, &err) != TP_OK) {
		f->damaged = tp_arena_printf(f->ctx->keep, "%s", err.text);
		tp_arena_free(arena);
		return;
	}
	struct tp_hlo_devices devices = tp_hlo_devices_of(m, arena);

	for (uint32_t i = 0; i < m->instruction_count; i++) {
		const struct tp_hlo_instruction *send = &m->instructions[i], *receive;
		struct tp_hlo_pairs pairs;

		if (!tp_pod_is_send(send->opcode) || send->details->channel_id == 0 ||
			!tp_hlo_pairs_of(send->details, arena, &pairs))
			continue;
		receive = find_receive(m, send->details->channel_id);
		if (receive == NULL)
			continue;
		struct tp_pod_send *out = tp_buf_new(&f->sends, struct tp_pod_send);

		*out = (struct tp_pod_send){
			.program = program->id,
			.channel = send->details->channel_id,
			.send = tp_arena_copy(f->ctx->keep, send->name),
			.receive = tp_arena_copy(f->ctx->keep, receive->name),
			.bytes = payload(&send->shape),
		};
		take_pairs(f, &devices, &pairs, out);
	}
	tp_arena_free(arena);
}

/* Programs of which some operation sends: 1 for each. */
static struct tp_map
programs_that_send(const struct tp_pass_ctx *ctx)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_map programs;

	tp_map_init(&programs, ctx->scratch);
	for (uint32_t i = 0; i < p->op_count; i++) {
		if (p->ops[i].has_program && tp_pod_is_send(p->ops[i].category))
			tp_map_put(&programs, p->ops[i].program_id, 1);
	}
	return programs;
}

static void
find_in_programs(struct finding *f)
{
	const struct tp_profile *p = f->ctx->profile;
	struct tp_map unread = programs_that_send(f->ctx);

	for (uint32_t i = 0; i < p->program_count; i++) {
		uint64_t id = p->programs[i].id;

		/* Each host has its own copy of the same program. */
		if (tp_map_get(&unread, id) != 1 || p->hosts[p->programs[i].host].given != NULL)
			continue;
		tp_map_put(&unread, id, 0);
		read_program(f, &p->programs[i]);
	}
}

/* The pairs of one channel as several hosts tell them, each those of its own cores. */
struct joining {
	struct tp_pod_send send;
	struct tp_buf from, to; /* uint32_t */
};

static void
join(struct tp_buf *all, struct tp_map *channels, struct tp_map *pairs, const Tp__RankChannel *c)
{
	uint64_t key = tp_hash_pair(
		tp_hash_pair(c->program_id, (uint64_t)c->number), tp_hash_bytes(tp_slice_of(c->send)));
	uint32_t at, pair;

	if (tp_map_number(channels, key, &at))
		TP_PUSH(all, struct joining,
			.send = {.program = c->program_id,
				.channel = c->number,
				.send = tp_slice_of(c->send),
				.receive = tp_slice_of(c->receive),
				.bytes = c->size_bytes});
	struct joining *j = (struct joining *)all->data + at;

	for (size_t i = 0; i < c->n_from; i++) {
		if (!tp_map_number(pairs, tp_hash_pair(at, (uint64_t)c->from[i] << 32 | c->to[i]), &pair))
			continue;
		TP_PUSH(&j->from, uint32_t, c->from[i]);
		TP_PUSH(&j->to, uint32_t, c->to[i]);
	}
}

static void
find_given(struct finding *f)
{
	const struct tp_profile *p = f->ctx->profile;
	struct tp_buf all = {0}; /* struct joining */
	struct tp_map channels, pairs;

	tp_map_init(&channels, f->ctx->scratch);
	tp_map_init(&pairs, f->ctx->scratch);
	for (uint32_t h = 0; h < p->host_count; h++) {
		const struct Tp__Rank *given = p->hosts[h].given;

		for (size_t i = 0; given != NULL && i < given->xla->n_channels; i++)
			join(&all, &channels, &pairs, given->xla->channels[i]);
	}
	for (size_t i = 0; i < all.count; i++) {
		struct joining *j = (struct joining *)all.data + i;

		j->send.pair_count = j->from.count;
		j->send.from = tp_buf_settle(&j->from, sizeof(uint32_t), f->ctx->keep);
		j->send.to = tp_buf_settle(&j->to, sizeof(uint32_t), f->ctx->keep);
		*tp_buf_new(&f->sends, struct tp_pod_send) = j->send;
	}
	tp_buf_free(&all);
}

struct tp_pod_sends
tp_pod_find_sends(const struct tp_pass_ctx *ctx)
{
	struct finding f = {.ctx = ctx, .damaged = TP_S("")};
	struct tp_pod_sends out;

	find_in_programs(&f);
	find_given(&f);
	out.damaged = f.damaged;
	out.count = f.sends.count;
	out.at = tp_buf_settle(&f.sends, sizeof(struct tp_pod_send), ctx->keep);
	return out;
}

/* Channels are in the HLO alone: a send and a receive of the same number, with the pairs of replicas (or partitions) in an
 * attribute. That a device of the module's assignment is the core of that number is inferred; where cores have no numbers,
 * their order counts. */
#include "analyze/pod/pod_channels.h"

#include "base/arena.h"
#include "base/buf.h"
#include "model/hlo.h"
#include "model/hlo_pairs.h"
#include "model/profile.h"

enum { MOST_LINKS = 1 << 20 };

/* An instruction that events may be of. */
struct end {
	enum tp_pod_role role;
	uint32_t channel;
};

struct finding {
	const struct tp_pass_ctx *ctx;
	const struct tp_pod *pod;
	struct tp_pod_channels *out;
	struct tp_map unit_of_number;
	struct tp_map end_of_name; /* (program, name) → index into ends */
	struct tp_buf ends, links;
	uint32_t channels;
};

static bool
is_send(struct tp_slice category)
{
	return tp_slice_eq(category, TP_S("send"));
}

static bool
is_receive(struct tp_slice category)
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

static void
add_links(struct finding *f, const struct tp_hlo_devices *devices, const struct tp_hlo_pairs *pairs,
	const struct tp_pod_link *like)
{
	for (uint32_t i = 0; i < pairs->count && f->links.count < MOST_LINKS; i++) {
		uint32_t from, to;

		if (!tp_hlo_device(devices, pairs->at[i].source, &from) ||
			!tp_hlo_device(devices, pairs->at[i].target, &to))
			continue;
		uint32_t source = tp_map_get(&f->unit_of_number, from);
		uint32_t target = tp_map_get(&f->unit_of_number, to);

		if (source == TP_MAP_NONE || target == TP_MAP_NONE)
			continue;
		struct tp_pod_link *link = tp_buf_add(&f->links, sizeof *link);

		*link = *like;
		link->source = source;
		link->target = target;
		tp_map_put(&f->out->from, tp_hash_pair(f->channels, source), (uint32_t)f->links.count - 1);
		tp_map_put(&f->out->to, tp_hash_pair(f->channels, target), (uint32_t)f->links.count - 1);
	}
}

static void
add_end(struct finding *f, uint64_t program, struct tp_slice name, enum tp_pod_role role)
{
	TP_PUSH(&f->ends, struct end, role, f->channels);
	tp_map_put(
		&f->end_of_name, tp_hash_pair(program, tp_hash_bytes(name)), (uint32_t)f->ends.count - 1);
}

static const struct tp_hlo_instruction *
find_receive(const struct tp_hlo_module *m, int64_t channel)
{
	for (uint32_t i = 0; i < m->instruction_count; i++) {
		if (m->instructions[i].details->channel_id == channel &&
			is_receive(m->instructions[i].opcode))
			return &m->instructions[i];
	}
	return NULL;
}

static void
read_program(struct finding *f, const struct tp_program *program)
{
	struct tp_arena *arena = tp_arena_new();
	const struct tp_hlo_module *m;
	struct tp_err err;

	if (tp_hlo_read(program->hlo, arena, &m, &err) != TP_OK) {
		f->out->damaged = tp_arena_printf(f->ctx->keep, "%s", err.text);
		tp_arena_free(arena);
		return;
	}
	struct tp_hlo_devices devices = tp_hlo_devices_of(m, arena);

	for (uint32_t i = 0; i < m->instruction_count; i++) {
		const struct tp_hlo_instruction *send = &m->instructions[i], *receive;
		struct tp_hlo_pairs pairs;

		if (!is_send(send->opcode) || send->details->channel_id == 0 ||
			!tp_hlo_pairs_of(send->details, arena, &pairs))
			continue;
		receive = find_receive(m, send->details->channel_id);
		if (receive == NULL)
			continue;
		const struct tp_pod_link like = {
			.channel = send->details->channel_id,
			.send = tp_arena_copy(f->ctx->keep, send->name),
			.receive = tp_arena_copy(f->ctx->keep, receive->name),
			.bytes = payload(&send->shape),
		};

		add_links(f, &devices, &pairs, &like);
		add_end(f, program->id, send->name, TP_POD_SENDS);
		add_end(f, program->id, receive->name, TP_POD_RECEIVES);
		f->channels++;
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
		if (p->ops[i].has_program && is_send(p->ops[i].category))
			tp_map_put(&programs, p->ops[i].program_id, 1);
	}
	return programs;
}

static void
name_operations(struct finding *f)
{
	const struct tp_profile *p = f->ctx->profile;
	const struct end *ends = f->ends.data;

	f->out->role_of_op = tp_new_array(f->ctx->scratch, uint8_t, p->op_count);
	f->out->channel_of_op = tp_new_array(f->ctx->scratch, uint32_t, p->op_count);
	for (uint32_t i = 0; i < p->op_count; i++) {
		const struct tp_op *op = &p->ops[i];

		if (!op->has_program || !(is_send(op->category) || is_receive(op->category)))
			continue;
		uint32_t at =
			tp_map_get(&f->end_of_name, tp_hash_pair(op->program_id, tp_hash_bytes(op->label)));

		if (at == TP_MAP_NONE)
			continue;
		f->out->role_of_op[i] = (uint8_t)ends[at].role;
		f->out->channel_of_op[i] = ends[at].channel;
	}
}

struct tp_pod_channels
tp_pod_find_channels(const struct tp_pass_ctx *ctx, const struct tp_pod *pod)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_pod_channels out = {.links = NULL};
	struct finding f = {.ctx = ctx, .pod = pod, .out = &out};
	struct tp_map unread = programs_that_send(ctx);

	tp_map_init(&out.from, ctx->scratch);
	tp_map_init(&out.to, ctx->scratch);
	tp_map_init(&f.unit_of_number, ctx->scratch);
	tp_map_init(&f.end_of_name, ctx->scratch);
	for (size_t u = 0; u < pod->count; u++)
		tp_map_put(&f.unit_of_number, pod->units[u].number, (uint32_t)u);
	for (uint32_t i = 0; i < p->program_count; i++) {
		uint64_t id = p->programs[i].id;

		/* Each host has its own copy of the same program. */
		if (tp_map_get(&unread, id) != 1)
			continue;
		tp_map_put(&unread, id, 0);
		read_program(&f, &p->programs[i]);
	}
	out.count = f.links.count;
	out.links = tp_buf_settle(&f.links, sizeof *out.links, ctx->keep);
	if (out.count != 0)
		name_operations(&f);
	tp_buf_free(&f.ends);
	return out;
}

/* Channels between the cores of the run. That a device of the module's assignment is the core of that number is inferred; where cores have no
 * numbers, their order counts. */
#include "analyze/pod/pod_channels.h"

#include "analyze/pod/pod_sends.h"
#include "base/arena.h"
#include "base/buf.h"
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

static void
add_links(struct finding *f, const struct tp_pod_send *send)
{
	for (size_t i = 0; i < send->pair_count && f->links.count < MOST_LINKS; i++) {
		uint32_t source = tp_map_get(&f->unit_of_number, send->from[i]);
		uint32_t target = tp_map_get(&f->unit_of_number, send->to[i]);

		if (source == TP_MAP_NONE || target == TP_MAP_NONE)
			continue;
		TP_PUSH(&f->links, struct tp_pod_link, .channel = send->channel, .source = source,
			.target = target, .send = send->send, .receive = send->receive, .bytes = send->bytes);
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

static void
name_operations(struct finding *f)
{
	const struct tp_profile *p = f->ctx->profile;
	const struct end *ends = f->ends.data;

	f->out->role_of_op = tp_new_array(f->ctx->scratch, uint8_t, p->op_count);
	f->out->channel_of_op = tp_new_array(f->ctx->scratch, uint32_t, p->op_count);
	for (uint32_t i = 0; i < p->op_count; i++) {
		const struct tp_op *op = &p->ops[i];

		if (!op->has_program || !(tp_pod_is_send(op->category) || tp_pod_is_receive(op->category)))
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
	struct tp_pod_channels out = {.links = NULL};
	struct finding f = {.ctx = ctx, .pod = pod, .out = &out};
	struct tp_pod_sends sends = tp_pod_find_sends(ctx);

	tp_map_init(&out.from, ctx->scratch);
	tp_map_init(&out.to, ctx->scratch);
	tp_map_init(&f.unit_of_number, ctx->scratch);
	tp_map_init(&f.end_of_name, ctx->scratch);
	for (size_t u = 0; u < pod->count; u++)
		tp_map_put(&f.unit_of_number, pod->units[u].number, (uint32_t)u);
	for (size_t i = 0; i < sends.count; i++) {
		add_links(&f, &sends.at[i]);
		add_end(&f, sends.at[i].program, sends.at[i].send, TP_POD_SENDS);
		add_end(&f, sends.at[i].program, sends.at[i].receive, TP_POD_RECEIVES);
		f.channels++;
	}
	out.damaged = sends.damaged;
	out.count = f.links.count;
	out.links = tp_buf_settle(&f.links, sizeof *out.links, ctx->keep);
	if (out.count != 0)
		name_operations(&f);
	tp_buf_free(&f.ends);
	return out;
}

/* Calls of operations of TPU cores that meet those of other cores, as columns, and the channels between them; ingest/ranks_xla.c reads them. */
#include "analyze/ranks/rank_hosts.h"

#include "analyze/core/time_class.h"
#include "analyze/pod/pod_sends.h"
#include "analyze/steps/step_cores.h"
#include "base/arena.h"
#include "model/profile.h"

struct writing {
	const struct tp_pass_ctx *ctx;
	struct tp_rank_host *hosts;
	struct tp_pod_sends sends;
	struct tp_map ends; /* (program, hash of the name) of sends and receives */
	/* by operation of the profile: index of the meeting on its host plus 1; 0: not there yet */
	uint32_t *meeting_of_op;
	struct tp_map own; /* (host, number of a core) of cores that have one */
	bool *unplaced;    /* by host: some core has none */
};

/* Whether calls of the operation meet others': a collective, or an end of a channel. */
static bool
meets(const struct writing *w, const struct tp_op *op)
{
	if (tp_class_of_category(op->category) == TP_CLASS_COLLECTIVE)
		return true;
	return op->has_program && w->sends.count != 0 &&
		(tp_pod_is_send(op->category) || tp_pod_is_receive(op->category)) &&
		tp_map_get(&w->ends, tp_hash_pair(op->program_id, tp_hash_bytes(op->label))) != TP_MAP_NONE;
}

static uint32_t
meeting(struct writing *w, uint32_t host, uint32_t op, struct tp_buf *meetings)
{
	const struct tp_rank_host *h = &w->hosts[host];
	const struct tp_op *from = &w->ctx->profile->ops[op];

	if (w->meeting_of_op[op] != 0)
		return w->meeting_of_op[op] - 1;
	Tp__RankMeeting *m = tp_new(w->ctx->keep, Tp__RankMeeting);

	tp__rank_meeting__init(m);
	m->name = tp_rank_text(h, from->label);
	m->category = tp_rank_text(h, from->category);
	m->shape = tp_rank_text(h, from->shape);
	m->has_program = from->has_program;
	m->program_id = from->program_id;
	*tp_buf_new(meetings, Tp__RankMeeting *) = m;
	w->meeting_of_op[op] = (uint32_t)meetings->count;
	return w->meeting_of_op[op] - 1;
}

/* Which events of the core's operations are kept. */
static uint32_t
choose_calls(const struct writing *w, const struct tp_line *ops, bool *chosen)
{
	uint32_t count = 0;

	for (size_t k = 0; k < ops->tag_count; k++) {
		if (ops->tags[k].key == TP_TAG_ALL_REDUCE)
			chosen[ops->tags[k].event] = true;
	}
	for (uint32_t i = 0; i < ops->count; i++) {
		chosen[i] |= meets(w, &w->ctx->profile->ops[tp_line_op(ops, i)]);
		count += chosen[i];
	}
	return count;
}

static void
make_room(Tp__RankDevice *d, size_t count, struct tp_arena *keep)
{
	d->n_call_meetings = d->n_call_starts = d->n_call_lengths = d->n_call_host_starts =
		d->n_call_host_lengths = d->n_call_has_ids = count;
	d->call_meetings = tp_new_array(keep, uint32_t, count);
	d->call_starts = tp_new_array(keep, int64_t, count);
	d->call_lengths = tp_new_array(keep, int64_t, count);
	d->call_host_starts = tp_new_array(keep, int64_t, count);
	d->call_host_lengths = tp_new_array(keep, int64_t, count);
	d->call_has_ids = tp_new_array(keep, protobuf_c_boolean, count);
	d->call_ids = tp_new_array(keep, int64_t, count);
}

static void
put_calls(struct writing *w, const struct tp_marked_core *core, struct tp_buf *meetings,
	Tp__RankDevice *d)
{
	const struct tp_line *ops = core->ops;
	struct tp_arena *scratch = tp_arena_new();
	bool *chosen = tp_new_array(scratch, bool, ops->count);
	int64_t before_ps = 0, host_before_ps = 0, id;
	size_t tag = 0, n = 0;

	make_room(d, choose_calls(w, ops, chosen), w->ctx->keep);
	for (uint32_t i = 0; i < ops->count; i++) {
		if (!chosen[i])
			continue;
		int64_t start_ps = tp_line_chip_start_ps(ops, i), host_ps = tp_line_start_ps(ops, i);

		d->call_meetings[n] = meeting(w, core->host, tp_line_op(ops, i), meetings);
		d->call_starts[n] = start_ps - before_ps;
		d->call_lengths[n] = tp_line_chip_duration_ps(ops, i);
		d->call_host_starts[n] = host_ps - host_before_ps;
		d->call_host_lengths[n] = tp_line_duration_ps(ops, i);
		if (tp_tag_find(ops, &tag, i, TP_TAG_ALL_REDUCE, &id)) {
			d->call_has_ids[n] = true;
			d->call_ids[d->n_call_ids++] = id;
		}
		n++;
		before_ps = start_ps;
		host_before_ps = host_ps;
	}
	tp_arena_free(scratch);
}

/* Where cores have no numbers, their order over all hosts counts: then each pair may be the host's. */
static bool
is_own(const struct writing *w, uint32_t host, uint32_t number)
{
	return w->unplaced[host] || tp_map_get(&w->own, tp_hash_pair(host, number)) != TP_MAP_NONE;
}

/* The pairs of a channel that begin or end on the host. */
static Tp__RankChannel *
channel(const struct writing *w, uint32_t host, const struct tp_pod_send *s)
{
	const struct tp_rank_host *h = &w->hosts[host];
	Tp__RankChannel *out = tp_new(w->ctx->keep, Tp__RankChannel);

	tp__rank_channel__init(out);
	out->program_id = s->program;
	out->number = s->channel;
	out->send = tp_rank_text(h, s->send);
	out->receive = tp_rank_text(h, s->receive);
	out->size_bytes = s->bytes;
	out->from = tp_new_array(w->ctx->keep, uint32_t, s->pair_count);
	out->to = tp_new_array(w->ctx->keep, uint32_t, s->pair_count);
	for (size_t i = 0; i < s->pair_count; i++) {
		if (!is_own(w, host, s->from[i]) && !is_own(w, host, s->to[i]))
			continue;
		out->from[out->n_from++] = s->from[i];
		out->to[out->n_to++] = s->to[i];
	}
	return out;
}

static void
put_channels(struct writing *w, uint32_t host)
{
	Tp__RankXla *x = w->hosts[host].rank->xla;

	x->channels = tp_new_array(w->ctx->keep, Tp__RankChannel *, w->sends.count);
	for (size_t i = 0; i < w->sends.count; i++) {
		Tp__RankChannel *c = channel(w, host, &w->sends.at[i]);

		if (c->n_from != 0)
			x->channels[x->n_channels++] = c;
	}
}

static void
find_own(struct writing *w)
{
	const struct tp_profile *p = w->ctx->profile;

	tp_map_init(&w->own, w->ctx->scratch);
	w->unplaced = tp_new_array(w->ctx->scratch, bool, p->host_count);
	for (uint32_t i = 0; i < p->device_count; i++) {
		const struct tp_device *d = &p->devices[i];

		if (d->kind != TP_DEVICE_TPU)
			continue;
		if (d->has_core_details)
			tp_map_put(&w->own, tp_hash_pair(d->host, d->global_core), 1);
		else
			w->unplaced[d->host] = true;
	}
}

static void
find_ends(struct writing *w)
{
	w->sends = tp_pod_find_sends(w->ctx);
	tp_map_init(&w->ends, w->ctx->scratch);
	for (size_t i = 0; i < w->sends.count; i++) {
		const struct tp_pod_send *s = &w->sends.at[i];

		tp_map_put(&w->ends, tp_hash_pair(s->program, tp_hash_bytes(s->send)), 1);
		tp_map_put(&w->ends, tp_hash_pair(s->program, tp_hash_bytes(s->receive)), 1);
	}
}

static void
put_calls_of_host(struct writing *w, uint32_t host)
{
	struct tp_marked_cores on = tp_cores_with_ops(w->ctx, host);
	Tp__RankXla *x = w->hosts[host].rank->xla;
	struct tp_buf meetings = {0}; /* Tp__RankMeeting * */

	for (uint32_t c = 0; c < on.count; c++)
		put_calls(w, &on.cores[c], &meetings, w->hosts->by_device[on.cores[c].device]);
	x->n_meetings = meetings.count;
	x->meetings = tp_buf_settle(&meetings, sizeof(Tp__RankMeeting *), w->ctx->keep);
}

void
tp_rank_put_meetings(const struct tp_pass_ctx *ctx, struct tp_rank_host *hosts)
{
	struct writing w = {.ctx = ctx,
		.hosts = hosts,
		.meeting_of_op = tp_new_array(ctx->scratch, uint32_t, ctx->profile->op_count)};

	find_ends(&w);
	find_own(&w);
	for (uint32_t h = 0; h < ctx->profile->host_count; h++) {
		put_calls_of_host(&w, h);
		put_channels(&w, h);
	}
}

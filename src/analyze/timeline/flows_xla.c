/* Flows of XLA's profiles: launches by their correlation, what threads hand to each other, asynchronous operations from start to
 * done, transfers between cores, and what hosts put into infeeds. */
#include "analyze/core/pass.h"
#include "analyze/pod/pod.h"
#include "analyze/pod/pod_traffic.h"
#include "analyze/timeline/flows.h"
#include "base/arena.h"
#include "base/map.h"

/* So many events are looked at for transfers and infeeds: a damaged profile may name any number of channels. */
enum { MOST_LOOKED_AT = 1 << 26 };

/* Events that a later one is looked up for: from a key to their place in a list. */
struct known {
	struct tp_map by_key;
	struct tp_buf ends; /* struct tp_flow_end */
};

static void
know(struct known *k, uint64_t key, struct tp_flow_end end)
{
	tp_map_put(&k->by_key, key, (uint32_t)k->ends.count);
	*tp_buf_new(&k->ends, struct tp_flow_end) = end;
}

static const struct tp_flow_end *
known_as(const struct known *k, uint64_t key)
{
	uint32_t at = tp_map_get(&k->by_key, key);

	return at != TP_MAP_NONE ? &((const struct tp_flow_end *)k->ends.data)[at] : NULL;
}

/* From events with a tag on lines that are `sources` to those with the other tag on lines that are not, or on all. */
static void
by_tags(struct tp_flows *f, enum tp_flow_kind kind, enum tp_tag_key first, enum tp_tag_key second)
{
	bool same = first == second;
	struct known known = {0};

	tp_map_init(&known.by_key, f->ctx->scratch);
	for (int round = 0; round < 2; round++) {
		enum tp_tag_key key = round == 0 ? first : second;

		for (uint32_t i = 0; i < f->t->line_count; i++) {
			const struct tp_timeline_line *line = &f->t->lines[i];
			const struct tp_line *of = line->line;

			if ((of->tag_keys & (uint64_t)1 << key) == 0 ||
				(same && (of->device == TP_NONE) != (round == 0)) ||
				(same && of->kind != TP_LINE_THREAD && of->kind != TP_LINE_STREAM))
				continue;
			for (size_t k = 0; k < of->tag_count; k++) {
				const struct tp_tag *tag = &of->tags[k];
				uint64_t id = tp_hash_pair(of->host, (uint64_t)tag->value);
				struct tp_flow_end end = {i, tag->event};

				if (tag->key != key)
					continue;
				if (round == 0 && tp_timeline_keeps(f->t, line, tag->event))
					know(&known, id, end);
				const struct tp_flow_end *from = round == 1 ? known_as(&known, id) : NULL;

				if (from != NULL && (from->line != i || from->event != tag->event))
					tp_flow_add(f, kind, *from, end);
			}
		}
	}
	tp_buf_free(&known.ends);
}

/* The operand of an instruction that ends something: "%copy-start.4" of "%copy-done.4 = … copy-done(%copy-start.4)". */
static struct tp_slice
started_by(const struct tp_op *op)
{
	struct tp_slice name = op->name;

	for (size_t i = 0; i < name.len; i++) {
		size_t from = i + 1, to = from;

		if (name.ptr[i] != '%' || i == 0)
			continue;
		while (to < name.len && name.ptr[to] != ',' && name.ptr[to] != ')' && name.ptr[to] != ' ')
			to++;
		struct tp_slice operand = {name.ptr + from, to - from};

		if (tp_slice_has(operand, TP_S("-start")))
			return operand;
	}
	return TP_S("");
}

static uint64_t
key_of(const struct tp_op *op, struct tp_slice label)
{
	return tp_hash_pair(op->has_program ? op->program_id : UINT64_MAX, tp_hash_bytes(label));
}

/* On the line of a core each done belongs to the last start of its operand. last: its line, counted from 1, and event. */
static void
asynchronous(struct tp_flows *f)
{
	const struct tp_profile *p = f->t->profile;
	uint32_t *start_of = tp_new_array(f->ctx->scratch, uint32_t, p->op_count);
	struct tp_flow_end *last = tp_new_array(f->ctx->scratch, struct tp_flow_end, p->op_count);
	bool *starts = tp_new_array(f->ctx->scratch, bool, p->op_count), any = false;
	struct tp_map by_label;

	tp_map_init(&by_label, f->ctx->scratch);
	for (uint32_t i = 0; i < p->op_count; i++) {
		if (tp_slice_has(p->ops[i].label, TP_S("-start")))
			tp_map_put(&by_label, key_of(&p->ops[i], p->ops[i].label), i);
	}
	for (uint32_t i = 0; i < p->op_count && by_label.count != 0; i++) {
		struct tp_slice operand = TP_S("");

		start_of[i] = TP_MAP_NONE;
		if (tp_slice_has(p->ops[i].label, TP_S("-done")))
			operand = started_by(&p->ops[i]);
		if (operand.len != 0)
			start_of[i] = tp_map_get(&by_label, key_of(&p->ops[i], operand));
		if (start_of[i] != TP_MAP_NONE)
			starts[start_of[i]] = any = true;
	}
	for (uint32_t i = 0; i < f->t->line_count && any; i++) {
		const struct tp_line *line = f->t->lines[i].line;

		if (line->kind != TP_LINE_OPS)
			continue;
		for (uint32_t e = 0; e < line->count; e++) {
			uint32_t op = tp_line_op(line, e), start = start_of[op];

			if (starts[op])
				last[op] = (struct tp_flow_end){i + 1, e};
			else if (start != TP_MAP_NONE && last[start].line == i + 1) {
				tp_flow_add(f, TP_FLOW_ASYNC, (struct tp_flow_end){i, last[start].event},
					(struct tp_flow_end){i, e});
				last[start].line = 0;
			}
		}
	}
}

static uint32_t
ops_line_of(const struct tp_flows *f, uint32_t device)
{
	for (uint32_t i = 0; i < f->t->line_count; i++) {
		if (f->t->lines[i].line->device == device && f->t->lines[i].line->kind == TP_LINE_OPS)
			return i;
	}
	return TP_NONE;
}

/* The events of a line whose operation is called so, in order. */
static uint32_t *
events_called(const struct tp_flows *f, uint32_t at, struct tp_slice label, struct tp_buf *found)
{
	const struct tp_line *line = f->t->lines[at].line;

	found->count = 0;
	for (uint32_t i = 0; i < line->count; i++) {
		if (tp_slice_eq(f->t->profile->ops[tp_line_op(line, i)].label, label))
			*tp_buf_new(found, uint32_t) = i;
	}
	return found->data;
}

/* A channel's sends and receives happen equally often and in the same order; where the capture cut some off, none is told. */
static void
transfers(struct tp_flows *f)
{
	const struct tp_pod *pod = tp_result(f->ctx, &tp_pass_pod);
	struct tp_buf sends = {0}, receives = {0};
	uint64_t looked_at = 0;

	if (pod == NULL || pod->traffic == NULL || pod->traffic->precomputed)
		return;
	for (size_t i = 0; i < pod->traffic->link_count && looked_at < MOST_LOOKED_AT; i++) {
		const struct tp_pod_link *link = &pod->traffic->links[i];
		uint32_t source = ops_line_of(f, pod->units[link->source].device);
		uint32_t target = ops_line_of(f, pod->units[link->target].device);

		if (source == TP_NONE || target == TP_NONE || link->clocks_differ)
			continue;
		looked_at += f->t->lines[source].line->count + f->t->lines[target].line->count;
		const uint32_t *from = events_called(f, source, link->send, &sends);
		const uint32_t *to = events_called(f, target, link->receive, &receives);

		for (size_t k = 0; k < sends.count && sends.count == receives.count; k++)
			tp_flow_add(f, TP_FLOW_SEND, (struct tp_flow_end){source, from[k]},
				(struct tp_flow_end){target, to[k]});
	}
	tp_buf_free(&sends);
	tp_buf_free(&receives);
}

/* What an operation is to an infeed. */
enum { NOT_OF_INFEEDS, PUTS, TAKES };

static uint8_t *
infeed_roles(const struct tp_flows *f)
{
	const struct tp_profile *p = f->t->profile;
	uint8_t *role = tp_new_array(f->ctx->scratch, uint8_t, p->op_count);
	bool puts = false, takes = false;

	for (uint32_t i = 0; i < p->op_count; i++) {
		if (tp_slice_eq(p->ops[i].category, TP_S("infeed")))
			role[i] = TAKES;
		else if (!p->ops[i].xla && tp_slice_has(p->ops[i].name, TP_S("InfeedEnqueue")))
			role[i] = PUTS;
		puts |= role[i] == PUTS;
		takes |= role[i] == TAKES;
	}
	return puts && takes ? role : NULL;
}

static size_t
events_with(const struct tp_line *line, const uint8_t *role, uint8_t wanted, struct tp_buf *found)
{
	found->count = 0;
	for (uint32_t e = 0; e < line->count; e++) {
		if (role[tp_line_op(line, e)] == wanted)
			*tp_buf_new(found, uint32_t) = e;
	}
	return found->count;
}

/* What a host puts into the infeed of its cores, in order: the same number of times as a core takes it out. */
static void
infeeds(struct tp_flows *f)
{
	const uint8_t *role = infeed_roles(f);
	struct tp_buf puts = {0}, takes = {0};
	uint64_t looked_at = 0;

	for (uint32_t i = 0; role != NULL && i < f->t->line_count && looked_at < MOST_LOOKED_AT; i++) {
		const struct tp_line *host = f->t->lines[i].line;

		if (host->kind != TP_LINE_THREAD || events_with(host, role, PUTS, &puts) == 0)
			continue;
		for (uint32_t k = 0; k < f->t->line_count; k++) {
			const struct tp_line *core = f->t->lines[k].line;

			if (core->kind != TP_LINE_OPS || core->host != host->host)
				continue;
			looked_at += core->count;
			if (events_with(core, role, TAKES, &takes) != puts.count)
				continue;
			for (size_t e = 0; e < takes.count; e++)
				tp_flow_add(f, TP_FLOW_INFEED,
					(struct tp_flow_end){i, ((const uint32_t *)puts.data)[e]},
					(struct tp_flow_end){k, ((const uint32_t *)takes.data)[e]});
		}
	}
	tp_buf_free(&puts);
	tp_buf_free(&takes);
}

void
tp_flows_of_xla(struct tp_flows *f)
{
	by_tags(f, TP_FLOW_LAUNCH, TP_TAG_CORRELATION, TP_TAG_CORRELATION);
	by_tags(f, TP_FLOW_HANDED, TP_TAG_PRODUCER, TP_TAG_CONSUMER);
	tp_flows_worked_out(f);
}

void
tp_flows_worked_out(struct tp_flows *f)
{
	asynchronous(f);
	transfers(f);
	infeeds(f);
}

/* What ranks of a merged summary are together: which are missing, sums of operators, the largest peak of memory. */
#include "analyze/ranks/ranks.h"
#include "analyze/core/pass.h"

#include "analyze/core/say.h"
#include "analyze/facts/devices.h"
#include "analyze/facts/op_times.h"
#include "analyze/ranks/ranks_words.h"
#include "analyze/steps/steps.h"
#include "analyze/torch/comm/torch_comm.h"
#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "model/profile.h"
#include "model/torch.h"
#include "rank.pb-c.h"

#include <stdlib.h>

enum { MOST_NAMED = 20 }; /* ranges of missing ranks */

static const Tp__Rank *
rank_at(const struct tp_pass_ctx *ctx, uint32_t number)
{
	return tp_rank_given(ctx->profile, number);
}

static const struct tp_merge_wish *
wish_of(const struct tp_pass_ctx *ctx)
{
	static const struct tp_merge_wish nothing;

	return ctx->options->merge != NULL ? ctx->options->merge : &nothing;
}

TP_ORDER(by_number, int64_t, (*a > *b) - (*a < *b));

/* The numbers that are there, in order; ranks that do not say theirs are none of them. */
static size_t
numbers_there(const struct tp_pass_ctx *ctx, int64_t *numbers, uint32_t count)
{
	size_t n = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (rank_at(ctx, i)->number >= 0)
			numbers[n++] = rank_at(ctx, i)->number;
	}
	qsort(numbers, n, sizeof *numbers, by_number);
	return n;
}

/* Missing numbers one after the other, "3, 7, 12–15". */
struct naming {
	struct tp_ranks *r;
	struct tp_arena *keep;
	size_t named;
};

static void
name_missing(struct naming *n, int64_t first, int64_t last)
{
	n->r->missing_count += (uint64_t)(last - first) + 1;
	if (n->named++ < MOST_NAMED)
		n->r->missing = tp_arena_printf(n->keep, first == last ? "%.*s%s%lld" : "%.*s%s%lld–%lld",
			TP_ARG(n->r->missing), n->r->missing.len != 0 ? ", " : "", (long long)first,
			(long long)last);
	else if (n->named == MOST_NAMED + 1)
		n->r->missing = tp_arena_printf(n->keep, "%.*s …", TP_ARG(n->r->missing));
}

static void
find_missing_of(struct naming *n, const int64_t *there, size_t count, struct tp_rank_range range)
{
	int64_t next = range.first;
	size_t i = TP_FIRST_WHERE(k, count, there[k] >= range.first);

	for (; i < count && there[i] <= range.last; i++) {
		if (there[i] > next)
			name_missing(n, next, there[i] - 1);
		next = there[i] + 1;
	}
	if (next <= range.last)
		name_missing(n, next, range.last);
}

/* Where some do not say their numbers, as hosts never do. */
static void
count_missing(const struct tp_merge_wish *wish, struct tp_ranks *r)
{
	uint64_t wanted = 0;

	for (size_t i = 0; i < wish->range_count; i++)
		wanted += (uint64_t)(wish->ranges[i].last - wish->ranges[i].first) + 1;
	r->missing_count = wanted > r->count ? wanted - r->count : 0;
	r->missing = TP_S(why_not_numbered);
}

static void
find_missing(const struct tp_pass_ctx *ctx, struct tp_ranks *r)
{
	const struct tp_merge_wish *wish = wish_of(ctx);
	int64_t *there = tp_new_array(ctx->scratch, int64_t, r->count);
	size_t count = numbers_there(ctx, there, r->count);
	struct naming n = {.r = r, .keep = ctx->keep};

	for (uint32_t i = 0; i < r->count; i++)
		r->size = rank_at(ctx, i)->world_size > r->size ? rank_at(ctx, i)->world_size : r->size;
	if (count < r->count)
		count_missing(wish, r);
	for (size_t i = 0; i < wish->range_count && count == r->count; i++)
		find_missing_of(&n, there, count, wish->ranges[i]);
	/* Of a job that says its size, but not which is which, nothing more can be said. */
	if (wish->range_count == 0 && r->size > 0 && count != 0)
		find_missing_of(&n, there, count, (struct tp_rank_range){0, r->size - 1});
}

static void
add(struct tp_rank_operator *to, const Tp__RankOperator *more)
{
	to->calls += more->calls;
	to->host_self_ps = tp_add_ps(to->host_self_ps, more->host_self_ps);
	to->device_self_ps = tp_add_ps(to->device_self_ps, more->device_self_ps);
}

/* Lists are by host and device time together: what one left out takes no more than the last that it has. 0: nothing is left out. */
static int64_t
least_listed_ps(const Tp__Rank *r)
{
	size_t n = r->n_operators;

	if (n < 2 || r->operators[n - 1]->name[0] != '\0')
		return 0;
	return tp_add_ps(r->operators[n - 2]->host_self_ps, r->operators[n - 2]->device_self_ps);
}

/* An operation of XLA is one by its program, too. */
static uint64_t
key_of(const Tp__RankOperator *o)
{
	uint64_t name = tp_hash_bytes(tp_slice_of(o->name));

	return o->has_program ? tp_hash_pair(name, o->program_id) : name;
}

static void
sum_operators(const struct tp_pass_ctx *ctx, struct tp_ranks *r)
{
	struct tp_buf rows = {0};
	struct tp_map names;
	int64_t least_ps = 0;

	tp_map_init(&names, ctx->scratch);
	for (uint32_t i = 0; i < r->count; i++) {
		const Tp__Rank *rank = rank_at(ctx, i);

		least_ps = tp_add_ps(least_ps, least_listed_ps(rank));
		for (size_t k = 0; k < rank->n_operators; k++) {
			const Tp__RankOperator *o = rank->operators[k];
			uint32_t at;

			add(&r->all, o);
			if (o->name[0] == '\0') {
				add(&r->rest, o);
				continue;
			}
			if (tp_map_number(&names, key_of(o), &at))
				TP_PUSH(&rows, struct tp_rank_operator, .name = tp_slice_of(o->name),
					.program = tp_slice_of(o->program), .program_id = o->program_id);
			struct tp_rank_operator *row = (struct tp_rank_operator *)rows.data + at;

			add(row, o);
			row->found++;
			row->more_ps = tp_add_ps(row->more_ps, least_listed_ps(rank));
		}
	}
	r->operator_count = rows.count;
	r->operators = tp_buf_settle(&rows, sizeof *r->operators, ctx->keep);
	for (size_t i = 0; i < r->operator_count; i++)
		r->operators[i].more_ps = least_ps - r->operators[i].more_ps;
	r->least_listed_ps = least_ps;
	r->on_device = r->all.device_self_ps != 0;
}

TP_ORDER(by_device, struct tp_rank_operator, TP_DOWN(device_self_ps), TP_DOWN(host_self_ps),
	tp_slice_cmp(a->name, b->name), tp_slice_cmp(a->program, b->program), TP_UP(program_id));
TP_ORDER(by_host, struct tp_rank_operator, TP_DOWN(host_self_ps), tp_slice_cmp(a->name, b->name),
	tp_slice_cmp(a->program, b->program), TP_UP(program_id));

/* Of all devices the one with the largest peak; accelerators come first, as in the section on memory. */
static void
find_peak(const struct tp_pass_ctx *ctx, struct tp_ranks *r)
{
	bool accelerator = false;

	r->peak_bytes = r->peak_reserved_bytes = r->planned_bytes = -1;
	for (uint32_t i = 0; i < r->count; i++) {
		for (size_t k = 0; k < rank_at(ctx, i)->n_memories; k++)
			accelerator |= rank_at(ctx, i)->memories[k]->accelerator;
	}
	for (uint32_t i = 0; i < r->count; i++) {
		for (size_t k = 0; k < rank_at(ctx, i)->n_memories; k++) {
			const Tp__RankMemory *m = rank_at(ctx, i)->memories[k];

			if (m->planned && m->peak_bytes > r->planned_bytes)
				r->planned_bytes = m->peak_bytes;
			if (m->planned || m->accelerator != accelerator || m->peak_bytes <= r->peak_bytes)
				continue;
			r->peak_bytes = m->peak_bytes;
			r->peak_reserved_bytes = m->peak_reserved_bytes;
			r->peak_rank = i;
		}
	}
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	struct tp_ranks *r = tp_new(ctx->keep, struct tp_ranks);

	if (tp_rank_count(ctx->profile) == 0)
		return tp_fail(err, TP_ABSENT, "no summary is of a rank");
	r->count = tp_rank_count(ctx->profile);
	r->hosts = ctx->profile->torch == NULL;
	r->size = -1;
	r->missing = TP_S("");
	find_missing(ctx, r);
	sum_operators(ctx, r);
	if (r->operator_count != 0)
		qsort(r->operators, r->operator_count, sizeof *r->operators,
			r->on_device ? by_device : by_host);
	find_peak(ctx, r);
	for (uint32_t i = 0; i < r->count; i++) {
		r->device_work |= rank_at(ctx, i)->device_work;
		if (rank_at(ctx, i)->steps_left_out > r->steps_left_out)
			r->steps_left_out = rank_at(ctx, i)->steps_left_out;
	}
	*result = r;
	return TP_OK;
}

static void
torch_metrics(const struct tp_ranks *r, struct tp_doc *doc)
{
	struct tp_value no_memory = tp_missing(TP_S("no rank recorded its memory"));

	tp_say_metric(doc, "torch.op.calls", "Calls of PyTorch operators", tp_count(r->all.calls),
		"sum over ranks");
	tp_say_metric(doc, "torch.op.host_self_us", "Host time of PyTorch operators",
		r->all.calls != 0 ? tp_number((double)r->all.host_self_ps / 1e6, TP_UNIT_US)
						  : tp_missing(TP_S("no rank recorded operators")),
		"sum over ranks of self time");
	tp_say_metric(doc, "torch.op.device_self_us", "Device time of PyTorch operators",
		r->device_work ? tp_number((double)r->all.device_self_ps / 1e6, TP_UNIT_US)
					   : tp_missing(TP_S("no rank recorded device work")),
		"sum over ranks of self time");
	tp_say_metric(doc, "torch.memory.peak_bytes", "PyTorch: max memory allocated",
		r->peak_bytes >= 0 ? tp_integer(r->peak_bytes, TP_UNIT_BYTES) : no_memory,
		"the largest of all ranks' devices; of accelerators if there are any");
	tp_say_metric(doc, "torch.memory.peak_reserved_bytes", "PyTorch: max memory reserved",
		r->peak_reserved_bytes >= 0 ? tp_integer(r->peak_reserved_bytes, TP_UNIT_BYTES) : no_memory,
		"of the device with the largest peak");
}

static void
metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_ranks *r = result;

	if (r == NULL)
		return;
	tp_say_metric(doc, "ranks.count", "Ranks", tp_count(r->count), "summaries that were merged");
	tp_say_metric(doc, "ranks.missing", "Missing ranks",
		r->size > 0 || wish_of(ctx)->range_count != 0
			? tp_count(r->missing_count)
			: tp_missing(
				  TP_S("no summary says how many ranks the job has, and --ranks is not given")),
		"ranks of the job, or of --ranks, without a summary");
	if (r->hosts)
		tp_ranks_hosts_metrics(ctx, r, doc);
	else
		torch_metrics(r, doc);
}

const struct tp_pass tp_pass_ranks = {
	.name = "merged-ranks",
	.title = "Ranks",
	.summary = "ranks side by side, of summaries that were merged",
	.needs_all = TP_HAS_PROFILE,
	.after = TP_AFTER(&tp_pass_torch_steps, &tp_pass_torch_comm, &tp_pass_devices, &tp_pass_steps),
	.place = TP_PLACE_STEPS - 1,
	.analyze = analyze,
	.metrics = metrics,
	.present = tp_ranks_present,
};

const struct tp_pass tp_pass_ranks_operations = {
	.of = &tp_pass_ranks,
	.place = TP_PLACE_OPERATIONS,
	.present = tp_ranks_present_operations,
};

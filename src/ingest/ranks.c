#include "ingest/ranks.h"

#include "base/arena.h"
#include "base/utf8.h"
#include "model/build.h"
#include "model/rank.h"
#include "model/torch.h"
#include "rank.pb-c.h"

/* Farther from each other, times have no clock in common (ingest/torch_place.c). */
static const int64_t FARTHEST_NS = 50ll * 24 * 3600 * 1000000000;

static void
clean(struct tp_arena *a, char **text)
{
	*text = (char *)tp_utf8_clean(a, tp_arena_copy(a, tp_slice_of(*text))).ptr;
}

static void
clean_all(struct tp_arena *a, Tp__Rank *r)
{
	char **texts[] = {&r->worker, &r->span, &r->host, &r->backend, &r->family};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		clean(a, texts[i]);
	for (size_t i = 0; i < r->n_step_names; i++)
		clean(a, &r->step_names[i]);
	for (size_t i = 0; i < r->n_operations; i++)
		clean(a, &r->operations[i]->name);
	for (size_t i = 0; i < r->n_groups; i++) {
		clean(a, &r->groups[i]->key);
		clean(a, &r->groups[i]->name);
		clean(a, &r->groups[i]->ranks);
	}
	for (size_t i = 0; i < r->n_operators; i++) {
		clean(a, &r->operators[i]->name);
		clean(a, &r->operators[i]->program);
	}
	for (size_t i = 0; i < r->n_memories; i++)
		clean(a, &r->memories[i]->device);
}

/* The host of the worker, whose spans stand one after the other, or a new one. */
static uint32_t
host_of(struct tp_builder *b, const Tp__Rank *r, struct tp_slice worker, uint32_t input)
{
	uint32_t count = tp_built_host_count(b);
	struct tp_host *host;
	int64_t apart;

	if (count != 0) {
		host = tp_built_host(b, count - 1);
		if (tp_slice_eq(host->name, worker) &&
			!__builtin_sub_overflow(r->base_ns, host->base_ns, &apart) && apart < FARTHEST_NS &&
			apart > -FARTHEST_NS)
			return count - 1;
	}
	count = tp_build_host(b, &host);
	host->name = worker;
	host->input = input;
	host->base_ns = r->base_ns;
	return count;
}

static void
widen_capture(struct tp_host *host, const Tp__Rank *r)
{
	if (r->start_unix_ns > 0 &&
		(host->start_unix_ns == 0 || r->start_unix_ns < host->start_unix_ns))
		host->start_unix_ns = r->start_unix_ns;
	if (r->stop_unix_ns > host->stop_unix_ns)
		host->stop_unix_ns = r->stop_unix_ns;
}

static void
build_trace(struct tp_builder *b, const Tp__Rank *r, uint32_t input)
{
	struct tp_torch_trace *t = tp_new(tp_builder_profile(b)->arena, struct tp_torch_trace);

	t->input = input;
	t->worker = tp_slice_of(r->worker);
	t->span = tp_slice_of(r->span);
	tp_torch_split_worker(t->worker, &t->node, &t->process);
	t->host = host_of(b, r, t->worker, t->input);
	t->given = r;
	t->given_shift_ps = (r->base_ns - tp_built_host(b, t->host)->base_ns) * 1000;
	t->distributed = (struct tp_torch_distributed){.recorded = r->number >= 0 || r->world_size >= 0,
		.backend = tp_slice_of(r->backend),
		.rank = r->number,
		.world_size = r->world_size};
	widen_capture(tp_built_host(b, t->host), r);
	if (r->host[0] != '\0')
		tp_build_fact(b, t->host, TP_S("host_name"), tp_slice_of(r->host), TP_S("summary"));
	tp_build_torch_trace(b, t);
}

bool
tp_rank_build(struct tp_builder *b, Tp__Rank *r, struct tp_slice path)
{
	struct tp_arena *a = tp_builder_profile(b)->arena;
	struct tp_input *input;

	clean_all(a, r);
	if (!tp_rank_is_sound(r))
		return false;
	uint32_t number = tp_build_input(b, &input);

	*input = (struct tp_input){.path = path, .reader = TP_S("summary")};
	if (r->xla != NULL)
		tp_rank_build_xla(b, r, number);
	else if (r->events != NULL)
		tp_rank_build_events(b, r);
	else
		build_trace(b, r, number);
	return true;
}

size_t
tp_ranks_cut_alike(Tp__Rank *const *ranks, size_t count)
{
	size_t least = SIZE_MAX;

	for (size_t i = 0; i < count; i++) {
		if (ranks[i]->steps_left_out != 0 && ranks[i]->n_step_names < least)
			least = ranks[i]->n_step_names;
	}
	for (size_t i = 0; least != SIZE_MAX && i < count; i++)
		tp_rank_cut(ranks[i], least);
	return least;
}

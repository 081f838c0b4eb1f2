#include "analyze/steps/step_workers.h"

#include "analyze/facts/captures.h"
#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"
#include "base/map.h"
#include "model/profile.h"
#include "model/torch.h"

static void
relabel(uint32_t *labels, uint32_t count, uint32_t from, uint32_t to)
{
	for (uint32_t i = 0; i < count; i++) {
		if (labels[i] == from)
			labels[i] = to;
	}
}

/* The job of each trace: what was captured minutes apart is no step of one job, unless workers say that there are as many of them. */
static const uint32_t *
jobs_of(const struct tp_pass_ctx *ctx)
{
	const struct tp_torch *torch = ctx->profile->torch;
	const uint32_t *captures = tp_captures_by_host(ctx->profile, ctx->scratch);
	uint32_t *job = tp_new_array(ctx->scratch, uint32_t, torch->trace_count);
	struct tp_map sizes;

	tp_map_init(&sizes, ctx->scratch);
	for (uint32_t i = 0; i < torch->trace_count; i++)
		job[i] = captures[torch->traces[i]->host];
	for (uint32_t i = 0; i < torch->trace_count; i++) {
		int64_t workers = torch->traces[i]->distributed.world_size;

		if (workers < 2)
			continue;
		uint32_t first = tp_map_get(&sizes, (uint64_t)workers);

		if (first == TP_MAP_NONE)
			tp_map_put(&sizes, (uint64_t)workers, i);
		else if (job[first] != job[i])
			relabel(job, torch->trace_count, job[i], job[first]);
	}
	return job;
}

static void
find_sets(const struct tp_pass_ctx *ctx, struct tp_step_workers *w)
{
	const struct tp_torch *torch = ctx->profile->torch;
	const uint32_t *job_of = jobs_of(ctx);
	uint32_t *set_of = tp_new_array(ctx->scratch, uint32_t, torch->trace_count), job;
	struct tp_map sets, jobs;

	tp_map_init(&sets, ctx->scratch);
	tp_map_init(&jobs, ctx->scratch);
	for (uint32_t i = 0; i < torch->trace_count; i++) {
		if (torch->traces[i]->span_number > w->last_span)
			w->last_span = torch->traces[i]->span_number;
	}
	for (uint32_t span = 0; span <= w->last_span; span++) {
		for (uint32_t i = 0; i < torch->trace_count; i++) {
			if (torch->traces[i]->span_number != span)
				continue;
			w->jobs += tp_map_number(&jobs, job_of[i], &job);
			w->set_count += tp_map_number(&sets, tp_hash_pair(job_of[i], span), &set_of[i]);
		}
	}
	w->set_of = set_of;
}

/* Numbers the step among those of its trace with the same name, and finds its group. */
static uint32_t
group_of(struct tp_step_workers *w, struct tp_map *names, struct tp_map *groups, uint32_t set,
	struct tp_slice name)
{
	uint64_t text = tp_hash_bytes(name);
	uint32_t before = tp_map_get(names, text);
	uint32_t nth = before == TP_MAP_NONE ? 0 : before + 1;
	uint32_t group;

	tp_map_put(names, text, nth);
	if (tp_map_number(groups, tp_hash_pair(tp_hash_pair(text, set), nth), &group))
		w->groups[w->group_count++] = (struct tp_step_group){.set = set};
	w->groups[group].parts++;
	return group;
}

static void
collect_trace(const struct tp_torch_trace_steps *s, uint32_t trace, struct tp_step_workers *w,
	struct tp_map *groups, struct tp_arena *scratch)
{
	uint32_t set = w->set_of[trace];
	struct tp_map names;

	tp_map_init(&names, scratch);
	for (uint32_t i = 0; i < s->count; i++)
		w->parts[w->part_count++] = (struct tp_step_part){
			group_of(w, &names, groups, set, s->steps[i].name), trace, set, i, &s->steps[i]};
}

static void
choose(struct tp_step_workers *w, struct tp_arena *scratch)
{
	uint32_t *most = tp_new_array(scratch, uint32_t, w->set_count);

	for (size_t i = 0; i < w->group_count; i++) {
		if (w->groups[i].parts > most[w->groups[i].set])
			most[w->groups[i].set] = w->groups[i].parts;
	}
	for (size_t i = 0; i < w->group_count; i++)
		w->groups[i].kept = w->groups[i].parts == most[w->groups[i].set];
}

struct tp_step_workers
tp_step_workers_of(const struct tp_pass_ctx *ctx, const struct tp_torch_stepped *stepped)
{
	const struct tp_torch *torch = ctx->profile->torch;
	struct tp_step_workers w = {0};
	size_t most = 0;
	struct tp_map groups;

	tp_map_init(&groups, ctx->scratch);
	find_sets(ctx, &w);
	for (uint32_t i = 0; i < torch->trace_count; i++)
		most += stepped->traces[i].count;
	w.parts = tp_new_array(ctx->scratch, struct tp_step_part, most);
	w.groups = tp_new_array(ctx->scratch, struct tp_step_group, most);
	for (uint32_t set = 0; set < w.set_count; set++) {
		for (uint32_t i = 0; i < torch->trace_count; i++) {
			if (w.set_of[i] == set)
				collect_trace(&stepped->traces[i], i, &w, &groups, ctx->scratch);
		}
	}
	choose(&w, ctx->scratch);
	return w;
}

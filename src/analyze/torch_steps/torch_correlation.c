/* From device work to calls to operators, and what is in what on host threads. */
#include "analyze/torch_steps/torch_correlation.h"
#include "analyze/core/pass.h"

#include "analyze/facts/op_times.h"
#include "base/arena.h"
#include "base/order.h"
#include "model/profile.h"
#include "model/torch.h"

/* Nesting: one walk in order of start, with a stack of the ranges and one of the Python functions that are open. Ends are rounded
 * apart from starts, so that a part may end just after its whole. */
enum { ROUNDING_PS = 1000000 };

struct open_event {
	int64_t end_ps; /* not after that of the one that holds it */
	uint32_t event;
};

/* Those that are open, the innermost last. Each ends before the one below it: what a later one outlasts can hold nothing any
 * more that the later one does not hold as well. */
struct stack {
	struct open_event *open;
	uint32_t count;
};

static void
close_until(struct stack *s, int64_t ps)
{
	while (s->count != 0 && s->open[s->count - 1].end_ps <= ps)
		s->count--;
}

/* The innermost that ends late enough for the event to be in it; NULL: none. */
static const struct open_event *
holder(const struct tp_torch_trace *t, const struct stack *s, uint32_t event)
{
	int64_t end_ps = tp_torch_end_ps(t, event);

	if (s->count != 0 && s->open[s->count - 1].end_ps + ROUNDING_PS >= end_ps)
		return &s->open[s->count - 1];
	size_t behind = TP_FIRST_WHERE(i, s->count, s->open[i].end_ps + ROUNDING_PS < end_ps);

	return behind == 0 ? NULL : &s->open[behind - 1];
}

static void
open_in(
	const struct tp_torch_trace *t, struct stack *s, const struct open_event *in, uint32_t event)
{
	struct open_event opened = {.end_ps = tp_torch_end_ps(t, event), .event = event};

	if (in != NULL && in->end_ps < opened.end_ps)
		opened.end_ps = in->end_ps;
	close_until(s, opened.end_ps);
	s->open[s->count++] = opened;
}

static void
nest_lane(const struct tp_torch_trace *t, const struct tp_torch_lane *lane, struct stack *ranges,
	struct stack *pythons, uint32_t *parent, uint32_t *python, uint32_t *crossing)
{
	ranges->count = pythons->count = 0;
	for (uint32_t e = lane->first; e < lane->first + lane->count; e++) {
		close_until(ranges, tp_torch_start_ps(t, e));
		close_until(pythons, tp_torch_start_ps(t, e));
		const struct open_event *range = holder(t, ranges, e);
		const struct open_event *function = holder(t, pythons, e);

		parent[e] = range == NULL ? TP_NONE : range->event;
		/* Steps that overlap are beside each other: one in the other would make as many layers as there are steps. */
		if (t->kind[e] == TP_TORCH_STEP && range != NULL && t->kind[range->event] == TP_TORCH_STEP)
			parent[e] = parent[range->event];
		python[e] = function == NULL ? TP_NONE : function->event;
		if (tp_torch_is_range(t->kind[e])) {
			*crossing += ranges->count != 0 && range != &ranges->open[ranges->count - 1];
			open_in(t, ranges, range, e);
		} else if (t->kind[e] == TP_TORCH_PYTHON) {
			open_in(t, pythons, function, e);
		}
	}
}

void
tp_torch_nest(const struct tp_torch_trace *t, struct tp_arena *keep, struct tp_arena *scratch,
	struct tp_torch_correlation *links)
{
	uint32_t *parent = tp_new_array(keep, uint32_t, t->count);
	uint32_t *python = tp_new_array(keep, uint32_t, t->count);
	struct stack ranges = {.open = tp_new_array(scratch, struct open_event, t->count)};
	struct stack pythons = {.open = tp_new_array(scratch, struct open_event, t->count)};

	for (uint32_t e = 0; e < t->count; e++)
		parent[e] = python[e] = TP_NONE;
	for (uint32_t i = 0; i < t->lane_count; i++) {
		if (t->lanes[i].kind == TP_TORCH_LANE_THREAD)
			nest_lane(t, &t->lanes[i], &ranges, &pythons, parent, python, &links->crossing);
	}
	links->parent = parent;
	links->python = python;
}

void
tp_torch_ranges_at(const struct tp_torch_trace *t, uint32_t lane, const int64_t *times_ps,
	uint32_t count, struct tp_arena *scratch, uint32_t *range)
{
	uint32_t e = t->lanes[lane].first, end = e + t->lanes[lane].count;
	struct stack ranges = {.open = tp_new_array(scratch, struct open_event, t->lanes[lane].count)};

	for (uint32_t i = 0; i < count; i++) {
		for (; e < end && tp_torch_start_ps(t, e) <= times_ps[i]; e++) {
			if (!tp_torch_is_range(t->kind[e]))
				continue;
			close_until(&ranges, tp_torch_start_ps(t, e));
			open_in(t, &ranges, holder(t, &ranges, e), e);
		}
		close_until(&ranges, times_ps[i]);
		range[i] = ranges.count != 0 ? ranges.open[ranges.count - 1].event : TP_NONE;
	}
}

bool
tp_torch_holds_start(const struct tp_torch_trace *t, uint32_t range, uint32_t event)
{
	int64_t at = tp_torch_start_ps(t, event) - tp_torch_start_ps(t, range);

	return at >= 0 && at <= tp_torch_duration_ps(t, range);
}

/* Up to so many entries of a table for an id, which a map would take as well. */
enum { SPARSEST = 8 };

void
tp_torch_ids_init(
	struct tp_torch_ids *ids, uint64_t largest, uint64_t count, struct tp_arena *scratch)
{
	*ids = (struct tp_torch_ids){.size = largest < count * SPARSEST ? largest + 1 : 0};
	if (ids->size == 0) {
		tp_map_init(&ids->map, scratch);
		return;
	}
	ids->table = tp_new_array(scratch, uint32_t, ids->size);
}

uint32_t
tp_torch_ids_get(const struct tp_torch_ids *ids, int64_t id)
{
	if (id < 0)
		return TP_MAP_NONE;
	if (ids->table == NULL)
		return tp_map_get(&ids->map, (uint64_t)id);
	return (uint64_t)id < ids->size ? ~ids->table[id] : TP_MAP_NONE;
}

void
tp_torch_ids_put(struct tp_torch_ids *ids, int64_t id, uint32_t value)
{
	if (id < 0)
		return;
	if (ids->table == NULL)
		tp_map_put(&ids->map, (uint64_t)id, value);
	else if ((uint64_t)id < ids->size)
		ids->table[id] = ~value;
}

/* What ids name: operators by External id, calls by correlation. Of several the first counts. */
struct named {
	struct tp_torch_ids operators, calls;
};

/* The tables, as large as the largest ids ask for. */
static void
open_names(const struct tp_torch_trace *t, struct named *n, struct tp_arena *scratch)
{
	int64_t operator_id = 0, correlation = 0;

	for (uint32_t i = 0; i < t->operator_count; i++) {
		if (t->operators[i].external_id > operator_id)
			operator_id = t->operators[i].external_id;
	}
	for (uint32_t i = 0; i < t->call_count; i++) {
		if (t->calls[i].correlation > correlation)
			correlation = t->calls[i].correlation;
	}
	tp_torch_ids_init(&n->operators, (uint64_t)operator_id, t->operator_count, scratch);
	tp_torch_ids_init(&n->calls, (uint64_t)correlation, t->call_count, scratch);
}

static void
name_events(const struct tp_torch_trace *t, struct named *n, struct tp_arena *scratch)
{
	open_names(t, n, scratch);
	for (uint32_t e = 0; e < t->count; e++) {
		struct tp_torch_ids *ids = NULL;
		int64_t id = -1;

		if (t->detail[e] == TP_NONE)
			continue;
		if (t->kind[e] == TP_TORCH_OPERATOR && t->era != TP_TORCH_UP_TO_2_1) {
			ids = &n->operators;
			id = t->operators[t->detail[e]].external_id;
		} else if (tp_torch_is_call(t->kind[e])) {
			ids = &n->calls;
			id = t->calls[t->detail[e]].correlation;
		}
		if (ids != NULL && id > 0 && tp_torch_ids_get(ids, id) == TP_MAP_NONE)
			tp_torch_ids_put(ids, id, e);
	}
}

/* The innermost operator around what a host does; what holds an event comes before it. */
static uint32_t
operator_around(const struct tp_torch_trace *t, const struct tp_torch_correlation *links,
	const uint32_t *owner, uint32_t event)
{
	uint32_t parent = links->parent[event];

	return parent == TP_NONE || t->kind[parent] == TP_TORCH_OPERATOR ? parent : owner[parent];
}

static uint32_t
owner_of_call(const struct tp_torch_trace *t, const struct tp_torch_correlation *links,
	const struct named *n, const uint32_t *owner, uint32_t call)
{
	int64_t id = t->detail[call] == TP_NONE ? -1 : t->calls[t->detail[call]].external_id;
	uint32_t named = id > 0 ? tp_torch_ids_get(&n->operators, id) : TP_MAP_NONE;

	if (named != TP_MAP_NONE && tp_torch_holds_start(t, named, call))
		return named;
	return operator_around(t, links, owner, call);
}

bool
tp_torch_names_call(const struct tp_torch_trace *t, uint32_t work)
{
	return t->detail[work] != TP_NONE && t->works[t->detail[work]].correlation > 0;
}

static void
link_work(const struct tp_torch_trace *t, struct tp_torch_correlation *links, const struct named *n,
	uint32_t work, uint32_t *call, uint32_t *owner)
{
	int64_t duration = tp_torch_duration_ps(t, work);

	links->work.count++;
	links->work.ps = tp_add_ps(links->work.ps, duration);
	if (!tp_torch_names_call(t, work)) {
		links->work.untold++;
		links->work.untold_ps = tp_add_ps(links->work.untold_ps, duration);
		return;
	}
	call[work] = tp_torch_ids_get(&n->calls, t->works[t->detail[work]].correlation);
	if (call[work] == TP_NONE) {
		links->work.no_call++;
		links->work.no_call_ps = tp_add_ps(links->work.no_call_ps, duration);
		return;
	}
	owner[work] = owner[call[work]];
	if (owner[work] == TP_NONE)
		links->work.no_operator_ps = tp_add_ps(links->work.no_operator_ps, duration);
}

static void
link_trace(const struct tp_torch_trace *t, const struct tp_pass_ctx *ctx,
	struct tp_torch_correlation *links)
{
	uint32_t *call = tp_new_array(ctx->keep, uint32_t, t->count);
	uint32_t *owner = tp_new_array(ctx->keep, uint32_t, t->count);
	struct named n;

	tp_torch_nest(t, ctx->keep, ctx->scratch, links);
	name_events(t, &n, ctx->scratch);
	for (uint32_t e = 0; e < t->count; e++) {
		call[e] = TP_NONE;
		owner[e] = tp_torch_is_call(t->kind[e]) ? owner_of_call(t, links, &n, owner, e)
												: operator_around(t, links, owner, e);
	}
	for (uint32_t e = 0; e < t->count; e++) {
		if (tp_torch_is_work(t->kind[e]))
			link_work(t, links, &n, e, call, owner);
	}
	links->call = call;
	links->owner = owner;
}

static void
add_work(struct tp_torch_device_work *all, const struct tp_torch_device_work *w)
{
	all->count += w->count;
	all->no_call += w->no_call;
	all->untold += w->untold;
	all->ps = tp_add_ps(all->ps, w->ps);
	all->no_call_ps = tp_add_ps(all->no_call_ps, w->no_call_ps);
	all->untold_ps = tp_add_ps(all->untold_ps, w->untold_ps);
	all->no_operator_ps = tp_add_ps(all->no_operator_ps, w->no_operator_ps);
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_torch *torch = ctx->profile->torch;
	struct tp_torch_correlated *linked = tp_new(ctx->keep, struct tp_torch_correlated);

	(void)err;
	linked->traces = tp_new_array(ctx->keep, struct tp_torch_correlation, torch->trace_count);
	for (uint32_t i = 0; i < torch->trace_count; i++) {
		link_trace(torch->traces[i], ctx, &linked->traces[i]);
		add_work(&linked->work, &linked->traces[i].work);
	}
	*result = linked;
	return TP_OK;
}

/* Of all device work the part from which on it is told. */
#define MUCH 0.01

static struct tp_slice
launched_elsewhere(const struct tp_pass_ctx *ctx)
{
	const struct tp_torch_correlated *linked = tp_result(ctx, &tp_pass_torch_correlation);

	return linked != NULL && (double)linked->work.no_call_ps > MUCH * (double)linked->work.ps
		? TP_S("the launches of some of it are not in the trace")
		: TP_S("");
}

static const struct tp_lack lacks[] = {
	{"launches", "Which operators launched all of the device work", TP_LACK_TIMED,
		.why = launched_elsewhere,
		.pytorch = "Record at least one warm-up step first, `schedule(wait=1, warmup=1, "
				   "active=3)`, and include `ProfilerActivity.CPU`."},
	{0},
};

const struct tp_pass tp_pass_torch_correlation = {
	.name = "torch-links",
	.title = "Operators and their device work",
	.summary = "which operator launched which kernel or copy, by correlation and time",
	.needs_all = TP_HAS_TORCH,
	.place = TP_PLACE_METHOD,
	.analyze = analyze,
	.lacks = lacks,
};

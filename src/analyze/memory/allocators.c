/* Events are grouped by allocator and put in order of time: several threads write them. The peak, its time and what is live
 * then follow xplane_to_memory_profile.cc of XLA; where we differ stands at the formula. */
#include "analyze/memory/allocators.h"
#include "analyze/core/pass.h"

#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "base/map.h"
#include "model/allocator.h"
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>

static uint64_t
in_use(const struct tp_allocator_event *e)
{
	return e->stack_bytes + e->heap_bytes;
}

static uint64_t
capacity(const struct tp_allocator_event *e)
{
	return e->free_known ? in_use(e) + e->free_bytes : 0;
}

double
tp_allocator_peak_share(const struct tp_allocator *a)
{
	return a->capacity_bytes != 0 ? (double)a->peak_bytes / (double)a->capacity_bytes : NAN;
}

/* The peak is what was in use at once while the profile was taken. Of several moments with as much the last is taken, as
 * the most allocations before it are recorded; the peer takes the last in the file, where one thread's events follow
 * another's. The most in the allocator's life is the largest that it states; the peer takes the one that the last event of
 * the file states, which may be less than the peak in the profile. */
static void
find_peak(struct tp_allocator *a)
{
	a->fragmentation_most = a->unusable_share = NAN;
	for (size_t i = 0; i < a->event_count; i++) {
		const struct tp_allocator_event *e = a->events[i];
		/* Of memory that is mostly free the pieces are large enough. */
		double unusable = in_use(e) >= capacity(e) / 2
			? e->fragmentation * (double)e->free_bytes / (double)capacity(e)
			: NAN;

		*(e->allocation ? &a->allocations : &a->deallocations) += 1;
		if (a->peak == NULL || in_use(e) >= a->peak_bytes) {
			a->peak_times = a->peak != NULL && in_use(e) == a->peak_bytes ? a->peak_times + 1 : 1;
			a->peak = e;
			a->peak_bytes = in_use(e);
		}
		if (e->lifetime_peak_bytes > a->lifetime_peak_bytes)
			a->lifetime_peak_bytes = e->lifetime_peak_bytes;
		if (e->heap_bytes > a->lifetime_peak_bytes)
			a->lifetime_peak_bytes = e->heap_bytes;
		a->fragmentation_most = fmax(a->fragmentation_most, e->fragmentation);
		if (isfinite(unusable))
			a->unusable_share = fmax(a->unusable_share, unusable);
	}
	a->capacity_bytes = capacity(a->peak);
}

/* The step that the peak is in, by the host's clock. */
static struct tp_slice
step_of(const struct tp_pass_ctx *ctx, const struct tp_allocator *a)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);

	for (size_t h = 0; s != NULL && h < s->host_count; h++) {
		if (s->hosts[h].host == a->host) {
			s = &s->hosts[h];
			break;
		}
	}
	if (s == NULL || s->host != a->host)
		return TP_S("");
	for (size_t i = 0; i < s->count; i++) {
		if (s->steps[i].start_ps <= a->peak->time_ps && a->peak->time_ps < s->steps[i].end_ps)
			return s->steps[i].name;
	}
	return TP_S("");
}

static int
by_time(const void *left, const void *right)
{
	const struct tp_allocator_event *a = *(const struct tp_allocator_event *const *)left;
	const struct tp_allocator_event *b = *(const struct tp_allocator_event *const *)right;

	if (a->time_ps != b->time_ps)
		return a->time_ps < b->time_ps ? -1 : 1;
	return a < b ? -1 : a > b; /* as they stand in the file */
}

static int
by_peak(const void *left, const void *right)
{
	const struct tp_allocator *a = left, *b = right;

	if (a->peak_bytes != b->peak_bytes)
		return a->peak_bytes > b->peak_bytes ? -1 : 1;
	if (a->host != b->host)
		return a->host < b->host ? -1 : 1;
	return tp_slice_cmp(a->name, b->name);
}

static uint64_t
key_of(const struct tp_allocator_event *e)
{
	uint64_t which =
		e->allocator != 0 ? tp_hash_pair(e->allocator, 1) : tp_hash_pair((uint64_t)e->ordinal, 2);

	return tp_hash_pair(which, e->host);
}

static struct tp_slice
name_of(const struct tp_pass_ctx *ctx, const struct tp_allocator_event *e)
{
	if (e->allocator != 0)
		return tp_string(&ctx->profile->strings, e->allocator);
	return e->ordinal >= 0 ? tp_arena_printf(ctx->keep, "device %lld", (long long)e->ordinal)
						   : TP_S("no name");
}

/* Names come from outside: what is taken already, or would be in an id, is told apart. */
static struct tp_slice
unlike(const struct tp_pass_ctx *ctx, struct tp_map *taken, uint64_t among, struct tp_slice name)
{
	struct tp_slice other = name;

	for (unsigned n = 2;; n++) {
		uint64_t key = tp_hash_pair(tp_hash_bytes(other), among);

		if (tp_map_get(taken, key) == TP_MAP_NONE) {
			tp_map_put(taken, key, 0);
			return other;
		}
		other = tp_arena_printf(ctx->keep, "%.*s~%u", TP_ARG(name), n);
	}
}

static void
name_allocators(const struct tp_pass_ctx *ctx, struct tp_allocators *all)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_map names, keys;

	tp_map_init(&names, ctx->scratch);
	tp_map_init(&keys, ctx->scratch);
	for (size_t i = 0; i < all->count; i++) {
		struct tp_allocator *a = &all->of[i];

		a->host = a->events[0]->host;
		a->name = unlike(ctx, &names, a->host, name_of(ctx, a->events[0]));
		struct tp_slice host = p->hosts[a->host].name;
		struct tp_slice key = p->host_count > 1
			? tp_arena_printf(ctx->keep, "%.*s:%.*s", TP_ARG(host), TP_ARG(a->name))
			: tp_arena_copy(ctx->keep, a->name);

		for (size_t k = 0; k < key.len; k++)
			((char *)key.ptr)[k] = key.ptr[k] == '/' ? ':' : key.ptr[k];
		a->key = unlike(ctx, &keys, 0, key);
	}
}

/* An allocator for each that is named, with its events in order of time. */
static void
group(const struct tp_pass_ctx *ctx, struct tp_allocators *all)
{
	const struct tp_profile *p = ctx->profile;
	uint32_t *of = tp_new_array(ctx->scratch, uint32_t, p->allocator_event_count);
	struct tp_map known;

	tp_map_init(&known, ctx->scratch);
	for (uint32_t i = 0; i < p->allocator_event_count; i++) {
		uint64_t key = key_of(&p->allocator_events[i]);

		of[i] = tp_map_get(&known, key);
		if (of[i] == TP_MAP_NONE)
			tp_map_put(&known, key, of[i] = (uint32_t)all->count++);
	}
	const struct tp_allocator_event ***lists =
		tp_new_array(ctx->scratch, const struct tp_allocator_event **, all->count);

	all->of = tp_new_array(ctx->keep, struct tp_allocator, all->count);
	for (uint32_t i = 0; i < p->allocator_event_count; i++)
		all->of[of[i]].event_count++;
	for (size_t k = 0; k < all->count; k++) {
		lists[k] =
			tp_new_array(ctx->keep, const struct tp_allocator_event *, all->of[k].event_count);
		all->of[k].events = lists[k];
		all->of[k].event_count = 0;
	}
	for (uint32_t i = 0; i < p->allocator_event_count; i++)
		lists[of[i]][all->of[of[i]].event_count++] = &p->allocator_events[i];
	for (size_t k = 0; k < all->count; k++)
		qsort(lists[k], all->of[k].event_count, sizeof **lists, by_time);
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	struct tp_allocators *all = tp_new(ctx->keep, struct tp_allocators);

	(void)err;
	group(ctx, all);
	name_allocators(ctx, all);
	for (size_t i = 0; i < all->count; i++) {
		struct tp_allocator *a = &all->of[i];

		find_peak(a);
		a->step = step_of(ctx, a);
		tp_allocator_live(ctx, a);
		tp_allocator_over_time(ctx, a);
	}
	qsort(all->of, all->count, sizeof *all->of, by_peak);
	*result = all;
	return TP_OK;
}

static const struct tp_pass *const after[] = {&tp_pass_steps, NULL};

static const struct tp_lack lacks[] = {
	{"memory-over-time", "How full the device's memory was over time", TP_LACK_ON_GPU,
		.jax = "Set `options.host_tracer_level = 2` of `jax.profiler.ProfileOptions()`; the "
			   "allocator must be the default one (no `XLA_PYTHON_CLIENT_ALLOCATOR=platform`).",
		.tensorflow = "Set `tf.profiler.experimental.ProfilerOptions(host_tracer_level=2)`.",
		.any = "Set `host_tracer_level` of the profiler's options to 2."},
	{0},
};

const struct tp_pass tp_pass_allocators = {
	.name = "memory-over-time",
	.title = "Memory over time",
	.summary = "how full each allocator was, and what was live when it was fullest",
	.needs_all = TP_HAS_ALLOCATOR_EVENTS,
	.after = after,
	.place = TP_PLACE_MEMORY_OVER_TIME,
	.analyze = analyze,
	.metrics = tp_allocators_metrics,
	.present = tp_allocators_present,
	.lacks = lacks,
};

/* Events are grouped by allocator and put in order of time: several threads write them. The peak, its time and what is live
 * then follow xplane_to_memory_profile.cc of xprof; where we differ stands at the formula. Headline figures are of the allocator
 * with the largest peak, and of each. */
#include "analyze/memory/allocators.h"
#include "analyze/core/pass.h"

#include "analyze/core/say.h"
#include "analyze/facts/clock.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/order.h"
#include "model/allocator.h"
#include "model/profile.h"
#include "report/doc.h"
#include "report/scope.h"

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

/* The peak is what was in use at once while the profile was taken. Of several moments with as much the last is taken, as
 * the most allocations before it are recorded; xprof takes the last in the file, where one thread's events follow
 * another's. The most in the allocator's life is the largest that it states; xprof takes the one that the last event of
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
	a->peak_share =
		a->capacity_bytes != 0 ? (double)a->peak_bytes / (double)a->capacity_bytes : NAN;
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

TP_ORDER_POINTERS(by_time, struct tp_allocator_event, TP_UP(time_ps), TP_AS_THEY_STAND);

TP_ORDER(
	by_peak, struct tp_allocator, TP_DOWN(peak_bytes), TP_UP(host), tp_slice_cmp(a->name, b->name));

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
	uint32_t number;

	for (unsigned n = 2; !tp_map_number(taken, tp_hash_pair(tp_hash_bytes(other), among), &number);
		 n++)
		other = tp_arena_printf(ctx->keep, "%.*s~%u", TP_ARG(name), n);
	return other;
}

static void
name_allocators(const struct tp_pass_ctx *ctx, struct tp_allocators *all)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_clock clock = tp_clock_of(p);
	struct tp_map names, keys;

	tp_map_init(&names, ctx->scratch);
	tp_map_init(&keys, ctx->scratch);
	for (size_t i = 0; i < all->count; i++) {
		struct tp_allocator *a = &all->of[i];

		a->host = a->events[0]->host;
		a->zero_ps = tp_clock_zero_ps(&clock, p, a->host);
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
	for (uint32_t i = 0; i < p->allocator_event_count; i++)
		all->count += tp_map_number(&known, key_of(&p->allocator_events[i]), &of[i]);
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
	}
	qsort(all->of, all->count, sizeof *all->of, by_peak);
	*result = all;
	return TP_OK;
}

/* Figures of single allocators: of so many at most, the largest first. */
enum { MOST_SCOPED = 1000 };

enum {
	PEAK,
	STACK,
	HEAP,
	FREE,
	FRAGMENTATION,
	FRAGMENTATION_MOST,
	TIME,
	CAPACITY,
	SHARE,
	LIFETIME,
	EARLIER,
	ALLOCATIONS,
	DEALLOCATIONS,
	FIGURES
};

static const struct {
	const char *id, *label, *how;
} figures[FIGURES] = {
	[PEAK] = {"memory.measured.peak_bytes", "Memory in use at the measured peak",
		"the largest sum of stack and heap after an allocator event"},
	[STACK] = {"memory.measured.stack_bytes", "Stack at the measured peak",
		"bytes_reserved of the event at the peak"},
	[HEAP] = {"memory.measured.heap_bytes", "Heap at the measured peak",
		"bytes_allocated of the event at the peak"},
	[FREE] = {"memory.measured.free_bytes", "Free memory at the measured peak",
		"bytes_available of the event at the peak"},
	[FRAGMENTATION] = {"memory.measured.fragmentation_share", "Fragmentation at the measured peak",
		"share of free memory outside its largest block, as reported by the allocator"},
	[FRAGMENTATION_MOST] = {"memory.measured.fragmentation_most_share", "Max fragmentation",
		"the largest reported by an allocator event"},
	[TIME] = {"memory.measured.peak_time_ms", "Time of the measured peak",
		"from the first event of the capture, as on the timeline; of equal peaks the last"},
	[CAPACITY] = {"memory.measured.capacity_bytes", "Memory of the allocator",
		"stack, heap and free memory at the peak"},
	[SHARE] = {"memory.measured.peak_share", "Measured peak, share of the allocator's memory",
		"memory.measured.peak_bytes over memory.measured.capacity_bytes"},
	[LIFETIME] = {"memory.measured.lifetime_peak_bytes", "Max heap since the allocator was created",
		"the largest peak_bytes_in_use, or bytes_allocated, of its events"},
	[EARLIER] = {"memory.measured.unrecorded_bytes",
		"Heap at the measured peak without a recorded allocation",
		"heap minus allocations in the profile that were not freed"},
	[ALLOCATIONS] = {"memory.measured.allocations", "Allocations recorded",
		"events MemoryAllocation"},
	[DEALLOCATIONS] = {"memory.measured.deallocations", "Deallocations recorded",
		"events MemoryDeallocation"},
};

static void
figures_of(const struct tp_allocator *a, struct tp_value out[static FIGURES])
{
	const struct tp_allocator_event *e = a->peak;

	out[PEAK] = tp_bytes(a->peak_bytes);
	out[STACK] = tp_bytes(e->stack_bytes);
	out[HEAP] = tp_bytes(e->heap_bytes);
	out[FREE] = e->free_known ? tp_bytes(e->free_bytes) : tp_missing(TP_S(TP_NO_FREE));
	out[FRAGMENTATION] = tp_number_or(e->fragmentation, TP_UNIT_SHARE, TP_S(TP_NO_FRAGMENTATION));
	out[FRAGMENTATION_MOST] =
		tp_number_or(a->fragmentation_most, TP_UNIT_SHARE, TP_S(TP_NO_FRAGMENTATION));
	out[TIME] = tp_ps_in_ms((double)tp_allocator_time_ps(a, e));
	out[CAPACITY] =
		a->capacity_bytes != 0 ? tp_bytes(a->capacity_bytes) : tp_missing(TP_S(TP_NO_FREE));
	out[SHARE] = tp_number_or(a->peak_share, TP_UNIT_SHARE, TP_S(TP_NO_FREE));
	out[LIFETIME] = tp_bytes(a->lifetime_peak_bytes);
	out[EARLIER] =
		tp_bytes(e->heap_bytes > a->recorded_bytes ? e->heap_bytes - a->recorded_bytes : 0);
	out[ALLOCATIONS] = tp_count(a->allocations);
	out[DEALLOCATIONS] = tp_count(a->deallocations);
}

static void
scoped(const struct tp_pass_ctx *ctx, const struct tp_allocators *all, struct tp_doc *doc)
{
	for (size_t i = 0; i < all->count && i < MOST_SCOPED; i++) {
		const struct tp_allocator *a = &all->of[i];
		struct tp_scope scope = tp_say_host_scope(ctx, a->host);
		struct tp_value of[FIGURES];

		figures_of(a, of);
		scope.device = a->name;
		for (int k = 0; k < FIGURES; k++)
			tp_doc_metric_for(doc, figures[k].id, scope, of[k], TP_S(""));
	}
}

static void
metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_allocators *all = result;
	struct tp_slice coverage = all != NULL && all->count > 1
		? tp_arena_printf(
			  ctx->keep, "%.*s, the largest of %zu allocators", TP_ARG(all->of[0].name), all->count)
		: all != NULL ? all->of[0].name
					  : TP_S("");

	struct tp_value of[FIGURES];
	uint64_t allocations = 0, deallocations = 0;

	for (int k = 0; k < FIGURES; k++)
		of[k] = tp_missing(tp_skipped_itself(ctx));
	for (size_t i = 0; all != NULL && i < all->count; i++) {
		allocations += all->of[i].allocations;
		deallocations += all->of[i].deallocations;
	}
	if (all != NULL) {
		figures_of(&all->of[0], of);
		of[ALLOCATIONS] = tp_count(allocations);
		of[DEALLOCATIONS] = tp_count(deallocations);
	}
	for (int k = 0; k < FIGURES; k++) {
		bool sum = k == ALLOCATIONS || k == DEALLOCATIONS;

		tp_doc_metric(doc, tp_slice_of(figures[k].id), figures[k].label, of[k],
			tp_slice_of(figures[k].how), sum ? TP_S("") : coverage);
		tp_doc_metric_scopes(doc, figures[k].id, "@host,device");
	}
	if (all != NULL)
		scoped(ctx, all, doc);
}

const struct tp_pass tp_pass_allocators = {
	.name = "memory-over-time",
	.title = "Memory over time",
	.summary = "memory in use of each allocator over time, and what was live at its peak",
	.needs_all = TP_HAS_ALLOCATOR_EVENTS,
	.after = TP_AFTER(&tp_pass_steps),
	.place = TP_PLACE_MEMORY_OVER_TIME,
	.analyze = analyze,
	.metrics = metrics,
	.present = tp_allocators_present,
	.lacks = TP_LACKS({"memory-over-time", "Device memory in use over time", TP_LACK_ON_GPU,
		.jax = "Set `options.host_tracer_level = 2` of `jax.profiler.ProfileOptions()`; the "
			   "allocator must be the default one (no `XLA_PYTHON_CLIENT_ALLOCATOR=platform`).",
		.tensorflow = "Set `tf.profiler.experimental.ProfilerOptions(host_tracer_level=2)`.",
		.any = "Set `host_tracer_level` of the profiler's options to 2."}),
};

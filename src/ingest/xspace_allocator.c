/* Events of allocators on host threads, MemoryAllocation and MemoryDeallocation: how full the allocator was, and for whom
 * the piece of memory is. */
#include "ingest/xspace.h"

#include <math.h>
#include <stddef.h>

static uint64_t
size_of(const struct tp_xstat *stat)
{
	return (uint64_t)stat->integer;
}

/* Without what some profilers print where there is no name. */
static struct tp_slice
named(struct tp_slice text)
{
	return tp_slice_eq(text, TP_S("(null)")) ? TP_S("") : text;
}

static const struct {
	enum tp_xkey key;
	size_t at;
} numbers[] = {
	{TP_XKEY_STACK_BYTES, offsetof(struct tp_allocator_event, stack_bytes)},
	{TP_XKEY_HEAP_BYTES, offsetof(struct tp_allocator_event, heap_bytes)},
	{TP_XKEY_LIFETIME_PEAK_BYTES, offsetof(struct tp_allocator_event, lifetime_peak_bytes)},
	{TP_XKEY_REQUESTED_BYTES, offsetof(struct tp_allocator_event, requested_bytes)},
	{TP_XKEY_BLOCK_BYTES, offsetof(struct tp_allocator_event, block_bytes)},
	{TP_XKEY_ADDRESS, offsetof(struct tp_allocator_event, address)},
};

void
tp_xallocator_stat(struct tp_xplane *plane, enum tp_xkey key, const struct tp_xstat *stat)
{
	struct tp_xallocator *a = &plane->allocator;
	struct tp_allocator_event *e = &a->event;

	if (a->said == 0)
		*a = (struct tp_xallocator){
			.said = 1,
			.event = {.ordinal = -1, .fragmentation = NAN},
			.unusable = a->unusable,
			.first_unusable = a->first_unusable,
		};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		if (numbers[i].key == key)
			*(uint64_t *)((char *)e + numbers[i].at) = size_of(stat);
	}
	switch ((int)key) {
	case TP_XKEY_ALLOCATOR:
		a->name = tp_xstat_text(plane, stat);
		break;
	case TP_XKEY_ALLOCATOR_INDEX:
	case TP_XKEY_ALLOCATOR_DEVICE:
		e->ordinal = stat->integer < 0 ? -1 : stat->integer;
		break;
	case TP_XKEY_HEAP_BYTES:
		a->said |= 2;
		break;
	case TP_XKEY_FREE_BYTES:
		/* An allocator that grew beyond its limit has less than nothing left. */
		e->free_known = stat->integer >= 0;
		e->free_bytes = e->free_known ? size_of(stat) : 0;
		break;
	case TP_XKEY_FRAGMENTATION:
		/* Written as a number without decimals where it is 0 or 1. */
		e->fragmentation = stat->number >= 0 && stat->number <= 1 ? stat->number : NAN;
		break;
	case TP_XKEY_DATA_TYPE:
		e->data_type = stat->integer > 0 && stat->integer < 1000 ? (int32_t)stat->integer : 0;
		break;
	case TP_XKEY_REGION:
		a->region = named(tp_xstat_text(plane, stat));
		break;
	case TP_XKEY_KERNEL_SHAPE:
		a->shape = tp_xstat_text(plane, stat);
		break;
	case TP_XKEY_FRAMEWORK:
		if (named(tp_xstat_text(plane, stat)).len != 0)
			e->framework = tp_xstat_string(plane, stat);
		break;
	default:
		break;
	}
}

/* Negative sizes read as enormous ones. */
static bool
meant(const struct tp_allocator_event *e)
{
	const uint64_t sizes[] = {e->stack_bytes, e->heap_bytes, e->free_bytes, e->lifetime_peak_bytes,
		e->block_bytes, e->requested_bytes};

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		if (sizes[i] > TP_ALLOCATOR_MOST_BYTES)
			return false;
	}
	return true;
}

void
tp_xallocator_unusable(struct tp_xplane *plane, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		tp_diag_at(&tp_builder_profile(plane->out)->diags, TP_DIAG_WARNING, plane->in->path,
			TP_NO_OFFSET,
			"an allocation without a size, or with an impossible one: left out of memory over "
			"time");
}

static void
leave_out(struct tp_xplane *plane, uint32_t event)
{
	if (plane->own == NULL)
		tp_xallocator_unusable(plane, 1);
	else if (plane->allocator.unusable++ == 0)
		plane->allocator.first_unusable = event;
}

void
tp_xallocator_event(struct tp_xplane *plane, struct tp_slice name, uint32_t event, int64_t time_ps)
{
	struct tp_xallocator *a = &plane->allocator;
	struct tp_profile *profile = tp_builder_profile(plane->out);
	bool allocation = tp_slice_eq(name, TP_S("MemoryAllocation"));
	bool told = (a->said & 2) != 0;

	a->said = 0;
	if (!allocation && !tp_slice_eq(name, TP_S("MemoryDeallocation")))
		return;
	if (!told || !meant(&a->event)) {
		leave_out(plane, event);
		return;
	}
	a->event.host = plane->host;
	a->event.allocation = allocation;
	a->event.time_ps = time_ps;
	a->event.allocator = tp_intern_copy(&profile->strings, a->name);
	a->event.region = tp_intern_copy(&profile->strings, a->region);
	a->event.shape = tp_intern_copy(&profile->strings, a->shape);
	tp_build_allocator_event(plane->out, &a->event);
}

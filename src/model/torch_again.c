/* GPUs that a worker's spans show again. Spans months apart have no clock in common, so that each is a host of its own; the GPU of
 * a number is the same one nonetheless, and what one span says of it holds in a span that says nothing. */
#include "model/torch_order.h"

#include "model/profile.h"
#include "model/torch.h"

static bool
described(const struct tp_device *d)
{
	return d->type.len != 0 || d->memory_bytes > 0 || d->sm_count != 0 || d->compute_major != 0;
}

static void
describe(struct tp_device *d, const struct tp_device *by)
{
	if (described(d) || !described(by))
		return;
	d->type = by->type;
	d->vendor = by->vendor;
	d->memory_bytes = by->memory_bytes;
	d->sm_count = by->sm_count;
	d->compute_major = by->compute_major;
	d->compute_minor = by->compute_minor;
}

static struct tp_device *
gpu_on(struct tp_profile *p, uint32_t host, uint32_t ordinal)
{
	for (uint32_t i = 0; i < p->device_count; i++) {
		if (p->devices[i].host == host && p->devices[i].ordinal == ordinal)
			return &p->devices[i];
	}
	return NULL;
}

static void
match(struct tp_profile *p, uint32_t first_host, uint32_t host)
{
	for (uint32_t i = 0; i < p->device_count; i++) {
		struct tp_device *d = &p->devices[i];
		struct tp_device *first = d->host == host ? gpu_on(p, first_host, d->ordinal) : NULL;

		if (first == NULL)
			continue;
		d->again = true;
		describe(first, d);
		describe(d, first);
	}
}

void
tp_torch_find_again(struct tp_profile *p, struct tp_torch_trace *const *sorted, uint32_t count)
{
	/* Twice, for the first may be described by the last. */
	for (int turn = 0; turn < 2; turn++) {
		for (uint32_t i = 0, first = 0; i < count; i++) {
			if (sorted[i]->worker_number != sorted[first]->worker_number)
				first = i;
			if (sorted[i]->host != sorted[first]->host)
				match(p, sorted[first]->host, sorted[i]->host);
		}
	}
}

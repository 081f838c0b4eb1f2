/* What a profile holds beside its lines, while it is built: traces of PyTorch, tool files, what allocators said, facts. */
#include "model/builder.h"

#include "base/arena.h"
#include "model/allocator.h"
#include "model/precomputed.h"

#include <string.h>

void
tp_build_torch_trace(struct tp_builder *b, struct tp_torch_trace *trace)
{
	*tp_buf_new(&b->torch, struct tp_torch_trace *) = trace;
}

struct tp_torch_trace *const *
tp_built_torch_traces(const struct tp_builder *b, uint32_t *count)
{
	*count = (uint32_t)b->torch.count;
	return b->torch.data;
}

struct tp_precomputed *
tp_build_precomputed(struct tp_builder *b, struct tp_slice host)
{
	struct tp_precomputed **all = b->precomputed.data;

	for (size_t i = 0; i < b->precomputed.count; i++) {
		if (tp_slice_eq(all[i]->host_name, host))
			return all[i];
	}
	struct tp_precomputed *new = tp_precomputed_new(b->profile->arena);

	new->host_name = host;
	*tp_buf_new(&b->precomputed, struct tp_precomputed *) = new;
	return new;
}

uint32_t
tp_built_precomputed_count(const struct tp_builder *b)
{
	return (uint32_t)b->precomputed.count;
}

void
tp_build_allocator_event(struct tp_builder *b, const struct tp_allocator_event *event)
{
	*tp_buf_new(&b->allocator_events, struct tp_allocator_event) = *event;
}

void
tp_build_allocator_events_of(struct tp_builder *b, struct tp_builder *of, const uint32_t *strings)
{
	const struct tp_allocator_event *from = of->allocator_events.data;

	for (size_t i = 0; i < of->allocator_events.count; i++) {
		struct tp_allocator_event event = from[i];

		event.allocator = strings[event.allocator];
		event.region = strings[event.region];
		event.shape = strings[event.shape];
		event.framework = strings[event.framework];
		tp_build_allocator_event(b, &event);
	}
	of->allocator_events.count = 0;
}

void *
tp_build_linked(struct tp_builder *b, void *list, size_t size, size_t next_at)
{
	void *new = tp_arena_alloc(b->profile->arena, size), *after;

	for (memcpy(&after, list, sizeof after); after != NULL; memcpy(&after, list, sizeof after))
		list = (char *)after + next_at;
	memcpy(list, &new, sizeof new);
	return new;
}

void
tp_build_dropped(struct tp_builder *b, uint64_t count)
{
	uint64_t *dropped = &b->profile->dropped_events, most = (uint64_t)INT64_MAX - *dropped;

	*dropped += count < most ? count : most;
}

void
tp_build_fact(struct tp_builder *b, uint32_t host, struct tp_slice key, struct tp_slice value,
	struct tp_slice where)
{
	uint64_t all = tp_hash_pair(tp_hash_pair(tp_hash_bytes(key), tp_hash_bytes(value)), host);
	struct tp_fact **at = &tp_built_host(b, host)->facts;

	/* Several planes of a host may say the same. */
	if (tp_map_get(&b->facts, all) != TP_MAP_NONE)
		return;
	tp_map_put(&b->facts, all, 0);
	struct tp_fact *fact = tp_new(b->profile->arena, struct tp_fact);

	*fact = (struct tp_fact){.key = key, .value = value, .where = where};
	if (b->last_fact != NULL && b->fact_host == host)
		at = &b->last_fact->next;
	while (*at != NULL)
		at = &(*at)->next;
	*at = fact;
	b->last_fact = fact;
	b->fact_host = host;
}

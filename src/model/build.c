/* The builder: growing lists on the heap that become the arrays of a profile in its arena. */
#include "model/builder.h"

#include "base/arena.h"
#include "model/allocator.h"
#include "model/precomputed.h"
#include "model/torch.h"
#include "model/torch_order.h"

#include <math.h>
#include <string.h>

struct tp_builder *
tp_builder_new(struct tp_arena *arena)
{
	struct tp_builder *b = tp_new(arena, struct tp_builder);

	b->profile = tp_new(arena, struct tp_profile);
	b->profile->arena = arena;
	tp_strings_init(&b->profile->strings, arena);
	tp_diags_init(&b->profile->diags, arena);
	tp_map_init(&b->facts, arena);
	return b;
}

struct tp_profile *
tp_builder_profile(struct tp_builder *b)
{
	return b->profile;
}

static void *
settle(struct tp_arena *arena, struct tp_buf *list, size_t size, uint32_t *count)
{
	*count = (uint32_t)list->count;
	return tp_buf_settle(list, size, arena);
}

/* Hosts of which some file could be read. */
static void
finish_precomputed(struct tp_builder *b)
{
	struct tp_profile *p = b->profile;
	struct tp_precomputed *const *all = b->precomputed.data;
	const struct tp_precomputed **kept =
		tp_new_array(p->arena, const struct tp_precomputed *, b->precomputed.count);

	for (size_t i = 0; i < b->precomputed.count; i++) {
		if (all[i]->files != NULL)
			kept[p->precomputed_host_count++] = all[i];
	}
	p->precomputed_hosts = kept;
	if (p->precomputed_host_count != 0)
		p->precomputed = tp_precomputed_together(kept, p->precomputed_host_count, p->arena);
	tp_buf_free(&b->precomputed);
}

struct tp_profile *
tp_builder_finish(struct tp_builder *b)
{
	struct tp_profile *p = b->profile;
	struct tp_arena *a = p->arena;

	p->inputs = settle(a, &b->inputs, sizeof *p->inputs, &p->input_count);
	p->hosts = settle(a, &b->hosts, sizeof *p->hosts, &p->host_count);
	p->devices = settle(a, &b->devices, sizeof *p->devices, &p->device_count);
	p->programs = settle(a, &b->programs, sizeof *p->programs, &p->program_count);
	p->ops = settle(a, &b->ops, sizeof *p->ops, &p->op_count);
	p->lines = settle(a, &b->lines, sizeof *p->lines, &p->line_count);
	p->torch = tp_torch_in_order(p, b->torch.data, (uint32_t)b->torch.count);
	tp_buf_free(&b->torch);
	p->allocator_events =
		settle(a, &b->allocator_events, sizeof *p->allocator_events, &p->allocator_event_count);
	finish_precomputed(b);
	tp_buf_free(&b->named);
	tp_buf_free(&b->tags);
	for (int i = 0; i < TP_COLUMN_COUNT; i++)
		tp_buf_free(&b->columns[i]);
	tp_build_names(p);
	return p;
}

static uint32_t
add(struct tp_buf *list, size_t size, void **out)
{
	*out = tp_buf_add(list, size);
	return (uint32_t)list->count - 1;
}

uint32_t
tp_build_input(struct tp_builder *b, struct tp_input **out)
{
	return add(&b->inputs, sizeof **out, (void **)out);
}

uint32_t
tp_build_host(struct tp_builder *b, struct tp_host **out)
{
	uint32_t index = add(&b->hosts, sizeof **out, (void **)out);

	(*out)->matrix_unit_share = (*out)->hbm_share = NAN;
	return index;
}

uint32_t
tp_build_device(struct tp_builder *b, struct tp_device **out)
{
	return add(&b->devices, sizeof **out, (void **)out);
}

uint32_t
tp_build_program(struct tp_builder *b, struct tp_program **out)
{
	return add(&b->programs, sizeof **out, (void **)out);
}

uint32_t
tp_build_op(struct tp_builder *b, struct tp_op **out)
{
	return add(&b->ops, sizeof **out, (void **)out);
}

uint32_t
tp_build_op_named(struct tp_builder *b, uint32_t string)
{
	while (b->named.count <= string)
		tp_buf_add(&b->named, sizeof(uint32_t));
	uint32_t *index = (uint32_t *)b->named.data + string;

	if (*index == 0) {
		struct tp_op *op;

		*index = tp_build_op(b, &op) + 1;
		op->name = op->label = tp_string(&b->profile->strings, string);
	}
	return *index - 1;
}

void
tp_unbuild_host(struct tp_builder *b)
{
	b->hosts.count--;
}

struct tp_input *
tp_built_input(struct tp_builder *b, uint32_t index)
{
	return (struct tp_input *)b->inputs.data + index;
}

struct tp_device *
tp_built_device(struct tp_builder *b, uint32_t index)
{
	return (struct tp_device *)b->devices.data + index;
}

uint32_t
tp_built_device_count(const struct tp_builder *b)
{
	return (uint32_t)b->devices.count;
}

struct tp_program *
tp_built_program(struct tp_builder *b, uint32_t index)
{
	return (struct tp_program *)b->programs.data + index;
}

uint32_t
tp_built_host_count(const struct tp_builder *b)
{
	return (uint32_t)b->hosts.count;
}

uint32_t
tp_built_program_count(const struct tp_builder *b)
{
	return (uint32_t)b->programs.count;
}

uint32_t
tp_built_op_count(const struct tp_builder *b)
{
	return (uint32_t)b->ops.count;
}

struct tp_host *
tp_built_host(struct tp_builder *b, uint32_t index)
{
	return (struct tp_host *)b->hosts.data + index;
}

struct tp_op *
tp_built_op(struct tp_builder *b, uint32_t index)
{
	return (struct tp_op *)b->ops.data + index;
}

uint32_t
tp_build_line(struct tp_builder *b, const struct tp_line *line)
{
	*tp_buf_new(&b->lines, struct tp_line) = *line;
	b->profile->event_count += line->count;
	return (uint32_t)b->lines.count - 1;
}

struct tp_torch_trace *
tp_build_torch_trace(struct tp_builder *b)
{
	struct tp_torch_trace *trace = tp_new(b->profile->arena, struct tp_torch_trace);

	*tp_buf_new(&b->torch, struct tp_torch_trace *) = trace;
	return trace;
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

/* The builder: growing lists on the heap. Each is added to and read back while it grows. */
#include "model/builder.h"

#include "base/arena.h"

#include <math.h>

struct tp_builder *
tp_builder_new(struct tp_arena *arena)
{
	struct tp_builder *b = tp_new(arena, struct tp_builder);

	b->profile = tp_new(arena, struct tp_profile);
	b->profile->arena = arena;
	b->profile->events = tp_arena_child(arena);
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
tp_built_line_count(const struct tp_builder *b)
{
	return (uint32_t)b->lines.count;
}

const struct tp_line *
tp_built_line(const struct tp_builder *b, uint32_t index)
{
	return (const struct tp_line *)b->lines.data + index;
}

uint32_t
tp_build_line(struct tp_builder *b, const struct tp_line *line)
{
	*tp_buf_new(&b->lines, struct tp_line) = *line;
	b->profile->event_count += line->count;
	return (uint32_t)b->lines.count - 1;
}

/* VMEM that an instruction takes for itself while it runs: it is in no plan, but in the instruction's backend configuration,
 * "used_scoped_memory_configs":[{"memory_space":"1","offset":"0","size":"25165824"}]. */
#include "analyze/memory/memory.h"

#include "base/arena.h"

static const char key[] = "\"used_scoped_memory_configs\"";

/* What follows a text; empty when it does not occur. */
static struct tp_slice
after(struct tp_slice text, struct tp_slice what)
{
	const char *at = text.len != 0 ? memmem(text.ptr, text.len, what.ptr, what.len) : NULL;

	return at != NULL ? tp_slice_from(text, (size_t)(at - text.ptr) + what.len)
					  : (struct tp_slice){NULL, 0};
}

/* Up to, but without, the next c; the whole text when there is none. */
static struct tp_slice
until(struct tp_slice text, char c)
{
	const char *at = text.len != 0 ? memchr(text.ptr, c, text.len) : NULL;

	return at != NULL ? (struct tp_slice){text.ptr, (size_t)(at - text.ptr)} : text;
}

/* The number of a member "name":"12" (64 bits are texts there) or "name":12; 0 when there is none. */
static uint64_t
member(struct tp_slice object, struct tp_slice name)
{
	struct tp_slice value = after(object, name);
	uint64_t number = 0;
	size_t i = 0;

	while (i < value.len && memchr(": \"", value.ptr[i], 3) != NULL)
		i++;
	for (; i < value.len && value.ptr[i] >= '0' && value.ptr[i] <= '9'; i++) {
		if (__builtin_mul_overflow(number, 10, &number) ||
			__builtin_add_overflow(number, (uint64_t)(value.ptr[i] - '0'), &number))
			return UINT64_MAX;
	}
	return number;
}

static uint64_t
scoped_vmem(struct tp_slice config)
{
	struct tp_slice list = until(after(after(config, tp_slice_of(key)), TP_S("[")), ']');
	uint64_t most = 0;

	while (list.len != 0) {
		struct tp_slice object = until(list, '}');
		uint64_t size = member(object, TP_S("\"size\""));

		if (member(object, TP_S("\"memory_space\"")) == 1 && size > most)
			most = size;
		list = after(tp_slice_from(list, object.len), TP_S("}"));
	}
	return most;
}

void
tp_memory_scoped(
	const struct tp_pass_ctx *ctx, const struct tp_hlo_module *m, struct tp_memory_module *out)
{
	const struct tp_hlo_instruction *most = NULL;

	for (uint32_t i = 0; i < m->instruction_count; i++) {
		uint64_t size = scoped_vmem(m->instructions[i].details->backend_config);

		if (size > out->scoped_bytes) {
			out->scoped_bytes = size;
			most = &m->instructions[i];
		}
	}
	if (most != NULL)
		out->scoped_instruction = tp_arena_copy(ctx->keep, most->name);
}

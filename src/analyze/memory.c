/* Each program is unpacked, walked, and forgotten but for its figures: only one is in memory at a time. */
#include "analyze/memory.h"

#include "analyze/memory_given.h"
#include "analyze/peaks.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/utf8.h"
#include "model/given.h"
#include "model/profile.h"

#include <stdlib.h>

enum { MAIN_MEMORY = 0, MOST_SPACES = 8 };

struct tp_slice
tp_memory_space_name(const struct tp_pass_ctx *ctx, int64_t space)
{
	static const char *const names[] = {
		[0] = "HBM", [1] = "VMEM", [2] = "SMEM", [5] = "host memory"};
	const struct tp_profile *p = ctx->profile;
	bool tpu = false, gpu = false;

	for (uint32_t i = 0; i < p->device_count; i++) {
		tpu |= p->devices[i].kind == TP_DEVICE_TPU;
		gpu |= p->devices[i].kind == TP_DEVICE_GPU;
	}
	if (tpu && space >= 0 && space < (int64_t)(sizeof names / sizeof *names) &&
		names[space] != NULL)
		return tp_slice_of(names[space]);
	if (space == MAIN_MEMORY)
		return gpu ? TP_S("GPU memory") : TP_S("host memory");
	return tp_arena_printf(ctx->keep, "memory space %lld", (long long)space);
}

static int
by_size(const void *left, const void *right)
{
	const struct tp_memory_row *a = left, *b = right;

	if (a->size_bytes != b->size_bytes)
		return a->size_bytes > b->size_bytes ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static struct tp_memory_row
row_of(const struct tp_pass_ctx *ctx, const struct tp_live_buffer *live, uint32_t order)
{
	const struct tp_logical_buffer *b = live->buffer;
	const struct tp_hlo_instruction *i = b->instruction;
	struct tp_memory_row row = {
		.name = TP_S("a buffer of no instruction"),
		.kind = live->kind,
		.size_bytes = live->size_bytes,
		.unpadded_bytes = live->unpadded_bytes,
		.start = live->start,
		.end = live->end,
		.order = order,
		.whole = live->whole,
	};

	if (b->shape != NULL)
		row.shape = tp_shape_text(b->shape, ctx->keep);
	if (i == NULL)
		return row;
	/* The module and its texts are forgotten. */
	row.name = tp_arena_copy(ctx->keep, i->name);
	if (b->part.len != 0)
		row.name = tp_arena_printf(ctx->keep, "%.*s{%.*s}", TP_ARG(i->name), TP_ARG(b->part));
	row.opcode = tp_arena_copy(ctx->keep, i->opcode);
	row.framework = tp_arena_copy(ctx->keep, i->framework);
	if (i->source_file.len != 0)
		row.source =
			tp_arena_printf(ctx->keep, "%.*s:%d", TP_ARG(i->source_file), (int)i->source_line);
	return row;
}

static const uint64_t *
kept(const struct tp_pass_ctx *ctx, const uint64_t *points, size_t count)
{
	uint64_t *copy = tp_new_array(ctx->keep, uint64_t, count);

	memcpy(copy, points, count * sizeof *copy);
	return copy;
}

static void
keep_space(const struct tp_pass_ctx *ctx, int64_t space, const struct tp_memory_walk *w,
	struct tp_memory_space *out)
{
	*out = (struct tp_memory_space){
		.space = space,
		.peak_bytes = w->peak_bytes,
		.peak_unpadded_bytes = w->peak_unpadded_bytes,
		.whole_bytes = w->whole_bytes,
		.allocated_bytes = w->allocated_bytes,
		.peak_position = w->peak_position,
		.event_count = w->event_count,
		.bytes = kept(ctx, w->bytes, w->event_count + 1),
		.unpadded = kept(ctx, w->unpadded, w->event_count + 1),
		.rows = tp_new_array(ctx->keep, struct tp_memory_row, w->at_peak_count),
		.row_count = w->at_peak_count,
	};
	if (w->event_count != 0)
		out->peak_instruction = tp_utf8_clean(ctx->keep, w->instructions[w->peak_position]);
	memcpy(out->kind_bytes, w->kind_bytes, sizeof out->kind_bytes);
	for (uint32_t i = 0; i < w->at_peak_count; i++)
		out->rows[i] = row_of(ctx, &w->at_peak[i], i + 1);
	qsort(out->rows, out->row_count, sizeof *out->rows, by_size);
}

/* The memory spaces of the allocations: the main one first, the others as they come. */
static size_t
spaces_of(const struct tp_buffers *b, int64_t spaces[MOST_SPACES])
{
	size_t count = 1;

	spaces[0] = MAIN_MEMORY;
	for (uint32_t a = 0; a < b->allocation_count; a++) {
		size_t i = 0;

		while (i < count && spaces[i] != b->allocations[a].space)
			i++;
		if (i == count && count < MOST_SPACES)
			spaces[count++] = b->allocations[a].space;
	}
	return count;
}

static enum tp_status
read_program(const struct tp_pass_ctx *ctx, uint32_t program, struct tp_arena *unpacked,
	struct tp_memory_module *out, struct tp_err *err)
{
	const struct tp_given_plan *plan = tp_memory_given_plan(ctx, program);

	if (plan != NULL && plan->hlo.len == 0) {
		tp_memory_from_given(ctx, plan, out);
		return TP_OK;
	}
	struct tp_slice hlo = ctx->profile->programs[program].hlo;
	const struct tp_hlo_module *module;
	const struct tp_buffers *buffers;
	int64_t spaces[MOST_SPACES];
	enum tp_status status = tp_hlo_read(hlo, unpacked, &module, err);

	if (status == TP_OK)
		status = tp_buffers_read(hlo, module, unpacked, &buffers, err);
	if (status != TP_OK)
		return status;
	size_t count = spaces_of(buffers, spaces);

	out->program = program;
	out->spaces = tp_new_array(ctx->keep, struct tp_memory_space, count);
	for (size_t i = 0; i < count; i++) {
		struct tp_memory_walk walk;

		if (tp_memory_walk(buffers, spaces[i], unpacked, &walk))
			keep_space(ctx, spaces[i], &walk, &out->spaces[out->space_count++]);
	}
	return out->space_count != 0
		? TP_OK
		: tp_fail(err, TP_ABSENT, "the program's plan holds no allocation");
}

const struct tp_memory_space *
tp_memory_main(const struct tp_memory_module *m)
{
	return m->spaces[0].space == MAIN_MEMORY ? &m->spaces[0] : NULL;
}

static uint64_t
main_peak(const struct tp_memory_module *m)
{
	const struct tp_memory_space *s = tp_memory_main(m);

	return s != NULL ? s->peak_bytes : 0;
}

static int
by_peak(const void *left, const void *right)
{
	const struct tp_memory_module *a = left, *b = right;

	if (main_peak(a) != main_peak(b))
		return main_peak(a) > main_peak(b) ? -1 : 1;
	return a->program < b->program ? -1 : a->program > b->program;
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_memory *m = tp_new(ctx->keep, struct tp_memory);
	struct tp_map seen;

	tp_map_init(&seen, ctx->scratch);
	m->modules = tp_new_array(ctx->keep, struct tp_memory_module, p->program_count);
	for (uint32_t i = 0; i < p->program_count; i++) {
		uint64_t key = tp_hash_pair(p->programs[i].id, tp_hash_bytes(p->programs[i].name));

		/* Every host of a run carries the same programs. */
		if (tp_map_get(&seen, key) != TP_MAP_NONE)
			continue;
		tp_map_put(&seen, key, i);
		struct tp_arena *unpacked = tp_arena_new();
		enum tp_status status = read_program(ctx, i, unpacked, &m->modules[m->count], err);

		tp_arena_free(unpacked);
		m->count += status == TP_OK;
		m->without_plan += status == TP_ABSENT;
		m->damaged += status != TP_OK && status != TP_ABSENT;
	}
	if (m->count == 0)
		return tp_fail(err, TP_ABSENT,
			m->damaged != 0 ? "the HLO of the programs is damaged"
							: "the programs of the profile carry no buffer assignment");
	qsort(m->modules, m->count, sizeof *m->modules, by_peak);
	*result = m;
	return TP_OK;
}

static const struct tp_pass *const after[] = {&tp_pass_peaks, NULL};

const struct tp_pass tp_pass_memory = {
	.name = "memory-viewer",
	.title = "Memory",
	.summary = "what each program's memory plan needs at its peak, and how much of it is padding",
	.needs_all = TP_HAS_PROGRAMS,
	.after = after,
	.place = TP_PLACE_MEMORY,
	.analyze = analyze,
	.metrics = tp_memory_metrics,
	.present = tp_memory_present,
};

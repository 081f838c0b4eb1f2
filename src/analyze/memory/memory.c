/* Each program is unpacked, walked, and forgotten but for its figures: only one is in memory at a time. */
#include "analyze/memory/memory.h"
#include "analyze/core/pass.h"

#include "analyze/core/lack_words.h"
#include "analyze/facts/peaks.h"
#include "analyze/memory/memory_precomputed.h"
#include "base/arena.h"
#include "base/map.h"
#include "model/precomputed.h"
#include "model/profile.h"

#include <stdlib.h>

enum { MAIN_MEMORY = 0, MOST_SPACES = 8 };

struct tp_slice
tp_memory_space_name(const struct tp_pass_ctx *ctx, const struct tp_memory_module *m, int64_t space)
{
	static const char *const names[] = {
		[0] = "HBM", [1] = "VMEM", [2] = "SMEM", [5] = "host memory"};
	const struct tp_profile *p = ctx->profile;
	bool tpu = false, gpu = false;

	for (uint32_t i = 0; i < p->device_count; i++) {
		tpu |= p->devices[i].kind == TP_DEVICE_TPU;
		gpu |= p->devices[i].kind == TP_DEVICE_GPU;
	}
	/* A program on its own does not say where it ran. */
	tpu |= m->tiled && p->device_count == 0;
	if (tpu && space >= 0 && space < (int64_t)(sizeof names / sizeof *names) &&
		names[space] != NULL)
		return tp_slice_of(names[space]);
	if (space == MAIN_MEMORY)
		return gpu                ? TP_S("GPU memory")
			: p->event_count != 0 ? TP_S("host memory")
								  : TP_S("main memory");
	return tp_arena_printf(ctx->keep, "memory space %lld", (long long)space);
}

struct spaces {
	int64_t at[MOST_SPACES];
	size_t count;
};

static void
add_space(struct spaces *s, int64_t space)
{
	for (size_t i = 0; i < s->count; i++) {
		if (s->at[i] == space)
			return;
	}
	if (s->count < MOST_SPACES)
		s->at[s->count++] = space;
}

/* The memory spaces of allocations and of buffers that come and go: the main one first, the others as they come. */
static struct spaces
spaces_of(const struct tp_buffers *b)
{
	struct spaces s = {.at = {MAIN_MEMORY}, .count = 1};

	for (uint32_t a = 0; a < b->allocation_count; a++)
		add_space(&s, b->allocations[a].space);
	for (uint32_t i = 0; i < b->buffer_count; i++)
		add_space(&s, b->buffers[i].space);
	return s;
}

static bool
any_tiled(const struct tp_hlo_module *m)
{
	for (uint32_t i = 0; i < m->instruction_count; i++) {
		if (tp_shape_tiled(&m->instructions[i].shape))
			return true;
	}
	return false;
}

static enum tp_status
read_program(const struct tp_pass_ctx *ctx, uint32_t program, struct tp_arena *unpacked,
	struct tp_memory_module *out, struct tp_err *err)
{
	const struct tp_precomputed_plan *plan = tp_memory_precomputed_plan(ctx, program);

	if (plan != NULL && plan->hlo.len == 0) {
		tp_memory_from_precomputed(ctx, plan, out);
		return TP_OK;
	}
	struct tp_slice hlo = ctx->profile->programs[program].hlo;
	const struct tp_hlo_module *module;
	const struct tp_buffers *buffers;
	enum tp_status status = tp_hlo_read(hlo, unpacked, &module, err);

	if (status == TP_OK)
		status = tp_buffers_read(hlo, module, unpacked, &buffers, err);
	if (status != TP_OK)
		return status;
	struct spaces spaces = spaces_of(buffers);

	*out = (struct tp_memory_module){.program = program, .tiled = any_tiled(module)};
	tp_memory_scoped(ctx, module, out);
	out->spaces = tp_new_array(ctx->keep, struct tp_memory_space, spaces.count);
	for (size_t i = 0; i < spaces.count; i++) {
		struct tp_memory_walk walk;

		if (tp_memory_walk(buffers, spaces.at[i], unpacked, &walk))
			tp_memory_keep(ctx, spaces.at[i], &walk, &out->spaces[out->space_count++]);
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
	m->damaged = tp_new_array(ctx->keep, struct tp_memory_damage, p->program_count);
	for (uint32_t i = 0; i < p->program_count; i++) {
		uint64_t key = tp_hash_pair(p->programs[i].id, tp_hash_bytes(p->programs[i].name));

		/* Every host of a run carries the same programs. */
		if (tp_map_get(&seen, key) != TP_MAP_NONE)
			continue;
		struct tp_arena *unpacked = tp_arena_new();
		enum tp_status status = read_program(ctx, i, unpacked, &m->modules[m->count], err);

		tp_arena_free(unpacked);
		/* Of programs with one name and id the first counts that has a plan. */
		if (status == TP_OK)
			tp_map_put(&seen, key, i);
		m->count += status == TP_OK;
		m->without_plan += status == TP_ABSENT;
		if (status != TP_OK && status != TP_ABSENT)
			m->damaged[m->damaged_count++] = (struct tp_memory_damage){
				p->programs[i].name, tp_arena_printf(ctx->keep, "%s", err->text)};
	}
	if (m->count == 0)
		return tp_fail(err, TP_ABSENT,
			m->damaged_count != 0 ? "the HLO of the programs is damaged"
								  : "the programs of the profile carry no buffer assignment");
	qsort(m->modules, m->count, sizeof *m->modules, by_peak);
	*result = m;
	return TP_OK;
}

static const struct tp_pass *const after[] = {&tp_pass_peaks, NULL};

static const struct tp_lack lacks[] = {
	{"memory-plan", "The memory plan of each program: its peak and what is live then",
		TP_LACK_TIMED, .jax = TP_LACK_HLO_JAX, .tensorflow = TP_LACK_HLO_TENSORFLOW,
		.any = TP_LACK_HLO},
	{0},
};

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
	.lacks = lacks,
};

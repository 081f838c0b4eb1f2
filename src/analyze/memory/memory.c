/* Each program is unpacked, walked, and forgotten but for its figures: only one is in memory at a time. Headline figures are of
 * the program with the largest peak, and of each by name and by id. */
#include "analyze/memory/memory.h"
#include "analyze/core/pass.h"

#include "analyze/core/lack_words.h"
#include "analyze/facts/peaks.h"
#include "analyze/memory/memory_words.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/order.h"
#include "model/precomputed.h"
#include "model/profile.h"
#include "report/doc.h"
#include "report/scope.h"

#include <stdlib.h>

enum { MOST_SPACES = 8 };

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
	struct spaces s = {.at = {TP_MEMORY_MAIN}, .count = 1};

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

/* VMEM that an instruction takes for itself while it runs: it is in no plan, but in the instruction's backend configuration,
 * "used_scoped_memory_configs":[{"memory_space":"1","offset":"0","size":"25165824"}]. */
static const char scoped_key[] = "\"used_scoped_memory_configs\"";

/* What follows a text; empty when it does not occur. */
static struct tp_slice
behind(struct tp_slice text, struct tp_slice what)
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
	struct tp_slice value = behind(object, name);
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
scoped_bytes(struct tp_slice config)
{
	struct tp_slice list = until(behind(behind(config, tp_slice_of(scoped_key)), TP_S("[")), ']');
	uint64_t most = 0;

	while (list.len != 0) {
		struct tp_slice object = until(list, '}');
		uint64_t size = member(object, TP_S("\"size\""));

		if (member(object, TP_S("\"memory_space\"")) == 1 && size > most)
			most = size;
		list = behind(tp_slice_from(list, object.len), TP_S("}"));
	}
	return most;
}

static void
find_scoped(
	const struct tp_pass_ctx *ctx, const struct tp_hlo_module *m, struct tp_memory_module *out)
{
	const struct tp_hlo_instruction *most = NULL;

	for (uint32_t i = 0; i < m->instruction_count; i++) {
		uint64_t size = scoped_bytes(m->instructions[i].details->backend_config);

		if (size > out->scoped_bytes) {
			out->scoped_bytes = size;
			most = &m->instructions[i];
		}
	}
	if (most != NULL)
		out->scoped_instruction = tp_arena_copy(ctx->keep, most->name);
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
	find_scoped(ctx, module, out);
	out->spaces = tp_new_array(ctx->keep, struct tp_memory_space, spaces.count);
	for (size_t i = 0; i < spaces.count; i++) {
		struct tp_memory_walk walk;

		if (tp_memory_walk(buffers, spaces.at[i], unpacked, &walk))
			tp_memory_keep(ctx, spaces.at[i], &walk, &out->spaces[out->space_count++]);
	}
	return out->space_count != 0 ? TP_OK : tp_fail(err, TP_ABSENT, why_no_allocations);
}

static uint64_t
main_peak(const struct tp_memory_module *m)
{
	const struct tp_memory_space *s = tp_memory_main(m);

	return s != NULL ? s->peak_bytes : 0;
}

TP_ORDER(by_peak, struct tp_memory_module,
	(main_peak(a) < main_peak(b)) - (main_peak(a) > main_peak(b)), TP_UP(program));

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
		if (status != TP_OK && status != TP_ABSENT)
			m->damaged[m->damaged_count++] = (struct tp_memory_damage){
				p->programs[i].name, tp_arena_printf(ctx->keep, "%s", err->text)};
	}
	if (m->count == 0)
		return tp_fail(err, TP_ABSENT, m->damaged_count != 0 ? why_damaged : why_no_assignment);
	qsort(m->modules, m->count, sizeof *m->modules, by_peak);
	*result = m;
	return TP_OK;
}

/* Figures of single programs: of so many at most, the largest first. */
enum { MOST_SCOPED = 1000 };

static const char peak_how[] =
	"the compiler's heap simulation replayed, plus what is always live; of the program with the "
	"largest peak";

struct figures {
	struct tp_value peak, unpadded, position;
};

static struct figures
figures_of(const struct tp_memory_space *s, struct tp_slice none)
{
	if (s == NULL)
		return (struct figures){tp_missing(none), tp_missing(none), tp_missing(none)};
	return (struct figures){
		tp_bytes(s->peak_bytes), tp_bytes(s->peak_unpadded_bytes), tp_count(s->peak_position)};
}

static struct tp_value
scoped_vmem(const struct tp_memory_module *m)
{
	return m->scoped_bytes != 0 ? tp_bytes(m->scoped_bytes) : tp_missing(TP_S(why_no_vmem));
}

static void
scoped(struct tp_doc *doc, struct tp_scope scope, const struct tp_memory_module *m)
{
	struct figures f = figures_of(tp_memory_main(m), TP_S(why_no_main));

	tp_doc_metric_for(doc, "memory.peak_bytes", scope, f.peak, TP_S(""));
	tp_doc_metric_for(doc, "memory.peak_unpadded_bytes", scope, f.unpadded, TP_S(""));
	tp_doc_metric_for(doc, "memory.peak_position", scope, f.position, TP_S(""));
	tp_doc_metric_for(doc, "memory.scoped_vmem_bytes", scope, scoped_vmem(m), TP_S(""));
}

/* By name, where the largest of several with one name stands for it, and by id. */
static void
scoped_metrics(const struct tp_pass_ctx *ctx, const struct tp_memory *m, struct tp_doc *doc)
{
	struct tp_map names, ids;

	tp_map_init(&names, ctx->scratch);
	tp_map_init(&ids, ctx->scratch);
	for (size_t i = 0; m != NULL && i < m->count && i < MOST_SCOPED; i++) {
		const struct tp_program *p = &ctx->profile->programs[m->modules[i].program];
		uint32_t number;

		if (tp_map_number(&names, tp_hash_bytes(p->name), &number))
			scoped(doc, (struct tp_scope){.module = p->name}, &m->modules[i]);
		if (tp_map_number(&ids, p->id, &number))
			scoped(doc,
				(struct tp_scope){
					.program = tp_arena_printf(ctx->keep, "%llu", (unsigned long long)p->id)},
				&m->modules[i]);
	}
}

static void
metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_memory *m = result;
	const struct tp_memory_space *top = m != NULL ? tp_memory_main(&m->modules[0]) : NULL;
	struct tp_slice none = m == NULL ? tp_skipped_itself(ctx) : TP_S(why_none_main);
	struct tp_slice coverage =
		top != NULL ? ctx->profile->programs[m->modules[0].program].name : TP_S("");
	struct figures f = figures_of(top, none);
	struct tp_value capacity = tp_peak_value(ctx, TP_PEAK_CAPACITY), share = capacity;

	if (top == NULL)
		share = tp_missing(none);
	else if (tp_known(capacity))
		share = tp_share(
			(double)top->peak_bytes, tp_value_in(capacity, TP_UNIT_BYTES), TP_S(why_no_capacity));
	tp_doc_metric(doc, TP_S("memory.peak_bytes"), "Memory at the peak", f.peak,
		tp_slice_of(peak_how), coverage);
	tp_doc_metric(doc, TP_S("memory.peak_unpadded_bytes"), "Memory at the peak without padding",
		f.unpadded, TP_S("Σ over live buffers of the product of dimensions × element size"),
		coverage);
	tp_doc_metric(doc, TP_S("memory.peak_position"), "Position of the peak", f.position,
		TP_S("zero-based index of the heap-simulation event that reaches it"), coverage);
	tp_doc_metric(doc, TP_S("memory.peak_share"), "Memory at the peak, share of the device's",
		share, TP_S("memory.peak_bytes over memory.capacity_bytes"), coverage);
	tp_doc_metric(doc, TP_S("memory.scoped_vmem_bytes"), "VMEM of a single instruction",
		m != NULL ? scoped_vmem(&m->modules[0]) : tp_missing(none),
		TP_S("the most VMEM that one instruction needs while it runs, from its backend "
			 "configuration"),
		coverage);
	tp_doc_metric_scopes(doc, "memory.scoped_vmem_bytes", "@module, @program");
	tp_doc_metric_scopes(doc, "memory.peak_bytes", "@module, @program");
	tp_doc_metric_scopes(doc, "memory.peak_unpadded_bytes", "@module, @program");
	tp_doc_metric_scopes(doc, "memory.peak_position", "@module, @program");
	scoped_metrics(ctx, m, doc);
}

const struct tp_pass tp_pass_memory = {
	.name = "memory-viewer",
	.title = "Memory",
	.summary = "each program's memory plan at its peak, and how much of it is padding",
	.needs_all = TP_HAS_PROGRAMS,
	.after = TP_AFTER(&tp_pass_peaks),
	.place = TP_PLACE_MEMORY,
	.analyze = analyze,
	.metrics = metrics,
	.present = tp_memory_present,
	.lacks = TP_LACKS({"memory-plan",
		"The memory plan of each program: its peak and what is live then", TP_LACK_TIMED,
		.jax = TP_LACK_HLO_JAX, .tensorflow = TP_LACK_HLO_TENSORFLOW, .any = TP_LACK_HLO}),
};

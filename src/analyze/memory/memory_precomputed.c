/* Memory plans as tool files give them: the profiler's figures of a program as a module like those that are worked out. */
#include "analyze/memory/memory.h"

#include "analyze/facts/precomputed.h"
#include "base/arena.h"
#include "base/order.h"
#include "model/precomputed.h"
#include "model/profile.h"
#include "report/doc.h"

#include <math.h>
#include <stdlib.h>

const struct tp_precomputed_plan *
tp_memory_precomputed_plan(const struct tp_pass_ctx *ctx, uint32_t program)
{
	const struct tp_precomputed *g = ctx->profile->precomputed;

	for (size_t i = 0; g != NULL && i < g->plan_count; i++) {
		if (g->plans[i]->program == program)
			return g->plans[i];
	}
	return NULL;
}

/* Whole bytes: the file has them in MiB, as a fraction that is exact. */
static uint64_t
bytes_of(double mib)
{
	double bytes = round(mib * 0x1p20);

	return bytes >= 0 && bytes < 0x1p62 ? (uint64_t)bytes : 0;
}

static enum tp_buffer_kind
kind_of(struct tp_slice category)
{
	static const struct {
		const char *name;
		enum tp_buffer_kind kind;
	} kinds[] = {
		{"Parameter", TP_BUFFER_PARAMETER},
		{"Output", TP_BUFFER_OUTPUT},
		{"Thread-local", TP_BUFFER_THREAD_LOCAL},
		{"Constant", TP_BUFFER_CONSTANT},
		{"Temporary", TP_BUFFER_TEMPORARY},
	};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (tp_slice_eq(category, tp_slice_of(kinds[i].name)))
			return kinds[i].kind;
	}
	return TP_BUFFER_SEVERAL;
}

TP_ORDER(by_size, struct tp_memory_row, TP_DOWN(size_bytes), TP_UP(order));

static void
keep_padded(const struct tp_pass_ctx *ctx, struct tp_memory_space *s)
{
	uint64_t *padding = tp_new_array(ctx->scratch, uint64_t, s->row_count);
	size_t few[TP_MEMORY_FEW];

	for (size_t i = 0; i < s->row_count; i++) {
		const struct tp_memory_row *row = &s->rows[i];

		padding[i] =
			row->size_bytes > row->unpadded_bytes ? row->size_bytes - row->unpadded_bytes : 0;
	}
	s->padded_count = tp_memory_few(padding, s->row_count, few);
	for (size_t i = 0; i < s->padded_count; i++)
		s->padded[i] = s->rows[few[i]];
}

/* Only TPUs lay arrays out in tiles. */
static bool
is_tiled(const struct tp_memory_space *s)
{
	for (size_t i = 0; i < s->row_count; i++) {
		if (tp_slice_has(s->rows[i].shape, TP_S(":T(")))
			return true;
	}
	return false;
}

static void
add_rows(const struct tp_pass_ctx *ctx, const struct tp_precomputed_plan *plan,
	struct tp_memory_space *s)
{
	s->rows = tp_new_array(ctx->keep, struct tp_memory_row, plan->buffer_count);
	s->row_count = plan->buffer_count;
	for (size_t i = 0; i < plan->buffer_count; i++) {
		const struct tp_precomputed_buffer *b = &plan->buffers[i];

		s->rows[i] = (struct tp_memory_row){
			.name = b->name,
			.shape = b->shape,
			.opcode = b->opcode,
			.framework = b->framework,
			.source = b->source,
			.kind = kind_of(b->category),
			.size_bytes = bytes_of(b->mib),
			.unpadded_bytes = bytes_of(b->unpadded_mib),
			.start = b->start,
			.end = b->end,
			.order = (uint32_t)i + 1,
			.whole = b->whole,
		};
	}
	if (s->row_count != 0)
		qsort(s->rows, s->row_count, sizeof *s->rows, by_size);
	tp_memory_frees(ctx, s, s->rows, s->row_count);
	keep_padded(ctx, s);
}

static const uint64_t *
curve(const struct tp_pass_ctx *ctx, const double *mib, size_t count)
{
	uint64_t *bytes = tp_new_array(ctx->keep, uint64_t, count);

	for (size_t i = 0; i < count; i++)
		bytes[i] = bytes_of(mib[i]);
	return bytes;
}

void
tp_memory_from_precomputed(const struct tp_pass_ctx *ctx, const struct tp_precomputed_plan *plan,
	struct tp_memory_module *out)
{
	struct tp_memory_space *s = tp_new(ctx->keep, struct tp_memory_space);

	*s = (struct tp_memory_space){
		.precomputed = true,
		.peak_bytes = bytes_of(plan->peak_mib),
		.peak_unpadded_bytes = bytes_of(plan->unpadded_mib),
		.whole_bytes = bytes_of(plan->whole_mib),
		.allocated_bytes = bytes_of(plan->allocated_mib),
		.peak_position = plan->peak_position,
		.peak_instruction = plan->peak_instruction,
		.event_count = plan->event_count,
	};
	if (plan->event_count != 0) {
		s->bytes = curve(ctx, plan->mib, plan->event_count + (size_t)1);
		s->unpadded = curve(ctx, plan->unpadded, plan->event_count + (size_t)1);
	}
	s->kind_bytes[TP_BUFFER_PARAMETER] = bytes_of(plan->parameter_mib);
	add_rows(ctx, plan, s);
	*out = (struct tp_memory_module){
		.program = plan->program, .tiled = is_tiled(s), .spaces = s, .space_count = 1};
}

bool
tp_memory_precomputed_present(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_precomputed *g = tp_precomputed(ctx);
	struct tp_slice figures = TP_S(""), hlo = TP_S("");

	for (size_t i = 0; g != NULL && i < g->plan_count; i++) {
		const struct tp_precomputed_plan *plan = g->plans[i];
		struct tp_slice *list = plan->hlo.len != 0 ? &hlo : &figures;

		if (plan->program != TP_NONE)
			*list = tp_arena_printf(ctx->keep, "%.*s%s%.*s", TP_ARG(*list),
				list->len != 0 ? ", " : "", TP_ARG(plan->from));
	}
	if (figures.len != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "memory/given",
			TP_SAY(doc,
				"Peaks, buffers and lifetimes of `{}` are the profiler's own figures, taken as "
				"they are: without padding it counts what is live all the time with its padding, "
				"and buffers below 16 KiB as one.",
				tp_text_value(figures)));
	if (figures.len == 0 && hlo.len == 0)
		return false;
	if (hlo.len != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SOURCE, "memory/source",
			TP_SAY(doc, "HLO and buffer assignment, left by the profiler in `{}`.",
				tp_text_value(hlo)));
	if (figures.len != 0)
		tp_precomputed_source(ctx, doc, section, "memory/source-given", figures);
	return true;
}

double
tp_memory_precomputed_peak(const struct tp_precomputed_plan *plan)
{
	struct tp_arena *arena;
	const struct tp_hlo_module *module;
	const struct tp_buffers *buffers;
	struct tp_memory_walk walk;
	struct tp_err err;
	double peak = NAN;

	if (plan->hlo.len == 0)
		return plan->peak_mib * 0x1p20;
	arena = tp_arena_new();
	if (tp_hlo_read(plan->hlo, arena, &module, &err) == TP_OK &&
		tp_buffers_read(plan->hlo, module, arena, &buffers, &err) == TP_OK &&
		tp_memory_walk(buffers, 0, arena, &walk))
		peak = (double)walk.peak_bytes;
	tp_arena_free(arena);
	return peak;
}

/* What is kept of a program's plan: its curve, and the largest of the buffers at its peak as rows. Tool files give some plans as the
 * profiler's own figures: they become the same. */
#include "analyze/memory/memory.h"

#include "analyze/facts/op_times.h"
#include "analyze/facts/precomputed.h"
#include "analyze/memory/memory_words.h"
#include "base/arena.h"
#include "base/order.h"
#include "base/saturate.h"
#include "base/utf8.h"
#include "model/precomputed.h"
#include "model/profile.h"
#include "report/doc.h"

#include <math.h>
#include <stdlib.h>
#include <strings.h>

/* A plan may hold some hundred thousand buffers at its peak: the rest of them is summed up, unless all rows are asked for. */
enum { MOST_ROWS = 1000 };

/* A buffer at the peak, with what it is sorted by. */
struct candidate {
	const struct tp_live_buffer *live;
	uint32_t order; /* from 1, in program order */
};

TP_ORDER(by_size, struct candidate, TP_DOWN(live->size_bytes), TP_UP(order));

/* By how much the peak of a space would fall without each of these rows, into the rows. A buffer that comes with event s and goes
 * with event e is part of points s + 1 … e: what is needed at the others stays. */
static void
find_frees(const struct tp_pass_ctx *ctx, const struct tp_memory_space *s)
{
	size_t points = s->bytes != NULL ? (size_t)s->event_count + 1 : 0;
	/* The largest use before each point, and from each point on. */
	uint64_t *before = tp_new_array(ctx->scratch, uint64_t, points + 2);
	uint64_t *from = tp_new_array(ctx->scratch, uint64_t, points + 2);

	for (size_t i = 0; i < points; i++)
		before[i + 1] = s->bytes[i] > before[i] ? s->bytes[i] : before[i];
	for (size_t i = points; i-- > 0;)
		from[i] = s->bytes[i] > from[i + 1] ? s->bytes[i] : from[i + 1];
	for (size_t i = 0; i < s->row_count; i++) {
		struct tp_memory_row *row = &s->rows[i];
		uint64_t rest = s->peak_bytes > row->size_bytes ? s->peak_bytes - row->size_bytes : 0;
		size_t start = (size_t)row->start + 1, end = (size_t)row->end + 1;

		if (!row->whole && start <= points && before[start] > rest)
			rest = before[start];
		if (!row->whole && end < points && from[end] > rest)
			rest = from[end];
		row->frees_bytes = s->peak_bytes > rest ? s->peak_bytes - rest : 0;
	}
}

size_t
tp_memory_few(const uint64_t *values, size_t count, size_t few[static TP_MEMORY_FEW])
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++) {
		size_t at = found;

		while (at > 0 && values[few[at - 1]] < values[i])
			at--;
		if (values[i] == 0 || at == TP_MEMORY_FEW)
			continue;
		found += found < TP_MEMORY_FEW;
		for (size_t k = found - 1; k > at; k--)
			few[k] = few[k - 1];
		few[at] = i;
	}
	return found;
}

static struct tp_memory_row
row_of(const struct tp_pass_ctx *ctx, const struct candidate *c)
{
	const struct tp_live_buffer *live = c->live;
	const struct tp_logical_buffer *b = live->buffer;
	const struct tp_hlo_instruction *i = b->instruction;
	struct tp_memory_row row = {
		.name = TP_S(text_no_instruction),
		.kind = live->kind,
		.size_bytes = live->size_bytes,
		.unpadded_bytes = live->unpadded_bytes,
		.start = live->start,
		.end = live->end,
		.order = c->order,
		.whole = live->whole,
	};

	if (b->shape != NULL)
		row.shape = tp_shape_text(b->shape, ctx->keep);
	if (i == NULL)
		return row;
	/* The module and its texts are forgotten. */
	row.name = i->name.len != 0 ? tp_arena_copy(ctx->keep, i->name) : TP_S("(no name)");
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

/* The few with the most padding, which need not be among the largest. */
static void
keep_padded(
	const struct tp_pass_ctx *ctx, const struct tp_memory_walk *w, struct tp_memory_space *out)
{
	uint64_t *padding = tp_new_array(ctx->scratch, uint64_t, w->at_peak_count);
	size_t few[TP_MEMORY_FEW];

	for (uint32_t i = 0; i < w->at_peak_count; i++)
		padding[i] = tp_memory_padding(w->at_peak[i].size_bytes, w->at_peak[i].unpadded_bytes);
	out->padded_count = tp_memory_few(padding, w->at_peak_count, few);
	for (size_t i = 0; i < out->padded_count; i++)
		out->padded[i] =
			row_of(ctx, &(struct candidate){&w->at_peak[few[i]], (uint32_t)few[i] + 1});
}

static void
keep_rows(
	const struct tp_pass_ctx *ctx, const struct tp_memory_walk *w, struct tp_memory_space *out)
{
	struct candidate *all = tp_new_array(ctx->scratch, struct candidate, w->at_peak_count);
	size_t most = ctx->options->top > MOST_ROWS ? ctx->options->top : MOST_ROWS;

	for (uint32_t i = 0; i < w->at_peak_count; i++)
		all[i] = (struct candidate){&w->at_peak[i], i + 1};
	qsort(all, w->at_peak_count, sizeof *all, by_size);
	out->row_count = w->at_peak_count < most ? w->at_peak_count : most;
	out->rows = tp_new_array(ctx->keep, struct tp_memory_row, out->row_count);
	for (size_t i = 0; i < out->row_count; i++)
		out->rows[i] = row_of(ctx, &all[i]);
	for (size_t i = out->row_count; i < w->at_peak_count; i++) {
		out->smaller_count++;
		out->smaller_bytes = tp_plus(out->smaller_bytes, all[i].live->size_bytes);
		out->smaller_unpadded_bytes =
			tp_plus(out->smaller_unpadded_bytes, all[i].live->unpadded_bytes);
	}
	find_frees(ctx, out);
	keep_padded(ctx, w, out);
}

void
tp_memory_keep(const struct tp_pass_ctx *ctx, int64_t space, const struct tp_memory_walk *w,
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
		.bytes = kept(ctx, w->bytes, (size_t)w->event_count + 1),
		.unpadded = kept(ctx, w->unpadded, (size_t)w->event_count + 1),
	};
	if (w->event_count != 0)
		out->peak_instruction = tp_utf8_clean(ctx->keep, w->instructions[w->peak_position]);
	memcpy(out->kind_bytes, w->kind_bytes, sizeof out->kind_bytes);
	keep_rows(ctx, w, out);
}

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
	for (enum tp_buffer_kind k = 0; k < TP_BUFFER_SEVERAL; k++) {
		struct tp_slice name = tp_slice_of(tp_buffer_kind_names[k]);

		if (category.len == name.len && strncasecmp(category.ptr, name.ptr, name.len) == 0)
			return k;
	}
	return TP_BUFFER_SEVERAL;
}

TP_ORDER(rows_by_size, struct tp_memory_row, TP_DOWN(size_bytes), TP_UP(order));

static void
keep_padded_rows(const struct tp_pass_ctx *ctx, struct tp_memory_space *s)
{
	uint64_t *padding = tp_new_array(ctx->scratch, uint64_t, s->row_count);
	size_t few[TP_MEMORY_FEW];

	for (size_t i = 0; i < s->row_count; i++)
		padding[i] = tp_memory_padding(s->rows[i].size_bytes, s->rows[i].unpadded_bytes);
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
	qsort(s->rows, s->row_count, sizeof *s->rows, rows_by_size);
	find_frees(ctx, s);
	keep_padded_rows(ctx, s);
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
	size_t count = 0;

	for (size_t i = 0; g != NULL && i < g->plan_count; i++) {
		const struct tp_precomputed_plan *plan = g->plans[i];
		struct tp_slice *list = plan->hlo.len != 0 ? &hlo : &figures;

		if (plan->program == TP_NONE)
			continue;
		count += list == &figures;
		*list = tp_arena_printf(
			ctx->keep, "%.*s%s%.*s", TP_ARG(*list), list->len != 0 ? ", " : "", TP_ARG(plan->from));
	}
	if (figures.len != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "memory/given",
			TP_SAY(doc, count == 1 ? text_given_one : text_given,
				count == 1 ? tp_text_value(figures)
						   : tp_say_number(ctx, count, "file of the memory viewer",
								 "files of the memory viewer")));
	if (figures.len == 0 && hlo.len == 0)
		return false;
	if (hlo.len != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SOURCE, "memory/source",
			TP_SAY(doc, source_left, tp_text_value(hlo)));
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

/* What is kept of a program's walk: its curve, and the largest of the buffers at its peak as rows. */
#include "analyze/memory/memory.h"

#include "analyze/facts/op_times.h"
#include "base/arena.h"
#include "base/order.h"
#include "base/utf8.h"

#include <stdlib.h>

/* A plan may hold some hundred thousand buffers at its peak: the rest of them is summed up, unless all rows are asked for. */
enum { MOST_ROWS = 1000 };

/* A buffer at the peak, with what it is sorted by. */
struct candidate {
	const struct tp_live_buffer *live;
	uint32_t order; /* from 1, in program order */
};

TP_ORDER(by_size, struct candidate, TP_DOWN(live->size_bytes), TP_UP(order));

static uint64_t
padding_of(const struct tp_live_buffer *b)
{
	return b->size_bytes > b->unpadded_bytes ? b->size_bytes - b->unpadded_bytes : 0;
}

/* A buffer that comes with event s and goes with event e is part of points s + 1 … e: what is needed at the others stays. */
void
tp_memory_frees(const struct tp_pass_ctx *ctx, const struct tp_memory_space *s,
	struct tp_memory_row *rows, size_t count)
{
	size_t points = s->bytes != NULL ? (size_t)s->event_count + 1 : 0;
	/* The largest use before each point, and from each point on. */
	uint64_t *before = tp_new_array(ctx->scratch, uint64_t, points + 2);
	uint64_t *from = tp_new_array(ctx->scratch, uint64_t, points + 2);

	for (size_t i = 0; i < points; i++)
		before[i + 1] = s->bytes[i] > before[i] ? s->bytes[i] : before[i];
	for (size_t i = points; i-- > 0;)
		from[i] = s->bytes[i] > from[i + 1] ? s->bytes[i] : from[i + 1];
	for (size_t i = 0; i < count; i++) {
		struct tp_memory_row *row = &rows[i];
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
		.name = TP_S("a buffer of no instruction"),
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
		padding[i] = padding_of(&w->at_peak[i]);
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
	if (w->at_peak_count != 0)
		qsort(all, w->at_peak_count, sizeof *all, by_size);
	out->row_count = w->at_peak_count < most ? w->at_peak_count : most;
	out->rows = tp_new_array(ctx->keep, struct tp_memory_row, out->row_count);
	for (size_t i = 0; i < out->row_count; i++)
		out->rows[i] = row_of(ctx, &all[i]);
	for (size_t i = out->row_count; i < w->at_peak_count; i++) {
		out->smaller_count++;
		out->smaller_bytes = tp_add_cost(out->smaller_bytes, all[i].live->size_bytes);
		out->smaller_unpadded_bytes =
			tp_add_cost(out->smaller_unpadded_bytes, all[i].live->unpadded_bytes);
	}
	tp_memory_frees(ctx, out, out->rows, out->row_count);
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

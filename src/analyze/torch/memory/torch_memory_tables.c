/* The tables of one device: what was live at the peak, each step, each operator, the largest pieces. */
#include "analyze/core/say.h"
#include "analyze/torch/memory/torch_memory.h"
#include "analyze/torch/memory/torch_memory_words.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"
#include "report/draft.h"

/* Rows of a table: where there are more, its caption says how many. */
enum { MOST_OPERATORS = 500, MOST_STEP_ROWS = 1000, MOST_OF_STEP = 25 };

static struct tp_value
total(int64_t count)
{
	return count >= 0 ? tp_integer(count, TP_UNIT_BYTES)
					  : tp_missing(TP_S(why_no_allocated_totals));
}

#define TIME_COLUMN(key, title) TP_COLUMN(key, title, .unit = TP_UNIT_MS, .decimals = 3)

static const struct tp_column live_columns[] = {
	TP_COLUMN("operator", "Operator", .code = true),
	TP_BYTES_COLUMN("live_bytes", "Live", .sorted = true,
		TP_FIELD(struct tp_torch_live_row, bytes, TP_UNIT_BYTES)),
	TP_SHARE_COLUMN("live_share", "Of the peak", .bar = true),
	TP_COUNT_COLUMN("pieces", "Pieces"),
	TP_BYTES_COLUMN("largest_bytes", "Largest"),
};
struct live_cells {
	struct tp_cell name, bytes, share, pieces, largest;
};
TP_CELLS_ARE_COLUMNS(struct live_cells, live_columns);

static void
live(const struct tp_pass_ctx *ctx, const struct tp_torch_pool *pool, struct tp_doc *doc,
	struct tp_block *parent, const char *id)
{
	struct tp_draft draft = TP_DRAFT_TABLE(doc, parent, id, live_columns);

	struct tp_value unseen = tp_missing(TP_S(why_not_allocated));

	for (size_t i = 0; i < pool->live_count && i < MOST_OPERATORS; i++) {
		const struct tp_torch_live_row *r = &pool->live[i];
		struct tp_slice name = r->earlier ? TP_S(text_before_trace) : tp_torch_memory_name(r->name);
		struct live_cells *cells = tp_draft_row_of(&draft, name, TP_ROW_NORMAL, 0, r);

		cells->name.value = tp_text_value(name);
		cells->share.value =
			tp_share((double)r->bytes, (double)pool->peak_bytes, TP_S(why_nothing_live));
		cells->share.swatch = TP_HUE_MEMORY;
		cells->pieces.value = r->earlier ? unseen : tp_count(r->pieces);
		cells->largest.value = r->earlier ? unseen : tp_bytes(r->largest_bytes);
	}
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->numbered = true;
	table->caption = pool->live_count <= MOST_OPERATORS
		? TP_S(caption_live)
		: tp_arena_printf(ctx->keep, caption_some_live, MOST_OPERATORS, pool->live_count);
}

#define OF_STEP(member, unit) TP_FIELD(struct tp_torch_memory_step, member, unit)
static const struct tp_column step_columns[] = {
	TP_COLUMN("step", "Step", OF_STEP(name, TP_UNIT_NONE)),
	TP_BYTES_COLUMN("peak_bytes", "Peak"),
	TP_BYTES_COLUMN("peak_reserved_bytes", "Max reserved"),
	TP_BYTES_COLUMN("start_bytes", "At start"),
	TP_BYTES_COLUMN("end_bytes", "At end"),
	TP_BYTES_COLUMN("growth_bytes", "Growth"),
	TP_BYTES_COLUMN("allocated_bytes", "Allocated", OF_STEP(allocated_bytes, TP_UNIT_BYTES)),
	TP_COUNT_COLUMN("allocations", "Allocations", OF_STEP(allocations, TP_UNIT_COUNT)),
	TP_COLUMN("operator", "Most by", .code = true),
};
struct step_cells {
	struct tp_cell step, peak, peak_reserved, start, end, growth, allocated, allocations, name;
};
TP_CELLS_ARE_COLUMNS(struct step_cells, step_columns);

/* Of a step whose records were not looked at, what is not known. */
static void
passed_over(struct step_cells *cells)
{
	cells->peak.value = cells->peak_reserved.value = cells->allocated.value =
		cells->allocations.value = cells->name.value = tp_missing(TP_S(why_steps_overlap));
}

static void
steps(const struct tp_pass_ctx *ctx, const struct tp_torch_pool *pool, struct tp_doc *doc,
	struct tp_block *parent, const char *id)
{
	struct tp_draft draft = TP_DRAFT_FOLD(
		doc, parent, tp_arena_printf(ctx->keep, "%s/steps", id), title_steps, step_columns);

	for (size_t i = 0; i < pool->step_count; i++) {
		const struct tp_torch_memory_step *s = &pool->steps[i];
		struct step_cells *cells = tp_draft_row_of(&draft, s->name, TP_ROW_NORMAL, 0, s);

		cells->peak.value = total(s->peak_bytes);
		cells->peak_reserved.value =
			pool->accelerator ? total(s->peak_reserved) : tp_missing(TP_S(why_reserves_nothing));
		cells->start.value = total(s->start_bytes);
		cells->end.value = total(s->end_bytes);
		cells->growth.value = s->start_bytes >= 0 && s->end_bytes >= 0
			? tp_integer(s->end_bytes - s->start_bytes, TP_UNIT_BYTES)
			: total(-1);
		cells->name.value = s->operators.count != 0 && s->operators.rows[0].self.allocations != 0
			? tp_text_value(tp_torch_memory_name(s->operators.rows[0].name))
			: tp_missing(TP_S(why_nothing_allocated));
		if (s->passed_over)
			passed_over(cells);
	}
	tp_draft_finish(&draft, ctx->options->top)->caption = TP_S(caption_steps);
}

#define OF_OPERATOR(member, unit) TP_FIELD(struct tp_torch_memory_row, member, unit)
/* Of an operator by itself, and with all that it calls; more: of the first. */
#define OPERATOR_FIGURES(...)                                                                      \
	TP_BYTES_COLUMN("self_allocated_bytes", "Allocated, self",                                     \
		OF_OPERATOR(self.allocated_bytes, TP_UNIT_BYTES), __VA_ARGS__),                            \
		TP_BYTES_COLUMN("allocated_bytes", "Allocated, total",                                     \
			OF_OPERATOR(total.allocated_bytes, TP_UNIT_BYTES)),                                    \
		TP_COUNT_COLUMN("self_allocations", "Allocations, self",                                   \
			OF_OPERATOR(self.allocations, TP_UNIT_COUNT)),                                         \
		TP_COUNT_COLUMN(                                                                           \
			"allocations", "Allocations, total", OF_OPERATOR(total.allocations, TP_UNIT_COUNT)),   \
		TP_BYTES_COLUMN(                                                                           \
			"self_growth_bytes", "Growth, self", OF_OPERATOR(self.growth_bytes, TP_UNIT_BYTES)),   \
		TP_BYTES_COLUMN(                                                                           \
			"growth_bytes", "Growth, total", OF_OPERATOR(total.growth_bytes, TP_UNIT_BYTES))
enum { OPERATOR_FIGURE_COUNT = 6 };

static const struct tp_column operator_columns[] = {
	TP_COLUMN("operator", "Operator", .code = true),
	OPERATOR_FIGURES(.sorted = true),
	TP_COUNT_COLUMN("calls", "Calls"),
};
struct operator_cells {
	struct tp_cell name, figures[OPERATOR_FIGURE_COUNT], calls;
};
TP_CELLS_ARE_COLUMNS(struct operator_cells, operator_columns);

static void
operators(const struct tp_pass_ctx *ctx, const struct tp_torch_pool *pool, struct tp_doc *doc,
	struct tp_block *parent, const char *id)
{
	struct tp_draft draft = TP_DRAFT_FOLD(doc, parent,
		tp_arena_printf(ctx->keep, "%s/operators", id), title_operators, operator_columns);

	for (size_t i = 0; i < pool->operators.count && i < MOST_OPERATORS; i++) {
		const struct tp_torch_memory_row *r = &pool->operators.rows[i];
		struct tp_slice name = tp_torch_memory_name(r->name);
		struct operator_cells *cells = tp_draft_row_of(&draft, name, TP_ROW_NORMAL, 0, r);

		cells->name.value = tp_text_value(name);
		cells->calls.value =
			r->op != TP_NONE ? tp_count(r->calls) : tp_missing(TP_S(why_outside_operators));
	}
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->caption = pool->operators.count <= MOST_OPERATORS
		? TP_S(caption_operators)
		: tp_arena_printf(ctx->keep, caption_some_operators, MOST_OPERATORS, pool->operators.count);
}

/* So many operators of each step as leave room for those of every other. */
static size_t
most_of_step(const struct tp_torch_pool *pool)
{
	size_t all = 0;

	for (size_t i = 0; i < pool->step_count; i++)
		all += pool->steps[i].operators.count;
	return all <= MOST_STEP_ROWS ? MOST_STEP_ROWS : MOST_OF_STEP;
}

static const struct tp_column step_operator_columns[] = {
	TP_COLUMN("operator", "Operator", .code = true),
	TP_COLUMN("step", "Step"),
	OPERATOR_FIGURES(),
};
struct step_operator_cells {
	struct tp_cell name, step, figures[OPERATOR_FIGURE_COUNT];
};
TP_CELLS_ARE_COLUMNS(struct step_operator_cells, step_operator_columns);

static void
operators_by_step(const struct tp_pass_ctx *ctx, const struct tp_torch_pool *pool,
	struct tp_doc *doc, struct tp_block *parent, const char *id)
{
	struct tp_draft draft =
		TP_DRAFT_FOLD(doc, parent, tp_arena_printf(ctx->keep, "%s/step-operators", id),
			title_step_operators, step_operator_columns);
	size_t rows = 0, most = most_of_step(pool);

	for (size_t i = 0; i < pool->step_count; i++) {
		const struct tp_torch_memory_step *s = &pool->steps[i];

		for (size_t k = 0; k < s->operators.count && k < most && rows < MOST_STEP_ROWS;
			 k++, rows++) {
			struct tp_slice name = tp_torch_memory_name(s->operators.rows[k].name);
			struct step_operator_cells *cells = tp_draft_row_of(&draft,
				tp_arena_printf(ctx->scratch, "%.*s/%.*s", TP_ARG(s->name), TP_ARG(name)),
				TP_ROW_NORMAL, 0, &s->operators.rows[k]);

			cells->name.value = tp_text_value(name);
			cells->step.value = tp_text_value(s->name);
		}
	}
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->caption = most == MOST_STEP_ROWS
		? TP_S(caption_step_operators)
		: tp_arena_printf(ctx->keep, caption_some_step_operators, MOST_OF_STEP, MOST_STEP_ROWS);
}

static const struct tp_column piece_columns[] = {
	TP_COLUMN("operator", "Operator", .code = true),
	TP_BYTES_COLUMN(
		"bytes", "Size", .sorted = true, TP_FIELD(struct tp_torch_piece, bytes, TP_UNIT_BYTES)),
	TIME_COLUMN("given_ms", "Allocated at"),
	TIME_COLUMN("taken_ms", "Freed at"),
	TIME_COLUMN("there_ms", "Lifetime"),
};
struct piece_cells {
	struct tp_cell name, bytes, given, taken, there;
};
TP_CELLS_ARE_COLUMNS(struct piece_cells, piece_columns);

static void
pieces(const struct tp_pass_ctx *ctx, const struct tp_torch_pool *pool, struct tp_doc *doc,
	struct tp_block *parent, const char *id)
{
	struct tp_draft draft = TP_DRAFT_FOLD(
		doc, parent, tp_arena_printf(ctx->keep, "%s/pieces", id), title_pieces, piece_columns);

	for (uint32_t i = 0; i < pool->piece_count && i < TP_TORCH_MOST_PIECES; i++) {
		const struct tp_torch_piece *piece = &pool->pieces[i];
		bool earlier = piece->precomputed == TP_NONE, open = piece->taken == TP_NONE;
		struct tp_slice name = tp_torch_memory_name(
			tp_torch_pool_owner(ctx, pool, earlier ? piece->taken : piece->precomputed));
		struct piece_cells *cells = tp_draft_row_of(
			&draft, tp_arena_printf(ctx->scratch, "%u", i), TP_ROW_NORMAL, 0, piece);

		cells->name.value = earlier ? tp_missing(TP_S(why_allocated_earlier)) : tp_text_value(name);
		cells->given.value = earlier
			? tp_missing(TP_S(why_earlier))
			: tp_ps_in_ms((double)tp_torch_pool_time_ps(pool, piece->precomputed));
		cells->taken.value = open ? tp_missing(TP_S(why_not_freed))
			: piece->unseen       ? tp_missing(TP_S(why_no_release))
								  : tp_ps_in_ms((double)tp_torch_pool_time_ps(pool, piece->taken));
		cells->there.value = earlier || open || piece->unseen
			? tp_missing(TP_S(why_no_lifetime))
			: tp_ps_in_ms((double)piece->there_ps);
	}
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->numbered = true;
	table->events = true;
	table->caption = pool->piece_count <= TP_TORCH_MOST_PIECES
		? TP_S(caption_pieces)
		: tp_arena_printf(ctx->keep, caption_some_pieces,
			  TP_ARG(tp_say_value(ctx, tp_count(TP_TORCH_MOST_PIECES))),
			  TP_ARG(tp_say_value(ctx, tp_count(pool->piece_count))));
}

void
tp_torch_pool_tables(const struct tp_pass_ctx *ctx, const struct tp_torch_pool *pool,
	struct tp_doc *doc, struct tp_block *parent, const char *id)
{
	if (pool->live != NULL)
		live(ctx, pool, doc, parent, tp_arena_printf(ctx->keep, "%s/live", id).ptr);
	if (pool->step_count != 0)
		steps(ctx, pool, doc, parent, id);
	operators(ctx, pool, doc, parent, id);
	if (pool->step_count > 1)
		operators_by_step(ctx, pool, doc, parent, id);
	if (pool->piece_count != 0)
		pieces(ctx, pool, doc, parent, id);
}

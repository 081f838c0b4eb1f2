/* The map of the time of each step of each rank. */
#include "analyze/ranks/ranks.h"

#include "analyze/core/say.h"
#include "analyze/ranks/ranks_words.h"
#include "base/arena.h"
#include "report/doc.h"

#include <math.h>

/* A map of more rows or columns shows the slowest of several. */
enum { MOST_ROWS = 64, MOST_COLUMNS = 120 };

/* Rows and columns of the map, and how many ranks and steps one cell stands for. */
struct map {
	size_t rows, columns, ranks_each, steps_each;
};

static struct map
map_of(const struct tp_pass_ctx *ctx, const struct tp_rank_steps *of)
{
	size_t steps = 0;
	struct map m;

	for (size_t i = 0; i < of->ranks; i++)
		steps = of->count(ctx, i) > steps ? of->count(ctx, i) : steps;
	m.ranks_each = (of->ranks + MOST_ROWS - 1) / MOST_ROWS;
	m.steps_each = (steps + MOST_COLUMNS - 1) / MOST_COLUMNS;
	m.rows = of->ranks != 0 ? (of->ranks + m.ranks_each - 1) / m.ranks_each : 0;
	m.columns = steps != 0 ? (steps + m.steps_each - 1) / m.steps_each : 0;
	return m;
}

/* In ms, of the slowest step that a cell stands for. */
static void
fill(const struct tp_pass_ctx *ctx, const struct tp_rank_steps *of, const struct map *m,
	struct tp_grid *g, double *values, struct tp_slice *labels)
{
	for (size_t i = 0; i < m->rows * m->columns; i++) {
		values[i] = NAN;
		labels[i] = TP_S(text_no_step);
	}
	for (size_t t = 0; t < of->ranks; t++) {
		for (size_t i = 0; i < of->count(ctx, t); i++) {
			size_t cell = t / m->ranks_each * m->columns + i / m->steps_each;
			struct tp_slice name;
			double ms = of->step(ctx, t, i, &name);

			g->low = fmin(g->low, ms);
			g->high = fmax(g->high, ms);
			if (values[cell] >= ms)
				continue;
			values[cell] = ms;
			labels[cell] = tp_arena_printf(
				ctx->keep, "%.*s, step %.*s", TP_ARG(of->name(ctx, t)), TP_ARG(name));
		}
	}
}

void
tp_ranks_map(const struct tp_pass_ctx *ctx, const struct tp_rank_steps *of, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct map m = map_of(ctx, of);

	if (m.rows < 2 || m.columns < 2)
		return;
	double *values = tp_new_array(ctx->keep, double, m.rows *m.columns);
	struct tp_slice *labels = tp_new_array(ctx->keep, struct tp_slice, m.rows * m.columns);
	struct tp_slice *rows = tp_new_array(ctx->keep, struct tp_slice, m.rows);
	struct tp_grid *g = tp_new(ctx->keep, struct tp_grid);

	*g = (struct tp_grid){.title = TP_S(title_map),
		.rows = rows,
		.row_count = m.rows,
		.columns = m.columns,
		.group = 1,
		.values = values,
		.labels = labels,
		.low = INFINITY,
		.high = -INFINITY};
	fill(ctx, of, &m, g, values, labels);
	for (size_t i = 0; i < m.rows; i++)
		rows[i] = of->name(ctx, i * m.ranks_each);
	struct tp_slice range = tp_arena_printf(ctx->keep, "%.*s to %.*s",
		TP_ARG(tp_say_value(ctx, tp_number(g->low, TP_UNIT_MS))),
		TP_ARG(tp_say_value(ctx, tp_number(g->high, TP_UNIT_MS))));

	if (!(g->high > g->low))
		g->high = g->low + (g->high > 0 ? .05 * g->high : 1);
	tp_doc_add(doc, section, TP_BLOCK_CHART, TP_S("ranks/map"))->chart = (struct tp_chart){
		.kind = TP_CHART_GRID,
		.alt = tp_arena_printf(ctx->keep, text_map_alt,
			m.ranks_each * m.steps_each > 1 ? text_slowest_of_several : "", TP_ARG(range)),
		.unit = TP_UNIT_MS,
		.grid = g,
	};
}

/* A core's line "XLA Modules" holds each run of a program, from its first operation to its last. */
#include "analyze/steps/program_gaps.h"

#include "analyze/core/intervals.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "model/profile.h"

#include <math.h>

/* By device; NULL: it has none. */
static const struct tp_line **
lines_of_programs(const struct tp_pass_ctx *ctx)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_line **lines =
		tp_new_array(ctx->scratch, const struct tp_line *, p->device_count);

	for (uint32_t l = 0; l < p->line_count; l++)
		if (p->lines[l].kind == TP_LINE_MODULES && p->lines[l].device != TP_NONE &&
			p->lines[l].count > 0)
			lines[p->lines[l].device] = &p->lines[l];
	return lines;
}

static struct tp_cover
cover_of(const struct tp_line *line, struct tp_arena *scratch)
{
	struct tp_interval *runs = tp_new_array(scratch, struct tp_interval, line->count);

	for (uint32_t i = 0; i < line->count; i++) {
		int64_t start_ps = tp_line_start_ps(line, i);

		runs[i] = (struct tp_interval){start_ps, start_ps + tp_line_duration_ps(line, i)};
	}
	size_t count = tp_intervals_unite(runs, line->count);

	return tp_cover_of(runs, count, tp_new_array(scratch, uint64_t, count));
}

double
tp_program_gap_ps(const struct tp_pass_ctx *ctx, const struct tp_steps *s)
{
	double gaps_ps = 0, cells = 0;

	const struct tp_line **lines = lines_of_programs(ctx);

	for (size_t core = 0; core < s->timelines; core++) {
		const struct tp_line *line = lines[s->cores[core].device];

		if (line == NULL)
			return NAN;
		struct tp_cover runs = cover_of(line, ctx->scratch);

		for (size_t step = 0; step < s->count; step++) {
			const struct tp_step_cell *cell = &s->cells[step * s->timelines + core];
			int64_t end_ps = cell->host_start_ps + cell->host_duration_ps;

			if (!cell->there)
				continue;
			cells++;
			gaps_ps += (double)(cell->host_duration_ps -
				tp_cover_within(&runs, cell->host_start_ps, end_ps));
		}
	}
	return gaps_ps / cells;
}

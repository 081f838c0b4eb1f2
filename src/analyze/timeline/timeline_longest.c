/* The operations that take longest in the two steps that are drawn side by side: what the slower one spends its time on, in figures.
 * Steps of cores are measured by the chip's clock, and so are their operations here; all else is by the clock that is drawn. */
#include "analyze/timeline/timeline_longest.h"

#include "analyze/core/intervals.h"
#include "analyze/core/say.h"
#include "analyze/facts/kernel_name.h"
#include "analyze/facts/op_times.h"
#include "analyze/steps/steps.h"
#include "analyze/timeline/timeline_words.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"
#include "model/profile.h"
#include "report/column.h"
#include "report/draft.h"

#include <stdlib.h>

enum { MOST_LONGEST = 5, STEPS = 2 };

struct longest {
	struct tp_slice name;
	struct tp_timeline_look look;
	uint64_t self_ps[STEPS], most_ps;
	uint32_t op;
};

struct tp_timeline_longest {
	struct longest of[MOST_LONGEST];
	size_t count, others;
	uint64_t others_ps[STEPS];
	bool by_chip;
	double length_ps[STEPS]; /* of the steps by that clock */
	uint64_t sum_ps[STEPS],
		covered_ps
			[STEPS]; /* by all operations: those of several streams may run at the same time */
};

/* By the step in which it takes longer. */
TP_ORDER(by_time, struct longest, TP_DOWN(most_ps), TP_DOWN(self_ps[1]), TP_UP(op));

/* An event that lasts, in a step. */
struct lasting {
	uint64_t to_ps;
	uint32_t op;
};

struct summing {
	uint64_t from_ps, to_ps; /* the step */
	uint64_t *self_ps;       /* by operation */
	struct tp_buf open;      /* struct lasting, the innermost last */
	struct tp_buf outermost; /* struct tp_interval */
};

/* The time of an event is its own, and no longer of what it lies in. */
static void
add_event(struct summing *s, uint32_t op, struct tp_timeline_place at)
{
	uint64_t from = at.from_ps > s->from_ps ? at.from_ps : s->from_ps;
	uint64_t to = at.to_ps < s->to_ps ? at.to_ps : s->to_ps;
	struct lasting *open = s->open.data;

	if (to <= from)
		return;
	while (s->open.count != 0 && open[s->open.count - 1].to_ps <= from)
		s->open.count--;
	if (s->open.count != 0) {
		const struct lasting *around = &open[s->open.count - 1];

		to = to < around->to_ps ? to : around->to_ps;
		s->self_ps[around->op] -= to - from;
	} else
		TP_PUSH(&s->outermost, struct tp_interval, (int64_t)from, (int64_t)to);
	s->self_ps[op] += to - from;
	TP_PUSH(&s->open, struct lasting, to, op);
}

static void
add_line(struct summing *s, const struct tp_timeline_found *t, const struct tp_timeline_line *line,
	size_t span)
{
	s->from_ps = t->spans[span].from_ps;
	s->to_ps = t->spans[span].to_ps;
	s->open.count = 0;
	for (unsigned lane = 0; lane < TP_TIMELINE_DRAWN_LANES; lane++) {
		if (line->before[span][lane] != 0)
			add_event(s, tp_line_op(line->line, line->before[span][lane] - 1),
				tp_timeline_place(line, line->before[span][lane] - 1));
	}
	for (uint32_t i = tp_timeline_first_from(line, s->from_ps); i < line->line->count; i++) {
		struct tp_timeline_place at = tp_timeline_place(line, i);

		if (at.from_ps >= s->to_ps)
			return;
		add_event(s, tp_line_op(line->line, i), at);
	}
}

/* The step as the core that is drawn measures it; NULL: it is not of cores, or no step. */
static const struct tp_step_cell *
cell_of(const struct tp_steps *s, const struct tp_timeline_found *t, size_t span)
{
	const struct tp_step *step = t->spans[span].step;

	for (size_t c = 0; s != NULL && s->cells != NULL && step != NULL && c < s->timelines; c++) {
		if (s->cores[c].device == t->device)
			return &s->cells[(size_t)(step - s->steps) * s->timelines + c];
	}
	return NULL;
}

/* As steps of cores charge operations: each to the step in which it starts. */
static void
add_core(uint64_t *of_op, const struct tp_line *line, const struct tp_self_times *self,
	const struct tp_step_cell *cell)
{
	int64_t end_ps = cell->start_ps + cell->duration_ps;
	uint32_t first =
		(uint32_t)TP_FIRST_WHERE(i, line->count, tp_line_chip_start_ps(line, i) >= cell->start_ps);

	for (uint32_t i = first; i < line->count && tp_line_chip_start_ps(line, i) < end_ps; i++)
		of_op[tp_line_op(line, i)] += (uint64_t)tp_self_ps(self, i);
}

static bool
is_work(const struct tp_timeline_found *t, const struct tp_line *line)
{
	return line->device == t->device && (line->kind == TP_LINE_OPS || line->kind == TP_LINE_STREAM);
}

/* All operations that take time in one of the steps, the longest first. */
static struct longest *
put_in_order(const struct tp_timeline_found *t, uint64_t *const self_ps[STEPS],
	const struct tp_line *line, struct tp_buf *found)
{
	const struct tp_profile *p = t->profile;

	for (uint32_t op = 0; op < p->op_count; op++) {
		if (self_ps[0][op] != 0 || self_ps[1][op] != 0)
			TP_PUSH(found, struct longest, tp_timeline_name(p, op), tp_timeline_look(t, line, op),
				{self_ps[0][op], self_ps[1][op]},
				self_ps[0][op] > self_ps[1][op] ? self_ps[0][op] : self_ps[1][op], op);
	}
	if (found->count != 0)
		qsort(found->data, found->count, sizeof(struct longest), by_time);
	return found->data;
}

/* The times of operations in a step, and how much of it they cover together. */
static const struct tp_line *
sum_up(const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t, size_t span,
	uint64_t *self_ps, struct tp_timeline_longest *out)
{
	const struct tp_steps *steps = tp_result(ctx, &tp_pass_steps);
	const struct tp_op_times *times = tp_result(ctx, &tp_pass_op_times);
	const struct tp_step_cell *cell = cell_of(steps, t, span);
	const struct tp_line *found = NULL;
	struct summing s = {.self_ps = self_ps};

	for (size_t i = 0; i < t->line_count; i++) {
		const struct tp_timeline_line *line = &t->lines[i];

		if (!is_work(t, line->line))
			continue;
		found = line->line;
		if (!out->by_chip)
			add_line(&s, t, line, span);
		else if (line->number < t->read_count && times->self[line->number] != NULL)
			add_core(self_ps, line->line, times->self[line->number], cell);
	}
	for (uint32_t op = 0; op < t->profile->op_count; op++)
		out->sum_ps[span] += self_ps[op];
	size_t count = tp_intervals_unite(s.outermost.data, s.outermost.count);

	out->covered_ps[span] =
		out->by_chip ? out->sum_ps[span] : (uint64_t)tp_intervals_ps(s.outermost.data, count);
	out->length_ps[span] = out->by_chip ? t->spans[span].step->time_ps
										: (double)(t->spans[span].to_ps - t->spans[span].from_ps);
	tp_buf_free(&s.open);
	tp_buf_free(&s.outermost);
	return found;
}

const struct tp_timeline_longest *
tp_timeline_find_longest(const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t)
{
	struct tp_timeline_longest *out = tp_new(ctx->keep, struct tp_timeline_longest);
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	uint64_t *self_ps[STEPS];
	const struct tp_line *line = NULL;
	struct tp_buf found = {0};

	if (t->span_count != STEPS || t->without_steps || t->device == TP_NONE)
		return NULL;
	out->by_chip = tp_result(ctx, &tp_pass_op_times) != NULL && cell_of(s, t, 0) != NULL &&
		cell_of(s, t, 1) != NULL;
	for (size_t k = 0; k < STEPS; k++) {
		self_ps[k] = tp_new_array(ctx->scratch, uint64_t, t->profile->op_count);
		line = sum_up(ctx, t, k, self_ps[k], out);
	}
	if (line != NULL) {
		const struct longest *all = put_in_order(t, self_ps, line, &found);

		for (size_t i = 0; i < found.count; i++) {
			if (out->count < MOST_LONGEST) {
				out->of[out->count++] = all[i];
				continue;
			}
			out->others++;
			for (size_t k = 0; k < STEPS; k++)
				out->others_ps[k] += all[i].self_ps[k];
		}
	}
	tp_buf_free(&found);
	return out->count != 0 ? out : NULL;
}

struct cells {
	struct tp_cell name, first_ms, second_ms, difference_ms, first_share, second_share;
};

static void
put_times(
	const struct tp_timeline_longest *l, struct cells *cells, double first_ps, double second_ps)
{
	struct tp_slice why = TP_S(why_no_length);

	cells->first_ms.value = tp_ps_in_ms(first_ps);
	cells->second_ms.value = tp_ps_in_ms(second_ps);
	cells->difference_ms.value = tp_ps_in_ms(second_ps - first_ps);
	cells->first_share.value = tp_share(first_ps, l->length_ps[0], why);
	cells->second_share.value = tp_share(second_ps, l->length_ps[1], why);
}

static void
put_row(const struct tp_timeline_longest *l, struct tp_draft *draft, struct tp_slice id,
	struct tp_value name, const double ps[STEPS])
{
	struct cells *cells = tp_draft_row_of(draft, id, TP_ROW_TOTAL, 0, NULL);

	cells->name.value = name;
	put_times(l, cells, ps[0], ps[1]);
}

/* Less than a column shows. */
#define UNSEEN_PS 5e5

/* What makes the rows above add up to the step: when no operation ran, and what of them ran at the same time as others. */
static void
put_rest(const struct tp_timeline_longest *l, struct tp_draft *draft)
{
	double idle_ps[STEPS], twice_ps[STEPS];

	for (size_t k = 0; k < STEPS; k++) {
		idle_ps[k] = tp_larger(0, l->length_ps[k] - (double)l->covered_ps[k]);
		twice_ps[k] = (double)l->covered_ps[k] - (double)l->sum_ps[k];
	}
	if (tp_smaller(twice_ps[0], twice_ps[1]) < -UNSEEN_PS)
		put_row(l, draft, TP_S("twice"), tp_text_value(TP_S(text_twice)), twice_ps);
	if (tp_larger(idle_ps[0], idle_ps[1]) > UNSEEN_PS)
		put_row(l, draft, TP_S("idle"), tp_text_value(TP_S(text_idle)), idle_ps);
}

void
tp_timeline_present_longest(const struct tp_pass_ctx *ctx, const struct tp_timeline_longest *l,
	const struct tp_timeline *t, struct tp_slice device, bool measured_as_drawn, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_slice first = t->windows[0].label, second = t->windows[1].label;
	struct tp_column *columns =
		tp_new_array(ctx->keep, struct tp_column, sizeof(struct cells) / sizeof(struct tp_cell));
	const struct tp_column made[] = {
		TP_COLUMN("name", "Operation", .code = true, .core = true),
		{.key = TP_LIT("first_ms"),
			.title = first,
			.unit = TP_UNIT_MS,
			.decimals = 3,
			.core = true},
		{.key = TP_LIT("second_ms"),
			.title = second,
			.unit = TP_UNIT_MS,
			.decimals = 3,
			.core = true},
		TP_COLUMN("difference_ms", "Difference", .unit = TP_UNIT_MS, .decimals = 3, .change = true,
			.core = true),
		{.key = TP_LIT("first_share"),
			.title = tp_arena_printf(ctx->keep, "%.*s, share", TP_ARG(first)),
			.unit = TP_UNIT_SHARE,
			.decimals = 1},
		{.key = TP_LIT("second_share"),
			.title = tp_arena_printf(ctx->keep, "%.*s, share", TP_ARG(second)),
			.unit = TP_UNIT_SHARE,
			.decimals = 1},
	};

	TP_CELLS_ARE_COLUMNS(struct cells, made);
	memcpy(columns, made, sizeof made);
	struct tp_draft draft =
		tp_draft_table(doc, section, "timeline/longest", columns, sizeof made / sizeof *made);

	for (size_t i = 0; i < l->count; i++) {
		const struct longest *of = &l->of[i];
		struct cells *cells = tp_draft_row_of(&draft, of->name, TP_ROW_NORMAL, 0, NULL);

		tp_kernel_put_name(of->name, ctx->keep, &cells->name);
		cells->name.swatch = of->look.hue;
		cells->name.tint = (unsigned)of->look.tint;
		put_times(l, cells, (double)of->self_ps[0], (double)of->self_ps[1]);
	}
	if (l->others != 0)
		put_row(l, &draft, TP_S("more"),
			tp_say_number(ctx, l->others, "more operation", "more operations"),
			(double[STEPS]){(double)l->others_ps[0], (double)l->others_ps[1]});
	put_rest(l, &draft);
	put_row(l, &draft, TP_S("step"),
		tp_text_value(l->by_chip || measured_as_drawn ? TP_S("Step") : TP_S(text_step_by_host_row)),
		l->length_ps);
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	tp_kernel_tell_rows_apart(table, 0, ctx->keep);
	table->caption = tp_arena_printf(ctx->keep,
		l->by_chip && !measured_as_drawn ? caption_longest_by_chip : caption_longest,
		TP_ARG(device.len != 0 ? device : TP_S(text_the_device)));
}

/* The operations that take longest in the two steps that are drawn side by side: what the slower one spends its time on, in figures. */
#include "analyze/timeline/timeline_longest.h"

#include "analyze/core/say.h"
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
	}
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

const struct tp_timeline_longest *
tp_timeline_find_longest(const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t)
{
	struct tp_timeline_longest *out = tp_new(ctx->keep, struct tp_timeline_longest);
	uint64_t *self_ps[STEPS];
	const struct tp_line *line = NULL;
	struct summing s = {0};
	struct tp_buf found = {0};

	if (t->span_count != STEPS || t->without_steps || t->device == TP_NONE)
		return NULL;
	for (size_t k = 0; k < STEPS; k++) {
		s.self_ps = self_ps[k] = tp_new_array(ctx->scratch, uint64_t, ctx->profile->op_count);
		for (size_t i = 0; i < t->line_count; i++) {
			if (!is_work(t, t->lines[i].line))
				continue;
			line = t->lines[i].line;
			add_line(&s, t, &t->lines[i], k);
		}
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
	tp_buf_free(&s.open);
	tp_buf_free(&found);
	return out->count != 0 ? out : NULL;
}

struct cells {
	struct tp_cell name, first_ms, second_ms, difference_ms, first_share, second_share;
};

static void
put_times(const struct tp_timeline *t, struct cells *cells, const double ms[STEPS])
{
	struct tp_slice why = TP_S("the step has no length");

	cells->first_ms.value = tp_number(ms[0], TP_UNIT_MS);
	cells->second_ms.value = tp_number(ms[1], TP_UNIT_MS);
	cells->difference_ms.value = tp_number(ms[1] - ms[0], TP_UNIT_MS);
	cells->first_share.value = tp_share(ms[0], t->windows[0].length, why);
	cells->second_share.value = tp_share(ms[1], t->windows[1].length, why);
}

void
tp_timeline_present_longest(const struct tp_pass_ctx *ctx, const struct tp_timeline_longest *l,
	const struct tp_timeline *t, bool measured_as_drawn, struct tp_doc *doc,
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

		cells->name.value = tp_text_value(of->name);
		cells->name.swatch = of->look.hue;
		cells->name.tint = (unsigned)of->look.tint;
		put_times(
			t, cells, (double[STEPS]){(double)of->self_ps[0] / 1e9, (double)of->self_ps[1] / 1e9});
	}
	if (l->others != 0) {
		struct cells *cells = tp_draft_row_of(&draft, TP_S("more"), TP_ROW_TOTAL, 0, NULL);

		cells->name.value = tp_say_number(ctx, l->others, "more operation", "more operations");
		put_times(t, cells,
			(double[STEPS]){(double)l->others_ps[0] / 1e9, (double)l->others_ps[1] / 1e9});
	}
	struct cells *cells = tp_draft_row_of(&draft, TP_S("step"), TP_ROW_TOTAL, 0, NULL);

	cells->name.value =
		tp_text_value(measured_as_drawn ? TP_S("Step") : TP_S("The step by the host’s clock"));
	put_times(t, cells, (double[STEPS]){t->windows[0].length, t->windows[1].length});
	tp_draft_finish(&draft, ctx->options->top)->caption =
		TP_S("Longest operations of the two steps on the device that is drawn, by self time");
}

/* Tables of a distributed run: what the straggler costs, it against the others, every core, and single steps. */
#include "analyze/pod/pod.h"

#include "analyze/core/say.h"
#include "analyze/pod/pod_columns.h"
#include "analyze/pod/pod_tables.h"
#include "analyze/pod/pod_words.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "base/number.h"
#include "model/profile.h"
#include "report/draft.h"

#include <math.h>

enum {
	MOST_STEP_ROWS = 16384,
	SHOWN_STEPS = 3, /* as tables of their own */
};

static const char *const level_names[TP_POD_LEVELS] = {"core", "chip", "host"};

static size_t
slowest_of(const struct tp_pod *pod, enum tp_pod_level level)
{
	size_t found = pod->count;

	for (size_t u = 0; u < pod->count; u++) {
		if (tp_pod_group(pod, level, u) == pod->leads[level].group &&
			(found == pod->count || pod->units[u].own_ps > pod->units[found].own_ps))
			found = u;
	}
	return found;
}

/* Where the core, its chip and its host cost the same, it is the core. */
static void
level_table(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_doc *doc,
	struct tp_block *section)
{
	const size_t counts[] = {pod->count, pod->chips, pod->hosts};
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "distributed/levels", level_columns);

	for (int level = pod->cores ? TP_POD_CORE : TP_POD_HOST; level < TP_POD_LEVELS; level++) {
		const struct tp_pod_lead *lead = &pod->leads[level];

		if (isnan(lead->cost_ps) || (level == TP_POD_CHIP && pod->chips == pod->count))
			continue;
		size_t unit = slowest_of(pod, (enum tp_pod_level)level);
		struct level_cells *cells =
			tp_draft_row_of(&draft, tp_slice_of(level_names[level]), TP_ROW_NORMAL, 0, lead);
		double share = lead->cost_ps / pod->steps->time.mean;

		cells->level.value = tp_text_value(
			tp_arena_printf(ctx->keep, "%s of %zu", level_names[level], counts[level]));
		if (tp_pod_has_straggler(pod) && pod->straggler.level == (enum tp_pod_level)level)
			cells->level.judge = tp_say_mark_of(doc, "TPR-POD-001");
		cells->name.value = tp_text_value(tp_pod_name(ctx, pod, (enum tp_pod_level)level, unit));
		cells->cost.value = tp_ps_in_ms(lead->cost_ps);
		cells->cost_share.value =
			tp_share(lead->cost_ps, pod->steps->time.mean, TP_S(why_no_length));
		cells->lost.value = tp_ps_in_ms(lead->cost_ps * (double)pod->steps->count);
		cells->lost_of_hour.value = tp_number(share * 3600, TP_UNIT_S);
	}
	tp_draft_finish(&draft, SIZE_MAX)->caption = tp_arena_printf(ctx->keep, caption_levels,
		pod->steps->count, tp_plural(pod->steps->count, "step", "steps"));
}

static struct against_cells *
against_row(
	struct tp_draft *draft, struct tp_slice id, enum tp_row_role role, double mine, double others)
{
	struct against_cells *cells = tp_draft_row_of(draft, id, role, 0, NULL);

	cells->straggler.value = tp_ps_in_ms(mine);
	cells->others.value = tp_ps_in_ms(others);
	cells->more.value = tp_ps_in_ms(mine - others);
	cells->times.value =
		others > 0 ? tp_number(mine / others, TP_UNIT_TIMES) : tp_missing(TP_S(why_no_other));
	return cells;
}

static void
against_table(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_pod_straggler *s = &pod->straggler;
	enum tp_pod_part parts[TP_POD_PART_COUNT];
	size_t n = tp_pod_parts(pod, parts);
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "distributed/straggler", against_columns);

	for (size_t i = 0; i < n; i++) {
		const struct tp_pod_part_info *info = tp_pod_part_info(parts[i]);
		struct tp_cell *part = &against_row(&draft, tp_slice_of(info->key), TP_ROW_NORMAL,
			s->part_ps[parts[i]], s->part_others_ps[parts[i]])
									->part;

		part->value = tp_text_value(tp_pod_part_label(pod, parts[i]));
		part->swatch = info->hue;
		part->tint = (unsigned)tp_pod_part_tint(pod, parts[i]);
	}
	against_row(&draft, TP_S("own"), TP_ROW_TOTAL, s->own_ps, s->others_ps)->part.value =
		tp_text_value(TP_S(text_own_row));
	tp_draft_finish(&draft, SIZE_MAX)->caption = tp_arena_printf(ctx->keep, caption_against,
		TP_ARG(tp_pod_name(ctx, pod, TP_POD_CORE, s->unit)),
		tp_pod_of_two(pod, TP_POD_CORE) ? "the other" : "the median of the others",
		pod->steps->count, tp_plural(pod->steps->count, "step", "steps"));
}

static void
each_table(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_pod_layout l = tp_pod_lay_out(ctx, pod, false);
	struct tp_draft draft = tp_draft_table(doc, section, "distributed/cores", l.columns, l.count);
	bool named = tp_pod_has_straggler(pod);

	for (size_t i = 0; i < pod->count; i++) {
		size_t u = pod->by_own[i];
		struct tp_cell *cell = tp_draft_row(&draft, tp_pod_unit_key(ctx, pod, u), TP_ROW_NORMAL, 0);

		tp_pod_fill_row(ctx, pod, &l, u, pod->units[u].mean_ps, cell);
		if (named && u == pod->straggler.unit)
			cell->judge = tp_say_mark_of(doc, "TPR-POD-001");
	}
	struct tp_table *t = tp_draft_finish(&draft, ctx->options->top);

	t->numbered = true;
	t->caption = tp_arena_printf(ctx->keep, caption_each, pod->cores ? "core" : "host",
		pod->steps->count, tp_plural(pod->steps->count, "step", "steps"));
}

static void
step_row(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, const struct tp_pod_layout *l,
	size_t step, size_t unit, struct tp_draft *draft)
{
	struct tp_slice step_name = pod->steps->steps[step].name;
	struct tp_slice id = tp_arena_printf(
		ctx->scratch, "%.*s/%.*s", TP_ARG(step_name), TP_ARG(tp_pod_unit_key(ctx, pod, unit)));
	struct tp_cell *cell = tp_draft_row(draft, id, TP_ROW_NORMAL, 0);
	double part_ps[TP_POD_PART_COUNT];

	for (int k = 0; k < TP_POD_PART_COUNT; k++)
		part_ps[k] = tp_pod_part_ps(pod, step, unit, (enum tp_pod_part)k);
	cell->value = tp_text_value(step_name);
	tp_pod_fill_row(ctx, pod, l, unit, part_ps, cell + 1);
}

/* "first", "first and median", "first, median and slowest": what this one of the shown steps is; empty: it is shown already. */
static struct tp_slice
which_of(const struct tp_pass_ctx *ctx, const size_t shown[static SHOWN_STEPS], size_t at)
{
	static const char *const names[SHOWN_STEPS] = {"first", "median", "slowest"};
	const char *also[SHOWN_STEPS];
	size_t n = 0;

	for (size_t i = 0; i < at; i++) {
		if (shown[i] == shown[at])
			return TP_S("");
	}
	for (size_t i = at; i < SHOWN_STEPS; i++) {
		if (shown[i] == shown[at])
			also[n++] = names[i];
	}
	return n == 1 ? tp_slice_of(also[0])
		: n == 2  ? tp_arena_printf(ctx->keep, "%s and %s", also[0], also[1])
				  : tp_arena_printf(ctx->keep, "%s, %s and %s", also[0], also[1], also[2]);
}

/* Three steps as tables of their own: they are what a page without a script can show of a choice of steps. One that is, say,
 * the first and the slowest is there once, by the first of these names. */
static void
step_table(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, size_t step, const char *name,
	struct tp_slice which, struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_step *s = &pod->steps->steps[step];
	struct tp_pod_layout l = tp_pod_lay_out(ctx, pod, true);
	const uint32_t *order = pod->by_number;
	struct tp_slice time = tp_say_value(ctx, tp_ps_in_ms(s->time_ps));
	struct tp_slice title = pod->steps->count == 1
		? tp_arena_printf(ctx->keep, title_only_step, TP_ARG(s->name), TP_ARG(time))
		: tp_arena_printf(ctx->keep, title_step, TP_ARG(which), TP_ARG(s->name), TP_ARG(time));
	struct tp_block *fold = tp_doc_section(doc, section, TP_SECTION_FOLD,
		tp_arena_printf(ctx->keep, "distributed/%s", name).ptr, title.ptr);

	fold->section.off_paper = true;
	if (step != pod->median_step) /* that one stands at the head of the section */
		tp_pod_strip(ctx, pod, step, tp_arena_printf(ctx->keep, "distributed/%s-strip", name).ptr,
			doc, fold);
	struct tp_draft draft = tp_draft_table(
		doc, fold, tp_arena_printf(ctx->keep, "distributed/%s-step", name).ptr, l.columns, l.count);

	for (size_t i = 0; i < pod->count; i++)
		step_row(ctx, pod, &l, step, order[i], &draft);
	tp_draft_finish(&draft, ctx->options->top)->caption =
		tp_arena_printf(ctx->keep, caption_step, TP_ARG(s->name), pod->cores ? "core" : "host");
}

static void
all_table(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_doc *doc,
	struct tp_block *section)
{
	size_t steps = pod->steps->count, fit = MOST_STEP_ROWS / pod->count;
	size_t shown = steps < fit ? steps : fit;
	struct tp_pod_layout l = tp_pod_lay_out(ctx, pod, true);
	const uint32_t *order = pod->by_number;

	if (shown == 0 || steps < 2)
		return;
	struct tp_block *fold =
		tp_doc_section(doc, section, TP_SECTION_FOLD, "distributed/steps", title_every_step);
	struct tp_draft draft = tp_draft_table(doc, fold, "distributed/each-step", l.columns, l.count);

	fold->section.off_paper = true;
	for (size_t i = 0; i < shown; i++) {
		for (size_t u = 0; u < pod->count; u++)
			step_row(ctx, pod, &l, i * steps / shown, order[u], &draft);
	}
	tp_draft_finish(&draft, ctx->options->top)->caption = shown == steps
		? TP_S(title_every_step)
		: tp_arena_printf(ctx->keep, caption_some_steps, shown, steps);
}

/* Of the step of one unit, what does not wait for others. */
static double
own_ps(const struct tp_pod *pod, size_t step, size_t unit)
{
	double sum = 0;

	for (int k = 0; k < TP_POD_PART_COUNT; k++)
		sum += tp_pod_part_info((enum tp_pod_part)k)->waits
			? 0
			: tp_pod_part_ps(pod, step, unit, (enum tp_pod_part)k);
	return sum;
}

/* The slowest group of a step and the slowest of the others, by the slowest unit of each. */
struct turn {
	size_t first, second;
	double first_ps, second_ps;
};

static struct turn
turn_of(const struct tp_pod *pod, size_t step)
{
	enum tp_pod_level level = pod->straggler.level;
	struct turn t = {.first = SIZE_MAX, .second = SIZE_MAX};

	for (size_t u = 0; u < pod->count; u++) {
		double own = own_ps(pod, step, u);
		uint32_t group = tp_pod_group(pod, level, u);

		if (t.first == SIZE_MAX || own > t.first_ps) {
			if (t.first != SIZE_MAX && tp_pod_group(pod, level, t.first) != group) {
				t.second = t.first;
				t.second_ps = t.first_ps;
			}
			t.first = u;
			t.first_ps = own;
		} else if (tp_pod_group(pod, level, t.first) != group &&
			(t.second == SIZE_MAX || own > t.second_ps)) {
			t.second = u;
			t.second_ps = own;
		}
	}
	return t;
}

static void
turn_table(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_doc *doc,
	struct tp_block *section)
{
	enum tp_pod_level level = pod->straggler.level;
	size_t steps = pod->steps->count, shown = steps < MOST_STEP_ROWS ? steps : MOST_STEP_ROWS;
	struct tp_slice title = tp_arena_printf(ctx->keep, title_turns, level_names[level]);

	if (steps < 2 || isnan(pod->straggler.lead.cost_ps))
		return;
	struct tp_block *fold =
		tp_doc_section(doc, section, TP_SECTION_FOLD, "distributed/turns", title.ptr);
	struct tp_draft draft = TP_DRAFT_TABLE(doc, fold, "distributed/slowest-of-step", turn_columns);

	fold->section.off_paper = true;
	for (size_t i = 0; i < shown; i++) {
		size_t at = i * steps / shown;
		const struct tp_step *step = &pod->steps->steps[at];
		struct turn t = turn_of(pod, at);
		struct turn_cells *cells = tp_draft_row_of(&draft, step->name, TP_ROW_NORMAL, 0, step);

		cells->step_time.value = tp_ps_in_ms(step->time_ps);
		cells->name.value = tp_text_value(tp_pod_name(ctx, pod, level, t.first));
		cells->place.value = tp_text_value(tp_pod_place(ctx, pod, t.first));
		cells->own.value = tp_ps_in_ms(t.first_ps);
		cells->next.value = tp_text_value(tp_pod_name(ctx, pod, level, t.second));
		cells->next_own.value = tp_ps_in_ms(t.second_ps);
		cells->cost.value = tp_ps_in_ms(t.first_ps - t.second_ps);
	}
	tp_draft_finish(&draft, ctx->options->top)->caption =
		tp_arena_printf(ctx->keep, caption_turns, level_names[level]);
}

/* The first, the median and the slowest step stand by themselves. */
void
tp_pod_step_tables(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_doc *doc,
	struct tp_block *section)
{
	static const char *const names[SHOWN_STEPS] = {"first", "median", "slowest"};
	const size_t shown[SHOWN_STEPS] = {0, pod->median_step, pod->steps->slowest};

	turn_table(ctx, pod, doc, section);
	for (size_t i = 0; i < SHOWN_STEPS; i++) {
		struct tp_slice which = which_of(ctx, shown, i);

		if (which.len != 0)
			step_table(ctx, pod, shown[i], names[i], which, doc, section);
	}
	all_table(ctx, pod, doc, section);
}

void
tp_pod_tables(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_doc *doc,
	struct tp_block *section)
{
	if (tp_pod_has_straggler(pod)) {
		level_table(ctx, pod, doc, section);
		against_table(ctx, pod, doc, section);
	}
	each_table(ctx, pod, doc, section);
}

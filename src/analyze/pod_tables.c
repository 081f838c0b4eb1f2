/* Tables of a distributed run: the straggler against the others, every core, and single steps. */
#include "analyze/pod.h"

#include "analyze/pod_tables.h"
#include "analyze/say.h"
#include "analyze/steps.h"
#include "base/arena.h"
#include "model/profile.h"
#include "report/draft.h"

#include <stdlib.h>

enum { MOST_STEP_ROWS = 16384 };

struct tp_slice
tp_pod_part_label(const struct tp_pod *pod, enum tp_pod_part part)
{
	if (!pod->coarse && !pod->sync_known && part == TP_POD_COLLECTIVE_SYNC)
		return TP_S("Collectives");
	if (pod->coarse && part == TP_POD_COLLECTIVE_SYNC)
		return TP_S("Collectives, copies between devices");
	if (pod->coarse && part == TP_POD_LOW_FLOPS)
		return TP_S("Compute");
	if (pod->coarse && part == TP_POD_INFEED)
		return TP_S("Input wait");
	if (pod->coarse && part == TP_POD_OUTFEED)
		return TP_S("Output");
	if (pod->coarse && part == TP_POD_IDLE)
		return TP_S("Idle or not recorded");
	return tp_slice_of(tp_pod_part_info(part)->label);
}

size_t
tp_pod_parts(const struct tp_pod *pod, enum tp_pod_part parts[static TP_POD_PART_COUNT])
{
	size_t n = 0;

	for (int k = 0; k < TP_POD_PART_COUNT; k++) {
		bool any = false;

		for (size_t u = 0; u < pod->count && !any; u++)
			any = pod->units[u].mean_ps[k] > 0;
		if (any)
			parts[n++] = (enum tp_pod_part)k;
	}
	return n;
}

static struct tp_value
ms(double ps)
{
	return tp_number(ps / 1e9, TP_UNIT_MS);
}

static struct tp_column
ms_column(struct tp_slice key, struct tp_slice title)
{
	return (struct tp_column){.key = key, .title = title, .unit = TP_UNIT_MS, .decimals = 3};
}

static struct tp_slice
part_key(const struct tp_pass_ctx *ctx, enum tp_pod_part part)
{
	return tp_arena_printf(ctx->keep, "%s_ms", tp_pod_part_info(part)->key);
}

static void
against_table(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_doc *doc,
	struct tp_block *section)
{
	static const struct tp_column columns[] = {
		{.key = TP_LIT("part"), .title = TP_LIT("Part of a mean step")},
		{.key = TP_LIT("straggler_ms"),
			.title = TP_LIT("Straggler"),
			.unit = TP_UNIT_MS,
			.decimals = 3},
		{.key = TP_LIT("others_ms"),
			.title = TP_LIT("Others' median"),
			.unit = TP_UNIT_MS,
			.decimals = 3},
		{.key = TP_LIT("more_ms"), .title = TP_LIT("More"), .unit = TP_UNIT_MS, .decimals = 3},
		{.key = TP_LIT("times"), .title = TP_LIT("Times"), .unit = TP_UNIT_TIMES, .decimals = 2},
	};
	const struct tp_pod_straggler *s = &pod->straggler;
	enum tp_pod_part parts[TP_POD_PART_COUNT];
	size_t n = tp_pod_parts(pod, parts);
	struct tp_draft draft = tp_draft_table(
		doc, section, "distributed/straggler", columns, sizeof columns / sizeof *columns);

	for (size_t i = 0; i <= n; i++) {
		const struct tp_pod_part_info *info = i < n ? tp_pod_part_info(parts[i]) : NULL;
		double mine = i < n ? s->part_ps[parts[i]] : s->own_ps;
		double others = i < n ? s->part_others_ps[parts[i]] : s->others_ps;
		struct tp_cell *cell = tp_draft_row(&draft, info ? tp_slice_of(info->key) : TP_S("own"),
			info ? TP_ROW_NORMAL : TP_ROW_TOTAL, 0);

		cell[0].value = tp_text_value(
			info ? tp_pod_part_label(pod, parts[i]) : TP_S("Own time: without waiting for others"));
		cell[0].swatch = info ? info->hue : TP_HUE_NONE;
		cell[1].value = ms(mine);
		cell[2].value = ms(others);
		cell[3].value = ms(mine - others);
		cell[4].value = others > 0 ? tp_number(mine / others, TP_UNIT_TIMES)
								   : tp_missing(TP_S("the others have none"));
	}
	tp_draft_finish(&draft, SIZE_MAX)->caption = tp_arena_printf(ctx->keep,
		"%.*s, the slowest, against the median of the others; mean over %zu steps",
		TP_ARG(tp_pod_name(ctx, pod, TP_POD_CORE, s->unit)), pod->steps->count);
}

/* Columns that say which unit a row is of. */
static size_t
who_columns(const struct tp_pod *pod, struct tp_column *c)
{
	size_t n = 0;

	if (pod->cores)
		c[n++] = (struct tp_column){.key = TP_S("core"), .title = TP_S("Core")};
	c[n++] = (struct tp_column){.key = TP_S("host"), .title = TP_S("Host"), .code = true};
	if (pod->placed) {
		c[n++] =
			(struct tp_column){.key = TP_S("chip"), .title = TP_S("Chip"), .unit = TP_UNIT_COUNT};
		c[n++] = (struct tp_column){
			.key = TP_S("core_on_chip"), .title = TP_S("On chip"), .unit = TP_UNIT_COUNT};
	}
	return n;
}

static size_t
who_cells(
	const struct tp_pass_ctx *ctx, const struct tp_pod *pod, size_t unit, struct tp_cell *cell)
{
	const struct tp_pod_unit *u = &pod->units[unit];
	size_t n = 0;

	if (pod->cores)
		cell[n++].value = tp_text_value(tp_pod_name(ctx, pod, TP_POD_CORE, unit));
	cell[n++].value = tp_text_value(u->host_name);
	if (pod->placed) {
		cell[n++].value = tp_count(u->chip);
		cell[n++].value = tp_count(u->core_on_chip);
	}
	return n;
}

static struct tp_slice
row_name(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, size_t unit)
{
	return pod->cores ? tp_arena_printf(ctx->scratch, "%u", pod->units[unit].number)
					  : pod->units[unit].host_name;
}

static int
by_own(const void *left, const void *right, void *arg)
{
	const struct tp_pod *pod = arg;
	const struct tp_pod_unit *a = &pod->units[*(const uint32_t *)left];
	const struct tp_pod_unit *b = &pod->units[*(const uint32_t *)right];

	if (a->own_ps != b->own_ps)
		return a->own_ps > b->own_ps ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

static int
by_number(const void *left, const void *right, void *arg)
{
	const struct tp_pod *pod = arg;
	uint32_t a = pod->units[*(const uint32_t *)left].number;
	uint32_t b = pod->units[*(const uint32_t *)right].number;

	return a < b ? -1 : a > b;
}

static uint32_t *
order_of(const struct tp_pass_ctx *ctx, const struct tp_pod *pod,
	int (*compare)(const void *, const void *, void *))
{
	uint32_t *order = tp_new_array(ctx->scratch, uint32_t, pod->count);

	for (size_t u = 0; u < pod->count; u++)
		order[u] = (uint32_t)u;
	qsort_r(order, pod->count, sizeof *order, compare, (void *)pod);
	return order;
}

uint32_t *
tp_pod_in_order(const struct tp_pass_ctx *ctx, const struct tp_pod *pod)
{
	return order_of(ctx, pod, by_number);
}

/* Short, where the part has its usual name. */
static struct tp_slice
column_title(const struct tp_pod *pod, enum tp_pod_part part)
{
	const struct tp_pod_part_info *info = tp_pod_part_info(part);
	struct tp_slice label = tp_pod_part_label(pod, part);

	return tp_slice_eq(label, tp_slice_of(info->label)) ? tp_slice_of(info->column) : label;
}

/* What all tables of cores share: who, the step, the parts. */
struct layout {
	struct tp_column *columns;
	size_t who, count;
	enum tp_pod_part parts[TP_POD_PART_COUNT];
	size_t part_count;
};

static struct layout
lay_out(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, bool steps)
{
	struct layout l = {
		.columns = tp_new_array(ctx->keep, struct tp_column, TP_POD_PART_COUNT + 10)};
	struct tp_column *c = l.columns;
	size_t n = 0;

	if (steps)
		c[n++] = (struct tp_column){.key = TP_S("step"), .title = TP_S("Step")};
	n += who_columns(pod, c + n);
	l.who = n;
	c[n++] = ms_column(TP_S("own_ms"), TP_S("Own time"));
	c[n - 1].sorted = !steps;
	c[n++] = (struct tp_column){
		.key = TP_S("own_share"), .title = TP_S("Of step"), .unit = TP_UNIT_SHARE, .decimals = 1};
	c[n++] = ms_column(TP_S("step_ms"), TP_S("Step"));
	l.part_count = tp_pod_parts(pod, l.parts);
	for (size_t i = 0; i < l.part_count; i++)
		c[n++] = ms_column(part_key(ctx, l.parts[i]), column_title(pod, l.parts[i]));
	c[n++] = (struct tp_column){.key = TP_S("largest"), .title = TP_S("Largest part")};
	l.count = n;
	return l;
}

static void
fill_row(
	const struct tp_pod *pod, const struct layout *l, const double *part_ps, struct tp_cell *cell)
{
	enum tp_pod_part largest = l->parts[0];
	double own = 0, total = 0;
	size_t n = 3;

	for (size_t i = 0; i < l->part_count; i++) {
		double ps = part_ps[l->parts[i]];

		total += ps;
		own += tp_pod_part_info(l->parts[i])->waits ? 0 : ps;
		cell[n++].value = ms(ps);
		if (ps > part_ps[largest])
			largest = l->parts[i];
	}
	cell[0].value = ms(own);
	cell[1].value = tp_share(own, total, TP_S("the step has no length"));
	cell[2].value = ms(total);
	cell[n].value = tp_text_value(tp_pod_part_label(pod, largest));
	cell[n].swatch = tp_pod_part_info(largest)->hue;
}

static void
each_table(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_doc *doc,
	struct tp_block *section)
{
	struct layout l = lay_out(ctx, pod, false);
	const uint32_t *order = order_of(ctx, pod, by_own);
	struct tp_draft draft = tp_draft_table(doc, section, "distributed/cores", l.columns, l.count);
	bool named = tp_pod_has_straggler(pod);

	for (size_t i = 0; i < pod->count; i++) {
		size_t u = order[i];
		struct tp_cell *cell = tp_draft_row(&draft, row_name(ctx, pod, u), TP_ROW_NORMAL, 0);

		fill_row(pod, &l, pod->units[u].mean_ps, cell + who_cells(ctx, pod, u, cell));
		if (named && u == pod->straggler.unit)
			cell[0].judge = TP_JUDGE_WARN;
	}
	struct tp_table *t = tp_draft_finish(&draft, ctx->options->top);

	t->numbered = true;
	t->caption = tp_arena_printf(ctx->keep, "Each %s, the slowest first; mean over %zu steps",
		pod->cores ? "core" : "host", pod->steps->count);
}

static void
step_row(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, const struct layout *l,
	size_t step, size_t unit, struct tp_draft *draft)
{
	double part_ps[TP_POD_PART_COUNT];
	struct tp_slice name = tp_pod_row_name(ctx, pod, step, row_name(ctx, pod, unit));
	struct tp_cell *cell = tp_draft_row(draft, name, TP_ROW_NORMAL, 0);

	for (int k = 0; k < TP_POD_PART_COUNT; k++)
		part_ps[k] = tp_pod_part_ps(pod, step, unit, (enum tp_pod_part)k);
	cell[0].value = tp_text_value(pod->steps->steps[step].name);
	fill_row(pod, l, part_ps, cell + 1 + who_cells(ctx, pod, unit, cell + 1));
}

struct tp_slice
tp_pod_row_name(
	const struct tp_pass_ctx *ctx, const struct tp_pod *pod, size_t step, struct tp_slice unit)
{
	return tp_arena_printf(
		ctx->scratch, "%.*s/%.*s", TP_ARG(pod->steps->steps[step].name), TP_ARG(unit));
}

/* Three steps as tables of their own: they are what a page without a script can show of a choice of steps. */
static void
step_table(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, size_t step, const char *which,
	struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_step *s = &pod->steps->steps[step];
	struct layout l = lay_out(ctx, pod, true);
	const uint32_t *order = order_of(ctx, pod, by_number);
	char buf[TP_VALUE_BUF];
	struct tp_slice time = tp_value_text(ms(s->time_ps), buf);
	struct tp_slice title =
		tp_arena_printf(ctx->keep, "The %s step: %.*s, %.*s", which, TP_ARG(s->name), TP_ARG(time));
	struct tp_block *fold = tp_doc_section(doc, section, TP_SECTION_FOLD,
		tp_arena_printf(ctx->keep, "distributed/%s", which).ptr, title.ptr);
	struct tp_draft draft = tp_draft_table(doc, fold,
		tp_arena_printf(ctx->keep, "distributed/%s-step", which).ptr, l.columns, l.count);

	for (size_t i = 0; i < pod->count; i++)
		step_row(ctx, pod, &l, step, order[i], &draft);
	tp_draft_finish(&draft, ctx->options->top)->caption = tp_arena_printf(
		ctx->keep, "Step %.*s on each %s", TP_ARG(s->name), pod->cores ? "core" : "host");
}

static void
all_table(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_doc *doc,
	struct tp_block *section)
{
	size_t steps = pod->steps->count, fit = MOST_STEP_ROWS / pod->count;
	size_t shown = steps < fit ? steps : fit;
	struct layout l = lay_out(ctx, pod, true);
	const uint32_t *order = order_of(ctx, pod, by_number);

	if (shown == 0 || steps < 2)
		return;
	struct tp_block *fold = tp_doc_section(
		doc, section, TP_SECTION_FOLD, "distributed/steps", "Every step on every core");
	struct tp_draft draft = tp_draft_table(doc, fold, "distributed/each-step", l.columns, l.count);

	for (size_t i = 0; i < shown; i++) {
		for (size_t u = 0; u < pod->count; u++)
			step_row(ctx, pod, &l, i * steps / shown, order[u], &draft);
	}
	tp_draft_finish(&draft, ctx->options->top)->caption = shown == steps
		? TP_S("Every step on every core")
		: tp_arena_printf(
			  ctx->keep, "%zu of %zu steps, evenly chosen, on every core", shown, steps);
}

void
tp_pod_tables(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_doc *doc,
	struct tp_block *section)
{
	if (tp_pod_has_straggler(pod))
		against_table(ctx, pod, doc, section);
	each_table(ctx, pod, doc, section);
	step_table(ctx, pod, 0, "first", doc, section);
	step_table(ctx, pod, pod->median_step, "median", doc, section);
	step_table(ctx, pod, pod->steps->slowest, "slowest", doc, section);
	all_table(ctx, pod, doc, section);
}

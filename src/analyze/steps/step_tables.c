/* Steps in tables: by class of time, the TPU page's figures, and step by step. */
#include "analyze/steps/steps_section.h"

#include "analyze/core/say.h"
#include "analyze/steps/step_charts.h"
#include "base/arena.h"
#include "model/profile.h"
#include "report/draft.h"

#include <math.h>

#define MS_COLUMN(KEY, TITLE, ...)                                                                 \
	TP_COLUMN(KEY, TITLE, .unit = TP_UNIT_MS, .decimals = 2, __VA_ARGS__)
#define MS_FIELD(ROW, MEMBER, MISSING) TP_FIELD(ROW, MEMBER, TP_UNIT_MS, .missing = MISSING)

static struct tp_stats
in_ms(struct tp_stats ps)
{
	return (struct tp_stats){.count = ps.count,
		.mean = ps.mean / 1e9,
		.sd = ps.sd / 1e9,
		.min = ps.min / 1e9,
		.max = ps.max / 1e9,
		.p50 = ps.p50 / 1e9,
		.p95 = ps.p95 / 1e9};
}

/* Over steps. */
struct class_row {
	struct tp_slice name;
	struct tp_stats ms;
	double share, slowest_ms, more_ms;
};
#define OF_SEVERAL(MEMBER) MS_FIELD(struct class_row, MEMBER, "from a single step")

static const struct tp_column class_columns[] = {
	TP_COLUMN("class", "Class", TP_TEXT_FIELD(struct class_row, name)),
	MS_COLUMN("mean_ms", "Mean", MS_FIELD(struct class_row, ms.mean, "")),
	TP_SHARE_COLUMN("share", "Of step", .bar = true,
		TP_FIELD(struct class_row, share, TP_UNIT_SHARE, .missing = "steps have no length")),
	MS_COLUMN("sd_ms", "Std dev", OF_SEVERAL(ms.sd)),
	MS_COLUMN("min_ms", "Min", OF_SEVERAL(ms.min)),
	MS_COLUMN("p50_ms", "p50", OF_SEVERAL(ms.p50)),
	MS_COLUMN("p95_ms", "p95", OF_SEVERAL(ms.p95)),
	MS_COLUMN("max_ms", "Max", OF_SEVERAL(ms.max)),
	MS_COLUMN("slowest_ms", "Slowest step", OF_SEVERAL(slowest_ms)),
	MS_COLUMN("slowest_more_ms", "vs. p50", OF_SEVERAL(more_ms)),
};
struct class_cells {
	struct tp_cell name, mean, share, sd, min, p50, p95, max, slowest, more;
};
TP_CELLS_ARE_COLUMNS(struct class_cells, class_columns);

static struct class_cells *
class_row(struct tp_draft *draft, struct tp_slice key, struct tp_slice name, enum tp_row_role role,
	struct tp_stats ps, double step_ps, double slowest_ps)
{
	struct class_row row = {
		.name = name,
		.ms = in_ms(ps),
		.share = step_ps > 0 ? ps.mean / step_ps : NAN,
		.slowest_ms = slowest_ps / 1e9,
		.more_ms = (slowest_ps - ps.p50) / 1e9,
	};

	if (ps.count < 2)
		row = (struct class_row){
			name, {1, row.ms.mean, NAN, NAN, NAN, NAN, NAN}, row.share, NAN, NAN};
	return tp_draft_row_of(draft, key, role, 0, &row);
}

void
tp_step_class_table(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "steps/classes", class_columns);
	double *values = tp_new_array(ctx->scratch, double, s->count);
	const struct tp_step *slowest = &s->steps[s->slowest];

	for (size_t k = 0; k < TP_STEP_PART_COUNT; k++) {
		struct tp_step_part part = tp_step_part(k);

		if (!(tp_step_part_mean_ps(s, k) > 0))
			continue;
		for (size_t i = 0; i < s->count; i++)
			values[i] = tp_step_part_ps(&s->steps[i], k);
		struct class_cells *cells = class_row(&draft, tp_slice_of(part.key),
			tp_slice_of(part.label), TP_ROW_NORMAL, tp_stats_of(values, s->count, ctx->scratch),
			s->time.mean, tp_step_part_ps(slowest, k));

		cells->name.swatch = cells->share.swatch = part.hue;
		cells->name.tint = cells->share.tint = (unsigned)part.tint;
	}
	struct class_cells *total = class_row(
		&draft, TP_S("step"), TP_S("Step"), TP_ROW_TOTAL, s->time, s->time.mean, slowest->time_ps);

	total->mean.metric = TP_S("step.time.mean_ms");
	if (s->count > 1) {
		total->min.metric = TP_S("step.time.min_ms");
		total->p50.metric = TP_S("step.time.p50_ms");
		total->p95.metric = TP_S("step.time.p95_ms");
		total->max.metric = TP_S("step.time.max_ms");
	}
	char steps[TP_VALUE_BUF];
	struct tp_slice n = tp_value_text(tp_count(s->count), steps);

	struct tp_slice caption = tp_arena_printf(ctx->keep, "%s by class of time, mean over %.*s%s",
		s->inferred ? "An inferred step" : "A step", TP_ARG(tp_steps_of_whom(ctx, s).text),
		tp_steps_end_with_slowest(s) ? ", to the slowest's end" : "");

	if (s->count > 1)
		caption = tp_arena_printf(ctx->keep, "%.*s; %.*s %s", TP_ARG(caption), TP_ARG(n),
			tp_plural(s->count, "step", "steps"));
	if (s->count > 1 && !tp_steps_equal(s))
		caption = tp_arena_printf(
			ctx->keep, "%.*s; slowest: step %.*s", TP_ARG(caption), TP_ARG(slowest->name));
	tp_draft_finish(&draft, SIZE_MAX)->caption = caption;
}

/* A part of the TPU page. */
struct tpu_row {
	struct tp_slice name, how;
	struct tp_stats ms;
};

static const struct tp_column tpu_columns[] = {
	TP_COLUMN("part", "Part", TP_TEXT_FIELD(struct tpu_row, name)),
	MS_COLUMN("mean_ms", "Mean", MS_FIELD(struct tpu_row, ms.mean, "no such step")),
	MS_COLUMN(
		"sd_ms", "Std dev", MS_FIELD(struct tpu_row, ms.sd, "a single step has no deviation")),
	MS_COLUMN("min_ms", "Min", MS_FIELD(struct tpu_row, ms.min, "no such step")),
	MS_COLUMN("max_ms", "Max", MS_FIELD(struct tpu_row, ms.max, "no such step")),
	TP_COLUMN("how", "Over cores", TP_TEXT_FIELD(struct tpu_row, how)),
};
struct tpu_cells {
	struct tp_cell name, mean, sd, min, max, how;
};
TP_CELLS_ARE_COLUMNS(struct tpu_cells, tpu_columns);

static void
tpu_row(struct tp_draft *draft, const char *id, const char *metric, const struct tpu_row *row)
{
	struct tpu_cells *cells = tp_draft_row_of(draft, tp_slice_of(id), TP_ROW_NORMAL, 0, row);

	cells->mean.metric = tp_slice_of(metric);
}

/* Over all steps, with their metrics and how each part is taken; or over whole ones. */
static void
tpu_table(struct tp_doc *doc, struct tp_block *fold, const char *id,
	const struct tp_step_stats *stats, bool all, struct tp_slice caption)
{
	size_t columns = TP_COLUMN_OF(struct tpu_cells, how) + all;
	struct tp_draft draft = tp_draft_table(doc, fold, id, tpu_columns, columns);

	tpu_row(&draft, "step", all ? "step.time.mean_ms" : "step.time.whole.mean_ms",
		&(struct tpu_row){TP_S("Step"), TP_S("maximum over cores"), in_ms(stats->time)});
	for (int i = 0; i < TP_TPU_PART_COUNT; i++) {
		const struct tp_tpu_part_info *part = tp_tpu_part_info((enum tp_tpu_part)i);

		tpu_row(&draft, part->id, all ? part->id : "",
			&(struct tpu_row){
				tp_slice_of(part->label), tp_slice_of(part->how), in_ms(stats->tpu[i])});
	}
	tp_draft_finish(&draft, SIZE_MAX)->caption = caption;
}

void
tp_step_tpu_tables(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_block *fold =
		tp_doc_section(doc, section, TP_SECTION_FOLD, "steps/tpu-page", "TPU page figures");

	fold->section.off_paper = true;
	tpu_table(doc, fold, "steps/tpu", &s->all, true,
		TP_S("Parts as counted by the profiler's TPU page: over different cores, so they need not "
			 "sum to the step"));
	if (s->open_count != 0)
		tpu_table(doc, fold, "steps/tpu-whole", &s->whole, false,
			tp_arena_printf(ctx->keep, "The same for the %zu %s that the capture does not cut",
				s->whole.count, tp_plural(s->whole.count, "step", "steps")));
}

struct tp_slice
tp_steps_timeline_name(const struct tp_pass_ctx *ctx, const struct tp_steps *s, uint32_t timeline)
{
	const struct tp_profile *p = ctx->profile;

	if (s->cores == NULL)
		return p->hosts[timeline].name;
	struct tp_slice name = tp_say_device(ctx, s->cores[timeline].device);

	if (p->host_count == 1)
		return name;
	return tp_arena_printf(
		ctx->keep, "%.*s %.*s", TP_ARG(p->hosts[s->cores[timeline].host].name), TP_ARG(name));
}

static struct tp_slice
cut_text(const struct tp_step *step)
{
	return step->open_start && step->open_end ? TP_S("at both ends")
		: step->open_start                    ? TP_S("at its start")
		: step->open_end                      ? TP_S("at its end")
											  : TP_S("");
}

enum { MOST_EACH = 2000 }; /* steps in the table of each */

/* Columns of each step: name and time, the parts of the TPU page or the classes, the range of waiting for input. */
struct each {
	struct tp_column *columns;
	size_t count;
	bool tpu_page;
	size_t parts[TP_STEP_PART_COUNT + TP_TPU_PART_COUNT]; /* that are ever above 0 */
	size_t part_count;
	bool several, cut;
};

static void
add(struct each *e, struct tp_column column)
{
	e->columns[e->count++] = column;
}
#define ADD(E, ...) add(E, (struct tp_column)__VA_ARGS__)

static void
plan_parts(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct each *e)
{
	for (size_t k = 0; k < (e->tpu_page ? (size_t)TP_TPU_PART_COUNT : TP_STEP_PART_COUNT); k++) {
		struct tp_column column = MS_COLUMN("", "");

		if (e->tpu_page) {
			const struct tp_tpu_part_info *part = tp_tpu_part_info((enum tp_tpu_part)k);

			column.key = tp_slice_from(tp_slice_of(part->id), strlen("step.tpu."));
			column.title = tp_slice_of(part->label);
		} else {
			column.key = tp_arena_printf(ctx->keep, "%s_ms", tp_step_part(k).key);
			column.title = tp_slice_of(tp_step_part(k).label);
		}
		if (!((e->tpu_page ? s->all.tpu[k].max : tp_step_part_mean_ps(s, k)) > 0))
			continue;
		e->parts[e->part_count++] = k;
		add(e, column);
	}
}

static struct each
plan_columns(const struct tp_pass_ctx *ctx, const struct tp_steps *s)
{
	struct each e = {
		.columns =
			tp_new_array(ctx->keep, struct tp_column, TP_STEP_PART_COUNT + TP_TPU_PART_COUNT + 8),
		.tpu_page = s->source->of_cores,
		.several = s->timelines > 1,
		.cut = s->open_count != 0,
	};

	ADD(&e, TP_COLUMN("step", "Step"));
	ADD(&e, MS_COLUMN("time_ms", "Time"));
	if (e.several)
		add(&e,
			(struct tp_column){.key = TP_S("slowest"),
				.title = tp_arena_printf(ctx->keep, "Slowest %s", s->source->timeline)});
	plan_parts(ctx, s, &e);
	if (e.several) {
		ADD(&e, TP_SHARE_COLUMN("input_least_share", "Input wait, min"));
		ADD(&e, TP_SHARE_COLUMN("input_mean_share", "Input wait, mean"));
		ADD(&e, TP_SHARE_COLUMN("input_most_share", "Input wait, max"));
		ADD(&e, TP_COLUMN("waits_most", "Waits most", .core = true));
	} else {
		ADD(&e, TP_SHARE_COLUMN("input_most_share", "Input wait"));
	}
	if (e.cut)
		ADD(&e, TP_COLUMN("cut", "Cut off"));
	return e;
}

static struct tp_value
input_share(const struct tp_steps *s, double share)
{
	return s->shows_input ? tp_number(share, TP_UNIT_SHARE)
						  : tp_missing(s->source->input_unseen.why);
}

static void
each_row(const struct tp_pass_ctx *ctx, const struct tp_steps *s, const struct each *e,
	const struct tp_step *step, struct tp_cell *cell)
{
	cell++->value = tp_text_value(step->name);
	cell++->value = tp_ps_in_ms(step->time_ps);
	if (e->several)
		cell++->value = tp_text_value(tp_steps_timeline_name(ctx, s, step->slowest));
	for (size_t k = 0; k < e->part_count; k++)
		cell++->value = tp_ps_in_ms(
			e->tpu_page ? step->tpu_ps[e->parts[k]] : tp_step_part_ps(step, e->parts[k]));
	if (e->several) {
		cell++->value = input_share(s, step->input_share_min);
		cell++->value = input_share(s, step->input_share_mean);
	}
	cell++->value = input_share(s, step->input_share_max);
	if (e->several)
		cell++->value = step->input_share_max > 0
			? tp_text_value(tp_steps_timeline_name(ctx, s, step->waits_most))
			: tp_missing(s->shows_input ? TP_S("none waits") : s->source->input_unseen.why);
	if (e->cut)
		cell++->value = tp_text_value(cut_text(step));
}

void
tp_step_each_table(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_block *fold =
		tp_doc_section(doc, section, TP_SECTION_FOLD, "steps/every", "Step by step");
	struct each e = plan_columns(ctx, s);

	fold->section.off_paper = true;
	struct tp_draft draft = tp_draft_table(doc, fold, "steps/each", e.columns, e.count);

	for (size_t i = 0; i < s->count && i < MOST_EACH; i++)
		each_row(
			ctx, s, &e, &s->steps[i], tp_draft_row(&draft, s->steps[i].name, TP_ROW_NORMAL, 0));
	tp_draft_finish(&draft, ctx->options->top)->caption = tp_arena_printf(ctx->keep,
		"%s in order, %s%s", s->count > MOST_EACH ? "The first 2,000 steps" : "Each step",
		e.tpu_page ? "with TPU page figures" : "by class of time",
		!s->shows_input  ? ""
			: !e.several ? "; waiting for input as a share of the step"
			: e.tpu_page
			? "; waiting for input as a share of the step, on the cores that wait least and most"
			: "; waiting for input as a share of the step, on the hosts that wait least and most");
}

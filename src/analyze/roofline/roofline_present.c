/* What the report says about the roofline: how near the program comes, to which limit, and what that means. */
#include "analyze/roofline/roofline.h"

#include "analyze/core/say.h"
#include "analyze/roofline/roofline_words.h"
#include "base/arena.h"
#include "model/profile.h"
#include "report/draft.h"

#include <math.h>

static struct tp_value
known(double number, enum tp_unit unit, const char *reason)
{
	return isfinite(number) ? tp_number(number, unit) : tp_missing(tp_slice_of(reason));
}

/* A rate or share that is more than possible is not the work's own, and is left out. */
static struct tp_value
own(const struct tp_roof *r, struct tp_value value)
{
	return r->impossible ? tp_missing(TP_S(why_asynchronous)) : value;
}

static struct tp_value
roof_intensity(const struct tp_roof *r)
{
	return known(r->intensity, TP_UNIT_FLOP_PER_BYTE, why_no_hbm);
}

static struct tp_value
roof_rate(const struct tp_roof *r, enum tp_peak_kind kind)
{
	struct tp_value rate = known(r->rate[kind],
		kind == TP_PEAK_FLOP ? TP_UNIT_FLOP_PER_S : TP_UNIT_BYTES_PER_S, why_no_time);

	return r->share[kind] > 0 ? own(r, rate) : rate;
}

static struct tp_value
roof_share(const struct tp_roof *r, enum tp_peak_kind kind)
{
	return own(r, known(r->share[kind], TP_UNIT_SHARE, why_no_peak));
}

static struct tp_value
roof_efficiency(const struct tp_roof *r)
{
	return own(r, known(r->efficiency, TP_UNIT_SHARE, why_no_limit));
}

static struct tp_value
roof_bound(const struct tp_roof *r)
{
	return own(r,
		r->bound == TP_PEAK_COUNT ? tp_missing(TP_S(why_no_limit))
								  : tp_text_value(tp_op_limit(r->bound)));
}

static struct tp_value
roof_ridge(const struct tp_roofline *r, enum tp_peak_kind kind)
{
	return r->peak[kind] > 0
		? tp_number(r->peak[TP_PEAK_FLOP] / r->peak[kind], TP_UNIT_FLOP_PER_BYTE)
		: tp_missing(TP_S(why_no_peak));
}

/* FLOP/s over what the roof allows at this intensity: the larger share of compute and HBM. */
static struct tp_value
of_roof(const struct tp_roof *r)
{
	if (!(r->amount[TP_PEAK_FLOP] > 0))
		return tp_missing(TP_S(why_no_flop));
	return tp_number(fmax(r->share[TP_PEAK_FLOP], r->share[TP_PEAK_HBM]), TP_UNIT_SHARE);
}

static struct tp_slice
coverage(const struct tp_pass_ctx *ctx, const struct tp_roofline *r)
{
	if (r == NULL)
		return TP_S("");
	return r->has_step
		? tp_arena_printf(ctx->keep, "%zu complete %s%s", r->step_count,
			  tp_plural(r->step_count, "step", "steps"), r->steps_inferred ? ", inferred" : "")
		: TP_S(text_whole_capture);
}

static void
metrics_of(const struct tp_pass_ctx *ctx, const struct tp_roof *r, struct tp_slice why,
	const char *key, const char *name, const char *over, struct tp_slice covers, struct tp_doc *doc)
{
	static const struct tp_roof nothing;
	const struct tp_roof *at = r != NULL ? r : &nothing;
	const struct {
		const char *id, *label, *how;
		struct tp_value value;
	} figures[] = {
		{"flop_per_s", "FLOP/s", "Σ FLOP / time", roof_rate(at, TP_PEAK_FLOP)},
		{"hbm_bytes_per_s", "HBM bytes per second", "Σ HBM bytes / time",
			roof_rate(at, TP_PEAK_HBM)},
		{"intensity_flop_per_byte", "FLOP per HBM byte", "Σ FLOP / Σ HBM bytes",
			roof_intensity(at)},
		{"flops_share", "share of peak FLOP/s", "Σ FLOP / (time × peak FLOP/s)",
			roof_share(at, TP_PEAK_FLOP)},
		{"hbm_share", "share of peak memory bandwidth", "Σ HBM bytes / (time × peak bytes/s)",
			roof_share(at, TP_PEAK_HBM)},
		{"efficiency_share", "roofline efficiency",
			"the largest share of a peak, that of the binding limit", roof_efficiency(at)},
		{"bound_by", "bound by", "the limit with the largest share of its peak in use",
			roof_bound(at)},
	};

	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
		tp_doc_metric(doc, tp_arena_printf(ctx->keep, "roofline.%s.%s", key, figures[i].id),
			tp_arena_printf(ctx->keep, "%s: %s", name, figures[i].label).ptr,
			r != NULL ? figures[i].value : tp_missing(why),
			tp_arena_printf(ctx->keep, "%s; %s", figures[i].how, over), covers);
}

void
tp_roofline_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_roofline *r = result;
	struct tp_slice why = tp_skipped_itself(ctx);

	metrics_of(ctx, r ? &r->program : NULL, why, "program", "Whole program",
		"innermost operations, over device time, idle included", TP_S(""), doc);
	metrics_of(ctx, r ? &r->unfed : NULL, why, "unfed", "Without infeed and outfeed",
		"innermost operations but infeed and outfeed, over device time without these two, idle included",
		TP_S(""), doc);
	metrics_of(ctx, r && r->has_step ? &r->step : NULL, r ? TP_S(why_no_steps) : why, "step",
		"Average step", "innermost operations of complete steps, over the length of these steps",
		coverage(ctx, r), doc);
	metrics_of(ctx, r ? &r->operations : NULL, why, "operations", "While operations run",
		"innermost operations, over their own time, in complete steps if there are any",
		coverage(ctx, r), doc);
	tp_say_metric(doc, "roofline.ridge_flop_per_byte", "Ridge point",
		r ? roof_ridge(r, TP_PEAK_HBM) : tp_missing(why),
		"peak FLOP/s / peak memory bandwidth: with fewer FLOP per byte, memory is the limit");
	tp_doc_metric(doc, TP_S("flops.relative_to_roofline_share"), "FLOPS relative to the roofline",
		r ? of_roof(&r->operations) : tp_missing(why),
		TP_S("FLOP/s while operations run over the smaller of peak FLOP/s and FLOP per byte × peak "
			 "memory bandwidth"),
		coverage(ctx, r));
}

static struct tp_value
limit_name(const struct tp_roof *r)
{
	return tp_text_value(r->bound == TP_PEAK_HBM ? TP_S("HBM bandwidth") : tp_op_limit(r->bound));
}

/* How many times more a program reaches without waiting in feeds for that to be said. */
#define NOTEWORTHY 1.2

static void
answer(const struct tp_roofline *r, struct tp_doc *doc, struct tp_section *section)
{
	const struct tp_roof *at = &r->operations;
	double corner = r->peak[TP_PEAK_FLOP] / r->peak[TP_PEAK_HBM];

	section->key_figure = roof_efficiency(at);
	if (at->bound == TP_PEAK_COUNT) {
		section->answer = TP_SAY0(doc, text_states_nothing);
		return;
	}
	section->answer = TP_SAY(
		doc, r->has_step ? text_reach_in_steps : text_reach, section->key_figure, limit_name(at));
	if (!isfinite(at->intensity))
		return;
	if (r->has_feeds && r->unfed.efficiency > NOTEWORTHY * at->efficiency) {
		section->so_what =
			TP_SAY(doc, text_unfed, roof_efficiency(&r->unfed), limit_name(&r->unfed));
		return;
	}
	section->so_what =
		TP_SAY(doc, at->intensity < corner ? text_memory_limits : text_compute_limits,
			tp_number(at->intensity, TP_UNIT_NONE), tp_number(corner, TP_UNIT_NONE));
}

#define RATE_COLUMN(key, title) TP_COLUMN(key, title, .unit = TP_UNIT_GB_PER_S, .decimals = 1)

/* What both tables say of some work. */
#define REACHED_COLUMNS                                                                            \
	TP_COLUMN("flop_per_byte", "Intensity", .unit = TP_UNIT_FLOP_PER_BYTE, .decimals = 2),         \
		TP_COLUMN("gflop_per_s", "FLOP rate", .unit = TP_UNIT_GFLOP_PER_S, .decimals = 1),         \
		RATE_COLUMN("hbm_gb_per_s", "HBM rate"), TP_COLUMN("bound_by", "Bound by"),                \
		TP_SHARE_COLUMN("efficiency_share", "Of that limit, est.", .bar = true),                   \
		TP_SHARE_COLUMN("flops_share", "Of peak FLOP/s")
struct reached_cells {
	struct tp_cell intensity, flop_rate, hbm_rate, bound, efficiency, flops_share;
};

static void
fill_reached(struct reached_cells *cells, const struct tp_roof *at, enum tp_hue hue)
{
	cells->intensity.value = roof_intensity(at);
	cells->flop_rate.value = roof_rate(at, TP_PEAK_FLOP);
	cells->hbm_rate.value = roof_rate(at, TP_PEAK_HBM);
	cells->bound.value = roof_bound(at);
	cells->efficiency.value = roof_efficiency(at);
	cells->efficiency.swatch = hue;
	cells->flops_share.value = roof_share(at, TP_PEAK_FLOP);
}

/* The rates of four memories: the last columns of both, which a table has where the profile tells the memories apart. */
#define ON_CHIP_COLUMNS                                                                            \
	RATE_COLUMN("cmem_read_gb_per_s", "CMEM read"),                                                \
		RATE_COLUMN("cmem_write_gb_per_s", "CMEM write"),                                          \
		RATE_COLUMN("vmem_read_gb_per_s", "VMEM read"),                                            \
		RATE_COLUMN("vmem_write_gb_per_s", "VMEM write")
enum { ON_CHIP = TP_OP_LIMITS - TP_PEAK_CMEM_READ };

static size_t
on_chip_columns(const struct tp_roofline *r)
{
	for (int k = TP_PEAK_CMEM_READ; k < TP_OP_LIMITS; k++) {
		if (r->program.amount[k] > 0)
			return ON_CHIP;
	}
	return 0;
}

static void
fill_on_chip(struct tp_cell *cells, size_t count, const struct tp_roof *at)
{
	for (size_t i = 0; i < count; i++)
		cells[i].value = roof_rate(at, (enum tp_peak_kind)(TP_PEAK_CMEM_READ + i));
}

static const struct tp_column whole_columns[] = {
	TP_COLUMN("name", "What"),
	REACHED_COLUMNS,
	ON_CHIP_COLUMNS,
};
struct whole_cells {
	struct tp_cell name;
	struct reached_cells reached;
	struct tp_cell on_chip[ON_CHIP];
};
TP_CELLS_ARE_COLUMNS(struct whole_cells, whole_columns);

static void
wholes(const struct tp_roofline *r, struct tp_doc *doc, struct tp_block *section)
{
	const struct {
		const char *id, *name;
		const struct tp_roof *at;
	} rows[] = {
		{"program", text_row_program, &r->program},
		{"unfed", text_row_unfed, r->has_feeds ? &r->unfed : NULL},
		{"step", r->steps_inferred ? text_row_inferred_step : text_row_step,
			r->has_step ? &r->step : NULL},
		{"operations", r->has_step ? text_row_operations_in_steps : text_row_operations,
			&r->operations},
	};
	size_t on_chip = on_chip_columns(r);
	struct tp_draft draft = tp_draft_table(doc, section, "roofline/whole", whole_columns,
		TP_COLUMN_OF(struct whole_cells, on_chip) + on_chip);

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (rows[i].at == NULL)
			continue;
		struct whole_cells *cells =
			tp_draft_row_of(&draft, tp_slice_of(rows[i].id), TP_ROW_NORMAL, 0, NULL);

		cells->name.value = tp_text_value(tp_slice_of(rows[i].name));
		fill_reached(&cells->reached, rows[i].at, TP_HUE_COMPUTE);
		fill_on_chip(cells->on_chip, on_chip, rows[i].at);
	}
	tp_draft_finish(&draft, SIZE_MAX)->caption = TP_S(caption_program);
}

static const struct tp_column op_columns[] = {
	TP_COLUMN("name", "Operation", .code = true),
	TP_SHARE_COLUMN("busy_share", "Of busy time", .sorted = true),
	REACHED_COLUMNS,
	TP_COLUMN("category", "Category", TP_TEXT_FIELD(struct tp_op_total, category)),
	ON_CHIP_COLUMNS,
};
struct op_cells {
	struct tp_cell name, busy;
	struct reached_cells reached;
	struct tp_cell category, on_chip[ON_CHIP];
};
TP_CELLS_ARE_COLUMNS(struct op_cells, op_columns);

enum { MOST_ROWS = 1000 };

static void
operations(const struct tp_pass_ctx *ctx, const struct tp_roofline *r, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_ops *o = tp_result(ctx, &tp_pass_ops);
	size_t rows = r->count < MOST_ROWS ? r->count : MOST_ROWS, on_chip = on_chip_columns(r);
	struct tp_draft draft = tp_draft_table(doc, section, "roofline/operations", op_columns,
		TP_COLUMN_OF(struct op_cells, on_chip) + on_chip);

	for (size_t i = 0; i < rows; i++) {
		const struct tp_op_total *t = r->ops[i].op;
		struct op_cells *cells =
			tp_draft_row_of(&draft, tp_op_row_name(ctx, t), TP_ROW_NORMAL, 0, t);

		cells->name.value = tp_text_value(t->op->label);
		cells->busy.value = tp_op_busy_share(o, t->self_ps);
		fill_reached(&cells->reached, &r->ops[i].at, t->hue);
		cells->category.swatch = t->hue;
		fill_on_chip(cells->on_chip, on_chip, &r->ops[i].at);
	}
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->numbered = true;
	table->caption = rows < r->count
		? tp_arena_printf(ctx->keep, caption_some_operations, MOST_ROWS, r->count)
		: TP_S(caption_operations);
}

static const struct tp_column ceiling_columns[] = {
	TP_COLUMN("limit", "Limit"),
	TP_COLUMN("peak", "Peak per device"),
	TP_COLUMN("ridge_flop_per_byte", "Ridge point", .unit = TP_UNIT_FLOP_PER_BYTE, .decimals = 1),
	TP_COLUMN("source", "Source"),
};
struct ceiling_cells {
	struct tp_cell limit, peak, ridge, source;
};
TP_CELLS_ARE_COLUMNS(struct ceiling_cells, ceiling_columns);

static void
ceilings(const struct tp_pass_ctx *ctx, const struct tp_roofline *r, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_peaks *peaks = tp_result(ctx, &tp_pass_peaks);
	struct tp_block *fold =
		tp_doc_section(doc, section, TP_SECTION_FOLD, "roofline/limits", title_limits);
	struct tp_draft draft = TP_DRAFT_TABLE(doc, fold, "roofline/ceilings", ceiling_columns);

	for (int k = 0; k < TP_OP_LIMITS; k++) {
		if (!(r->peak[k] > 0))
			continue;
		struct tp_slice limit = tp_op_limit((enum tp_peak_kind)k);
		struct ceiling_cells *cells = tp_draft_row_of(&draft, limit, TP_ROW_NORMAL, 0, NULL);

		cells->limit.value = tp_text_value(limit);
		cells->peak.value =
			tp_number(r->peak[k], k == TP_PEAK_FLOP ? TP_UNIT_FLOP_PER_S : TP_UNIT_BYTES_PER_S);
		cells->ridge.value = k == TP_PEAK_FLOP ? tp_missing(TP_S(why_flat_part))
											   : roof_ridge(r, (enum tp_peak_kind)k);
		cells->source.value = tp_text_value(
			peaks->common.of[k].value > 0 ? peaks->common.of[k].how : TP_S(text_all_devices));
	}
	tp_draft_finish(&draft, SIZE_MAX)->caption = TP_S(caption_limits);
}

static struct tp_block *
open_section(struct tp_doc *doc)
{
	return tp_doc_section(doc, NULL, TP_SECTION_MAIN, "roofline", title_roofline);
}

void
tp_roofline_skipped(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	struct tp_slice why = tp_skipped_itself(ctx);

	/* Traces of PyTorch hold no costs of kernels: a section that says so would help nobody. */
	if (tp_result(ctx, &tp_pass_ops) == NULL || ctx->profile->torch != NULL)
		return;
	struct tp_block *section = open_section(doc);

	section->section.key_figure = tp_missing(why);
	section->section.answer = TP_SAY(doc, text_no_roofline, tp_text_value(why));
}

void
tp_roofline_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_roofline *r = result;
	struct tp_block *section = open_section(doc);

	answer(r, doc, &section->section);
	tp_roofline_chart(ctx, r, doc, section);
	wholes(r, doc, section);
	operations(ctx, r, doc, section);
	ceilings(ctx, r, doc, section);
	tp_say_how(ctx, doc, section, "roofline/how", how_roofline);
	tp_say_source(ctx, doc, section, "roofline/source", source_roofline);
}

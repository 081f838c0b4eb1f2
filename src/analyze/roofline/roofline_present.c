/* What the report says about the roofline: how near the program comes, to which limit, and what that means. */
#include "analyze/roofline/roofline.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "model/profile.h"
#include "report/draft.h"

#include <math.h>

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

	section->key_figure = tp_roof_efficiency(at);
	if (at->bound == TP_PEAK_COUNT) {
		section->answer = TP_SAY0(doc, "The operations state neither FLOP nor bytes.");
		return;
	}
	section->answer = TP_SAY(doc,
		r->has_step
			? "While operations of complete steps run they reach {} of the roof, which is {}."
			: "While operations run they reach {} of the roof, which is {}.",
		section->key_figure, limit_name(at));
	if (!isfinite(at->intensity))
		return;
	if (r->has_feeds && r->unfed.efficiency > NOTEWORTHY * at->efficiency) {
		section->so_what =
			TP_SAY(doc, "Without infeed and outfeed, in which a core waits, it is {}, of {}.",
				tp_roof_efficiency(&r->unfed), limit_name(&r->unfed));
		return;
	}
	section->so_what = TP_SAY(doc,
		at->intensity < corner
			? "They do {} FLOP for each byte of HBM; below {} memory is the limit."
			: "They do {} FLOP for each byte of HBM; above {} compute is the limit.",
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
	cells->intensity.value = tp_roof_intensity(at);
	cells->flop_rate.value = tp_roof_rate(at, TP_PEAK_FLOP);
	cells->hbm_rate.value = tp_roof_rate(at, TP_PEAK_HBM);
	cells->bound.value = tp_roof_bound(at);
	cells->efficiency.value = tp_roof_efficiency(at);
	cells->efficiency.swatch = hue;
	cells->flops_share.value = tp_roof_share(at, TP_PEAK_FLOP);
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
		cells[i].value = tp_roof_rate(at, (enum tp_peak_kind)(TP_PEAK_CMEM_READ + i));
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
		{"program", "Whole program, idle included", &r->program},
		{"unfed", "Without infeed and outfeed", r->has_feeds ? &r->unfed : NULL},
		{"step", r->steps_inferred ? "Average step, inferred" : "Average step",
			r->has_step ? &r->step : NULL},
		{"operations", r->has_step ? "Operations of steps alone" : "Operations alone",
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
	tp_draft_finish(&draft, SIZE_MAX)->caption =
		TP_S("The program against the limits of one device");
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
		cells->busy.value = tp_share((double)t->self_ps, (double)o->busy_ps, TP_S("no time"));
		fill_reached(&cells->reached, &r->ops[i].at, t->hue);
		cells->category.swatch = t->hue;
		fill_on_chip(cells->on_chip, on_chip, &r->ops[i].at);
	}
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->numbered = true;
	table->caption = rows < r->count
		? tp_arena_printf(
			  ctx->keep, "The %d longest of %zu operations that state costs", MOST_ROWS, r->count)
		: TP_S("Operations that state costs, by self time");
}

static const struct tp_column ceiling_columns[] = {
	TP_COLUMN("limit", "Limit"),
	TP_COLUMN("peak", "Peak of a device"),
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
	struct tp_block *fold = tp_doc_section(
		doc, section, TP_SECTION_FOLD, "roofline/limits", "Ceilings and ridge points");
	struct tp_draft draft = TP_DRAFT_TABLE(doc, fold, "roofline/ceilings", ceiling_columns);

	for (int k = 0; k < TP_OP_LIMITS; k++) {
		if (!(r->peak[k] > 0))
			continue;
		struct tp_slice limit = tp_op_limit((enum tp_peak_kind)k);
		struct ceiling_cells *cells = tp_draft_row_of(&draft, limit, TP_ROW_NORMAL, 0, NULL);

		cells->limit.value = tp_text_value(limit);
		cells->peak.value =
			tp_number(r->peak[k], k == TP_PEAK_FLOP ? TP_UNIT_FLOP_PER_S : TP_UNIT_BYTES_PER_S);
		cells->ridge.value = k == TP_PEAK_FLOP ? tp_missing(TP_S("it is the flat part of the roof"))
											   : tp_roof_ridge(r, (enum tp_peak_kind)k);
		cells->source.value =
			tp_text_value(peaks->common.of[k].value > 0 ? peaks->common.of[k].how
														: TP_S("devices with operations alike"));
	}
	tp_draft_finish(&draft, SIZE_MAX)->caption =
		TP_S("With fewer FLOP a byte than the ridge point that memory is the limit, with more "
			 "arithmetic");
}

static struct tp_block *
open_section(struct tp_doc *doc)
{
	return tp_doc_section(doc, NULL, TP_SECTION_MAIN, "roofline", "Roofline");
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
	section->section.answer = TP_SAY(doc, "No roofline: {}.", tp_text_value(why));
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
	tp_say_how(ctx, doc, section, "roofline/how",
		"FLOP and bytes are what the compiler estimated for an occurrence, times occurrences; of "
		"the program those of innermost operations, as loops and calls only hold others. Rates are "
		"over an operation's whole time, per device; the program's over device time with idle, the "
		"average step's over the length of complete steps by the chip's clock, and both again over "
		"the operations' own time. What a thing is bound by is the limit of which it uses the "
		"largest share, and that share is its efficiency; as bytes are estimates it may come out "
		"somewhat above 100 %, and above 125 % it is not shown. The slope of the roof is HBM "
		"bandwidth; thin slopes are those of on-chip memories, for bytes of theirs.");
	tp_say_source(ctx, doc, section, "roofline/source",
		"lines \"XLA Ops\" and \"Steps\" of TPU cores, the compiler's estimates, peaks as the "
		"section on method says");
}

/* The roofline's tables: the program and its averages, every operation, the ceilings. */
#include "analyze/roofline/roofline.h"

#include "analyze/core/say.h"
#include "analyze/facts/op_times.h"
#include "analyze/ops/ops.h"
#include "base/arena.h"
#include "model/profile.h"
#include "report/draft.h"

static const struct tp_column ceiling_columns[] = {
	TP_COLUMN("limit", "Limit"),
	TP_COLUMN("peak", "Peak of a device"),
	TP_COLUMN("ridge_flop_per_byte", "Ridge point", .unit = TP_UNIT_FLOP_PER_BYTE, .decimals = 1),
	TP_COLUMN("source", "Source"),
};

void
tp_roofline_ceilings(const struct tp_pass_ctx *ctx, const struct tp_roofline *r, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_peaks *peaks = tp_result(ctx, &tp_pass_peaks);
	struct tp_block *fold = tp_doc_section(
		doc, section, TP_SECTION_FOLD, "roofline/limits", "Ceilings and ridge points");
	struct tp_draft draft = tp_draft_table(doc, fold, "roofline/ceilings", ceiling_columns, 4);

	for (int k = 0; k < TP_ROOF_LIMITS; k++) {
		if (!(r->peak[k] > 0))
			continue;
		struct tp_slice limit = tp_roof_limit((enum tp_peak_kind)k);
		struct tp_cell *cell = tp_draft_row(&draft, limit, TP_ROW_NORMAL, 0);

		cell[0].value = tp_text_value(limit);
		cell[1].value =
			tp_number(r->peak[k], k == TP_PEAK_FLOP ? TP_UNIT_FLOP_PER_S : TP_UNIT_BYTES_PER_S);
		cell[2].value = k == TP_PEAK_FLOP ? tp_missing(TP_S("it is the flat part of the roof"))
										  : tp_roof_ridge(r, (enum tp_peak_kind)k);
		cell[3].value =
			tp_text_value(peaks->common.of[k].value > 0 ? peaks->common.of[k].how
														: TP_S("devices with operations alike"));
	}
	tp_draft_finish(&draft, SIZE_MAX)->caption =
		TP_S("With fewer FLOP a byte than the ridge point that memory is the limit, with more "
			 "arithmetic");
}

enum column {
	NAME,
	BUSY,
	INTENSITY,
	FLOP_RATE,
	HBM_RATE,
	BOUND,
	EFFICIENCY,
	FLOPS_SHARE,
	CATEGORY,
	ON_CHIP, /* the rates of four memories; most profiles do not tell them apart */
	COLUMNS = ON_CHIP + TP_ROOF_LIMITS - TP_PEAK_CMEM_READ,
};

static const struct tp_column columns[COLUMNS] = {
	[NAME] = TP_COLUMN("name", "Operation", .code = true),
	[BUSY] = TP_SHARE_COLUMN("busy_share", "Of busy time", .sorted = true),
	[INTENSITY] =
		TP_COLUMN("flop_per_byte", "Intensity", .unit = TP_UNIT_FLOP_PER_BYTE, .decimals = 2),
	[FLOP_RATE] = TP_COLUMN("gflop_per_s", "FLOP rate", .unit = TP_UNIT_GFLOP_PER_S, .decimals = 1),
	[HBM_RATE] = TP_COLUMN("hbm_gb_per_s", "HBM rate", .unit = TP_UNIT_GB_PER_S, .decimals = 1),
	[BOUND] = TP_COLUMN("bound_by", "Bound by"),
	[EFFICIENCY] = TP_SHARE_COLUMN("efficiency_share", "Of that limit, est.", .bar = true),
	[FLOPS_SHARE] = TP_SHARE_COLUMN("flops_share", "Of peak FLOP/s"),
	[CATEGORY] = TP_COLUMN("category", "Category"),
	[ON_CHIP] =
		TP_COLUMN("cmem_read_gb_per_s", "CMEM read", .unit = TP_UNIT_GB_PER_S, .decimals = 1),
	TP_COLUMN("cmem_write_gb_per_s", "CMEM write", .unit = TP_UNIT_GB_PER_S, .decimals = 1),
	TP_COLUMN("vmem_read_gb_per_s", "VMEM read", .unit = TP_UNIT_GB_PER_S, .decimals = 1),
	TP_COLUMN("vmem_write_gb_per_s", "VMEM write", .unit = TP_UNIT_GB_PER_S, .decimals = 1),
};

/* Which of these columns a table has, in their order. */
struct chosen {
	struct tp_column *columns;
	enum column which[COLUMNS];
	size_t count;
};

static struct chosen
choose(const struct tp_pass_ctx *ctx, const struct tp_roofline *r, bool of_operations)
{
	struct chosen chosen = {.columns = tp_new_array(ctx->keep, struct tp_column, COLUMNS)};
	bool on_chip = false;

	for (int k = TP_PEAK_CMEM_READ; k < TP_ROOF_LIMITS; k++)
		on_chip |= r->program.amount[k] > 0;
	for (int c = 0; c < COLUMNS; c++) {
		if ((!of_operations && (c == BUSY || c == CATEGORY)) || (c >= ON_CHIP && !on_chip))
			continue;
		chosen.columns[chosen.count] = columns[c];
		chosen.which[chosen.count++] = (enum column)c;
	}
	if (!of_operations) {
		chosen.columns[NAME].title = TP_S("What");
		chosen.columns[NAME].code = false;
	}
	return chosen;
}

static struct tp_value
figure(const struct tp_roof *at, enum column column)
{
	switch (column) {
	case INTENSITY:
		return tp_roof_intensity(at);
	case FLOP_RATE:
		return tp_roof_rate(at, TP_PEAK_FLOP);
	case HBM_RATE:
		return tp_roof_rate(at, TP_PEAK_HBM);
	case BOUND:
		return tp_roof_bound(at);
	case EFFICIENCY:
		return tp_roof_efficiency(at);
	case FLOPS_SHARE:
		return tp_roof_share(at, TP_PEAK_FLOP);
	case NAME:
	case BUSY:
	case CATEGORY:
	case COLUMNS:
		break;
	case ON_CHIP:
	default: /* the columns after it */
		return tp_roof_rate(at, (enum tp_peak_kind)(TP_PEAK_CMEM_READ + (int)column - ON_CHIP));
	}
	return tp_text_value(TP_S(""));
}

/* t: NULL where the row is no operation. */
static void
fill_row(struct tp_cell *cell, const struct chosen *chosen, struct tp_slice name,
	const struct tp_roof *at, const struct tp_op_total *t, int64_t busy_ps)
{
	enum tp_hue hue = t != NULL ? t->hue : TP_HUE_COMPUTE;

	for (size_t i = 0; i < chosen->count; i++) {
		enum column column = chosen->which[i];

		cell[i].value = column == NAME ? tp_text_value(name) : figure(at, column);
		cell[i].swatch = column == EFFICIENCY || column == CATEGORY ? hue : TP_HUE_NONE;
		if (t != NULL && column == BUSY)
			cell[i].value = tp_share((double)t->self_ps, (double)busy_ps, TP_S("no time"));
		if (t != NULL && column == CATEGORY)
			cell[i].value = tp_text_value(t->category);
	}
}

void
tp_roofline_wholes(const struct tp_pass_ctx *ctx, const struct tp_roofline *r, struct tp_doc *doc,
	struct tp_block *section)
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
	struct chosen chosen = choose(ctx, r, false);
	struct tp_draft draft =
		tp_draft_table(doc, section, "roofline/whole", chosen.columns, chosen.count);

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (rows[i].at == NULL)
			continue;
		struct tp_cell *cell = tp_draft_row(&draft, tp_slice_of(rows[i].id), TP_ROW_NORMAL, 0);

		fill_row(cell, &chosen, tp_slice_of(rows[i].name), rows[i].at, NULL, 0);
	}
	tp_draft_finish(&draft, SIZE_MAX)->caption =
		TP_S("The program against the limits of one device");
}

enum { MOST_ROWS = 1000 };

void
tp_roofline_operations(const struct tp_pass_ctx *ctx, const struct tp_roofline *r,
	struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_ops *o = tp_result(ctx, &tp_pass_ops);
	size_t rows = r->count < MOST_ROWS ? r->count : MOST_ROWS;
	struct chosen chosen = choose(ctx, r, true);
	struct tp_draft draft =
		tp_draft_table(doc, section, "roofline/operations", chosen.columns, chosen.count);

	for (size_t i = 0; i < rows; i++) {
		const struct tp_op_total *t = r->ops[i].op;
		struct tp_cell *cell = tp_draft_row(&draft,
			tp_arena_printf(ctx->keep, "%.*s/%.*s", TP_ARG(t->program), TP_ARG(t->op->label)),
			TP_ROW_NORMAL, 0);

		fill_row(cell, &chosen, t->op->label, &r->ops[i].at, t, o->busy_ps);
	}
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->numbered = true;
	table->caption = rows < r->count
		? tp_arena_printf(
			  ctx->keep, "The %d longest of %zu operations that state costs", MOST_ROWS, r->count)
		: TP_S("Operations that state costs, by self time");
}

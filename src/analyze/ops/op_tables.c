/* Flat tables of operations: the framework's with the most time, and every operation of the device with its statistics. */
#include "analyze/ops/op_cards.h"
#include "analyze/ops/op_columns.h"
#include "analyze/ops/ops_present.h"

#include "analyze/core/say.h"
#include "analyze/facts/op_times.h"
#include "base/arena.h"
#include "base/utf8.h"
#include "model/profile.h"
#include "report/draft.h"

#include <stdlib.h>

enum {
	TOP_NAME,
	TOP_TYPE,
	TOP_SELF,
	TOP_BUSY,
	TOP_CUMULATIVE,
	TOP_OCCURRENCES,
	TOP_FLOP_RATE,
	TOP_HBM_RATE,
	TOP_COLUMNS
};

static const struct tp_column top_columns[TOP_COLUMNS] = {
	[TOP_NAME] = TP_OP_COLUMN_NAME,
	[TOP_TYPE] = TP_COLUMN("type", "Type"),
	[TOP_SELF] = TP_OP_COLUMN_SELF,
	[TOP_BUSY] = TP_OP_COLUMN_BUSY,
	[TOP_CUMULATIVE] = TP_OP_COLUMN_CUMULATIVE,
	[TOP_OCCURRENCES] = TP_OP_COLUMN_OCCURRENCES,
	[TOP_FLOP_RATE] = TP_OP_COLUMN_FLOP_RATE,
	[TOP_HBM_RATE] = TP_OP_COLUMN_HBM_RATE,
};

void
tp_op_top_table(const struct tp_op_page *page)
{
	enum { MOST = 10 };
	const struct tp_ops *o = page->ops;
	struct tp_draft draft =
		tp_draft_table(page->doc, page->section, "operations/top", top_columns, TOP_COLUMNS);
	int64_t sum_ps = 0;

	for (size_t i = 0; i < o->framework_count && i < MOST; i++) {
		const struct tp_framework_total *f = &o->frameworks[i];
		struct tp_cell *cell = tp_draft_row(&draft, f->name, TP_ROW_NORMAL, 0);

		sum_ps = tp_add_ps(sum_ps, f->sums.self_ps);
		cell[TOP_NAME].value = tp_text_value(f->name);
		cell[TOP_TYPE].value = tp_text_value(f->type);
		cell[TOP_TYPE].swatch = f->sums.hue;
		cell[TOP_SELF].value = tp_op_time(o, tp_integer(f->sums.self_ps, TP_UNIT_PS));
		cell[TOP_BUSY].value =
			tp_share((double)f->sums.self_ps, (double)o->busy_ps, TP_S("no time"));
		cell[TOP_BUSY].swatch = f->sums.hue;
		cell[TOP_CUMULATIVE].value = tp_share((double)sum_ps, (double)o->busy_ps, TP_S("no time"));
		cell[TOP_OCCURRENCES].value = tp_op_occurrences(&f->sums);
		cell[TOP_FLOP_RATE].value =
			tp_op_rate(&f->sums, f->sums.flops, TP_UNIT_FLOP_PER_S, page->peaks.flops);
		cell[TOP_HBM_RATE].value =
			tp_op_rate(&f->sums, f->sums.hbm_bytes, TP_UNIT_BYTES_PER_S, page->peaks.hbm_bytes);
	}
	struct tp_table *t = tp_draft_finish(&draft, MOST);

	if (o->summed_up)
		tp_table_drop_missing(page->doc, t, TOP_SELF);
	t->numbered = true;
	t->caption = TP_S("The framework's operations with the most self time, each over all device "
					  "operations that it became; HLO names where there is none");
}

/* A row takes nearly 3 KB. More than most programs have; what is beyond is summed up in one. */
enum { MOST_LISTED = 20000 };

enum {
	NAME,
	CATEGORY,
	SELF,
	BUSY,
	CUMULATIVE,
	OCCURRENCES,
	TOTAL,
	MEAN,
	BOUND,
	FLOP_RATE,
	HBM_RATE,
	INTENSITY,
	MEAN_SELF,
	SHORTEST,
	LONGEST,
	WASTED,
	DMA_STALL,
	MODEL_RATE,
	BYTE_RATE,
	CMEM_READ_RATE,
	CMEM_WRITE_RATE,
	PROGRAM,
	FRAMEWORK,
	SOURCE,
	SHAPE,
	EXPRESSION,
	PROGRAM_ID,
	COLUMNS
};

static const struct tp_column list_columns[COLUMNS] = {
	[NAME] = TP_OP_COLUMN_NAME,
	[CATEGORY] = TP_COLUMN("category", "Category"),
	[SELF] = TP_OP_COLUMN_SELF,
	[BUSY] = TP_OP_COLUMN_BUSY,
	[CUMULATIVE] = TP_OP_COLUMN_CUMULATIVE,
	[OCCURRENCES] = TP_OP_COLUMN_OCCURRENCES,
	[TOTAL] = TP_OP_COLUMN_TOTAL,
	[MEAN] = TP_OP_COLUMN_EACH,
	[BOUND] = TP_OP_COLUMN_BOUND,
	[FLOP_RATE] = TP_OP_COLUMN_FLOP_RATE,
	[HBM_RATE] = TP_OP_COLUMN_HBM_RATE,
	[INTENSITY] = TP_OP_COLUMN_INTENSITY,
	[MEAN_SELF] = TP_OP_COLUMN_SELF_EACH,
	[SHORTEST] = TP_COLUMN("min_us", "Shortest", .unit = TP_UNIT_US, .decimals = 1),
	[LONGEST] = TP_COLUMN("max_us", "Longest", .unit = TP_UNIT_US, .decimals = 1),
	[WASTED] = TP_OP_COLUMN_WASTED,
	[DMA_STALL] = TP_SHARE_COLUMN("dma_stall_share", "DMA stall"),
	[MODEL_RATE] = TP_OP_COLUMN_MODEL_RATE,
	[BYTE_RATE] = TP_OP_COLUMN_BYTE_RATE,
	[CMEM_READ_RATE] =
		TP_COLUMN("cmem_read_gb_per_s", "CMEM read", .unit = TP_UNIT_GB_PER_S, .decimals = 1),
	[CMEM_WRITE_RATE] =
		TP_COLUMN("cmem_write_gb_per_s", "CMEM written", .unit = TP_UNIT_GB_PER_S, .decimals = 1),
	[PROGRAM] = TP_COLUMN("program", "Program", .code = true),
	[FRAMEWORK] = TP_COLUMN("framework_op", "Framework operation", .code = true),
	[SOURCE] = TP_COLUMN("source", "Source", .code = true),
	[SHAPE] = TP_COLUMN("shape", "Shape", .code = true),
	[EXPRESSION] = TP_COLUMN("expression", "HLO", .code = true),
	[PROGRAM_ID] = TP_COLUMN("program_id", "Program id", .code = true),
};

/* The longest first; of equals the one whose category is longer. */
static int
by_self(const void *left, const void *right)
{
	const struct tp_op_total *a = *(const struct tp_op_total *const *)left;
	const struct tp_op_total *b = *(const struct tp_op_total *const *)right;

	if (a->self_ps != b->self_ps)
		return a->self_ps > b->self_ps ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* The beginning of what may be pages of text; the cards have more. */
static struct tp_slice
start_of(const struct tp_op_page *page, struct tp_slice text)
{
	enum { MOST = 240 };

	if (text.len <= MOST)
		return text;
	return tp_arena_printf(page->ctx->keep, "%.*s…", (int)tp_utf8_fit(text, MOST), text.ptr);
}

static struct tp_value
one_of(const struct tp_ops *o, int64_t ps)
{
	return o->summed_up ? tp_missing(TP_S("the profiler kept sums of the occurrences"))
						: tp_integer(ps, TP_UNIT_PS);
}

static struct tp_value
beside_hbm(const struct tp_ops *o, struct tp_value rate)
{
	return o->summed_up ? tp_missing(TP_S("the tool file tells bytes of HBM alone")) : rate;
}

static void
fill_rates(const struct tp_op_page *page, const struct tp_op_total *t, struct tp_cell *cell)
{
	const struct tp_op_peaks *peaks = &page->peaks;

	cell[FLOP_RATE].value = tp_op_rate(t, t->flops, TP_UNIT_FLOP_PER_S, peaks->flops);
	cell[MODEL_RATE].value = tp_op_rate(t, t->model_flops, TP_UNIT_FLOP_PER_S, peaks->flops);
	cell[HBM_RATE].value = tp_op_rate(t, t->hbm_bytes, TP_UNIT_BYTES_PER_S, peaks->hbm_bytes);
	/* Of which memory these are is not known, so no peak tells whether they can be. */
	cell[BYTE_RATE].value = beside_hbm(page->ops, tp_op_rate(t, t->bytes, TP_UNIT_BYTES_PER_S, 0));
	cell[CMEM_READ_RATE].value = beside_hbm(
		page->ops, tp_op_rate(t, t->cmem_read_bytes, TP_UNIT_BYTES_PER_S, peaks->cmem_read_bytes));
	cell[CMEM_WRITE_RATE].value = beside_hbm(page->ops,
		tp_op_rate(t, t->cmem_write_bytes, TP_UNIT_BYTES_PER_S, peaks->cmem_write_bytes));
	cell[INTENSITY].value = tp_op_intensity(t);
	cell[BOUND].value = tp_op_bound_by(t, peaks, NULL);
}

static void
fill_row(const struct tp_op_page *page, const struct tp_op_total *t, int64_t sum_ps,
	struct tp_cell *cell)
{
	const struct tp_ops *o = page->ops;

	cell[NAME].value = tp_text_value(t->op->label);
	cell[CATEGORY].value = tp_text_value(t->category);
	cell[CATEGORY].swatch = t->hue;
	cell[SELF].value = tp_op_time(o, tp_integer(t->self_ps, TP_UNIT_PS));
	cell[BUSY].value = tp_share((double)t->self_ps, (double)o->busy_ps, TP_S("no time"));
	cell[BUSY].swatch = t->hue;
	cell[CUMULATIVE].value = tp_share((double)sum_ps, (double)o->busy_ps, TP_S("no time"));
	cell[OCCURRENCES].value = tp_op_occurrences(t);
	cell[TOTAL].value = tp_op_time(o, tp_integer(t->total_ps, TP_UNIT_PS));
	cell[MEAN].value = tp_op_each(o, t, t->total_ps);
	cell[MEAN_SELF].value = tp_op_each(o, t, t->self_ps);
	cell[SHORTEST].value = one_of(o, t->min_ps);
	cell[LONGEST].value = one_of(o, t->max_ps);
	cell[WASTED].value = tp_op_time(o, tp_op_wasted(t));
	cell[DMA_STALL].value = o->has_dma_stall
		? tp_share((double)t->dma_stall_ps, (double)t->total_ps, TP_S("no time"))
		: tp_missing(TP_S("the profile does not say how long operations waited for copies"));
	cell[PROGRAM].value = tp_text_value(t->program);
	cell[FRAMEWORK].value = tp_text_value(tp_op_framework_text(t->op->framework));
	cell[SOURCE].value = tp_text_value(t->op->source);
	cell[SHAPE].value = tp_text_value(start_of(page, t->op->shape));
	cell[EXPRESSION].value = tp_text_value(start_of(page, t->op->name));
	if (t->has_program)
		cell[PROGRAM_ID].value = tp_text_value(
			tp_arena_printf(page->ctx->keep, "%llu", (unsigned long long)t->program_id));
	fill_rates(page, t, cell);
}

/* The sums of what is beyond the last row: what may be nested in each other has no rates together. */
static void
fill_rest(const struct tp_op_page *page, const struct tp_op_total *const *ops, size_t count,
	struct tp_cell *cell)
{
	const struct tp_ops *o = page->ops;
	struct tp_op_total rest = {0};

	for (size_t i = 0; i < count; i++)
		tp_op_add(&rest, ops[i]);
	for (size_t c = 0; c < COLUMNS; c++)
		cell[c].value = tp_missing(TP_S("of several operations"));
	cell[NAME].value = tp_say_number(page->ctx, count, "more operation", "more operations");
	cell[SELF].value = tp_op_time(o, tp_integer(rest.self_ps, TP_UNIT_PS));
	cell[BUSY].value = tp_share((double)rest.self_ps, (double)o->busy_ps, TP_S("no time"));
	cell[CUMULATIVE].value = tp_share((double)o->busy_ps, (double)o->busy_ps, TP_S("no time"));
	cell[OCCURRENCES].value = tp_op_occurrences(&rest);
	cell[TOTAL].value = tp_op_time(o, tp_integer(rest.total_ps, TP_UNIT_PS));
	cell[WASTED].value = tp_op_time(o, tp_op_wasted(&rest));
}

void
tp_op_list_table(const struct tp_op_page *page)
{
	const struct tp_pass_ctx *ctx = page->ctx;
	const struct tp_ops *o = page->ops;
	struct tp_block *sub = tp_doc_section(
		page->doc, page->section, TP_SECTION_SUB, "operations/all", "All operations");

	sub->section.spare = true;
	struct tp_draft draft =
		tp_draft_table(page->doc, sub, "operations/list", list_columns, COLUMNS);
	const struct tp_op_total **order =
		tp_new_array(ctx->scratch, const struct tp_op_total *, o->count);
	int64_t sum_ps = 0;
	char buf[TP_VALUE_BUF];

	for (size_t n = 0; n < o->count; n++)
		order[n] = &o->ops[n];
	qsort(order, o->count, sizeof *order, by_self);
	size_t listed =
		o->count > MOST_LISTED + 1 && ctx->options->top < SIZE_MAX ? MOST_LISTED : o->count;

	for (size_t n = 0; n < listed; n++) {
		const struct tp_op_total *t = order[n];
		const struct tp_op_card *card = tp_op_card_of(page->cards, t->op);
		struct tp_cell *cell = tp_draft_row(&draft,
			tp_arena_printf(ctx->keep, "%.*s/%.*s", TP_ARG(t->program), TP_ARG(t->op->label)),
			TP_ROW_NORMAL, 0);

		sum_ps = tp_add_ps(sum_ps, t->self_ps);
		fill_row(page, t, sum_ps, cell);
		if (card != NULL && card->id.len != 0)
			cell[NAME].href = tp_arena_printf(ctx->keep, "#%.*s", TP_ARG(card->id));
	}
	if (listed < o->count)
		fill_rest(page, order + listed, o->count - listed,
			tp_draft_row(&draft, TP_S("rest"), TP_ROW_TOTAL, 0));
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	for (size_t n = 0; n < listed; n++) {
		struct tp_op_card *card = tp_op_card_of(page->cards, order[n]->op);

		if (card != NULL)
			card->row = table->rows[n].id;
	}

	if (o->summed_up)
		tp_table_drop_missing(page->doc, table, SELF);
	table->numbered = true;
	table->caption = listed == o->count
		? TP_S("Every operation, by self time")
		: tp_arena_printf(ctx->keep,
			  "The %.*s with the most self time of %.*s, the others as one row; --top all lists "
			  "each",
			  TP_ARG(tp_say_number(ctx, listed, "operation", "operations").text),
			  TP_ARG(tp_value_text(tp_count(o->count), buf)));
}

/* Flat tables of operations: the framework's with the most time, and every operation of the device with its statistics. */
#include "analyze/ops/op_cards.h"
#include "analyze/ops/ops_present.h"

#include "analyze/core/say.h"
#include "analyze/facts/kernel_name.h"
#include "analyze/facts/op_times.h"
#include "analyze/ops/ops_columns.h"
#include "analyze/ops/ops_words.h"
#include "base/arena.h"
#include "base/order.h"
#include "base/utf8.h"
#include "model/profile.h"
#include "report/draft.h"

#include <stdlib.h>

/* sum_ps: with all that stand above it. */
static void
fill_times(
	const struct tp_ops *o, const struct tp_op_total *t, int64_t sum_ps, struct time_cells *cells)
{
	cells->self.value = tp_op_time(o, tp_integer(t->self_ps, TP_UNIT_PS));
	cells->busy.value = tp_op_busy_share(o, t->self_ps);
	cells->busy.swatch = t->hue;
	cells->cumulative.value = tp_op_busy_share(o, sum_ps);
	cells->occurrences.value = tp_op_occurrences(t);
}

void
tp_op_top_table(const struct tp_op_page *page)
{
	enum { MOST = 10 };
	const struct tp_ops *o = page->ops;
	struct tp_draft draft = TP_DRAFT_TABLE(page->doc, page->section, "operations/top", top_columns);
	int64_t sum_ps = 0;
	bool typed = false;

	for (size_t i = 0; i < o->framework_count && i < MOST; i++)
		typed |= !tp_slice_eq(o->frameworks[i].type, TP_S(TP_OP_NO_TYPE));
	for (size_t i = 0; i < o->framework_count && i < MOST; i++) {
		const struct tp_framework_total *f = &o->frameworks[i];
		const struct tp_op_total *sums = &f->sums;
		struct top_cells *cells = tp_draft_row_of(&draft, f->name, TP_ROW_NORMAL, 0, f);

		sum_ps = tp_add_ps(sum_ps, sums->self_ps);
		tp_kernel_put_name(f->name, page->ctx->keep, &cells->name);
		cells->type.value = !typed ? tp_missing(TP_S(why_no_types)) : tp_op_type(f->type);
		cells->type.swatch = sums->hue;
		fill_times(o, sums, sum_ps, &cells->times);
		cells->flop_rate.value = tp_op_rate(sums, TP_PEAK_FLOP, &page->peaks);
		cells->hbm_rate.value = tp_op_rate(sums, TP_PEAK_HBM, &page->peaks);
	}
	struct tp_table *t = tp_draft_finish(&draft, MOST);

	tp_kernel_tell_rows_apart(t, TP_COLUMN_OF(struct top_cells, name), page->ctx->keep);
	if (o->summed_up)
		tp_table_drop_missing(page->doc, t, TP_COLUMN_OF(struct top_cells, times));
	t->numbered = true;
	t->caption = TP_S(caption_top);
}

/* A row takes nearly 3 KB. More than most programs have; what is beyond is summed up in one. */
enum { MOST_LISTED = 20000 };

/* The longest first; of equals the one whose category is longer. */
TP_ORDER_POINTERS(by_self, struct tp_op_total, TP_DOWN(self_ps), TP_AS_THEY_STAND);

/* The beginning of what may be pages of text; the cards have more. */
static struct tp_slice
start_of(const struct tp_op_page *page, struct tp_slice text)
{
	enum { MOST = 240 };

	return tp_utf8_shorten(page->ctx->keep, text, MOST);
}

static struct tp_value
one_of(const struct tp_ops *o, int64_t ps)
{
	return o->summed_up ? tp_missing(TP_S(why_summed_up)) : tp_integer(ps, TP_UNIT_PS);
}

static struct tp_value
beside_hbm(const struct tp_ops *o, struct tp_value rate)
{
	return o->summed_up ? tp_missing(TP_S(why_only_hbm)) : rate;
}

static void
fill_rates(const struct tp_op_page *page, const struct tp_op_total *t, struct list_cells *cells)
{
	const struct tp_op_peaks *peaks = &page->peaks;

	cells->flop_rate.value = tp_op_rate(t, TP_PEAK_FLOP, peaks);
	cells->model_rate.value =
		tp_op_rate_of(t, t->model_flops, TP_UNIT_FLOP_PER_S, peaks->of[TP_PEAK_FLOP]);
	cells->hbm_rate.value = tp_op_rate(t, TP_PEAK_HBM, peaks);
	/* Of which memory these are is not known, so no peak tells whether they can be. */
	cells->byte_rate.value =
		beside_hbm(page->ops, tp_op_rate_of(t, t->bytes, TP_UNIT_BYTES_PER_S, 0));
	cells->cmem_read_rate.value = beside_hbm(page->ops, tp_op_rate(t, TP_PEAK_CMEM_READ, peaks));
	cells->cmem_write_rate.value = beside_hbm(page->ops, tp_op_rate(t, TP_PEAK_CMEM_WRITE, peaks));
	cells->intensity.value = tp_op_intensity(t);
	cells->bound.value = tp_op_bound_by(t, peaks, NULL);
}

static void
fill_row(const struct tp_op_page *page, const struct tp_op_total *t, int64_t sum_ps,
	struct list_cells *cells)
{
	const struct tp_ops *o = page->ops;

	tp_kernel_put_name(t->op->label, page->ctx->keep, &cells->name);
	cells->name.href = tp_op_card_href(page, t);
	cells->category.swatch = t->hue;
	fill_times(o, t, sum_ps, &cells->times);
	cells->total.value = tp_op_time(o, tp_integer(t->total_ps, TP_UNIT_PS));
	cells->each.value = tp_op_each(o, t, t->total_ps);
	cells->self_each.value = tp_op_each(o, t, t->self_ps);
	cells->shortest.value = one_of(o, t->min_ps);
	cells->longest.value = one_of(o, t->max_ps);
	cells->wasted.value = tp_op_time(o, tp_op_wasted(t));
	cells->dma_stall.value = o->has_dma_stall
		? tp_share((double)t->dma_stall_ps, (double)t->total_ps, TP_S(why_no_time))
		: tp_missing(TP_S(why_no_stalls));
	cells->framework.value = tp_text_value(tp_op_framework_text(t->op->framework));
	cells->source.value = tp_text_value(t->op->source);
	cells->shape.value = tp_text_value(start_of(page, t->op->shape));
	cells->expression.value = tp_text_value(start_of(page, t->op->name));
	if (t->has_program)
		cells->program_id.value = tp_text_value(
			tp_arena_printf(page->ctx->keep, "%llu", (unsigned long long)t->program_id));
	fill_rates(page, t, cells);
}

/* The sums of what is beyond the last row: what may be nested in each other has no rates together. */
static void
add_rest(const struct tp_op_page *page, const struct tp_op_total *const *ops, size_t count,
	struct tp_draft *draft)
{
	const struct tp_ops *o = page->ops;
	struct list_cells *cells = tp_draft_rest_row(draft, TP_S("rest"), why_of_several);
	struct tp_op_total rest = {0};

	for (size_t i = 0; i < count; i++)
		tp_op_add(&rest, ops[i]);
	cells->name.value = tp_say_number(page->ctx, count, "more operation", "more operations");
	fill_times(o, &rest, o->busy_ps, &cells->times);
	cells->total.value = tp_op_time(o, tp_integer(rest.total_ps, TP_UNIT_PS));
	cells->wasted.value = tp_op_time(o, tp_op_wasted(&rest));
}

void
tp_op_list_table(const struct tp_op_page *page, struct tp_block *sub)
{
	const struct tp_pass_ctx *ctx = page->ctx;
	const struct tp_ops *o = page->ops;

	sub->section.spare = true;
	struct tp_draft draft = TP_DRAFT_TABLE(page->doc, sub, "operations/list", list_columns);
	const struct tp_op_total **order =
		tp_new_array(ctx->scratch, const struct tp_op_total *, o->count);
	int64_t sum_ps = 0;

	for (size_t n = 0; n < o->count; n++)
		order[n] = &o->ops[n];
	qsort(order, o->count, sizeof *order, by_self);
	size_t listed =
		o->count > MOST_LISTED + 1 && ctx->options->top < SIZE_MAX ? MOST_LISTED : o->count;

	for (size_t n = 0; n < listed; n++) {
		const struct tp_op_total *t = order[n];

		sum_ps = tp_add_ps(sum_ps, t->self_ps);
		fill_row(
			page, t, sum_ps, tp_draft_row_of(&draft, tp_op_row_name(ctx, t), TP_ROW_NORMAL, 0, t));
	}
	if (listed < o->count)
		add_rest(page, order + listed, o->count - listed, &draft);
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	tp_kernel_tell_rows_apart(table, TP_COLUMN_OF(struct list_cells, name), ctx->keep);
	for (size_t n = 0; n < listed; n++) {
		struct tp_op_card *card = tp_op_card_of(page->cards, order[n]->op);

		if (card != NULL)
			card->row = table->rows[n].id;
	}
	if (o->summed_up)
		tp_table_drop_missing(page->doc, table, TP_COLUMN_OF(struct list_cells, times));
	table->numbered = true;
	table->caption = listed == o->count
		? TP_S(caption_all)
		: tp_arena_printf(ctx->keep, caption_some,
			  TP_ARG(tp_say_number(ctx, listed, "operation", "operations").text),
			  TP_ARG(tp_say_value(ctx, tp_count(o->count))));
}

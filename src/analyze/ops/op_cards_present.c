/* What a card says of an operation. */
#include "analyze/ops/op_cards.h"

#include "analyze/core/say.h"
#include "analyze/ops/op_graph.h"
#include "analyze/ops/ops_columns.h"
#include "analyze/ops/ops_words.h"
#include "analyze/ops/padding.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "base/utf8.h"
#include "model/profile.h"
#include "report/draft.h"

#include <math.h>

/* Cards while they are written. */
struct writing {
	const struct tp_op_page *page;
	const struct tp_op_card *card;
	struct tp_block *fold;
	struct tp_draft draft;
};

static struct fact_cells *
fact(struct writing *w, const char *name, struct tp_value value)
{
	struct fact_cells *cells =
		tp_draft_row_of(&w->draft, tp_slice_of(name), TP_ROW_NORMAL, 0, NULL);

	cells->fact.value = tp_text_value(tp_slice_of(name));
	cells->value.value = value;
	return cells;
}

static void
share(struct fact_cells *cells, struct tp_value value, const char *of)
{
	cells->share.value = value;
	cells->note.value = tp_text_value(tp_slice_of(of));
}

static void
times(struct writing *w)
{
	const struct tp_op_total *t = w->card->total;
	const struct tp_ops *o = w->page->ops;
	const struct tp_pass_ctx *ctx = w->page->ctx;
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	struct fact_cells *cells =
		fact(w, "Self time", tp_op_time(o, tp_integer(t->self_ps, TP_UNIT_PS)));

	share(cells, tp_op_busy_share(o, t->self_ps), "of busy time");
	if (isfinite(t->wasted_ps))
		share(fact(w, "Wasted", tp_op_time(o, tp_op_wasted(t))),
			tp_share(t->wasted_ps, (double)t->self_ps, TP_S(why_no_time)), "of its self time");
	if (t->total_ps != t->self_ps)
		fact(w, "Total, nested included", tp_integer(t->total_ps, TP_UNIT_PS));
	cells = fact(w, "Occurrences", tp_op_occurrences(t));
	if (tp_known(cells->value.value) && s != NULL && s->seen != 0 && s->timelines != 0)
		cells->note.value = tp_text_value(tp_arena_printf(ctx->keep, "%.3g per step and %s",
			(double)t->occurrences / ((double)s->seen * (double)s->timelines),
			s->source->timeline));
	cells = fact(w, "Each", tp_op_each(o, t, t->total_ps));
	if (tp_known(cells->value.value))
		cells->note.value = tp_text_value(o->summed_up
				? TP_S("mean")
				: tp_arena_printf(ctx->keep, "mean; %.*s to %.*s",
					  TP_ARG(tp_say_value(ctx, tp_integer(t->min_ps, TP_UNIT_PS))),
					  TP_ARG(tp_say_value(ctx, tp_integer(t->max_ps, TP_UNIT_PS)))));
	if (o->has_dma_stall)
		share(fact(w, "Waiting for copies", tp_integer(t->dma_stall_ps, TP_UNIT_PS)),
			tp_share((double)t->dma_stall_ps, (double)t->total_ps, TP_S(why_no_time)),
			"of its total time");
}

static void
memory(struct writing *w, const char *name, uint64_t bytes, struct tp_value use)
{
	if (bytes != 0)
		share(fact(w, name, tp_bytes(bytes)), use, "of peak bandwidth");
}

/* Of a file that tells nothing but shares. */
static void
uses_alone(struct writing *w)
{
	const struct tp_op_total *t = w->card->total;
	const struct tp_op_peaks *peaks = &w->page->peaks;
	struct tp_value none = tp_missing(TP_S(why_only_shares));

	share(fact(w, "FLOPs", none), tp_op_use(t, TP_PEAK_FLOP, peaks), "of the peak");
	if (!isnan(t->hbm_at_peak_ps))
		share(fact(w, "HBM bytes", none), tp_op_use(t, TP_PEAK_HBM, peaks), "of peak bandwidth");
}

static void
costs(struct writing *w)
{
	const struct tp_op_total *t = w->card->total;
	static const char *const names[TP_OP_LIMITS] = {
		[TP_PEAK_HBM] = "HBM bytes",
		[TP_PEAK_CMEM_READ] = "Read from CMEM",
		[TP_PEAK_CMEM_WRITE] = "Written to CMEM",
		[TP_PEAK_VMEM_READ] = "Read from VMEM",
		[TP_PEAK_VMEM_WRITE] = "Written to VMEM",
	};
	const struct tp_op_peaks *peaks = &w->page->peaks;
	struct tp_value use;

	if (!t->has_costs && t->uses_precomputed)
		uses_alone(w);
	if (!t->has_flops)
		return;
	share(fact(w, "FLOPs", tp_number((double)t->amount[TP_PEAK_FLOP], TP_UNIT_FLOP)),
		tp_op_use(t, TP_PEAK_FLOP, peaks), "of the peak");
	if (!t->has_costs)
		return;
	for (enum tp_peak_kind k = TP_PEAK_HBM; k <= TP_PEAK_VMEM_WRITE; k++)
		memory(w, names[k], t->amount[k], tp_op_use(t, k, peaks));
	if (t->bytes > t->amount[TP_PEAK_HBM])
		memory(w, "Bytes, all memories", t->bytes, tp_missing(TP_S(why_no_peak)));
	struct tp_value limit = tp_op_bound_by(t, peaks, &use);

	share(fact(w, "Bound by", limit), use, tp_known(limit) ? "of that limit" : "");
}

static void
fit(struct writing *w)
{
	const struct tp_padding *p = w->page->padding;
	const struct tp_padding_fit *f =
		p != NULL ? tp_padding_of(p, (size_t)(w->card->total - w->page->ops->ops)) : NULL;

	if (f == NULL)
		return;
	struct tp_slice dims =
		tp_fit_dims_text(&f->product, f->product.worst, false, w->page->ctx->keep);
	struct fact_cells *cells = fact(
		w, "Padding fit", tp_text_value(dims.len != 0 ? dims : TP_S("no dimension is padded")));

	share(cells, tp_number_or(f->product.fit, TP_UNIT_SHARE, TP_S(why_layout_unknown)),
		"of its tiles hold data");
}

static void
facts(struct writing *w)
{
	const struct tp_op_total *t = w->card->total;
	struct tp_slice id = tp_arena_printf(w->page->ctx->keep, "%.*s/facts", TP_ARG(w->card->id));

	w->draft = TP_DRAFT_TABLE(w->page->doc, w->fold, id.ptr, fact_columns);
	struct fact_cells *cells = fact(w, "Category", tp_text_value(t->category));

	cells->value.swatch = t->hue;
	if (t->program.len != 0)
		cells->note.value =
			tp_text_value(tp_arena_printf(w->page->ctx->keep, "in %.*s", TP_ARG(t->program)));
	times(w);
	costs(w);
	fit(w);
	if (t->op->duplicates.len != 0)
		fact(w, "Duplicate of", tp_text_value(t->op->duplicates));
	tp_draft_finish(&w->draft, SIZE_MAX)->caption =
		tp_arena_printf(w->page->ctx->keep, "%.*s over all occurrences and devices",
			TP_ARG(tp_op_short_name(w->page->ctx, t->op->label)));
}

static void
text(struct writing *w, const char *name, struct tp_slice value)
{
	enum { LONGEST = 16384 };

	if (value.len == 0)
		return;
	struct text_cells *cells =
		tp_draft_row_of(&w->draft, tp_slice_of(name), TP_ROW_NORMAL, 0, NULL);

	cells->what.value = tp_text_value(tp_slice_of(name));
	cells->text.value = tp_text_value(tp_utf8_shorten(w->page->ctx->keep, value, LONGEST));
}

static void
texts(struct writing *w)
{
	const struct tp_op *op = w->card->total->op;
	struct tp_slice id = tp_arena_printf(w->page->ctx->keep, "%.*s/texts", TP_ARG(w->card->id));

	w->draft = TP_DRAFT_TABLE(w->page->doc, w->fold, id.ptr, text_columns);
	struct tp_slice hlo = w->card->expression.len != 0 ? w->card->expression : op->name;
	bool is_hlo = w->card->expression.len != 0 || tp_slice_starts(hlo, TP_S("%"));

	/* A kernel has none. */
	text(w, is_hlo ? "HLO" : "Name", hlo);
	text(w, "Result", w->card->shape.len != 0 ? w->card->shape : op->shape);
	text(w, "Framework operation", tp_op_framework_text(op->framework));
	text(w, "Source", op->source);
	tp_draft_finish(&w->draft, SIZE_MAX)->caption = TP_S(caption_origin);
}

void
tp_op_inside_table(const struct tp_op_page *page, struct tp_block *parent, struct tp_slice id,
	const struct tp_op_inside *inside)
{
	if (inside->count == 0)
		return;
	struct tp_draft draft = TP_DRAFT_TABLE(page->doc, parent, id.ptr, part_columns);

	for (size_t i = 0; i < inside->count; i++)
		tp_draft_row_of(&draft, inside->parts[i].name, TP_ROW_NORMAL, 0, &inside->parts[i]);
	struct tp_table *t = tp_draft_finish(&draft, page->ctx->options->top);

	t->caption = inside->left_out == 0
		? TP_S(caption_fused)
		: tp_arena_printf(page->ctx->keep, caption_some_fused, inside->left_out);
}

/* On paper only that of the first. */
static void
around(struct writing *w, bool printed)
{
	const struct tp_op_card *card = w->card;
	struct tp_doc *doc = w->page->doc;
	struct tp_slice id = tp_arena_printf(w->page->ctx->keep, "%.*s/around", TP_ARG(card->id));

	if (card->graph == NULL) {
		tp_doc_paragraph(doc, w->fold, TP_PARAGRAPH_SMALL, id.ptr,
			TP_SAY(doc, text_around_unknown, tp_text_value(card->no_graph)));
		return;
	}
	struct tp_block *fold = tp_doc_section(doc, w->fold, TP_SECTION_FOLD, id.ptr, title_around);

	fold->section.off_paper = !printed;
	tp_op_graph_present(w->page, fold, id, card->graph);
}

/* What an operation consists of or stands among; its times stand in the tables, too. */
static bool
says_more(const struct tp_op_card *card)
{
	return card->graph != NULL || card->inside.count != 0;
}

void
tp_op_cards_present(const struct tp_op_page *page, struct tp_block *section)
{
	struct tp_doc *doc = page->doc;
	size_t third = page->ctx->options->top / 3, printed = third != 0 ? third : 1;

	for (size_t i = 0; i < page->cards->shown; i++) {
		const struct tp_op_card *card = &page->cards->cards[i];
		struct tp_slice name = tp_op_short_name(page->ctx, card->total->op->label);
		struct tp_value busy = tp_op_busy_share(page->ops, card->total->self_ps);
		struct writing w = {.page = page, .card = card};
		struct tp_slice title = tp_arena_printf(
			page->ctx->keep, title_card, TP_ARG(name), TP_ARG(tp_say_value(page->ctx, busy)));

		w.fold = tp_doc_section(doc, section, TP_SECTION_FOLD, card->id.ptr, title.ptr);
		w.fold->section.title = title;
		w.fold->section.off_paper = i >= printed || !says_more(card);
		facts(&w);
		texts(&w);
		tp_op_inside_table(page, w.fold,
			tp_arena_printf(page->ctx->keep, "%.*s/parts", TP_ARG(card->id)), &card->inside);
		around(&w, i == 0);
		if (card->row.len != 0)
			tp_doc_paragraph(doc, w.fold, TP_PARAGRAPH_SMALL,
				tp_arena_printf(page->ctx->keep, "%.*s/row", TP_ARG(card->id)).ptr,
				TP_SAY(doc, text_row, tp_text_value(card->row)));
	}
}

/* What the report says about operations. */
#include "analyze/ops/ops_present.h"

#include "analyze/core/pass.h"
#include "analyze/core/say.h"
#include "analyze/core/share_bars.h"
#include "analyze/facts/precomputed.h"
#include "analyze/ops/op_cards.h"
#include "analyze/ops/op_graph.h"
#include "analyze/ops/op_profile.h"
#include "analyze/ops/ops_words.h"
#include "base/arena.h"
#include "base/utf8.h"
#include "model/profile.h"

#include <math.h>

void
tp_ops_bars(const struct tp_pass_ctx *ctx, const struct tp_ops *o, struct tp_doc *doc,
	struct tp_block *parent, const char *id)
{
	struct tp_share_bar *bars = tp_new_array(ctx->scratch, struct tp_share_bar, o->category_count);

	for (size_t i = 0; i < o->category_count; i++) {
		const struct tp_category_total *c = &o->categories[i];

		bars[i] = (struct tp_share_bar){c->name, c->self_ps, c->hue};
	}
	tp_share_bars(
		ctx, doc, parent, id, bars, o->category_count, o->busy_ps, "categories", "busy time");
}

/* "…/while/body/dot_general" of a long name: the scopes that are nearest to what was called. */
static struct tp_value
end_of_scopes(const struct tp_pass_ctx *ctx, struct tp_slice name)
{
	enum { MOST = 60 };
	const char *from = NULL;

	for (size_t i = name.len; i-- > 0 && name.len - i <= MOST;)
		from = name.ptr[i] == '/' ? name.ptr + i : from;
	if (name.len <= MOST)
		return tp_text_value(name);
	if (from == NULL)
		return tp_text_value(tp_utf8_shorten(ctx->keep, name, MOST));
	return tp_text_value(tp_arena_printf(
		ctx->keep, "…%.*s", TP_ARG(tp_slice_from(name, (size_t)(from - name.ptr)))));
}

/* The first row of the table below it, an operation of the framework, with the longest of the operations that those became. */
static struct tp_text
say_longest(const struct tp_op_page *page)
{
	const struct tp_ops *o = page->ops;
	const struct tp_op_total *top = &o->ops[o->top];
	const struct tp_framework_total *first = &o->frameworks[0];
	struct tp_value name = tp_text_value(tp_op_short_name(page->ctx, top->op->label));
	struct tp_value share = tp_op_busy_share(o, top->self_ps);
	struct tp_value framework = end_of_scopes(page->ctx, first->name);

	/* Of shares that are as large as each other none is the largest. */
	if (o->framework_count > 1 && o->frameworks[1].sums.self_ps == first->sums.self_ps)
		return TP_SAY(page->doc, text_two_equal, framework,
			end_of_scopes(page->ctx, o->frameworks[1].name),
			tp_op_busy_share(o, first->sums.self_ps));
	if (tp_slice_eq(first->name, top->op->label))
		return TP_SAY(page->doc, text_top_alone, name, share);
	/* One kernel that many operations of the framework run is in none of the first rows. */
	if (first->sums.self_ps < top->self_ps / 2)
		return TP_SAY(
			page->doc, text_top_shared, name, share, tp_op_busy_share(o, first->sums.self_ps));
	if (first->sums.self_ps == top->self_ps)
		return TP_SAY(page->doc, text_top_run_as, framework, name, share);
	if (first->sums.self_ps < top->self_ps)
		return TP_SAY(page->doc, text_top_operation, name, share, framework,
			tp_op_busy_share(o, first->sums.self_ps));
	return TP_SAY(page->doc, text_top_framework, framework,
		tp_op_busy_share(o, first->sums.self_ps), name, share);
}

static void
say_answer(const struct tp_op_page *page)
{
	const struct tp_ops *o = page->ops;
	struct tp_section *section = &page->section->section;
	struct tp_value longest = tp_op_busy_share(o, o->categories[0].self_ps);
	struct tp_value category = tp_text_value(o->categories[0].name);

	section->key_figure = tp_say_number(page->ctx, o->count, "operation", "operations");
	section->answer = say_longest(page);
	section->so_what = isfinite(o->wasted_ps)
		? TP_SAY(page->doc, text_category_wasted, category, longest,
			  tp_share(o->wasted_ps, (double)o->busy_ps, TP_S(why_no_time)))
		: TP_SAY(page->doc, text_category, category, longest);
}

/* Whether operations are of more than one program. */
static bool
has_programs(const struct tp_ops *o)
{
	for (size_t i = 1; i < o->count; i++) {
		if (o->ops[i].has_program != o->ops[0].has_program ||
			o->ops[i].program_id != o->ops[0].program_id)
			return true;
	}
	return false;
}

static size_t
times(size_t top, size_t factor)
{
	return top < SIZE_MAX / factor ? top * factor : SIZE_MAX;
}

static void
say_trees(const struct tp_op_page *page)
{
	size_t top = page->ctx->options->top;
	struct tp_doc *doc = page->doc;
	const struct tp_ops *o = page->ops;
	struct tp_block *sub =
		tp_doc_choice(page->doc, page->section, "operations/groups", title_groups);

	tp_op_tree_table(page, sub, "operations/tree", TP_OPS_BY_CATEGORY, times(top, 2));
	sub = tp_doc_choice(page->doc, page->section, "operations/programs", title_programs);
	if (has_programs(o))
		tp_op_tree_table(page, sub, "operations/by-program", TP_OPS_BY_PROGRAM, times(top, 2));
	else if (o->ops[0].program.len != 0)
		tp_doc_paragraph(doc, sub, TP_PARAGRAPH_SMALL, "operations/one-program",
			TP_SAY(doc, text_one_program, tp_text_value(o->ops[0].program)));
	else
		tp_doc_paragraph(
			doc, sub, TP_PARAGRAPH_SMALL, "operations/one-program", TP_SAY0(doc, text_no_programs));
	sub = tp_doc_choice(page->doc, page->section, "operations/scopes", title_scopes);
	sub->section.off_paper = o->names_frameworks;
	if (o->names_frameworks)
		tp_op_tree_table(page, sub, "operations/by-scope", TP_OPS_BY_SCOPE, times(top, 2));
	else
		tp_doc_paragraph(
			doc, sub, TP_PARAGRAPH_SMALL, "operations/no-scopes", TP_SAY0(doc, text_no_scopes));
}

/* All but how it was computed and what from. from: the op profile that they are from; NULL: they were recorded. */
static void
present_all(struct tp_op_page *page, const struct tp_op_profile *from)
{
	const struct tp_pass_ctx *ctx = page->ctx;

	page->cards = tp_op_cards(ctx, page->ops, from, page->doc);
	page->section = tp_doc_section(page->doc, NULL, TP_SECTION_MAIN, "operations", "Operations");
	say_answer(page);
	tp_ops_bars(ctx, page->ops, page->doc, page->section, "operations/categories");
	tp_op_top_table(page);
	say_trees(page);
	tp_op_list_table(page, tp_doc_choice(page->doc, page->section, "operations/all", title_all));
	tp_op_cards_present(page,
		tp_doc_section(page->doc, page->section, TP_SECTION_SUB, "operations/cards", title_cards));
}

static void
present_measured(struct tp_op_page *page)
{
	const struct tp_pass_ctx *ctx = page->ctx;

	page->peaks = tp_op_peaks(ctx);
	page->padding = tp_result(ctx, &tp_pass_padding);
	present_all(page, NULL);
	tp_say_how(ctx, page->doc, page->section, "operations/how",
		page->ops->on_host ? how_host : how_device);
	tp_say_source(ctx, page->doc, page->section, "operations/source",
		page->ops->on_host ? source_host : source_device);
}

static void
present_profile(const struct tp_pass_ctx *ctx, const struct tp_op_profile *p, struct tp_doc *doc)
{
	struct tp_op_page page = {
		.ctx = ctx, .ops = &p->ops, .peaks = p->peaks, .padding = &p->padding, .doc = doc};

	present_all(&page, p);
	tp_say_how(ctx, doc, page.section, "operations/how", how_precomputed);
	tp_precomputed_source(
		ctx, doc, page.section, "operations/source", tp_precomputed(ctx)->program_ops.from);
	tp_padding_section(ctx, &p->padding, doc, source_precomputed);
}

static void
present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	struct tp_op_page page = {.ctx = ctx, .ops = result, .doc = doc};

	/* The operators of PyTorch stand here. */
	if (ctx->profile->torch == NULL)
		present_measured(&page);
	tp_op_graphs_asked(&page);
}

static void
present_skipped(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	struct tp_op_page page = {.ctx = ctx, .doc = doc};

	if (ctx->profile->torch == NULL) {
		const struct tp_op_profile *profile = tp_result(ctx, &tp_pass_op_profile);

		if (profile != NULL)
			present_profile(ctx, profile, doc);
		tp_ops_precomputed(ctx, doc);
	}
	tp_op_graphs_asked(&page);
}

const struct tp_pass tp_pass_ops_section = {
	.of = &tp_pass_ops,
	.place = TP_PLACE_OPERATIONS,
	.metrics = tp_ops_metrics,
	.present = present,
	.present_skipped = present_skipped,
};

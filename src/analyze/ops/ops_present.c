/* What the report says about operations. */
#include "analyze/ops/ops_present.h"

#include "analyze/core/pass.h"
#include "analyze/core/say.h"
#include "analyze/core/share_bars.h"
#include "analyze/facts/precomputed.h"
#include "analyze/ops/op_cards.h"
#include "analyze/ops/op_graph.h"
#include "analyze/ops/op_profile.h"
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
		return TP_SAY(page->doc, "`{}` and `{}` take {} of busy time each.", framework,
			end_of_scopes(page->ctx, o->frameworks[1].name),
			tp_op_busy_share(o, first->sums.self_ps));
	/* Where most operations have no framework's name, the longest that has one says little. */
	if (tp_slice_eq(first->name, top->op->label) || first->sums.self_ps < top->self_ps / 2)
		return TP_SAY(
			page->doc, "`{}` takes {} of busy time, more than any other operation.", name, share);
	if (first->sums.self_ps == top->self_ps)
		return TP_SAY(page->doc,
			"`{}`, run as `{}`, takes {} of busy time, more than any other operation.", framework,
			name, share);
	if (first->sums.self_ps < top->self_ps)
		return TP_SAY(page->doc,
			"`{}` takes {} of busy time, more than any other operation; of framework operations `{}` takes "
			"the most, {}.",
			name, share, framework, tp_op_busy_share(o, first->sums.self_ps));
	return TP_SAY(page->doc,
		"`{}` takes {} of busy time, more than any other framework operation; the longest single "
		"operation is `{}`, {}.",
		framework, tp_op_busy_share(o, first->sums.self_ps), name, share);
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
		? TP_SAY(page->doc,
			  "The longest category is {} with {}; {} of busy time is wasted: neither arithmetic "
			  "nor memory was at its limit.",
			  category, longest, tp_share(o->wasted_ps, (double)o->busy_ps, TP_S("no time")))
		: TP_SAY(page->doc, "The longest category is {} with {}.", category, longest);
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
		tp_doc_choice(page->doc, page->section, "operations/groups", "By category");

	tp_op_tree_table(page, sub, "operations/tree", TP_OPS_BY_CATEGORY, times(top, 2));
	sub = tp_doc_choice(page->doc, page->section, "operations/programs", "By program");
	if (has_programs(o))
		tp_op_tree_table(page, sub, "operations/by-program", TP_OPS_BY_PROGRAM, times(top, 2));
	else if (o->ops[0].program.len != 0)
		tp_doc_paragraph(doc, sub, TP_PARAGRAPH_SMALL, "operations/one-program",
			TP_SAY(doc,
				"All operations belong to one program, "
				"`{}`.",
				tp_text_value(o->ops[0].program)));
	else
		tp_doc_paragraph(doc, sub, TP_PARAGRAPH_SMALL, "operations/one-program",
			TP_SAY0(doc, "The profile does not separate programs."));
	sub = tp_doc_choice(page->doc, page->section, "operations/scopes", "By framework operation");
	sub->section.off_paper = o->names_frameworks;
	if (o->names_frameworks)
		tp_op_tree_table(page, sub, "operations/by-scope", TP_OPS_BY_SCOPE, times(top, 2));
	else
		tp_doc_paragraph(doc, sub, TP_PARAGRAPH_SMALL, "operations/no-scopes",
			TP_SAY0(doc, "The profile does not say which framework operations these are."));
}

static const char how_host[] =
	"The program ran on the host's CPU, so operations are XLA events on its threads. Self time "
	"excludes operations nested on the same thread; busy time is the sum over threads, so it can "
	"exceed wall time. Categories are opcodes from the program's HLO. A framework operation sums "
	"the XLA operations it was compiled to; its occurrences are those of the most frequent one.";

static const char how_device[] =
	"Self time excludes nested operations. FLOPS and bandwidth use are the compiler's estimates "
	"(FLOP and HBM bytes per occurrence × occurrences) over self time and the device's peak "
	"(source: see Method); loops have their body's costs, counted once. Bytes are estimates, so "
	"bandwidth use may somewhat exceed 100 %, more than memory can move: marked ?; above 125 % it is not shown. Wasted is self time × "
	"(1 − the larger of the two uses), summed in groups; it is unknown for copies that overlap "
	"other operations. Of an operation or group the larger use is marked: ✓ from 50 %, ▲ below "
	"25 %, ■ in between, from 1 % of busy time on. Padding fit is that of a group's convolutions and dots, "
	"weighted by self time. Rates in the list of all operations are over total time, nested "
	"operations included; intensity is FLOP over all bytes. An operation is bound by the limit it "
	"uses most: arithmetic, HBM, or on-chip memory reads or writes. A framework operation sums the "
	"device operations it was compiled to; its occurrences are those of the most frequent one. "
	"xprof's op profile agrees, except that it omits loops' self time and operations beyond the "
	"first 100 of a group, and counts nested time twice in overall utilisation.";

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
	tp_op_list_table(
		page, tp_doc_choice(page->doc, page->section, "operations/all", "All operations"));
	tp_op_cards_present(page,
		tp_doc_section(page->doc, page->section, TP_SECTION_SUB, "operations/cards", "Cards"));
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
		page->ops->on_host
			? "XLA events on host threads, and the programs' HLO"
			: "lines \"XLA Ops\" of TPU cores, streams of GPUs, and the compiler's estimates");
}

static const char how_precomputed[] =
	"The profiler kept only the summed tree of its op profile, without single occurrences. Shares "
	"of the peaks are the profiler's own figures; its FLOPS share is of the run's whole time, here "
	"of the operation's. FLOP are the model's, bytes HBM's. Wasted is self time × (1 − the larger "
	"of the two uses), summed in groups. Operations that the file omits from a large group are one "
	"row; loops have no self time there. Of an operation or group the larger use is marked: ✓ from "
	"50 %, ▲ below 25 %, ■ in between, from 1 % of busy time on; ? where it is above the device's peak: "
	"the tool's bytes count more than memory moves.";

static void
present_profile(const struct tp_pass_ctx *ctx, const struct tp_op_profile *p, struct tp_doc *doc)
{
	struct tp_op_page page = {
		.ctx = ctx, .ops = &p->ops, .peaks = p->peaks, .padding = &p->padding, .doc = doc};

	present_all(&page, p);
	tp_say_how(ctx, doc, page.section, "operations/how", how_precomputed);
	tp_precomputed_source(
		ctx, doc, page.section, "operations/source", tp_precomputed(ctx)->program_ops.from);
	tp_padding_section(ctx, &p->padding, doc, "the HLO kept in the op profile");
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

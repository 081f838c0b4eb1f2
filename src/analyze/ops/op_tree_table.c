/* A tree of operations as rows: each group the largest first, the rest of it as one row that sums them up. */
#include "analyze/ops/ops_present.h"

#include "analyze/core/say.h"
#include "analyze/facts/framework_name.h"
#include "analyze/facts/kernel_name.h"
#include "analyze/ops/op_cards.h"
#include "analyze/ops/op_tree.h"
#include "analyze/ops/ops_columns.h"
#include "analyze/ops/ops_words.h"
#include "analyze/ops/padding.h"
#include "base/arena.h"
#include "base/map.h"
#include "model/profile.h"
#include "report/draft.h"

#include <math.h>

/* A small file can name very many categories; the list below has every operation. */
enum { LEAST_GROUPS = 20, LEAST_CHILDREN = 3, MOST_ROWS = 1500 };
/* Children with less of busy time are summed up, unless all are wanted. */
#define LEAST_SHOWN 0.001

enum { COLUMNS = sizeof tree_columns / sizeof *tree_columns };

/* How deep a tree stands open: operations that are no duplicates, and some scopes. */
static const int layers[] = {
	[TP_OPS_BY_CATEGORY] = 1, [TP_OPS_BY_PROGRAM] = 2, [TP_OPS_BY_SCOPE] = 3};

/* The table while it is being written. */
struct writing {
	const struct tp_op_page *page;
	const struct tp_op_tree *tree;
	struct tp_draft draft;
	enum tp_op_grouping grouping;
	const struct tp_padding *padding; /* NULL: no fit is known, and there is no column for it */
	const struct fit *fits;           /* by node */
};

/* The cell of the other name, which is the last. */
static struct tp_cell *
other_name(const struct writing *w, struct tree_cells *cells)
{
	return w->padding != NULL ? &cells->other_name : &cells->fit;
}

static struct tree_cells *
add_row(struct writing *w, struct tp_slice id, struct tp_slice name, enum tp_row_role role,
	int depth, const struct tp_op_total *sums)
{
	const struct tp_op_page *page = w->page;
	struct tree_cells *cells = tp_draft_row_of(&w->draft, id, role, depth, sums);

	cells->name.value = tp_text_value(name);
	cells->self.value = tp_op_time(page->ops, tp_integer(sums->self_ps, TP_UNIT_PS));
	cells->busy.value = tp_op_busy_share(page->ops, sums->self_ps);
	cells->busy.swatch = sums->hue;
	cells->wasted.value = tp_op_time(page->ops, tp_op_wasted(sums));
	cells->flops.value = tp_op_use(sums, TP_PEAK_FLOP, &page->peaks);
	cells->hbm.value = tp_op_use(sums, TP_PEAK_HBM, &page->peaks);
	/* The larger use is the one that is judged; that of all together is on the first screen, by limits of its own. What has no
	 * FLOP may use all of a bandwidth that is unknown. */
	struct tp_cell *larger =
		cells->hbm.value.number > cells->flops.value.number ? &cells->hbm : &cells->flops;
	bool either = tp_known(cells->hbm.value) || cells->flops.value.number > 0;

	if (role != TP_ROW_TOTAL && either)
		larger->judge = tp_op_judge(sums, larger->value, page->ops->busy_ps);
	cells->occurrences.value = tp_op_occurrences(sums);
	return cells;
}

/* Of the convolutions and dots at or below a node: their self time, and what of it goes to padding. */
struct fit {
	double self_ps, lost_ps;
};

static uint64_t
key_of(const struct tp_op_total *t)
{
	return (uint64_t)(uintptr_t)t->op;
}

/* By node, in arena. */
static const struct fit *
fits_of(const struct tp_op_tree *tree, const struct tp_padding *padding, struct tp_arena *arena)
{
	struct fit *fits = tp_new_array(arena, struct fit, tree->count);
	struct tp_map index;

	tp_map_init(&index, arena);
	for (size_t i = 0; i < padding->count; i++)
		tp_map_put(&index, key_of(&padding->ops->ops[padding->fits[i].op]), (uint32_t)i);
	for (uint32_t n = tree->count; n-- > 1;) {
		const struct tp_op_node *node = &tree->nodes[n];
		uint32_t at =
			node->kind == TP_OP_NODE_OP ? tp_map_get(&index, key_of(node->op)) : TP_MAP_NONE;

		if (at != TP_MAP_NONE && isfinite(padding->fits[at].product.fit)) {
			fits[n].self_ps = (double)node->sums->self_ps;
			fits[n].lost_ps = padding->fits[at].lost_ps;
		}
		fits[node->parent].self_ps += fits[n].self_ps;
		fits[node->parent].lost_ps += fits[n].lost_ps;
	}
	return fits;
}

static const struct tp_op_node *
child_of(const struct tp_op_tree *tree, const struct tp_op_node *node, uint32_t i)
{
	return &tree->nodes[tree->order[node->first + i]];
}

/* A node as it is shown: layers that only hold one thing are left out. */
struct shown {
	const struct tp_op_node *node;   /* whose figures these are */
	const struct tp_op_node *inside; /* whose children stand below */
	const struct tp_op_total *op;    /* the only one of it; NULL: several */
	struct tp_slice name;
	enum tp_hue hue;
};

/* The only child, or NULL. */
static const struct tp_op_node *
only_child(const struct tp_op_tree *tree, const struct tp_op_node *node)
{
	return node->count == 1 ? child_of(tree, node, 0) : NULL;
}

static struct shown
show(const struct writing *w, const struct tp_op_node *node)
{
	struct tp_arena *keep = w->page->ctx->keep;
	struct shown s = {.node = node, .inside = node, .name = node->name, .hue = node->hue};
	const struct tp_op_node *only = only_child(w->tree, node);

	if (node->kind == TP_OP_NODE_DUPLICATES && only == NULL)
		s.name =
			tp_arena_printf(keep, "%.*s and %u %s", TP_ARG(tp_kernel_short_name(node->name, keep)),
				node->count - 1, node->count == 2 ? "duplicate" : "duplicates");
	if (node->kind == TP_OP_NODE_DUPLICATES && only != NULL)
		s = (struct shown){.node = only, .inside = only, .name = only->name, .hue = s.hue};
	s.op = s.node->kind == TP_OP_NODE_OP ? s.node->op : NULL;
	if (node->kind != TP_OP_NODE_SCOPE)
		return s;
	for (; only != NULL; only = only_child(w->tree, only)) {
		s.inside = only;
		s.hue = only->hue;
		if (only->kind == TP_OP_NODE_SCOPE)
			s.name = tp_arena_printf(keep, "%.*s/%.*s", TP_ARG(s.name), TP_ARG(only->name));
		else if (only->kind == TP_OP_NODE_DUPLICATES && only->count > 1)
			return s;
		s.op = only->op;
	}
	return s;
}

static void
add_fit(const struct writing *w, const struct tp_op_node *node, struct tree_cells *cells)
{
	if (w->padding == NULL)
		return;
	const struct fit *fit = &w->fits[node - w->tree->nodes];

	cells->fit.value = tp_share(fit->self_ps - fit->lost_ps, fit->self_ps, TP_S(why_no_product));
}

/* The instructions of a fusion, which have no times of their own. */
static void
add_parts(struct writing *w, const struct tp_op_card *card, int depth)
{
	struct tp_arena *keep = w->page->ctx->keep;
	size_t most = w->page->ctx->options->top;

	for (size_t i = 0; i < card->inside.count; i++) {
		const struct tp_op_part *part = &card->inside.parts[i];
		bool more = i == most && card->inside.count > most + 1;
		struct tp_slice name = more
			? tp_arena_printf(keep, "%zu more %s", card->inside.count - most,
				  tp_plural(card->inside.count - most, "instruction", "instructions"))
			: part->shape.len == 0 ? part->name
								   : tp_arena_printf(keep, "%.*s = %.*s %.*s", TP_ARG(part->name),
										 TP_ARG(part->shape), TP_ARG(part->opcode));
		struct tp_slice id = tp_arena_printf(keep, "%.*s/%.*s/%zu", TP_ARG(card->total->program),
			TP_ARG(card->total->op->label), i + 1);
		struct tree_cells *cells = tp_draft_row_of(&w->draft, id, TP_ROW_NORMAL, depth, NULL);

		cells->name.value = tp_text_value(name);
		if (more)
			return;
		if (w->grouping != TP_OPS_BY_SCOPE)
			other_name(w, cells)->value = tp_text_value(part->framework);
	}
}

static void
add_node(struct writing *w, const struct shown *s, int depth)
{
	const struct tp_op_node *node = s->node;
	bool is_group = node->kind < TP_OP_NODE_DUPLICATES;
	struct tp_op_total sums = *node->sums;
	struct tp_slice id = s->name;
	const struct tp_op_card *card = s->op != NULL ? tp_op_card_of(w->page->cards, s->op->op) : NULL;

	sums.hue = s->hue;
	if (node->kind == TP_OP_NODE_OP)
		id = tp_op_row_name(w->page->ctx, s->op);
	struct tree_cells *cells =
		add_row(w, id, s->name, is_group ? TP_ROW_GROUP : TP_ROW_NORMAL, depth, &sums);

	if (is_group)
		cells->name.swatch = s->hue;
	else if (node->kind == TP_OP_NODE_OP)
		tp_kernel_put_name(s->name, w->page->ctx->keep, &cells->name);
	if (s->op != NULL)
		(node->kind == TP_OP_NODE_OP ? &cells->name : other_name(w, cells))->href =
			tp_op_card_href(w->page, s->op);
	add_fit(w, node, cells);
	if (w->grouping == TP_OPS_BY_SCOPE && is_group && s->op != NULL)
		tp_kernel_put_name(s->op->op->label, w->page->ctx->keep, other_name(w, cells));
	else if (w->grouping != TP_OPS_BY_SCOPE && s->op != NULL)
		other_name(w, cells)->value = tp_text_value(tp_framework_name(s->op->op->framework).name);
	/* Where they would stand open they are left to the card. */
	if (card != NULL && depth >= layers[w->grouping])
		add_parts(w, card, depth + 1);
}

static void
add_rest(struct writing *w, const struct tp_op_node *node, uint32_t from, int depth)
{
	struct tp_op_total rest = {0};
	struct tp_arena *keep = w->page->ctx->keep;

	for (uint32_t i = from; i < node->count; i++)
		tp_op_add(&rest, child_of(w->tree, node, i)->sums);
	add_row(w, tp_arena_printf(keep, "%.*s/more", TP_ARG(node->name)),
		tp_arena_printf(keep, "%u more", node->count - from), TP_ROW_NORMAL, depth, &rest);
}

/* How many children of a node have rows of their own. One more stands itself instead of "1 more". */
static uint32_t
room_for(const struct writing *w, const struct tp_op_node *node)
{
	size_t most = w->page->ctx->options->top;
	double least_ps = LEAST_SHOWN * (double)w->page->ops->busy_ps;
	uint32_t count = node->count;

	if (most == SIZE_MAX || count == 0)
		return count;
	if (w->draft.rows.count >= MOST_ROWS)
		return 0;
	if (child_of(w->tree, node, 0)->kind < TP_OP_NODE_DUPLICATES && most < LEAST_GROUPS)
		most = LEAST_GROUPS;
	if (count > most)
		count = (uint32_t)most;
	while (count > LEAST_CHILDREN &&
		(double)child_of(w->tree, node, count - 1)->sums->self_ps < least_ps)
		count--;
	return count + 1 == node->count ? node->count : count;
}

static void
add_rows(struct writing *w)
{
	/* Below each node of the stack, the children from `next` on are still to come. */
	struct {
		const struct tp_op_node *node;
		uint32_t next, end;
	} stack[TP_OP_TREE_DEEPEST + 1], *at = stack;

	at->node = &w->tree->nodes[0];
	at->next = 0;
	at->end = room_for(w, at->node);
	while (at >= stack) {
		int depth = (int)(at - stack);

		if (at->next == at->end) {
			if (at->end < at->node->count)
				add_rest(w, at->node, at->end, depth);
			at--;
			continue;
		}
		struct shown s = show(w, child_of(w->tree, at->node, at->next++));

		add_node(w, &s, depth);
		if (s.inside->count != 0) {
			at++;
			at->node = s.inside;
			at->next = 0;
			at->end = room_for(w, at->node);
		}
	}
}

void
tp_op_tree_table(const struct tp_op_page *page, struct tp_block *parent, const char *id,
	enum tp_op_grouping grouping, size_t shown)
{
	static const char *const captions[] = {
		[TP_OPS_BY_CATEGORY] = caption_by_category,
		[TP_OPS_BY_PROGRAM] = caption_by_program,
		[TP_OPS_BY_SCOPE] = caption_by_scope,
	};
	const struct tp_pass_ctx *ctx = page->ctx;
	struct tp_arena *scratch = tp_arena_new();
	struct tp_op_tree *tree = tp_op_tree(page->ops, grouping, ctx->keep, scratch);
	const struct tp_padding *padding = page->padding;
	struct tp_column *heads = tp_new_array(ctx->keep, struct tp_column, COLUMNS);
	struct writing w = {
		.page = page,
		.tree = tree,
		.grouping = grouping,
		.padding = padding != NULL && padding->state == TP_PADDING_JUDGED ? padding : NULL,
	};

	size_t column_count = w.padding != NULL ? COLUMNS : COLUMNS - 1;

	memcpy(heads, tree_columns, sizeof tree_columns);
	heads[column_count - 1] =
		grouping == TP_OPS_BY_SCOPE ? operation_column : tree_columns[COLUMNS - 1];
	heads[tree->by_waste ? TP_COLUMN_OF(struct tree_cells, wasted)
						 : TP_COLUMN_OF(struct tree_cells, self)]
		.sorted = true;
	if (w.padding != NULL)
		w.fits = fits_of(tree, w.padding, scratch);
	w.draft = tp_draft_table(page->doc, parent, id, heads, column_count);
	struct tp_op_total all = *tree->nodes[0].sums;

	all.hue = tree->nodes[0].hue == TP_HUE_HOST ? TP_HUE_HOST : TP_HUE_COMPUTE;
	add_fit(&w, &tree->nodes[0],
		add_row(&w, TP_S("all"), TP_S("All operations"), TP_ROW_TOTAL, 0, &all));
	add_rows(&w);
	struct tp_table *t = tp_draft_finish(&w.draft, SIZE_MAX);

	tp_kernel_tell_rows_apart(t, TP_COLUMN_OF(struct tree_cells, name), ctx->keep);
	if (page->ops->summed_up)
		tp_table_drop_missing(page->doc, t, TP_COLUMN_OF(struct tree_cells, self));
	t->tree = true;
	t->open_depth = layers[grouping];
	t->shown = tp_table_open_rows(t, shown);
	t->caption = tp_arena_printf(ctx->keep, caption_tree, captions[grouping],
		tree->by_waste ? "most wasted time" : "longest");
	tp_arena_free(scratch);
}

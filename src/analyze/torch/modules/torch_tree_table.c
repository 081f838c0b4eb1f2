/* A tree of spans as rows. */
#include "analyze/torch/modules/torch_modules.h"

#include "analyze/core/say.h"
#include "analyze/facts/op_times.h"
#include "analyze/torch/modules/torch_modules_words.h"
#include "base/arena.h"
#include "base/order.h"
#include "report/draft.h"

#include <ctype.h>
#include <stdlib.h>

/* Children with less of the whole are summed up, unless all are wanted; so are those beyond the longest few. */
#define LEAST_SHOWN 0.0005
enum { MOST_CHILDREN = 40, LEAST_CHILDREN = 3, OPEN_DEPTH = 2, OPEN_ROWS = 12 };

enum {
	NAME,
	CALLS,
	OPERATORS,
	OWN,
	DEVICE,
	DEVICE_SELF,
	HOST,
	HOST_SELF,
	AVERAGE,
	BACKWARD,
	BACKWARD_DEVICE,
	COLUMNS
};

static const struct tp_column columns[COLUMNS] = {
	[NAME] = {.key = TP_LIT("name"), .code = true, TP_TEXT_FIELD(struct tp_torch_node, name)},
	[CALLS] = TP_COUNT_COLUMN("calls", "Calls"),
	[OPERATORS] = TP_COUNT_COLUMN("operators", "Operators"),
	[OWN] = TP_SHARE_COLUMN("own_share", "Own time", .bar = true),
	[DEVICE] = TP_COLUMN("device_ms", "Device", .unit = TP_UNIT_MS, .decimals = 3),
	[DEVICE_SELF] = TP_COLUMN("device_self_ms", "Device, self", .unit = TP_UNIT_MS, .decimals = 3),
	[HOST] = TP_COLUMN("host_ms", "Host", .unit = TP_UNIT_MS, .decimals = 3,
		TP_FIELD(struct tp_torch_node, host_ps, TP_UNIT_PS)),
	[HOST_SELF] = TP_COLUMN("host_self_ms", "Host, self", .unit = TP_UNIT_MS, .decimals = 3),
	[AVERAGE] = TP_COLUMN("average_us", "Per call", .unit = TP_UNIT_US, .decimals = 1),
	[BACKWARD] = TP_COLUMN("backward_host_ms", "Backward, host", .unit = TP_UNIT_MS, .decimals = 3),
	[BACKWARD_DEVICE] =
		TP_COLUMN("backward_device_ms", "Backward, device", .unit = TP_UNIT_MS, .decimals = 3),
};

struct writing {
	const struct tp_pass_ctx *ctx;
	const struct tp_torch_tree *tree;
	struct tp_draft draft;
	size_t rows; /* about so many */
	bool backward, spans_are_operators;
	int64_t *times; /* of the children in hand, longest first */
};

static void
add_row(
	struct writing *w, struct tp_slice id, const struct tp_torch_node *n, int depth, int64_t own_ps)
{
	const struct tp_torch_tree *tree = w->tree;
	struct tp_cell *cell = tp_draft_row_of(&w->draft, id, TP_ROW_NORMAL, depth, n);
	struct tp_value no_device = tp_missing(TP_S(why_no_device_work));
	struct tp_value no_backward = tp_missing(TP_S(why_no_backward));
	bool device = tree->device_ps != 0, timed = device && n->device_ps != 0;

	cell[CALLS].value = n->calls != 0 ? tp_count(n->calls) : tp_missing(TP_S(why_only_parts));
	cell[OPERATORS].value =
		w->spans_are_operators ? tp_missing(TP_S(why_rows)) : tp_count(n->operators);
	cell[OWN].value = tp_share((double)own_ps, (double)tp_torch_tree_ps(tree), TP_S(why_no_time));
	cell[OWN].swatch = device ? TP_HUE_COMPUTE : TP_HUE_HOST;
	cell[DEVICE].value = device ? tp_integer(n->device_ps, TP_UNIT_PS) : no_device;
	cell[DEVICE_SELF].value = device ? tp_integer(n->device_self_ps, TP_UNIT_PS) : no_device;
	cell[HOST_SELF].value = tp_integer(n->host_self_ps > 0 ? n->host_self_ps : 0, TP_UNIT_PS);
	cell[AVERAGE].value = n->calls == 0
		? tp_missing(TP_S(why_only_parts))
		: tp_number((double)(timed ? n->device_ps : n->host_ps) / 1e6 / n->calls, TP_UNIT_US);
	cell[BACKWARD].value = w->backward ? tp_integer(n->backward_ps, TP_UNIT_PS) : no_backward;
	cell[BACKWARD_DEVICE].value = !w->backward ? no_backward
		: device                               ? tp_integer(n->backward_device_ps, TP_UNIT_PS)
											   : no_device;
}

TP_ORDER(descending, int64_t, (*a < *b) - (*a > *b));

/* How many children of a node have rows of their own: the longest, which times[] then begins with. One more stands itself
 * instead of "1 more". */
static uint32_t
room_for(struct writing *w, uint32_t first, uint32_t count)
{
	const struct tp_torch_tree *tree = w->tree;
	int64_t least_ps = (int64_t)(LEAST_SHOWN * (double)tp_torch_tree_ps(tree));
	uint32_t kept = count < MOST_CHILDREN ? count : MOST_CHILDREN;

	for (uint32_t i = 0; i < count; i++)
		w->times[i] = tp_torch_node_ps(tree, &tree->nodes[tree->order[first + i]]);
	if (w->ctx->options->top == SIZE_MAX)
		return count;
	if (w->draft.rows.count >= w->rows)
		return 0;
	qsort(w->times, count, sizeof *w->times, descending);
	while (kept > LEAST_CHILDREN && w->times[kept - 1] < least_ps)
		kept--;
	return kept + 1 == count ? count : kept;
}

/* The children of one node, and what those without a row are together. */
struct level {
	uint32_t next, end;
	int64_t least_ps; /* a child must take to have a row … */
	uint32_t equal;   /* … of those that take just this as many as there is room for */
	struct tp_torch_node rest;
	int64_t rest_own_ps;
	uint32_t rest_count;
};

static struct level
enter(struct writing *w, uint32_t first, uint32_t count)
{
	struct level l = {.next = first, .end = first + count, .least_ps = INT64_MAX};
	uint32_t kept = room_for(w, first, count);

	if (kept == count)
		l.least_ps = INT64_MIN;
	else if (kept != 0)
		l.least_ps = w->times[kept - 1];
	for (uint32_t i = kept; kept != count && i-- > 0 && w->times[i] == l.least_ps;)
		l.equal++;
	return l;
}

static bool
has_row(struct level *l, int64_t ps)
{
	if (ps == l->least_ps && l->equal > 0) {
		l->equal--;
		return true;
	}
	return ps > l->least_ps;
}

static void
leave_out(struct level *l, const struct tp_torch_tree *tree, const struct tp_torch_node *n)
{
	struct tp_torch_node *r = &l->rest;

	l->rest_count++;
	l->rest_own_ps = tp_add_ps(l->rest_own_ps, tp_torch_node_ps(tree, n));
	r->calls += n->calls;
	r->operators += n->operators;
	r->host_ps = tp_add_ps(r->host_ps, n->host_ps);
	r->host_self_ps = tp_add_ps(r->host_self_ps, n->host_self_ps);
	r->device_ps = tp_add_ps(r->device_ps, n->device_ps);
	r->device_self_ps = tp_add_ps(r->device_self_ps, n->device_self_ps);
	r->backward_ps = tp_add_ps(r->backward_ps, n->backward_ps);
	r->backward_device_ps = tp_add_ps(r->backward_device_ps, n->backward_device_ps);
}

static void
leave(struct writing *w, struct level *l, int depth)
{
	if (l->rest_count == 0)
		return;
	l->rest.name = tp_arena_printf(w->ctx->keep, "%u more", l->rest_count);
	add_row(w, TP_S("more"), &l->rest, depth, l->rest_own_ps);
}

static void
add_rows(struct writing *w)
{
	const struct tp_torch_tree *tree = w->tree;
	struct level levels[TP_TORCH_TREE_DEEPEST + 1], *l = levels;

	*l = enter(w, 0, tree->root_count);
	while (l >= levels) {
		int depth = (int)(l - levels);

		if (l->next == l->end) {
			leave(w, l--, depth);
			continue;
		}
		const struct tp_torch_node *n = &tree->nodes[tree->order[l->next++]];

		if (!has_row(l, tp_torch_node_ps(tree, n))) {
			leave_out(l, tree, n);
			continue;
		}
		add_row(w, n->name, n, depth, tp_torch_node_own_ps(tree, n));
		if (n->count != 0)
			*++l = enter(w, n->first, n->count);
	}
}

static bool
any_backward(const struct tp_torch_tree *tree)
{
	for (uint32_t i = 0; i < tree->count; i++) {
		if (tree->nodes[i].backward_calls != 0)
			return true;
	}
	return false;
}

void
tp_torch_tree_table(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *parent,
	const struct tp_torch_tree *tree, const struct tp_torch_tree_words *words, size_t rows)
{
	struct tp_column *heads = tp_new_array(ctx->keep, struct tp_column, COLUMNS);
	struct writing w = {.ctx = ctx,
		.tree = tree,
		.rows = rows,
		.backward = any_backward(tree),
		.spans_are_operators = words->spans_are_operators,
		.times = tp_new_array(ctx->scratch, int64_t, tree->count)};

	memcpy(heads, columns, sizeof columns);
	heads[NAME].title = tp_slice_of(words->head);
	/* Both are self times: of all but the parts that have rows, and of all but operators, too. */
	if (!words->spans_are_operators) {
		heads[OWN].title = tp_arena_printf(ctx->keep, title_without_called, words->many);
		heads[DEVICE_SELF].title =
			tp_arena_printf(ctx->keep, title_device_without_called, words->many);
		heads[HOST_SELF].title = TP_S(title_host_without);
	}
	w.draft = tp_draft_table(doc, parent, words->id, heads, COLUMNS);
	add_rows(&w);
	struct tp_table *t = tp_draft_finish(&w.draft, SIZE_MAX);

	t->tree = true;
	/* Of a few rows all are open: the deepest may take most of the time. */
	tp_table_open_levels(
		t, t->row_count <= OPEN_ROWS ? TP_TORCH_TREE_DEEPEST : OPEN_DEPTH, OPEN_ROWS);
	t->caption = tp_arena_printf(
		ctx->keep, caption_tree, toupper((unsigned char)*words->what), words->what + 1);
	tp_table_drop_missing(doc, t, OPERATORS);
}

/* Nothing here calls itself: a graph may be as deep as it has nodes. Items are the rows that a walk from the root meets, each before
 * what is below it, so that one pass forwards hands down and one backwards adds up. */
#include "analyze/tfprof/tfprof_tree.h"

#include "analyze/tfprof/tfprof_options.h"
#include "base/arena.h"

struct item {
	uint32_t above; /* the item below which it stands; of the root its own */
	int64_t depth;  /* of the root 1 */
	bool kept;      /* so far; in the end: shown */
	bool cut;       /* nothing below it is looked at */
};

struct showing {
	const struct tp_tfprof_tree *tree;
	struct tp_tfprof_options *options;
	struct tp_arena *scratch;
	struct item *items;
	uint32_t *row; /* of each item */
	uint32_t count;
	uint32_t *first, *children; /* of shown items, by item */
};

void
tp_tfprof_children(struct tp_tfprof_tree *tree, const uint32_t *parent, struct tp_arena *scratch)
{
	tree->first = tp_new_array(scratch, uint32_t, tree->count + 2);
	for (uint32_t i = 0; i < tree->count; i++) {
		if (parent[i] != TP_MAP_NONE)
			tree->first[parent[i] + 2]++;
	}
	for (uint32_t i = 1; i < tree->count + 2; i++)
		tree->first[i] += tree->first[i - 1];
	tree->children = tp_new_array(scratch, uint32_t, tree->first[tree->count + 1]);
	for (uint32_t i = 0; i < tree->count; i++) {
		if (parent[i] != TP_MAP_NONE)
			tree->children[tree->first[parent[i] + 1]++] = i;
	}
}

static void
walk(struct showing *s)
{
	const struct tp_tfprof_tree *t = s->tree;
	bool *met = tp_new_array(s->scratch, bool, t->count);
	uint32_t *open = tp_new_array(s->scratch, uint32_t, t->count);
	uint32_t *next = tp_new_array(s->scratch, uint32_t, t->count), depth = 1;

	s->items = tp_new_array(s->scratch, struct item, t->count);
	s->row = tp_new_array(s->scratch, uint32_t, t->count);
	s->row[s->count++] = t->count - 1;
	met[t->count - 1] = true;
	next[0] = t->first[t->count - 1];
	while (depth != 0) {
		uint32_t above = open[depth - 1];

		if (next[depth - 1] == t->first[s->row[above] + 1]) {
			depth--;
			continue;
		}
		uint32_t row = t->children[next[depth - 1]++];

		if (met[row])
			continue;
		met[row] = true;
		next[depth] = t->first[row];
		open[depth++] = s->count;
		s->row[s->count] = row;
		s->items[s->count++].above = above;
	}
}

static struct tp_tfprof_row *
row_of(const struct showing *s, uint32_t item)
{
	return &s->tree->rows[s->row[item]];
}

/* Items that are not kept give what is below them to the next one above that is. */
static void
hand_up(struct showing *s)
{
	for (uint32_t i = 1; i < s->count; i++) {
		uint32_t above = s->items[i].above;

		if (!s->items[above].kept)
			s->items[i].above = s->items[above].above;
	}
}

static void
add_total(struct showing *s, uint32_t to, uint32_t item)
{
	tp_tfprof_add(&row_of(s, to)->total, &row_of(s, item)->total);
	row_of(s, to)->definitions += row_of(s, item)->definitions;
}

static void
count_self(struct tp_tfprof_row *row)
{
	row->total = row->own;
	row->definitions = 1;
}

static void
account(struct showing *s)
{
	s->items[0].kept = true;
	for (uint32_t i = s->count; i-- > 1;) {
		struct item *item = &s->items[i];

		item->kept |= row_of(s, i)->accounted;
		if (item->kept && !s->tree->lifts)
			s->items[item->above].kept = true;
	}
	hand_up(s);
	for (uint32_t i = 1; i < s->count; i++)
		count_self(row_of(s, i));
	for (uint32_t i = s->count; i-- > 1;) {
		if (s->items[i].kept)
			add_total(s, s->items[i].above, i);
	}
}

/* From the first rows on each way down that match: these stand below the root then. */
static void
start(struct showing *s)
{
	bool *started = tp_new_array(s->scratch, bool, s->count);

	for (uint32_t i = 1; i < s->count; i++) {
		struct item *item = &s->items[i];

		if (!item->kept)
			continue;
		started[i] = started[item->above];
		if (!started[i] && tp_patterns_match(&s->options->start_names, row_of(s, i)->name)) {
			started[i] = true;
			item->above = 0;
		}
		item->kept = started[i];
	}
}

/* Whether an item is looked at: all above it are, and none of them is cut. What is not kept has nothing below it by now. */
static void
hide(struct showing *s)
{
	bool *looked_at = tp_new_array(s->scratch, bool, s->count);

	for (uint32_t i = 0; i < s->count; i++) {
		struct item *item = &s->items[i];
		const struct item *above = &s->items[item->above];

		if (!item->kept || (i != 0 && (!looked_at[item->above] || above->cut))) {
			item->kept = false;
			continue;
		}
		looked_at[i] = true;
		item->depth = i == 0 ? 1 : above->depth + 1;
		item->cut = item->depth > s->options->max_depth ||
			(s->options->trim_names.count != 0 &&
				tp_patterns_matching(&s->options->trim_names, row_of(s, i)->name) != 0);
	}
	for (uint32_t i = 1; i < s->count; i++) {
		struct item *item = &s->items[i];

		if (item->kept)
			item->kept = !(s->tree->cuts_trimmed && item->cut) &&
				tp_tfprof_shown(s->options, s->tree, row_of(s, i), item->depth);
	}
	hand_up(s);
}

static void
link_shown(struct showing *s)
{
	s->first = tp_new_array(s->scratch, uint32_t, s->count + 2);
	for (uint32_t i = 1; i < s->count; i++)
		s->first[s->items[i].above + 2] += s->items[i].kept;
	for (uint32_t i = 1; i < s->count + 2; i++)
		s->first[i] += s->first[i - 1];
	s->children = tp_new_array(s->scratch, uint32_t, s->count);
	for (uint32_t i = 1; i < s->count; i++) {
		if (s->items[i].kept)
			s->children[s->first[s->items[i].above + 1]++] = i;
	}
}

/* Rows are put in order once their totals stand, from the bottom up. */
static void
order(struct showing *s)
{
	bool again = s->options->displayed_only && s->tree->redoes;

	for (uint32_t i = s->count; i-- > 0;) {
		if (!s->items[i].kept)
			continue;
		uint32_t *children = &s->children[s->first[i]], count = s->first[i + 1] - s->first[i];

		if (again)
			count_self(row_of(s, i));
		for (uint32_t k = 0; again && k < count; k++)
			add_total(s, i, children[k]);
		tp_tfprof_sort(s->options, s->tree->occurrences, s->tree->rows, s->row, children, count);
	}
}

static void
emit(struct showing *s, struct tp_arena *arena, struct tp_tfprof_view *view)
{
	uint32_t *open = tp_new_array(s->scratch, uint32_t, s->count + 1), shown = 0, depth = 1;
	uint32_t *at = tp_new_array(s->scratch, uint32_t, s->count + 1);
	uint32_t *next = tp_new_array(s->scratch, uint32_t, s->count + 1);

	for (uint32_t i = 0; i < s->count; i++)
		shown += s->items[i].kept;
	view->rows = tp_new_array(arena, struct tp_tfprof_row, shown);
	view->rows[view->count++] = *row_of(s, 0);
	next[0] = s->first[0];
	while (depth != 0) {
		if (next[depth - 1] == s->first[open[depth - 1] + 1]) {
			depth--;
			continue;
		}
		uint32_t item = s->children[next[depth - 1]++];
		struct tp_tfprof_row *row = &view->rows[view->count];

		*row = *row_of(s, item);
		row->parent = at[depth - 1];
		row->depth = depth;
		next[depth] = s->first[item];
		open[depth] = item;
		at[depth++] = view->count++;
	}
}

void
tp_tfprof_show(const struct tp_tfprof_tree *tree, struct tp_tfprof_options *options,
	struct tp_arena *arena, struct tp_tfprof_view *view)
{
	struct showing s = {.tree = tree, .options = options, .scratch = tp_arena_new()};

	walk(&s);
	account(&s);
	if (!options->start_names.all)
		start(&s);
	hide(&s);
	link_shown(&s);
	order(&s);
	emit(&s, arena, view);
	tp_arena_free(s.scratch);
}

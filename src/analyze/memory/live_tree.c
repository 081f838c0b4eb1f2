/* The tree of calls: stacks that begin with the same calls share them. Built and walked without recursion, for its depth
 * comes from a file. */
#include "analyze/memory/live_buffers.h"

#include "analyze/facts/op_times.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "model/live.h"

#include <stdlib.h>

/* Of a stack so many frames, of the tree so many levels and nodes are told. */
enum { MOST_FRAMES = 512, MOST_LEVELS = 24, MOST_NODES = 2000 };

struct node {
	const struct tp_live_line *line;
	uint64_t count, bytes;
	uint32_t parent, children;
	uint32_t first_child; /* in the array that is sorted by parent; or the last child seen */
};

struct growing {
	const struct tp_live *live;
	struct tp_buf nodes; /* struct node; the first is the root, above all calls */
	struct tp_map known; /* (parent, line) */
};

static uint64_t
key_of(const struct tp_live_line *l)
{
	return tp_hash_pair(tp_hash_pair(l->function, l->file), (uint64_t)l->number);
}

static uint32_t
child(struct growing *g, uint32_t parent, const struct tp_live_line *line)
{
	uint64_t key = tp_hash_pair(parent, line != NULL ? key_of(line) : 0);
	uint32_t number;

	if (tp_map_number(&g->known, key, &number)) {
		TP_PUSH(&g->nodes, struct node, .line = line, .parent = parent);
		((struct node *)g->nodes.data)[parent].children++;
	}
	return number + 1; /* the root has none */
}

static void
count(struct growing *g, uint32_t at, const struct tp_live_sample *s)
{
	struct node *n = (struct node *)g->nodes.data + at;

	n->count += s->count;
	n->bytes = tp_add_cost(n->bytes, s->bytes);
}

/* From the outermost call inwards. */
static void
plant(struct growing *g, const struct tp_live_sample *s)
{
	uint32_t at = 0, frames = 0;

	count(g, 0, s);
	for (uint32_t i = s->depth; i-- > 0;) {
		const struct tp_live_place *place = &g->live->places[g->live->frames[s->first + i]];

		for (uint32_t k = place->count; k-- > 0 && frames < MOST_FRAMES; frames++)
			count(g, at = child(g, at, &g->live->lines[place->first + k]), s);
		if (frames == MOST_FRAMES)
			return;
	}
	if (frames == 0)
		count(g, child(g, 0, NULL), s);
}

/* Siblings side by side, the largest first. */
TP_ORDER_POINTERS(
	by_parent, struct node, TP_UP(parent), TP_DOWN(bytes), TP_DOWN(count), TP_AS_THEY_STAND);

struct level {
	uint32_t next, end; /* of the siblings, in order */
};

static void
walk(struct tp_live_file *f, struct node *nodes, struct node *const *order)
{
	struct level stack[MOST_LEVELS];
	uint32_t depth = 0;

	stack[0] = (struct level){nodes[0].first_child, nodes[0].first_child + nodes[0].children};
	for (;;) {
		struct level *l = &stack[depth];

		if (l->next == l->end) {
			if (depth-- == 0)
				return;
			continue;
		}
		const struct node *n = order[l->next++];

		if (f->node_count == MOST_NODES) {
			f->nodes_left_out++;
			continue;
		}
		struct tp_live_node *out = &f->nodes[f->node_count++];

		*out =
			(struct tp_live_node){.count = n->count, .bytes = n->bytes, .calls = 1, .depth = depth};
		/* A call that leads to one other and to nothing else is told with it. */
		while (n->children == 1 && order[n->first_child]->count == n->count &&
			order[n->first_child]->bytes == n->bytes) {
			n = order[n->first_child];
			out->calls++;
		}
		out->line = n->line;
		if (n->children == 0)
			continue;
		if (depth + 1 == MOST_LEVELS)
			f->nodes_left_out += n->children;
		else
			stack[++depth] = (struct level){n->first_child, n->first_child + n->children};
	}
}

void
tp_live_tree(const struct tp_pass_ctx *ctx, struct tp_live_file *f)
{
	struct growing g = {.live = f->live};

	tp_map_init(&g.known, ctx->scratch);
	tp_buf_add(&g.nodes, sizeof(struct node));
	for (uint32_t i = 0; i < f->live->sample_count; i++)
		plant(&g, &f->live->samples[i]);
	struct node *nodes = g.nodes.data,
				**order = tp_new_array(ctx->scratch, struct node *, g.nodes.count);

	for (size_t i = 1; i < g.nodes.count; i++)
		order[i - 1] = &nodes[i];
	if (g.nodes.count > 1)
		qsort(order, g.nodes.count - 1, sizeof *order, by_parent);
	for (size_t i = g.nodes.count - 1; i-- > 0;)
		nodes[order[i]->parent].first_child = (uint32_t)i;
	f->nodes = tp_new_array(
		ctx->keep, struct tp_live_node, g.nodes.count < MOST_NODES ? g.nodes.count : MOST_NODES);
	walk(f, nodes, order);
	tp_buf_free(&g.nodes);
}

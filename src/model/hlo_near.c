/* Gathering the neighbourhood of an HLO instruction, one step after the other. Operands stand before their users, so nothing
 * is on both sides. */
#include "model/hlo_near.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"

#include <stdlib.h>

struct tp_hlo_links {
	const struct tp_hlo_module *m;
	uint32_t *first, *users; /* of instruction i: users[first[i]] … users[first[i + 1] - 1] */
	uint32_t *seen, mark;    /* by instruction: when it was last seen among the operands of one */
	/* by instruction, while a neighbourhood is gathered: NO_NODE, MET, or its number */
	uint32_t *node;
};

#define NO_NODE UINT32_MAX
#define MET (UINT32_MAX - 1) /* looked at already; it has room, or not */

/* Walks over the operands of an instruction, each once. */
struct operands {
	struct tp_hlo_links *links;
	struct tp_hlo_list all;
	uint32_t next;
};

static struct operands
operands_of(struct tp_hlo_links *l, uint32_t instruction)
{
	l->mark++;
	return (struct operands){l, l->m->instructions[instruction].operands, 0};
}

static bool
next_operand(struct operands *o, uint32_t *out)
{
	while (o->next < o->all.count) {
		*out = o->all.at[o->next++];
		if (o->links->seen[*out] == o->links->mark)
			continue;
		o->links->seen[*out] = o->links->mark;
		return true;
	}
	return false;
}

struct tp_hlo_links *
tp_hlo_links(const struct tp_hlo_module *m, struct tp_arena *arena)
{
	struct tp_hlo_links *l = tp_new(arena, struct tp_hlo_links);
	uint32_t count = m->instruction_count, operand;

	l->m = m;
	l->seen = tp_new_array(arena, uint32_t, count);
	l->node = tp_new_array(arena, uint32_t, count);
	memset(l->node, 0xff, count * sizeof *l->node);
	/* Counted one place further on, so that filling moves each start to where it belongs. */
	l->first = tp_new_array(arena, uint32_t, (size_t)count + 2);
	for (uint32_t i = 0; i < count; i++) {
		for (struct operands o = operands_of(l, i); next_operand(&o, &operand);)
			l->first[operand + 2]++;
	}
	for (uint32_t i = 2; i < count + 2; i++)
		l->first[i] += l->first[i - 1];
	l->users = tp_new_array(arena, uint32_t, l->first[count + 1]);
	for (uint32_t i = 0; i < count; i++) {
		for (struct operands o = operands_of(l, i); next_operand(&o, &operand);)
			l->users[l->first[operand + 1]++] = i;
	}
	return l;
}

struct tp_hlo_list
tp_hlo_users(const struct tp_hlo_links *l, uint32_t instruction)
{
	uint32_t first = l->first[instruction];

	return (struct tp_hlo_list){l->users + first, l->first[instruction + 1] - first};
}

struct met {
	uint32_t instruction;
	int64_t weight;
};

struct gathering {
	struct tp_hlo_links *links;
	const struct tp_hlo_near_wish *wish;
	struct tp_hlo_near *out;
	struct tp_buf met; /* of struct met: all but the one in the middle */
};

static void
meet(struct gathering *g, uint32_t instruction)
{
	if (g->links->node[instruction] != NO_NODE)
		return;
	g->links->node[instruction] = MET;
	TP_PUSH(&g->met, struct met, instruction, g->wish->weight[instruction]);
}

TP_ORDER(heavier_first, struct met, TP_DOWN(weight), TP_UP(instruction));

static void
add_node(struct gathering *g, uint32_t instruction, int distance)
{
	g->links->node[instruction] = MET;
	g->out->nodes[g->out->node_count++] =
		(struct tp_hlo_near_node){.instruction = instruction, .distance = distance};
}

/* Takes a step from nodes first … last: to what they read, or to what reads them; at most `room` nodes come of it. */
static size_t
step(struct gathering *g, size_t first, size_t last, int distance, size_t room)
{
	size_t met = g->met.count;
	uint32_t operand;

	for (size_t n = first; n < last; n++) {
		uint32_t from = g->out->nodes[n].instruction;
		struct tp_hlo_list users = tp_hlo_users(g->links, from);

		if (distance < 0) {
			for (struct operands o = operands_of(g->links, from); next_operand(&o, &operand);)
				meet(g, operand);
		}
		for (uint32_t u = 0; distance > 0 && u < users.count; u++)
			meet(g, users.at[u]);
	}
	size_t count = g->met.count - met;

	if (count == 0)
		return 0;
	struct met *new = (struct met *)g->met.data + met;

	qsort(new, count, sizeof *new, heavier_first);
	count = count < room ? count : room;
	for (size_t i = 0; i < count; i++)
		add_node(g, new[i].instruction, distance);
	return count;
}

/* How many nodes there may be in one direction. */
static size_t
room_for(unsigned width)
{
	size_t room = (size_t)TP_HLO_NEAR_A_STEP * width;

	return room < TP_HLO_NEAR_MOST ? room : TP_HLO_NEAR_MOST;
}

/* All steps in one direction. A step leaves a third of the room to those after it. */
static void
walk(struct gathering *g, int direction)
{
	size_t room = room_for(g->wish->width);
	size_t first = 0, last = 1;

	for (unsigned d = 1; d <= g->wish->width && first < last; d++) {
		size_t share = d < g->wish->width ? room - room / 3 : room;

		size_t start = g->out->node_count;

		room -= step(g, first, last, direction * (int)d, share);
		first = start;
		last = g->out->node_count;
	}
}

TP_ORDER(by_distance, struct tp_hlo_near_node, TP_UP(distance), TP_UP(instruction));

/* Edges between nodes; what leads elsewhere is counted. */
static void
link_nodes(struct gathering *g, struct tp_arena *arena)
{
	struct tp_hlo_near *out = g->out;
	uint32_t operand;

	out->edges = tp_new_array(arena, struct tp_hlo_near_edge, out->node_count * out->node_count);
	for (uint32_t n = 0; n < out->node_count; n++) {
		struct tp_hlo_near_node *node = &out->nodes[n];

		node->users_left_out += tp_hlo_users(g->links, node->instruction).count;
		g->links->node[node->instruction] = n;
	}
	for (uint32_t n = 0; n < out->node_count; n++) {
		struct tp_hlo_near_node *node = &out->nodes[n];

		for (struct operands o = operands_of(g->links, node->instruction);
			 next_operand(&o, &operand);) {
			uint32_t from = g->links->node[operand];

			if (from >= MET) {
				node->operands_left_out++;
				continue;
			}
			out->nodes[from].users_left_out--;
			out->edges[out->edge_count++] = (struct tp_hlo_near_edge){from, n};
		}
	}
}

struct tp_hlo_near
tp_hlo_near(struct tp_hlo_links *links, const struct tp_hlo_near_wish *wish, struct tp_arena *arena)
{
	struct tp_hlo_near out = {.node_count = 0};
	struct gathering g = {.links = links, .wish = wish, .out = &out};

	out.nodes = tp_new_array(arena, struct tp_hlo_near_node, 1 + 2 * room_for(wish->width));
	add_node(&g, wish->instruction, 0);
	walk(&g, -1);
	walk(&g, 1);
	qsort(out.nodes, out.node_count, sizeof *out.nodes, by_distance);
	link_nodes(&g, arena);
	links->node[wish->instruction] = NO_NODE;
	for (size_t i = 0; i < g.met.count; i++)
		links->node[((struct met *)g.met.data)[i].instruction] = NO_NODE;
	tp_buf_free(&g.met);
	return out;
}

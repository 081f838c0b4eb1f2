/* Reading the nodes of a dump of tfprof, and putting them in the order of their names. */
#include "model/tfprof.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"
#include "codec/pb_field.h"
#include "model/tfprof_fields.h"
#include "model/tfprof_reading.h"

#include <stdlib.h>

void
tp_tfprof_add(struct tp_tfprof_figures *sum, const struct tp_tfprof_figures *more)
{
	for (unsigned i = 0; i < TP_TFPROF_FIGURES; i++)
		sum->of[i] = tp_tfprof_plus(sum->of[i], more->of[i]);
}

struct tp_tfprof_node
tp_tfprof_read_node(struct tp_slice message)
{
	struct tp_tfprof_node node = {.message = message};
	struct tp_pb p = tp_pb_open(message);

	while (tp_pb_next(&p)) {
		if (p.field == TP_NODE_ID && p.type == TP_PB_VARINT)
			node.id = (int64_t)p.number;
		if (p.type != TP_PB_BYTES)
			continue;
		if (p.field == TP_NODE_NAME)
			node.name = p.bytes;
		else if (p.field == TP_NODE_OP)
			node.op = p.bytes;
		else if (p.field == TP_NODE_DEVICE)
			node.device = p.bytes;
	}
	return node;
}

/* Of nodes with one name the first made stays, as in tfprof. */
TP_ORDER(by_name, struct tp_tfprof_node, tp_slice_cmp(a->name, b->name), TP_UP(id));

static void
keep_nodes(struct tp_tfprof *t, struct tp_buf *nodes, struct tp_arena *arena)
{
	struct tp_tfprof_node *node = nodes->data;
	size_t kept = 0;

	if (nodes->count != 0)
		qsort(node, nodes->count, sizeof *node, by_name);
	for (size_t i = 0; i < nodes->count; i++) {
		if (kept != 0 && tp_slice_eq(node[kept - 1].name, node[i].name)) {
			t->lost++;
			continue;
		}
		node[kept++] = node[i];
	}
	t->node_count = (uint32_t)kept;
	/* Many nodes are not copied: there may be little room beside the dump. */
	t->nodes = tp_buf_give(nodes, kept, sizeof *node, arena);
	tp_buf_free(nodes);
}

static int
by_id(const void *left, const void *right, void *with)
{
	const struct tp_tfprof_node *nodes = with;
	int64_t a = nodes[*(const uint32_t *)left].id, b = nodes[*(const uint32_t *)right].id;

	return (a > b) - (a < b);
}

static void
number_nodes(struct tp_tfprof *t, struct tp_arena *arena)
{
	t->by_id = tp_new_array(arena, uint32_t, t->node_count);
	for (uint32_t i = 0; i < t->node_count; i++)
		t->by_id[i] = i;
	if (t->node_count != 0)
		qsort_r(t->by_id, t->node_count, sizeof *t->by_id, by_id, t->nodes);
}

uint32_t
tp_tfprof_find_id(const struct tp_tfprof *t, int64_t id)
{
	size_t i = TP_FIRST_WHERE(at, t->node_count, t->nodes[t->by_id[at]].id >= id);

	return i < t->node_count && t->nodes[t->by_id[i]].id == id ? t->by_id[i] : TP_MAP_NONE;
}

static int
by_number(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

void
tp_tfprof_order_steps(struct tp_buf *steps)
{
	int64_t *step = steps->data;
	size_t kept = 0;

	if (steps->count != 0)
		qsort(step, steps->count, sizeof *step, by_number);
	for (size_t i = 0; i < steps->count; i++) {
		if (kept == 0 || step[kept - 1] != step[i])
			step[kept++] = step[i];
	}
	steps->count = kept;
}

static void
keep_steps(struct tp_tfprof *t, struct tp_buf *steps, struct tp_arena *arena)
{
	tp_tfprof_order_steps(steps);
	t->step_count = (uint32_t)steps->count;
	t->steps = tp_buf_settle(steps, sizeof *t->steps, arena);
}

static void
keep_text(struct tp_tfprof *t, struct tp_buf *texts, struct tp_slice entry)
{
	uint64_t key, number;
	struct tp_slice text = tp_tfprof_entry(entry, &key, &number);

	tp_map_put(&t->number, key, (uint32_t)texts->count);
	*tp_buf_new(texts, struct tp_slice) = text;
}

static void
add_node(struct tp_tfprof *t, const struct tp_pb *p, struct tp_buf *nodes)
{
	uint64_t key, number;
	struct tp_tfprof_node node = tp_tfprof_read_node(tp_tfprof_entry(p->bytes, &key, &number));

	/* Of one that the file ends in, figures may be missing. */
	if (p->state == TP_PB_TRUNCATED || node.name.len == 0 || nodes->count >= TP_TFPROF_MOST_NODES)
		t->lost++;
	else
		*tp_buf_new(nodes, struct tp_tfprof_node) = node;
}

void
tp_tfprof_take_field(struct tp_tfprof *t, const struct tp_pb *p, struct tp_buf *steps)
{
	if (p->field == TP_PROFILE_TRACE && p->type == TP_PB_VARINT)
		t->has_trace = p->number != 0;
	else if (p->field == TP_PROFILE_MISSES && p->type == TP_PB_VARINT)
		t->misses_stream = p->number != 0;
	if (p->field != TP_PROFILE_STEP)
		return;
	struct tp_pb_list list = tp_pb_list_of(p);

	for (uint64_t step; tp_pb_list_next(&list, &step);)
		*tp_buf_new(steps, int64_t) = (int64_t)step;
}

enum tp_status
tp_tfprof_end(struct tp_tfprof *t, struct tp_buf *steps, bool empty, struct tp_arena *arena,
	struct tp_err *err)
{
	keep_steps(t, steps, arena);
	if (t->node_count != 0)
		return TP_OK;
	return tp_fail(err, TP_ERR_FORMAT, "%s",
		empty ? "the file is empty" : "not a tfprof dump: it holds no named nodes");
}

enum tp_status
tp_tfprof_read(
	struct tp_slice bytes, struct tp_arena *arena, struct tp_tfprof *t, struct tp_err *err)
{
	struct tp_buf nodes = {0}, steps = {0}, texts = {0};
	struct tp_pb p = tp_pb_open(bytes);

	tp_map_init(&t->number, arena);
	while (tp_pb_next(&p)) {
		if (p.field == TP_PROFILE_NODE && p.type == TP_PB_BYTES)
			add_node(t, &p, &nodes);
		else if (p.field == TP_PROFILE_TEXT && p.type == TP_PB_BYTES)
			keep_text(t, &texts, p.bytes);
		else
			tp_tfprof_take_field(t, &p, &steps);
	}
	keep_nodes(t, &nodes, arena);
	number_nodes(t, arena);
	t->texts = tp_buf_settle(&texts, sizeof *t->texts, arena);
	return tp_tfprof_end(t, &steps, bytes.len == 0, arena, err);
}

/* What Lightning's PyTorchProfiler records: "[pl][profile]<action>" around each hook, "[pl][module]<type>: <dotted.name>" around
 * each call of a module; up to torch 1.11 they are operators, later user annotations. And containers (a ModuleList), which are
 * never called: the dotted names of their parts tell of them.
 * Source: lightning/pytorch/profilers/pytorch.py (_PROFILER_PREFIX, RegisterRecordFunction). */
#include "analyze/torch/modules/torch_modules.h"

#include "analyze/facts/op_times.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "model/profile.h"

static const struct tp_slice hook_prefix = TP_S("[pl][profile]"),
							 module_prefix = TP_S("[pl][module]");

/* "torch.nn.modules.linear.Linear: enc.0" as "enc.0: Linear". */
static struct tp_slice
module_name(struct tp_slice name, struct tp_arena *keep)
{
	const char *colon = memchr(name.ptr, ':', name.len);
	size_t at = colon == NULL ? name.len : (size_t)(colon - name.ptr);
	struct tp_slice type = {name.ptr, at};
	const char *dot = memrchr(type.ptr, '.', type.len);

	if (at + 2 >= name.len || name.ptr[at + 1] != ' ')
		return name;
	if (dot != NULL)
		type = tp_slice_from(type, (size_t)(dot - type.ptr) + 1);
	return tp_arena_printf(keep, "%.*s: %.*s", TP_ARG(tp_slice_from(name, at + 2)), TP_ARG(type));
}

struct tp_torch_lightning
tp_torch_lightning(const struct tp_profile *p, struct tp_arena *keep, struct tp_arena *scratch)
{
	struct tp_torch_lightning l = {
		.marks = tp_new_array(scratch, bool, p->op_count),
		.modules = tp_new_array(scratch, uint32_t, p->op_count),
		.hooks = tp_new_array(scratch, uint32_t, p->op_count),
	};

	for (uint32_t i = 0; i < p->op_count; i++) {
		l.module_count += tp_slice_starts(p->ops[i].label, module_prefix);
		l.hook_count += tp_slice_starts(p->ops[i].label, hook_prefix);
	}
	l.module_names = tp_new_array(scratch, struct tp_slice, l.module_count + 1);
	l.hook_names = tp_new_array(scratch, struct tp_slice, l.hook_count + 1);
	l.module_count = l.hook_count = 0;
	for (uint32_t i = 0; i < p->op_count; i++) {
		struct tp_slice name = p->ops[i].label;

		l.marks[i] = tp_slice_starts(name, module_prefix) || tp_slice_starts(name, hook_prefix);
		if (tp_slice_starts(name, module_prefix)) {
			l.modules[i] = ++l.module_count;
			l.module_names[l.module_count] =
				module_name(tp_slice_from(name, module_prefix.len), keep);
		} else if (tp_slice_starts(name, hook_prefix)) {
			l.hooks[i] = ++l.hook_count;
			l.hook_names[l.hook_count] = tp_slice_from(name, hook_prefix.len);
		}
	}
	return l;
}

struct inserting {
	const struct tp_torch_tree *tree;
	struct tp_buf nodes;      /* of struct tp_torch_node: containers, and nodes of the tree */
	struct tp_map containers; /* by the node around and the dotted name */
	uint32_t deepest;         /* of the tree */
};

static struct tp_torch_node *
node_at(struct inserting *in, uint32_t node)
{
	return (struct tp_torch_node *)in->nodes.data + node;
}

static uint32_t
add(struct inserting *in, const struct tp_torch_node *node, uint32_t parent)
{
	struct tp_torch_node *n = tp_buf_add(&in->nodes, sizeof *n);

	*n = *node;
	n->parent = parent;
	n->depth = parent == TP_NONE ? 0 : node_at(in, parent)->depth + 1;
	return (uint32_t)in->nodes.count - 1;
}

/* "enc.0" of "enc.0: Linear". */
static struct tp_slice
dotted(struct tp_slice name)
{
	const char *colon = memchr(name.ptr, ':', name.len);

	return (struct tp_slice){name.ptr, colon == NULL ? name.len : (size_t)(colon - name.ptr)};
}

/* The node that a node goes into: `parent`, or the innermost container between them. */
static uint32_t
container_of(
	struct inserting *in, const struct tp_torch_node *node, uint32_t parent, struct tp_slice around)
{
	struct tp_slice name = dotted(node->name);
	size_t from = around.len != 0 ? around.len + 1 : 0;

	if (around.len != 0 &&
		(name.len <= from || !tp_slice_starts(name, around) || name.ptr[around.len] != '.'))
		return parent;
	for (size_t i = from; i < name.len; i++) {
		if (name.ptr[i] != '.' || i == from)
			continue;
		uint32_t depth = parent == TP_NONE ? 0 : node_at(in, parent)->depth + 1;
		struct tp_torch_node container = {.name = {name.ptr, i}};
		uint64_t key = tp_hash_pair(parent, tp_hash_bytes(container.name));
		uint32_t known = tp_map_get(&in->containers, key);

		if (known == TP_MAP_NONE) {
			/* Room must be left for all that may be below. */
			if (depth + 1 + in->deepest - node->depth >= TP_TORCH_TREE_DEEPEST)
				return parent;
			known = add(in, &container, parent);
			tp_map_put(&in->containers, key, known);
		}
		parent = known;
	}
	return parent;
}

/* A container took what its parts took. */
static void
sum_up(struct tp_torch_tree *tree)
{
	for (uint32_t i = tree->count; i-- > 0;) {
		const struct tp_torch_node *n = &tree->nodes[i];
		struct tp_torch_node *in = n->parent == TP_NONE ? NULL : &tree->nodes[n->parent];

		if (in == NULL || in->calls != 0)
			continue;
		in->host_ps = in->nested_ps = tp_add_ps(in->host_ps, n->host_ps);
		in->device_ps = tp_add_ps(in->device_ps, n->device_ps);
		in->backward_ps = tp_add_ps(in->backward_ps, n->backward_ps);
		in->backward_device_ps = tp_add_ps(in->backward_device_ps, n->backward_device_ps);
	}
}

void
tp_torch_containers(struct tp_torch_tree *tree, struct tp_arena *keep, struct tp_arena *scratch)
{
	struct inserting in = {.tree = tree};
	uint32_t *now = tp_new_array(scratch, uint32_t, tree->count);

	tp_map_init(&in.containers, scratch);
	for (uint32_t i = 0; i < tree->count; i++)
		in.deepest = tree->nodes[i].depth > in.deepest ? tree->nodes[i].depth : in.deepest;
	for (uint32_t i = 0; i < tree->count; i++) {
		const struct tp_torch_node *n = &tree->nodes[i];
		uint32_t parent = n->parent == TP_NONE ? TP_NONE : now[n->parent];
		struct tp_slice around =
			n->parent == TP_NONE ? TP_S("") : dotted(tree->nodes[n->parent].name);

		now[i] = add(&in, n, container_of(&in, n, parent, around));
	}
	if (in.nodes.count != tree->count) {
		tree->count = (uint32_t)in.nodes.count;
		tree->nodes = tp_buf_settle(&in.nodes, sizeof *tree->nodes, keep);
		sum_up(tree);
		tp_torch_tree_order(tree, keep);
	}
	tp_buf_free(&in.nodes);
}

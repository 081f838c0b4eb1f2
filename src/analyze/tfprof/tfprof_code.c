/* The code view: nodes by the call stacks in which they were made. Those of gradients stand below the line of the node that they
 * are the gradient of, in a tree of their own. */
#include "analyze/tfprof/tfprof_options.h"
#include "analyze/tfprof/tfprof_tree.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"

#include <stdlib.h>

struct line {
	uint32_t parent;
	struct tp_tfprof_row row;
};

struct placed {
	uint32_t line, node;
};

struct code {
	const struct tp_tfprof *tfprof;
	struct tp_arena *scratch, *texts; /* labels are shown as names of rows */
	struct tp_strings labels;
	struct tp_map label_of; /* frame, gradient → label: they are met by the million */
	struct tp_map line_of;  /* parent and label → line */
	struct tp_buf lines, placed, gradients;
};

struct gradient {
	struct tp_slice forward;
	uint32_t node;
};

/* "train.py:17:build_conv": no more than 17 bytes of a long name. */
static struct tp_slice
label_text(struct code *c, const struct tp_tfprof_frame *f, bool gradient)
{
	const char *slash = memrchr(f->file.ptr, '/', f->file.len);
	struct tp_slice file =
		slash != NULL ? tp_slice_from(f->file, (size_t)(slash + 1 - f->file.ptr)) : f->file;
	struct tp_slice function = f->function;
	bool cut = function.len >= 20;

	function.len = cut ? 17 : function.len;
	return tp_arena_printf(c->texts, "%.*s:%d:%.*s%s%s", TP_ARG(file), f->line, TP_ARG(function),
		cut ? "..." : "", gradient ? " (gradient)" : "");
}

static uint32_t
label_of(struct code *c, const struct tp_tfprof_frame *f, bool gradient)
{
	uint64_t key = tp_hash_pair(
		tp_hash_pair(f->file_id, f->function_id), (uint64_t)(uint32_t)f->line << 1 | gradient);
	uint32_t label = tp_map_get(&c->label_of, key);

	if (label == TP_MAP_NONE) {
		label = tp_intern(&c->labels, label_text(c, f, gradient));
		tp_map_put(&c->label_of, key, label);
	}
	return label;
}

static uint32_t
line_below(struct code *c, uint32_t parent, const struct tp_tfprof_frame *f, bool gradient)
{
	uint32_t label = label_of(c, f, gradient);
	uint64_t key = (uint64_t)parent << 32 | label;
	uint32_t line = tp_map_get(&c->line_of, key);

	if (line != TP_MAP_NONE)
		return line;
	line = (uint32_t)c->lines.count;
	tp_map_put(&c->line_of, key, line);
	*tp_buf_new(&c->lines, struct line) = (struct line){
		.parent = parent,
		.row = {.name = c->labels.text[label],
			.node = TP_MAP_NONE,
			.frame = *f,
			.gradient = gradient},
	};
	return line;
}

/* The line of the innermost frame of a node; TP_MAP_NONE: nobody knows where it was made. */
static uint32_t
line_of_node(struct code *c, const struct tp_tfprof_node *node, bool gradient)
{
	struct tp_tfprof_frames frames = tp_tfprof_frames(c->tfprof, node);
	struct tp_tfprof_frame frame;
	uint32_t line = TP_MAP_NONE - 1;
	bool any = false;

	for (; tp_tfprof_next_frame(&frames, &frame); any = true)
		line = line_below(c, line, &frame, gradient);
	return any ? line : TP_MAP_NONE;
}

/* "conv1/Conv2D" of ".../gradients/conv1/Conv2D_grad/...". */
static bool
is_gradient(struct tp_slice name, struct tp_slice *forward)
{
	const struct tp_slice before = TP_S("gradients/"), behind = TP_S("_grad/");
	const char *from = memmem(name.ptr, name.len, before.ptr, before.len);
	const char *to = memmem(name.ptr, name.len, behind.ptr, behind.len);

	if (from == NULL || to == NULL)
		return false;
	from += before.len;
	/* As the original has it: where the end stands before the start, all that follows is the name. */
	*forward = (struct tp_slice){from, (size_t)((to < from ? name.ptr + name.len : to) - from)};
	return to != from;
}

static bool
has_stack(const struct tp_tfprof *t, const struct tp_tfprof_node *node)
{
	struct tp_tfprof_frames frames = tp_tfprof_frames(t, node);
	struct tp_tfprof_frame frame;

	return tp_tfprof_next_frame(&frames, &frame);
}

TP_ORDER(by_forward, struct gradient, tp_slice_cmp(a->forward, b->forward), TP_UP(node));

/* The node of this name, made in code that is known and no gradient itself. */
static const struct tp_tfprof_node *
forward_node(const struct code *c, struct tp_slice name)
{
	const struct tp_tfprof *t = c->tfprof;
	size_t i = TP_FIRST_WHERE(at, t->node_count, tp_slice_cmp(t->nodes[at].name, name) >= 0);
	struct tp_slice forward;

	if (i == t->node_count || !tp_slice_eq(t->nodes[i].name, name) || is_gradient(name, &forward) ||
		!has_stack(t, &t->nodes[i]))
		return NULL;
	return &t->nodes[i];
}

static void
place(struct code *c, uint32_t line, uint32_t node)
{
	*tp_buf_new(&c->placed, struct placed) = (struct placed){line, node};
}

static uint32_t
place_gradients(struct code *c)
{
	struct gradient *g = c->gradients.data;
	uint32_t line = TP_MAP_NONE, unaccounted = 0;

	if (c->gradients.count != 0)
		qsort(g, c->gradients.count, sizeof *g, by_forward);
	for (size_t i = 0; i < c->gradients.count; i++) {
		if (i == 0 || !tp_slice_eq(g[i].forward, g[i - 1].forward)) {
			const struct tp_tfprof_node *forward = forward_node(c, g[i].forward);

			line = forward != NULL ? line_of_node(c, forward, true) : TP_MAP_NONE;
			unaccounted += line == TP_MAP_NONE;
		}
		if (line != TP_MAP_NONE)
			place(c, line, g[i].node);
	}
	return unaccounted;
}

static uint32_t
place_all(struct code *c)
{
	struct tp_slice forward;

	for (uint32_t i = 0; i < c->tfprof->node_count; i++) {
		const struct tp_tfprof_node *node = &c->tfprof->nodes[i];

		if (is_gradient(node->name, &forward)) {
			if (has_stack(c->tfprof, node))
				*tp_buf_new(&c->gradients, struct gradient) = (struct gradient){forward, i};
			continue;
		}
		uint32_t line = line_of_node(c, node, false);

		if (line != TP_MAP_NONE)
			place(c, line, i);
	}
	return place_gradients(c);
}

TP_ORDER(by_line, struct placed, TP_UP(line), TP_UP(node));

/* The rows of all lines, each with the nodes that were made there. */
static void
group(struct code *c, struct tp_tfprof_options *o, struct tp_tfprof_row *rows, uint32_t *members)
{
	struct placed *p = c->placed.data;
	size_t count = c->placed.count, at = 0;
	uint32_t *nodes = tp_new_array(c->scratch, uint32_t, count), kept = 0;

	if (count != 0)
		qsort(p, count, sizeof *p, by_line);
	for (size_t i = 0; i < count; i++)
		nodes[i] = p[i].node;
	for (uint32_t i = 0; i < c->lines.count; i++) {
		size_t from = at;

		while (at < count && p[at].line == i)
			at++;
		tp_tfprof_group(
			c->tfprof, o, nodes + from, (uint32_t)(at - from), &rows[i], members, &kept);
	}
}

void
tp_tfprof_code_tree(const struct tp_tfprof *t, struct tp_tfprof_options *o,
	struct tp_arena *scratch, struct tp_arena *arena, struct tp_tfprof_tree *tree,
	struct tp_tfprof_view *view)
{
	struct code c = {.tfprof = t, .scratch = scratch, .texts = arena};

	tp_strings_init(&c.labels, arena);
	tp_map_init(&c.label_of, scratch);
	tp_map_init(&c.line_of, scratch);
	view->unaccounted = place_all(&c);
	uint32_t count = (uint32_t)c.lines.count;
	struct tp_tfprof_row *rows = tp_new_array(arena, struct tp_tfprof_row, (size_t)count + 1);
	uint32_t *parent = tp_new_array(scratch, uint32_t, (size_t)count + 1);
	const struct line *lines = c.lines.data;

	for (uint32_t i = 0; i < count; i++) {
		rows[i] = lines[i].row;
		rows[i].line = i;
		parent[i] = lines[i].parent == TP_MAP_NONE - 1 ? count : lines[i].parent;
	}
	view->members = tp_new_array(arena, uint32_t, c.placed.count);
	group(&c, o, rows, view->members);
	parent[count] = TP_MAP_NONE;
	rows[count++] = (struct tp_tfprof_row){.name = TP_S(TP_TFPROF_ROOT), .node = TP_MAP_NONE};
	*tree = (struct tp_tfprof_tree){
		.rows = rows,
		.count = count,
		.cuts_trimmed = true,
		.by_totals = true,
		.ignores_runs = true,
		.occurrences = true,
	};
	tp_tfprof_children(tree, parent, arena);
	tp_buf_free(&c.lines);
	tp_buf_free(&c.placed);
	tp_buf_free(&c.gradients);
}

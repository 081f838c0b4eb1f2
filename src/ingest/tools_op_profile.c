/* The reader of op_profile.json and .pb, the tree behind the profiler's page on operations (Profile of op_profile.proto): by
 * category, by program or by provenance, each with and without idle time. All hold the same operations. */
#include "base/arena.h"
#include "base/buf.h"
#include "base/number.h"
#include "base/texts.h"
#include "ingest/reader.h"
#include "ingest/tools.h"
#include "ingest/tools_op_node.h"
#include "model/build.h"

#include <math.h>

/* Trees by program leave out the fewest operations; the oldest files have one by category alone. */
enum { TREES = 6 };
static const struct {
	const char *key;
	uint32_t field;
	bool by_program;
} trees[TREES] = {
	{"byProgramExcludeIdle", 7, true},
	{"byProvenanceExcludeIdle", 9, true},
	{"byCategoryExcludeIdle", 6, false},
	{"byProgram", 4, true},
	{"byProvenance", 8, true},
	{"byCategory", 1, false},
};

/* A file, as JSON or as a message: where its trees lie. */
struct file {
	struct tp_tool_file *f;
	const json_t *json[TREES];
	struct tp_slice message[TREES];
	struct tp_slice device_type; /* "TPU" */
};

enum { MOST_PARTS = 64 };

/* The operations of a tree. Below programs, categories or provenance there are groups of duplicates, operations, and what those were
 * fused from. */
struct reading {
	struct tp_arena *keep;
	struct tp_map programs; /* id → index in names */
	struct tp_buf names;
	struct tp_buf ops; /* of struct tp_precomputed_op */
	double root_ps, idle_ps;
};

/* "jit_f" and 12 of "jit_f(12)"; false, and neither is touched, where a name is no such. */
static bool
program_of(struct tp_slice name, struct tp_slice *program, uint64_t *id)
{
	const char *open = name.len != 0 ? memrchr(name.ptr, '(', name.len) : NULL;
	uint64_t number = 0;

	if (open == NULL || !tp_slice_ends(name, TP_S(")")))
		return false;
	const char *end = name.ptr + name.len - 1;

	for (const char *c = open + 1; c < end; c++) {
		if (*c < '0' || *c > '9' || __builtin_mul_overflow(number, 10, &number) ||
			__builtin_add_overflow(number, (uint64_t)(*c - '0'), &number))
			return false;
	}
	if (end == open + 1)
		return false;
	*program = (struct tp_slice){name.ptr, (size_t)(open - name.ptr)};
	*id = number;
	return true;
}

static void
note_program(struct reading *r, struct tp_slice name)
{
	struct tp_slice program;
	uint64_t id;

	if (!program_of(name, &program, &id) || tp_map_get(&r->programs, id) != TP_MAP_NONE)
		return;
	tp_map_put(&r->programs, id, (uint32_t)r->names.count);
	*tp_buf_new(&r->names, struct tp_slice) = program;
}

static bool
took_time(const struct tp_op_node *n)
{
	return n->time_ps > 0 || n->share > 0;
}

static bool
is_idle(const struct tp_op_node *n)
{
	return tp_slice_eq(n->name, TP_S("IDLE")) && n->expression.len == 0;
}

/* Operations that the compiler made one from the other stand below a node of the first one's name. What an operation was fused
 * from has no time. */
static bool
holds_operations(const struct tp_op_node *n)
{
	for (const struct tp_op_node *c = n->first; c != NULL; c = c->next) {
		if (c->is_op && took_time(c))
			return true;
	}
	return false;
}

static const struct tp_precomputed_fused *
parts_of(struct reading *r, const struct tp_op_node *n, size_t *count)
{
	*count = 0;
	for (const struct tp_op_node *c = n->first; c != NULL && *count < MOST_PARTS; c = c->next)
		(*count)++;
	struct tp_precomputed_fused *parts = tp_new_array(r->keep, struct tp_precomputed_fused, *count);
	const struct tp_op_node *c = n->first;

	for (size_t i = 0; i < *count; i++, c = c->next)
		parts[i] = (struct tp_precomputed_fused){
			.name = c->name,
			.opcode = c->opcode,
			.expression = c->expression,
			.framework = c->provenance,
			.source = c->source,
		};
	return parts;
}

static struct tp_precomputed_op *
add_op(struct reading *r, const struct tp_op_node *n)
{
	struct tp_precomputed_op *op = tp_buf_add(&r->ops, sizeof *op);

	*op = tp_tool_no_op();
	op->name = n->name;
	op->share = n->share <= 1 ? n->share : NAN;
	op->self_us = n->time_ps / 1e6;
	op->occurrences = n->occurrences;
	op->flops = n->flops;
	op->bytes = n->bytes;
	if (n->time_ps > 0 && isfinite(n->flops))
		op->flop_per_s = n->flops * 1e12 / n->time_ps;
	if (n->time_ps > 0 && isfinite(n->bytes))
		op->bytes_per_s = n->bytes * 1e12 / n->time_ps;
	/* Of the peak over all the run's time; in older files that is 1. */
	op->flops_use = n->time_ps > 0 ? n->flops_share * r->root_ps / n->time_ps : NAN;
	if (!(n->time_ps > 0) && n->share > 0)
		op->flops_use = n->flops_share / n->share;
	op->hbm_use = n->hbm_use;
	return op;
}

static void
name_program(struct reading *r, struct tp_precomputed_op *op, uint64_t id, struct tp_slice above)
{
	uint32_t at = id != 0 ? tp_map_get(&r->programs, id) : TP_MAP_NONE;

	op->program_id = id;
	op->has_program = id != 0;
	if (at != TP_MAP_NONE)
		op->program = ((struct tp_slice *)r->names.data)[at];
	else if (program_of(above, &op->program, &op->program_id))
		op->has_program = true;
}

/* "fusion.1" of "fusion.1 and its duplicate(s)". */
static struct tp_slice
original(const struct tp_op_node *group)
{
	static const char more[] = " and its duplicate(s)";
	struct tp_slice name = group->name;

	if (tp_slice_ends(name, tp_slice_of(more)))
		name.len -= strlen(more);
	return name;
}

static void
take_op(struct reading *r, const struct tp_op_node *n, const struct tp_op_node *group,
	struct tp_slice program, struct tp_slice category)
{
	struct tp_precomputed_op *op = add_op(r, n);

	op->category = n->category.len != 0 ? n->category : category;
	op->opcode = n->opcode;
	op->expression = n->expression;
	op->framework = n->provenance;
	op->source = n->source;
	op->duplicates = group != NULL ? original(group) : TP_S("");
	op->dims = n->dims;
	op->dim_count = n->dim_count;
	op->parts = parts_of(r, n, &op->part_count);
	name_program(r, op, n->program_id, program);
}

/* What the profiler left out of the file counts in the group that it was left out of. */
static void
take_rest(struct reading *r, const struct tp_op_node *group, struct tp_slice program,
	struct tp_slice category)
{
	struct tp_op_node rest = {.time_ps = group->time_ps,
		.share = NAN,
		.flops_share = group->flops_share,
		.flops = group->flops,
		.hbm_use = NAN,
		.bytes = group->bytes};
	uint64_t there = 0, occurrences = 0;

	for (const struct tp_op_node *c = group->first; c != NULL; c = c->next) {
		there++;
		occurrences += c->occurrences;
		rest.time_ps -= c->time_ps;
		rest.flops_share -= c->flops_share;
		rest.flops -= c->flops;
		rest.bytes -= c->bytes;
	}
	if (group->all_children <= there || !(rest.time_ps > 0))
		return;
	rest.name = tp_arena_printf(
		r->keep, "%llu more, not in the file", (unsigned long long)(group->all_children - there));
	rest.flops_share = tp_op_not_negative(rest.flops_share);
	rest.flops = tp_op_not_negative(rest.flops);
	rest.bytes = tp_op_not_negative(rest.bytes);
	rest.occurrences = group->occurrences > occurrences ? group->occurrences - occurrences : 0;
	struct tp_precomputed_op *op = add_op(r, &rest);

	op->left_out = true;
	op->duplicates = group->is_op ? original(group) : TP_S("");
	op->category = category;
	name_program(r, op, group->first != NULL ? group->first->program_id : 0, program);
}

/* above: the group of equal operations that the node is one of; NULL: none. */
static void
collect(struct reading *r, const struct tp_op_node *n, const struct tp_op_node *above,
	struct tp_slice program, unsigned depth)
{
	bool group = holds_operations(n);

	if (is_idle(n))
		return;
	if (n->is_op && n->has_metrics && !group) {
		if (took_time(n))
			take_op(r, n, above, program, above != NULL ? above->category : TP_S(""));
		return;
	}
	if (depth == 1)
		program = n->name;
	for (const struct tp_op_node *c = n->first; c != NULL; c = c->next)
		collect(r, c, n->is_op ? n : NULL, program, depth + 1);
	if (group)
		take_rest(r, n, program, n->is_op ? n->category : n->name);
}

/* The names of its programs, where it is by program, and the time without any operation. */
static void
note(struct reading *r, const struct tp_op_node *root, bool by_program)
{
	for (const struct tp_op_node *c = root != NULL ? root->first : NULL; c != NULL; c = c->next) {
		if (by_program)
			note_program(r, c->name);
		r->idle_ps = is_idle(c) ? c->time_ps : r->idle_ps;
	}
}

static void
collect_ops(struct reading *r, const struct tp_op_node *root)
{
	if (root == NULL)
		return;
	r->root_ps = root->time_ps;
	collect(r, root, NULL, TP_S(""), 0);
}

static void
fill_shares(struct reading *r)
{
	struct tp_precomputed_op *ops = r->ops.data;
	double sum = 0;

	for (size_t i = 0; i < r->ops.count; i++)
		sum += isfinite(ops[i].self_us) ? ops[i].self_us : 0;
	for (size_t i = 0; i < r->ops.count; i++) {
		if (isfinite(ops[i].self_us) && sum > 0 && isfinite(sum))
			ops[i].share = ops[i].self_us / sum;
	}
}

static struct tp_op_node *
read_tree(const struct file *file, size_t tree, struct tp_op_nodes *nodes)
{
	if (file->json[tree] != NULL)
		return tp_op_node_json(nodes, file->json[tree]);
	return file->message[tree].ptr != NULL ? tp_op_node_pb(nodes, file->message[tree]) : NULL;
}

static void
say_cut(const struct tp_tool_file *f, size_t ops)
{
	tp_built_input(f->out, f->in->input)->partial = true;
	tp_diag_at(&tp_builder_profile(f->out)->diags, TP_DIAG_WARNING, f->in->path, TP_NO_OFFSET,
		"the tree exceeds the limit of %d nodes: %zu %s read", TP_TOOL_MOST_ROWS, ops,
		tp_plural(ops, "operation was", "operations were"));
}

/* What stands right below the roots: names of programs, idle time. */
static void
note_all(const struct file *file, struct reading *r)
{
	for (size_t t = 0; t < TREES; t++) {
		struct tp_op_nodes nodes = {tp_arena_new(), file->f->arena, .deepest = 1};
		const struct tp_op_node *root = read_tree(file, t, &nodes);

		/* In JSON anything might be called so. */
		file->f->empty |=
			root != NULL && root->first == NULL && (root->has_metrics || file->json[t] == NULL);
		note(r, root, trees[t].by_program);
		tp_arena_free(nodes.nodes);
	}
}

/* The operations of the first tree that has any. */
static void
collect_first(const struct file *file, struct reading *r)
{
	for (size_t t = 0; t < TREES && r->ops.count == 0; t++) {
		struct tp_op_nodes nodes = {tp_arena_new(), file->f->arena, .deepest = TP_OP_NODE_DEEPEST};

		collect_ops(r, read_tree(file, t, &nodes));
		if (nodes.cut && r->ops.count != 0)
			say_cut(file->f, r->ops.count);
		tp_arena_free(nodes.nodes);
	}
}

static void
read_file(const struct file *file)
{
	struct tp_arena *scratch = tp_arena_new();
	struct reading r = {.keep = file->f->arena, .idle_ps = NAN};
	struct tp_precomputed *g = file->f->precomputed;

	tp_map_init(&r.programs, scratch);
	note_all(file, &r);
	collect_first(file, &r);
	fill_shares(&r);
	if (g->program_ops.count == 0)
		g->idle_us = r.idle_ps / 1e6;
	tp_tool_take_ops(file->f, &g->program_ops, &r.ops, false);
	if (g->hardware.len == 0) {
		g->hardware = file->device_type;
		g->environment_from = file->f->name;
	}
	tp_buf_free(&r.names);
	tp_arena_free(scratch);
}

static void
op_profile_json(struct tp_tool_file *f, const json_t *root)
{
	struct file file = {
		.f = f, .device_type = tp_json_text(f->arena, json_object_get(root, "deviceType"))};

	for (size_t t = 0; t < TREES; t++)
		file.json[t] = json_object_get(root, trees[t].key);
	read_file(&file);
}

static void
op_profile(struct tp_tool_file *f, struct tp_slice message)
{
	struct file file = {.f = f};
	struct tp_pb p = tp_pb_open(message);

	while (tp_pb_next(&p)) {
		for (size_t t = 0; t < TREES && p.type == TP_PB_BYTES; t++)
			file.message[t] = p.field == trees[t].field ? p.bytes : file.message[t];
		if (p.field == 5 && p.type == TP_PB_BYTES)
			file.device_type = tp_tool_text(f->arena, p.bytes);
	}
	read_file(&file);
	tp_tool_end(f->in, f->out, &p);
}

const struct tp_reader tp_reader_op_profile = {
	.name = "op_profile",
	.summary = "precomputed by a profiler: operations of the compiled programs",
	.suffixes = TP_TEXTS(".op_profile.json", ".op_profile.pb"),
	.marks = TP_TEXTS("\"byProgram", "\"byCategory", "\"byProvenance"),
	.kind = TP_READS_PRECOMPUTED,
	.most_bytes = TP_TOOL_MOST_BYTES,
	.tool = TP_TOOL(.complaint = "not an op profile: it holds no operation with a time",
		.json = op_profile_json, .message = op_profile),
	.read = tp_tool_read,
};

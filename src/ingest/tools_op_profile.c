/* The reader of op_profile.json and .pb, the tree behind the profiler's page on operations (Profile of op_profile.proto): by
 * category, by program or by provenance, each with and without idle time. All hold the same operations. */
#include "base/arena.h"
#include "base/number.h"
#include "ingest/reader.h"
#include "ingest/tools.h"
#include "ingest/tools_op_node.h"
#include "ingest/tools_op_tree.h"
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
		"the tree has more than the %d nodes that are read of one: %zu %s read", TP_TOOL_MOST_ROWS,
		ops, tp_plural(ops, "operation was", "operations were"));
}

/* What stands right below the roots: names of programs, idle time. */
static void
note_all(const struct file *file, struct tp_op_tree_reading *r)
{
	for (size_t t = 0; t < TREES; t++) {
		struct tp_op_nodes nodes = {tp_arena_new(), file->f->arena, .deepest = 1};
		const struct tp_op_node *root = read_tree(file, t, &nodes);

		/* In JSON anything might be called so. */
		file->f->empty |=
			root != NULL && root->first == NULL && (root->has_metrics || file->json[t] == NULL);
		tp_op_tree_note(r, root, trees[t].by_program);
		tp_arena_free(nodes.nodes);
	}
}

/* The operations of the first tree that has any. */
static void
collect(const struct file *file, struct tp_op_tree_reading *r)
{
	for (size_t t = 0; t < TREES && r->ops.count == 0; t++) {
		struct tp_op_nodes nodes = {tp_arena_new(), file->f->arena, .deepest = TP_OP_NODE_DEEPEST};

		tp_op_tree_collect(r, read_tree(file, t, &nodes));
		if (nodes.cut && r->ops.count != 0)
			say_cut(file->f, r->ops.count);
		tp_arena_free(nodes.nodes);
	}
}

static void
read_file(const struct file *file)
{
	struct tp_arena *scratch = tp_arena_new();
	struct tp_op_tree_reading r = {.keep = file->f->arena, .idle_ps = NAN};
	struct tp_precomputed *g = file->f->precomputed;

	tp_map_init(&r.programs, scratch);
	note_all(file, &r);
	collect(file, &r);
	tp_op_tree_fill_shares(&r);
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

static const char *const suffixes[] = {".op_profile.json", ".op_profile.pb", NULL};

static int
probe(const char *name, struct tp_slice head)
{
	static const char *const marks[] = {"\"byProgram", "\"byCategory", "\"byProvenance", NULL};

	return tp_tool_probe(name, head, suffixes, marks);
}

static enum tp_status
read(const struct tp_source *in, struct tp_builder *out, struct tp_err *err)
{
	return tp_tool_read(in, out, "not an op profile: it holds no operation with a time",
		op_profile_json, op_profile, err);
}

const struct tp_reader tp_reader_op_profile = {
	.name = "op_profile",
	.summary = "what a profiler worked out itself: operations of the compiled programs",
	.suffixes = suffixes,
	.probe = probe,
	.kind = TP_READS_PRECOMPUTED,
	.most_bytes = TP_TOOL_MOST_BYTES,
	.read = read,
};

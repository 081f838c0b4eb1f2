/* The reader of tfprof's op logs (tfprof_log, an OpLogProto of tensorflow/core/profiler/tfprof_log.proto): types that the
 * program gave to nodes of a graph beside it, and where it made them. Of the types only the collection of trained variables
 * says more than the graph. */
#include "base/arena.h"
#include "base/path.h"
#include "base/texts.h"
#include "codec/pb_wire.h"
#include "ingest/reader.h"
#include "ingest/tfprof_code.h"
#include "model/build.h"
#include "model/graph.h"

enum {
	LOG_ENTRY = 1,
	LOG_TEXTS = 2,
	ENTRY_NAME = 1,
	ENTRY_FLOPS = 2,
	ENTRY_TYPE = 3,
	ENTRY_CODE = 4
};

struct entry {
	struct tp_slice name, code; /* name: empty in what is no entry */
	bool trained;               /* its types say that it is a variable which is trained */
};

static struct entry
read_entry(struct tp_slice message)
{
	struct tp_pb p = tp_pb_open(message);
	struct entry e = {0};

	while (tp_pb_next(&p)) {
		if (p.field == ENTRY_NAME && p.type == TP_PB_BYTES)
			e.name = p.bytes;
		else if (p.field == ENTRY_TYPE && p.type == TP_PB_BYTES)
			e.trained |= tp_slice_eq(p.bytes, TP_S("_trainable_variables"));
		else if (p.field == ENTRY_CODE && p.type == TP_PB_BYTES)
			e.code = p.bytes;
		else if (p.field > ENTRY_CODE || (p.field == ENTRY_FLOPS && p.type != TP_PB_VARINT) ||
			(p.field != ENTRY_FLOPS && p.type != TP_PB_BYTES))
			return (struct entry){0};
	}
	return p.state == TP_PB_END ? e : (struct entry){0};
}

static void
mark(struct tp_profile *p, struct tp_graph *g, struct tp_slice log)
{
	struct tp_arena *scratch = tp_arena_new();
	struct tp_map nodes;
	struct tp_tfprof_code code = tp_tfprof_code_open(log, LOG_TEXTS, scratch);
	bool known = g->trained_known;

	tp_map_init(&nodes, scratch);
	for (uint32_t i = 0; i < g->main_count; i++)
		tp_map_put(&nodes, g->node[i], i);
	for (struct tp_pb l = tp_pb_open(log); tp_pb_next_bytes(&l, LOG_ENTRY);) {
		struct entry e = read_entry(l.bytes);
		uint32_t node = tp_map_get(&nodes, tp_intern(&p->strings, e.name));

		if (node == TP_MAP_NONE)
			continue;
		if (e.code.len != 0)
			g->source[node] = tp_intern_copy(&p->strings, tp_tfprof_place(&code, e.code));
		if (known || !e.trained || g->elements[node] == TP_GRAPH_NO_VARIABLE)
			continue;
		g->trained[node] = true;
		g->trained_known = true;
	}
	tp_arena_free(scratch);
}

static bool
is_log(struct tp_slice head)
{
	struct tp_pb p = tp_pb_open(head);

	return tp_pb_next(&p) && p.field == LOG_ENTRY && p.type == TP_PB_BYTES &&
		read_entry(p.bytes).name.len != 0;
}

static enum tp_status
read(const struct tp_source *in, struct tp_builder *out, struct tp_err *err)
{
	struct tp_profile *p = tp_builder_profile(out);
	struct tp_slice folder = tp_path_folder(tp_slice_of(in->path));
	bool beside = false;

	if (!is_log(in->bytes))
		return tp_fail_at(err, TP_ERR_FORMAT, in->path, 0, "%s",
			in->bytes.len == 0 ? "the file is empty" : "not a tfprof op log");
	for (struct tp_graph *g = p->graphs; g != NULL; g = g->next) {
		if (!tp_slice_eq(g->folder, folder))
			continue;
		beside = true;
		mark(p, g, in->bytes);
	}
	if (!beside)
		return tp_fail_at(err, TP_ERR_UNSUPPORTED, in->path, TP_NO_OFFSET,
			"a tfprof op log, which only adds to a graph: also give graph.pb or a dump (profile_…) "
			"from the same folder");
	return TP_OK;
}

static int
probe(const char *path, struct tp_slice head)
{
	struct tp_slice name = tp_path_name(tp_slice_of(path));

	if (head.len == 0)
		return tp_slice_eq(name, TP_S("tfprof_log")) ? 70 : 0;
	return is_log(head) ? 50 : 0;
}

const struct tp_reader tp_reader_tfprof_log = {
	.name = "tfprof_log",
	.summary = "tfprof op logs alongside a graph: tfprof_log, which variables are trained, where "
			   "nodes are created",
	.suffixes = TP_TEXTS(NULL),
	.probe = probe,
	.kind = TP_READS_OF_LOG,
	.read = read,
};

/* The reader of tfprof's op logs (tfprof_log, an OpLogProto of tensorflow/core/profiler/tfprof_log.proto): types that the
 * program gave to nodes of a graph beside it. Of these only the collection of trained variables says more than the graph. */
#include "base/arena.h"
#include "base/path.h"
#include "codec/pb_wire.h"
#include "ingest/reader.h"
#include "model/build.h"
#include "model/graph.h"

enum { LOG_ENTRY = 1, ENTRY_NAME = 1, ENTRY_FLOPS = 2, ENTRY_TYPE = 3, ENTRY_CODE = 4 };

/* Of an entry: its name, and whether its types say that it is a variable which is trained. */
static struct tp_slice
read_entry(struct tp_slice message, bool *trained)
{
	struct tp_pb p = tp_pb_open(message);
	struct tp_slice name = TP_S("");

	*trained = false;
	while (tp_pb_next(&p)) {
		if (p.field == ENTRY_NAME && p.type == TP_PB_BYTES)
			name = p.bytes;
		else if (p.field == ENTRY_TYPE && p.type == TP_PB_BYTES)
			*trained |= tp_slice_eq(p.bytes, TP_S("_trainable_variables"));
		else if (p.field > ENTRY_CODE || (p.field == ENTRY_FLOPS && p.type != TP_PB_VARINT) ||
			(p.field != ENTRY_FLOPS && p.type != TP_PB_BYTES))
			return TP_S("");
	}
	return p.state == TP_PB_END ? name : TP_S("");
}

static void
mark(struct tp_profile *p, struct tp_graph *g, struct tp_slice log)
{
	struct tp_arena *scratch = tp_arena_new();
	struct tp_map nodes;
	struct tp_pb l = tp_pb_open(log);

	tp_map_init(&nodes, scratch);
	for (uint32_t i = 0; i < g->main_count; i++) {
		if (g->elements[i] != TP_GRAPH_NO_VARIABLE)
			tp_map_put(&nodes, g->node[i], i);
	}
	while (tp_pb_next(&l)) {
		bool trained;

		if (l.field != LOG_ENTRY || l.type != TP_PB_BYTES)
			continue;
		uint32_t name = tp_intern(&p->strings, read_entry(l.bytes, &trained));
		uint32_t node = trained ? tp_map_get(&nodes, name) : TP_MAP_NONE;

		if (node == TP_MAP_NONE)
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
	bool trained;

	return tp_pb_next(&p) && p.field == LOG_ENTRY && p.type == TP_PB_BYTES &&
		read_entry(p.bytes, &trained).len != 0;
}

static enum tp_status
read(const struct tp_source *in, struct tp_builder *out, struct tp_err *err)
{
	struct tp_profile *p = tp_builder_profile(out);
	struct tp_slice folder = tp_path_folder(tp_slice_of(in->path));
	bool beside = false;

	if (!is_log(in->bytes))
		return tp_fail_at(err, TP_ERR_FORMAT, in->path, 0, "%s",
			in->bytes.len == 0 ? "the file is empty" : "no op log of tfprof");
	for (struct tp_graph *g = p->graphs; g != NULL; g = g->next) {
		if (!tp_slice_eq(g->folder, folder))
			continue;
		beside = true;
		if (!g->trained_known)
			mark(p, g, in->bytes);
	}
	if (!beside)
		return tp_fail_at(err, TP_ERR_UNSUPPORTED, in->path, TP_NO_OFFSET,
			"an op log of tfprof, which only adds to a graph: give graph.pb or a dump (profile_…) "
			"from the same folder with it");
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

static const char *const suffixes[] = {NULL};

const struct tp_reader tp_reader_tfprof_log = {
	.name = "tfprof_log",
	.summary = "op logs of tfprof beside a graph: tfprof_log, which variables are trained",
	.suffixes = suffixes,
	.probe = probe,
	.precomputed = true,
	.of_job = true,
	.of_log = true,
	.read = read,
};

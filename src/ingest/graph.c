/* The reader of graphs on their own: graph.pb and other GraphDef files, MetaGraphDef (*.meta) and saved_model.pb, as TensorFlow
 * programs write them. Known by what they hold, whatever they are called. */
#include "base/arena.h"
#include "base/path.h"
#include "ingest/graph_def.h"
#include "ingest/reader.h"
#include "ingest/tools.h"
#include "model/build.h"

enum { SAVED_GRAPH = 2 };

static const char *const suffixes[] = {
	"graph.pb", "graph_def.pb", "graphdef.pb", "saved_model.pb", ".meta", NULL};

static int
probe(const char *name, struct tp_slice head)
{
	if (tp_graph_message_of(head) != TP_GRAPH_NO_MESSAGE)
		return 60;
	return head.len == 0 ? tp_tool_probe(name, suffixes) : 0;
}

static void
name_graph(struct tp_graph *g, const struct tp_source *in)
{
	g->input = in->input;
	g->name = tp_path_name(tp_slice_of(in->path));
	g->folder = tp_path_folder(tp_slice_of(in->path));
}

static unsigned
read_one(const struct tp_source *in, struct tp_builder *out, enum tp_graph_message kind,
	struct tp_slice message, struct tp_graph_damage *damage)
{
	struct tp_graph_draft d;

	tp_draft_open(&d, out, false);
	if (kind == TP_GRAPH_DEF)
		tp_graph_def_read(&d, message, damage);
	else
		tp_graph_meta_read(&d, message, damage);
	struct tp_graph *g = tp_draft_close(&d, in->path);

	if (g != NULL)
		name_graph(g, in);
	return g != NULL;
}

/* One of a saved model for every set of tags, "serve" and "train" of old. */
static unsigned
read_saved_model(const struct tp_source *in, struct tp_builder *out, struct tp_graph_damage *damage)
{
	struct tp_pb p = tp_pb_open(in->bytes);
	unsigned graphs = 0;

	while (tp_pb_next(&p)) {
		if (p.field == SAVED_GRAPH && p.type == TP_PB_BYTES)
			graphs += read_one(in, out, TP_GRAPH_META, p.bytes, damage);
	}
	if (damage->at == NULL && p.state != TP_PB_END)
		*damage = (struct tp_graph_damage){.at = p.at, .cut = p.state == TP_PB_TRUNCATED};
	return graphs;
}

static enum tp_status
read(const struct tp_source *in, struct tp_builder *out, struct tp_err *err)
{
	enum tp_graph_message kind = tp_graph_message_of(in->bytes);
	struct tp_graph_damage damage = {0};
	unsigned graphs = 0;

	if (kind == TP_GRAPH_SAVED_MODEL)
		graphs = read_saved_model(in, out, &damage);
	else if (kind != TP_GRAPH_NO_MESSAGE)
		graphs = read_one(in, out, kind, in->bytes, &damage);
	if (graphs == 0)
		return tp_fail_at(err, TP_ERR_FORMAT, in->path, 0, "%s",
			in->bytes.len == 0
				? "the file is empty"
				: "no graph of TensorFlow: it holds no node with a name and an operation");
	tp_graph_damage_tell(in, out, &damage);
	return TP_OK;
}

const struct tp_reader tp_reader_graph = {
	.name = "graph",
	.summary = "graphs of TensorFlow: graph.pb and other GraphDef files, *.meta, saved_model.pb",
	.suffixes = suffixes,
	.probe = probe,
	.precomputed = true,
	.of_job = true,
	.of_log = true,
	.read = read,
};

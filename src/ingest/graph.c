/* The reader of graphs on their own: graph.pb and other GraphDef files, MetaGraphDef (*.meta) and saved_model.pb, and all of
 * them as text (*.pbtxt), as TensorFlow programs write them. Known by what they hold, whatever they are called. */
#include "ingest/graph_def.h"

#include "base/arena.h"
#include "ingest/graph_text.h"
#include "ingest/reader.h"
#include "ingest/tools.h"

enum { SAVED_GRAPH = 2 };

static const char *const suffixes[] = {
	"graph.pb", "graph_def.pb", "graphdef.pb", "saved_model.pb", ".pbtxt", ".meta", NULL};

static int
probe(const char *name, struct tp_slice head)
{
	if (head.len == 0)
		return tp_probe_suffixes(name, suffixes);
	if (tp_graph_message_of(head) != TP_GRAPH_NO_MESSAGE)
		return 60;
	return tp_graph_text_of(head) != TP_GRAPH_NO_MESSAGE ? 60 : 0;
}

/* A message, or what was made of a text: then nothing may point into it. */
struct reading {
	const struct tp_source *in;
	struct tp_builder *out;
	bool made;
	struct tp_graph_damage damage;
	unsigned graphs;
};

static void
read_graph(struct reading *r, enum tp_graph_message kind, struct tp_slice message)
{
	struct tp_graph_draft d;

	tp_draft_open(&d, r->out, &(struct tp_graph_place){.in = r->in, .copy = r->made});
	if (kind == TP_GRAPH_DEF)
		tp_graph_def_read(&d, message, &r->damage);
	else
		tp_graph_meta_read(&d, message, &r->damage);
	r->graphs += d.nodes.count != 0;
	tp_draft_close(&d);
}

/* One of a saved model for every set of tags, "serve" and "train" of old. */
static void
read_message(struct reading *r, enum tp_graph_message kind, struct tp_slice message)
{
	struct tp_pb p = tp_pb_open(message);

	if (kind != TP_GRAPH_SAVED_MODEL) {
		read_graph(r, kind, message);
		return;
	}
	while (tp_pb_next(&p)) {
		if (p.field == SAVED_GRAPH && p.type == TP_PB_BYTES)
			read_graph(r, TP_GRAPH_META, p.bytes);
	}
	tp_graph_damage_note(&r->damage, &p);
}

static void
read_text(struct reading *r)
{
	enum tp_graph_message kind = tp_graph_text_of(r->in->bytes);
	struct tp_pb_out wire = {0};
	struct tp_graph_damage of_text = {0};

	if (kind == TP_GRAPH_NO_MESSAGE)
		return;
	tp_graph_text_write(r->in->bytes, kind, &wire, &of_text);
	r->made = true;
	read_message(r, kind, tp_pb_written(&wire));
	tp_pb_out_free(&wire);
	r->damage = of_text;
}

static enum tp_status
read(const struct tp_source *in, struct tp_builder *out, struct tp_err *err)
{
	struct reading r = {.in = in, .out = out};
	enum tp_graph_message kind = tp_graph_message_of(in->bytes);

	if (kind == TP_GRAPH_NO_MESSAGE)
		read_text(&r);
	else
		read_message(&r, kind, in->bytes);
	/* Whoever calls the file a graph may have odd names in it. */
	if (r.graphs == 0 && kind == TP_GRAPH_NO_MESSAGE && !r.made)
		read_message(&r, TP_GRAPH_DEF, in->bytes);
	if (r.graphs == 0)
		return tp_fail_at(err, TP_ERR_FORMAT, in->path, 0, "%s",
			in->bytes.len == 0
				? "the file is empty"
				: "no graph of TensorFlow: it holds no node with a name and an operation");
	tp_graph_damage_tell(in, out, &r.damage);
	return TP_OK;
}

const struct tp_reader tp_reader_graph = {
	.name = "graph",
	.summary = "graphs of TensorFlow: graph.pb and other GraphDef files, *.pbtxt, *.meta, "
			   "saved_model.pb",
	.suffixes = suffixes,
	.probe = probe,
	.kind = TP_READS_OF_LOG,
	.read = read,
};

/* The reader of graphs on their own: graph.pb and other GraphDef files, MetaGraphDef (*.meta) and saved_model.pb, and all of
 * them as text (*.pbtxt), as TensorFlow programs write them. Known by what they hold, whatever they are called. */
#include "ingest/graph_def.h"

#include "base/arena.h"
#include "codec/pb_write.h"
#include "ingest/reader.h"
#include "ingest/text_wire.h"
#include "ingest/tools.h"

#include <stdlib.h>

enum { SAVED_GRAPH = 2 };

TP_WIRE_SCHEMA(dim, false, {"size", 1, TP_WIRE_INTEGER, NULL});
TP_WIRE_SCHEMA(
	shape, false, {"dim", 2, TP_WIRE_MESSAGE, &dim}, {"unknown_rank", 3, TP_WIRE_BOOLEAN, NULL});
TP_WIRE_SCHEMA(named, false, {"name", 1, TP_WIRE_STRING, NULL});
TP_WIRE_SCHEMA(
	list, false, {"shape", 7, TP_WIRE_MESSAGE, &shape}, {"func", 9, TP_WIRE_MESSAGE, &named});
TP_WIRE_SCHEMA(attr_value, false, {"list", 1, TP_WIRE_MESSAGE, &list},
	{"type", 6, TP_WIRE_TYPE, NULL}, {"shape", 7, TP_WIRE_MESSAGE, &shape},
	{"func", 10, TP_WIRE_MESSAGE, &named});
TP_WIRE_SCHEMA(
	attr, false, {"key", 1, TP_WIRE_STRING, NULL}, {"value", 2, TP_WIRE_MESSAGE, &attr_value});
TP_WIRE_SCHEMA(node, true, {"name", 1, TP_WIRE_STRING, NULL}, {"op", 2, TP_WIRE_STRING, NULL},
	{"input", 3, TP_WIRE_STRING, NULL}, {"device", 4, TP_WIRE_STRING, NULL},
	{"attr", 5, TP_WIRE_MESSAGE, &attr});
TP_WIRE_SCHEMA(signature, true, {"name", 1, TP_WIRE_STRING, NULL});
TP_WIRE_SCHEMA(function, false, {"signature", 1, TP_WIRE_MESSAGE, &signature},
	{"node_def", 3, TP_WIRE_MESSAGE, &node});
TP_WIRE_SCHEMA(library, false, {"function", 1, TP_WIRE_MESSAGE, &function});
TP_WIRE_SCHEMA(graph, false, {"node", 1, TP_WIRE_MESSAGE, &node},
	{"library", 2, TP_WIRE_MESSAGE, &library}, {"versions", 4, TP_WIRE_MESSAGE, NULL},
	{"version", 3, TP_WIRE_INTEGER, NULL});
TP_WIRE_SCHEMA(info, false, {"tensorflow_version", 5, TP_WIRE_STRING, NULL});
TP_WIRE_SCHEMA(strings, true, {"value", 1, TP_WIRE_STRING, NULL});
TP_WIRE_SCHEMA(collection_value, true, {"node_list", 1, TP_WIRE_MESSAGE, &strings},
	{"bytes_list", 2, TP_WIRE_MESSAGE, &strings});
TP_WIRE_SCHEMA(collection, true, {"key", 1, TP_WIRE_STRING, NULL},
	{"value", 2, TP_WIRE_MESSAGE, &collection_value});
TP_WIRE_SCHEMA(object_function, true, {"key", 1, TP_WIRE_STRING, NULL});
TP_WIRE_SCHEMA(objects, false, {"concrete_functions", 2, TP_WIRE_MESSAGE, &object_function});
TP_WIRE_SCHEMA(meta, false, {"meta_info_def", 1, TP_WIRE_MESSAGE, &info},
	{"graph_def", 2, TP_WIRE_MESSAGE, &graph}, {"collection_def", 4, TP_WIRE_MESSAGE, &collection},
	{"object_graph_def", 7, TP_WIRE_MESSAGE, &objects});
TP_WIRE_SCHEMA(saved, false, {"saved_model_schema_version", 1, TP_WIRE_INTEGER, NULL},
	{"meta_graphs", 2, TP_WIRE_MESSAGE, &meta});

static const struct tp_wire_schema *const roots[] = {
	[TP_GRAPH_NO_MESSAGE] = NULL,
	[TP_GRAPH_DEF] = &graph,
	[TP_GRAPH_META] = &meta,
	[TP_GRAPH_SAVED_MODEL] = &saved,
};

/* What a text is, by its first known field. */
static enum tp_graph_message
text_of(struct tp_slice text)
{
	struct tp_text_pull t = tp_text_open(text);

	if (!tp_text_next(&t))
		return TP_GRAPH_NO_MESSAGE;
	for (int kind = TP_GRAPH_DEF; kind <= TP_GRAPH_SAVED_MODEL; kind++) {
		const struct tp_wire_rule *r = tp_wire_rule_for(roots[kind], t.name);

		if (r != NULL && (t.type == TP_TEXT_OPEN) == (r->kind == TP_WIRE_MESSAGE))
			return (enum tp_graph_message)kind;
	}
	return TP_GRAPH_NO_MESSAGE;
}

/* A text becomes the message that it stands for, so that one reader reads both; only the fields that are read of a graph.
 * damage: where the text breaks off or is none; the node in which it does is left out. */
static void
write_text(struct tp_slice text, enum tp_graph_message kind, struct tp_buf *out,
	struct tp_graph_damage *damage)
{
	struct tp_text_wire w = tp_text_to_wire(text, roots[kind], out);

	if (w.state != TP_TEXT_END)
		*damage = (struct tp_graph_damage){.at = (const uint8_t *)w.at,
			.cut = w.state == TP_TEXT_TRUNCATED,
			.lost = w.left_out == &node};
}

static const char *const suffixes[] = {
	"graph.pb", "graph_def.pb", "graphdef.pb", "saved_model.pb", ".pbtxt", ".meta", NULL};

static int
probe(const char *name, struct tp_slice head)
{
	if (head.len == 0)
		return tp_probe_suffixes(name, suffixes);
	if (tp_graph_message_of(head) != TP_GRAPH_NO_MESSAGE)
		return 60;
	return text_of(head) != TP_GRAPH_NO_MESSAGE ? 60 : 0;
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
	while (tp_pb_next_bytes(&p, SAVED_GRAPH))
		read_graph(r, TP_GRAPH_META, p.bytes);
	tp_graph_damage_note(&r->damage, &p);
}

static void
read_text(struct reading *r)
{
	enum tp_graph_message kind = text_of(r->in->bytes);
	struct tp_buf wire = {0};
	struct tp_graph_damage of_text = {0};

	if (kind == TP_GRAPH_NO_MESSAGE)
		return;
	write_text(r->in->bytes, kind, &wire, &of_text);
	r->made = true;
	read_message(r, kind, tp_pb_written(&wire));
	tp_buf_free(&wire);
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
				: "not a TensorFlow graph: it holds no node with a name and an operation");
	tp_graph_damage_tell(in, out, &r.damage);
	return TP_OK;
}

const struct tp_reader tp_reader_graph = {
	.name = "graph",
	.summary = "TensorFlow graphs: graph.pb and other GraphDef files, *.pbtxt, *.meta, "
			   "saved_model.pb",
	.suffixes = suffixes,
	.probe = probe,
	.kind = TP_READS_OF_LOG,
	.read = read,
};

/* The reader of graphs on their own: graph.pb and other GraphDef files, MetaGraphDef (*.meta) and saved_model.pb, and all of
 * them as text (*.pbtxt), as TensorFlow programs write them. Known by what they hold, whatever they are called. */
#include "ingest/graph_def.h"

#include "base/arena.h"
#include "codec/pb_text.h"
#include "ingest/pb_write.h"
#include "ingest/reader.h"
#include "ingest/tools.h"

#include <stdlib.h>

enum { SAVED_GRAPH = 2 };

enum kind { MESSAGE, STRING, INTEGER, TYPE, BOOLEAN };

struct schema;
struct rule {
	const char *name;
	uint32_t field;
	enum kind kind;
	const struct schema *inner;
};
/* item: either the whole of it is written, or nothing. */
struct schema {
	const struct rule *rules;
	bool item;
};

/* A list of rules ends with an empty one. */
#define SCHEMA(schema_name, is_item, ...)                                                          \
	static const struct rule schema_name##_rules[] = {__VA_ARGS__, {0}};                           \
	static const struct schema schema_name = {schema_name##_rules, is_item}

SCHEMA(dim, false, {"size", 1, INTEGER, NULL});
SCHEMA(shape, false, {"dim", 2, MESSAGE, &dim}, {"unknown_rank", 3, BOOLEAN, NULL});
SCHEMA(named, false, {"name", 1, STRING, NULL});
SCHEMA(list, false, {"shape", 7, MESSAGE, &shape}, {"func", 9, MESSAGE, &named});
SCHEMA(attr_value, false, {"list", 1, MESSAGE, &list}, {"type", 6, TYPE, NULL},
	{"shape", 7, MESSAGE, &shape}, {"func", 10, MESSAGE, &named});
SCHEMA(attr, false, {"key", 1, STRING, NULL}, {"value", 2, MESSAGE, &attr_value});
SCHEMA(node, true, {"name", 1, STRING, NULL}, {"op", 2, STRING, NULL}, {"input", 3, STRING, NULL},
	{"device", 4, STRING, NULL}, {"attr", 5, MESSAGE, &attr});
SCHEMA(signature, true, {"name", 1, STRING, NULL});
SCHEMA(function, false, {"signature", 1, MESSAGE, &signature}, {"node_def", 3, MESSAGE, &node});
SCHEMA(library, false, {"function", 1, MESSAGE, &function});
SCHEMA(graph, false, {"node", 1, MESSAGE, &node}, {"library", 2, MESSAGE, &library},
	{"versions", 4, MESSAGE, NULL}, {"version", 3, INTEGER, NULL});
SCHEMA(info, false, {"tensorflow_version", 5, STRING, NULL});
SCHEMA(strings, true, {"value", 1, STRING, NULL});
SCHEMA(collection_value, true, {"node_list", 1, MESSAGE, &strings},
	{"bytes_list", 2, MESSAGE, &strings});
SCHEMA(collection, true, {"key", 1, STRING, NULL}, {"value", 2, MESSAGE, &collection_value});
SCHEMA(object_function, true, {"key", 1, STRING, NULL});
SCHEMA(objects, false, {"concrete_functions", 2, MESSAGE, &object_function});
SCHEMA(meta, false, {"meta_info_def", 1, MESSAGE, &info}, {"graph_def", 2, MESSAGE, &graph},
	{"collection_def", 4, MESSAGE, &collection}, {"object_graph_def", 7, MESSAGE, &objects});
SCHEMA(saved, false, {"saved_model_schema_version", 1, INTEGER, NULL},
	{"meta_graphs", 2, MESSAGE, &meta});

static const struct schema *const roots[] = {
	[TP_GRAPH_NO_MESSAGE] = NULL,
	[TP_GRAPH_DEF] = &graph,
	[TP_GRAPH_META] = &meta,
	[TP_GRAPH_SAVED_MODEL] = &saved,
};

static const struct rule *
rule_for(const struct schema *s, struct tp_slice name)
{
	for (const struct rule *r = s->rules; r->name != NULL; r++) {
		if (tp_slice_eq(name, tp_slice_of(r->name)))
			return r;
	}
	return NULL;
}

/* What a text is, by its first known field. */
static enum tp_graph_message
text_of(struct tp_slice text)
{
	struct tp_text_pull t = tp_text_open(text);

	if (!tp_text_next(&t))
		return TP_GRAPH_NO_MESSAGE;
	for (int kind = TP_GRAPH_DEF; kind <= TP_GRAPH_SAVED_MODEL; kind++) {
		const struct rule *r = rule_for(roots[kind], t.name);

		if (r != NULL && (t.type == TP_TEXT_OPEN) == (r->kind == MESSAGE))
			return (enum tp_graph_message)kind;
	}
	return TP_GRAPH_NO_MESSAGE;
}

/* tensorflow.DataType by name; 0: not known. */
static uint64_t
type_of(struct tp_slice word)
{
	static const char *const names[] = {"INVALID", "FLOAT", "DOUBLE", "INT32", "UINT8", "INT16",
		"INT8", "STRING", "COMPLEX64", "INT64", "BOOL", "QINT8", "QUINT8", "QINT32", "BFLOAT16",
		"QINT16", "QUINT16", "UINT16", "COMPLEX128", "HALF", "RESOURCE", "VARIANT", "UINT32",
		"UINT64", "FLOAT8_E5M2", "FLOAT8_E4M3FN"};
	struct tp_slice name = tp_slice_from(word, strlen("DT_"));
	uint64_t reference = tp_slice_ends(name, TP_S("_REF")) ? 100 : 0;

	if (!tp_slice_starts(word, TP_S("DT_")))
		return 0;
	name.len -= reference != 0 ? strlen("_REF") : 0;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (tp_slice_eq(name, tp_slice_of(names[i])))
			return i + reference;
	}
	return 0;
}

static uint64_t
number_of(struct tp_slice word)
{
	char digits[32];

	if (word.len >= sizeof digits)
		return 0;
	memcpy(digits, word.ptr, word.len);
	digits[word.len] = '\0';
	return *digits == '-' ? (uint64_t)strtoll(digits, NULL, 0) : strtoull(digits, NULL, 0);
}

/* A message that is open: what it may hold, its own field, and where its bytes start. */
struct level {
	const struct schema *schema;
	uint32_t field;
	size_t start;
};

struct writing {
	struct tp_buf *out;
	struct level levels[TP_TEXT_DEEPEST + 1];
	unsigned depth;
	struct tp_buf text; /* room for a string */
};

static void
close_level(struct writing *w)
{
	const struct level *l = &w->levels[w->depth--];
	size_t size = w->out->count - l->start;

	tp_pb_wrap(w->out, l->field, size);
}

static void
write_string(struct writing *w, uint32_t field, struct tp_slice value)
{
	char *text = tp_buf_room(&w->text, value.len, 1);

	tp_pb_put_bytes(w->out, field, (struct tp_slice){text, tp_text_unescape(value, text)});
}

static void
write_word(struct writing *w, const struct rule *r, struct tp_slice word)
{
	bool digits = word.len != 0 && *word.ptr >= '0' && *word.ptr <= '9';

	if (r->kind == TYPE && !digits)
		tp_pb_put_number(w->out, r->field, type_of(word));
	else if (r->kind == BOOLEAN)
		tp_pb_put_number(
			w->out, r->field, tp_slice_starts(word, TP_S("t")) || tp_slice_eq(word, TP_S("1")));
	else if (r->kind == INTEGER || r->kind == TYPE)
		tp_pb_put_number(w->out, r->field, number_of(word));
}

/* Writes what the pull has in hand, or passes over it. */
static void
write_item(struct writing *w, struct tp_text_pull *t)
{
	const struct rule *r =
		t->type == TP_TEXT_CLOSE ? NULL : rule_for(w->levels[w->depth].schema, t->name);

	switch (t->type) {
	case TP_TEXT_OPEN:
		if (r == NULL || r->inner == NULL)
			tp_text_skip(t);
		else
			w->levels[++w->depth] = (struct level){r->inner, r->field, w->out->count};
		return;
	case TP_TEXT_CLOSE:
		close_level(w);
		return;
	case TP_TEXT_STRING:
		if (r != NULL && r->kind == STRING)
			write_string(w, r->field, t->value);
		return;
	case TP_TEXT_WORD:
		if (r != NULL)
			write_word(w, r, t->value);
		return;
	}
}

/* Of what is still open the items are left out, the rest is closed. */
static uint32_t
close_all(struct writing *w)
{
	uint32_t lost = 0;

	for (unsigned i = 1; i <= w->depth; i++) {
		if (!w->levels[i].schema->item)
			continue;
		lost = w->levels[i].schema == &node;
		w->out->count = w->levels[i].start;
		w->depth = i - 1;
	}
	while (w->depth > 0)
		close_level(w);
	return lost;
}

/* A text becomes the message on the wire that it stands for, so that one reader reads both; only the fields that are read of a
 * graph. damage: where the text breaks off or is none; the node in which it does is left out. */
static void
write_text(struct tp_slice text, enum tp_graph_message kind, struct tp_buf *out,
	struct tp_graph_damage *damage)
{
	struct tp_text_pull t = tp_text_open(text);
	struct writing w = {.out = out, .levels = {{.schema = roots[kind]}}};

	while (tp_text_next(&t))
		write_item(&w, &t);
	uint32_t lost = close_all(&w);

	if (t.state != TP_TEXT_END)
		*damage = (struct tp_graph_damage){
			.at = (const uint8_t *)t.at, .cut = t.state == TP_TEXT_TRUNCATED, .lost = lost};
	tp_buf_free(&w.text);
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

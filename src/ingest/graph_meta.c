/* Reading MetaGraphDef: the graph, the version of TensorFlow, and which variables training changes; and telling the messages of
 * graphs apart. */
#include "ingest/graph_def.h"

#include "base/arena.h"
#include "model/build.h"

enum { META_INFO = 1, META_GRAPH = 2, META_COLLECTION = 4, META_OBJECTS = 7, INFO_VERSION = 5 };
enum { OBJECTS_FUNCTION = 2 };
enum { MAP_KEY = 1, MAP_VALUE = 2 };
enum { COLLECTION_NODES = 1, COLLECTION_BYTES = 2, LIST_VALUE = 1, VARIABLE_NAME = 1 };
enum { SAVED_GRAPH = 2 };
enum { LOOKED_AT = 3 };

static bool
is_word(struct tp_slice s)
{
	for (size_t i = 0; i < s.len; i++) {
		if ((unsigned char)s.ptr[i] < ' ')
			return false;
	}
	return s.len != 0;
}

/* A name, and an operation that begins with a letter or, of TensorFlow's own, an underscore. */
static bool
is_node(struct tp_slice message)
{
	struct tp_slice name = tp_pb_first(message, 1), op = tp_pb_first(message, 2);

	return is_word(name) && is_word(op) && name.len < 4096 && op.len < 1024 &&
		((*op.ptr >= 'A' && *op.ptr <= 'Z') || (*op.ptr >= 'a' && *op.ptr <= 'z') ||
			*op.ptr == '_');
}

static bool
is_graph(struct tp_slice message)
{
	struct tp_pb p = tp_pb_open(message);
	unsigned nodes = 0;

	while (nodes < LOOKED_AT && tp_pb_next(&p)) {
		if (p.type != TP_PB_BYTES || p.field > 4)
			return false;
		if (p.field == 1 && p.state != TP_PB_TRUNCATED && !is_node(p.bytes))
			return false;
		nodes += p.field == 1;
	}
	return nodes > 0 && p.state != TP_PB_BROKEN;
}

enum tp_graph_message
tp_graph_message_of(struct tp_slice message)
{
	struct tp_pb p = tp_pb_open(message);

	if (is_graph(message))
		return TP_GRAPH_DEF;
	if (is_graph(tp_pb_first(message, META_GRAPH)))
		return TP_GRAPH_META;
	if (tp_pb_next(&p) && p.field == 1 && p.type == TP_PB_VARINT &&
		is_graph(tp_pb_first(tp_pb_first(message, SAVED_GRAPH), META_GRAPH)))
		return TP_GRAPH_SAVED_MODEL;
	return TP_GRAPH_NO_MESSAGE;
}

static void
mark_trained(struct tp_graph_draft *d, struct tp_slice name)
{
	const char *colon = name.len != 0 ? memchr(name.ptr, ':', name.len) : NULL;
	struct tp_graph_draft_node *nodes = d->nodes.data;

	if (colon != NULL)
		name.len = (size_t)(colon - name.ptr);
	uint32_t id = tp_intern_copy(d->strings, name);
	uint32_t at = tp_map_get(&d->named, tp_hash_pair(0, id));

	if (at != TP_MAP_NONE && nodes[at].elements != TP_GRAPH_NO_VARIABLE)
		nodes[at].trained = true;
}

/* The collection "trainable_variables": VariableDef messages, or names of nodes. */
static void
read_collection(struct tp_graph_draft *d, struct tp_slice entry)
{
	struct tp_slice value = tp_pb_first(entry, MAP_VALUE);
	struct tp_pb p = tp_pb_open(value);

	if (!tp_slice_eq(tp_pb_first(entry, MAP_KEY), TP_S("trainable_variables")))
		return;
	while (tp_pb_next(&p)) {
		if (p.type != TP_PB_BYTES || (p.field != COLLECTION_NODES && p.field != COLLECTION_BYTES))
			continue;
		for (struct tp_pb list = tp_pb_open(p.bytes); tp_pb_next_bytes(&list, LIST_VALUE);)
			mark_trained(d,
				p.field == COLLECTION_BYTES ? tp_pb_first(list.bytes, VARIABLE_NAME) : list.bytes);
	}
	d->graph->trained_known = true;
}

/* SavedObjectGraph (tensorflow/core/protobuf/saved_object_graph.proto): functions by name. */
static void
read_objects(struct tp_graph_draft *d, struct tp_slice objects)
{
	for (struct tp_pb p = tp_pb_open(objects); tp_pb_next_bytes(&p, OBJECTS_FUNCTION);)
		tp_draft_of_object(d, tp_pb_first(p.bytes, MAP_KEY));
}

void
tp_graph_meta_read(
	struct tp_graph_draft *d, struct tp_slice message, struct tp_graph_damage *damage)
{
	struct tp_arena *arena = tp_builder_profile(d->out)->arena;
	struct tp_pb p = tp_pb_open(message);

	d->graph->from = TP_GRAPH_FROM_META;
	tp_graph_def_read(d, tp_pb_first(message, META_GRAPH), damage);
	while (tp_pb_next(&p)) {
		if (p.type != TP_PB_BYTES)
			continue;
		if (p.field == META_INFO)
			d->graph->version = tp_arena_copy(arena, tp_pb_first(p.bytes, INFO_VERSION));
		else if (p.field == META_COLLECTION)
			read_collection(d, p.bytes);
		else if (p.field == META_OBJECTS)
			read_objects(d, p.bytes);
	}
	tp_graph_damage_note(damage, &p);
}

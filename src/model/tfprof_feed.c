/* A dump piece by piece: of each node only what it is called and its figures stay. */
#include "model/tfprof.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/memory.h"
#include "codec/pb_field.h"
#include "model/tfprof_fields.h"
#include "model/tfprof_reading.h"

#include <stdlib.h>

enum { PIECE_BYTES = 256 << 10 };

/* The bytes from start to end are in memory; a field that is longer makes room for itself. */
struct stream {
	const struct tp_tfprof_feed *feed;
	uint64_t at; /* in the dump, of what comes next */
	char *bytes;
	size_t room, start, end;
	bool ended;
};

/* Moves what is left to the front, and fills up behind it. */
static void
fill(struct stream *s)
{
	size_t left = s->end - s->start;

	if (left == s->room) {
		s->room *= 2;
		s->bytes = tp_memory_resize(s->bytes, s->room);
	} else if (left != 0) {
		memmove(s->bytes, s->bytes + s->start, left);
	}
	size_t got = s->feed->read(s->feed->with, s->at, s->bytes + left, s->room - left);

	s->ended = got < s->room - left;
	s->at += got;
	s->start = 0;
	s->end = left + got;
}

/* The next field of the dump, whole or the last; false: there is none. */
static bool
next_field(struct stream *s, struct tp_pb *p)
{
	for (;;) {
		*p = tp_pb_open((struct tp_slice){s->bytes + s->start, s->end - s->start});
		bool is = tp_pb_next(p);

		if (s->ended || (is && p->state != TP_PB_TRUNCATED) || p->state == TP_PB_BROKEN) {
			s->start = is ? (size_t)((const char *)p->at - s->bytes) : s->end;
			return is;
		}
		fill(s);
	}
}

struct reading {
	struct tp_tfprof *t;
	struct tp_arena *arena, *scratch;
	struct tp_strings texts;    /* operations and devices */
	struct tp_map names;        /* hash of a name → index in nodes */
	struct tp_buf nodes, steps; /* struct tp_tfprof_node, int64_t */
	int64_t step;
	bool types;
};

static struct tp_slice
kept(struct reading *r, struct tp_slice text)
{
	return r->texts.text[tp_intern_copy(&r->texts, text)];
}

/* A message with the types alone. */
static struct tp_slice
types_of(struct reading *r, struct tp_slice message)
{
	char *out = NULL;
	size_t length = 0;

	for (int writes = 0; writes < 2; writes++) {
		const uint8_t *from = (const uint8_t *)message.ptr;

		out = writes ? tp_new_array(r->arena, char, length) : NULL;
		length = 0;
		for (struct tp_pb p = tp_pb_open(message); tp_pb_next(&p); from = p.at) {
			if (p.field != TP_NODE_TYPE || p.type != TP_PB_BYTES)
				continue;
			if (writes)
				memcpy(out + length, from, (size_t)(p.at - from));
			length += (size_t)(p.at - from);
		}
	}
	return (struct tp_slice){out, length};
}

/* Of nodes with one name the first made stays, as in tfprof. Returns where the node belongs; NULL: nowhere. */
static struct tp_tfprof_node *
place_of(struct reading *r, const struct tp_tfprof_node *node)
{
	uint32_t index;

	if (tp_map_number(&r->names, tp_hash_here(node->name), &index))
		return tp_buf_new(&r->nodes, struct tp_tfprof_node);
	struct tp_tfprof_node *before = &((struct tp_tfprof_node *)r->nodes.data)[index];

	r->t->lost++;
	return node->id < before->id ? before : NULL;
}

static void
add_node(struct reading *r, const struct tp_pb *p)
{
	uint64_t key, number;
	struct tp_tfprof_node node = tp_tfprof_read_node(tp_tfprof_entry(p->bytes, &key, &number));

	if (p->state == TP_PB_TRUNCATED || node.name.len == 0 ||
		r->nodes.count >= TP_TFPROF_MOST_NODES) {
		r->t->lost++;
		return;
	}
	struct tp_tfprof_node *to = place_of(r, &node);

	if (to == NULL)
		return;
	struct tp_tfprof_figures *figures = tp_new(r->arena, struct tp_tfprof_figures);

	tp_tfprof_figures(&node, r->step, figures);
	*to = (struct tp_tfprof_node){
		.name = tp_arena_copy(r->arena, node.name),
		.op = kept(r, node.op),
		.device = kept(r, node.device),
		.message = r->types ? types_of(r, node.message) : TP_S(""),
		.id = node.id,
		.figures = figures,
	};
}

enum tp_status
tp_tfprof_read_figures(const struct tp_tfprof_feed *feed, int64_t step, bool types,
	struct tp_arena *arena, struct tp_tfprof *t, struct tp_err *err)
{
	struct reading r = {
		.t = t, .arena = arena, .scratch = tp_arena_new(), .step = step, .types = types};
	struct stream s = {.feed = feed, .bytes = tp_memory_take(PIECE_BYTES), .room = PIECE_BYTES};
	struct tp_pb p;

	tp_strings_init(&r.texts, arena);
	tp_map_init(&r.names, r.scratch);
	tp_map_init(&t->number, arena);
	while (next_field(&s, &p)) {
		if (p.field == TP_PROFILE_NODE && p.type == TP_PB_BYTES)
			add_node(&r, &p);
		else
			tp_tfprof_take_field(t, &p, &r.steps);
	}
	free(s.bytes);
	tp_arena_free(r.scratch);
	t->node_count = (uint32_t)r.nodes.count;
	t->nodes = tp_buf_give(&r.nodes, r.nodes.count, sizeof *t->nodes, arena);
	tp_buf_free(&r.nodes);
	return tp_tfprof_end(t, &r.steps, s.at == 0, arena, err);
}

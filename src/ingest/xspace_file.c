/* One window that slides over the file; where all is in memory, a window is all that is left. */
#include "ingest/xspace_file.h"

#include "base/arena.h"
#include "ingest/reader.h"
#include "io/blob.h"

/* A window that is walked fits into the second level cache; of what is passed over, less is read. A header is a key and a
 * length, two varints. */
enum { WALK_BYTES = 1 << 18, SKIM_BYTES = 1 << 15, HEADER_BYTES = 20 };

void
tp_xfile_open(struct tp_xfile *f, const struct tp_source *in)
{
	*f = (struct tp_xfile){
		.in = in,
		.in_pieces = in->blob != NULL && tp_blob_in_pieces(in->blob),
		.size = in->bytes.len,
	};
	if (f->in_pieces)
		f->size = tp_blob_size(in->blob);
}

void
tp_xfile_close(struct tp_xfile *f)
{
	tp_buf_free(&f->room);
}

/* The bytes from part.at on, up to part.size: at least `least` of them, or all, unless the file became shorter. Where they
 * have to be read, window_bytes are. */
static struct tp_slice
bytes_at(struct tp_xfile *f, struct tp_xpart part, uint64_t least, size_t window_bytes)
{
	struct tp_slice bytes;

	least = least < part.size ? least : part.size;
	if (!f->in_pieces) {
		bytes = tp_slice_from(f->in->bytes, (size_t)part.at);
	} else if (part.at >= f->window_at && part.at + least <= f->window_at + f->window.len) {
		bytes = tp_slice_from(f->window, (size_t)(part.at - f->window_at));
	} else {
		size_t wanted = least > window_bytes ? (size_t)least : window_bytes;
		char *room = tp_buf_room(&f->room, wanted, 1);

		bytes = (struct tp_slice){room, tp_blob_read(f->in->blob, part.at, room, wanted)};
		f->window = bytes;
		f->window_at = part.at;
	}
	if (bytes.len > part.size)
		bytes.len = (size_t)part.size;
	return bytes;
}

struct tp_slice
tp_xfile_keep(struct tp_xfile *f, struct tp_xpart part, struct tp_arena *arena)
{
	if (!f->in_pieces || part.size == 0)
		return bytes_at(f, part, part.size, SKIM_BYTES);
	if (part.size <= SKIM_BYTES)
		return tp_arena_copy(arena, bytes_at(f, part, part.size, SKIM_BYTES));
	if (part.size > TP_XFILE_MOST_KEPT)
		return (struct tp_slice){NULL, 0};
	char *kept = tp_arena_alloc(arena, (size_t)part.size);

	return (struct tp_slice){kept, tp_blob_read(f->in->blob, part.at, kept, (size_t)part.size)};
}

struct tp_slice
tp_xfile_read(const struct tp_xfile *f, struct tp_xpart part, size_t most, struct tp_buf *room)
{
	size_t wanted = part.size < most ? (size_t)part.size : most;
	struct tp_slice bytes;

	if (!f->in_pieces) {
		bytes = tp_slice_from(f->in->bytes, (size_t)part.at);
		bytes.len = bytes.len < wanted ? bytes.len : wanted;
		return bytes;
	}
	char *to = tp_buf_room(room, wanted, 1);

	return (struct tp_slice){to, tp_blob_read(f->in->blob, part.at, to, wanted)};
}

struct tp_xmessage
tp_xmessage_open(struct tp_xfile *f, struct tp_xpart message)
{
	return (struct tp_xmessage){.file = f, .at = message.at, .end = message.at + message.size};
}

bool
tp_xmessage_next(struct tp_xmessage *m)
{
	if (m->state != TP_PB_MORE)
		return false;
	struct tp_pb p = tp_pb_open(
		bytes_at(m->file, (struct tp_xpart){m->at, m->end - m->at}, HEADER_BYTES, SKIM_BYTES));
	struct tp_pb header = p;
	const uint8_t *start = p.at;
	bool found = tp_pb_next(&p);

	m->field = p.field;
	m->type = p.type;
	m->number = p.number;
	m->state = p.state;
	if (!found || p.type != TP_PB_BYTES) {
		m->at += (uint64_t)(p.at - start);
		/* The file became shorter. */
		if (p.state == TP_PB_END && m->at < m->end)
			m->state = TP_PB_TRUNCATED;
		return found;
	}
	uint64_t key = 0, length = 0;

	(void)tp_pb_varint(&header, &key);
	(void)tp_pb_varint(&header, &length);
	m->at += (uint64_t)(header.at - start);
	m->state = length > m->end - m->at ? TP_PB_TRUNCATED : TP_PB_MORE;
	m->part = (struct tp_xpart){m->at, m->state == TP_PB_MORE ? length : m->end - m->at};
	m->at += m->part.size;
	return true;
}

struct tp_xwalk
tp_xwalk_open(struct tp_xfile *f, struct tp_xpart message)
{
	struct tp_xwalk w = {.file = f, .at = message.at, .end = message.at + message.size};

	w.bytes = bytes_at(f, message, 1, WALK_BYTES);
	w.p = tp_pb_open(w.bytes);
	return w;
}

bool
tp_xwalk_more(struct tp_xwalk *w, const uint8_t *field)
{
	uint64_t at = w->at + (uint64_t)((const char *)field - w->bytes.ptr);
	uint64_t had = w->at + w->bytes.len - at, left = w->end - at;

	if (w->p.state == TP_PB_BROKEN || had == left || had > TP_XFILE_MOST_WALKED)
		return false;
	/* A field that a whole window did not hold needs a larger one. */
	struct tp_slice bytes = bytes_at(w->file, (struct tp_xpart){at, left}, 2 * had + 1, WALK_BYTES);

	/* The file became shorter: what is left of it, which stands in memory anew, is all there is. */
	if (bytes.len <= had)
		w->end = at + bytes.len;
	w->at = at;
	w->bytes = bytes;
	w->p = tp_pb_open(bytes);
	return true;
}

/* The bytes of an XSpace, which may be larger than the memory one wants to spend on them: messages are walked field by field
 * wherever they lie, and only what is asked for is read. */
#ifndef TP_INGEST_XSPACE_FILE_H
#define TP_INGEST_XSPACE_FILE_H

#include "base/buf.h"
#include "base/slice.h"
#include "codec/pb_wire.h"

#include <stdint.h>

struct tp_arena;
struct tp_source;

struct tp_xfile {
	const struct tp_source *in;
	bool in_pieces; /* else all of it is in memory */
	uint64_t size;
	struct tp_slice window; /* of a file in pieces: what was read last … */
	uint64_t window_at;     /* … and from where */
	struct tp_buf room;     /* of the window */
};

void tp_xfile_open(struct tp_xfile *f, const struct tp_source *in);
void tp_xfile_close(struct tp_xfile *f);

/* Bytes of the file, of a field or a message: from `at` on. */
struct tp_xpart {
	uint64_t at, size;
};

/* A message of protobuf has at most 2 GiB. */
#define TP_XFILE_MOST_KEPT INT32_MAX

/* A field of a line that needs a larger window is damage: an event takes some hundred bytes. */
enum { TP_XFILE_MOST_WALKED = 1 << 28 };

/* The bytes of a part as long as the profile lives: those in memory, or copied into arena. Fewer when the file became shorter,
 * none when there are more than TP_XFILE_MOST_KEPT. */
struct tp_slice tp_xfile_keep(struct tp_xfile *f, struct tp_xpart part, struct tp_arena *arena);

/* The first bytes of a part, at most so many, as long as room is not used again: those in memory, or read into it. Fewer when the file
 * became shorter. */
struct tp_slice tp_xfile_read(
	const struct tp_xfile *f, struct tp_xpart part, size_t most, struct tp_buf *room);

/* A message whose fields are looked at one by one, without what they hold. */
struct tp_xmessage {
	struct tp_xfile *file;
	uint64_t at, end;
	enum tp_pb_state state;
	uint32_t field;
	enum tp_pb_type type;
	uint64_t number;      /* VARINT; FIXED64 and FIXED32: the bits */
	struct tp_xpart part; /* BYTES */
};

struct tp_xmessage tp_xmessage_open(struct tp_xfile *f, struct tp_xpart message);

/* As tp_pb_next. */
bool tp_xmessage_next(struct tp_xmessage *m);

/* A message whose fields are looked at with what they hold, in windows. */
struct tp_xwalk {
	struct tp_xfile *file;
	uint64_t at, end; /* of what p is over; of the message */
	struct tp_slice bytes;
	struct tp_pb p;
};

struct tp_xwalk tp_xwalk_open(struct tp_xfile *f, struct tp_xpart message);

/* A message that is in memory. */
static inline struct tp_xwalk
tp_xwalk_over(struct tp_slice message)
{
	return (struct tp_xwalk){.end = message.len, .bytes = message, .p = tp_pb_open(message)};
}

/* After tp_pb_next(&w->p) found no whole field at `field`: goes on from there with more bytes. False when there are none. */
bool tp_xwalk_more(struct tp_xwalk *w, const uint8_t *field);

/* How much of the message was looked at, 0…1. */
static inline double
tp_xwalk_share(const struct tp_xwalk *w, struct tp_xpart message)
{
	uint64_t at = w->at + (uint64_t)((const char *)w->p.at - w->bytes.ptr);

	return (double)(at - message.at) / (double)message.size;
}

/* The next field into w->p, as tp_pb_next; its bytes are valid until the next call. */
static inline bool
tp_xwalk_next(struct tp_xwalk *w)
{
	for (;;) {
		const uint8_t *field = w->p.at;
		bool found = tp_pb_next(&w->p);

		if ((found && w->p.state == TP_PB_MORE) || !tp_xwalk_more(w, field))
			return found;
	}
}

#endif

/* gzip (RFC 1952) in pieces, and base64 of what comes out where it is to be text. */
#include "render/pack.h"

#include <zlib.h>

#include "base/arena.h"
#include "base/memory.h"
#include "codec/base64.h"
#include "io/sink.h"

enum {
	PIECE_BYTES = 3 << 12, /* a multiple of 3, so that base64 goes on without padding */
	GZIP_WINDOW = 15 + 16, /* zlib.h: 16 more than the window's bits asks for gzip */
	RAW_WINDOW = 15,       /* … and less than 0 for neither head nor foot */
	MEMORY_LEVEL = 8,
	LEVEL = 4,
};

struct pack {
	struct tp_sink *out;
	bool as_text; /* base64 of it */
	z_stream z;
	unsigned char piece[PIECE_BYTES];
	char text[TP_BASE64_SIZE(PIECE_BYTES)];
};

/* Packs what has come in, and writes each piece that is full; at the end the last one. */
static void
drain(struct pack *p, int flush)
{
	for (;;) {
		bool ended = deflate(&p->z, flush) == Z_STREAM_END;

		if (p->z.avail_out != 0 && !ended)
			return;
		size_t size = PIECE_BYTES - p->z.avail_out;

		if (p->as_text)
			tp_sink_write(p->out, p->text, tp_base64_encode(p->piece, size, p->text));
		else
			tp_sink_write(p->out, p->piece, size);
		p->z.next_out = p->piece;
		p->z.avail_out = PIECE_BYTES;
		if (ended)
			return;
	}
}

static void
put(void *pack, const void *data, size_t size)
{
	struct pack *p = pack;

	p->z.next_in = (z_const Bytef *)data;
	p->z.avail_in = (uInt)size;
	drain(p, Z_NO_FLUSH);
}

static void
pack(struct tp_sink *out, bool as_text, void (*write)(struct tp_sink *in, const void *what),
	const void *what)
{
	struct pack p = {.out = out, .as_text = as_text};

	p.z.next_out = p.piece;
	p.z.avail_out = PIECE_BYTES;
	if (deflateInit2(&p.z, LEVEL, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) !=
		Z_OK)
		tp_out_of_memory();
	struct tp_sink *in = tp_sink_through(put, &p);

	write(in, what);
	tp_sink_close(in);
	drain(&p, Z_FINISH);
	deflateEnd(&p.z);
}

void
tp_pack(struct tp_sink *out, void (*write)(struct tp_sink *in, const void *what), const void *what)
{
	pack(out, true, write, what);
}

void
tp_gzip(struct tp_sink *out, void (*write)(struct tp_sink *in, const void *what), const void *what)
{
	pack(out, false, write, what);
}

struct tp_slice
tp_deflated(struct tp_slice bytes, struct tp_arena *arena)
{
	z_stream z = {0};

	if (deflateInit2(&z, LEVEL, Z_DEFLATED, -RAW_WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
		tp_out_of_memory();
	uLong room = deflateBound(&z, bytes.len);
	unsigned char *packed = tp_arena_alloc(arena, room);

	z.next_in = (z_const Bytef *)bytes.ptr;
	z.avail_in = (uInt)bytes.len;
	z.next_out = packed;
	z.avail_out = (uInt)room;
	deflate(&z, Z_FINISH); /* into deflateBound's room it ends at once */
	deflateEnd(&z);
	return (struct tp_slice){(char *)packed, z.total_out};
}

struct tp_slice
tp_pack_bytes(struct tp_slice bytes, struct tp_arena *arena)
{
	struct tp_slice packed = tp_deflated(bytes, arena);
	char *text = tp_arena_alloc(arena, TP_BASE64_SIZE(packed.len));

	return (struct tp_slice){text, tp_base64_encode(packed.ptr, packed.len, text)};
}

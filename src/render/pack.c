/* gzip (RFC 1952) in pieces side by side, and base64 of what comes out where it is to be text. */
#include "render/pack.h"

#include <libdeflate.h>
#include <zlib.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/memory.h"
#include "base/pool.h"
#include "codec/base64.h"
#include "io/sink.h"

#include <stdlib.h>
#include <string.h>

enum {
	PIECE_BYTES = 1 << 18,
	WINDOW_BYTES = 1 << 15, /* of the piece before, where matches may begin */
	WINDOW_BITS = 15,       /* zlib.h: less than 0 for neither head nor foot */
	MEMORY_LEVEL = 8,
	LEVEL = 3,
	MOST_WAITING = 8,     /* pieces that are packed or wait for those before them */
	TEXT_BYTES = 3 << 12, /* a multiple of 3, so that base64 goes on without padding */
};

/* libdeflate takes a third of zlib's time and makes less of it, but knows no pieces: so much is packed whole, which takes some 20 ms;
 * more is not to wait for it. */
enum { WHOLE_BYTES = 2 << 20, FAST_LEVEL = 3, WELL_LEVEL = 6 };

/* Parts of a timeline: 1 % more than at level 3, in three fifths of the time. */
enum { PART_LEVEL = 1 };

/* A piece is packed by itself, with the window that the one before leaves; joined they are one stream, the same whatever the number of
 * threads. */
struct piece {
	struct tp_task task;
	struct piece *next;
	bool last;
	uint32_t check; /* CRC-32 */
	size_t window, size, packed_size;
	unsigned char *packed;
	unsigned char bytes[WINDOW_BYTES + PIECE_BYTES]; /* the window, then the piece */
};

struct pack {
	struct tp_sink *out;
	struct tp_pool *pool;
	bool as_text;          /* base64 of it */
	bool in_pieces;        /* it was too much to be packed whole */
	struct tp_buf whole;   /* of char: all so far where it is not */
	int level;             /* of it */
	struct piece *filling; /* not started */
	struct piece *first, **end;
	size_t waiting;       /* pieces */
	uint32_t check, size; /* of what was packed; modulo 2^32 */
	unsigned char rest[TEXT_BYTES];
	size_t rest_size; /* as text: what is not written yet */
	char text[TP_BASE64_SIZE(TEXT_BYTES)];
};

static void
run_piece(void *with)
{
	enum { FLUSHED = 64 }; /* beyond deflateBound */
	struct piece *p = with;
	z_stream z = {0};
	const unsigned char *bytes = p->bytes + p->window;

	if (deflateInit2(&z, LEVEL, Z_DEFLATED, -WINDOW_BITS, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
		tp_out_of_memory();
	uLong room = deflateBound(&z, p->size) + FLUSHED;

	p->packed = tp_memory_take(room);
	if (p->window != 0)
		deflateSetDictionary(&z, p->bytes, (uInt)p->window);
	z.next_in = (z_const Bytef *)bytes;
	z.avail_in = (uInt)p->size;
	z.next_out = p->packed;
	z.avail_out = (uInt)room;
	deflate(&z, p->last ? Z_FINISH : Z_SYNC_FLUSH);
	p->packed_size = z.total_out;
	deflateEnd(&z);
	p->check = (uint32_t)crc32(0, bytes, (uInt)p->size);
}

static void
write_text(struct pack *p)
{
	tp_sink_write(p->out, p->text, tp_base64_encode(p->rest, p->rest_size, p->text));
	p->rest_size = 0;
}

static void
write_packed(struct pack *p, const unsigned char *bytes, size_t size)
{
	if (!p->as_text)
		tp_sink_write(p->out, bytes, size);
	while (p->as_text && size != 0) {
		size_t room = TEXT_BYTES - p->rest_size, part = size < room ? size : room;

		memcpy(p->rest + p->rest_size, bytes, part);
		p->rest_size += part;
		bytes += part;
		size -= part;
		if (p->rest_size == TEXT_BYTES)
			write_text(p);
	}
}

/* Writes the pieces that came first, until so many are left. */
static void
write_pieces(struct pack *p, size_t left)
{
	while (p->waiting > left) {
		struct piece *piece = p->first;

		tp_pool_wait(p->pool, &piece->task);
		write_packed(p, piece->packed, piece->packed_size);
		p->check = (uint32_t)crc32_combine(p->check, piece->check, (z_off_t)piece->size);
		p->size += (uint32_t)piece->size;
		p->first = piece->next;
		p->end = p->first != NULL ? p->end : &p->first;
		p->waiting--;
		free(piece->packed);
		free(piece);
	}
}

static struct piece *
new_piece(const struct piece *before)
{
	struct piece *piece = tp_memory_take(sizeof *piece);

	/* All but the bytes. */
	memset(piece, 0, offsetof(struct piece, bytes));
	piece->task.run = run_piece;
	piece->task.with = piece;
	if (before != NULL) {
		piece->window = WINDOW_BYTES;
		memcpy(piece->bytes, before->bytes + before->window + before->size - WINDOW_BYTES,
			WINDOW_BYTES);
	}
	return piece;
}

static void
start_piece(struct pack *p, bool last)
{
	struct piece *piece = p->filling;

	piece->last = last;
	p->filling = last ? NULL : new_piece(piece);
	*p->end = piece;
	p->end = &piece->next;
	p->waiting++;
	tp_pool_start(p->pool, &piece->task);
	write_pieces(p, last ? 0 : MOST_WAITING);
}

static void
put_in_pieces(struct pack *p, const unsigned char *bytes, size_t size)
{
	while (size != 0) {
		struct piece *piece = p->filling;
		size_t room = PIECE_BYTES - piece->size, part = size < room ? size : room;

		memcpy(piece->bytes + piece->window + piece->size, bytes, part);
		piece->size += part;
		bytes += part;
		size -= part;
		if (piece->size == PIECE_BYTES)
			start_piece(p, false);
	}
}

static void
begin_pieces(struct pack *p)
{
	static const unsigned char head[] = {0x1f, 0x8b, Z_DEFLATED, 0, 0, 0, 0, 0, 0, 3};

	p->in_pieces = true;
	p->filling = new_piece(NULL);
	p->end = &p->first;
	write_packed(p, head, sizeof head);
	put_in_pieces(p, p->whole.data, p->whole.count);
	tp_buf_free(&p->whole);
}

static void
put(void *pack, const void *data, size_t size)
{
	struct pack *p = pack;

	if (!p->in_pieces && p->whole.count + size <= WHOLE_BYTES) {
		if (size != 0)
			memcpy(tp_buf_extend(&p->whole, size, 1), data, size);
		return;
	}
	if (!p->in_pieces)
		begin_pieces(p);
	put_in_pieces(p, data, size);
}

static void
put_number(unsigned char *at, uint32_t number)
{
	for (int i = 0; i < 4; i++)
		at[i] = (unsigned char)(number >> 8 * i);
}

static void
finish_pieces(struct pack *p)
{
	unsigned char foot[8];

	start_piece(p, true);
	put_number(foot, p->check);
	put_number(foot + 4, p->size);
	write_packed(p, foot, sizeof foot);
}

/* All of it at once, in the arena; deflate alone where it is not to be gzip. */
static struct tp_slice
compressed(struct tp_slice bytes, int level, bool gzip, struct tp_arena *arena)
{
	struct libdeflate_compressor *c = libdeflate_alloc_compressor(level);

	if (c == NULL)
		tp_out_of_memory();
	/* gzip's is more than deflate's. */
	size_t room = libdeflate_gzip_compress_bound(c, bytes.len), size;
	char *packed = tp_arena_alloc(arena, room);

	if (gzip)
		size = libdeflate_gzip_compress(c, bytes.ptr, bytes.len, packed, room);
	else
		size = libdeflate_deflate_compress(c, bytes.ptr, bytes.len, packed, room);
	libdeflate_free_compressor(c);
	return (struct tp_slice){packed, size};
}

static void
finish_whole(struct pack *p)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_slice packed =
		compressed((struct tp_slice){p->whole.data, p->whole.count}, p->level, true, arena);

	write_packed(p, (const unsigned char *)packed.ptr, packed.len);
	tp_arena_free(arena);
}

static void
pack(struct tp_sink *out, struct tp_pool *pool, bool as_text, int level,
	void (*write)(struct tp_sink *in, const void *what), const void *what)
{
	struct pack *p = tp_memory_take(sizeof *p);

	*p = (struct pack){.out = out, .pool = pool, .as_text = as_text, .level = level};
	struct tp_sink *in = tp_sink_through(put, p);

	write(in, what);
	tp_sink_close(in);
	if (p->in_pieces)
		finish_pieces(p);
	else
		finish_whole(p);
	if (p->as_text)
		write_text(p);
	tp_buf_free(&p->whole);
	free(p);
}

void
tp_pack(struct tp_sink *out, struct tp_pool *pool,
	void (*write)(struct tp_sink *in, const void *what), const void *what)
{
	pack(out, pool, true, FAST_LEVEL, write, what);
}

void
tp_pack_well(struct tp_sink *out, struct tp_pool *pool,
	void (*write)(struct tp_sink *in, const void *what), const void *what)
{
	pack(out, pool, true, WELL_LEVEL, write, what);
}

void
tp_gzip(struct tp_sink *out, struct tp_pool *pool,
	void (*write)(struct tp_sink *in, const void *what), const void *what)
{
	pack(out, pool, false, FAST_LEVEL, write, what);
}

struct tp_slice
tp_deflated(struct tp_slice bytes, struct tp_arena *arena)
{
	return compressed(bytes, WELL_LEVEL, false, arena);
}

struct tp_slice
tp_pack_part(struct tp_slice bytes, struct tp_arena *arena)
{
	struct tp_slice packed = compressed(bytes, PART_LEVEL, false, arena);
	char *text = tp_arena_alloc(arena, TP_BASE64_SIZE(packed.len));

	return (struct tp_slice){text, tp_base64_encode(packed.ptr, packed.len, text)};
}

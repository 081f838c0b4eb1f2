/* Bytes that a report holds as what deflate made of them, in JSON as base64 of that. */
#include "base/arena.h"
#include "base/memory.h"
#include "codec/base64.h"
#include "io/inflate.h"
#include "stored/read.h"

enum {
	FIRST_TIMES = 4, /* what deflate mostly takes away */
	LEAST_ROOM = 64,
	MOST_BYTES = 64 << 20, /* of one member; tpreport writes some 100 KB */
};

/* Room grows until they fit; false: too many, or damaged. */
static bool
inflate_all(struct tp_inflate *x, size_t room, char **bytes, size_t *size)
{
	for (; room <= MOST_BYTES; room *= 2) {
		const char *wrong;

		*bytes = tp_memory_resize(*bytes, room);
		enum tp_inflated state = tp_inflate_read(x, *bytes, room, size, &wrong);

		if (state != TP_INFLATED_MORE)
			return state == TP_INFLATED_MEMBER;
	}
	return false;
}

bool
tp_inflated(struct tp_slice packed, struct tp_arena *arena, struct tp_slice *out)
{
	char *bytes = NULL;
	size_t size = 0;

	if (packed.len > MOST_BYTES)
		return false;
	struct tp_inflate *x = tp_inflate_open_bare(packed);

	if (x == NULL)
		tp_out_of_memory();
	bool all = inflate_all(x, packed.len * FIRST_TIMES + LEAST_ROOM, &bytes, &size);

	*out = (struct tp_slice){bytes, size};
	tp_inflate_close(x);
	tp_arena_own(arena, bytes);
	return all;
}

bool
tp_read_packed(struct tp_reading *r, struct tp_slice text, struct tp_slice *out)
{
	unsigned char *packed = tp_arena_alloc(r->arena, TP_BASE64_DECODED(text.len));
	size_t size;

	return tp_base64_decode(text, packed, &size) &&
		tp_inflated((struct tp_slice){(char *)packed, size}, r->arena, out);
}

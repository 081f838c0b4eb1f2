/* Bytes that a report holds as what deflate made of them, in JSON as base64 of that. */
#include <stdlib.h>
#include <zlib.h>

#include "base/arena.h"
#include "codec/base64.h"
#include "stored/read.h"

enum {
	RAW_WINDOW = 15,       /* zlib.h: less than 0 for neither head nor foot */
	FIRST_TIMES = 4,       /* what deflate mostly takes away */
	MOST_BYTES = 64 << 20, /* of one member; tpreport writes some 100 KB */
};

bool
tp_inflated(struct tp_slice packed, struct tp_arena *arena, struct tp_slice *out)
{
	z_stream z = {.next_in = (z_const Bytef *)packed.ptr, .avail_in = (uInt)packed.len};
	char *bytes = NULL;

	if (packed.len > MOST_BYTES)
		return false;
	int status = inflateInit2(&z, -RAW_WINDOW);

	for (size_t room = packed.len * FIRST_TIMES; status == Z_OK && room <= MOST_BYTES; room *= 2) {
		char *more = realloc(bytes, room);

		if (more == NULL)
			break;
		bytes = more;
		z.next_out = (Bytef *)bytes + z.total_out;
		z.avail_out = (uInt)(room - z.total_out);
		status = inflate(&z, Z_NO_FLUSH);
	}
	*out = (struct tp_slice){bytes, z.total_out};
	inflateEnd(&z);
	tp_arena_own(arena, bytes);
	return status == Z_STREAM_END;
}

bool
tp_read_packed(struct tp_reading *r, struct tp_slice text, struct tp_slice *out)
{
	unsigned char *packed = tp_arena_alloc(r->arena, TP_BASE64_DECODED(text.len));
	size_t size;

	return tp_base64_decode(text, packed, &size) &&
		tp_inflated((struct tp_slice){(char *)packed, size}, r->arena, out);
}

/* Unpacking a zlib stream that is in memory. */
#include "io/zlib_stream.h"

#include <zlib.h>

enum { PIECE_BYTES = 1 << 16 };

bool
tp_zlib_unpack(struct tp_slice packed, uint64_t most_bytes,
	void (*put)(void *with, struct tp_slice piece), void *with)
{
	z_stream z = {.next_in = (z_const Bytef *)packed.ptr, .avail_in = (uInt)packed.len};
	char piece[PIECE_BYTES];
	uint64_t given = 0;
	int status;

	/* zlib counts in 32 bits. */
	if (packed.len > UINT32_MAX || inflateInit(&z) != Z_OK)
		return false;
	do {
		z.next_out = (Bytef *)piece;
		z.avail_out = PIECE_BYTES;
		status = inflate(&z, Z_NO_FLUSH);
		size_t size = PIECE_BYTES - z.avail_out;

		given += size;
		if (given > most_bytes)
			status = Z_MEM_ERROR;
		else if (size != 0)
			put(with, (struct tp_slice){piece, size});
	} while (status == Z_OK);
	inflateEnd(&z);
	return status == Z_STREAM_END;
}

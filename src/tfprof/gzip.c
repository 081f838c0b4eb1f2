/* zlib, piece by piece. */
#include "tfprof/gzip.h"

#include "base/memory.h"
#include "io/sink.h"

#include <limits.h>
#include <stdint.h>

#include <zlib.h>

void
tp_tfprof_gzip(struct tp_slice bytes, struct tp_sink *out)
{
	enum { GZIP_WINDOW = 15 + 16, MEMORY_LEVEL = 8 };
	unsigned char piece[16384];
	z_stream z = {.next_in = (Bytef *)(uintptr_t)bytes.ptr};
	int result = Z_OK;

	if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL,
			Z_DEFAULT_STRATEGY) != Z_OK)
		tp_out_of_memory();
	while (result != Z_STREAM_END) {
		if (z.avail_in == 0) {
			z.avail_in = bytes.len > UINT_MAX ? UINT_MAX : (uInt)bytes.len;
			bytes = tp_slice_from(bytes, z.avail_in);
		}
		z.next_out = piece;
		z.avail_out = sizeof piece;
		result = deflate(&z, bytes.len == 0 ? Z_FINISH : Z_NO_FLUSH);
		tp_sink_write(out, piece, sizeof piece - z.avail_out);
	}
	deflateEnd(&z);
}

/* Packed bytes whose parts say how long they are: frames of zstd, as pzstd writes many, and members of gzip as bgzip writes them.
 * They are unpacked side by side. */
#ifndef TP_IO_UNPACK_PARTS_H
#define TP_IO_UNPACK_PARTS_H

#include "io/unpack.h"

struct tp_pool;

/* All of `packed` into *out (malloc'd), at most `most` bytes. False, with nothing given, where there are no parts, where anything about
 * them is not as they say, or where one thread is as good: then the bytes are for tp_unpack to unpack in their order. */
bool tp_unpack_parts(enum tp_packing packing, struct tp_slice packed, uint64_t most,
	struct tp_pool *pool, struct tp_slice *out);

#endif

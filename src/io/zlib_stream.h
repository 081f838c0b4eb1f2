/* zlib streams (RFC 1950), as formats hold them inside. */
#ifndef TP_IO_ZLIB_STREAM_H
#define TP_IO_ZLIB_STREAM_H

#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

/* Gives what is packed to `put`, piece by piece. False: the stream is damaged, cut off or holds more than most_bytes; what was good
 * before has been given. */
bool tp_zlib_unpack(struct tp_slice packed, uint64_t most_bytes,
	void (*put)(void *with, struct tp_slice piece), void *with);

#endif

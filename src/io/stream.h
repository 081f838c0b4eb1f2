/* The bytes of an input in windows that follow each other, in bounded memory whatever it holds: a thread of its own reads or
 * unpacks it, some blocks ahead. What is in memory and not compressed is one window. */
#ifndef TP_IO_STREAM_H
#define TP_IO_STREAM_H

#include "base/err.h"
#include "base/slice.h"

struct tp_blob;
struct tp_stream;

/* Over bytes that are in memory, perhaps compressed, or over a file in pieces, of which they are the first (blob, else NULL);
 * both live longer than the stream. name: as messages call them. NULL and err when there is no memory or no thread. */
struct tp_stream *tp_stream_open(
	struct tp_slice stored, struct tp_blob *blob, const char *name, struct tp_err *err);

/* The same from byte `from` on (0 where the bytes are compressed) and without a thread: windows are read or unpacked as they are asked
 * for. */
struct tp_stream *tp_stream_open_alone(struct tp_slice stored, struct tp_blob *blob, uint64_t from,
	const char *name, struct tp_err *err);

/* The next window into *window, which begins with the last `keep` bytes of the one before (that must be the one in
 * *window; an empty one at first), and ends with at least one byte more. The one before is gone then. False, with *window
 * as it was, when there are no more bytes. */
bool tp_stream_more(void *stream, struct tp_slice *window, size_t keep);

/* After the last window: what was wrong with the compressed bytes; NULL: nothing that was met so far. Of a file in pieces its
 * blob says that. */
const struct tp_err *tp_stream_damage(struct tp_stream *s);

void tp_stream_close(struct tp_stream *s); /* NULL is allowed */

#endif

/* Packing: for what a page carries gzip, then base64; for summaries deflate alone. */
#ifndef TP_RENDER_PACK_H
#define TP_RENDER_PACK_H

#include "base/slice.h"

struct tp_arena;
struct tp_pool;
struct tp_sink;

/* Gives `write` a sink, and what is written to that goes packed to `out`: up to 2 MiB at once, more piece by piece, which the pool packs
 * (NULL: the caller's thread does). The bytes are the same whatever the number of threads. */
void tp_pack(struct tp_sink *out, struct tp_pool *pool,
	void (*write)(struct tp_sink *in, const void *what), const void *what);

/* The same; up to 2 MiB smaller, in one and a half times the time. */
void tp_pack_well(struct tp_sink *out, struct tp_pool *pool,
	void (*write)(struct tp_sink *in, const void *what), const void *what);

/* The same as gzip alone, no text. */
void tp_gzip(struct tp_sink *out, struct tp_pool *pool,
	void (*write)(struct tp_sink *in, const void *what), const void *what);

/* Bytes deflated (RFC 1951), in the arena. */
struct tp_slice tp_deflated(struct tp_slice bytes, struct tp_arena *arena);

/* The same for one of many parts, in half the time, as base64. */
struct tp_slice tp_pack_part(struct tp_slice bytes, struct tp_arena *arena);

#endif

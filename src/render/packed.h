/* Bytes of a timeline, packed side by side, and beside whatever else is done until they are written. */
#ifndef TP_RENDER_PACKED_H
#define TP_RENDER_PACKED_H

#include "base/slice.h"

struct tp_packed;
struct tp_pool;
struct tp_timeline;

/* Begins; the bytes have to stay until it is freed. Empty where the pool has one thread: nothing is gained then. */
struct tp_packed *tp_packed_timeline(const struct tp_timeline *t, struct tp_pool *pool);
void tp_packed_free(struct tp_packed *packed); /* once all is packed */

/* The text that tp_pack_part makes of bytes of the timeline; empty: it is not there. packed may be NULL. */
struct tp_slice tp_packed_text(struct tp_packed *packed, struct tp_slice bytes);

#endif

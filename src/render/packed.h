/* Bytes of a timeline, packed side by side before it is written. */
#ifndef TP_RENDER_PACKED_H
#define TP_RENDER_PACKED_H

#include "base/slice.h"

struct tp_packed;
struct tp_pool;
struct tp_timeline;

/* Empty where the pool has one thread: nothing is gained then. */
struct tp_packed *tp_packed_timeline(const struct tp_timeline *t, struct tp_pool *pool);
void tp_packed_free(struct tp_packed *packed);

/* The text that tp_pack_bytes makes of bytes of the timeline; empty: it is not there. packed may be NULL. */
struct tp_slice tp_packed_text(const struct tp_packed *packed, struct tp_slice bytes);

#endif

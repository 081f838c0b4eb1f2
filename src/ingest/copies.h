/* Copies among the files of a run, which must not count twice. */
#ifndef TP_INGEST_COPIES_H
#define TP_INGEST_COPIES_H

#include "base/map.h"

#include <stdint.h>

struct tp_blob;

/* Files of a run with the very same bytes, found without comparing each with each: most differ in size or in how they begin, which
 * is in memory; only of those that do not, each is read for a hash. */
struct tp_copies {
	/* a hash of size and first bytes → the only such file so far, or that there are more */
	struct tp_map heads;
	struct tp_map prints; /* a hash of all bytes, where heads has more than one → the file */
};

/* Which of the files added before, by their indices in blobs, has the bytes of this one; TP_MAP_NONE: none has. What is not
 * unpacked as a whole has no copy. */
uint32_t tp_copies_find(struct tp_copies *c, struct tp_blob *const *blobs, struct tp_blob *blob);

/* The file is one from now on. */
void tp_copies_add(struct tp_copies *c, struct tp_blob *blob, uint32_t index);

#endif

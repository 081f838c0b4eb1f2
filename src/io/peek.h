/* How a file begins, unpacked: enough to tell what it is. */
#ifndef TP_IO_PEEK_H
#define TP_IO_PEEK_H

#include "base/slice.h"

struct tp_arena;

enum { TP_PEEK_BYTES = 64 << 10 };

/* Up to TP_PEEK_BYTES in arena; empty for a file that cannot be read, and for what can be read only once: "-" and pipes. */
struct tp_slice tp_peek(struct tp_arena *arena, const char *path);

/* How many times as many bytes its beginning has unpacked as stored: about as many as all of it. 1 for what is not packed, and where it cannot
 * be told. */
double tp_peek_ratio(const char *path);

#endif

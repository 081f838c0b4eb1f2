/* Unpacking compressed bytes into memory. */
#ifndef TP_IO_UNPACK_H
#define TP_IO_UNPACK_H

#include "base/err.h"
#include "base/slice.h"

/* More than this is refused: a report of such a file would not fit either. */
#define TP_UNPACK_LIMIT ((size_t)32 << 30)

enum tp_packing { TP_PACKING_NONE, TP_PACKING_GZIP, TP_PACKING_ZSTD };

/* By the first bytes. */
enum tp_packing tp_packing_of(struct tp_slice head);

/* Unpacks all of `packed` into *out (malloc'd; caller frees with free; may be NULL when nothing came out). On a damaged or
 * cut-off stream *out holds what could be unpacked, and err (status FORMAT or LIMIT) says what happened at which byte of
 * the packed input. */
enum tp_status tp_unpack(enum tp_packing packing, struct tp_slice packed, const char *name,
	struct tp_slice *out, struct tp_err *err);

#endif

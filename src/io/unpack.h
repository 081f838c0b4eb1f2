/* Unpacking compressed bytes, all at once or piece by piece. */
#ifndef TP_IO_UNPACK_H
#define TP_IO_UNPACK_H

#include "base/err.h"
#include "base/slice.h"

/* Of more than this, unpacked piece by piece, the rest is not read. */
#define TP_UNPACK_LIMIT ((size_t)32 << 30)

enum tp_packing { TP_PACKING_NONE, TP_PACKING_GZIP, TP_PACKING_ZSTD };

struct tp_pool;

/* By the first bytes. */
enum tp_packing tp_packing_of(struct tp_slice head);

/* Whether these are the last bytes of a LevelDB table (SSTable): its format's magic number (table_format.md of LevelDB). */
enum { TP_LEVELDB_END_BYTES = 48 };
bool tp_is_leveldb_table(struct tp_slice bytes);

/* Unpacks all of `packed` into *out (malloc'd; caller frees with free; may be NULL when nothing came out). On a damaged or
 * cut-off stream *out holds what could be unpacked, and err (status FORMAT) says what happened at which byte of the packed
 * input. More than most_bytes (0: any number), more than there is memory for, or so many times the packed bytes that no
 * profile is meant, is nothing (status LIMIT). pool: for parts side by side (io/unpack_parts.h); NULL: one thread unpacks. */
enum tp_status tp_unpack(enum tp_packing packing, struct tp_slice packed, const char *name,
	uint64_t most_bytes, struct tp_pool *pool, struct tp_slice *out, struct tp_err *err);

/* The same piece by piece. */
struct tp_unpacker;

/* `packed` and name live longer than the unpacker. NULL and err when there is no memory. */
struct tp_unpacker *tp_unpacker_open(
	enum tp_packing packing, struct tp_slice packed, const char *name, struct tp_err *err);

/* Writes up to room bytes to `to` and their number, which is only less than room at the end, to *written. On a damaged or
 * cut-off stream err is filled, and *written bytes are good. */
enum tp_status tp_unpacker_read(
	struct tp_unpacker *u, char *to, size_t room, size_t *written, struct tp_err *err);

void tp_unpacker_close(struct tp_unpacker *u); /* NULL is allowed */

#endif

/* The bytes of an input: a mapped file, or what a pipe or a compressed file holds. */
#ifndef TP_IO_BLOB_H
#define TP_IO_BLOB_H

#include "base/err.h"
#include "base/slice.h"

struct tp_blob;

/* Opens path ("-" is standard input). gzip and zstd are recognised by their first bytes and unpacked into memory. A
 * compressed file that is cut off or damaged gives what could be unpacked and sets tp_blob_damage. NULL and err when there
 * is nothing to read. */
struct tp_blob *tp_blob_open(const char *path, struct tp_err *err);

/* The same with the bytes as they are stored, whatever they are. */
struct tp_blob *tp_blob_open_packed(const char *path, struct tp_err *err);

/* The bytes, valid until the blob is closed. */
struct tp_slice tp_blob_bytes(const struct tp_blob *b);

/* Size as stored, before unpacking. */
uint64_t tp_blob_stored_size(const struct tp_blob *b);

/* What was wrong with the compressed stream; NULL: nothing. */
const struct tp_err *tp_blob_damage(const struct tp_blob *b);

/* Bytes from…to are not needed soon: the pages of a mapped file go back to the system, and are read anew when they are looked
 * at again. Of other bytes nothing is given back. NULL is allowed. */
void tp_blob_release(const struct tp_blob *b, uint64_t from, uint64_t to);

void tp_blob_close(struct tp_blob *b); /* NULL is allowed */

#endif

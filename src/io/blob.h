/* The bytes of an input: a file, what a pipe gives, or what a compressed file holds. They are read into memory of our own and
 * never mapped: a file may shrink or be written anew while it is read, and bytes that were checked must not change after. */
#ifndef TP_IO_BLOB_H
#define TP_IO_BLOB_H

#include "base/err.h"
#include "base/slice.h"

#include <stddef.h>

struct tp_blob;
struct tp_pool;

enum tp_blob_form {
	TP_BLOB_WHOLE, /* all bytes in memory; those of gzip and zstd, known by their first bytes, unpacked */
	TP_BLOB_PIECES, /* the same, but of a file that is not compressed and not small only its first bytes: the reader takes
	                 * the pieces that it needs with tp_blob_read */
	TP_BLOB_STORED, /* the same, and a compressed file as it is stored */
};

/* The first bytes of a file in pieces, and the size of what counts as small. */
enum { TP_BLOB_HEAD_BYTES = 64 << 10 };

struct tp_blob_wish {
	enum tp_blob_form form;
	uint64_t most_bytes; /* more, unpacked, is refused; 0: whatever there is memory for */
	/* Whether a file may begin so: of a compressed one that does not, only that is unpacked. NULL: any may. */
	bool (*begins)(struct tp_slice head);
	struct tp_pool *pool; /* to read a large file with, and to unpack; NULL: one thread does */
};

/* Opens path ("-" is standard input). A compressed file that is cut off or damaged gives what could be unpacked and sets
 * tp_blob_damage. NULL and err when there is nothing to read. */
struct tp_blob *tp_blob_open_as(const char *path, struct tp_blob_wish wish, struct tp_err *err);

/* The whole of it. */
struct tp_blob *tp_blob_open(const char *path, struct tp_err *err);

/* The bytes in memory, valid until the blob is closed. */
struct tp_slice tp_blob_bytes(const struct tp_blob *b);

/* Whether the bytes are only the first of a file in pieces. */
bool tp_blob_in_pieces(const struct tp_blob *b);

/* Whether the file is a compressed one of which only the first bytes were unpacked, for it does not begin as was wished. */
bool tp_blob_is_head(const struct tp_blob *b);

/* How many bytes there are to be read: of a file in pieces its size when it was opened. */
uint64_t tp_blob_size(const struct tp_blob *b);

/* Size as stored, before unpacking. */
uint64_t tp_blob_stored_size(const struct tp_blob *b);

/* Copies the bytes from `at` on, up to room, and returns how many. Fewer than there are in a file that became shorter or
 * cannot be read any more: then tp_blob_damage says so. From any thread, until the blob is done. */
size_t tp_blob_read(struct tp_blob *b, uint64_t at, void *to, size_t room);

/* Nothing is read from the file any more: it is closed, and tp_blob_damage says whether it changed in the meantime. Of a compressed one as
 * it is stored only the first bytes stay in memory, as of a file in pieces. */
void tp_blob_done(struct tp_blob *b);

/* A hash of all bytes, read anew where they are not in memory: it is the same for a file in pieces and for one that is not. */
uint64_t tp_blob_print(struct tp_blob *b);

/* Whether both hold the same bytes, each as its reader gets them: one may be in pieces and the other unpacked. */
bool tp_blob_same(struct tp_blob *a, struct tp_blob *b);

/* What was wrong with the file or the compressed stream; NULL: nothing so far. */
const struct tp_err *tp_blob_damage(const struct tp_blob *b);

void tp_blob_close(struct tp_blob *b); /* NULL is allowed */

#endif

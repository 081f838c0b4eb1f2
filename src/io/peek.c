/* The first bytes of a file through whatever packs it. */
#include "io/peek.h"

#include <sys/stat.h>

#include "base/arena.h"
#include "io/blob.h"
#include "io/unpack.h"

struct tp_slice
tp_peek(struct tp_arena *arena, const char *path)
{
	struct tp_err err;
	struct stat st;
	bool again = stat(path, &st) == 0 && S_ISREG(st.st_mode);
	struct tp_blob *blob = again ? tp_blob_open_packed(path, &err) : NULL;

	if (blob == NULL)
		return (struct tp_slice){NULL, 0};
	struct tp_slice bytes = tp_blob_bytes(blob);
	char *head = tp_arena_alloc(arena, TP_PEEK_BYTES);
	size_t length = bytes.len < TP_PEEK_BYTES ? bytes.len : TP_PEEK_BYTES;
	enum tp_packing packing = tp_packing_of(bytes);

	if (packing != TP_PACKING_NONE) {
		struct tp_unpacker *u = tp_unpacker_open(packing, bytes, path, &err);

		length = 0;
		if (u != NULL)
			tp_unpacker_read(u, head, TP_PEEK_BYTES, &length, &err);
		tp_unpacker_close(u);
	} else if (length != 0) {
		memcpy(head, bytes.ptr, length);
	}
	tp_blob_close(blob);
	return (struct tp_slice){head, length};
}

/* All of packed bytes at once: parts of them side by side where they say how long they are, else in their order. */
#include "io/unpack.h"

#include <stdlib.h>

#include "io/unpack_parts.h"

/* Profiles shrink to a fifth or a thirtieth; what is a hundred times denser than that was made to fill memory. Small ones may
 * be anything. */
enum { MOST_TIMES = 500, SMALL_BYTES = 256 << 20 };

/* No room for more than this is asked for. */
static uint64_t
most_room(struct tp_slice packed, uint64_t most_bytes)
{
	uint64_t dense = packed.len < UINT64_MAX / MOST_TIMES ? packed.len * MOST_TIMES : UINT64_MAX;

	if (dense < SMALL_BYTES)
		dense = SMALL_BYTES;
	return most_bytes != 0 && most_bytes < dense ? most_bytes : dense;
}

static enum tp_status
too_much(const char *name, uint64_t most, uint64_t most_bytes, struct tp_err *err)
{
	if (most == most_bytes)
		return tp_fail_at(err, TP_ERR_LIMIT, name, TP_NO_OFFSET,
			"unpacks to more than the limit of %llu MiB for its kind",
			(unsigned long long)(most >> 20));
	return tp_fail_at(err, TP_ERR_LIMIT, name, TP_NO_OFFSET,
		"unpacks to more than %llu MiB, %d times its size, unlike any profile; if it is one, "
		"unpack it and give that file",
		(unsigned long long)(most >> 20), MOST_TIMES);
}

/* Everything into one growing block, which *out gets; that has one byte more than `most`, to see whether there are more. */
static enum tp_status
read_all(struct tp_unpacker *u, struct tp_slice packed, const char *name, uint64_t most_bytes,
	struct tp_slice *out, struct tp_err *err)
{
	uint64_t most = most_room(packed, most_bytes);
	size_t capacity = 4096, size = 0;
	char *data = NULL;

	while (capacity < packed.len * 4)
		capacity *= 2;
	for (;; capacity *= 2) {
		size_t written;

		if (capacity > most)
			capacity = (size_t)most + 1;
		char *more = realloc(data, capacity);

		if (more == NULL) {
			free(data);
			return tp_fail_at(err, TP_ERR_LIMIT, name, TP_NO_OFFSET,
				"not enough memory to unpack it (%zu MiB so far); see --memory-limit", size >> 20);
		}
		data = more;
		enum tp_status status = tp_unpacker_read(u, data + size, capacity - size, &written, err);

		size += written;
		if (size > most) {
			free(data);
			return too_much(name, most, most_bytes, err);
		}
		if (status != TP_OK || size < capacity) {
			more = realloc(data, size + 1);
			*out = (struct tp_slice){more != NULL ? more : data, size};
			return status;
		}
	}
}

enum tp_status
tp_unpack(enum tp_packing packing, struct tp_slice packed, const char *name, uint64_t most_bytes,
	struct tp_pool *pool, struct tp_slice *out, struct tp_err *err)
{
	if (tp_unpack_parts(packing, packed, most_room(packed, most_bytes), pool, out))
		return TP_OK;
	struct tp_unpacker *u = tp_unpacker_open(packing, packed, name, err);

	*out = (struct tp_slice){NULL, 0};
	if (u == NULL)
		return TP_ERR_LIMIT;
	enum tp_status status = read_all(u, packed, name, most_bytes, out, err);

	tp_unpacker_close(u);
	return status;
}

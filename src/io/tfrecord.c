/* Framing: u64 length, u32 masked CRC-32C of these 8 bytes, the bytes, u32 masked CRC-32C of them; all little endian
 * (tensorflow/core/lib/io/record_writer.h). */
#include "io/tfrecord.h"

#include <endian.h>

#include "io/blob.h"
#include "io/crc32c.h"

enum { LENGTH_BYTES = 8, CHECKSUM_BYTES = 4, HEADER_BYTES = LENGTH_BYTES + CHECKSUM_BYTES };

/* Bytes that are checked in vain while looking for a whole record, in sizes of the file: a file can be made of nothing but
 * lengths that agree and bytes that do not. */
enum { MOST_CHECKS = 16 };

/* protobuf.dev/programming-guides/proto-limits: a message is smaller than 2 GiB. */
static const uint64_t MOST_RECORD_BYTES = INT32_MAX;

/* Behind so much in all that no record begins in, the rest of a file in pieces is given up: a file can be made longer than any
 * disk. */
static const uint64_t MOST_SEARCHED_BYTES = 1 << 30;

/* How much of a file in pieces is read at once, where a record does not ask for more. */
enum { WINDOW_BYTES = 1 << 18 };

/* The bytes from `at` on, which a window holds together; NULL where the file ends before. */
static const char *
bytes_at(struct tp_tfrecord *r, uint64_t at, uint64_t count)
{
	if (count > r->size - at)
		return NULL;
	if (at >= r->window_at && at + count <= r->window_at + r->window.len)
		return r->window.ptr + (at - r->window_at);
	uint64_t wanted = count > WINDOW_BYTES ? count : WINDOW_BYTES;

	wanted = wanted < r->size - at ? wanted : r->size - at;
	char *room = tp_buf_room(&r->room, (size_t)wanted, 1);

	r->window = (struct tp_slice){room, tp_blob_read(r->blob, at, room, (size_t)wanted)};
	r->window_at = at;
	if (r->window.len < wanted)
		r->size = at + r->window.len; /* it became shorter; the blob says so */
	return r->window.len < count ? NULL : r->window.ptr;
}

static inline uint64_t
number_at(const char *at, unsigned size)
{
	uint64_t number = 0;

	memcpy(&number, at, size);
	return le64toh(number);
}

/* What is at this place. */
static enum tp_record_damage
look_at(struct tp_tfrecord *r, uint64_t at, struct tp_slice *record)
{
	const char *header = bytes_at(r, at, HEADER_BYTES);

	if (header == NULL)
		return TP_RECORD_CUT;
	if (tp_crc32c_masked((struct tp_slice){header, LENGTH_BYTES}) !=
		number_at(header + LENGTH_BYTES, CHECKSUM_BYTES))
		return TP_RECORD_BAD_LENGTH;
	uint64_t length = number_at(header, LENGTH_BYTES), left = r->size - at - HEADER_BYTES;

	if (left < CHECKSUM_BYTES || length > left - CHECKSUM_BYTES)
		return TP_RECORD_CUT;
	if (length > MOST_RECORD_BYTES) {
		record->len = length;
		return TP_RECORD_TOO_LARGE;
	}
	const char *whole = bytes_at(r, at, HEADER_BYTES + length + CHECKSUM_BYTES);

	if (whole == NULL)
		return TP_RECORD_CUT;
	*record = (struct tp_slice){whole + HEADER_BYTES, (size_t)length};
	if (tp_crc32c_masked(*record) == number_at(whole + HEADER_BYTES + length, CHECKSUM_BYTES))
		return TP_RECORD_WHOLE;
	r->checked_bytes += length;
	return TP_RECORD_BAD_BYTES;
}

/* The next place from `at` on where a record may begin: with a length that the file has room for and, of an empty one, the
 * checksum that belongs to it. Nearly all others are told by that, zeros too, without working out a checksum for each. */
static uint64_t
next_place(struct tp_tfrecord *r, uint64_t at)
{
	static const char zeros[LENGTH_BYTES];
	uint64_t of_empty = tp_crc32c_masked((struct tp_slice){zeros, LENGTH_BYTES});
	const char *header;

	while (r->searched_bytes < MOST_SEARCHED_BYTES &&
		(header = bytes_at(r, at, HEADER_BYTES)) != NULL) {
		const char *last = r->window.ptr + r->window.len - HEADER_BYTES;

		for (; header <= last; header++, at++, r->searched_bytes++) {
			uint64_t length = number_at(header, LENGTH_BYTES);

			if (length <= r->size - at &&
				(length != 0 || number_at(header + LENGTH_BYTES, CHECKSUM_BYTES) == of_empty))
				return at;
		}
	}
	return r->size;
}

void
tp_tfrecord_open(struct tp_tfrecord *r, struct tp_slice file)
{
	*r = (struct tp_tfrecord){.window = file, .size = file.len};
}

void
tp_tfrecord_open_pieces(struct tp_tfrecord *r, struct tp_blob *blob)
{
	*r = (struct tp_tfrecord){.blob = blob, .size = tp_blob_size(blob)};
}

void
tp_tfrecord_close(struct tp_tfrecord *r)
{
	tp_buf_free(&r->room);
}

bool
tp_tfrecord_next(struct tp_tfrecord *r)
{
	uint64_t from = r->at;

	r->damage = TP_RECORD_WHOLE;
	r->damage_bytes = 0;
	for (; r->at < r->size; r->at = next_place(r, r->at + 1)) {
		enum tp_record_damage damage = look_at(r, r->at, &r->record);

		if (r->at == from)
			r->damage = damage;
		if (damage == TP_RECORD_WHOLE || r->checked_bytes / MOST_CHECKS > r->size)
			break;
		if (damage == TP_RECORD_TOO_LARGE)
			r->at += HEADER_BYTES + r->record.len + CHECKSUM_BYTES - 1;
	}
	bool found = r->at < r->size && r->checked_bytes / MOST_CHECKS <= r->size;

	if (!found)
		r->at = r->size;
	if (r->damage != TP_RECORD_WHOLE) {
		r->damaged++;
		r->damage_offset = from;
		r->damage_bytes = r->at - from;
	}
	if (!found)
		return false;
	r->offset = r->at;
	r->bytes_at = r->at + HEADER_BYTES;
	r->at += HEADER_BYTES + r->record.len + CHECKSUM_BYTES;
	r->records++;
	return true;
}

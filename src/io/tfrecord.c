/* Framing: u64 length, u32 masked CRC-32C of these 8 bytes, the bytes, u32 masked CRC-32C of them; all little endian
 * (tensorflow/core/lib/io/record_writer.h). */
#include "io/tfrecord.h"

#include "io/crc32c.h"

enum { LENGTH_BYTES = 8, CHECKSUM_BYTES = 4, HEADER_BYTES = LENGTH_BYTES + CHECKSUM_BYTES };

/* Bytes that are checked in vain while looking for a whole record, in sizes of the file: a file can be made of nothing but
 * lengths that agree and bytes that do not. */
enum { MOST_CHECKS = 16 };

static uint64_t
number_at(const struct tp_tfrecord *r, uint64_t at, unsigned size)
{
	uint64_t number = 0;

	for (unsigned i = 0; i < size; i++)
		number |= (uint64_t)(uint8_t)r->file.ptr[at + i] << 8 * i;
	return number;
}

/* What is at this place. */
static enum tp_record_damage
look_at(struct tp_tfrecord *r, uint64_t at, struct tp_slice *record)
{
	uint64_t left = r->file.len - at;

	if (left < HEADER_BYTES)
		return TP_RECORD_CUT;
	if (tp_crc32c_masked((struct tp_slice){r->file.ptr + at, LENGTH_BYTES}) !=
		number_at(r, at + LENGTH_BYTES, CHECKSUM_BYTES))
		return TP_RECORD_BAD_LENGTH;
	uint64_t length = number_at(r, at, LENGTH_BYTES);

	if (left - HEADER_BYTES < CHECKSUM_BYTES || length > left - HEADER_BYTES - CHECKSUM_BYTES)
		return TP_RECORD_CUT;
	*record = (struct tp_slice){r->file.ptr + at + HEADER_BYTES, (size_t)length};
	if (tp_crc32c_masked(*record) == number_at(r, at + HEADER_BYTES + length, CHECKSUM_BYTES))
		return TP_RECORD_WHOLE;
	r->checked_bytes += length;
	return TP_RECORD_BAD_BYTES;
}

void
tp_tfrecord_open(struct tp_tfrecord *r, struct tp_slice file)
{
	*r = (struct tp_tfrecord){.file = file};
}

bool
tp_tfrecord_next(struct tp_tfrecord *r)
{
	uint64_t from = r->at;

	r->damage = TP_RECORD_WHOLE;
	r->damage_bytes = 0;
	for (; r->at < r->file.len; r->at++) {
		enum tp_record_damage damage = look_at(r, r->at, &r->record);

		if (r->at == from)
			r->damage = damage;
		if (damage == TP_RECORD_WHOLE || r->checked_bytes / MOST_CHECKS > r->file.len)
			break;
	}
	bool found = r->at < r->file.len && r->checked_bytes / MOST_CHECKS <= r->file.len;

	if (!found)
		r->at = r->file.len;
	if (r->damage != TP_RECORD_WHOLE) {
		r->damaged++;
		r->damage_offset = from;
		r->damage_bytes = r->at - from;
	}
	if (!found)
		return false;
	r->offset = r->at;
	r->at += HEADER_BYTES + r->record.len + CHECKSUM_BYTES;
	r->records++;
	return true;
}

const char *
tp_record_damage_text(enum tp_record_damage damage)
{
	switch (damage) {
	case TP_RECORD_WHOLE:
		break;
	case TP_RECORD_BAD_LENGTH:
		return "a length whose checksum does not agree";
	case TP_RECORD_BAD_BYTES:
		return "a record whose checksum does not agree";
	case TP_RECORD_CUT:
		return "a record that the file ends in";
	}
	return "nothing";
}

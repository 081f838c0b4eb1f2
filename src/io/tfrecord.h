/* TFRecord files, record by record: length, checksum of the length, bytes, checksum of the bytes. Where a record is damaged,
 * the next whole one behind it is looked for. */
#ifndef TP_IO_TFRECORD_H
#define TP_IO_TFRECORD_H

#include "base/buf.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_blob;

enum tp_record_damage {
	TP_RECORD_WHOLE,
	TP_RECORD_BAD_LENGTH, /* its checksum does not agree, or it reaches beyond the file */
	TP_RECORD_BAD_BYTES,  /* their checksum does not agree */
	TP_RECORD_CUT,        /* the file ends inside it */
	TP_RECORD_TOO_LARGE,  /* no message of protobuf is: 2 GiB and more */
};

struct tp_tfrecord {
	struct tp_slice record;       /* what tp_tfrecord_next found; valid until the next call */
	uint64_t offset, bytes_at;    /* in the file: of its length, of its bytes */
	enum tp_record_damage damage; /* of what was passed over before it, or before the end … */
	uint64_t damage_offset, damage_bytes; /* … from where, how much; WHOLE: nothing was */
	uint64_t records, damaged;            /* so far; damaged: intervals */

	/* Its own. */
	struct tp_blob *blob; /* NULL: the window is the whole file */
	struct tp_slice window;
	struct tp_buf room; /* of the window */
	uint64_t window_at, size, at, checked_bytes, searched_bytes;
};

/* Over a file in memory, or over one in pieces, whose blob lives longer. */
void tp_tfrecord_open(struct tp_tfrecord *r, struct tp_slice file);
void tp_tfrecord_open_pieces(struct tp_tfrecord *r, struct tp_blob *blob);
void tp_tfrecord_close(struct tp_tfrecord *r);

/* The next whole record; false at the end. Look at damage after either. */
bool tp_tfrecord_next(struct tp_tfrecord *r);

#endif

/* Protobuf's wire format, written into a buffer of bytes. */
#ifndef TP_CODEC_PB_WRITE_H
#define TP_CODEC_PB_WRITE_H

#include "base/buf.h"
#include "base/slice.h"

#include <stdint.h>

void tp_pb_put_varint(struct tp_buf *o, uint64_t number);
void tp_pb_put_number(struct tp_buf *o, uint32_t field, uint64_t number);
void tp_pb_put_bytes(struct tp_buf *o, uint32_t field, struct tp_slice bytes);
/* Bytes that are fields already. */
void tp_pb_put_raw(struct tp_buf *o, struct tp_slice bytes);

/* Makes the last `size` bytes the content of this field. */
void tp_pb_wrap(struct tp_buf *o, uint32_t field, size_t size);

static inline struct tp_slice
tp_pb_written(const struct tp_buf *o)
{
	return (struct tp_slice){o->data, o->count};
}

#endif

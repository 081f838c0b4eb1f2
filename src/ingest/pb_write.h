/* Protobuf's wire format, written into a buffer that grows. */
#ifndef TP_INGEST_PB_WRITE_H
#define TP_INGEST_PB_WRITE_H

#include "base/slice.h"

#include <stdint.h>

struct tp_pb_out {
	char *data; /* malloc'd */
	size_t size, capacity;
};

void tp_pb_put_varint(struct tp_pb_out *o, uint64_t number);
void tp_pb_put_number(struct tp_pb_out *o, uint32_t field, uint64_t number);
void tp_pb_put_bytes(struct tp_pb_out *o, uint32_t field, struct tp_slice bytes);
/* Bytes that are fields already. */
void tp_pb_put_raw(struct tp_pb_out *o, struct tp_slice bytes);

/* Makes the last `size` bytes the content of this field. */
void tp_pb_wrap(struct tp_pb_out *o, uint32_t field, size_t size);

static inline struct tp_slice
tp_pb_written(const struct tp_pb_out *o)
{
	return (struct tp_slice){o->data, o->size};
}

void tp_pb_out_free(struct tp_pb_out *o);

#endif

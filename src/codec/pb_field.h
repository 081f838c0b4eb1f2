/* Fields of messages looked up one by one, for what is rarely wanted and not unpacked. */
#ifndef TP_CODEC_PB_FIELD_H
#define TP_CODEC_PB_FIELD_H

#include "codec/pb_wire.h"

/* The last field with this number in a message, and of this type; false: it has none. */
bool tp_pb_field(struct tp_slice message, uint32_t number, enum tp_pb_type type, struct tp_pb *out);
/* A number that stands alone; 0 when there is none. */
int64_t tp_pb_number(struct tp_slice message, uint32_t number);

/* Numbers of a repeated field, packed or not. */
struct tp_pb_numbers {
	struct tp_pb message, packed;
	uint32_t field;
};
struct tp_pb_numbers tp_pb_numbers(struct tp_slice message, uint32_t field);
bool tp_pb_next_number(struct tp_pb_numbers *n, int64_t *out);

#endif

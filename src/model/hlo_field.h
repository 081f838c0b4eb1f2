/* Fields of serialized HLO messages looked up one by one, for what is rarely wanted and not unpacked. */
#ifndef TP_MODEL_HLO_FIELD_H
#define TP_MODEL_HLO_FIELD_H

#include "codec/pb_wire.h"

/* The last field with this number in a message, and of this type; false: it has none. */
bool tp_hlo_field(
	struct tp_slice message, uint32_t number, enum tp_pb_type type, struct tp_pb *out);
/* A number that stands alone; 0 when there is none. */
int64_t tp_hlo_number(struct tp_slice message, uint32_t number);

/* Numbers of a repeated field, packed or not. */
struct tp_hlo_numbers {
	struct tp_pb message, packed;
	uint32_t field;
};
struct tp_hlo_numbers tp_hlo_numbers(struct tp_slice message, uint32_t field);
bool tp_hlo_next_number(struct tp_hlo_numbers *n, int64_t *out);

#endif

/* Walking over a message for one field of it. */
#include "codec/pb_field.h"

bool
tp_pb_field(struct tp_slice message, uint32_t number, enum tp_pb_type type, struct tp_pb *out)
{
	bool found = false;

	for (struct tp_pb p = tp_pb_open(message); tp_pb_next(&p);) {
		if (p.field == number && p.type == type) {
			*out = p;
			found = true;
		}
	}
	return found;
}

int64_t
tp_pb_number(struct tp_slice message, uint32_t number)
{
	int64_t last = 0;

	for (struct tp_pb p = tp_pb_open(message); tp_pb_next(&p);) {
		if (p.field == number && p.type == TP_PB_VARINT)
			last = (int64_t)p.number;
	}
	return last;
}

struct tp_pb_numbers
tp_pb_numbers(struct tp_slice message, uint32_t field)
{
	return (struct tp_pb_numbers){tp_pb_open(message), tp_pb_open(TP_S("")), field};
}

bool
tp_pb_next_number(struct tp_pb_numbers *n, int64_t *out)
{
	uint64_t number;

	for (;;) {
		if (n->packed.at < n->packed.end) {
			if (!tp_pb_varint(&n->packed, &number))
				return false;
			*out = (int64_t)number;
			return true;
		}
		do {
			if (!tp_pb_next(&n->message))
				return false;
		} while (n->message.field != n->field);
		if (n->message.type == TP_PB_VARINT) {
			*out = (int64_t)n->message.number;
			return true;
		}
		if (n->message.type == TP_PB_BYTES)
			n->packed = tp_pb_open(n->message.bytes);
	}
}

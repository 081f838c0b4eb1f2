/* The protobuf wire format, field by field over a slice; no meaning, no allocation. In a header because it is the inner
 * loop of reading. */
#ifndef TP_CODEC_PB_WIRE_H
#define TP_CODEC_PB_WIRE_H

#include "base/slice.h"

#include <stdint.h>

enum tp_pb_type { TP_PB_VARINT = 0, TP_PB_FIXED64 = 1, TP_PB_BYTES = 2, TP_PB_FIXED32 = 5 };

enum tp_pb_state {
	TP_PB_MORE,
	TP_PB_END,       /* the message ended where it should */
	TP_PB_TRUNCATED, /* the bytes ended inside a field; see tp_pb_next for BYTES */
	TP_PB_BROKEN,    /* not protobuf: field 0, unknown wire type, varint of more than 10 bytes */
};

struct tp_pb {
	const uint8_t *at, *end;
	enum tp_pb_state state;
	uint32_t field;
	enum tp_pb_type type;
	uint64_t number;       /* VARINT; FIXED64 and FIXED32: the bits */
	struct tp_slice bytes; /* BYTES */
};

static inline struct tp_pb
tp_pb_open(struct tp_slice message)
{
	const uint8_t *at = (const uint8_t *)message.ptr;

	return (struct tp_pb){.at = at, .end = message.len != 0 ? at + message.len : at};
}

/* The number in the first bytes of a varint, whose continuation bits and further bytes are 0: the seven-bit groups moved together, in
 * three steps. Each takes from the upper halves what they move down by. */
static inline uint64_t
tp_pb_gather(uint64_t word)
{
	word -= (word & 0x7f007f007f007f00ull) >> 1;
	word -= ((word & 0x3fff00003fff0000ull) >> 2) * 3;
	return (word & 0x0fffffff) | word >> 32 << 28;
}

/* A varint of one or two bytes at *at, which it moves behind it; two may be looked at there. False: it is longer. */
static inline bool
tp_pb_varint_brief(const uint8_t **at, uint64_t *out)
{
	unsigned low = (*at)[0], high = (*at)[1], has_high = low >> 7;

	if ((high & has_high << 7) != 0)
		return false;
	*out = (low & 0x7f) | (high << 7) * has_high;
	*at += 1 + has_high;
	return true;
}

/* A varint of at most 8 bytes at *at, which it moves behind it; 8 bytes may be looked at there, of whatever. False: it is longer. */
static inline bool
tp_pb_varint_near(const uint8_t **at, uint64_t *out)
{
	uint64_t word;

	memcpy(&word, *at, 8);
	uint64_t stops = ~word & 0x8080808080808080ull;

	if (stops == 0)
		return false;
	*out = tp_pb_gather(word & (stops ^ (stops - 1)) & 0x7f7f7f7f7f7f7f7full);
	*at += (unsigned)__builtin_ctzll(stops) / 8 + 1;
	return true;
}

/* Reads a varint at p->at; false with the state set when that fails. */
static inline bool
tp_pb_varint(struct tp_pb *p, uint64_t *out)
{
	const uint8_t *at = p->at;

	if (at < p->end && *at < 0x80) {
		*out = *at;
		p->at = at + 1;
		return true;
	}
	if (p->end - at >= 8 && tp_pb_varint_near(&at, out)) {
		p->at = at;
		return true;
	}
	uint64_t number = 0;

	for (unsigned shift = 0; shift < 70; shift += 7) {
		if (at == p->end) {
			p->state = TP_PB_TRUNCATED;
			return false;
		}
		uint8_t byte = *at++;

		if (shift < 64)
			number |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80) {
			p->at = at;
			*out = number;
			return true;
		}
	}
	p->state = TP_PB_BROKEN;
	return false;
}

/* The next field; false at the end and on errors, with p->state saying which. A BYTES field that runs past the end is
 * still returned, cut, with state TP_PB_TRUNCATED, so that what is there can be used; the following call ends. */
static inline bool
tp_pb_next(struct tp_pb *p)
{
	uint64_t key, length;

	if (p->state != TP_PB_MORE)
		return false;
	if (p->at == p->end) {
		p->state = TP_PB_END;
		return false;
	}
	const uint8_t *start = p->at;

	if (!tp_pb_varint(p, &key))
		return false;
	p->field = (uint32_t)(key >> 3);
	p->type = (enum tp_pb_type)(key & 7);
	if (p->field == 0 || key >> 32 != 0) {
		p->at = start;
		p->state = TP_PB_BROKEN;
		return false;
	}
	switch (p->type) {
	case TP_PB_VARINT:
		return tp_pb_varint(p, &p->number);
	case TP_PB_FIXED64:
		if (p->end - p->at < 8)
			break;
		memcpy(&p->number, p->at, 8);
		p->at += 8;
		return true;
	case TP_PB_BYTES:
		if (!tp_pb_varint(p, &length))
			return false;
		p->bytes = (struct tp_slice){(const char *)p->at, length};
		if (length > (uint64_t)(p->end - p->at)) {
			p->bytes.len = (size_t)(p->end - p->at);
			p->state = TP_PB_TRUNCATED;
		}
		p->at += p->bytes.len;
		return true;
	case TP_PB_FIXED32: {
		uint32_t bits;

		if (p->end - p->at < 4)
			break;
		memcpy(&bits, p->at, 4);
		p->number = bits;
		p->at += 4;
		return true;
	}
	default: /* 3, 4: groups, which no format here uses; 6, 7: not defined */
		p->at = start;
		p->state = TP_PB_BROKEN;
		return false;
	}
	p->state = TP_PB_TRUNCATED;
	return false;
}

/* The numbers in one field of a list, packed or alone. */
struct tp_pb_list {
	struct tp_pb packed; /* its state is no longer TP_PB_MORE where they are damaged */
	uint64_t alone;
	bool has_alone;
};

static inline struct tp_pb_list
tp_pb_list_of(const struct tp_pb *field)
{
	struct tp_pb_list l = {
		.packed = tp_pb_open(field->type == TP_PB_BYTES ? field->bytes : TP_S("")),
		.alone = field->number,
		.has_alone = field->type == TP_PB_VARINT,
	};

	if (field->type != TP_PB_BYTES && field->type != TP_PB_VARINT)
		l.packed.state = TP_PB_BROKEN;
	return l;
}

static inline bool
tp_pb_list_next(struct tp_pb_list *l, uint64_t *number)
{
	if (l->has_alone) {
		l->has_alone = false;
		*number = l->alone;
		return true;
	}
	return l->packed.at != l->packed.end && tp_pb_varint(&l->packed, number);
}

/* The next field of bytes with this number, past all others; false where tp_pb_next is. */
static inline bool
tp_pb_next_bytes(struct tp_pb *p, uint32_t field)
{
	while (tp_pb_next(p)) {
		if (p->field == field && p->type == TP_PB_BYTES)
			return true;
	}
	return false;
}

/* The first field of bytes with this number; empty when there is none before the message ends or breaks. */
static inline struct tp_slice
tp_pb_first(struct tp_slice message, uint32_t field)
{
	struct tp_pb p = tp_pb_open(message);

	return tp_pb_next_bytes(&p, field) ? p.bytes : TP_S("");
}

static inline double
tp_pb_double(const struct tp_pb *p)
{
	double number;

	memcpy(&number, &p->number, sizeof number);
	return number;
}

static inline float
tp_pb_float(const struct tp_pb *p)
{
	uint32_t bits = (uint32_t)p->number;
	float number;

	memcpy(&number, &bits, sizeof number);
	return number;
}

#endif

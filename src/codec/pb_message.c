/* Filling a struct of protoc-c by its descriptor. */
#include "codec/pb_message.h"

#include "base/arena.h"

/* A number that has no room is the largest that has. */
static inline void
put_number(uint64_t number, ProtobufCType type, void *member)
{
	if (type == PROTOBUF_C_TYPE_BOOL)
		*(protobuf_c_boolean *)member = number != 0;
	else if (type == PROTOBUF_C_TYPE_UINT32 || type == PROTOBUF_C_TYPE_ENUM)
		*(uint32_t *)member = number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
	else
		memcpy(member, &number, sizeof number);
}

bool
tp_pb_fill(struct tp_pb *p, ProtobufCMessage *m)
{
	const ProtobufCFieldDescriptor *first = m->descriptor->fields, *f = first;
	const ProtobufCFieldDescriptor *end = first + m->descriptor->n_fields;

	while (tp_pb_next(p)) {
		/* They stand in order of their numbers, and mostly come so. */
		if (f == end || f->id > p->field)
			f = first;
		while (f != end && f->id < p->field)
			f++;
		if (f == end || f->id != p->field || f->type == PROTOBUF_C_TYPE_MESSAGE)
			return true;
		void *member = (char *)m + f->offset;

		if (p->type == TP_PB_BYTES && f->type == PROTOBUF_C_TYPE_BYTES)
			*(ProtobufCBinaryData *)member =
				(ProtobufCBinaryData){p->bytes.len, (uint8_t *)p->bytes.ptr};
		else if (p->type == TP_PB_VARINT && f->type != PROTOBUF_C_TYPE_BYTES &&
			f->type != PROTOBUF_C_TYPE_DOUBLE)
			put_number(p->number, f->type, member);
		else if (p->type == TP_PB_FIXED64 && f->type == PROTOBUF_C_TYPE_DOUBLE)
			memcpy(member, &p->number, sizeof p->number);
		else
			return true;
		*(protobuf_c_boolean *)((char *)m + f->quantifier_offset) = true;
	}
	return false;
}

bool
tp_pb_message(ProtobufCMessage *m, struct tp_slice bytes)
{
	struct tp_pb p = tp_pb_open(bytes);

	while (tp_pb_fill(&p, m))
		;
	return p.state == TP_PB_END;
}

static void *
take(void *arena, size_t size)
{
	return tp_arena_alloc(arena, size);
}

static void
leave(void *arena, void *memory)
{
	(void)arena, (void)memory;
}

ProtobufCAllocator
tp_pb_in_arena(struct tp_arena *arena)
{
	return (ProtobufCAllocator){take, leave, arena};
}

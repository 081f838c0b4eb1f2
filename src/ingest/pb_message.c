/* Filling a struct of protoc-c by its descriptor. */
#include "ingest/pb_message.h"

/* Fields stand in order of their numbers, and mostly come so. */
static const ProtobufCFieldDescriptor *
field_of(const ProtobufCMessageDescriptor *d, uint32_t number, unsigned *at)
{
	if (*at == d->n_fields || d->fields[*at].id > number)
		*at = 0;
	while (*at < d->n_fields && d->fields[*at].id < number)
		(*at)++;
	return *at < d->n_fields && d->fields[*at].id == number ? &d->fields[*at] : NULL;
}

/* A field that the file has in another type is not there. */
static void
put(const struct tp_pb *p, const ProtobufCFieldDescriptor *f, ProtobufCMessage *m)
{
	void *member = (char *)m + f->offset;
	enum tp_pb_type expected = f->type == PROTOBUF_C_TYPE_BYTES ? TP_PB_BYTES
		: f->type == PROTOBUF_C_TYPE_DOUBLE                     ? TP_PB_FIXED64
																: TP_PB_VARINT;

	if (p->type != expected)
		return;
	if (f->type == PROTOBUF_C_TYPE_BYTES)
		*(ProtobufCBinaryData *)member =
			(ProtobufCBinaryData){p->bytes.len, (uint8_t *)p->bytes.ptr};
	else if (f->type == PROTOBUF_C_TYPE_UINT32)
		*(uint32_t *)member = (uint32_t)p->number;
	else if (f->type == PROTOBUF_C_TYPE_BOOL)
		*(protobuf_c_boolean *)member = p->number != 0;
	else
		memcpy(member, &p->number, sizeof p->number);
	*(protobuf_c_boolean *)((char *)m + f->quantifier_offset) = true;
}

bool
tp_pb_fill(struct tp_pb *p, ProtobufCMessage *m)
{
	unsigned at = 0;

	while (tp_pb_next(p)) {
		const ProtobufCFieldDescriptor *f = field_of(m->descriptor, p->field, &at);

		if (f == NULL)
			return true;
		put(p, f, m);
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

/* Keys, varints and bytes. */
#include "codec/pb_write.h"

/* Where `more` bytes have room behind the others. */
static char *
room(struct tp_buf *o, size_t more)
{
	if (more > o->capacity - o->count)
		tp_buf_room(o, o->count + more, 1);
	return (char *)o->data + o->count;
}

void
tp_pb_put_varint(struct tp_buf *o, uint64_t number)
{
	char *at = room(o, 10), *start = at;

	while (number >= 0x80) {
		*at++ = (char)(number | 0x80);
		number >>= 7;
	}
	*at++ = (char)number;
	o->count += (size_t)(at - start);
}

void
tp_pb_put_number(struct tp_buf *o, uint32_t field, uint64_t number)
{
	tp_pb_put_varint(o, (uint64_t)field << 3);
	tp_pb_put_varint(o, number);
}

void
tp_pb_put_raw(struct tp_buf *o, struct tp_slice bytes)
{
	if (bytes.len == 0)
		return;
	memcpy(room(o, bytes.len), bytes.ptr, bytes.len);
	o->count += bytes.len;
}

void
tp_pb_put_bytes(struct tp_buf *o, uint32_t field, struct tp_slice bytes)
{
	tp_pb_put_varint(o, (uint64_t)field << 3 | 2);
	tp_pb_put_varint(o, bytes.len);
	tp_pb_put_raw(o, bytes);
}

void
tp_pb_wrap(struct tp_buf *o, uint32_t field, size_t size)
{
	size_t start = o->count - size;

	tp_pb_put_varint(o, (uint64_t)field << 3 | 2);
	tp_pb_put_varint(o, size);
	size_t head = o->count - start - size;
	char key[20], *data = o->data;

	memcpy(key, data + start + size, head);
	memmove(data + start + head, data + start, size);
	memcpy(data + start, key, head);
}

/* Keys, varints and bytes. */
#include "ingest/pb_write.h"

#include "base/buf.h"

/* Room for `more` bytes, through the buffers that end the program when memory does. */
static char *
room(struct tp_pb_out *o, size_t more)
{
	struct tp_buf buf = {.data = o->data, .count = o->size, .capacity = o->capacity};

	if (more > o->capacity - o->size) {
		o->data = tp_buf_room(&buf, o->size + more, 1);
		o->capacity = buf.capacity;
	}
	return o->data + o->size;
}

void
tp_pb_put_varint(struct tp_pb_out *o, uint64_t number)
{
	char *at = room(o, 10), *start = at;

	while (number >= 0x80) {
		*at++ = (char)(number | 0x80);
		number >>= 7;
	}
	*at++ = (char)number;
	o->size += (size_t)(at - start);
}

void
tp_pb_put_number(struct tp_pb_out *o, uint32_t field, uint64_t number)
{
	tp_pb_put_varint(o, (uint64_t)field << 3);
	tp_pb_put_varint(o, number);
}

void
tp_pb_put_raw(struct tp_pb_out *o, struct tp_slice bytes)
{
	if (bytes.len == 0)
		return;
	memcpy(room(o, bytes.len), bytes.ptr, bytes.len);
	o->size += bytes.len;
}

void
tp_pb_put_bytes(struct tp_pb_out *o, uint32_t field, struct tp_slice bytes)
{
	tp_pb_put_varint(o, (uint64_t)field << 3 | 2);
	tp_pb_put_varint(o, bytes.len);
	tp_pb_put_raw(o, bytes);
}

void
tp_pb_wrap(struct tp_pb_out *o, uint32_t field, size_t size)
{
	size_t start = o->size - size;

	tp_pb_put_varint(o, (uint64_t)field << 3 | 2);
	tp_pb_put_varint(o, size);
	size_t head = o->size - start - size;
	char key[20];

	memcpy(key, o->data + start + size, head);
	memmove(o->data + start + head, o->data + start, size);
	memcpy(o->data + start, key, head);
}

void
tp_pb_out_free(struct tp_pb_out *o)
{
	struct tp_buf buf = {.data = o->data};

	tp_buf_free(&buf);
	*o = (struct tp_pb_out){0};
}

/* Small messages as the structs that protoc-c makes of the files in proto/, with their descriptors. Not by protobuf-c's own unpacking: that
 * gives nothing of a message that is cut or damaged, keeps what it does not know, and takes many times the bytes of rows that are
 * almost empty. Here what stands before the damage counts, and nothing is allocated: texts and messages within are bytes of
 * the message. */
#ifndef TP_CODEC_PB_MESSAGE_H
#define TP_CODEC_PB_MESSAGE_H

#include "codec/pb_wire.h"

#include <protobuf-c/protobuf-c.h>

struct tp_arena;

/* Reads fields into m, a struct of optional numbers and bytes; of those that are there twice the last counts. True at each field that m
 * does not take: rows, messages that it has as such, what is there in another type; false where the message ends, as p->state
 * says. */
bool tp_pb_fill(struct tp_pb *p, ProtobufCMessage *m);

/* All of a message, into m. False where it is cut or damaged. */
bool tp_pb_message(ProtobufCMessage *m, struct tp_slice bytes);

/* For protobuf-c's own unpacking, of our own files: all lives in the arena. */
ProtobufCAllocator tp_pb_in_arena(struct tp_arena *arena);

static inline struct tp_slice
tp_pb_slice(ProtobufCBinaryData bytes)
{
	return (struct tp_slice){(const char *)bytes.data, bytes.len};
}

#endif

/* What protobuf-c unpacks into. Without memory the program ends; by itself protobuf-c would say that the message is damaged. */
#ifndef TP_INGEST_PB_MEMORY_H
#define TP_INGEST_PB_MEMORY_H

#include <protobuf-c/protobuf-c.h>

ProtobufCAllocator tp_pb_memory(void);

#endif

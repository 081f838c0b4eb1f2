/* Memory for unpacked messages. */
#include "ingest/pb_memory.h"

#include "base/memory.h"

#include <stdlib.h>

static void *
take(void *with, size_t size)
{
	(void)with;
	return tp_memory_take(size);
}

static void
give_back(void *with, void *memory)
{
	(void)with;
	free(memory);
}

ProtobufCAllocator
tp_pb_memory(void)
{
	return (ProtobufCAllocator){.alloc = take, .free = give_back};
}

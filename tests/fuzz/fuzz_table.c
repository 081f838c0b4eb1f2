/* Any bytes as a table of LevelDB, the index of a checkpoint: it ends, and entries lie within it. */
#include "codec/table.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tp_table t;
	struct tp_slice file = {(const char *)data, size};
	volatile uint64_t sum = 0;

	tp_table_open(&t, file);
	while (tp_table_next(&t)) {
		for (size_t i = 0; i < t.value.len; i++)
			sum += (unsigned char)t.value.ptr[i];
		for (size_t i = 0; i < t.key.len; i++)
			sum += (unsigned char)t.key.ptr[i];
	}
	tp_table_close(&t);
	if (t.state == TP_TABLE_MORE)
		abort();
	return 0;
}

/* Any bytes as a tool file: the first byte chooses the reader, the rest is the file. */
#include "through.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct tp_reader *tools[32];
	size_t count = 0;

	for (const struct tp_reader *const *r = tp_readers; *r != NULL && count < 32; r++) {
		if ((*r)->kind == TP_READS_PRECOMPUTED)
			tools[count++] = *r;
	}
	if (size == 0 || count == 0)
		return 0;
	struct tp_slice file = {(const char *)data + 1, size - 1};

	tp_through_reader(tools[data[0] % count], "run/vm.tool", file, tp_through_formats(file));
	return 0;
}

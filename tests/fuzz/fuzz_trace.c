/* Any bytes as a trace: the first byte says in which of its two shapes, the rest is the file, perhaps compressed. */
#include "through.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	struct tp_slice file = {(const char *)data + 1, size - 1};

	if (data[0] % 2 == 0)
		tp_through_reader(
			&tp_reader_trace_json, "run/vm.trace.json", file, tp_through_formats(file));
	else
		tp_through_reader(&tp_reader_trace, "run/vm.trace", file, tp_through_formats(file));
	return 0;
}

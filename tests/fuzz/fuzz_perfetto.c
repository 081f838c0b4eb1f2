/* Any bytes as a Perfetto trace. */
#include "through.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tp_slice file = {(const char *)data, size};

	tp_through_reader(
		&tp_reader_perfetto, "run/any.perfetto-trace", file, tp_through_formats(file));
	return 0;
}

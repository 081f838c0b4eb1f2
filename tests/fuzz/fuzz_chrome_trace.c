/* Any bytes as a Chrome trace of any program, perhaps compressed. */
#include "through.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tp_slice file = {(const char *)data, size};

	tp_through_reader(&tp_reader_chrome_trace, "run/any.json", file, tp_through_formats(file));
	return 0;
}

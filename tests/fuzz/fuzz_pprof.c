/* Any bytes as a memory profile: read, analyse, check the document, render it. */
#include "through.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tp_slice bytes = {(const char *)data, size};

	tp_through_reader(&tp_reader_pprof, "run/memory.prof", bytes, tp_through_formats(bytes));
	return 0;
}

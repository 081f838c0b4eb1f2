/* Any bytes as a compiled program on its own, through its reader to the page. */
#include "through.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tp_slice bytes = {(const char *)data, size};

	tp_through_reader(
		&tp_reader_hlo_proto, "run/jit_f(7).hlo_proto.pb", bytes, tp_through_formats(bytes));
	return 0;
}

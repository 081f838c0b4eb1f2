/* Any bytes as a compiled program on its own, through its reader to the page. */
#include "through.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const formats[] = {"html", "json", "outline", NULL};

	tp_through_reader(&tp_reader_hlo_proto, "run/jit_f(7).hlo_proto.pb",
		(struct tp_slice){(const char *)data, size}, formats);
	return 0;
}

/* Any bytes as a PyTorch trace, the whole way to a report. */
#include "through.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const formats[] = {"json", "outline", NULL};

	tp_through_reader(&tp_reader_torch, "run/rank_0.12.pt.trace.json",
		(struct tp_slice){(const char *)data, size}, formats);
	return 0;
}

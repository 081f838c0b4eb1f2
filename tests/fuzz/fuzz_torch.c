/* Any bytes as a PyTorch trace, the whole way to a report; both ways to read events agree, and so does the text cut into slices. */
#include "through.h"
#include "torch_slices.h"
#include "torch_ways.h"

#include "ingest/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tp_slice text = {(const char *)data, size};
	size_t usual;

	tp_through_reader(
		&tp_reader_torch, "run/rank_0.12.pt.trace.json", text, tp_through_formats(text));
	tp_reader_torch.began_unix_ns(text);
	if (!torch_ways_agree(text, &usual))
		abort();
	/* As many slices as keep this quick. */
	if (!torch_slices_agree(text, size / 16 + 1, NULL))
		abort();
	return 0;
}

/* Any bytes as a graph, on the wire or as text, or as a dump of tfprof; the first byte says which. */
#include "through.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	struct tp_slice bytes = {(const char *)data + 1, size - 1};

	if (data[0] % 2 == 0)
		tp_through_reader(&tp_reader_graph, "run/graph.pb", bytes, tp_through_formats(bytes));
	else
		tp_through_reader(&tp_reader_tfprof, "run/profile_1", bytes, tp_through_formats(bytes));
	return 0;
}

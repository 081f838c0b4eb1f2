/* Any bytes as an XSpace: read, analyse, check the document, render it; and read in pieces, which makes no difference. */
#include "through.h"
#include "xspace_pieces.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tp_slice bytes = {(const char *)data, size};

	tp_through_reader(&tp_reader_xspace, "run/vm.xplane.pb", bytes, tp_through_formats(bytes));
	/* As many pieces as keep this quick. */
	if (!xspace_pieces_agree(bytes, size / 16 + 1, NULL))
		abort();
	return 0;
}

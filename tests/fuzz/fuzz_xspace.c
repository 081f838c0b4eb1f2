/* Any bytes as an XSpace: read, analyse, check the document, render it. */
#include "through.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const formats[] = {"json", "outline", "html", NULL};
	struct tp_slice bytes = {(const char *)data, size};

	/* HTML costs as much as the rest together; the last byte, which seldom matters, says when. */
	bool pages = size != 0 && data[size - 1] % 8 == 0;
	const char *const few[] = {formats[0], formats[1], NULL};

	tp_through(bytes, pages ? formats : few);
	return 0;
}

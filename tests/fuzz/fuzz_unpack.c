/* Any bytes as gzip and as zstd: unpacking ends, and what was said to be there can be read. */
#include "io/unpack.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
unpack(enum tp_packing packing, struct tp_slice packed)
{
	struct tp_err err = {.status = TP_OK};
	struct tp_slice out = {NULL, 0};
	enum tp_status status = tp_unpack(packing, packed, "fuzz", 0, NULL, &out, &err);
	unsigned sum = 0;

	for (size_t i = 0; i < out.len; i++)
		sum ^= (unsigned char)out.ptr[i];
	if (status != err.status || (status != TP_OK && err.text[0] == '\0') || sum > 255)
		abort();
	free((void *)out.ptr);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tp_slice packed = {(const char *)data, size};
	enum tp_packing packing = tp_packing_of(packed);

	if (packing != TP_PACKING_NONE)
		unpack(packing, packed);
	return 0;
}

/* Snappy's block format, unpacking only (google/snappy, format_description.txt). The library is C++, and would bring that language's
 * runtime into the program for this page. */
#ifndef TP_CODEC_SNAPPY_H
#define TP_CODEC_SNAPPY_H

#include "base/slice.h"

/* How many bytes the block unpacks to; false: it does not say so, or more than so many bytes can. */
bool tp_snappy_length(struct tp_slice packed, size_t *length);

/* Unpacks into out, which has room for exactly as many; false: the block is damaged. */
bool tp_snappy_unpack(struct tp_slice packed, char *out, size_t length);

#endif

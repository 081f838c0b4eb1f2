/* CRC-32C (Castagnoli), as TFRecord files have it. */
#ifndef TP_IO_CRC32C_H
#define TP_IO_CRC32C_H

#include "base/slice.h"

#include <stdint.h>

uint32_t tp_crc32c(struct tp_slice bytes);

/* As it is stored: rotated and added to, so that a checksum over bytes that hold checksums is none of them. */
uint32_t tp_crc32c_masked(struct tp_slice bytes);

#endif

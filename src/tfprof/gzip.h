/* Bytes as a gzip file. */
#ifndef TP_TFPROF_GZIP_H
#define TP_TFPROF_GZIP_H

#include "base/slice.h"

struct tp_sink;

void tp_tfprof_gzip(struct tp_slice bytes, struct tp_sink *out);

#endif

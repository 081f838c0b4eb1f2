/* A place for bytes on their way, without a name: nothing is left of it, whatever ends the program. */
#ifndef TP_IO_SPOOL_H
#define TP_IO_SPOOL_H

#include "base/err.h"

#include <stdint.h>

/* An open file: in memory for few bytes, else in the folder that TMPDIR names (/tmp). UINT64_MAX: it is not known how many. −1 and
 * err when there is no room for one. */
int tp_spool_open(uint64_t size_bytes, struct tp_err *err);

/* The folder for what lies on a disk: of TMPDIR, else /tmp. */
const char *tp_spool_folder(void);

#endif

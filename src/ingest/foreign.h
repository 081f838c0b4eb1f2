/* Files that are of no reader: what they are, by how they begin, and what helps. */
#ifndef TP_INGEST_FOREIGN_H
#define TP_INGEST_FOREIGN_H

#include "base/err.h"
#include "base/slice.h"

/* "a zip archive: unpack it first …" of a file with this name and these first bytes, which are unpacked already; NULL: it is
 * none that is known. guessed: no reader knows it, so that likeness is enough. */
const char *tp_foreign_file(const char *name, struct tp_slice head, bool guessed);

/* TP_ERR_UNSUPPORTED with what to do for a path like "hdfs://host/logs"; TP_OK for one that can be read (io/remote.h). */
enum tp_status tp_check_local(const char *path, struct tp_err *err);

#endif

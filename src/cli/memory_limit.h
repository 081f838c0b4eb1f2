/* --memory-limit: how much memory the program may take. */
#ifndef TP_CLI_MEMORY_LIMIT_H
#define TP_CLI_MEMORY_LIMIT_H

#include "base/err.h"

/* Sets the limit: "4G", "500M", "none", or a share of what the machine and its control groups allow when word is NULL.
 * TP_ERR_USAGE when the word is none of these. */
enum tp_status tp_memory_limit_take(const char *word, struct tp_err *err);

#endif

/* What a shell offers for the word under the cursor: `tpreport --complete WORD…`, which the scripts of src/package/completions call; `tpreport
 * completion SHELL` prints these. */
#ifndef TP_CLI_COMPLETE_H
#define TP_CLI_COMPLETE_H

#include "base/slice.h"
#include "cli/options.h"

#include <stddef.h>

/* Prints what the last of these words may become, one a line: the word, and where there is more to say, a tab and that. ":files" and
 * ":folders" say that paths are wanted as well. The words are those behind the program's name; returns the exit status. */
int tp_complete(size_t count, char **words);

/* Of complete_path.c: what the run or report holds that the line names, where words begin with `prefix`. Says nothing about what it
 * cannot read. */
void tp_complete_path(const struct tp_args *args, enum tp_offer offer, struct tp_slice prefix);

/* Of completion.c: the shells that there are scripts for. */
void tp_complete_shells(struct tp_slice prefix);

/* Prints a candidate if it begins so; `says` may be empty. */
void tp_complete_offer(struct tp_slice prefix, struct tp_slice word, struct tp_slice says);

#endif

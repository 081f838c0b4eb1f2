/* Parts of a path. */
#ifndef TP_BASE_PATH_H
#define TP_BASE_PATH_H

#include "base/slice.h"

#include <stdbool.h>

/* "a/b" of "a/b/c", "/" of "/a", "." of a bare name. Points into path or at a literal. */
struct tp_slice tp_path_folder(struct tp_slice path);

/* "c" of "a/b/c" and of "a/b/c/". Points into path. */
struct tp_slice tp_path_name(struct tp_slice path);

/* Whether the path ends so, in upper or lower case, and something stands before it. */
bool tp_path_has_suffix(struct tp_slice path, const char *suffix);

#endif

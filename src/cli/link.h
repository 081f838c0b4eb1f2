/* Links from one file to another. */
#ifndef TP_CLI_LINK_H
#define TP_CLI_LINK_H

#include "base/slice.h"

struct tp_arena;

/* The path of a file as seen from a folder: "../run/report.html". */
struct tp_slice tp_path_from(struct tp_slice folder, struct tp_slice path, struct tp_arena *arena);

/* The same as a link, with %20 and the like; empty for what is no page that a browser shows, .html or .pdf. */
struct tp_slice tp_link_from(struct tp_slice folder, struct tp_slice path, struct tp_arena *arena);

#endif

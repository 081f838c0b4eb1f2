/* Outputs of --redact: held back until all of them are searched for the names that they shall not have, then written; or none is. */
#ifndef TP_CLI_HELD_H
#define TP_CLI_HELD_H

#include "base/err.h"

#include <stdbool.h>

struct tp_args;
struct tp_doc;
struct tp_folder;
struct tp_held;
struct tp_sink;

struct tp_held *tp_held_new(const struct tp_args *args);

/* What is to be written to a path, "-" for standard output. The sink is the holder's own. */
struct tp_sink *tp_held_sink(struct tp_held *h, const char *path);
struct tp_folder *tp_held_folder(struct tp_held *h, const char *path, struct tp_err *err);

/* The report that outputs show: what is drawn in them by glyphs or packed in a way of its own is from it alone. */
void tp_held_doc(struct tp_held *h, const struct tp_doc *doc);

/* Searches everything; false, with a message, where a name is found. */
bool tp_held_prove(struct tp_held *h);

/* Writes what was to be written to a path; after tp_held_prove. */
enum tp_status tp_held_write(struct tp_held *h, const char *path, struct tp_err *err);

void tp_held_free(struct tp_held *h); /* NULL is allowed */

#endif

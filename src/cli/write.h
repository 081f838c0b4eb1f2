/* Writing the outputs of a document. */
#ifndef TP_CLI_WRITE_H
#define TP_CLI_WRITE_H

#include "base/slice.h"

struct tp_args;
struct tp_arena;
struct tp_doc;
struct tp_outputs;

/* Writes every output of a document; the paths of those that succeeded are added to *written, with ", " between. further: others were
 * written before, so on standard output a blank line is between. Returns the worst exit status; one output that cannot be written does not
 * stop the others. */
int tp_write_outputs(const struct tp_args *args, const struct tp_doc *doc, bool further,
	const struct tp_outputs *out, const struct tp_slice *paths, struct tp_slice *written,
	struct tp_arena *arena);

/* On a terminal: "report.html, report.pdf: ▲ Input-bound (high) · 1 finding". */
void tp_say_written(const struct tp_doc *doc, struct tp_slice written, struct tp_arena *arena);

#endif

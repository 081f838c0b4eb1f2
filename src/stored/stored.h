/* Reports that tpreport wrote, as input: what they hold is found in a page, a PDF or a JSON file, and read back. */
#ifndef TP_STORED_STORED_H
#define TP_STORED_STORED_H

#include "base/err.h"
#include "base/slice.h"

#include <stdbool.h>

struct tp_arena;
struct tp_doc;

/* Whether a file that begins so may be one; the first 64 KiB are enough. */
bool tp_stored_begins(struct tp_slice head);

/* How much of a report is read. */
enum tp_stored_part {
	TP_STORED_WHOLE,
	TP_STORED_COMPARED, /* of tables that comparisons do not look at (report/compared.h) no rows */
};

/* The JSON that a page or a PDF holds, unpacked; the bytes themselves of all else. Empty and err where it is damaged. */
struct tp_slice tp_stored_json(
	struct tp_slice bytes, const char *name, struct tp_arena *arena, struct tp_err *err);

/* The document of a report. bytes and the arena, which gets the document, live as long as it does. NULL and err when it holds none: the
 * status is FORMAT for what is damaged, cut off or edited, ABSENT for a page or a PDF of somebody else, and for what is not about
 * one run. */
struct tp_doc *tp_stored_read(struct tp_slice bytes, const char *name, enum tp_stored_part part,
	struct tp_arena *arena, struct tp_err *err);

#endif

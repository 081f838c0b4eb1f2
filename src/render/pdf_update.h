/* What cairo does not write: language, title bar, attachment, what figures show. */
#ifndef TP_RENDER_PDF_UPDATE_H
#define TP_RENDER_PDF_UPDATE_H

#include "base/err.h"
#include "base/slice.h"

#include <stddef.h>
#include <stdint.h>

struct tp_arena;
struct tp_sink;

struct tp_pdf_extra {
	struct tp_slice attachment;  /* bytes of report.json */
	const struct tp_slice *alts; /* of the Figures, in the order they were drawn */
	size_t alt_count;
	int64_t made_unix_s;
};

/* Writes pdf, which cairo made, with an incremental update behind it. TP_ERR_FORMAT when it is not as expected. */
enum tp_status tp_pdf_update(struct tp_slice pdf, const struct tp_pdf_extra *extra,
	struct tp_arena *arena, struct tp_sink *out, struct tp_err *err);

#endif

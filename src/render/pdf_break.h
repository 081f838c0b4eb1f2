/* Lines of a name in a narrow column. */
#ifndef TP_RENDER_PDF_BREAK_H
#define TP_RENDER_PDF_BREAK_H

#include "base/slice.h"

/* Breaks a name of ASCII into lines of at most `letters`, where its parts end; behind the last is room for `more`. Writes where each line
 * ends and returns their count, at most `most`; 0: its parts are too long or too many for that, or it is not ASCII. */
size_t tp_pdf_break_name(
	struct tp_slice name, size_t letters, size_t more, size_t *ends, size_t most);

#endif

/* What of a page stands folded at first, so that it can be read in one sitting. */
#ifndef TP_RENDER_HTML_FOLD_H
#define TP_RENDER_HTML_FOLD_H

#include <stdbool.h>
#include <stddef.h>

#include "report/paper.h"

struct tp_arena;
struct tp_block;
struct tp_doc;

/* Blocks that stand folded, in the order of the document, in arena; ends with NULL. They are sections (SUB) and tables with a
 * caption. *paper: how much of the page is printed, to be about as long as a PDF. */
const struct tp_block *const *tp_html_folded(
	const struct tp_doc *doc, enum tp_paper *paper, struct tp_arena *arena);

/* Whether the page has more elements than a browser lays out at once. */
bool tp_html_is_large(const struct tp_doc *doc);

#endif

/* What of a page stands folded at first, so that it can be read in one sitting. */
#ifndef TP_RENDER_HTML_FOLD_H
#define TP_RENDER_HTML_FOLD_H

#include <stdbool.h>
#include <stddef.h>

struct tp_arena;
struct tp_block;
struct tp_doc;

struct tp_html_height {
	const struct tp_block *section; /* main or minor */
	double px;
};

/* Lists in the order of the document; each ends with NULL. */
struct tp_html_plan {
	/* sections (SUB) and tables with a caption that stand folded */
	const struct tp_block *const *folded;
	/* of sections, about, in a window of 1440 px */
	const struct tp_html_height *heights;
};

/* In arena. */
struct tp_html_plan tp_html_plan(const struct tp_doc *doc, struct tp_arena *arena);

/* Whether the page has more elements than a browser lays out at once. */
bool tp_html_is_large(const struct tp_doc *doc);

#endif

/* The header of a report, which is a template: the head of a page's rail, and where the user has one of their own that of a PDF's
 * pages. */
#ifndef TP_RENDER_HEADER_H
#define TP_RENDER_HEADER_H

#include "base/err.h"
#include "base/slice.h"

struct tp_arena;
struct tp_doc;
struct tp_html_page;

/* Writes it to a page: a slot of page.html. */
void tp_html_header(struct tp_html_page *page, const void *thing);

/* Fills *text, in arena, with that of the directory; with nothing when it has none. template_dir may be NULL. */
enum tp_status tp_header_text(const char *template_dir, const struct tp_doc *doc,
	struct tp_arena *arena, struct tp_slice *text, struct tp_err *err);

#endif

/* The HTML writer: the only way text and attributes reach a page. It escapes, knows which elements are void and which hold
 * raw text, and closes what was opened. */
#ifndef TP_TEMPLATE_HTML_WRITER_H
#define TP_TEMPLATE_HTML_WRITER_H

#include "base/slice.h"

struct tp_arena;
struct tp_sink;

enum { TP_HTML_DEPTH = 320 }; /* more than libxml2 lets a template be deep */

struct tp_html {
	struct tp_sink *out;
	const char *open[TP_HTML_DEPTH]; /* names of the open elements, borrowed */
	unsigned depth;
	bool in_tag; /* "<name" is written, ">" is not: attributes may follow */
};

/* Starts a page: writes the document type. */
void tp_html_start(struct tp_html *h, struct tp_sink *out);

/* Starts a piece of a page. */
void tp_html_init(struct tp_html *h, struct tp_sink *out);

/* Opens an element; name must live until it is closed. */
void tp_html_open(struct tp_html *h, const char *name);

/* Attributes of the element just opened. */
void tp_html_attr(struct tp_html *h, const char *name, struct tp_slice value);
void tp_html_attrf(struct tp_html *h, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Text. Control characters, invalid UTF-8 and what turns the reading direction are replaced by something to be seen. Within
 * script and style the text is written as it is, for it cannot be escaped there: "</" and "<!" are broken up. */
void tp_html_text(struct tp_html *h, struct tp_slice text);

/* Text as a reader is to see it, for a script that shows it later: with the same replacements. The text itself where there
 * are none, else in arena. */
struct tp_slice tp_html_seen(struct tp_slice text, struct tp_arena *arena);

/* JSON within a script element: the same, with "<" as \u003c. */
void tp_html_json(struct tp_html *h, struct tp_slice json);

/* Where the caller writes what has no "<" in it, within a script element. */
struct tp_sink *tp_html_raw(struct tp_html *h);

/* Closes the innermost open element. Void elements are closed too, so that callers need not know them. */
void tp_html_close(struct tp_html *h);

/* open, attribute class (when not empty), text, close. */
void tp_html_element(
	struct tp_html *h, const char *name, const char *class_name, struct tp_slice text);

/* A line break in the source, where it does not matter to the reader. */
void tp_html_newline(struct tp_html *h);

#endif

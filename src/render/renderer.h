/* Renderers: one descriptor an output format. They see the document, never the profile. */
#ifndef TP_RENDER_RENDERER_H
#define TP_RENDER_RENDERER_H

#include "base/err.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>

struct tp_arena;
struct tp_doc;
struct tp_folder;
struct tp_pool;
struct tp_sink;

struct tp_render_options {
	const char *template_dir; /* NULL: the templates inside the binary */
	/* HTML: where a copy of the style sheet lies, as seen from the page's folder; empty: nowhere */
	struct tp_slice css_file;
	bool letter; /* PDF: Letter instead of A4 */
	/* PDF: aim at no more, by leaving detail to the other outputs; 0: no bound */
	unsigned most_pages;
	/* every row of every table (--top all): in the PDF, and in what rides inside others */
	bool all_rows;
	size_t most_bytes;    /* Markdown: at most so long; 0: 8 KiB */
	unsigned columns;     /* text: width of a line; 0: 80 */
	bool colour;          /* text: for a terminal that shows colours */
	struct tp_pool *pool; /* for parts side by side; NULL: one after the other */
};

struct tp_renderer {
	const char *name, *summary;
	const char *suffix, *other_suffix; /* ".html", ".htm"; in any case; NULL: none other */
	enum tp_status (*render)(const struct tp_doc *doc, const struct tp_render_options *options,
		struct tp_sink *out, struct tp_err *err);
	bool
		of_events; /* it writes all events of the run (report/run_events.h), which nobody else asks for */
	/* of one that writes a folder of files; NULL: all others */
	enum tp_status (*render_folder)(
		const struct tp_doc *doc, struct tp_folder *out, struct tp_err *err);
};

/* All renderers, in the order of --list; ends with NULL. */
extern const struct tp_renderer *const tp_renderers[];

/* By name ("html") or by the suffix of a path ("x.html", "X.HTM", of folders "x.csv/"); NULL when there is none. */
const struct tp_renderer *tp_renderer_named(const char *name);
const struct tp_renderer *tp_renderer_for_path(const char *path);

extern const struct tp_renderer tp_render_html, tp_render_pdf, tp_render_json, tp_render_outline,
	tp_render_end_to_end, tp_render_text, tp_render_markdown, tp_render_csv, tp_render_sqlite,
	tp_render_summary, tp_render_css, tp_render_sarif, tp_render_perfetto, tp_render_chrome_trace;

/* Rows of a table of events beyond which the JSON inside a page or a PDF holds those alone that stand open: a page has all of them in a
 * shorter form. */
enum { TP_RENDER_MANY_EVENTS = 2000 };

/* The JSON as it rides inside a page or a PDF, without blanks between its parts. Unless all rows are wanted, its tables hold the rows that stand open only,
 * and say how many they lack, once this many bytes are written. drawn_only: timelines are what is drawn of them. */
void tp_render_json_inside(const struct tp_doc *doc, const struct tp_render_options *options,
	size_t bytes, bool drawn_only, struct tp_sink *out);

/* All texts in a database that tp_render_sqlite wrote, and the names of its tables and columns, one a line. */
enum tp_status tp_sqlite_texts(struct tp_slice database, struct tp_sink *out, struct tp_err *err);

/* The text of the header in the directory of templates, in arena; empty where that has none. template_dir may be NULL. */
enum tp_status tp_render_header(const char *template_dir, const struct tp_doc *doc,
	struct tp_arena *arena, struct tp_slice *text, struct tp_err *err);

#endif

/* What the parts of the Markdown digest share: texts that stay texts whatever they hold, and tables. */
#ifndef TP_RENDER_MARKDOWN_H
#define TP_RENDER_MARKDOWN_H

#include "io/sink.h"
#include "report/doc.h"

struct tp_markdown {
	struct tp_sink *out;
	struct tp_arena *arena; /* for the time of the rendering */
};

/* Texts (markdown_text.c): on one line, with what Markdown would obey escaped. What a forge would turn into a link, a mention or a
 * number of an issue stands as code. */
void tp_markdown_put(struct tp_markdown *m, struct tp_slice text);
void tp_markdown_code(struct tp_markdown *m, struct tp_slice text);
void tp_markdown_value(struct tp_markdown *m, struct tp_value value);
void tp_markdown_sentence(struct tp_markdown *m, struct tp_text text);
/* A sentence whose parts are not set apart, for within strong text and headings. */
void tp_markdown_flat(struct tp_markdown *m, struct tp_text text);
void tp_markdown_glyph(struct tp_markdown *m, enum tp_judge judge); /* "▲ ", or nothing */

/* Tables (markdown_table.c). At most so many rows; the rest is counted in a line below. */
void tp_markdown_table(struct tp_markdown *m, const struct tp_table *table, size_t most_rows);

#endif

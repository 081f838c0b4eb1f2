/* What the parts of the outline share: where it is written, how deep, and how text is put into it. */
#ifndef TP_RENDER_OUTLINE_H
#define TP_RENDER_OUTLINE_H

#include "io/sink.h"
#include "report/doc.h"

/* So many points, rows … of a chart are shown: more would drown the rest. */
enum { TP_OUTLINE_MOST = 12 };

struct tp_outline {
	struct tp_sink *out;
	unsigned depth;
};

/* Texts and values (outline_text.c). One line stays one line, and no terminal obeys a profile. */
void tp_outline_indent(struct tp_outline *o, unsigned more);
void tp_outline_put(struct tp_outline *o, struct tp_slice text);
void tp_outline_value(struct tp_outline *o, struct tp_value v);

/* before and after stand only when there is something between them. */
void tp_outline_between(
	struct tp_outline *o, const char *before, struct tp_slice text, const char *after);

#endif

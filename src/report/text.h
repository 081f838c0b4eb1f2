/* A sentence of the document: spans of text, figures and links. */
#ifndef TP_REPORT_TEXT_H
#define TP_REPORT_TEXT_H

#include "base/number.h"
#include "base/slice.h"
#include "report/judge.h"

struct tp_arena;

enum tp_style { TP_STYLE_PLAIN, TP_STYLE_STRONG, TP_STYLE_MUTED, TP_STYLE_CODE };

/* A piece of a sentence. Shown text: the value's when has_value, else text. */
struct tp_span {
	enum tp_style style;
	/* TP_JUDGE_NONE, else the span is just this glyph in its colour; text is empty */
	enum tp_judge judge;
	bool has_value;
	struct tp_value value;
	struct tp_slice text;
	struct tp_slice href;   /* "#anchor" within the document, or empty */
	struct tp_slice metric; /* id of the metric that the value is, or empty */
};

struct tp_text {
	const struct tp_span *spans;
	size_t count;
};

/* What a span shows: its text, or its value's. */
struct tp_slice tp_span_shown(const struct tp_span *span, char buf[static TP_VALUE_BUF]);

/* What a sentence shows, as one text in a. */
struct tp_slice tp_text_shown(struct tp_text text, struct tp_arena *a);

#endif

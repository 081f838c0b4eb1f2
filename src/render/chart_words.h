/* What one kind of chart says where it is not drawn: in JSON, in the outline, on a terminal. */
#ifndef TP_RENDER_CHART_WORDS_H
#define TP_RENDER_CHART_WORDS_H

#include "report/chart.h"

struct tp_json_report;
struct tp_outline;
struct tp_terminal;

struct tp_chart_words {
	const char *heading; /* in the outline: "stack chart" */
	void (*json)(struct tp_json_report *w, const struct tp_chart *chart);
	void (*outline)(struct tp_outline *o, const struct tp_chart *chart);
	void (*terminal)(
		struct tp_terminal *t, const struct tp_chart *chart); /* NULL: left to other outputs */
};

#define TP_CHART_WORDS(KIND, name) extern const struct tp_chart_words tp_##name##_words;
TP_CHART_KINDS(TP_CHART_WORDS)
#undef TP_CHART_WORDS

const struct tp_chart_words *tp_chart_words(enum tp_chart_kind kind);

#endif

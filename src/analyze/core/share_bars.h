/* Bars of the parts that take most of a time. */
#ifndef TP_ANALYZE_SHARE_BARS_H
#define TP_ANALYZE_SHARE_BARS_H

#include "analyze/core/ctx.h"
#include "report/doc.h"

#include <stdint.h>

struct tp_share_bar {
	struct tp_slice label;
	int64_t time_ps;
	enum tp_hue hue; /* not TP_HUE_NONE */
};

/* The first bars, which are the longest, as shares of whole_ps; count is at least 1. what: "categories", of: "busy time". */
void tp_share_bars(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *parent,
	const char *id, const struct tp_share_bar *bars, size_t count, int64_t whole_ps,
	const char *what, const char *of);

#endif

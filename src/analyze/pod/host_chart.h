/* The chart of hosts: the mean step of each by class of time. */
#ifndef TP_ANALYZE_HOST_CHART_H
#define TP_ANALYZE_HOST_CHART_H

#include "analyze/core/ctx.h"

struct tp_hosts;

/* Of very many hosts the slowest; nothing where hosts have no steps. */
void tp_host_chart(const struct tp_pass_ctx *ctx, const struct tp_hosts *hosts, struct tp_doc *doc,
	struct tp_block *section);

#endif

/* The performance summary: the figures by which a run is judged, on one page. */
#ifndef TP_ANALYZE_PERFORMANCE_H
#define TP_ANALYZE_PERFORMANCE_H

#include "analyze/core/ctx.h"

/* No result of its own: it cites what other passes registered. */
extern const struct tp_pass tp_pass_performance;

#endif

/* Method and data quality: which files were read and how completely, what was assumed, which thresholds hold. */
#ifndef TP_ANALYZE_QUALITY_H
#define TP_ANALYZE_QUALITY_H

#include "analyze/core/ctx.h"

extern const struct tp_pass tp_pass_quality;

#endif

/* Which way a metric should go: whether more of it is worse, better or neither. */
#ifndef TP_REPORT_DIRECTION_H
#define TP_REPORT_DIRECTION_H

#include "base/slice.h"

enum tp_direction { TP_NO_DIRECTION, TP_LOWER_IS_BETTER, TP_HIGHER_IS_BETTER };

/* An id without scope, or with one * for any text in its place. */
struct tp_direction_rule {
	const char *ids;
	enum tp_direction direction;
};

/* All rules; the first that fits an id decides. Ends with ids NULL. */
extern const struct tp_direction_rule tp_direction_rules[];

/* The rule for a metric, whose id may have a scope; NULL: there is none. */
const struct tp_direction_rule *tp_direction_rule_for(struct tp_slice id);

/* The direction of a metric, whose id may have a scope; none where no rule fits. */
enum tp_direction tp_metric_direction(struct tp_slice id);

#endif

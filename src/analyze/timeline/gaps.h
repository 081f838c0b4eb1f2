/* Long stretches of a timeline in which nothing runs. */
#ifndef TP_ANALYZE_TIMELINE_GAPS_H
#define TP_ANALYZE_TIMELINE_GAPS_H

#include "analyze/timeline/timeline.h"

/* The longest in which no line that was read has an event; of_devices: no operation or kernel of any device. What is shorter than a 4,096th of the
 * timeline is none; to_ps 0: there is none, or so many events that looking would take long. */
struct tp_stretch tp_timeline_longest_gap(const struct tp_timeline_found *t, bool of_devices);

#endif

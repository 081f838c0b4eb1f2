/* The figures that a run is known by where there is room for a few. */
#ifndef TP_REPORT_HEADLINE_H
#define TP_REPORT_HEADLINE_H

#include <stddef.h>

/* The most important first; of those with one label the first that there is. */
struct tp_headline {
	const char *id, *label;
};
extern const struct tp_headline tp_headlines[];
extern const size_t tp_headline_count;

#endif

/* Cores, hosts and devices side by side answer one question, who holds up a step, in one section: what of them a run has first opens
 * it, the others are its parts. */
#ifndef TP_ANALYZE_SIDE_BY_SIDE_H
#define TP_ANALYZE_SIDE_BY_SIDE_H

#include <stdint.h>

struct tp_block;
struct tp_doc;
struct tp_hosts;
struct tp_pod;

/* The section, opened with this title where nothing has opened it yet, else the part of it with that one. */
struct tp_block *tp_side_by_side(
	struct tp_doc *doc, const char *id, const char *title, const char *part_title);

/* The host and the core that all its tables mark as slow; TP_NONE: none. */
struct tp_slow {
	uint32_t host, device;
};
/* pod: NULL where nothing is compared step by step. */
struct tp_slow tp_slow_of(const struct tp_pod *pod, const struct tp_hosts *hosts);

#endif

/* The clock of the report: all that a report says of when something happened counts from one moment, the first event. */
#ifndef TP_ANALYZE_CLOCK_H
#define TP_ANALYZE_CLOCK_H

#include <stdint.h>

struct tp_profile;

struct tp_clock {
	int64_t base_ns; /* what the earliest host's clock counts from */
	int64_t
		zero_ps; /* the first event or record of memory, by that clock; INT64_MAX: there is none */
};

struct tp_clock tp_clock_of(const struct tp_profile *p);

/* How far a host's clock is from that of the earliest host, in ps. Hosts whose clocks are too far apart to be compared each count from
 * their own start: 0. */
int64_t tp_clock_offset_ps(const struct tp_profile *p, uint32_t host, int64_t base_ns);

/* The moment that times of the report count from, by the host's own clock; 0 where the profile holds no event. */
int64_t tp_clock_zero_ps(const struct tp_clock *c, const struct tp_profile *p, uint32_t host);

#endif

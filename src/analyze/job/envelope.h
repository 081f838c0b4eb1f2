/* Curves of more points than can be seen: of each interval of the axis the least and the greatest value are kept, so that no
 * spike is lost, and whether it had a value that is no number. */
#ifndef TP_ANALYZE_ENVELOPE_H
#define TP_ANALYZE_ENVELOPE_H

#include <stddef.h>
#include <stdint.h>

struct tp_arena;
struct tp_curve;
struct tp_envelope_interval;

struct tp_envelope {
	double low, high; /* of the axis, low < high */
	size_t intervals;
	struct tp_envelope_interval *all;
	uint64_t points, not_finite; /* put so far; not_finite: of them */
};

struct tp_envelope tp_envelope_new(
	struct tp_arena *arena, double low, double high, size_t intervals);

/* A point; one whose place is no number, or outside the axis, is passed over. */
void tp_envelope_put(struct tp_envelope *e, double x, double y);

/* The curve, without a label; its arrays live in arena. At most two points an interval. */
struct tp_curve tp_envelope_curve(const struct tp_envelope *e, struct tp_arena *arena);

#endif

/* Self times: how long each operation event ran itself, without the operations nested in it. The basis that steps, device
 * time and the op profile share. */
#ifndef TP_ANALYZE_OP_TIMES_H
#define TP_ANALYZE_OP_TIMES_H

#include "analyze/core/ctx.h"
#include "model/times.h"

#include <stdint.h>

struct tp_line;

/* An operation of the profile over all its events on the lines that count. It belongs to one plane, hence to one device, or
 * to the threads of one host. */
struct tp_op_sum {
	uint64_t occurrences;
	int64_t self_ps;
	uint32_t host, device; /* device TP_NONE: host threads */
	uint64_t flops,
		hbm_bytes; /* over all events; a container's are those of its parts and not counted again */
};

/* Of the events of a line, as narrow as their durations (model/times.h). */
struct tp_self_times {
	const uint32_t *narrow;
	const int64_t *wide;
};

static inline int64_t
tp_self_ps(const struct tp_self_times *t, uint32_t event)
{
	uint32_t ps = t->narrow[event];

	return __builtin_expect(ps >= TP_FIRST_WIDE, false) ? t->wide[ps - TP_FIRST_WIDE] : ps;
}

/* Lines that count as a device's work: the operations of TPU cores and the streams of GPUs; without any, the host threads
 * on which XLA:CPU ran its operations. */
struct tp_op_times {
	const struct tp_self_times *const
		*self;                   /* by line of the profile; NULL: the line does not count */
	const struct tp_op_sum *ops; /* by operation of the profile */
	bool on_host;                /* XLA:CPU: there is no device, hence no idle time and no peak */
};

/* struct tp_op_times */
extern const struct tp_pass tp_pass_op_times;

/* An operation that only holds others: its costs are those of its parts and are not counted again. */
bool tp_op_is_container(struct tp_slice category);

/* A sum of times. A profile that lies may ask for more than fits: then it is the largest number, as with costs (base/saturate.h). */
static inline int64_t
tp_add_ps(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

/* Custom calls cost what each call says, where it does; all others what the compiler estimated for one occurrence. */
bool tp_op_costs_by_event(struct tp_slice category);

#endif

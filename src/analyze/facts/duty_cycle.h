/* The duty cycle: how much of the time a TPU chip had programs to run it computed. */
#ifndef TP_ANALYZE_DUTY_CYCLE_H
#define TP_ANALYZE_DUTY_CYCLE_H

#include <stdbool.h>
#include <stdint.h>

struct tp_arena;
struct tp_profile;

struct tp_duty_cycle {
	/* at least one core of the chip ran an operation other than a transfer to or from the host */
	int64_t on_ps;
	/* first operation or program run of the chip to the last; 0: not a TPU, or nothing ran */
	int64_t total_ps;
	bool first; /* the first core of its chip: count this one */
};

/* By device of the profile; both cores of a chip have the same figures. The array lives in keep. */
const struct tp_duty_cycle *tp_duty_cycles(
	const struct tp_profile *p, struct tp_arena *keep, struct tp_arena *scratch);

#endif

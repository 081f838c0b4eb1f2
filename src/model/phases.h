/* The phases of a TPUEstimator job as its profile logger marked them: when training, evaluation and prediction began and ended,
 * and what each spent before its first step. Plain data, as the rest of a profile. */
#ifndef TP_MODEL_PHASES_H
#define TP_MODEL_PHASES_H

#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

/* Sessions first: the others are inside one. */
enum tp_phase {
	TP_PHASE_TRAIN,
	TP_PHASE_EVAL,
	TP_PHASE_PREDICT,
	TP_PHASE_INIT_SYSTEM,
	TP_PHASE_MODEL_FN,
	TP_PHASE_SETUP_INFEED,
	TP_PHASE_COUNT,
	TP_PHASE_SESSIONS = TP_PHASE_INIT_SYSTEM
};

struct tp_phase_mark {
	enum tp_phase phase;
	bool end;       /* else its begin */
	double wall_ms; /* since 1970 */
};

struct tp_phases {
	struct tp_slice from;              /* name of the file */
	const struct tp_phase_mark *marks; /* in the order of the file */
	uint32_t count;
	uint64_t records, damaged; /* of the file; damaged: intervals that were passed over */
	uint64_t others;           /* records that mark no phase */
	struct tp_phases *next;    /* of the next file; NULL: the last */
};

#endif

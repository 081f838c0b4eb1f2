/* What ran in two steps, by operation: to tell what one of them did longer. */
#ifndef TP_ANALYZE_STEP_TALLY_H
#define TP_ANALYZE_STEP_TALLY_H

#include "base/buf.h"
#include "base/map.h"

#include <stddef.h>
#include <stdint.h>

struct tp_arena;
struct tp_line;
struct tp_profile;

enum { TP_TALLY_SLOW, TP_TALLY_USUAL, TP_TALLY_STEPS };

struct tp_tally_row {
	uint32_t op;                    /* of the profile */
	double self_ps[TP_TALLY_STEPS]; /* in each of the two */
	uint32_t count[TP_TALLY_STEPS];
};

struct tp_tally {
	struct tp_map index;       /* operation → row */
	struct tp_buf taken;       /* struct tp_tally_row, until they are sorted */
	struct tp_tally_row *rows; /* then */
	size_t count;
	struct tp_arena *scratch;
};

struct tp_tally tp_tally_new(struct tp_arena *scratch);

/* Operations that begin in [start, end) by the chip's clock, with their self time. */
void tp_tally_ops(struct tp_tally *t, const struct tp_line *line, const int64_t *self_ps, int step,
	int64_t start_ps, int64_t end_ps);

/* What runs in [start, end) on a host thread, by the host's clock: the time of each event within, without that of what is
 * nested in it. */
void tp_tally_thread(struct tp_tally *t, const struct tp_profile *p, const struct tp_line *line,
	int step, int64_t start_ps, int64_t end_ps);

/* When all is in: rows in order of the difference, the largest first; of equals in order of the profile. */
void tp_tally_sort(struct tp_tally *t);

static inline double
tp_tally_more_ps(const struct tp_tally_row *row)
{
	return row->self_ps[TP_TALLY_SLOW] - row->self_ps[TP_TALLY_USUAL];
}

#endif

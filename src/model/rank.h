/* What a summary keeps of a rank (proto/rank.proto): whether it can be used, and how it is made smaller. */
#ifndef TP_MODEL_RANK_H
#define TP_MODEL_RANK_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct Tp__Rank;
struct tp_arena;

/* How many numbers a step has in step_roles, step_covered and step_host, and a call in call_ends. */
enum { TP_RANK_ROLES = 8, TP_RANK_COVERED = 3, TP_RANK_HOST_PARTS = 4, TP_RANK_ENDS = 5 };

/* What call_flags holds. */
enum { TP_RANK_LAUNCHED = 1, TP_RANK_CARRIES = 2, TP_RANK_HAS_ENDS = 4 };

/* Its parts in call_ends. */
enum { TP_RANK_AWAY_BYTES, TP_RANK_FROM, TP_RANK_TO, TP_RANK_ASKED_PS, TP_RANK_THROUGH };

/* Of a device: what its peaks are of; what mark_sums are of, for each mark, the last for each class of time. */
enum {
	TP_RANK_PEAK_FLOP,
	TP_RANK_PEAK_HBM,
	TP_RANK_MEMORY,
	TP_RANK_CMEM_READ,
	TP_RANK_CMEM_WRITE,
	TP_RANK_VMEM_READ,
	TP_RANK_VMEM_WRITE,
	TP_RANK_PEAKS,
};
enum {
	TP_RANK_OPERATIONS, /* that begin in it */
	TP_RANK_COPY_PS,
	TP_RANK_MATRIX_PS,
	TP_RANK_RECEIVE_PS,
	TP_RANK_SPARSE_INFEED_PS,
	TP_RANK_SPARSE_OUTFEED_PS,
	TP_RANK_CLASSES_PS,
	TP_RANK_CLASSES = 13,
	TP_RANK_SUMS = TP_RANK_CLASSES_PS + TP_RANK_CLASSES,
};

/* Of a step of a host: host_flags, and what host_times are of, for each step, the last for each class of time. */
enum { TP_RANK_NUMBERED = 1, TP_RANK_ASKS_INPUT = 2, TP_RANK_HAS_INPUT = 4 };
enum {
	TP_RANK_TO_DEVICE_PS,
	TP_RANK_WORK_PS,
	TP_RANK_HOST_CLASSES_PS,
	TP_RANK_HOST_TIMES = TP_RANK_HOST_CLASSES_PS + TP_RANK_CLASSES,
};

/* What RankXla.holds is of. */
enum {
	TP_RANK_HOLDS_DEVICE_OPS = 1,
	TP_RANK_HOLDS_HOST_EVENTS = 2,
	TP_RANK_HOLDS_HOST_XLA = 4,
	TP_RANK_HOLDS_TENSORFLOW = 8, /* threads of it */
};

/* Whether columns are as long as they must be, numbers within what can be computed with, and indices within their lists. */
bool tp_rank_is_sound(const struct Tp__Rank *r);

/* Leaves out steps behind the first `steps`, and the calls that were asked for after the last that stays; counts them in
 * steps_left_out. Figures are then those of the steps that stay. */
void tp_rank_cut(struct Tp__Rank *r, size_t steps);

/* The bytes of a PyTorch trace as tp_rank_cut would leave it, in the arena, made without reading what is behind; the same bytes where it has no
 * more steps, or is none as tpreport writes it (rank_first.c). */
struct tp_slice tp_rank_first_steps(struct tp_slice bytes, size_t steps, struct tp_arena *arena);

/* Likewise of a host of XLA's profiler (rank_xla.c): names of steps are sound already. */
bool tp_rank_xla_is_sound(const struct Tp__Rank *r);
void tp_rank_xla_cut(struct Tp__Rank *r, size_t steps);

/* Of event files (rank_events.c). */
bool tp_rank_events_are_sound(const struct Tp__Rank *r);

/* By what a rank can be made smaller: how many steps it has, or points of the scalar with most. */
size_t tp_rank_length(const struct Tp__Rank *r);

/* Times and sizes beyond this are none: sums of four of them still fit. */
#define TP_RANK_MOST (INT64_MAX / 8)

/* Whether numbers are all within bounds, from `least` on, and whether differences are when they are added up (rank_bounds.c). */
bool tp_rank_within(const int64_t *values, size_t count, int64_t least);
bool tp_rank_adds_up(const int64_t *differences, size_t count);
bool tp_rank_below(const uint32_t *values, size_t count, size_t most);

#endif

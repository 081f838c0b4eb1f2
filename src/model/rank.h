/* What a summary keeps of a trace (proto/rank.proto): whether it can be used, and how it is made smaller. */
#ifndef TP_MODEL_RANK_H
#define TP_MODEL_RANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct Tp__Rank;

/* How many numbers a step has in step_roles and step_covered, and a call in call_ends. */
enum { TP_RANK_ROLES = 8, TP_RANK_COVERED = 3, TP_RANK_ENDS = 5 };

/* What call_flags holds. */
enum { TP_RANK_LAUNCHED = 1, TP_RANK_CARRIES = 2, TP_RANK_HAS_ENDS = 4 };

/* Its parts in call_ends. */
enum { TP_RANK_AWAY_BYTES, TP_RANK_FROM, TP_RANK_TO, TP_RANK_ASKED_PS, TP_RANK_THROUGH };

/* Whether columns are as long as they must be, numbers within what can be computed with, and indices within their lists. */
bool tp_rank_is_sound(const struct Tp__Rank *r);

/* Leaves out steps behind the first `steps`, and the calls that were asked for after the last that stays; counts them in
 * steps_left_out. Figures are then those of the steps that stay. */
void tp_rank_cut(struct Tp__Rank *r, size_t steps);

#endif

/* Whether the cores of a TPU are idle while a program runs on them, or between programs. */
#ifndef TP_ANALYZE_PROGRAM_GAPS_H
#define TP_ANALYZE_PROGRAM_GAPS_H

#include "analyze/core/ctx.h"

struct tp_steps;

/* s: with the cells of its steps, on TPU cores. The time of a mean step in which no program runs on the core, mean over cores, in ps;
 * NaN: a core recorded no runs of programs, or there is no step. */
double tp_program_gap_ps(const struct tp_pass_ctx *ctx, const struct tp_steps *s);

#endif

/* A profile of ranks that summaries keep: PyTorch traces and hosts of XLA's profiler without events, of which steps, collectives and sums are
 * given. */
#ifndef TP_INGEST_RANKS_H
#define TP_INGEST_RANKS_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct Tp__Rank;
struct tp_builder;

/* Adds a rank, which lives as long as the profile; path: what messages call it. Its texts are made valid UTF-8. False: its columns are
 * not as tpreport writes them, and nothing is added. */
bool tp_rank_build(struct tp_builder *b, struct Tp__Rank *rank, struct tp_slice path);

/* A sound one of a host of XLA's profiler, by the number of its input (ranks_xla.c). */
void tp_rank_build_xla(struct tp_builder *b, struct Tp__Rank *rank, uint32_t input);

/* Sound ones of event files, which live as long as the profile (ranks_events.c). */
void tp_rank_build_events(struct tp_builder *b, const struct Tp__Rank *rank);

/* Figures over ranks are of steps that all have: where a summary of one had to leave out steps at its end, all ranks of the span end with
 * that. Ranks are sound. Returns how many steps are left of it; SIZE_MAX: none was cut. */
size_t tp_ranks_cut_alike(struct Tp__Rank *const *ranks, size_t count);

#endif

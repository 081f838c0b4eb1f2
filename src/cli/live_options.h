/* What capture, monitor and watch read from their options. */
#ifndef TP_CLI_LIVE_OPTIONS_H
#define TP_CLI_LIVE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tp_args;
struct tp_arena;
struct tp_capture_wish;
struct tp_captured_host;

/* --duration, --deadline, levels and what else a profiler is asked for. False, with a message printed, where an option makes no sense. */
bool tp_capture_wish_read(
	const struct tp_args *args, uint64_t usual_ms, struct tp_capture_wish *wish);

/* How often a profile is tried to be taken, the first time counted. */
bool tp_attempts_read(const struct tp_args *args, size_t *attempts);

/* How long nothing must be written until a profile counts as complete. */
bool tp_settle_read(const struct tp_args *args, unsigned *settle_ms);

/* "10.0.0.2:8466,10.0.0.3:8466", of any number of words: an address each, with a name for its files that no other has. In arena; NULL
 * with a message printed. */
struct tp_captured_host *tp_addresses_read(
	const char *const *words, size_t word_count, size_t *count, struct tp_arena *arena);

#endif

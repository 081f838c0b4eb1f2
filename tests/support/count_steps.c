/* Counts the basic blocks that the program runs through, for tests of how work grows: no clock, and the same on every machine.
 * The compiler calls __sanitizer_cov_trace_pc in each of the library, not of this file (-fsanitize-coverage=trace-pc). At the end "place count" is written to the
 * file that TPREPORT_STEPS names, a line a place, in hexadecimal and decimal; places are as nm tells them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLACES = 1 << 20 };

struct place {
	uintptr_t at;
	uint64_t count;
};

static struct place places[PLACES];
extern const char __executable_start;

void __sanitizer_cov_trace_pc(void);

/* Threads meet here: a place that two find free at once is taken by one of them. */
void
__sanitizer_cov_trace_pc(void)
{
	uintptr_t at = (uintptr_t)__builtin_return_address(0);

	for (size_t i = at * 0x9e3779b97f4a7c15u >> 44;; i = (i + 1) % PLACES) {
		uintptr_t there = __atomic_load_n(&places[i].at, __ATOMIC_RELAXED);

		if (there == 0 &&
			__atomic_compare_exchange_n(
				&places[i].at, &there, at, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			there = at;
		if (there == at) {
			__atomic_fetch_add(&places[i].count, 1, __ATOMIC_RELAXED);
			return;
		}
	}
}

__attribute__((destructor)) static void
write_counts(void)
{
	const char *name = getenv("TPREPORT_STEPS");
	FILE *out = name != NULL ? fopen(name, "w") : NULL;

	for (size_t i = 0; out != NULL && i < PLACES; i++) {
		if (places[i].count != 0)
			fprintf(out, "%lx %llu\n",
				(unsigned long)(places[i].at - (uintptr_t)&__executable_start),
				(unsigned long long)places[i].count);
	}
	if (out != NULL)
		fclose(out);
}

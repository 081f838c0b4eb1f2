/* Tests that could try very much try a part of it: TPREPORT_ALL=1 tries all, TPREPORT_SEED=N (0 unless said) another part. */
#ifndef TP_TESTS_SAMPLED_H
#define TP_TESTS_SAMPLED_H

#include <stdbool.h>
#include <stddef.h>

/* A loop's numbers: for (size_t at = s.first; at < most; at += s.step). */
struct sampled {
	size_t first, step;
};

/* Whether what takes very long is tried; else one line says that it is not. */
bool tries_all(const char *what);

/* Each every-th, and one line that tests/run.sh shows. */
struct sampled sampled(const char *what, size_t every);

#endif

/* Files of the fuzzers' corpus as inputs of unit tests. */
#ifndef TP_TESTS_CORPUS_H
#define TP_TESTS_CORPUS_H

#include "unit.h"

#include "base/slice.h"

#include <stdio.h>
#include <stdlib.h>

/* A file below tests/fuzz/corpus, in a block of exactly its size, which the caller frees. */
static inline struct tp_slice
tp_corpus_load(const char *name)
{
	const char *source = getenv("TPREPORT_SOURCE");
	char path[1024];

	snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s", source ? source : "../..", name);
	FILE *in = fopen(path, "rb");

	if (in == NULL)
		fail_msg("%s: cannot be opened", path);
	fseek(in, 0, SEEK_END);
	size_t size = (size_t)ftell(in);
	char *data = malloc(size);

	rewind(in);
	assert_int_equal(fread(data, 1, size, in), size);
	fclose(in);
	return (struct tp_slice){data, size};
}

#endif

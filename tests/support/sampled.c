/* Which part of very much a test tries. */
#include "sampled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
all_is_asked_for(void)
{
	const char *all = getenv("TPREPORT_ALL");

	return all != NULL && all[0] != '\0' && strcmp(all, "0") != 0;
}

bool
tries_all(const char *what)
{
	if (!all_is_asked_for())
		printf("sampled: none of %s\n", what);
	return all_is_asked_for();
}

struct sampled
sampled(const char *what, size_t every)
{
	const char *seed = getenv("TPREPORT_SEED");

	if (all_is_asked_for())
		return (struct sampled){0, 1};
	printf("sampled: 1 in %zu %s\n", every, what);
	return (struct sampled){seed != NULL ? strtoul(seed, NULL, 10) % every : 0, every};
}

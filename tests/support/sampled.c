/* Which part of very much a test tries. */
#include "sampled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sampled
sampled(const char *what, size_t every)
{
	const char *all = getenv("TPREPORT_ALL");
	const char *seed = getenv("TPREPORT_SEED");

	if (all != NULL && all[0] != '\0' && strcmp(all, "0") != 0)
		return (struct sampled){0, 1};
	printf("sampled: 1 in %zu %s\n", every, what);
	return (struct sampled){seed != NULL ? strtoul(seed, NULL, 10) % every : 0, every};
}

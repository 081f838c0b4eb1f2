/* bench_noise: where a further run is expected, by the code of the program. Reads lines of figures, one for each baseline, and writes for each line
 * low, high and the smallest change that is found; "-" where nothing can be expected. aa.py asks it. */
#include <stdio.h>
#include <stdlib.h>

#include "compare/noise.h"

enum { MOST_RUNS = 1000 };

static size_t
read_figures(const char *line, double *figures)
{
	size_t count = 0;

	for (char *end; count < MOST_RUNS; line = end) {
		double figure = strtod(line, &end);

		if (end == line)
			break;
		figures[count++] = figure;
	}
	return count;
}

int
main(int argc, char **argv)
{
	double figures[MOST_RUNS], level = argc > 1 ? atof(argv[1]) : 0.99;
	struct tp_expected e;
	char *line = NULL;
	size_t room = 0;

	while (getline(&line, &room, stdin) > 0) {
		if (tp_expect(figures, read_figures(line, figures), level, &e))
			printf("%.17g %.17g %.17g\n", e.low, e.high, e.smallest);
		else
			puts("-");
	}
	free(line);
	return 0;
}

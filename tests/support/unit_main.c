/* unit_tests NAME: runs the tests of unit/test_NAME.c, whose main the build gives a name of its own. */
#include <stdio.h>
#include <string.h>

#define ENTRY(name, run) int run(void);
#include "entries.inc"
#undef ENTRY

static const struct {
	const char *name;
	int (*run)(void);
} units[] = {
#define ENTRY(name, run) {#name, run},
#include "entries.inc"
#undef ENTRY
};

int
main(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < sizeof units / sizeof units[0]; i++) {
		if (strcmp(units[i].name, argv[1]) == 0)
			return units[i].run();
	}
	fprintf(stderr, "unit_tests NAME: no test of this name\n");
	return 2;
}

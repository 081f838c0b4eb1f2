/* The program: everything is in the library, so that tests can reach it. */
#include "cli/commands.h"

int
main(int argc, char **argv)
{
	return tp_cli_main(argc, argv);
}

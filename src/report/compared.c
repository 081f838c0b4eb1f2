/* The tables that comparisons look at. */
#include "report/compared.h"

const char *const tp_compared_tables[TP_COMPARED_TABLES] = {
	"steps/each",
	"steps/classes",
	"environment/run",
	"environment/programs/table",
	"operations/list",
	"operators/list",
	"kernels/by-name",
	"modules/classes",
	"modules/*/tree",
	"torch-memory/of/*/live",
	"memory-over-time/of/*/live",
	"memory/*/buffers",
	"distributed/operations",
};

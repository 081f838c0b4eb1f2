/* Any bytes as a file of history: what is read makes a sound document. */
#include "base/arena.h"
#include "cli/history_file.h"
#include "report/doc.h"

#include <stdint.h>
#include <stdlib.h>

enum { MOST_RUNS = 40 }; /* the search for changes of level takes their square */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_err err = {.status = TP_OK};
	struct tp_history_file file = {.bytes = {(const char *)data, size}};

	if (tp_history_rows(&file, "kept/h.csv", arena, &err) != TP_OK) {
		if (err.status != TP_ERR_FORMAT)
			abort();
	} else if (file.run_count != 0) {
		size_t count = file.run_count < MOST_RUNS ? file.run_count : MOST_RUNS;

		if (tp_doc_check(tp_trend(file.runs, count, arena), &err) != TP_OK)
			abort();
	}
	tp_arena_free(arena);
	return 0;
}

/* The list of readers, and the choice among them. */
#include "ingest/reader.h"

const struct tp_reader *const tp_readers[] = {
	&tp_reader_xspace,
	&tp_reader_overview_page,
	&tp_reader_input_pipeline,
	&tp_reader_tensorflow_stats,
	&tp_reader_op_profile,
	&tp_reader_kernel_stats,
	&tp_reader_pod_viewer,
	&tp_reader_memory_viewer,
	&tp_reader_pprof,
	NULL,
};

const struct tp_reader *
tp_reader_for(const char *name, struct tp_slice head)
{
	const struct tp_reader *best = NULL;
	int surest = 0;

	for (const struct tp_reader *const *r = tp_readers; *r != NULL; r++) {
		int sure = (*r)->probe(name, head);

		if (sure > surest) {
			surest = sure;
			best = *r;
		}
	}
	return best;
}

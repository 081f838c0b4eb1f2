/* The list of readers, and the choice among them. */
#include "ingest/reader.h"

const struct tp_reader *const tp_readers[] = {
	&tp_reader_xspace,
	&tp_reader_trace_json,
	&tp_reader_trace,
	&tp_reader_torch,
	&tp_reader_overview_page,
	&tp_reader_input_pipeline,
	&tp_reader_tensorflow_stats,
	&tp_reader_op_profile,
	&tp_reader_kernel_stats,
	&tp_reader_pod_viewer,
	&tp_reader_memory_viewer,
	&tp_reader_pprof,
	&tp_reader_phases,
	&tp_reader_events,
	&tp_reader_graph,
	&tp_reader_tfprof,
	&tp_reader_tfprof_log,
	&tp_reader_hlo_proto,
	NULL,
};

bool
tp_reader_gives_events(struct tp_slice name)
{
	for (const struct tp_reader *const *r = tp_readers; *r != NULL; r++) {
		if (tp_slice_eq(name, tp_slice_of((*r)->name)))
			return !(*r)->precomputed;
	}
	return false;
}

int
tp_probe_suffixes(const char *name, const char *const *suffixes)
{
	struct tp_slice n = tp_slice_of(name);

	if (tp_slice_ends(n, TP_S(".gz")))
		n.len -= 3;
	else if (tp_slice_ends(n, TP_S(".zst")))
		n.len -= 4;
	for (; *suffixes != NULL; suffixes++) {
		if (tp_slice_ends(n, tp_slice_of(*suffixes)))
			return 80;
	}
	return 0;
}

const struct tp_reader *
tp_reader_for(const char *name, struct tp_slice head)
{
	const struct tp_reader *best = NULL;
	int surest = 0;

	for (const struct tp_reader *const *r = tp_readers; *r != NULL; r++) {
		int sure =
			(*r)->probe != NULL ? (*r)->probe(name, head) : tp_probe_suffixes(name, (*r)->suffixes);

		if (sure > surest) {
			surest = sure;
			best = *r;
		}
	}
	return best;
}

/* What a view of tfprof takes, hides, and by what it is ordered: the options of the original, without those of its output. */
#ifndef TP_ANALYZE_TFPROF_OPTIONS_H
#define TP_ANALYZE_TFPROF_OPTIONS_H

#include "base/pattern.h"
#include "model/tfprof.h"

/* Beside the figures, by which rows may be ordered too. */
enum { TP_TFPROF_BY_NAME = TP_TFPROF_FIGURES, TP_TFPROF_BY_OCCURRENCE };

struct tp_tfprof_options {
	int64_t max_depth;
	int64_t min[TP_TFPROF_FIGURES]; /* of RUNS: -min_occurrence */
	int64_t step;                   /* -1: the mean over steps */
	unsigned order;                 /* enum tp_tfprof_figure or BY_ */
	struct tp_patterns account_types, start_names, trim_names, show_names, hide_names;
	bool displayed_only; /* what is hidden is in no sum either */
};

/* All nodes, the mean over steps, nothing hidden, by name, down to any depth. To be closed. */
void tp_tfprof_options_open(struct tp_tfprof_options *options);
void tp_tfprof_options_close(struct tp_tfprof_options *options);

#endif

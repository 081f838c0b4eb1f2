/* Where steps come from, and what is said of them for that. Each source's file ends in its descriptor; a new one is such a file,
 * its words in step_source_words.h, and its line in the list of steps.c. */
#ifndef TP_ANALYZE_STEP_SOURCE_H
#define TP_ANALYZE_STEP_SOURCE_H

#include "analyze/core/ctx.h"
#include "base/slice.h"

#include <stdbool.h>

struct tp_block;
struct tp_doc;
struct tp_profile;
struct tp_steps;

struct tp_step_source {
	const char *name; /* as in the metric run.step_source, where steps are not inferred */
	const char *timeline, *timelines; /* what the means go over: "core", "cores" */

	/* Whether a profile of this kind has its steps from here. Of a profile's sources only the first is asked. */
	bool (*applies)(const struct tp_profile *p);
	/* Fills in the steps, and sets their source where it is a variant of this one; false, with the reason: there are none.
	 * Memory from ctx->keep. */
	bool (*find)(const struct tp_pass_ctx *ctx, struct tp_steps *out, struct tp_slice *reason);
	/* Leaves out those that the capture may cut; NULL: the source has seen to that, and none is cut. */
	void (*trim)(struct tp_steps *s);

	/* What steps of this source have. */
	unsigned classes;   /* told apart in any case, 1 << enum tp_class; tp_steps.classes has more */
	bool of_cores;      /* TPU cores: tp_steps.cores, cells, and the parts of the TPU page */
	bool by_role;       /* classes are sums of the roles by which PyTorch's page splits a step */
	bool tells_device;  /* what the device did, even where no event of it was recorded */
	bool gaps_are_idle; /* time without an operation: the device is idle, not "not recorded" */
	bool launches;      /* GPUs: the host launches kernel by kernel */

	const char *input_rule; /* the rule that judges waiting for input */
	/* Where nothing would show waiting for input. */
	struct {
		struct tp_slice why;
		const char *answer; /* on the input pipeline's page; NULL: what was not found */
		const char *so_what;
		const char *tile[2];
	} input_unseen;

	/* Where steps are inferred from what repeats; all NULL where they never are. */
	struct {
		const char *say;     /* "No core marks steps; these are " */
		const char *nothing; /* that marks them */
		const char *chosen;  /* what begins a step, … */
		const char *runs;    /* … and what it does */
		const char *rest;    /* how classes are worked out */
		const char *from;    /* which part of the files holds it */
		double threshold;    /* below it no steps are shown; 0: TP_INFERENCE_THRESHOLD */
	} inferred;

	/* Why a class that is not told apart is missing; and what rules then say: undecided or not applicable. Both NULL: it
	 * counts as 0. */
	struct tp_slice untold, undecided;
	const char *not_applicable;
	struct tp_slice no_tpu_parts; /* why there are none, unless of_cores */
	struct tp_slice unmarked;     /* why steps are not marked; empty: they are */
	struct tp_slice no_gap; /* why the gap between steps is not known; empty: there are too few */

	const char *coverage; /* after "9 of 10 steps" in metrics; NULL: nothing */
	const char *quality;  /* "steps from markers" */
	const char *how;      /* how steps and classes are worked out */
	const char
		*from; /* which part of the files holds them; NULL: tp_steps.precomputed_from says it */
	const char *compared; /* the events of the slowest step beside those of a typical one */
	/* Tables of this source alone; NULL: none. */
	void (*tables)(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc,
		struct tp_block *section);
};

extern const struct tp_step_source tp_step_source_tpu, tp_step_source_torch, tp_step_source_markers,
	tp_step_source_precomputed;
/* Of PyTorch traces without ProfilerStep: tp_step_source_torch finds that out, and says so. */
extern const struct tp_step_source tp_step_source_annotations, tp_step_source_kernels;

#endif

/* A rule of the findings: what it measures, from which figures on that is a finding, and what is said and advised then. The
 * rules are in rules_*.c, by topic. */
#ifndef TP_ANALYZE_RULE_H
#define TP_ANALYZE_RULE_H

#include "analyze/core/time_class.h"
#include "analyze/facts/occupancy.h"
#include "analyze/judge/findings.h"
#include "analyze/judge/verdict.h"

struct tp_devices;
struct tp_environment;
struct tp_hosts;
struct tp_input_pipeline;
struct tp_kernels;
struct tp_op_placement;
struct tp_ops;
struct tp_roofline;
struct tp_steps;
struct tp_torch_costs;
struct tp_torch_gpus;

/* What other passes measured; NULL: they were skipped. */
struct tp_evaluation {
	const struct tp_pass_ctx *ctx;
	const struct tp_steps *steps;
	const struct tp_devices *devices;
	const struct tp_ops *ops;
	const struct tp_environment *environment;
	const struct tp_hosts *hosts;
	const struct tp_roofline *roofline;
	const struct tp_kernels *kernels;
	const struct tp_op_placement *placement;
	const struct tp_input_pipeline *pipeline;
	const struct tp_torch_costs *torch;
	const struct tp_torch_gpus *torch_gpus;
};

/* From this share of a step on, what a medium finding may save is too much for a green verdict above it. */
#define TP_NOTABLE_SAVING 0.10

enum { TP_MOST_ACTIONS = 3 };

/* What time a saving is taken from: two that take from the same are not added up. */
enum tp_saved_time {
	TP_SAVED_INPUT = 1 << 0,
	TP_SAVED_OUTPUT = 1 << 1,
	TP_SAVED_IDLE = 1 << 2,
	TP_SAVED_COLLECTIVE = 1 << 3,
	TP_SAVED_UNRECORDED = 1 << 4,
	TP_SAVED_LAUNCH = 1 << 5,
	TP_SAVED_COMPILE = 1 << 6,
	TP_SAVED_COPY = 1 << 7,
	TP_SAVED_ARITHMETIC = 1 << 8,
	TP_SAVED_DEVICE_WORK = TP_SAVED_COPY | TP_SAVED_ARITHMETIC,
	TP_SAVED_SETUP = 1 << 9,
	TP_SAVED_BETWEEN = 1 << 10, /* steps */
	TP_SAVED_ANY = TP_SAVED_BETWEEN - 1,
	TP_SAVED_OPERATIONS = 1 << 11,  /* of tfprof: summed over threads and devices, of no step */
	TP_SAVED_ACCELERATOR = 1 << 12, /* of tfprof: idle time of one */
};

struct tp_advice {
	const char *brief;                    /* markup; NULL: that of any */
	const char *actions[TP_MOST_ACTIONS]; /* markup; NULL ends */
	const char *on_gpus,
		*on_tpus; /* instead of the first one, where devices are such; NULL: the same */
};

/* Which profiles a rule is about. Of others nothing is said of it, not even that it does not apply. */
enum tp_rule_scope {
	TP_RULE_OF_XLA = 0, /* all but PyTorch traces */
	TP_RULE_OF_TORCH,   /* PyTorch traces */
	TP_RULE_OF_SERVING, /* of these, those with iterations of an inference engine */
	TP_RULE_OF_TFPROF,  /* dumps of tfprof */
	TP_RULE_OF_ALL,
};

struct tp_finding_rule {
	struct tp_rule_info info;
	enum tp_rule_scope scope;
	/* Decides, or says why it cannot or need not. */
	void (*evaluate)(const struct tp_evaluation *e, struct tp_finding_result *r);
	const char *title;  /* markup; {} is the measured share */
	const char *passed; /* markup; {} is the measured share, second {} the limit */
	/* What to do in each framework; any: where nothing is said for the one in use. */
	struct tp_advice jax, tensorflow, pytorch_xla, pytorch, any;
	struct tp_advice without_steps;   /* instead, where the profile has none */
	struct tp_advice without_devices; /* instead, of a run on CPUs */
	struct tp_advice
		inferred_steps;   /* instead, where they are not marked: nothing lies between those */
	const char *check;    /* markup; {} is the limit as metrics have it */
	const char *evidence; /* markup */
	unsigned saves_of;    /* enum tp_saved_time; 0: it is about no time of a step */
	int tint; /* how charts draw that time: that of its class, TP_TINT_UNUSED or TP_TINT_UNRECORDED */
	const char *part_of; /* id of the rule whose saving its own is a part of; NULL: none */
	bool of_capture;     /* costs no time: the capture lacks what others would tell */
	bool of_data;        /* nothing of the run is wrong: what to know of the figures */
	bool of_events;      /* looks at what summaries of ranks do not keep */
	bool general;        /* others say more exactly what it is: they come first */
	/* id of the rule whose time is within its own: that comes first where both are as bad; NULL: none */
	const char *holds;
	const char *saves; /* after the saving; NULL: "a step" */
	/* of a saving that is of no step: markup; {} is what would be left, second {} the whole, third {} the share of it that is saved */
	const char *matters;
	/* why no saving is told where none is, a sentence; NULL: the profile does not bound it */
	const char *unbounded;
	/* The verdict of a report in which this is the first finding that has one, where it is high; empty where it is none after all.
	 * NULL: this is never the verdict. */
	struct tp_verdict_text (*verdict)(
		const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r);
	bool verdict_of_medium; /* likewise where it is medium */
	/* Says it in particular, from the pass's own result; may be NULL. */
	void (*particulars)(
		const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding);
};

/* Each ends with one that evaluates nothing. */
extern const struct tp_finding_rule tp_rules_input[], tp_rules_steps[], tp_rules_cores[],
	tp_rules_operations[], tp_rules_kernels[], tp_rules_memory[], tp_rules_torch[],
	tp_rules_torch_host[], tp_rules_torch_comm[], tp_rules_torch_memory[], tp_rules_llm[],
	tp_rules_tpu[], tp_rules_tfprof[];

/* Whether the rule is about this profile. */
bool tp_rule_concerns(const struct tp_pass_ctx *ctx, const struct tp_finding_rule *rule);

/* Its limits, or those that the user gave instead. */
struct tp_limits tp_rule_limits(const struct tp_pass_ctx *ctx, const struct tp_finding_rule *rule);

/* One class of a step's time: idle, collectives, launches, output, compiling; and what no event covers (verdict_class.c). */
struct tp_verdict_text tp_verdict_of_class(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r);
struct tp_verdict_text tp_verdict_unrecorded(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r);

/* What evaluate() ends with. */
void tp_rule_undecided(struct tp_finding_result *r, struct tp_slice reason);
void tp_rule_not_applicable(struct tp_finding_result *r, const char *reason);

/* Whether there are none of them to judge, or none known: then it says so. */
bool tp_rule_without_tensor_cores(struct tp_finding_result *r, enum tp_tensor_cores cores);
void tp_rule_decide(struct tp_finding_result *r, double measured, double saving_ps);

/* Decides by the share of step time that a class has, with what the steps themselves say that it could save. */
void tp_rule_step_class(
	const struct tp_evaluation *e, struct tp_finding_result *r, enum tp_class c);

/* What the worst core decided is told, and saves at most, by what all cores have of the class: by the mean step. Where cores
 * differ, it is left at what that core measured, and the mean is told beside it. */
void tp_rule_tell_mean(const struct tp_evaluation *e, struct tp_finding_result *r, enum tp_class c);

/* said: markup; {} is the share that is told. With the mean, where that is another one. */
struct tp_text tp_say_told(struct tp_doc *doc, const char *said, const struct tp_finding_result *r);

/* Decides by a share of step time, all of which could be saved. */
void tp_rule_step_share(const struct tp_evaluation *e, struct tp_finding_result *r, double share);

/* Whether there are steps; else the rule is undecided. */
bool tp_rule_has_steps(const struct tp_evaluation *e, struct tp_finding_result *r);

/* Whether the profile says what devices the run used: tool files do not always, nor do traces that lack their work. */
bool tp_rule_knows_devices(const struct tp_evaluation *e);

/* Whether there may be steps of TPU cores: of what only those show, nothing is lacking where there is none. why_not: said then. */
bool tp_rule_may_be_of_tpu(
	const struct tp_evaluation *e, struct tp_finding_result *r, const char *why_not);

/* Whether a device was measured; else the result says why the rule cannot be decided or does not apply. */
bool tp_rule_measured(const struct tp_evaluation *e, struct tp_finding_result *r);

/* Whether operations of a device are known, as recorded or as an op profile sums them up; else likewise. */
bool tp_rule_has_operations(const struct tp_evaluation *e, struct tp_finding_result *r);

/* The same of rules on classes of a step: a profiler's own step times will do. */
bool tp_rule_of_device_steps(const struct tp_evaluation *e, struct tp_finding_result *r);

/* Likewise of PyTorch: whether steps hold work of a device (rules_torch.c). */
bool tp_rule_on_torch_device(const struct tp_evaluation *e, struct tp_finding_result *r);

/* Kernels that were launched and not recorded, so that nothing can be said of GPUs (rules_kernels.c). */
struct tp_unrecorded {
	struct tp_slice reason; /* a sentence's part; empty: they were, or there is no GPU */
	bool launched;          /* else its GPUs may have had nothing to do */
};
struct tp_unrecorded tp_kernels_not_recorded(const struct tp_pass_ctx *ctx);

/* One more step to take, as long as there is room for it. */
void tp_rule_add_action(
	const struct tp_pass_ctx *ctx, struct tp_finding *finding, struct tp_text action);

/* Particulars of waits: that cores of hosts which were not profiled may be what is waited for (xprof's "COULD be
 * input-bound"). */
void tp_rule_say_unprofiled(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding);

#endif

/* The cores (or hosts) of a distributed run side by side: what each did in each step, and which one the others wait for. */
#ifndef TP_ANALYZE_POD_H
#define TP_ANALYZE_POD_H

#include "analyze/core/ctx.h"
#include "base/slice.h"
#include "report/doc.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_pod_traffic;
struct tp_steps;

/* What a core's step is made of; the parts sum to it. */
enum tp_pod_part {
	TP_POD_HIGH_FLOPS, /* convolutions and dots */
	TP_POD_LOW_FLOPS,  /* the rest of compute; in a tool file with copies */
	TP_POD_COPY,       /* moving and formatting data in the device's memory */
	TP_POD_HOST_TRANSFER,
	TP_POD_COLLECTIVE_COMPUTE, /* what the fastest core needs for the same collectives */
	TP_POD_COLLECTIVE_SYNC,    /* the rest of them: waiting for the last core */
	TP_POD_SEND,
	TP_POD_RECV, /* mostly waiting for the sender */
	TP_POD_SPARSE_CORE,
	TP_POD_OUTFEED,
	TP_POD_OTHER, /* what only hosts have: their own work, launching, compiling */
	TP_POD_IDLE,
	TP_POD_INFEED,
	TP_POD_PART_COUNT
};

struct tp_pod_part_info {
	const char *key, *label, *column; /* column: the same, short */
	enum tp_hue hue;
	int tint;
	bool waits; /* for other cores: not the core's own time */
};
const struct tp_pod_part_info *tp_pod_part_info(enum tp_pod_part part);

/* One timeline: a core of a TPU, or a host. */
struct tp_pod_unit {
	uint32_t device, host; /* of the profile; TP_NONE: not in it, or (device) a host */
	struct tp_slice host_name;
	uint32_t chip, core_on_chip;       /* of the whole run, where pod.placed */
	uint32_t number;                   /* of the core in the whole run; unique */
	uint32_t chip_group, host_group;   /* the same for units of one chip, of one host */
	double mean_ps[TP_POD_PART_COUNT]; /* over steps */
	double total_ps, own_ps; /* likewise: all parts, and those that do not wait for others */
	enum tp_pod_part largest;
};

/* Who leads: the group whose slowest member is the slowest of all, summed over steps. */
struct tp_pod_lead {
	uint32_t group;
	/* mean over steps of what it is slower than the slowest of the rest; NaN: there is no rest */
	double cost_ps;
	size_t steps; /* in which it is the slowest */
};

enum tp_pod_level { TP_POD_CORE, TP_POD_CHIP, TP_POD_HOST, TP_POD_LEVELS };

struct tp_pod_straggler {
	enum tp_pod_level level;
	struct tp_pod_lead lead;
	size_t unit;                              /* the group's slowest member */
	double own_ps, others_ps;                 /* its own time in a mean step, the others' median */
	double part_ps[TP_POD_PART_COUNT];        /* its parts */
	double part_others_ps[TP_POD_PART_COUNT]; /* the others' medians */
	enum tp_pod_part longer;                  /* the part of its own that is longest against them */
	double compute_ps, compute_others_ps;     /* high and low FLOPS and copies together, likewise */
};

/* Tool files of jobs number cores so where they say no chips (xprof: GlobalCoreId, kMaxDevicesPerHost). */
enum { TP_POD_HOST_DEVICES = 1000 };

struct tp_pod {
	const struct tp_steps *steps;
	bool cores;      /* units are cores; else hosts */
	bool coarse;     /* parts are those of any device or host: compute as a whole */
	bool sync_known; /* collectives carry ids, so that the same one is known on all cores */
	bool placed;     /* every core says which chip it is on and which number it has */
	/* numbers are host × TP_POD_HOST_DEVICES + device: not those of cores in XSpaces */
	bool by_host;
	struct tp_pod_unit *units;
	size_t count;
	const uint32_t *by_number, *by_own; /* the units in order; own: the slowest first */
	uint32_t chips, hosts;
	struct tp_pod_lead leads[TP_POD_LEVELS]; /* cost NaN where there is one group only */
	struct tp_pod_straggler straggler;
	double imbalance_ps; /* mean over steps of the slowest unit's own time less the median's */
	size_t median_step;  /* index of the step nearest to the median */
	const struct tp_pod_traffic *traffic; /* NULL: units are hosts */
	/* From a tool file, instead of events: the file, and [(step × units + unit) × parts + part]. */
	struct tp_slice precomputed_from;
	const double *precomputed_ps;
	uint32_t mesh[3]; /* chips in x, y and z, as they are arranged; 0: not recorded */
};

/* A straggler that costs less than this share of the mean step is not named as one. */
#define TP_POD_EVEN_SHARE 0.01
/* The finding's limits. */
#define TP_POD_HIGH_SHARE 0.15
#define TP_POD_MEDIUM_SHARE 0.03

/* struct tp_pod; skipped with the reason where nothing can be compared */
extern const struct tp_pass tp_pass_pod;

/* Of it: the section and what leads it, and the parts below hosts and devices (pod_present.c). */
extern const struct tp_pass tp_pass_pod_section, tp_pass_pod_parts;

/* The cores of a tool file; false: none gives two or more (reason: why). pod_precomputed.c */
bool tp_pod_from_precomputed(
	const struct tp_pass_ctx *ctx, struct tp_pod *pod, struct tp_slice *reason);

/* Time of one part in one step on one unit. */
double tp_pod_part_ps(const struct tp_pod *pod, size_t step, size_t unit, enum tp_pod_part part);

/* Whether cores tell how long they wait for others, in collectives (TP_POD_COLLECTIVE_SYNC) or receives (TP_POD_RECV), and all that one may wait
 * for are in the report. pod may be NULL. */
bool tp_pod_tells_waits(
	const struct tp_pass_ctx *ctx, const struct tp_pod *pod, enum tp_pod_part part);
/* That of a mean step: the mean over cores of one host, or (TP_NONE) of all. */
double tp_pod_waits_ps(const struct tp_pod *pod, enum tp_pod_part part, uint32_t host);

/* The unit's group: itself, its chip, its host. */
uint32_t tp_pod_group(const struct tp_pod *pod, enum tp_pod_level level, size_t unit);

/* own: [step × units + unit]; group: of each unit, below group_count. */
struct tp_pod_lead tp_pod_find_lead(const double *own, size_t steps, size_t units,
	const uint32_t *group, uint32_t group_count, struct tp_arena *scratch);

/* Fills in leads, straggler and imbalance_ps from the units; own: [step × units + unit], ps. */
void tp_pod_find_straggler(
	struct tp_pod *pod, const double *own, size_t steps, struct tp_arena *scratch);

/* Whether there are two of what is compared: "the other", not "the others". */
bool tp_pod_of_two(const struct tp_pod *pod, enum tp_pod_level level);

/* Whether somebody makes the others wait long enough to be named. */
bool tp_pod_has_straggler(const struct tp_pod *pod);

/* Whether it costs so much that it is called a straggler: as the finding on that has it (TPR-POD-001). */
bool tp_pod_straggles(const struct tp_pass_ctx *ctx, const struct tp_pod *pod);

/* Whether a chart of all units' mean steps says something that one of steps does not: steps are alike, or units differ. NULL: no. */
bool tp_pod_worth_a_chart(const struct tp_pod *pod);
/* The mean step of each unit as a column, of many only the slowest of some in a row; the parts in the order of the bar of the first screen. */
void tp_pod_mean_strip(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_doc *doc,
	struct tp_block *parent, const char *id);

/* "core 13", "chip 6", "host-3"; and where it is: "t1v-n-w-3, chip 6, core 1" (empty: nothing more is known). */
struct tp_slice tp_pod_name(
	const struct tp_pass_ctx *ctx, const struct tp_pod *pod, enum tp_pod_level level, size_t unit);
struct tp_slice tp_pod_place(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, size_t unit);

#endif

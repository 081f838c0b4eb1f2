/* Device peaks: what each device could do at best, and who says so. Order of trust: the user, the profile, the table of
 * devices by name, the rule by multiprocessor and clock; else unknown, with the reason. */
#ifndef TP_ANALYZE_PEAKS_H
#define TP_ANALYZE_PEAKS_H

#include "analyze/core/ctx.h"
#include "base/number.h"

#include <stdint.h>

struct tp_block;
struct tp_device;

enum tp_peak_kind {
	TP_PEAK_FLOP, /* dense bf16 (fp16 where there is none) with fp32 accumulation, FLOP/s */
	TP_PEAK_HBM,  /* bytes/s, as the following */
	TP_PEAK_CMEM_READ,
	TP_PEAK_CMEM_WRITE,
	TP_PEAK_VMEM_READ,
	TP_PEAK_VMEM_WRITE,
	TP_PEAK_SHARED,   /* shared memory of a GPU's multiprocessors, all together */
	TP_PEAK_CAPACITY, /* bytes of memory */
	TP_PEAK_COUNT,
	/* Matrix products of other types than 16 bit, dense: asked for where a program computes with them (matrix_dtype.h). */
	TP_PEAK_FP8 = TP_PEAK_COUNT,
	TP_PEAK_INT8, /* operations count as FLOP */
	TP_PEAK_TF32,
	TP_PEAK_FP32,
	TP_PEAK_KINDS,
};

enum tp_peak_source { TP_PEAK_UNKNOWN, TP_PEAK_PROFILE, TP_PEAK_TABLE, TP_PEAK_USER };

struct tp_peak {
	double value; /* > 0; 0: unknown */
	enum tp_peak_source source;
	struct tp_slice how; /* which row or rule; why unknown, and what to do */
};

static inline struct tp_peak
tp_peak_unknown(struct tp_slice why)
{
	return (struct tp_peak){.how = why};
}

struct tp_device_peaks {
	struct tp_peak of[TP_PEAK_COUNT];
	bool bare; /* the profile says nothing of the device, and nothing ran on it */
};

struct tp_peaks {
	const struct tp_device_peaks *devices; /* by index in the profile */
	struct tp_device_peaks common;         /* what all TPU cores and GPUs share, bare ones aside */
};

/* struct tp_peaks; skipped where the profile holds no TPU or GPU */
extern const struct tp_pass tp_pass_peaks;

/* A peak of one device by that order of trust. */
struct tp_peak tp_peak_of_device(const struct tp_device *device, enum tp_peak_kind kind,
	const struct tp_peak_wish *wish, struct tp_arena *keep);

/* Whether it is a rate of matrix products. */
static inline bool
tp_peak_is_flop(enum tp_peak_kind kind)
{
	return kind == TP_PEAK_FLOP || kind >= TP_PEAK_FP8;
}

/* The peak that all devices of the profile share, bare ones aside, of a kind that struct tp_peaks does not hold as well; unknown,
 * with the reason, where they differ. */
struct tp_peak tp_peak_common(const struct tp_pass_ctx *ctx, enum tp_peak_kind kind);

/* The stated bandwidth of the device's memory counts so many times (peaks_rule.c). */
double tp_peak_hbm_counts(const struct tp_device *device);

/* "profile", "table", "user"; empty: unknown. */
struct tp_slice tp_peak_source_name(enum tp_peak_source source);

/* The peak that all devices share, as a value; missing with the reason. */
struct tp_value tp_peak_value(const struct tp_pass_ctx *ctx, enum tp_peak_kind kind);

/* Reads "bf16=989.4T,fp8=1979T,hbm=3.35T" into *out; TP_ERR_USAGE says what is accepted. */
enum tp_status tp_peaks_parse(const char *text, struct tp_peak_wish *out, struct tp_err *err);

/* The table of devices (peaks_table.c). */
struct tp_peak_figure {
	double value; /* 0: not in the table */
	/* d read in a document, s in source code or a real profile, c computed, m from memory */
	char mark;
};

struct tp_peak_row {
	const char *names; /* in lower case, without the maker: "tpu v5 lite|tpu v5e" */
	const char *shown; /* "TPU v5e" */
	const char *note;  /* NULL: none */
	unsigned units;    /* multiprocessors or compute units of a whole device; 0: not known */
	bool megacore;     /* a plane of it may stand for one core or for the two of a chip */
	struct tp_peak_figure of[TP_PEAK_KINDS]; /* of one TensorCore or GPU */
};

extern const char tp_peak_table_version[];

/* The row of a device by its whole name, NULL when there is none; *slice: the name says that it is a part of the device. */
const struct tp_peak_row *tp_peak_row(struct tp_slice name, bool *slice);

/* What the rule by multiprocessor and clock gives (peaks_rule.c): FLOP of all types, SHARED and no others. */
struct tp_peak tp_peak_by_rule(
	const struct tp_device *device, enum tp_peak_kind kind, struct tp_arena *keep);

/* What kind of device it is: its name, else "AMD GPU (gfx942)", "GPU (compute capability 7.0)", "TPU". What AMD states as
 * compute capability is the version of its own targets, and none of NVIDIA's (peaks_rule.c). */
struct tp_slice tp_device_type(const struct tp_device *device, struct tp_arena *keep);

#endif

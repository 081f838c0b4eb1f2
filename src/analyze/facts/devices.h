/* Device time: how much of the time from its first operation to its last each device worked, and of the capture. */
#ifndef TP_ANALYZE_DEVICES_H
#define TP_ANALYZE_DEVICES_H

#include "analyze/core/ctx.h"
#include "analyze/facts/duty_cycle.h"
#include "report/doc.h"

#include <stdint.h>

struct tp_device_time {
	uint32_t device; /* index in the profile */
	int64_t busy_ps; /* TPU: Σ self times; GPU: union over its streams */
	/* TPU: first operation or step to the last, at least busy; GPU: the same over all GPUs of its host */
	int64_t total_ps;
	uint64_t flops, hbm_bytes; /* Σ over its operations */
	bool has_costs;            /* the profile states them for at least one of them */
	bool has_flops;            /* FLOP of at least one are known, stated or by the HLO */
	struct tp_duty_cycle duty; /* of its chip */
};

struct tp_devices {
	struct tp_device_time *devices; /* those with operations, in order of the profile */
	size_t count;
	size_t without_work;       /* device planes without any operation */
	int64_t busy_ps, total_ps; /* sums */
	int64_t capture_ps; /* Σ lengths of the capture over all device planes; 0: it is not recorded */
	int64_t duty_on_ps, duty_total_ps; /* sums over chips; total 0: no TPU */
	double peak_flop_ps; /* Σ total_ps × peak FLOP/s; 0 unless every device's peak is known */
	double busy_peak_flop_ps;                 /* Σ busy_ps × peak FLOP/s; likewise */
	double peak_byte_ps, busy_peak_byte_ps;   /* the same for memory bandwidth */
	double peak_flop_per_s, peak_bytes_per_s; /* of one device, when all have the same; else 0 */
};

/* struct tp_devices */
extern const struct tp_pass tp_pass_devices;

/* "13.0 ms from first to last operation, on 1 of 8 GPUs": what shares of device time are of. */
struct tp_text tp_devices_say_window(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_devices *d);
/* "8 GPUs", those without work among them */
struct tp_value tp_devices_say_all(const struct tp_pass_ctx *ctx, const struct tp_devices *d);
/* "1 of 8 GPUs" */
struct tp_slice tp_devices_some_of_all(const struct tp_pass_ctx *ctx, const struct tp_devices *d);
/* " on 1 of 8 GPUs"; nothing where all of them worked. */
struct tp_text tp_devices_say_some(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_devices *d);
/* " In the 9.73 s of the capture, the 8 GPUs together worked 0.02 %."; nothing where that is not known, or next to the same. */
struct tp_text tp_devices_say_capture(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_devices *d);

#endif

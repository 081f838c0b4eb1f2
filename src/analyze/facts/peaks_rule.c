/* Device peaks where a GPU has no name: multiprocessors × what one does in a clock × the clock that the profile states. That is
 * the highest clock, while makers rate tensor cores at a lower one (H100 SXM: 1.98 against 1.83 GHz), so the result is up to
 * some 8 % above the data sheet's. */
#include "analyze/facts/peaks.h"

#include "base/arena.h"
#include "model/profile.h"

#include <strings.h>

/* A clock's worth of one multiprocessor (NVIDIA) or compute unit (AMD). */
struct rate {
	const char *target; /* AMD: LLVM's name; NVIDIA: NULL */
	unsigned major, minor;
	/* dense bf16, or fp16 where there is none, fp32 accumulation; 0: not one figure for all devices */
	double flop;
	double fp8, int8, tf32, fp32; /* likewise */
	double shared_bytes;
	/* bytes/s: no device of it has less, so that what is stated below is half; 0: it has no HBM3 */
	double hbm3_from;
};

/* 8.6, 8.9, 12.0: a GeForce does half of what a professional card of the same capability does. 6.x has no tensor cores. */
static const struct rate nvidia[] = {
	{NULL, 7, 0, 1024, 0, 0, 0, 128, 128, 0},
	{NULL, 7, 5, 1024, 0, 2048, 0, 128, 128, 0},
	{NULL, 8, 0, 2048, 0, 4096, 1024, 128, 128, 0},
	{NULL, 8, 6, 0, 0, 2048, 0, 256, 128, 0},
	{NULL, 8, 9, 0, 0, 2048, 0, 256, 128, 0},
	{NULL, 9, 0, 4096, 8192, 8192, 2048, 256, 128, 0},
	{NULL, 10, 0, 8192, 16384, 16384, 4096, 256, 128, 0},
	{NULL, 12, 0, 0, 0, 0, 0, 256, 128, 0},
};

/* Capability 9.0 is two targets, told apart by name only. */
static const struct rate amd[] = {
	{"gfx908", 0, 0, 1024, 0, 1024, 0, 256, 128, 0},
	{"gfx90a", 0, 0, 1024, 0, 1024, 0, 256, 128, 0},
	{"gfx942", 9, 4, 2048, 4096, 4096, 1024, 256, 128, 4e12},
	{"gfx950", 9, 5, 4096, 8192, 8192, 0, 256, 256, 0},
};

static bool
is_vendor(const struct tp_device *device, const char *name)
{
	return device->vendor.len == strlen(name) &&
		strncasecmp(device->vendor.ptr, name, strlen(name)) == 0;
}

/* TensorFlow up to 2.4 names no vendor. Of capability 7 and 8 AMD's GPUs have at most 44 and 64 compute units (gfx701, gfx803),
 * and no profiler of XLA reads those of 7. */
static bool
is_nvidia(const struct tp_device *d)
{
	if (d->vendor.len != 0)
		return is_vendor(d, "nvidia");
	return d->compute_major == 7 || (d->compute_major == 8 && d->sm_count > 64);
}

struct tp_slice
tp_device_type(const struct tp_device *d, struct tp_arena *keep)
{
	bool is_amd = is_vendor(d, "amd");

	if (d->type.len != 0)
		return d->type;
	if (d->kind == TP_DEVICE_TPU)
		return TP_S("TPU");
	if (d->compute_major == 0)
		return is_amd ? TP_S("AMD GPU") : TP_S("GPU");
	for (size_t i = 0; is_amd && i < sizeof amd / sizeof *amd; i++) {
		if (amd[i].major == d->compute_major && amd[i].minor == d->compute_minor)
			return tp_arena_printf(keep, "AMD GPU (%s)", amd[i].target);
	}
	return tp_arena_printf(keep,
		is_amd ? "AMD GPU (version %u.%u)" : "GPU (compute capability %u.%u)", d->compute_major,
		d->compute_minor);
}

static const struct rate *
rate_of(const struct tp_device *d, const struct rate *rates, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *target = rates[i].target;

		if (target != NULL && tp_slice_starts(d->type, tp_slice_of(target)))
			return &rates[i];
		if (rates[i].major != 0 && rates[i].major == d->compute_major &&
			rates[i].minor == d->compute_minor)
			return &rates[i];
	}
	return NULL;
}

/* XLA states 2 × the clock of the memory × its width, "because HBM is DDR memory" (rocm_collector.cc). That is right of HBM2;
 * HBM3 moves four bits a line in each of those clocks. Of an MI300X, 8,192 lines at 1.3 GHz, it gives 2.66 TB/s, where AMD
 * documents 5.3. Of gfx950 no capture was seen. */
double
tp_peak_hbm_counts(const struct tp_device *d)
{
	const struct rate *rate =
		is_vendor(d, "amd") ? rate_of(d, amd, sizeof amd / sizeof *amd) : NULL;

	return rate != NULL && d->peak_hbm_bytes_per_s < rate->hbm3_from ? 2 : 1;
}

static double
in_a_clock(const struct rate *rate, enum tp_peak_kind kind)
{
	const double of[TP_PEAK_KINDS] = {
		[TP_PEAK_FLOP] = rate->flop,
		[TP_PEAK_FP8] = rate->fp8,
		[TP_PEAK_INT8] = rate->int8,
		[TP_PEAK_TF32] = rate->tf32,
		[TP_PEAK_FP32] = rate->fp32,
		[TP_PEAK_SHARED] = rate->shared_bytes,
	};

	return of[kind];
}

struct tp_peak
tp_peak_by_rule(const struct tp_device *d, enum tp_peak_kind kind, struct tp_arena *keep)
{
	bool is_amd = is_vendor(d, "amd");

	if (d->vendor.len == 0 && !is_nvidia(d))
		return tp_peak_unknown(TP_S("the profile names neither the GPU nor its vendor"));
	if (!is_amd && !is_nvidia(d))
		return tp_peak_unknown(TP_S("tpreport does not know this vendor of GPUs"));
	const struct rate *rate = is_amd ? rate_of(d, amd, sizeof amd / sizeof *amd)
									 : rate_of(d, nvidia, sizeof nvidia / sizeof *nvidia);

	if (rate == NULL)
		return tp_peak_unknown(tp_arena_printf(keep,
			is_amd ? "work per compute unit and clock is unknown for AMD version %u.%u"
				   : "work per multiprocessor and clock is unknown for compute capability %u.%u",
			d->compute_major, d->compute_minor));
	double a_clock = in_a_clock(rate, kind);

	if (!(a_clock > 0) && kind != TP_PEAK_FLOP)
		return tp_peak_unknown(
			TP_S("tpreport does not know its rate of this type per multiprocessor and clock"));
	if (!(a_clock > 0))
		return tp_peak_unknown(tp_arena_printf(keep,
			"GPUs of compute capability %u.%u differ, and the profile does not name this one",
			d->compute_major, d->compute_minor));
	if (d->sm_count == 0 || d->clock_khz == 0)
		return tp_peak_unknown(
			TP_S("the profile does not state the GPU's clock and multiprocessor count"));
	return (struct tp_peak){
		.value = d->sm_count * a_clock * d->clock_khz * 1e3,
		.source = TP_PEAK_TABLE,
		.how = tp_arena_printf(keep,
			"rule: %u %s × %.0f %s per clock × %.4g GHz, the highest clock, as stated by the "
			"profile%s",
			d->sm_count, is_amd ? "compute units" : "multiprocessors", a_clock,
			tp_peak_is_flop(kind) ? "FLOP" : "bytes", d->clock_khz / 1e6,
			d->vendor.len == 0 ? "; an NVIDIA GPU by its compute capability" : ""),
	};
}

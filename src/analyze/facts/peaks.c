/* Device peaks: who is asked first. Stated figures of one device are never taken for another's, and nothing unknown is 0. */
#include "analyze/facts/peaks.h"
#include "analyze/core/pass.h"

#include "analyze/facts/environment.h"
#include "analyze/facts/precomputed.h"
#include "base/arena.h"
#include "model/profile.h"
#include "report/doc.h"

static struct tp_peak
by_user(const struct tp_peak_wish *wish, enum tp_peak_kind kind)
{
	const double given[TP_PEAK_KINDS] = {
		[TP_PEAK_FLOP] = wish->bf16_per_s,
		[TP_PEAK_FP8] = wish->fp8_per_s,
		[TP_PEAK_INT8] = wish->int8_per_s,
		[TP_PEAK_TF32] = wish->tf32_per_s,
		[TP_PEAK_FP32] = wish->fp32_per_s,
		[TP_PEAK_HBM] = wish->hbm_bytes_per_s,
		[TP_PEAK_VMEM_READ] = wish->vmem_bytes_per_s,
		[TP_PEAK_VMEM_WRITE] = wish->vmem_bytes_per_s,
		[TP_PEAK_CAPACITY] = wish->memory_bytes,
	};

	double value = given[kind] > 0 || !tp_peak_is_flop(kind) ? given[kind] : wish->flop_per_s;

	return (struct tp_peak){value, TP_PEAK_USER, TP_S("given with --peak")};
}

static struct tp_peak
by_profile(const struct tp_device *d, enum tp_peak_kind kind)
{
	const double stated[TP_PEAK_KINDS] = {
		[TP_PEAK_FLOP] = d->peak_flop_per_s,
		[TP_PEAK_HBM] = d->peak_hbm_bytes_per_s,
		[TP_PEAK_CMEM_READ] = d->peak_cmem_read,
		[TP_PEAK_CMEM_WRITE] = d->peak_cmem_write,
		[TP_PEAK_VMEM_READ] = d->peak_vmem_read,
		[TP_PEAK_VMEM_WRITE] = d->peak_vmem_write,
		[TP_PEAK_CAPACITY] = d->memory_bytes,
	};

	if (kind == TP_PEAK_HBM && tp_peak_hbm_counts(d) > 1)
		return (struct tp_peak){stated[kind] * tp_peak_hbm_counts(d), TP_PEAK_PROFILE,
			TP_S("twice what the profile states: HBM3 moves four bits per line and clock, XLA "
				 "assumes two")};
	return (struct tp_peak){stated[kind], TP_PEAK_PROFILE, TP_S("as stated by the profile")};
}

/* How a figure of the table came to be there. */
static const char *
mark_words(char mark)
{
	switch (mark) {
	case 'd':
		return "from a data sheet";
	case 's':
		return "from source code or a real profile";
	case 'c':
		return "computed";
	default:
		return "not checked against a data sheet";
	}
}

/* The row's figure for the device in hand: of a megacore both cores, of a part of a GPU (MIG) its share. */
static struct tp_peak
by_row(const struct tp_peak_row *row, bool slice, const struct tp_device *d, enum tp_peak_kind kind,
	struct tp_arena *keep)
{
	const struct tp_peak_figure *figure = &row->of[kind];
	double factor = 1;
	const char *of = "";

	if (!(figure->value > 0))
		return tp_peak_unknown(tp_arena_printf(
			keep, "neither the profile nor the device table has it for a %s", row->shown));
	if (row->megacore && d->plane_cores == 0)
		return tp_peak_unknown(
			TP_S("the profile does not say whether the device is one core of a chip or both"));
	if (row->megacore || d->kind == TP_DEVICE_TPU) {
		factor = d->plane_cores > 1 ? d->plane_cores : 1;
		of = factor > 1 ? ", both cores of a chip" : ", one TensorCore";
	}
	slice |= row->units != 0 && d->sm_count != 0 && d->sm_count < row->units;
	if (slice && (!tp_peak_is_flop(kind) || row->units == 0 || d->sm_count == 0))
		return tp_peak_unknown(
			TP_S("the device is part of a GPU, and the profile does not state it"));
	if (slice)
		factor = (double)d->sm_count / row->units;
	return (struct tp_peak){
		.value = figure->value * factor,
		.source = TP_PEAK_TABLE,
		.how = slice ? tp_arena_printf(keep, "table: %s (%s), %u of its %u multiprocessors",
						   row->shown, mark_words(figure->mark), d->sm_count, row->units)
			: row->note != NULL && kind == TP_PEAK_FLOP
			? tp_arena_printf(
				  keep, "table: %s%s, %s (%s)", row->shown, of, row->note, mark_words(figure->mark))
			: tp_arena_printf(keep, "table: %s%s (%s)", row->shown, of, mark_words(figure->mark)),
	};
}

/* A name whose row has fewer multiprocessors than the device is not its name. */
static const struct tp_peak_row *
row_of(const struct tp_device *d, bool *slice)
{
	const struct tp_peak_row *row = tp_peak_row(d->type, slice);

	return row != NULL && row->units != 0 && d->sm_count > row->units ? NULL : row;
}

static struct tp_peak
by_kind(const struct tp_device *d, enum tp_peak_kind kind, struct tp_arena *keep)
{
	if (d->kind == TP_DEVICE_GPU && (tp_peak_is_flop(kind) || kind == TP_PEAK_SHARED))
		return tp_peak_by_rule(d, kind, keep);
	if (d->kind == TP_DEVICE_GPU && kind != TP_PEAK_HBM && kind != TP_PEAK_CAPACITY)
		return tp_peak_unknown(TP_S("a GPU has no such memory"));
	if (d->kind == TP_DEVICE_TPU && kind == TP_PEAK_SHARED)
		return tp_peak_unknown(TP_S("a TPU has no such memory"));
	return tp_peak_unknown(d->type.len != 0
			? TP_S("the profile does not state it, and the device is not in the device table")
			: TP_S("the profile neither states it nor names the device"));
}

/* How to say it where the profile cannot. */
static struct tp_slice
with_hint(struct tp_slice why, enum tp_peak_kind kind, struct tp_arena *keep)
{
	static const char *const options[TP_PEAK_KINDS] = {
		[TP_PEAK_FLOP] = "bf16",
		[TP_PEAK_FP8] = "fp8",
		[TP_PEAK_INT8] = "int8",
		[TP_PEAK_TF32] = "tf32",
		[TP_PEAK_FP32] = "fp32",
		[TP_PEAK_HBM] = "hbm",
		[TP_PEAK_CAPACITY] = "memory",
	};

	if (options[kind] == NULL)
		return why;
	return tp_arena_printf(keep, "%.*s; give it with --peak %s=…", TP_ARG(why), options[kind]);
}

struct tp_peak
tp_peak_of_device(const struct tp_device *d, enum tp_peak_kind kind,
	const struct tp_peak_wish *wish, struct tp_arena *keep)
{
	struct tp_peak peak = by_user(wish, kind);
	bool slice;

	if (peak.value > 0)
		return peak;
	peak = by_profile(d, kind);
	if (peak.value > 0)
		return peak;
	const struct tp_peak_row *row = row_of(d, &slice);
	bool rowed =
		row != NULL && (row->of[kind].value > 0 || (kind != TP_PEAK_SHARED && kind < TP_PEAK_FP8));

	peak = rowed ? by_row(row, slice, d, kind, keep) : by_kind(d, kind, keep);
	if (!(peak.value > 0))
		peak = tp_peak_unknown(with_hint(peak.how, kind, keep));
	return peak;
}

/* Whether a device has the peaks of the one before it: runs have thousands of equal ones. */
static bool
like(const struct tp_device *a, const struct tp_device *b)
{
	return a->kind == b->kind && tp_slice_eq(a->type, b->type) &&
		tp_slice_eq(a->vendor, b->vendor) && a->peak_flop_per_s == b->peak_flop_per_s &&
		a->peak_hbm_bytes_per_s == b->peak_hbm_bytes_per_s && a->memory_bytes == b->memory_bytes &&
		a->peak_cmem_read == b->peak_cmem_read && a->peak_cmem_write == b->peak_cmem_write &&
		a->peak_vmem_read == b->peak_vmem_read && a->peak_vmem_write == b->peak_vmem_write &&
		a->plane_cores == b->plane_cores && a->sm_count == b->sm_count &&
		a->clock_khz == b->clock_khz && a->compute_major == b->compute_major &&
		a->compute_minor == b->compute_minor;
}

/* Planes of which nothing is said and on which nothing ran: they are no other kind of device. */
static void
find_bare(const struct tp_profile *p, struct tp_device_peaks *all, struct tp_arena *scratch)
{
	bool *ran = tp_new_array(scratch, bool, p->device_count);

	for (uint32_t l = 0; l < p->line_count; l++) {
		if (p->lines[l].device != TP_NONE && p->lines[l].count != 0)
			ran[p->lines[l].device] = true;
	}
	for (uint32_t i = 0; i < p->device_count; i++) {
		const struct tp_device *d = &p->devices[i];
		const struct tp_device bare = {.kind = d->kind, .vendor = d->vendor};

		all[i].bare = !ran[i] && like(d, &bare);
	}
}

static void
share(struct tp_device_peaks *common, const struct tp_device_peaks *next)
{
	for (int kind = 0; kind < TP_PEAK_COUNT; kind++) {
		const struct tp_peak *a = &common->of[kind], *b = &next->of[kind];

		if (a->value != b->value || a->source != b->source)
			common->of[kind] = tp_peak_unknown(TP_S("the devices differ"));
	}
}

static void
find_peaks(const struct tp_pass_ctx *ctx, const struct tp_device *d, struct tp_device_peaks *out)
{
	for (int kind = 0; kind < TP_PEAK_COUNT; kind++)
		out->of[kind] =
			tp_peak_of_device(d, (enum tp_peak_kind)kind, &ctx->options->peak, ctx->keep);
}

struct tp_peak
tp_peak_common(const struct tp_pass_ctx *ctx, enum tp_peak_kind kind)
{
	const struct tp_peaks *peaks = tp_result(ctx, &tp_pass_peaks);
	const struct tp_device *before = NULL;
	struct tp_peak common = tp_peak_unknown(TP_S("the profile holds no TPU or GPU"));

	if (peaks == NULL || kind < TP_PEAK_COUNT)
		return peaks != NULL ? peaks->common.of[kind] : common;
	for (uint32_t i = 0; i < ctx->profile->device_count; i++) {
		const struct tp_device *d = &ctx->profile->devices[i];

		if (!tp_environment_counts(d) || peaks->devices[i].bare ||
			(before != NULL && like(d, before)))
			continue;
		struct tp_peak peak = tp_peak_of_device(d, kind, &ctx->options->peak, ctx->keep);

		if (before != NULL && peak.value != common.value)
			return tp_peak_unknown(TP_S("the devices differ"));
		common = peak;
		before = d;
	}
	return common;
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_peaks *peaks = tp_new(ctx->keep, struct tp_peaks);
	struct tp_device_peaks *all = tp_new_array(ctx->keep, struct tp_device_peaks, p->device_count);
	uint32_t before = TP_NONE, shared = TP_NONE;

	find_bare(p, all, ctx->scratch);
	for (uint32_t i = 0; i < p->device_count; i++) {
		if (!tp_environment_counts(&p->devices[i]))
			continue;
		if (before != TP_NONE && like(&p->devices[i], &p->devices[before]))
			memcpy(all[i].of, all[before].of, sizeof all[i].of);
		else
			find_peaks(ctx, &p->devices[i], &all[i]);
		before = i;
		if (all[i].bare)
			continue;
		if (shared == TP_NONE)
			peaks->common = all[i];
		share(&peaks->common, &all[i]);
		shared = i;
	}
	if (before == TP_NONE)
		return tp_fail(err, TP_ABSENT,
			tp_precomputed(ctx) != NULL ? "the tool files hold no device events"
										: "the profile holds no TPU or GPU");
	if (shared == TP_NONE)
		peaks->common = all[before];
	peaks->devices = all;
	*result = peaks;
	return TP_OK;
}

struct tp_slice
tp_peak_source_name(enum tp_peak_source source)
{
	static const char *const names[] = {[TP_PEAK_UNKNOWN] = "",
		[TP_PEAK_PROFILE] = "profile",
		[TP_PEAK_TABLE] = "table",
		[TP_PEAK_USER] = "user"};

	return tp_slice_of(names[source]);
}

struct tp_value
tp_peak_value(const struct tp_pass_ctx *ctx, enum tp_peak_kind kind)
{
	const struct tp_peaks *peaks = tp_result(ctx, &tp_pass_peaks);

	if (peaks == NULL)
		return tp_missing(tp_skipped(ctx, &tp_pass_peaks));
	const struct tp_peak *peak = &peaks->common.of[kind];

	if (!(peak->value > 0))
		return tp_missing(peak->how);
	return tp_number(peak->value,
		kind == TP_PEAK_FLOP           ? TP_UNIT_FLOP_PER_S
			: kind == TP_PEAK_CAPACITY ? TP_UNIT_BYTES
									   : TP_UNIT_BYTES_PER_S);
}

static void
metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	static const struct {
		const char *id, *label, *source_id, *source_label;
		enum tp_peak_kind kind;
	} figures[] = {
		{"flops.peak_per_s", "Peak FLOP/s of a device", "flops.peak_source",
			"Source of the peak FLOP/s", TP_PEAK_FLOP},
		{"memory_bandwidth.peak_per_s", "Peak memory bandwidth of a device",
			"memory_bandwidth.peak_source", "Source of the peak bandwidth", TP_PEAK_HBM},
		{"memory.capacity_bytes", "Memory of a device", "memory.capacity_source",
			"Source of the memory size", TP_PEAK_CAPACITY},
	};
	const struct tp_peaks *peaks = result;

	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
		struct tp_value value = tp_peak_value(ctx, figures[i].kind);
		const struct tp_peak *peak = tp_known(value) ? &peaks->common.of[figures[i].kind] : NULL;

		tp_doc_metric(doc, tp_slice_of(figures[i].id), figures[i].label, value,
			TP_S("given with --peak, else stated by the profile, else from the device table or the "
				 "rule shown in Method"),
			peak ? peak->how : TP_S(""));
		tp_doc_metric(doc, tp_slice_of(figures[i].source_id), figures[i].source_label,
			peak ? tp_text_value(tp_peak_source_name(peak->source)) : tp_missing(value.text),
			TP_S("user, profile or table"), TP_S(""));
	}
}

const struct tp_pass tp_pass_peaks = {
	.name = "peaks",
	.title = "Device peaks",
	.summary = "peak FLOP/s, bandwidths and memory of each device: given, stated, or from a table",
	.needs_all = TP_HAS_DEVICES,
	.analyze = analyze,
	.metrics = metrics,
	.lacks_nothing = "the roofline says which peak is missing",
};

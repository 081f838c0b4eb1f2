/* What the report says about devices: metrics of all together and of each, and the table. */
#include "analyze/pod/devices_present.h"

#include "analyze/core/pass.h"
#include "analyze/core/say.h"
#include "analyze/facts/devices.h"
#include "analyze/facts/peaks.h"
#include "analyze/ops/op_use.h"
#include "analyze/pod/hosts.h"
#include "analyze/pod/hosts_words.h"
#include "analyze/pod/pod.h"
#include "analyze/pod/side_by_side.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "model/profile.h"
#include "report/draft.h"

#include <math.h>

static struct tp_value
busy(const struct tp_device_time *t)
{
	return tp_share((double)t->busy_ps, (double)t->total_ps, TP_S(why_no_time));
}

static struct tp_value
idle(const struct tp_device_time *t)
{
	return tp_share((double)(t->total_ps - t->busy_ps), (double)t->total_ps, TP_S(why_no_time));
}

static struct tp_value
duty(int64_t on_ps, int64_t total_ps)
{
	return tp_share((double)on_ps, (double)total_ps, TP_S(why_no_duty_cycle));
}

static struct tp_value
peak_of(const struct tp_pass_ctx *ctx, uint32_t device, enum tp_peak_kind kind, enum tp_unit unit)
{
	const struct tp_peaks *peaks = tp_result(ctx, &tp_pass_peaks);
	const struct tp_peak *peak = peaks ? &peaks->devices[device].of[kind] : NULL;

	if (peak == NULL || !(peak->value > 0))
		return tp_missing(peak ? peak->how : TP_S(why_peak_unknown));
	return tp_number(peak->value, unit);
}

/* amount over the device's time × peak. */
static struct tp_value
utilisation(const struct tp_pass_ctx *ctx, const struct tp_device_time *t, uint64_t amount,
	enum tp_peak_kind kind)
{
	struct tp_value peak = peak_of(ctx, t->device, kind, TP_UNIT_NONE);

	if (kind == TP_PEAK_FLOP ? !t->has_flops : !t->has_costs)
		return tp_missing(TP_S(why_no_costs));
	if (!tp_known(peak))
		return peak;
	return tp_use_of_peak(
		(double)amount * 1e12, (double)t->total_ps * peak.number, TP_S(why_no_time));
}

static void
metrics_of_each(const struct tp_pass_ctx *ctx, const struct tp_devices *d, struct tp_doc *doc)
{
	for (size_t i = 0; i < d->count; i++) {
		const struct tp_device_time *t = &d->devices[i];
		struct tp_scope scope = tp_say_device_scope(ctx, t->device);

		tp_doc_metric_for(doc, "device.busy_share", scope, busy(t), TP_S(""));
		tp_doc_metric_for(doc, "device.idle_share", scope, idle(t), TP_S(""));
		if (t->duty.total_ps != 0)
			tp_doc_metric_for(doc, "device.duty_cycle_share", scope,
				duty(t->duty.on_ps, t->duty.total_ps), TP_S(""));
		if (t->has_flops)
			tp_doc_metric_for(doc, "flops.utilization_share", scope,
				utilisation(ctx, t, t->flops, TP_PEAK_FLOP), TP_S(""));
		if (!t->has_costs)
			continue;
		tp_doc_metric_for(doc, "memory_bandwidth.utilization_share", scope,
			utilisation(ctx, t, t->hbm_bytes, TP_PEAK_HBM), TP_S(""));
	}
}

static void
each_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	static const char *const ids[] = {"device.busy_share", "device.idle_share",
		"device.duty_cycle_share", "flops.utilization_share", "memory_bandwidth.utilization_share"};

	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
		tp_doc_metric_scopes(doc, ids[i], "@host,device");
	if (result != NULL)
		metrics_of_each(ctx, result, doc);
}

static struct tp_value
of_capture(const struct tp_devices *d)
{
	return tp_share((double)d->busy_ps, (double)d->capture_ps, TP_S(why_no_capture));
}

/* "of 12.1 ms from first to last operation, on 1 of 8 GPUs": of which time a share is, for a device in the mean. */
static struct tp_slice
covers(const struct tp_pass_ctx *ctx, size_t devices, int64_t time_ps, const char *which,
	struct tp_slice on)
{
	struct tp_value mean = tp_number((double)time_ps / (double)devices / 1e9, TP_UNIT_MS);

	return tp_arena_printf(
		ctx->keep, "of %.*s %s, on %.*s", TP_ARG(tp_say_value(ctx, mean)), which, TP_ARG(on));
}

static void
metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_devices *d = result;
	struct tp_slice none = tp_skipped_itself(ctx);
	struct tp_slice how =
		TP_S("busy device time over the time from the first to the last operation or step of each "
			 "device, summed over devices");
	struct tp_value busy =
		d ? tp_share((double)d->busy_ps, (double)d->total_ps, none) : tp_missing(none);
	struct tp_value idle = d
		? tp_share((double)(d->total_ps - d->busy_ps), (double)d->total_ps, none)
		: tp_missing(none);
	struct tp_slice coverage = d ? tp_devices_some_of_all(ctx, d) : TP_S("");
	struct tp_slice of_window =
		d ? covers(ctx, d->count, d->total_ps, "from first to last operation", coverage) : TP_S("");

	tp_doc_metric(doc, TP_S("device.total_ps"), "Device time, idle included",
		d ? tp_integer(d->total_ps, TP_UNIT_PS) : tp_missing(none),
		TP_S("first to last operation or step of each device, summed over devices"), coverage);
	tp_doc_metric(doc, TP_S("device.busy_ps"), "Busy device time",
		d ? tp_integer(d->busy_ps, TP_UNIT_PS) : tp_missing(none),
		TP_S("TPU: self times of all operations; GPU: time in which a stream had work; summed over "
			 "devices"),
		coverage);
	tp_doc_metric(doc, TP_S("device.busy_share"), "Device busy, first operation to last", busy, how,
		of_window);
	tp_doc_metric(doc, TP_S("device.idle_share"), "Device idle, first operation to last", idle,
		TP_S("1 − device.busy_share"), of_window);
	tp_doc_metric(doc, TP_S("device.capture_busy_share"), "Device busy, of the capture",
		d ? of_capture(d) : tp_missing(none),
		TP_S("busy device time over the length of the capture, summed over all devices in the "
			 "profile, including those without operations"),
		d && d->capture_ps != 0 ? covers(ctx, d->count + d->without_work, d->capture_ps,
									  "of capture", tp_devices_say_all(ctx, d).text)
								: TP_S(""));
	tp_doc_metric(doc, TP_S("device.duty_cycle_share"), "Duty cycle",
		d ? duty(d->duty_on_ps, d->duty_total_ps) : tp_missing(none),
		TP_S("of TPU chips: time in which at least one core of the chip ran an operation other "
			 "than infeed, outfeed or host transfers, over the time from its first to its last "
			 "operation or program run, on the host clock, summed over chips"),
		coverage);
}

static const struct tp_column columns[] = {
	TP_COLUMN("device", "Device", .code = true),
	TP_COLUMN("host", "Host"),
	TP_COLUMN("busy_ms", "Busy", .unit = TP_UNIT_MS, .decimals = 1,
		TP_FIELD(struct tp_device_time, busy_ps, TP_UNIT_PS)),
	TP_COLUMN("total_ms", "Total", .unit = TP_UNIT_MS, .decimals = 1,
		TP_FIELD(struct tp_device_time, total_ps, TP_UNIT_PS)),
	TP_SHARE_COLUMN("busy_share", "Busy share", .bar = true),
	TP_COLUMN("step_compute_ms", "Work per step", .unit = TP_UNIT_MS, .decimals = 2),
	TP_SHARE_COLUMN("duty_cycle_share", "Duty cycle"),
	TP_SHARE_COLUMN("flops_utilization_share", "FLOPS use"),
	TP_SHARE_COLUMN("hbm_utilization_share", "Bandwidth use, est."),
	TP_COLUMN("peak_flop_per_s", "Peak FLOP/s", .unit = TP_UNIT_GFLOP_PER_S, .decimals = 0),
	TP_COLUMN("peak_gb_per_s", "Peak bandwidth", .unit = TP_UNIT_GB_PER_S, .decimals = 0),
	TP_COLUMN("memory_gib", "Memory", .unit = TP_UNIT_GIB, .decimals = 1),
};
struct cells {
	struct tp_cell device, host, busy, total, busy_share, step_compute, duty_cycle, flops, hbm;
	struct tp_cell peak_flop, peak_hbm, memory;
};
TP_CELLS_ARE_COLUMNS(struct cells, columns);

/* What a core computes in a mean step; mark: that the others wait for it. */
static struct tp_cell
step_compute(const struct tp_pass_ctx *ctx, uint32_t device, enum tp_judge mark)
{
	const struct tp_hosts *hosts = tp_result(ctx, &tp_pass_hosts);

	if (!isfinite(hosts->core_compute_ps[device]))
		return (struct tp_cell){.value = tp_missing(TP_S(why_no_own_steps))};
	return (struct tp_cell){
		.value = tp_ps_in_ms(hosts->core_compute_ps[device]),
		.judge = mark,
	};
}

static void
row(const struct tp_pass_ctx *ctx, const struct tp_device_time *t, enum tp_judge mark,
	struct tp_draft *draft)
{
	const struct tp_device *device = &ctx->profile->devices[t->device];
	struct tp_slice host = ctx->profile->hosts[device->host].name;
	struct tp_slice id = tp_arena_printf(ctx->keep, "%.*s%.*s", TP_ARG(host), TP_ARG(device->name));
	struct cells *cells = tp_draft_row_of(draft, id, TP_ROW_NORMAL, 0, t);

	cells->device.value = tp_text_value(device->name);
	cells->host.value = tp_text_value(host);
	cells->busy_share.value = busy(t);
	cells->busy_share.swatch = TP_HUE_COMPUTE;
	cells->step_compute = step_compute(ctx, t->device, mark);
	cells->duty_cycle.value = duty(t->duty.on_ps, t->duty.total_ps);
	cells->flops.value = utilisation(ctx, t, t->flops, TP_PEAK_FLOP);
	cells->hbm.value = utilisation(ctx, t, t->hbm_bytes, TP_PEAK_HBM);
	cells->peak_flop.value = peak_of(ctx, t->device, TP_PEAK_FLOP, TP_UNIT_FLOP_PER_S);
	cells->peak_hbm.value = peak_of(ctx, t->device, TP_PEAK_HBM, TP_UNIT_BYTES_PER_S);
	cells->memory.value = peak_of(ctx, t->device, TP_PEAK_CAPACITY, TP_UNIT_BYTES);
}

/* The device that makes the others wait is the first, as a table of many does not show all. */
static void
add_rows(const struct tp_pass_ctx *ctx, const struct tp_devices *d, enum tp_judge mark,
	struct tp_draft *draft)
{
	uint32_t slow = tp_slow_of(tp_result(ctx, &tp_pass_pod), tp_result(ctx, &tp_pass_hosts)).device;

	for (size_t i = 0; i < d->count; i++)
		if (d->devices[i].device == slow)
			row(ctx, &d->devices[i], mark, draft);
	for (size_t i = 0; i < d->count; i++)
		if (d->devices[i].device != slow)
			row(ctx, &d->devices[i], TP_JUDGE_NONE, draft);
}

/* Which devices are counted, over what, and what else there is of the capture. */
static struct tp_text
say_which(const struct tp_pass_ctx *ctx, const struct tp_devices *d, struct tp_doc *doc)
{
	struct tp_text which = d->without_work
		? TP_SAY(doc, text_without_work,
			  tp_say_number(ctx, d->without_work, "more device has no operations and is",
				  "more devices have no operations and are"))
		: d->count == 1
		? TP_SAY0(doc, text_one_device)
		: TP_SAY(doc, text_devices, tp_say_number(ctx, d->count, "device", "devices"));

	return tp_doc_join(doc, which, tp_devices_say_capture(ctx, doc, d));
}

/* Where the devices are the whole section: how much they work. */
static void
say_answer(const struct tp_pass_ctx *ctx, const struct tp_devices *d, struct tp_doc *doc,
	struct tp_section *section)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);

	bool infeed = s != NULL && s->source->of_cores && s->class_mean_ps[TP_CLASS_INPUT_WAIT] > 0 &&
		!s->input_of_host;

	section->key_figure = infeed
		? tp_doc_value(doc, "step.class.compute_share")
		: tp_share((double)d->busy_ps, (double)d->total_ps, TP_S(why_no_time));
	section->answer = TP_SAY0(doc, infeed ? text_devices_busy_infeed : text_devices_busy);
	section->so_what = say_which(ctx, d, doc);
	if (infeed)
		section->so_what = tp_doc_join(doc, TP_SAY0(doc, text_with_infeed), section->so_what);
}

/* Where they are a part of it: the same, beside its heading. */
static void
say_aside(const struct tp_pass_ctx *ctx, const struct tp_devices *d, struct tp_doc *doc,
	struct tp_section *part)
{
	part->aside =
		TP_SAY(doc, text_devices_aside, tp_say_number(ctx, d->count, "device", "devices"));
	if (d->without_work != 0 || tp_devices_say_capture(ctx, doc, d).count != 0)
		part->so_what = say_which(ctx, d, doc);
}

static void
present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_devices *d = result;

	/* GPUs of PyTorch runs have a section of their own, with more. */
	if (ctx->profile->torch != NULL)
		return;
	struct tp_block *section = tp_side_by_side(doc, "devices", title_devices, title_by_device);

	section->section.reference = true;
	if (section->section.role == TP_SECTION_MAIN)
		say_answer(ctx, d, doc, &section->section);
	else
		say_aside(ctx, d, doc, &section->section);
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "devices/table", columns);

	add_rows(ctx, d, tp_say_mark_of(doc, "TPR-POD-001"), &draft);
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->caption = TP_S(caption_devices);
	tp_table_drop_missing(doc, table, TP_COLUMN_OF(struct cells, step_compute));
	tp_say_how(ctx, doc, section, "devices/how", how_devices);
	tp_say_source(ctx, doc, section, "devices/source", source_devices);
}

const struct tp_pass tp_pass_devices_section = {
	.of = &tp_pass_devices,
	.place = TP_PLACE_DEVICES,
	.metrics = metrics,
	.present = present,
};

const struct tp_pass tp_pass_devices_each = {
	.of = &tp_pass_devices,
	.place = TP_PLACE_DEVICES,
	.metrics = each_metrics,
};

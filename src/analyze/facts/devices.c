/* Device time: busy against total, for every device with operations. Formula for TPU cores: xprof's op_metrics_db
 * (total = the larger of Σ self time and the span from the first to the last operation or step, by the chip's clock). */
#include "analyze/facts/devices.h"
#include "analyze/core/pass.h"

#include "analyze/core/intervals.h"
#include "analyze/core/lack_words.h"
#include "analyze/facts/op_times.h"
#include "analyze/facts/peaks.h"
#include "base/arena.h"
#include "base/saturate.h"
#include "model/profile.h"
#include "model/torch.h"
#include "rank.pb-c.h"

struct hull {
	int64_t first_ps, last_ps;
	bool any;
};

static void
widen(struct hull *h, const struct tp_line *line)
{
	for (uint32_t i = 0; i < line->count; i++) {
		int64_t start = tp_line_chip_start_ps(line, i),
				end = start + tp_line_chip_duration_ps(line, i);

		if (!h->any || start < h->first_ps)
			h->first_ps = start;
		if (!h->any || end > h->last_ps)
			h->last_ps = end;
		h->any = true;
	}
}

/* What lies where among the lines of a profile. */
struct layout {
	struct span {
		uint32_t first, end;
	} * lines;            /* by device: its lines are between these */
	struct hull *streams; /* by host: of all its GPUs */
};

static struct layout
lay_out(const struct tp_profile *p, struct tp_arena *scratch)
{
	struct layout at = {
		.lines = tp_new_array(scratch, struct span, p->device_count),
		.streams = tp_new_array(scratch, struct hull, p->host_count),
	};

	for (uint32_t l = 0; l < p->line_count; l++) {
		const struct tp_line *line = &p->lines[l];

		if (line->device == TP_NONE)
			continue;
		struct span *s = &at.lines[line->device];

		s->first = s->end == 0 ? l : s->first;
		s->end = l + 1;
		if (line->kind == TP_LINE_STREAM)
			widen(&at.streams[line->host], line);
	}
	return at;
}

/* Of PyTorch traces each span by itself: what lies between them was not captured. */
static int64_t
captured_ps(const struct tp_profile *p, uint32_t host)
{
	int64_t sum_ps = 0;

	for (uint32_t i = 0; i < p->torch->trace_count; i++) {
		const struct tp_torch_trace *t = p->torch->traces[i];
		struct hull hull = {0};

		for (uint32_t l = 0; t->host == host && l < t->lane_count; l++) {
			if (t->lanes[l].kind == TP_TORCH_LANE_STREAM)
				widen(&hull, &p->lines[t->lanes[l].line]);
		}
		sum_ps = tp_add_ps(sum_ps, hull.any ? hull.last_ps - hull.first_ps : 0);
	}
	return sum_ps;
}

/* Time in which at least one stream of the GPU had something to do. */
static int64_t
busy_streams(
	const struct tp_profile *p, uint32_t device, struct span lines, struct tp_arena *scratch)
{
	size_t count = 0, n = 0;

	for (uint32_t l = lines.first; l < lines.end; l++)
		count += p->lines[l].device == device && p->lines[l].kind == TP_LINE_STREAM
			? p->lines[l].count
			: 0;
	struct tp_interval *all = tp_new_array(scratch, struct tp_interval, count);

	for (uint32_t l = lines.first; l < lines.end; l++) {
		const struct tp_line *line = &p->lines[l];

		for (uint32_t i = 0;
			 line->device == device && line->kind == TP_LINE_STREAM && i < line->count; i++)
			all[n++] = (struct tp_interval){tp_line_start_ps(line, i),
				tp_line_start_ps(line, i) + tp_line_duration_ps(line, i)};
	}
	return tp_intervals_ps(all, tp_intervals_unite(all, n));
}

/* As a summary says it. */
static bool
given_time(const Tp__RankDevice *d, uint32_t device, struct tp_device_time *out)
{
	*out = (struct tp_device_time){
		.device = device,
		.busy_ps = d->busy_ps,
		.total_ps = d->total_ps,
		.flops = d->flops,
		.hbm_bytes = d->hbm_bytes,
		.has_costs = d->has_costs,
		.has_flops = d->has_flops,
		.duty = {d->duty_on_ps, d->duty_total_ps, d->duty_first},
	};
	return d->worked;
}

static bool
time_device(const struct tp_pass_ctx *ctx, uint32_t device, const struct layout *at,
	struct tp_device_time *out)
{
	const struct tp_profile *p = ctx->profile;

	if (p->devices[device].given != NULL)
		return given_time(p->devices[device].given, device, out);
	const struct tp_op_times *times = tp_result(ctx, &tp_pass_op_times);
	bool gpu = p->devices[device].kind == TP_DEVICE_GPU, works = false;
	struct hull hull = gpu ? at->streams[p->devices[device].host] : (struct hull){0};

	*out = (struct tp_device_time){.device = device};
	for (uint32_t l = at->lines[device].first; l < at->lines[device].end; l++) {
		const struct tp_line *line = &p->lines[l];

		if (!gpu && line->device == device &&
			(line->kind == TP_LINE_OPS || line->kind == TP_LINE_STEPS))
			widen(&hull, line);
		if (line->device != device || times->self[l] == NULL)
			continue;
		works = true;
		for (uint32_t i = 0; line->kind == TP_LINE_OPS && i < line->count; i++)
			out->busy_ps = tp_add_ps(out->busy_ps, tp_self_ps(times->self[l], i));
	}
	if (gpu)
		out->busy_ps = busy_streams(p, device, at->lines[device], ctx->scratch);
	out->total_ps = hull.any ? hull.last_ps - hull.first_ps : 0;
	if (gpu && p->torch != NULL)
		out->total_ps = captured_ps(p, p->devices[device].host);
	if (out->total_ps < out->busy_ps)
		out->total_ps = out->busy_ps;
	return works && out->total_ps > 0;
}

/* What the operations of each device needed. */
static void
add_costs(const struct tp_pass_ctx *ctx, struct tp_devices *d)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_op_times *times = tp_result(ctx, &tp_pass_op_times);
	struct tp_device_time **of_device =
		tp_new_array(ctx->scratch, struct tp_device_time *, p->device_count);

	for (size_t i = 0; i < d->count; i++)
		of_device[d->devices[i].device] = &d->devices[i];
	for (uint32_t i = 0; times != NULL && i < p->op_count; i++) {
		const struct tp_op_sum *sum = &times->ops[i];
		struct tp_device_time *t =
			sum->occurrences == 0 || sum->device == TP_NONE ? NULL : of_device[sum->device];

		if (t == NULL)
			continue;
		t->has_costs |= p->ops[i].has_costs;
		t->has_flops |= p->ops[i].has_costs || p->ops[i].matrix_flops != 0;
		t->flops = tp_plus(t->flops, sum->flops);
		t->hbm_bytes = tp_plus(t->hbm_bytes, sum->hbm_bytes);
	}
}

static void
add_duty(const struct tp_pass_ctx *ctx, struct tp_devices *d)
{
	const struct tp_duty_cycle *duty = tp_duty_cycles(ctx->profile, ctx->keep, ctx->scratch);

	for (size_t i = 0; i < d->count; i++) {
		struct tp_device_time *t = &d->devices[i];

		if (ctx->profile->devices[t->device].given == NULL)
			t->duty = duty[t->device];
		if (!t->duty.first)
			continue;
		d->duty_on_ps = tp_add_ps(d->duty_on_ps, t->duty.on_ps);
		d->duty_total_ps = tp_add_ps(d->duty_total_ps, t->duty.total_ps);
	}
}

static void
add_peaks(const struct tp_peaks *peaks, struct tp_devices *d)
{
	bool flop = peaks != NULL, bytes = peaks != NULL, same_flop = true, same_bytes = true;
	double first_flop = 0, first_bytes = 0;

	for (size_t i = 0; i < d->count && peaks != NULL; i++) {
		const struct tp_peak *of = peaks->devices[d->devices[i].device].of;
		double flop_per_s = of[TP_PEAK_FLOP].value, bytes_per_s = of[TP_PEAK_HBM].value;

		if (i == 0) {
			first_flop = flop_per_s;
			first_bytes = bytes_per_s;
		}
		flop &= flop_per_s > 0;
		bytes &= bytes_per_s > 0;
		same_flop &= flop_per_s == first_flop;
		same_bytes &= bytes_per_s == first_bytes;
		d->peak_flop_ps += (double)d->devices[i].total_ps * flop_per_s;
		d->busy_peak_flop_ps += (double)d->devices[i].busy_ps * flop_per_s;
		d->peak_byte_ps += (double)d->devices[i].total_ps * bytes_per_s;
		d->busy_peak_byte_ps += (double)d->devices[i].busy_ps * bytes_per_s;
	}
	if (!flop)
		d->peak_flop_ps = d->busy_peak_flop_ps = 0;
	if (!bytes)
		d->peak_byte_ps = d->busy_peak_byte_ps = 0;
	if (flop && same_flop)
		d->peak_flop_per_s = first_flop;
	if (bytes && same_bytes)
		d->peak_bytes_per_s = first_bytes;
}

/* Of each device its host's capture, and never less than what it was seen to work in. PyTorch's spans are told apart elsewhere. */
static int64_t
capture_of(const struct tp_pass_ctx *ctx, uint32_t device, const struct tp_device_time *time)
{
	const struct tp_host *host = &ctx->profile->hosts[ctx->profile->devices[device].host];
	int64_t length_ns;

	if (ctx->profile->torch != NULL || host->start_unix_ns <= 0 ||
		__builtin_sub_overflow(host->stop_unix_ns, host->start_unix_ns, &length_ns) ||
		length_ns <= 0 || length_ns > INT64_MAX / 1000)
		return 0;
	return length_ns * 1000 > time->total_ps ? length_ns * 1000 : time->total_ps;
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_devices *d = tp_new(ctx->keep, struct tp_devices);
	struct layout at = lay_out(p, ctx->scratch);
	bool recorded = true;

	d->devices = tp_new_array(ctx->keep, struct tp_device_time, p->device_count);
	for (uint32_t i = 0; i < p->device_count; i++) {
		struct tp_device_time time;

		if (p->devices[i].kind == TP_DEVICE_OTHER || p->devices[i].kind == TP_DEVICE_SPARSE_CORE)
			continue;
		bool works = time_device(ctx, i, &at, &time);
		int64_t capture_ps = capture_of(ctx, i, &time);

		recorded &= capture_ps != 0;
		d->capture_ps = tp_add_ps(d->capture_ps, capture_ps);
		if (!works) {
			d->without_work++;
			continue;
		}
		d->devices[d->count++] = time;
		d->busy_ps = tp_add_ps(d->busy_ps, time.busy_ps);
		d->total_ps = tp_add_ps(d->total_ps, time.total_ps);
	}
	if (d->count == 0)
		return tp_fail(err, TP_ABSENT, "no device in the profile has operations");
	d->capture_ps = recorded ? d->capture_ps : 0;
	add_costs(ctx, d);
	add_duty(ctx, d);
	add_peaks(tp_result(ctx, &tp_pass_peaks), d);
	*result = d;
	return TP_OK;
}

static const struct tp_pass *const after[] = {&tp_pass_op_times, &tp_pass_peaks, NULL};

static const struct tp_lack lacks[] = {
	{"gpu-operations", "What the GPU did: each kernel and copy", TP_LACK_ON_GPU,
		.tensorflow =
			"Set `tf.profiler.experimental.ProfilerOptions(device_tracer_level=1)`. " TP_LACK_CUPTI,
		.any = TP_LACK_CUPTI},
	{"tpu-operations", "What the TPU did: each operation", TP_LACK_ON_TPU,
		.jax =
			"Let steps run while the trace is on, and end it after `jax.block_until_ready(...)`.",
		.any = "Let steps run while the profiler is on."},
	{0},
};

const struct tp_pass tp_pass_devices = {
	.name = "devices",
	.title = "Devices",
	.summary =
		"busy and idle time, duty cycle, FLOPS and bandwidth utilisation of every TPU core or GPU",
	.needs_all = TP_HAS_DEVICES | TP_HAS_DEVICE_OPS,
	.after = after,
	.place = TP_PLACE_DEVICES,
	.analyze = analyze,
	.lacks = lacks,
};

/* The tiles of the first screen: six key figures at most, those that this profile can give. */
#include "analyze/page/tiles.h"

#include "analyze/core/say.h"
#include "analyze/facts/devices.h"
#include "analyze/facts/environment.h"
#include "analyze/facts/kernel_name.h"
#include "analyze/facts/peaks.h"
#include "analyze/facts/precomputed.h"
#include "analyze/judge/findings.h"
#include "analyze/kernels/kernels.h"
#include "analyze/ops/op_profile.h"
#include "analyze/ops/ops.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "base/texts.h"
#include "base/utf8.h"
#include "model/profile.h"

#include <math.h>

/* Tiles that are shown, and room for all that could be; points of a curve. */
enum { MOST_TILES = 6, ALL_TILES = 32, MOST_POINTS = 240 };

/* A curve over steps, without those that the capture cuts off; of very many each point is the highest of several in a row. */
static void
spark(const struct tp_pass_ctx *ctx, const struct tp_steps *s, enum tp_class c, bool share,
	struct tp_tile *t)
{
	size_t whole = s->count - s->open_count, each = (whole + MOST_POINTS - 1) / MOST_POINTS;
	double *values = tp_new_array(ctx->keep, double, MOST_POINTS);
	size_t n = 0;

	if (whole < 3)
		return;
	for (size_t i = 0; i < s->count; i++) {
		if (s->steps[i].open_start || s->steps[i].open_end)
			continue;
		double time = s->steps[i].time_ps,
			   part = c == TP_CLASS_COUNT ? time : s->steps[i].class_ps[c];
		double value = !share ? part / 1e9 : time > 0 ? part / time : 0;

		values[n / each] = value > values[n / each] ? value : values[n / each];
		n++;
	}
	t->spark = values;
	t->spark_count = (n - 1) / each + 1;
}

static struct tp_tile
step_tile(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s)
{
	struct tp_tile t = tp_doc_tile(doc, "summary/tiles/step-time", "Step time", "step.time.p50_ms");

	const struct tp_precomputed *g = tp_precomputed(ctx);

	if (s == NULL && g != NULL && g->pod != NULL) {
		t.note[0] = TP_SAY0(doc, "the pod viewer's steps take");
		t.note[1] = TP_SAY(doc, "[{} on average](#distributed)",
			tp_number(tp_precomputed_pod_mean_ms(g->pod), TP_UNIT_MS));
		return t;
	}
	if (s == NULL) {
		t.note[0] = TP_SAY0(doc, "no step markers");
		t.note[1] = TP_SAY0(doc, "[how to mark steps](#steps)");
		return t;
	}
	t.qualifier = TP_S("median");
	t.note[0] = TP_SAY0(doc, "p95 {step.time.p95_ms} · mean {step.time.mean_ms}");
	t.note[1] = tp_steps_equal(s) ? TP_SAY0(doc, "steps differ by < 1 %")
								  : TP_SAY(doc, "slowest {step.time.max_ms}, step {}",
										tp_text_value(s->steps[s->slowest].name));
	if (s->inferred)
		t.note[1] =
			TP_SAY(doc, "inferred, confidence {}", tp_text_value(tp_steps_confidence(ctx, s)));
	if (s->count == 1) {
		t.qualifier = TP_S("");
		t.note[0] = TP_SAY0(doc, "one step only:");
		t.note[1] = TP_SAY0(doc, "its spread is unknown");
	}
	spark(ctx, s, TP_CLASS_COUNT, false, &t);
	return t;
}

/* From six digits on little fits beside them. */
#define WIDE_FIGURE 99999.5

static struct tp_tile
throughput_tile(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s)
{
	const struct tp_environment *e = tp_result(ctx, &tp_pass_environment);
	struct tp_tile t =
		tp_doc_tile(doc, "summary/tiles/throughput", "Throughput", "run.examples_per_s");

	t.note[0] = TP_SAY0(doc, "batch {run.batch.global}, inferred");
	t.qualifier = t.value.number < WIDE_FIGURE ? TP_S("examples/s") : TP_S("ex/s");
	if (e->working > 1)
		t.note[1] = TP_SAY(doc,
			"{run.batch.per_core} per core × "
			"{}",
			tp_say_number(ctx, e->working, "core", "cores"));
	spark(ctx, s, TP_CLASS_COUNT, false, &t);
	/* The batch over the time of each step: a curve of several steps keeps the slowest of them. */
	double *values = tp_new_array(ctx->keep, double, t.spark_count);

	for (size_t i = 0; i < t.spark_count; i++)
		values[i] = t.spark[i] > 0 ? 1 / t.spark[i] : 0;
	t.spark = t.spark_count != 0 ? values : NULL;
	return t;
}

/* A limit as it was given: "5 %", not "5.0 %". */
static struct tp_value
percent(const struct tp_pass_ctx *ctx, double share)
{
	return tp_text_value(tp_arena_printf(ctx->keep, "%g %%", 100 * share));
}

static struct tp_tile
input_tile(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s)
{
	static const char *const words[] = {"high", "medium", "low"};
	struct tp_tile t =
		tp_doc_tile(doc, "summary/tiles/input-wait", "Waiting for input", tp_input_metric(s));
	struct tp_value word = tp_tile_judge(ctx, s->source->input_rule, words, &t);
	double limit = t.judge == TP_JUDGE_BAD ? s->input_limits.high : s->input_limits.medium;

	t.note[0] = TP_SAY(doc, "{} · limit {}", word, percent(ctx, limit));
	t.note[1] = TP_SAY(doc, tp_input_uneven(s) ? "{} on the worst core" : "{} of a mean step",
		tp_number(t.value.number * s->time.mean / 1e9, TP_UNIT_MS));
	if (s->inferred)
		t.note[1] = TP_SAY0(doc, "of inferred steps");
	if (!s->shows_input) {
		t.judge = TP_JUDGE_UNDECIDED;
		t.finding = TP_S("");
		for (int i = 0; i < 2; i++)
			t.note[i] = TP_SAY0(doc, s->source->input_unseen.tile[i]);
	}
	if (!s->shows_input && tp_input_verdict(s) == TP_INPUT_NONE) {
		t.label = TP_S("Waiting for input, at most");
		t.metric = TP_S("input.wait_limit_share");
		t.value = tp_doc_value(doc, "input.wait_limit_share");
		t.judge = TP_JUDGE_GOOD;
		t.note[0] = TP_SAY(doc, "low · limit {}", percent(ctx, s->input_limits.medium));
		t.note[1] = TP_SAY0(doc, "not recorded");
	}
	if (s->input_share > 0)
		spark(ctx, s, TP_CLASS_INPUT_WAIT, true, &t);
	return t;
}

/* What the share of the peak lacks: the costs, the peak, or both. */
static struct tp_text
flops_lack(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_ops *o)
{
	const struct tp_peaks *peaks = tp_result(ctx, &tp_pass_peaks);
	bool peak = false;

	for (uint32_t i = 0; peaks != NULL && i < ctx->profile->device_count; i++)
		peak |= peaks->devices[i].of[TP_PEAK_FLOP].value > 0;
	if (o == NULL)
		return TP_SAY0(doc, "no operations");
	if (o->has_flops)
		return TP_SAY0(doc, peak ? "some peaks unknown" : "no peak");
	return TP_SAY0(doc, peak ? "no operation costs" : "no peak and no costs");
}

static struct tp_tile
flops_tile(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	const struct tp_ops *o = tp_result(ctx, &tp_pass_ops);
	struct tp_tile t = tp_doc_tile(
		doc, "summary/tiles/flops", "FLOPS utilisation", "flops.busy_utilization_share");

	if (!tp_known(t.value)) {
		t.note[0] = o != NULL && o->flops_impossible ? TP_SAY0(doc, "above 125 % of the peak:")
													 : flops_lack(ctx, doc, o);
		t.note[1] = o != NULL && o->flops_impossible ? TP_SAY0(doc, "costs or peak are wrong")
													 : TP_SAY0(doc, "in the profile");
		return t;
	}
	static const char *const words[] = {"low · ", "low · ", "fair · "};
	bool one_peak = tp_known(tp_doc_value(doc, "flops.peak_per_s"));
	struct tp_value word = tp_tile_judge(ctx, "TPR-FLOPS-001", words, &t);

	t.note[0] = one_peak ? TP_SAY(doc, "{}of {flops.peak_per_s}", word)
						 : TP_SAY(doc, "{}devices differ", word);
	/* Judged while busy: idle time has a tile of its own. */
	t.label = TP_S("FLOPS while busy");
	t.note[1] = TP_SAY0(doc, "{flops.utilization_share} idle included");
	return t;
}

static struct tp_tile
bandwidth_tile(struct tp_doc *doc)
{
	struct tp_tile t = tp_doc_tile(
		doc, "summary/tiles/bandwidth", "Memory bandwidth", "memory_bandwidth.utilization_share");

	t.note[0] = TP_SAY0(doc, "of the peak, idle included");
	t.note[1] = TP_SAY0(doc, "{memory_bandwidth.busy_utilization_share} while busy");
	return t;
}

/* "16 GiB", not "16.0 GiB": there is little room. */
static struct tp_value
capacity(const struct tp_pass_ctx *ctx, struct tp_value bytes)
{
	double gib = tp_value_in(bytes, TP_UNIT_BYTES) / (1 << 30);

	return gib >= 1 && gib == floor(gib)
		? tp_text_value(tp_arena_printf(ctx->keep, "%.0f\u202fGiB", gib))
		: bytes;
}

/* Two figures go by the name of a memory peak: the larger is what the device has to hold. */
static struct tp_tile
measured_memory_tile(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	static const char *const words[] = {"full · ", "tight · ", "fits · "};
	struct tp_tile t =
		tp_doc_tile(doc, "summary/tiles/memory", "Memory peak", "memory.measured.peak_bytes");

	t.note[0] = TP_SAY(doc, "{}measured", tp_tile_judge(ctx, "TPR-OOM-003", words, &t));
	if (tp_known(tp_doc_value(doc, "memory.peak_bytes")))
		t.note[1] = TP_SAY0(doc, "planned {memory.peak_bytes}");
	else if (tp_known(tp_doc_value(doc, "memory.measured.peak_share")))
		t.note[1] = TP_SAY(doc, "{memory.measured.peak_share} of {}",
			capacity(ctx, tp_doc_value(doc, "memory.measured.capacity_bytes")));
	return t;
}

static struct tp_tile
memory_tile(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	static const char *const words[] = {"over · ", "tight · ", "fits · "};
	double planned = tp_value_in(tp_doc_value(doc, "memory.peak_bytes"), TP_UNIT_BYTES);

	if (isnan(planned) ||
		tp_value_in(tp_doc_value(doc, "memory.measured.peak_bytes"), TP_UNIT_BYTES) > planned)
		return measured_memory_tile(ctx, doc);
	double padding =
		planned - tp_value_in(tp_doc_value(doc, "memory.peak_unpadded_bytes"), TP_UNIT_BYTES);
	struct tp_tile t = tp_doc_tile(doc, "summary/tiles/memory", "Memory peak", "memory.peak_bytes");

	t.note[0] = TP_SAY0(doc, "planned by the compiler");
	if (tp_known(tp_doc_value(doc, "memory.peak_share")))
		t.note[0] =
			TP_SAY(doc, "{}{memory.peak_share} of {}", tp_tile_judge(ctx, "TPR-OOM-001", words, &t),
				capacity(ctx, tp_doc_value(doc, "memory.capacity_bytes")));
	if (tp_known(tp_doc_value(doc, "memory.measured.peak_bytes")))
		t.note[1] = TP_SAY0(doc, "planned; measured {memory.measured.peak_bytes}");
	else if (padding == 0)
		t.note[1] = TP_SAY0(doc, "no padding");
	else if (padding > 0)
		t.note[1] = TP_SAY(doc, "{} of it is padding", tp_number(padding, TP_UNIT_BYTES));
	return t;
}

/* The largest class of a step that is not the device's work, judged as the rule on it judges; in words of the work, whose figure
 * the mark stands beside. */
static struct tp_text
rest_of_step(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s, struct tp_tile *t)
{
	static const char *const words[] = {"low · ", "fair · ", "high · "};
	static const char *const rules[TP_CLASS_COUNT] = {
		[TP_CLASS_INPUT_WAIT] = "TPR-INPUT-001",
		[TP_CLASS_OUTPUT] = "TPR-OUTPUT-001",
		[TP_CLASS_COLLECTIVE] = "TPR-COMM-001",
		[TP_CLASS_IDLE] = "TPR-IDLE-001",
	};
	enum tp_class most = TP_CLASS_IDLE;

	for (int c = 0; c < TP_CLASS_COUNT; c++) {
		if (c != TP_CLASS_COMPUTE && s->class_mean_ps[c] > s->class_mean_ps[most])
			most = (enum tp_class)c;
	}
	/* Copies are device work, but nothing to praise. */
	static const char *const copies[] = {"copies · ", "copies · ", ""};
	enum tp_judge copy_judge = tp_finding_judge(tp_finding_of(ctx, "TPR-COPY-001"));

	if ((copy_judge == TP_JUDGE_BAD || copy_judge == TP_JUDGE_WARN) &&
		s->copy_mean_ps > s->class_mean_ps[most])
		return TP_SAY(doc, "{}{} of a step", tp_tile_judge(ctx, "TPR-COPY-001", copies, t),
			tp_number(s->copy_mean_ps / s->time.mean, TP_UNIT_SHARE));
	struct tp_slice label = tp_slice_of(tp_class_info(most)->label);

	/* "high · 1.1 % collectives": the word is not of what comes after it. */
	return TP_SAY(doc, "{}{} {}",
		rules[most] != NULL ? tp_tile_judge(ctx, rules[most], words, t) : tp_text_value(TP_S("")),
		tp_number(s->class_mean_ps[most] / s->time.mean, TP_UNIT_SHARE),
		tp_text_value(tp_arena_printf(
			ctx->keep, "%c%.*s", label.ptr[0] | 0x20, TP_ARG(tp_slice_from(label, 1)))));
}

/* A TPU core that waits in an infeed operation, or in a collective, is busy by every profiler's count: of steps of cores it is
 * told what they work, as the bar of classes draws it. */
static struct tp_tile
work_tile(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s)
{
	struct tp_tile t =
		tp_doc_tile(doc, "summary/tiles/work", "Device work per step", "step.class.compute_share");

	t.note[0] = rest_of_step(ctx, doc, s, &t);
	t.note[1] = TP_SAY0(doc, "idle {device.idle_share}, first to last op");
	spark(ctx, s, TP_CLASS_COMPUTE, true, &t);
	return t;
}

static struct tp_tile
busy_tile(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_devices *d)
{
	static const char *const words[] = {"low · ", "medium · ", "high · "};
	struct tp_tile t =
		tp_doc_tile(doc, "summary/tiles/busy", "Device busy in trace", "device.busy_share");

	t.note[0] =
		TP_SAY(doc, "{}idle {device.idle_share}", tp_tile_judge(ctx, "TPR-IDLE-002", words, &t));
	struct tp_value window = tp_number((double)d->total_ps / (double)d->count, TP_UNIT_PS);
	size_t all = d->count + d->without_work;

	/* Of most of a capture nothing may have run. */
	t.note[1] = tp_devices_say_capture(ctx, doc, d).count == 0
		? TP_SAY(doc, "{} first to last op", window)
		: TP_SAY(doc, "{} of a {} capture", window,
			  tp_number((double)d->capture_ps / (double)all, TP_UNIT_PS));
	return t;
}

/* How much devices work, and how many of them: the others ran nothing, and a tile that says nothing of them would praise the
 * whole machine. */
static struct tp_tile
device_tile(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_devices *d,
	const struct tp_steps *s)
{
	struct tp_tile t =
		s != NULL && s->source->of_cores ? work_tile(ctx, doc, s) : busy_tile(ctx, doc, d);

	if (d->without_work != 0)
		t.label = tp_arena_printf(ctx->keep, "%s, %zu of %zu",
			s != NULL && s->source->of_cores ? "Device work" : "Busy in trace", d->count,
			d->count + d->without_work);
	return t;
}

/* From this difference of median and mean on a tile says which of them it is of. */
#define APART 0.05

/* The tile of step time has the median, which steps that the capture cuts hardly change. */
static struct tp_text
of_a_step(struct tp_doc *doc, const struct tp_steps *s, enum tp_class c)
{
	return TP_SAY(doc,
		fabs(s->time.p50 - s->time.mean) > APART * s->time.mean
			? "{} of the mean {step.time.mean_ms}"
			: "{} of a step",
		tp_number(s->class_mean_ps[c] / s->time.mean, TP_UNIT_SHARE));
}

static struct tp_tile
collective_tile(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s)
{
	static const char *const words[] = {"high · ", "watch · ", "low · "};
	struct tp_tile t = tp_doc_tile(
		doc, "summary/tiles/collectives", "Exposed collectives", "step.class.collective_ms");

	t.note[0] = tp_doc_join(doc, TP_SAY(doc, "{}", tp_tile_judge(ctx, "TPR-COMM-001", words, &t)),
		of_a_step(doc, s, TP_CLASS_COLLECTIVE));
	if (tp_known(tp_doc_value(doc, "step.collective_wait_ms")))
		t.note[1] = TP_SAY0(doc, "at most {step.collective_wait_ms} waiting");
	if (s->class_mean_ps[TP_CLASS_COLLECTIVE] > 0)
		spark(ctx, s, TP_CLASS_COLLECTIVE, false, &t);
	return t;
}

/* Milliseconds of a class with its share of a step. */
static struct tp_tile
class_tile(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s, enum tp_class c)
{
	const struct tp_class_info *info = tp_class_info(c);
	struct tp_tile t =
		tp_doc_tile(doc, tp_arena_printf(ctx->keep, "summary/tiles/%s", info->key).ptr, info->label,
			tp_arena_printf(ctx->keep, "step.class.%s_ms", info->key).ptr);

	t.note[0] = of_a_step(doc, s, c);
	spark(ctx, s, c, false, &t);
	return t;
}

/* "`wgrad_alg0_engine`" */
static struct tp_text
short_note(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_slice name)
{
	enum { FITS = 24 };

	return TP_SAY(doc, "`{}`", tp_text_value(tp_utf8_shorten(ctx->keep, name, FITS)));
}

/* As the section on kernels has it, which groups them by name. */
static struct tp_tile
top_kernel_tile(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_kernels *k)
{
	struct tp_tile t = tp_doc_tile(doc, "summary/tiles/top-op", "Top kernel", "kernels.top.share");

	t.qualifier = TP_S("of kernel time");
	t.note[0] = short_note(ctx, doc, k->sums[0].short_name);
	t.note[1] = TP_SAY(doc, "of {}",
		k->torch && k->sum_count != k->total_count
			? tp_say_number(ctx, k->sum_count, "name", "names")
			: tp_say_number(ctx, k->sum_count, "kernel", "kernels"));
	return t;
}

static struct tp_tile
top_op_tile(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_ops *o)
{
	const struct tp_kernels *k = tp_result(ctx, &tp_pass_kernels);
	struct tp_slice label = o->ops[o->top].op->label;

	if (k != NULL && k->count != 0 &&
		!tp_texts_any(
			label, tp_slice_starts, TP_TEXTS("Memcpy", "Memset", "CopyHost", "CopyDevice")))
		return top_kernel_tile(ctx, doc, k);
	struct tp_tile t =
		tp_doc_tile(doc, "summary/tiles/top-op", "Top operation", "op.top.self_share");

	t.qualifier = TP_S("of busy time");
	t.note[0] = short_note(ctx, doc, tp_kernel_short_name(label, ctx->keep));
	t.note[1] = TP_SAY(doc, "of {}", tp_say_number(ctx, o->count, "operation", "operations"));
	return t;
}

/* Waiting for input has a tile where the verdict does not already say it, or nothing better is known. */
static bool
shows_input(const struct tp_steps *s, bool throughput)
{
	enum tp_input_verdict v = tp_input_verdict(s);

	return s != NULL && (!throughput || v == TP_INPUT_MODERATE || v == TP_INPUT_POTENTIAL);
}

/* A class with less than this share of a step has no tile: it says little. */
#define LITTLE_SHARE 0.005

static bool
tells(const struct tp_steps *s, enum tp_class c)
{
	return s->class_mean_ps[c] >= LITTLE_SHARE * s->time.mean;
}

/* The first six of these, in this order, that the profile can give. */
void
tp_summary_tiles(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *summary)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	const struct tp_devices *d = tp_result(ctx, &tp_pass_devices);
	const struct tp_ops *o = tp_ops_known(ctx);
	const struct tp_op_profile *precomputed = tp_result(ctx, &tp_pass_op_profile);
	struct tp_tile *list = tp_new_array(doc->arena, struct tp_tile, ALL_TILES);
	bool throughput = tp_known(tp_doc_value(doc, "run.examples_per_s"));
	/* Where a folder holds both, PyTorch's tile tells of the run that the other tiles are of. */
	bool memory = ctx->profile->torch == NULL &&
		(tp_known(tp_doc_value(doc, "memory.peak_bytes")) ||
			tp_known(tp_doc_value(doc, "memory.measured.peak_bytes")));
	size_t n = 0;

	/* An op profile tells no steps, but more of operations than fits here. */
	if (s == NULL && precomputed != NULL)
		n += tp_op_profile_tiles(ctx, precomputed, doc, list);
	else if (tp_has_profile(ctx))
		list[n++] = step_tile(ctx, doc, s);
	else
		n += tp_job_tiles(ctx, doc, list);
	if (throughput)
		list[n++] = throughput_tile(ctx, doc, s);
	if (shows_input(s, throughput))
		list[n++] = input_tile(ctx, doc, s);
	if (ctx->profile->torch != NULL) {
		n += tp_torch_tiles(ctx, doc, list + n);
	} else if (d != NULL) {
		list[n++] = flops_tile(ctx, doc);
		list[n++] = device_tile(ctx, doc, d, s);
	}
	if (s != NULL && d == NULL && n < MOST_TILES - 1) {
		/* Those of a tool file are of a device: what it says of it is more. */
		bool device = s->source->tells_device;
		bool other = !s->source->gaps_are_idle && tells(s, TP_CLASS_OTHER);

		list[n++] = class_tile(ctx, doc, s, device ? TP_CLASS_COMPUTE : TP_CLASS_HOST_COMPUTE);
		if (other)
			list[n++] = class_tile(ctx, doc, s, TP_CLASS_OTHER);
		else if (tells(s, TP_CLASS_IDLE))
			list[n++] = class_tile(ctx, doc, s, TP_CLASS_IDLE);
		if (tp_precomputed(ctx) != NULL)
			n += tp_precomputed_tiles(doc, list + n);
	}
	if (memory)
		list[n++] = memory_tile(ctx, doc);
	if (s != NULL && s->source->by_role &&
		tp_known(tp_doc_value(doc, "torch.comm.communication_us")))
		list[n++] = tp_torch_communication_tile(ctx, doc);
	else if (s != NULL && d != NULL && !s->source->by_role)
		list[n++] = collective_tile(ctx, doc, s);
	if (o != NULL && isfinite(o->hbm_share))
		list[n++] = bandwidth_tile(doc);
	if (o != NULL)
		list[n++] = top_op_tile(ctx, doc, o);
	if (n == 0)
		return;
	for (size_t i = 0; i < n; i++)
		list[i].section = tp_tile_section(list[i].metric);
	struct tp_block *block = tp_doc_add(doc, summary, TP_BLOCK_TILES, TP_S("summary/tiles"));

	block->tiles = (struct tp_tiles){list, n < MOST_TILES ? n : MOST_TILES};
}

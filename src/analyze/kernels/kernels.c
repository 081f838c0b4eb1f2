/* GPU kernels: the sums over all of them and by name, by the short one for the bars, by the whole one for the table; what launching
 * them costs; headline figures. */
#include "analyze/kernels/kernels.h"
#include "analyze/core/pass.h"

#include "analyze/core/lack_words.h"
#include "analyze/core/say.h"
#include "analyze/facts/kernel_name.h"
#include "analyze/facts/op_times.h"
#include "analyze/facts/precomputed.h"
#include "analyze/kernels/kernels_words.h"
#include "analyze/torch/operators/torch_ops.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>

static void
work_out_row(const struct tp_profile *p, struct tp_kernel_row *row)
{
	const struct tp_device *device = &p->devices[row->device];
	uint64_t blocks = tp_launch_blocks(&row->launch);

	row->blocks_per_sm = NAN;
	if (row->achieved)
		row->launch.occupancy = tp_weighted_mean(&row->occupancy_by_time);
	if (row->kinds_differ) {
		row->occupancy = (struct tp_occupancy){.share = NAN, .reason = TP_S(why_types_differ)};
		return;
	}
	row->occupancy = tp_occupancy_of(device, &row->launch);
	if (blocks != 0 && device->sm_count != 0)
		row->blocks_per_sm = (double)blocks / device->sm_count;
}

static void
sum(const struct tp_profile *p, struct tp_kernels *k)
{
	double weighted = 0;

	for (size_t i = 0; i < k->count; i++) {
		struct tp_kernel_row *row = &k->rows[i];

		work_out_row(p, row);
		double occupancy = tp_kernel_occupancy(row);

		k->calls += row->calls;
		k->total_ps = tp_add_ps(k->total_ps, row->total_ps);
		enum tp_tensor_cores cores = tp_tensor_cores_of(&p->devices[row->device]);

		k->tensor_cores = cores > k->tensor_cores ? cores : k->tensor_cores;
		k->ops_known = k->ops_known || row->op.len != 0;
		if (row->tensor_core == TP_TENSOR_CORE_USED)
			k->tensor_ps = tp_add_ps(k->tensor_ps, row->total_ps);
		else if (row->eligible && row->tensor_core == TP_TENSOR_CORE_NOT_USED)
			k->unused_ps = tp_add_ps(k->unused_ps, row->total_ps);
		else if (row->eligible)
			k->untold_ps = tp_add_ps(k->untold_ps, row->total_ps);
		k->graph_calls += row->graph_calls;
		k->occupancy_differs += !row->achieved && isfinite(row->launch.occupancy) &&
			fabs(row->launch.occupancy - row->occupancy.share) > TP_OCCUPANCY_TOLERANCE;
		if (!isfinite(occupancy))
			continue;
		k->known_ps = tp_add_ps(k->known_ps, row->total_ps);
		weighted += occupancy * (double)row->total_ps;
	}
	k->occupancy = k->known_ps > 0 ? weighted / (double)k->known_ps : NAN;
}

TP_ORDER(longest_sum, struct tp_kernel_sum, TP_DOWN(total_ps),
	tp_slice_cmp(a->short_name, b->short_name));

static void
sum_by_short_name(const struct tp_pass_ctx *ctx, struct tp_kernels *k)
{
	struct tp_map index;
	uint32_t *sum_of = tp_new_array(ctx->scratch, uint32_t, k->count);

	tp_map_init(&index, ctx->scratch);
	k->sums = tp_new_array(ctx->keep, struct tp_kernel_sum, k->count);
	for (size_t i = 0; i < k->count; i++) {
		const struct tp_kernel_row *row = &k->rows[i];

		if (tp_map_number(&index, tp_hash_bytes(row->short_name), &sum_of[i]))
			k->sums[k->sum_count++] =
				(struct tp_kernel_sum){.short_name = row->short_name, .name = row->name};
		struct tp_kernel_sum *sum = &k->sums[sum_of[i]];

		sum->several |= !tp_slice_eq(sum->name, row->name);
		sum->total_ps = tp_add_ps(sum->total_ps, row->total_ps);
	}
	qsort(k->sums, k->sum_count, sizeof *k->sums, longest_sum);
}

TP_ORDER(longest_total, struct tp_kernel_total, TP_DOWN(total_ps), tp_slice_cmp(a->name, b->name));

static void
add_row(struct tp_kernel_total *total, const struct tp_kernel_row *row)
{
	if (total->launches++ == 0) {
		total->name = row->name;
		total->short_name = row->short_name;
		total->tensor_core = row->tensor_core;
		total->min_ps = row->min_ps;
	}
	total->eligible = total->eligible || row->eligible;
	total->calls += row->calls;
	total->total_ps = tp_add_ps(total->total_ps, row->total_ps);
	total->min_ps = row->min_ps < total->min_ps ? row->min_ps : total->min_ps;
	total->max_ps = row->max_ps > total->max_ps ? row->max_ps : total->max_ps;
	tp_weighted_add(&total->occupancy, tp_kernel_occupancy(row), row->total_ps);
	tp_weighted_add(&total->blocks_per_sm, row->blocks_per_sm, row->total_ps);
}

TP_ORDER_POINTERS(by_short_name, struct tp_kernel_total,
	tp_slice_cmp(a->short_name, b->short_name) ?: tp_slice_cmp(a->name, b->name));

/* "elementwise_kernel<FillFunctor> [float]", where another is "… [int]". */
static void
tell_apart(const struct tp_pass_ctx *ctx, struct tp_kernels *k)
{
	size_t count = k->total_count;
	struct tp_kernel_total **order = tp_new_array(ctx->scratch, struct tp_kernel_total *, count);
	struct tp_slice *names = tp_new_array(ctx->scratch, struct tp_slice, count);
	struct tp_slice *differences = tp_new_array(ctx->scratch, struct tp_slice, count);

	for (size_t i = 0; i < count; i++)
		order[i] = &k->totals[i];
	if (count != 0)
		qsort(order, count, sizeof *order, by_short_name);
	for (size_t i = 0, next; i < count; i = next) {
		for (next = i; next < count && tp_slice_eq(order[next]->short_name, order[i]->short_name);
			 next++)
			names[next] = order[next]->name;
		tp_kernel_differences(names + i, next - i, differences + i, ctx->scratch);
		for (size_t n = i; n < next; n++)
			order[n]->shown = differences[n].len == 0
				? order[n]->short_name
				: tp_arena_printf(ctx->keep, "%.*s [%.*s]", TP_ARG(order[n]->short_name),
					  TP_ARG(differences[n]));
	}
}

static void
sum_by_whole_name(const struct tp_pass_ctx *ctx, struct tp_kernels *k)
{
	struct tp_map index;
	uint32_t *total_of = tp_new_array(ctx->scratch, uint32_t, k->count);

	tp_map_init(&index, ctx->scratch);
	k->totals = tp_new_array(ctx->keep, struct tp_kernel_total, k->count);
	for (size_t i = 0; i < k->count; i++) {
		k->total_count += tp_map_number(&index, tp_hash_bytes(k->rows[i].name), &total_of[i]);
		add_row(&k->totals[total_of[i]], &k->rows[i]);
	}
	tell_apart(ctx, k);
	for (size_t i = 0; i < k->count; i++)
		k->rows[i].shown = k->totals[total_of[i]].shown;
	qsort(k->totals, k->total_count, sizeof *k->totals, longest_total);
}

/* A median needs no more of them. */
enum { MOST_SAMPLES = 65536 };

/* A kernel, and whether it alone answers to its launch: those of a graph are started together. */
struct launched {
	int64_t duration_ps;
	uint64_t correlation;
	uint32_t host;
	bool alone;
};

struct walk {
	const struct tp_line *line;
	size_t tag;
	uint32_t event;
};

/* The next kernel with a correlation id on the line; false at the end. */
static bool
next_kernel(struct walk *w, uint32_t *event, int64_t *correlation)
{
	for (; w->event < w->line->count; w->event++) {
		int64_t details;

		if (tp_tag_find(w->line, &w->tag, w->event, TP_TAG_KERNEL, &details) && details != 0 &&
			tp_line_duration_ps(w->line, w->event) > 0 &&
			tp_tag_find(w->line, &w->tag, w->event, TP_TAG_CORRELATION, correlation)) {
			*event = w->event++;
			return true;
		}
	}
	return false;
}

static void
kernels_of_line(const struct tp_line *line, struct tp_buf *out)
{
	struct walk w = {.line = line};
	uint32_t event;
	int64_t correlation;
	struct launched *before = NULL;

	while (next_kernel(&w, &event, &correlation)) {
		bool alone = before == NULL || before->correlation != (uint64_t)correlation;

		if (before != NULL && !alone)
			before->alone = false;
		before = tp_buf_add(out, sizeof *before);
		*before = (struct launched){
			tp_line_duration_ps(line, event), (uint64_t)correlation, line->host, alone};
	}
}

TP_ORDER(by_size, int64_t, (*a > *b) - (*a < *b));

/* Durations of the host's calls that launched some of the kernels, evenly picked. */
static void
sample_calls(const struct tp_pass_ctx *ctx, const struct tp_buf *kernels, struct tp_buf *out)
{
	const struct tp_profile *p = ctx->profile;
	const struct launched *k = kernels->data;
	size_t step = kernels->count / MOST_SAMPLES + 1;
	struct tp_map wanted;

	tp_map_init(&wanted, ctx->scratch);
	for (size_t i = 0; i < kernels->count; i += step) {
		if (k[i].alone)
			tp_map_put(&wanted, tp_hash_pair(k[i].correlation, k[i].host), 1);
	}
	for (uint32_t l = 0; l < p->line_count; l++) {
		const struct tp_line *line = &p->lines[l];

		for (size_t t = 0; line->kind == TP_LINE_THREAD && t < line->tag_count; t++) {
			const struct tp_tag *tag = &line->tags[t];

			if (tag->key == TP_TAG_CORRELATION && tp_line_duration_ps(line, tag->event) > 0 &&
				tp_map_get(&wanted, tp_hash_pair((uint64_t)tag->value, line->host)) != TP_MAP_NONE)
				TP_PUSH(out, int64_t, tp_line_duration_ps(line, tag->event));
		}
	}
}

/* What launching costs: how long the host's calls took that started a kernel, and the kernels that ran shorter. */
static void
measure_launches(const struct tp_pass_ctx *ctx, struct tp_kernels *k)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_buf kernels = {0}, calls = {0};

	for (uint32_t l = 0; l < p->line_count; l++) {
		if (p->lines[l].kind == TP_LINE_STREAM)
			kernels_of_line(&p->lines[l], &kernels);
	}
	sample_calls(ctx, &kernels, &calls);
	tp_kernels_sample_torch(ctx, k, MOST_SAMPLES, &calls);
	if (calls.count != 0) {
		const struct launched *all = kernels.data;
		int64_t *durations = calls.data;

		qsort(durations, calls.count, sizeof *durations, by_size);
		k->launch_ps = durations[calls.count / 2];
		for (size_t i = 0; i < kernels.count; i++) {
			if (!all[i].alone || all[i].duration_ps >= k->launch_ps)
				continue;
			k->short_calls++;
			k->short_loss_ps = tp_add_ps(k->short_loss_ps, k->launch_ps - all[i].duration_ps);
		}
	}
	tp_buf_free(&kernels);
	tp_buf_free(&calls);
}

static bool
has_gpu(const struct tp_profile *p)
{
	for (uint32_t i = 0; i < p->device_count; i++) {
		if (p->devices[i].kind == TP_DEVICE_GPU)
			return true;
	}
	return false;
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	struct tp_kernels *k = tp_new(ctx->keep, struct tp_kernels);

	if (!has_gpu(ctx->profile))
		return tp_fail(err, TP_ABSENT, why_no_gpu);
	tp_kernels_collect(ctx, k);
	tp_copies_collect(ctx, k);
	if (k->count == 0 && k->copy_count == 0)
		return tp_fail(err, TP_ABSENT, why_no_launch_details);
	sum(ctx->profile, k);
	sum_by_short_name(ctx, k);
	sum_by_whole_name(ctx, k);
	measure_launches(ctx, k);
	*result = k;
	return TP_OK;
}

static struct tp_value
share_or(const struct tp_kernels *k, int64_t ps, struct tp_slice none)
{
	return k != NULL ? tp_share((double)ps, (double)k->total_ps, none) : tp_missing(none);
}

static struct tp_slice
known_for(const struct tp_pass_ctx *ctx, const struct tp_kernels *k)
{
	struct tp_slice share =
		tp_say_value(ctx, tp_share((double)k->known_ps, (double)k->total_ps, TP_S(why_no_time)));

	return tp_arena_printf(ctx->keep, "known for %.*s of kernel time", TP_ARG(share));
}

/* A mean by time has no weight where each kernel's is known and none took any. */
static struct tp_slice
why_no_occupancy(const struct tp_kernels *k)
{
	return isfinite(tp_kernel_occupancy(&k->rows[0])) ? TP_S(why_took_no_time)
													  : k->rows[0].occupancy.reason;
}

static void
metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_kernels *k = result;
	bool any = k != NULL && k->count != 0;
	struct tp_slice none =
		k == NULL ? tp_skipped(ctx, &tp_pass_kernels) : TP_S(why_no_launch_details);
	struct tp_slice no_cores = any ? tp_slice_of(tp_no_tensor_cores(k->tensor_cores)) : none;
	struct tp_slice no_ops = any ? TP_S(why_no_operations) : none;
	struct tp_slice no_launch = any ? TP_S(why_no_launch_calls) : none;
	bool cores = any && k->tensor_cores == TP_TENSOR_CORES_THERE;

	tp_say_metric(doc, "kernels.count", "Kernel calls", any ? tp_count(k->calls) : tp_missing(none),
		"GPU-stream events with launch details");
	tp_say_metric(doc, "kernels.total_us", "Kernel time",
		any ? tp_number((double)k->total_ps / 1e6, TP_UNIT_US) : tp_missing(none),
		"Σ durations of all kernels on all GPUs; streams may overlap");
	tp_say_metric(doc, "kernels.top.share", "Share of the top kernel",
		share_or(k, any ? k->sums[0].total_ps : 0, none),
		"all launches of the kernel with the most time, over kernel time");
	tp_say_metric(doc, "kernels.top.name", "Top kernel",
		any ? tp_text_value(k->sums[0].short_name) : tp_missing(none),
		"without return type, scopes and template arguments");
	tp_say_metric(doc, "gpu.tensor_core_share", "Kernel time on tensor cores",
		cores ? share_or(k, k->tensor_ps, none) : tp_missing(no_cores),
		"time of kernels that use tensor (matrix) cores by their name, over kernel time");
	tp_say_metric(doc, "gpu.tensor_core_unused_share", "Could have used tensor cores",
		!cores              ? tp_missing(no_cores)
			: !k->ops_known ? tp_missing(no_ops)
							: share_or(k, k->unused_ps, none),
		"time of matmul and convolution kernels without them, over kernel time");
	tp_doc_metric(doc, TP_S("gpu.occupancy_share"), "Theoretical occupancy",
		any ? tp_occupancy_value(k->occupancy, why_no_occupancy(k)) : tp_missing(none),
		TP_S("mean over kernels, weighted by time; as stated by the profile, else from registers, "
			 "shared memory, threads and the GPU's limits"),
		any ? known_for(ctx, k) : TP_S(""));
	tp_say_metric(doc, "kernels.launch_us", "Kernel launch time",
		any && k->launch_ps > 0 ? tp_number((double)k->launch_ps / 1e6, TP_UNIT_US)
								: tp_missing(no_launch),
		"median of the host's calls that launched a kernel");
	tp_say_metric(doc, "kernels.short_share", "Kernels shorter than their launch",
		any && k->launch_ps > 0 ? tp_share((double)k->short_calls, (double)k->calls, none)
								: tp_missing(no_launch),
		"kernel calls shorter than the host's median launch call, CUDA graphs excluded, over all");
}

static const struct tp_pass *const after[] = {&tp_pass_torch_correlation, &tp_pass_torch_ops, NULL};

static struct tp_slice
without_launches(const struct tp_pass_ctx *ctx)
{
	return tp_result(ctx, &tp_pass_op_times) != NULL ? tp_skipped(ctx, &tp_pass_kernels) : TP_S("");
}

static const struct tp_lack lacks[] = {
	{"kernels", "How kernels were launched: grid, block, registers, occupancy", TP_LACK_ON_GPU,
		.why = without_launches,
		.any = "Give the `*.xplane.pb` as the profiler wrote it, not an exported "
			   "trace. " TP_LACK_CUPTI},
	{0},
};

const struct tp_pass tp_pass_kernels = {
	.name = "kernels",
	.title = "Kernels",
	.summary = "GPU kernels: launch, occupancy, tensor cores, time; copies and memsets",
	.needs_all = TP_HAS_DEVICES,
	.after = after,
	.place = TP_PLACE_KERNELS,
	.analyze = analyze,
	.metrics = metrics,
	.present = tp_kernels_present,
	.present_skipped = tp_kernels_precomputed,
	.lacks = lacks,
};

/* Sums over kernels of iterations. */
#include "analyze/llm/serving_kernels.h"

#include "analyze/facts/kernel_family.h"
#include "analyze/facts/kernel_name.h"
#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/order.h"
#include "model/profile.h"
#include "model/torch.h"

#include <stdlib.h>

/* So large a part of the runs of a kernel another one must follow. */
#define FOLLOWS 0.95

struct making {
	const struct tp_pass_ctx *ctx;
	const struct tp_serving *s;
	uint32_t *kernel_of_op; /* + 1 */
	struct tp_serving_kernels *out;
};

static uint32_t
kernel_of(struct making *m, const struct tp_torch_trace *t, uint32_t work)
{
	uint32_t *known = &m->kernel_of_op[tp_torch_op(t, work)];

	if (*known == 0) {
		struct tp_serving_kernel *k = &m->out->kernels[m->out->kernel_count++];
		struct tp_slice name = tp_torch_name(m->ctx->profile, t, work);

		*k = (struct tp_serving_kernel){.op = tp_torch_op(t, work)};
		k->name =
			t->kind[work] == TP_TORCH_KERNEL ? tp_kernel_short_name(name, m->ctx->keep) : name;
		k->family = t->kind[work] == TP_TORCH_KERNEL ? tp_kernel_family_in(k->name, name)
													 : TP_S("Copy, layout, fill");
		*known = m->out->kernel_count;
	}
	return *known - 1;
}

/* A moment at which device work begins or ends. */
struct edge {
	int64_t at_ps;
	uint32_t kernel;
	bool begins;
};

TP_ORDER(by_time, struct edge, TP_UP(at_ps), TP_UP(begins));

/* While one piece of work runs alone, the sum of what runs is that one. */
static void
sum_alone(struct making *m, struct edge *edges, uint32_t count)
{
	uint64_t running = 0, sum = 0;

	qsort(edges, count, sizeof *edges, by_time);
	for (uint32_t i = 0; i < count; i++) {
		if (running == 1 && i != 0)
			m->out->kernels[sum].alone_ps += (double)(edges[i].at_ps - edges[i - 1].at_ps);
		running += edges[i].begins ? 1 : (uint64_t)-1;
		sum += edges[i].begins ? edges[i].kernel : (uint64_t)0 - edges[i].kernel;
	}
}

/* Which kernel follows which on a stream, within one iteration. */
struct follower {
	uint32_t first, second;
	uint64_t runs;
};

struct followers {
	struct tp_map numbers;
	struct follower *list;
	uint32_t count, room;
};

static void
add_follower(struct followers *f, uint32_t first, uint32_t second)
{
	uint32_t n;

	if (tp_map_number(&f->numbers, (uint64_t)first << 32 | second, &n)) {
		if (f->count == f->room)
			return;
		f->list[f->count++] = (struct follower){.first = first, .second = second};
	}
	if (n < f->count)
		f->list[n].runs++;
}

static void
add_work(struct making *m, const struct tp_torch_trace *t, uint32_t work, enum tp_serving_kind kind)
{
	struct tp_serving_kernel *k = &m->out->kernels[kernel_of(m, t, work)];

	k->ps[kind] += (double)tp_torch_duration_ps(t, work);
	k->all_ps += (double)tp_torch_duration_ps(t, work);
	k->launches++;
	m->out->all_ps += (double)tp_torch_duration_ps(t, work);
	m->out->launches++;
}

/* The work of one engine; of each GPU together. */
static void
look_at_lane(struct making *m, const struct tp_torch_trace *t,
	const struct tp_torch_lane_steps *lane, const struct tp_serving_iteration *list,
	struct followers *follow)
{
	struct edge *edges = tp_new_array(m->ctx->scratch, struct edge, 2 * (size_t)t->work_count);
	uint32_t n = 0;

	for (uint32_t l = 0; l < t->lane_count; l++) {
		uint32_t before = TP_NONE, step_before = TP_NONE;

		for (uint32_t e = t->lanes[l].first;
			 t->lanes[l].kind == TP_TORCH_LANE_STREAM && e < t->lanes[l].first + t->lanes[l].count;
			 e++) {
			uint32_t step = tp_torch_is_work(t->kind[e]) ? lane->step_of_work[e] : TP_NONE;

			if (step == TP_NONE || step >= lane->count)
				continue;
			add_work(m, t, e, list[step].kind);
			uint32_t kernel = kernel_of(m, t, e);

			if (n + 1 < 2 * (size_t)t->work_count) {
				edges[n++] = (struct edge){tp_torch_start_ps(t, e), kernel, true};
				edges[n++] = (struct edge){tp_torch_end_ps(t, e), kernel, false};
			}
			if (before != TP_NONE && step == step_before)
				add_follower(follow, before, kernel);
			before = t->kind[e] == TP_TORCH_KERNEL ? kernel : TP_NONE;
			step_before = step;
		}
	}
	sum_alone(m, edges, n);
}

/* What is known to do the work of two in one, by their families; from the sources of engines and libraries. */
static const char *
known_fusion(struct tp_slice first, struct tp_slice second)
{
	static const struct {
		const char *first, *second, *how;
	} known[] = {
		{"Communication", "Normalization",
			"all-reduce with norm: FlashInfer trtllm_allreduce_fusion, in vLLM fuse_allreduce_rms"},
		{"Normalization", "Quantization",
			"norm with quantisation: vLLM rms_norm_dynamic_per_token_quant"},
		{"Normalization", "Normalization", "both norms in one launch: fused_qk_norm_rope"},
		{"Normalization", "Rotary embedding", "norm with rotary embedding: fused_qk_norm_rope"},
		{"Rotary embedding", "KV cache", "rotary embedding with the write of keys: FlashInfer"},
		{"Elementwise", "Normalization", "residual with norm: fused_add_rms_norm"},
		{"Elementwise", "Quantization", "activation with quantisation: silu_and_mul_quant"},
		{"GEMM", "Elementwise", "epilogue of the GEMM: CUTLASS, cuBLASLt, torch.compile"},
		{"GEMM", "Reduction", "a GEMM without split K, or its own reduction: cuBLASLt"},
		{"Elementwise", "Elementwise", "one pointwise kernel: torch.compile"},
		{"Copy, layout, fill", "Elementwise", "one pointwise kernel: torch.compile"},
		{"Elementwise", "Copy, layout, fill", "one pointwise kernel: torch.compile"},
		{"Elementwise", "Reduction", "one reduction kernel: torch.compile"},
		{"Softmax, loss", "Sampling", "one sampling kernel: FlashInfer sampling"},
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (tp_slice_eq(first, tp_slice_of(known[i].first)) &&
			tp_slice_eq(second, tp_slice_of(known[i].second)))
			return known[i].how;
	}
	return NULL;
}

TP_ORDER(by_bound, struct tp_serving_pair, TP_DOWN(bound_ps), TP_DOWN(runs), TP_UP(first),
	TP_UP(second));

/* Pairs that are worth a row: a kernel follows another nearly always, and one that does both is known. */
static void
find_pairs(struct making *m, const struct followers *f)
{
	struct tp_serving_pair *pairs = tp_new_array(m->ctx->keep, struct tp_serving_pair, f->count);
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->count; i++) {
		const struct tp_serving_kernel *a = &m->out->kernels[f->list[i].first];
		const struct tp_serving_kernel *b = &m->out->kernels[f->list[i].second];
		double runs = (double)f->list[i].runs;
		double of_a = runs * a->all_ps / (double)a->launches;
		double of_b = runs * b->all_ps / (double)b->launches;

		if (runs < 2 || a == b || runs < FOLLOWS * (double)a->launches)
			continue;
		pairs[n] = (struct tp_serving_pair){.first = f->list[i].first,
			.second = f->list[i].second,
			.runs = f->list[i].runs,
			.ps = of_a + of_b,
			.bound_ps = of_a < of_b ? of_a : of_b,
			.how = known_fusion(a->family, b->family)};
		n += pairs[n].how != NULL;
	}
	qsort(pairs, n, sizeof *pairs, by_bound);
	m->out->pairs = pairs;
	m->out->pair_count = n < TP_SERVING_PAIRS ? n : TP_SERVING_PAIRS;
}

TP_ORDER(by_family_time, struct tp_serving_family, TP_DOWN(all_ps), tp_slice_cmp(a->name, b->name));
TP_ORDER(by_kernel_time, struct tp_serving_kernel, TP_DOWN(all_ps), TP_UP(op));

static void
sum_families(struct making *m)
{
	struct tp_serving_kernels *out = m->out;

	out->families = tp_new_array(m->ctx->keep, struct tp_serving_family, TP_SERVING_FAMILIES);
	for (uint32_t i = 0; i < out->kernel_count; i++) {
		const struct tp_serving_kernel *k = &out->kernels[i];
		uint32_t f = 0;

		while (f < out->family_count && !tp_slice_eq(out->families[f].name, k->family))
			f++;
		if (f == TP_SERVING_FAMILIES)
			f--;
		else if (f == out->family_count)
			out->families[out->family_count++].name = k->family;
		for (int kind = 0; kind < TP_SERVING_KINDS; kind++)
			out->families[f].ps[kind] += k->ps[kind];
		out->families[f].all_ps += k->all_ps;
		out->families[f].launches += k->launches;
		if (k->all_ps > out->families[f].example_ps) {
			out->families[f].example_ps = k->all_ps;
			out->families[f].example = k->name;
		}
		out->unknown += tp_slice_eq(k->family, TP_S("Other"));
	}
	qsort(out->families, out->family_count, sizeof *out->families, by_family_time);
}

/* Puts kernels in order of time; pairs go with them. */
static void
sort_kernels(struct making *m)
{
	struct tp_serving_kernels *out = m->out;
	uint32_t *place = tp_new_array(m->ctx->scratch, uint32_t, m->ctx->profile->op_count);
	uint32_t *op = tp_new_array(m->ctx->scratch, uint32_t, out->kernel_count);

	for (uint32_t i = 0; i < out->kernel_count; i++)
		op[i] = out->kernels[i].op;
	qsort(out->kernels, out->kernel_count, sizeof *out->kernels, by_kernel_time);
	for (uint32_t i = 0; i < out->kernel_count; i++)
		place[out->kernels[i].op] = i;
	for (uint32_t i = 0; i < out->pair_count; i++) {
		out->pairs[i].first = place[op[out->pairs[i].first]];
		out->pairs[i].second = place[op[out->pairs[i].second]];
	}
}

const struct tp_serving_kernels *
tp_serving_kernels_of(const struct tp_pass_ctx *ctx, const struct tp_serving *s)
{
	const struct tp_torch *torch = ctx->profile->torch;
	const struct tp_torch_stepped *stepped = tp_result(ctx, &tp_pass_torch_steps);
	struct making m = {.ctx = ctx,
		.s = s,
		.kernel_of_op = tp_new_array(ctx->scratch, uint32_t, ctx->profile->op_count),
		.out = tp_new(ctx->keep, struct tp_serving_kernels)};
	struct followers follow = {.room = 1 << 16};
	uint32_t done = 0;

	tp_map_init(&follow.numbers, ctx->scratch);
	follow.list = tp_new_array(ctx->scratch, struct follower, follow.room);
	m.out->kernels = tp_new_array(ctx->keep, struct tp_serving_kernel, ctx->profile->op_count);
	for (uint32_t i = 0; i < torch->trace_count && done < s->count; i++) {
		const struct tp_torch_trace_steps *t = tp_torch_serving_of(stepped, i);

		for (uint32_t l = 0; t != NULL && l < t->lane_count && done + t->lanes[l].count <= s->count;
			 l++) {
			look_at_lane(&m, torch->traces[i], &t->lanes[l], s->iterations + done, &follow);
			done += t->lanes[l].count;
		}
	}
	if (m.out->launches == 0)
		return NULL;
	find_pairs(&m, &follow);
	sum_families(&m);
	sort_kernels(&m);
	return m.out;
}

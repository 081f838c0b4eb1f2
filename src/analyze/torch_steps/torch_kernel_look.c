/* Prefill and decode by their kernels. */
#include "analyze/torch_steps/torch_kernel_look.h"

#include "analyze/facts/kernel_family.h"
#include "analyze/facts/kernel_name.h"
#include "analyze/torch_steps/torch_iterations.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/order.h"
#include "base/texts.h"
#include "model/profile.h"
#include "model/torch.h"

#include <math.h>
#include <stdlib.h>

/* Iterations of one family differ in size by the requests in them; prompts have many tokens for each request. */
#define MORE_WORK 4.0

/* With kernels of attention of their own less is enough, as has a family without twice the time. */
#define SOME_MORE 1.5
#define LONGER 2.0

/* vLLM (paged_attention_v1, …), FlashAttention (flash_fwd_splitkv_kernel runs for short queries, flash_fwd_kernel for any), FlashInfer
 * (BatchDecodeWithPagedKVCache…, BatchPrefillWith…), SGLang's Triton kernels (_fwd_grouped_kernel_stage1), TensorRT-LLM (masked_multihead…). */
static const char *const decode_words[] = {"decode", "Decode", "paged_attention_v",
	"paged_attention_ll4mi", "grouped_kernel_stage", "masked_multihead_attention", NULL};
static const char *const prefill_words[] = {
	"prefill", "Prefill", "context_attention", "extend_attention", NULL};

void
tp_kernel_looks_add(struct tp_kernel_looks *looks, uint32_t kind, uint32_t event)
{
	const struct tp_torch_trace *t = looks->t;
	uint32_t detail = t->detail[event];
	uint32_t at = detail != TP_NONE ? t->works[detail].launch : TP_NONE;
	double threads = at != TP_NONE ? 1 : 0;

	if (t->kind[event] != TP_TORCH_KERNEL || looks->count == looks->room)
		return;
	for (int d = 0; d < 3 && at != TP_NONE; d++)
		threads *= (double)t->launches[at].grid[d] * (double)t->launches[at].block[d];
	looks->all[looks->count++] =
		(struct tp_kernel_launches){kind, tp_torch_op(t, event), 1, threads};
}

TP_ORDER(by_kind, struct tp_kernel_launches, TP_UP(kind), TP_UP(op));

/* Puts launches of the same kernel together. */
static void
join(struct tp_kernel_looks *looks)
{
	size_t kept = 0;

	qsort(looks->all, looks->count, sizeof *looks->all, by_kind);
	for (size_t i = 0; i < looks->count; i++) {
		struct tp_kernel_launches *before = kept != 0 ? &looks->all[kept - 1] : NULL;
		const struct tp_kernel_launches *now = &looks->all[i];

		if (before == NULL || before->kind != now->kind || before->op != now->op) {
			looks->all[kept++] = *now;
			continue;
		}
		before->count++;
		before->threads += now->threads;
	}
	looks->count = kept;
}

static void
look_at(const struct tp_kernel_looks *looks, const struct tp_kernel_launches *of,
	struct tp_kernel_look *look, struct tp_arena *scratch)
{
	struct tp_slice name = looks->p->ops[of->op].name;

	look->count++;
	if (!tp_slice_eq(
			tp_kernel_family_in(tp_kernel_short_name(name, scratch), name), TP_S("Attention")))
		return;
	look->attention += tp_hash_pair(of->op, 11) | 1;
	look->decodes |= tp_texts_any(name, tp_slice_has, decode_words);
	look->prefills |= tp_texts_any(name, tp_slice_has, prefill_words);
}

struct tp_kernel_look *
tp_kernel_looks_of(struct tp_kernel_looks *looks, uint32_t kinds, struct tp_arena *arena)
{
	struct tp_kernel_look *all = tp_new_array(arena, struct tp_kernel_look, kinds);

	join(looks);
	for (size_t i = 0; i < looks->count; i++) {
		struct tp_kernel_look *look = &all[looks->all[i].kind];

		if (look->count == 0)
			look->launches = &looks->all[i];
		look_at(looks, &looks->all[i], look, arena);
	}
	return all;
}

double
tp_kernel_look_ratio(const struct tp_kernel_look *a, const struct tp_kernel_look *b)
{
	double of_a = 0, of_b = 0;
	size_t k = 0;

	for (size_t i = 0; i < a->count; i++) {
		const struct tp_kernel_launches *one = &a->launches[i];

		while (k < b->count && b->launches[k].op < one->op)
			k++;
		if (k == b->count)
			break;
		const struct tp_kernel_launches *other = &b->launches[k];

		if (other->op != one->op || !(one->threads > 0) || !(other->threads > 0))
			continue;
		of_a += one->threads / one->count;
		of_b += other->threads / other->count;
	}
	return of_b > 0 ? of_a / of_b : NAN;
}

static bool
attend_alike(const struct tp_kernel_look *a, const struct tp_kernel_look *b)
{
	return a->attention == b->attention || a->attention == 0 || b->attention == 0;
}

bool
tp_kernel_looks_alike(const struct tp_kernel_look *a, const struct tp_kernel_look *b)
{
	double ratio = tp_kernel_look_ratio(a, b);

	return attend_alike(a, b) && !(ratio >= MORE_WORK) && !(ratio <= 1 / MORE_WORK);
}

/* 1: family f works on more than the first, so that they are prefill and decode; -1: on less; 0: that does not show. */
static int
more_work(const struct tp_kernel_look *const *look, const double *median_ps, uint32_t f)
{
	double ratio = tp_kernel_look_ratio(look[f], look[0]);
	double enough = attend_alike(look[f], look[0]) ? MORE_WORK : SOME_MORE;

	if (ratio >= enough || ratio <= 1 / enough)
		return ratio > 1 ? 1 : -1;
	if (median_ps[f] >= LONGER * median_ps[0])
		return 1;
	return median_ps[0] >= LONGER * median_ps[f] ? -1 : 0;
}

static void
name_phase(struct tp_torch_family *family, enum tp_iteration_phase phase)
{
	family->phase = phase;
	family->name = tp_slice_of(tp_iteration_phase_label(phase));
	family->guessed = true;
}

/* By words in the names of attention; false: no name has any. */
static bool
name_by_words(struct tp_torch_iterations *out, const struct tp_kernel_look *const *look)
{
	bool any = false;

	for (uint32_t f = 0; f < out->family_count; f++) {
		if (look[f]->decodes || look[f]->prefills)
			name_phase(&out->families[f],
				!look[f]->prefills     ? TP_ITERATION_DECODE
					: look[f]->decodes ? TP_ITERATION_MIXED
									   : TP_ITERATION_PREFILL);
		any |= out->families[f].guessed;
	}
	return any;
}

/* What runs most often is decode, unless all others work on less. */
void
tp_kernel_looks_name(struct tp_torch_iterations *out, const struct tp_kernel_look *const *look,
	const double *median_ps)
{
	int more[TP_TORCH_FAMILIES] = {0};
	bool bigger = false, smaller = false;

	if (name_by_words(out, look))
		return;
	for (uint32_t f = 1; f < out->family_count; f++) {
		more[f] = more_work(look, median_ps, f);
		bigger |= more[f] > 0;
		smaller |= more[f] < 0;
	}
	if (bigger == smaller)
		return;
	name_phase(&out->families[0], bigger ? TP_ITERATION_DECODE : TP_ITERATION_PREFILL);
	for (uint32_t f = 1; f < out->family_count; f++) {
		if (more[f] != 0)
			name_phase(&out->families[f], bigger ? TP_ITERATION_PREFILL : TP_ITERATION_DECODE);
		else if (look[f]->attention == look[0]->attention)
			name_phase(&out->families[f], out->families[0].phase);
	}
}

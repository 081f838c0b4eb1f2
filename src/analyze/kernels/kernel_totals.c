/* Kernels by name: by the short one for the bars, by the whole one for the table. */
#include "analyze/facts/op_times.h"
#include "analyze/kernels/kernels.h"
#include "base/arena.h"
#include "base/map.h"

#include <stdlib.h>

static int
longest_sum(const void *left, const void *right)
{
	const struct tp_kernel_sum *a = left, *b = right;

	if (a->total_ps != b->total_ps)
		return a->total_ps > b->total_ps ? -1 : 1;
	return tp_slice_cmp(a->short_name, b->short_name);
}

static void
sum_by_short_name(const struct tp_pass_ctx *ctx, struct tp_kernels *k)
{
	struct tp_map index;

	tp_map_init(&index, ctx->scratch);
	k->sums = tp_new_array(ctx->keep, struct tp_kernel_sum, k->count);
	for (size_t i = 0; i < k->count; i++) {
		uint64_t key = tp_hash_bytes(k->rows[i].short_name);
		uint32_t at = tp_map_get(&index, key);

		if (at == TP_MAP_NONE) {
			at = (uint32_t)k->sum_count++;
			tp_map_put(&index, key, at);
			k->sums[at].short_name = k->rows[i].short_name;
		}
		k->sums[at].total_ps = tp_add_ps(k->sums[at].total_ps, k->rows[i].total_ps);
	}
	if (k->sum_count != 0)
		qsort(k->sums, k->sum_count, sizeof *k->sums, longest_sum);
}

static int
longest_total(const void *left, const void *right)
{
	const struct tp_kernel_total *a = left, *b = right;

	if (a->total_ps != b->total_ps)
		return a->total_ps > b->total_ps ? -1 : 1;
	return tp_slice_cmp(a->name, b->name);
}

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

static void
sum_by_whole_name(const struct tp_pass_ctx *ctx, struct tp_kernels *k)
{
	struct tp_map index;

	tp_map_init(&index, ctx->scratch);
	k->totals = tp_new_array(ctx->keep, struct tp_kernel_total, k->count);
	for (size_t i = 0; i < k->count; i++) {
		uint64_t key = tp_hash_bytes(k->rows[i].name);
		uint32_t at = tp_map_get(&index, key);

		if (at == TP_MAP_NONE) {
			at = (uint32_t)k->total_count++;
			tp_map_put(&index, key, at);
		}
		add_row(&k->totals[at], &k->rows[i]);
	}
	if (k->total_count != 0)
		qsort(k->totals, k->total_count, sizeof *k->totals, longest_total);
}

void
tp_kernels_sum_by_name(const struct tp_pass_ctx *ctx, struct tp_kernels *k)
{
	sum_by_short_name(ctx, k);
	sum_by_whole_name(ctx, k);
}

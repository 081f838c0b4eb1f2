/* Who asked for memory: the innermost range on the host thread of its record then that is no step. And pieces of memory: what was
 * given out is taken back by the next record of a release at the same address of the same device
 * (torch-tb-profiler pairs by address alone, so that two devices with equal addresses take each other's). */
#include "analyze/torch/memory/torch_memory.h"

#include "analyze/torch_steps/torch_correlation.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/order.h"
#include "model/profile.h"
#include "model/torch.h"

#include <stdlib.h>

uint32_t *
tp_torch_memory_owners(const struct tp_pass_ctx *ctx, uint32_t trace)
{
	const struct tp_torch_trace *t = ctx->profile->torch->traces[trace];
	const struct tp_torch_correlated *linked = tp_result(ctx, &tp_pass_torch_correlation);
	const struct tp_torch_correlation *links = &linked->traces[trace];
	uint32_t *owner = tp_new_array(ctx->scratch, uint32_t, t->memory_count);
	uint32_t *on_lane = tp_new_array(ctx->scratch, uint32_t, t->memory_count);
	uint32_t *range = tp_new_array(ctx->scratch, uint32_t, t->memory_count);
	int64_t *times = tp_new_array(ctx->scratch, int64_t, t->memory_count);
	uint32_t *next = tp_new_array(ctx->scratch, uint32_t, t->lane_count + 1);

	/* By lane, in order of time within each. */
	for (uint32_t i = 0; i < t->memory_count; i++) {
		owner[i] = TP_NONE;
		if (t->memory[i].lane < t->lane_count)
			next[t->memory[i].lane + 1]++;
	}
	for (uint32_t l = 0; l < t->lane_count; l++)
		next[l + 1] += next[l];
	for (uint32_t i = 0; i < t->memory_count; i++) {
		if (t->memory[i].lane < t->lane_count) {
			uint32_t at = next[t->memory[i].lane]++;

			on_lane[at] = i;
			times[at] = t->memory[i].time_ps;
		}
	}
	for (uint32_t l = 0, from = 0; l < t->lane_count; from = next[l++]) {
		if (next[l] == from)
			continue;
		tp_torch_ranges_at(t, l, times + from, next[l] - from, ctx->scratch, range + from);
		for (uint32_t k = from; k < next[l]; k++) {
			uint32_t at = range[k];

			while (at != TP_NONE && t->kind[at] == TP_TORCH_STEP)
				at = links->parent[at];
			owner[on_lane[k]] = at;
		}
	}
	return owner;
}

struct tp_slice
tp_torch_pool_owner(
	const struct tp_pass_ctx *ctx, const struct tp_torch_pool *pool, uint32_t record)
{
	const struct tp_torch_trace *t = ctx->profile->torch->traces[pool->trace];
	const struct tp_torch_correlated *linked = tp_result(ctx, &tp_pass_torch_correlation);
	uint32_t event = pool->owner[record];

	if (event == TP_NONE)
		return TP_S("");
	struct tp_slice name = tp_torch_name(ctx->profile, t, event);

	if (!tp_slice_starts(name, TP_S("aten::empty")))
		return name;
	const struct tp_torch_correlation *links = &linked->traces[pool->trace];
	uint32_t around = links->parent[event];

	while (around != TP_NONE && t->kind[around] == TP_TORCH_STEP)
		around = links->parent[around];
	if (around == TP_NONE)
		return name;
	return tp_arena_printf(
		ctx->keep, "%.*s (%.*s)", TP_ARG(tp_torch_name(ctx->profile, t, around)), TP_ARG(name));
}

static uint64_t
size_of(const struct tp_torch_memory *m)
{
	return m->bytes > 0 ? (uint64_t)m->bytes : 0 - (uint64_t)m->bytes;
}

static void
take_back(const struct tp_torch_pool *pool, struct tp_torch_piece *piece, uint32_t record)
{
	piece->taken = record;
	piece->there_ps = pool->records[record]->time_ps - pool->records[piece->precomputed]->time_ps;
}

TP_ORDER(by_size, struct tp_torch_piece, TP_DOWN(bytes), TP_DOWN(there_ps), TP_UP(precomputed),
	TP_UP(taken));

static void
find_pieces(const struct tp_pass_ctx *ctx, struct tp_torch_pool *pool)
{
	const uint32_t gone = TP_MAP_NONE - 1;
	struct tp_map at;

	pool->pieces = tp_new_array(ctx->keep, struct tp_torch_piece, pool->count);
	tp_map_init(&at, ctx->scratch);
	for (uint32_t i = 0; i < pool->count; i++) {
		const struct tp_torch_memory *m = pool->records[i];
		uint32_t there = m->address != 0 ? tp_map_get(&at, m->address) : TP_MAP_NONE;
		bool known = there != TP_MAP_NONE && there != gone;

		if (m->address == 0 || m->bytes == 0)
			continue;
		if (m->bytes < 0 && known) {
			take_back(pool, &pool->pieces[there], i);
			pool->open--;
			tp_map_put(&at, m->address, gone);
			continue;
		}
		if (m->bytes > 0 && known) {
			take_back(pool, &pool->pieces[there], i);
			pool->pieces[there].unseen = true;
			pool->unseen++;
			pool->open--;
		}
		if (m->bytes > 0) {
			tp_map_put(&at, m->address, pool->piece_count);
			pool->open++;
		} else {
			pool->earlier++;
		}
		pool->pieces[pool->piece_count++] = (struct tp_torch_piece){
			.bytes = size_of(m),
			.there_ps = INT64_MAX,
			.precomputed = m->bytes > 0 ? i : TP_NONE,
			.taken = m->bytes > 0 ? TP_NONE : i,
		};
	}
	if (pool->piece_count != 0)
		qsort(pool->pieces, pool->piece_count, sizeof *pool->pieces, by_size);
}

TP_ORDER(by_bytes, struct tp_torch_live_row, TP_DOWN(bytes), TP_UP(earlier),
	tp_slice_cmp(a->name, b->name));

static struct tp_torch_live_row *
row_named(struct tp_torch_pool *pool, struct tp_map *known, struct tp_slice name)
{
	uint32_t row;

	if (tp_map_number(known, tp_hash_bytes(name), &row))
		pool->live[pool->live_count++].name = name;
	return &pool->live[row];
}

static bool
live_at_peak(const struct tp_torch_pool *pool, const struct tp_torch_piece *piece)
{
	return piece->precomputed != TP_NONE && piece->precomputed <= pool->peak &&
		(piece->taken == TP_NONE || piece->taken > pool->peak);
}

static void
find_live(const struct tp_pass_ctx *ctx, struct tp_torch_pool *pool)
{
	uint64_t recorded = 0, pieces = 0, peak = (uint64_t)pool->peak_bytes;
	struct tp_map known;

	for (uint32_t i = 0; i < pool->piece_count; i++)
		pieces += live_at_peak(pool, &pool->pieces[i]);
	pool->live = tp_new_array(ctx->keep, struct tp_torch_live_row, pieces + 1);
	tp_map_init(&known, ctx->scratch);
	for (uint32_t i = 0; i < pool->piece_count; i++) {
		const struct tp_torch_piece *piece = &pool->pieces[i];

		if (!live_at_peak(pool, piece))
			continue;
		struct tp_torch_live_row *row =
			row_named(pool, &known, tp_torch_pool_owner(ctx, pool, piece->precomputed));

		row->pieces++;
		row->bytes += piece->bytes;
		if (piece->bytes > row->largest_bytes)
			row->largest_bytes = piece->bytes;
		recorded += piece->bytes;
	}
	if (recorded < peak) {
		struct tp_torch_live_row *rest = &pool->live[pool->live_count++];

		*rest = (struct tp_torch_live_row){.earlier = true, .bytes = peak - recorded};
	}
	qsort(pool->live, pool->live_count, sizeof *pool->live, by_bytes);
}

void
tp_torch_pool_pieces(const struct tp_pass_ctx *ctx, struct tp_torch_pool *pool)
{
	if (pool->has_addresses)
		find_pieces(ctx, pool);
	if (pool->has_addresses && pool->has_totals)
		find_live(ctx, pool);
}

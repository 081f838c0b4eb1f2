/* Pieces of memory: what was given out is taken back by the next record of a release at the same address of the same device
 * (torch-tb-profiler pairs by address alone, so that two devices with equal addresses take each other's). */
#include "analyze/torch/memory/torch_memory.h"

#include "base/arena.h"
#include "base/map.h"
#include "model/profile.h"
#include "model/torch.h"

#include <stdlib.h>

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

static int
by_size(const void *left, const void *right)
{
	const struct tp_torch_piece *a = left, *b = right;

	if (a->bytes != b->bytes)
		return a->bytes > b->bytes ? -1 : 1;
	if (a->there_ps != b->there_ps)
		return a->there_ps > b->there_ps ? -1 : 1;
	if (a->precomputed != b->precomputed)
		return a->precomputed < b->precomputed ? -1 : 1;
	return a->taken < b->taken ? -1 : a->taken > b->taken;
}

void
tp_torch_pool_pieces(const struct tp_pass_ctx *ctx, struct tp_torch_pool *pool)
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

static int
by_bytes(const void *left, const void *right)
{
	const struct tp_torch_live_row *a = left, *b = right;

	if (a->bytes != b->bytes)
		return a->bytes > b->bytes ? -1 : 1;
	return a->earlier != b->earlier ? (a->earlier ? 1 : -1) : tp_slice_cmp(a->name, b->name);
}

static struct tp_torch_live_row *
row_named(struct tp_torch_pool *pool, struct tp_map *known, struct tp_slice name)
{
	uint64_t key = tp_hash_bytes(name);
	uint32_t row = tp_map_get(known, key);

	if (row == TP_MAP_NONE) {
		tp_map_put(known, key, row = (uint32_t)pool->live_count);
		pool->live[pool->live_count++].name = name;
	}
	return &pool->live[row];
}

static bool
live_at_peak(const struct tp_torch_pool *pool, const struct tp_torch_piece *piece)
{
	return piece->precomputed != TP_NONE && piece->precomputed <= pool->peak &&
		(piece->taken == TP_NONE || piece->taken > pool->peak);
}

void
tp_torch_pool_live(const struct tp_pass_ctx *ctx, struct tp_torch_pool *pool)
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

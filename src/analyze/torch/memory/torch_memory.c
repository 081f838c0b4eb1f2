/* Records of allocators by device, with the operator that asked for each, the peak, and pieces of memory. */
#include "analyze/torch/memory/torch_memory.h"
#include "analyze/core/pass.h"

#include "analyze/facts/clock.h"
#include "analyze/torch/operators/torch_ops.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "analyze/torch_steps/torch_quality.h"
#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "model/profile.h"
#include "model/torch.h"

#include <stdlib.h>

/* Of one trace: more are no machine, and would make reading them slow. */
enum { MOST_DEVICES = 64 };

/* enum c10::DeviceType of c10/core/DeviceType.h; what is not here is told by its number. key: as scopes and ids have it. */
static struct tp_slice
device_name(const struct tp_pass_ctx *ctx, int16_t type, int16_t id, bool key)
{
	static const char *const names[] = {[0] = "CPU",
		[1] = "GPU", /* CUDA */
		[6] = "GPU", /* HIP */
		[7] = "FPGA",
		[8] = "MAIA",
		[9] = "XLA",
		[10] = "Vulkan",
		[11] = "Metal",
		[12] = "XPU",
		[13] = "MPS",
		[15] = "HPU",
		[16] = "VE",
		[17] = "Lazy",
		[18] = "IPU",
		[19] = "MTIA",
		[20] = "PrivateUse1"};

	bool known = type >= 0 && type < (int16_t)(sizeof names / sizeof *names) && names[type] != NULL;
	struct tp_slice name =
		known ? tp_slice_of(names[type]) : tp_arena_printf(ctx->keep, "device type %d", (int)type);

	return id >= 0
		? tp_arena_printf(ctx->keep, "%.*s%s%d", TP_ARG(name), known && !key ? " " : ":", (int)id)
		: name;
}

static uint64_t
capacity_of(const struct tp_torch_trace *t, const struct tp_torch_pool *pool)
{
	for (uint32_t i = 0; pool->accelerator && i < t->gpu_count; i++) {
		if (t->gpus[i].id == (uint32_t)pool->device_id ||
			(pool->device_id < 0 && t->gpu_count == 1))
			return t->gpus[i].memory_bytes;
	}
	return 0;
}

/* The last moment at which most was allocated: of equal ones most allocations before it are recorded. */
static void
find_peak(struct tp_torch_pool *pool)
{
	int64_t growth = 0;

	pool->peak = TP_NONE;
	pool->peak_bytes = pool->reserved_at_peak = pool->peak_reserved = -1;
	for (uint32_t i = 0; i < pool->count; i++) {
		const struct tp_torch_memory *m = pool->records[i];

		pool->allocations += m->bytes > 0;
		pool->releases += m->bytes < 0;
		if (__builtin_add_overflow(growth, m->bytes, &growth))
			growth = m->bytes > 0 ? INT64_MAX : INT64_MIN;
		pool->growth_most = growth > pool->growth_most ? growth : pool->growth_most;
		pool->has_addresses |= m->address != 0;
		if (m->reserved_bytes > pool->peak_reserved && pool->accelerator)
			pool->peak_reserved = m->reserved_bytes;
		if (m->allocated_bytes < 0 || m->allocated_bytes < pool->peak_bytes)
			continue;
		pool->has_totals = true;
		pool->peak = i;
		pool->peak_bytes = m->allocated_bytes;
		pool->reserved_at_peak =
			pool->accelerator && m->reserved_bytes >= m->allocated_bytes ? m->reserved_bytes : -1;
	}
}

static struct tp_slice
step_of(const struct tp_torch_trace_steps *s, int64_t time_ps)
{
	for (uint32_t i = 0; s->marked && i < s->count; i++) {
		if (s->steps[i].host_start_ps <= time_ps && time_ps < s->steps[i].host_end_ps)
			return s->steps[i].name;
	}
	return TP_S("");
}

/* Pieces of memory: what was given out is taken back by the next record of a release at the same address of the same device
 * (torch-tb-profiler pairs by address alone, so that two devices with equal addresses take each other's). */
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

/* Sizes of about the same are of one class: those of as many bits, and with the same three behind the first. */
static unsigned
class_of(uint64_t bytes)
{
	unsigned bits = 64 - (unsigned)__builtin_clzll(bytes | 1);

	return bits < 4 ? 0 : bits << 3 | (unsigned)(bytes >> (bits - 4) & 7);
}

/* Puts the pieces first that a table lists, and others of about the same size as its last. Returns how many these are. */
static uint32_t
largest_first(struct tp_torch_pool *pool)
{
	uint32_t counts[65 << 3] = {0}, least = 65 << 3, enough = 0, first = 0;

	for (uint32_t i = 0; i < pool->piece_count; i++)
		counts[class_of(pool->pieces[i].bytes)]++;
	while (least > 0 && enough < TP_TORCH_MOST_PIECES)
		enough += counts[--least];
	for (uint32_t i = 0; i < pool->piece_count; i++) {
		struct tp_torch_piece piece = pool->pieces[i];

		if (class_of(piece.bytes) < least)
			continue;
		pool->pieces[i] = pool->pieces[first];
		pool->pieces[first++] = piece;
	}
	return first;
}

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
	qsort(pool->pieces, largest_first(pool), sizeof *pool->pieces, by_size);
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

/* Pieces, how many of each, and those live at the peak, as far as the records tell. */
static void
find_all_pieces(const struct tp_pass_ctx *ctx, struct tp_torch_pool *pool)
{
	if (pool->has_addresses)
		find_pieces(ctx, pool);
	if (pool->has_addresses && pool->has_totals)
		find_live(ctx, pool);
}

static void
analyze_pool(const struct tp_pass_ctx *ctx, struct tp_torch_pool *pool,
	const struct tp_torch_memory_tally *tally)
{
	const struct tp_torch_stepped *stepped = tp_result(ctx, &tp_pass_torch_steps);

	find_peak(pool);
	if (pool->has_totals)
		pool->step = step_of(&stepped->traces[pool->trace], pool->records[pool->peak]->time_ps);
	pool->capacity_bytes = capacity_of(ctx->profile->torch->traces[pool->trace], pool);
	find_all_pieces(ctx, pool);
	tp_torch_pool_stats(ctx, pool, tally);
}

/* The pool of this name; count when there is none. Types that bear the same name (CUDA and HIP are both GPUs) are one
 * device: a trace holds one of them. */
static size_t
pool_named(const struct tp_torch_pool *pools, size_t count, struct tp_slice device)
{
	size_t i = 0;

	while (i < count && !tp_slice_eq(pools[i].device, device))
		i++;
	return i;
}

/* The devices that the records of a trace name, in the order of the file; of[record] is its device. */
static size_t
find_devices(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t,
	struct tp_torch_pool *pools, uint32_t *of, uint64_t *left_out)
{
	struct tp_map known;
	size_t count = 0;

	tp_map_init(&known, ctx->scratch);
	for (uint32_t i = 0; i < t->memory_count; i++) {
		const struct tp_torch_memory *m = &t->memory[i];
		uint64_t key = (uint64_t)(uint16_t)m->device_type << 16 | (uint16_t)m->device_id;

		of[i] = tp_map_get(&known, key);
		if (of[i] == TP_MAP_NONE && count < MOST_DEVICES) {
			struct tp_slice device = device_name(ctx, m->device_type, m->device_id, false);

			of[i] = (uint32_t)pool_named(pools, count, device);
			tp_map_put(&known, key, of[i]);
			if (of[i] == count)
				pools[count++] = (struct tp_torch_pool){.device_type = m->device_type,
					.device_id = m->device_id,
					.device = device,
					.key = device_name(ctx, m->device_type, m->device_id, true),
					.accelerator = m->device_type > 0};
		}
		if (of[i] != TP_MAP_NONE)
			pools[of[i]].count++;
		else
			++*left_out;
	}
	return count;
}

/* By record of a trace: who asked for it, the innermost range on the host thread of its record then that is no step; in scratch. */
static uint32_t *
find_owners(const struct tp_pass_ctx *ctx, uint32_t trace)
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

static void
analyze_trace(const struct tp_pass_ctx *ctx, uint32_t trace, struct tp_buf *all, uint64_t *left_out)
{
	const struct tp_torch_trace *t = ctx->profile->torch->traces[trace];
	const struct tp_torch_memory **records[MOST_DEVICES];
	uint32_t *owned[MOST_DEVICES], at[MOST_DEVICES] = {0};
	struct tp_torch_pool pools[MOST_DEVICES];
	uint32_t *of = tp_new_array(ctx->scratch, uint32_t, t->memory_count);
	size_t count = find_devices(ctx, t, pools, of, left_out);
	const uint32_t *owner = find_owners(ctx, trace);
	const struct tp_torch_memory_tally tally = tp_torch_memory_tally_for(ctx, trace);

	for (size_t k = 0; k < count; k++) {
		pools[k].trace = trace;
		pools[k].records = records[k] =
			tp_new_array(ctx->keep, const struct tp_torch_memory *, pools[k].count);
		pools[k].owner = owned[k] = tp_new_array(ctx->keep, uint32_t, pools[k].count);
	}
	for (uint32_t i = 0; i < t->memory_count; i++) {
		if (of[i] != TP_MAP_NONE) {
			owned[of[i]][at[of[i]]] = owner[i];
			records[of[i]][at[of[i]]++] = &t->memory[i];
		}
	}
	for (size_t k = 0; k < count; k++) {
		analyze_pool(ctx, &pools[k], &tally);
		*(struct tp_torch_pool *)tp_buf_add(all, sizeof *pools) = pools[k];
	}
}

TP_ORDER(by_peak, struct tp_torch_pool, TP_DOWN(accelerator), TP_DOWN(peak_bytes),
	a->has_totals ? 0 : TP_DOWN(growth_most), TP_UP(trace), tp_slice_cmp(a->device, b->device));

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_torch *torch = ctx->profile->torch;
	struct tp_torch_memories *all = tp_new(ctx->keep, struct tp_torch_memories);
	struct tp_buf pools = {0};
	struct tp_clock clock = tp_clock_of(ctx->profile);

	(void)err;
	for (uint32_t i = 0; i < torch->trace_count; i++) {
		all->traces_without += torch->traces[i]->memory_count == 0;
		if (torch->traces[i]->memory_count != 0)
			analyze_trace(ctx, i, &pools, &all->left_out);
	}
	all->count = pools.count;
	all->pools = tp_buf_settle(&pools, sizeof *all->pools, ctx->keep);
	for (size_t i = 0; i < all->count; i++)
		all->pools[i].zero_ps =
			tp_clock_zero_ps(&clock, ctx->profile, torch->traces[all->pools[i].trace]->host);
	qsort(all->pools, all->count, sizeof *all->pools, by_peak);
	*result = all;
	return TP_OK;
}

static const struct tp_pass *const after[] = {
	&tp_pass_torch_correlation, &tp_pass_torch_steps, &tp_pass_torch_calls, NULL};

static struct tp_slice
without_memory(const struct tp_pass_ctx *ctx)
{
	return tp_torch_not_recorded(ctx, TP_TORCH_MEMORY);
}

static const struct tp_lack lacks[] = {
	{"memory", "Memory over time, and what allocates it", TP_LACK_TIMED, .why = without_memory,
		.pytorch = "Give `profile_memory=True` to `torch.profiler.profile`."},
	{0},
};

const struct tp_pass tp_pass_torch_memory = {
	.name = "torch-memory",
	.title = "PyTorch memory",
	.summary = "memory of each device's allocator over time, and which operators allocated it",
	.needs_all = TP_HAS_TORCH,
	.after = after,
	.analyze = analyze,
	.lacks = lacks,
};

/* Takes longest of the passes that come after the steps, so that it begins first; its section stands further below. */
const struct tp_pass tp_pass_torch_memory_section = {
	.of = &tp_pass_torch_memory,
	.place = TP_PLACE_MEMORY,
	.metrics = tp_torch_memory_metrics,
	.present = tp_torch_memory_present,
};

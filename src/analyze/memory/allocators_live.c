/* What is live at the peak: what was allocated up to then and not given back, like pieces joined, and what no allocation of
 * the profile accounts for. */
#include "analyze/memory/allocators.h"

#include "analyze/facts/op_times.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/order.h"
#include "base/saturate.h"
#include "model/allocator.h"
#include "model/profile.h"

#include <stdlib.h>

/* tensorflow/core/framework/types.proto; references to them are 100 higher. */
static struct tp_slice
type_name(const struct tp_pass_ctx *ctx, int32_t type)
{
	static const char *const names[] = {[1] = "float",
		"double",
		"int32",
		"uint8",
		"int16",
		"int8",
		"string",
		"complex64",
		"int64",
		"bool",
		"qint8",
		"quint8",
		"qint32",
		"bfloat16",
		"qint16",
		"quint16",
		"uint16",
		"complex128",
		"half",
		"resource",
		"variant",
		"uint32",
		"uint64",
		"float8_e5m2",
		"float8_e4m3fn",
		[29] = "int4",
		[30] = "uint4",
		[31] = "int2",
		[32] = "uint2"};
	int32_t plain = type > 100 ? type - 100 : type;

	if (type == 0)
		return TP_S("");
	if (plain <= 0 || plain >= (int32_t)(sizeof names / sizeof *names) || names[plain] == NULL)
		return tp_arena_printf(ctx->keep, "type %d", (int)type);
	return type > 100 ? tp_arena_printf(ctx->keep, "%s_ref", names[plain])
					  : tp_slice_of(names[plain]);
}

static int
by_texts(const struct tp_live_row *a, const struct tp_live_row *b)
{
	return TP_FIRST_KEY(tp_slice_cmp(a->framework, b->framework),
		tp_slice_cmp(a->region, b->region), tp_slice_cmp(a->data_type, b->data_type),
		tp_slice_cmp(a->shape, b->shape), TP_UP(role), 0, 0);
}

/* The largest pieces first; equal ones side by side. */
TP_ORDER(
	by_piece, struct tp_live_row, TP_DOWN(block_bytes), TP_DOWN(requested_bytes), by_texts(a, b));

TP_ORDER(by_total, struct tp_live_row, TP_DOWN(total_bytes), by_piece(a, b));

/* The events whose pieces are live right after the peak: the index of each, by address. A piece that was given back unseen
 * gives way to the next at its address. */
static size_t
live_events(const struct tp_pass_ctx *ctx, const struct tp_allocator *a, uint32_t *live)
{
	const uint32_t gone = TP_MAP_NONE - 1;
	struct tp_map at;
	size_t count = 0;

	tp_map_init(&at, ctx->scratch);
	for (uint32_t i = 0; i < a->event_count && a->events[i]->time_ps <= a->peak->time_ps; i++)
		tp_map_put(
			&at, tp_hash_pair(a->events[i]->address, 0), a->events[i]->allocation ? i : gone);
	for (uint32_t i = 0; i < a->event_count && a->events[i]->time_ps <= a->peak->time_ps; i++) {
		if (tp_map_get(&at, tp_hash_pair(a->events[i]->address, 0)) == i)
			live[count++] = i;
	}
	return count;
}

static struct tp_live_row
row_of(const struct tp_pass_ctx *ctx, const struct tp_allocator_event *e)
{
	const struct tp_strings *s = &ctx->profile->strings;

	return (struct tp_live_row){
		.role = TP_LIVE_RECORDED,
		.framework = tp_string(s, e->framework),
		.shape = tp_string(s, e->shape),
		.region = tp_string(s, e->region),
		.data_type = type_name(ctx, e->data_type),
		.block_bytes = e->block_bytes,
		.requested_bytes = e->requested_bytes,
		.count = 1,
		.total_bytes = e->block_bytes,
	};
}

/* Joins equal neighbours; returns how many are left. */
static size_t
join(struct tp_live_row *rows, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (kept != 0 && by_piece(&rows[kept - 1], &rows[i]) == 0) {
			rows[kept - 1].count++;
			rows[kept - 1].total_bytes = tp_plus(rows[kept - 1].total_bytes, rows[i].block_bytes);
		} else {
			rows[kept++] = rows[i];
		}
	}
	return kept;
}

static void
add_rest(struct tp_allocator *a, enum tp_live_role role, uint64_t bytes)
{
	if (bytes != 0)
		a->rows[a->row_count++] = (struct tp_live_row){.role = role,
			.block_bytes = bytes,
			.requested_bytes = bytes,
			.count = 1,
			.total_bytes = bytes};
}

/* xprof looks at the peak's step alone, so that what earlier steps of the capture left behind is unused there. */
void
tp_allocator_live(const struct tp_pass_ctx *ctx, struct tp_allocator *a)
{
	uint32_t *live = tp_new_array(ctx->scratch, uint32_t, a->event_count);
	size_t count = live_events(ctx, a, live);

	a->rows = tp_new_array(ctx->keep, struct tp_live_row, count + 2);
	for (size_t i = 0; i < count; i++) {
		a->rows[i] = row_of(ctx, a->events[live[i]]);
		a->recorded_bytes = tp_plus(a->recorded_bytes, a->rows[i].block_bytes);
	}
	qsort(a->rows, count, sizeof *a->rows, by_piece);
	a->row_count = join(a->rows, count);
	add_rest(a, TP_LIVE_EARLIER,
		a->peak->heap_bytes > a->recorded_bytes ? a->peak->heap_bytes - a->recorded_bytes : 0);
	add_rest(a, TP_LIVE_STACK, a->peak->stack_bytes);
	qsort(a->rows, a->row_count, sizeof *a->rows, by_total);
}

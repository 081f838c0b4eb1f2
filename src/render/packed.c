/* A share of the bytes for each task, in the order in which they are written. */
#include "render/packed.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/pool.h"
#include "render/pack.h"
#include "report/timeline.h"

enum { SHARES = 32 };

struct tp_packed {
	struct tp_arena *arena;
	struct tp_map place; /* of bytes, by where they are */
	struct tp_buf bytes; /* struct tp_slice */
	struct tp_slice *texts;
	struct tp_arena *of_share[SHARES]; /* NULL: nothing was packed */
};

static void
add(struct tp_packed *p, struct tp_slice bytes)
{
	if (bytes.len != 0)
		*tp_buf_new(&p->bytes, struct tp_slice) = bytes;
}

static void
add_all(struct tp_packed *p, const struct tp_timeline *t)
{
	for (size_t i = 0; i < t->group_count; i++) {
		const struct tp_timeline_group *g = &t->groups[i];

		for (size_t k = 0; k < g->track_count; k++) {
			for (size_t n = 0; n < g->tracks[k].tile_count; n++)
				add(p, g->tracks[k].tiles[n].data);
		}
		for (size_t k = 0; k < g->counter_count; k++)
			add(p, g->counters[k].data);
	}
	for (size_t i = 0; i < t->flow_count; i++)
		add(p, t->flows[i].data);
}

static void
pack_share(void *with, size_t share)
{
	struct tp_packed *p = with;
	const struct tp_slice *bytes = p->bytes.data;

	p->of_share[share] = tp_arena_new();
	for (size_t i = p->bytes.count * share / SHARES; i < p->bytes.count * (share + 1) / SHARES; i++)
		p->texts[i] = tp_pack_bytes(bytes[i], p->of_share[share]);
}

static uint64_t
key_of(struct tp_slice bytes)
{
	return (uint64_t)(uintptr_t)bytes.ptr;
}

struct tp_packed *
tp_packed_timeline(const struct tp_timeline *t, struct tp_pool *pool)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_packed *p = tp_new(arena, struct tp_packed);

	p->arena = arena;
	tp_map_init(&p->place, arena);
	if (tp_pool_threads(pool) > 1)
		add_all(p, t);
	p->texts = tp_new_array(arena, struct tp_slice, p->bytes.count);
	tp_pool_each(pool, p->bytes.count != 0 ? SHARES : 0, pack_share, p);
	for (size_t i = 0; i < p->bytes.count; i++)
		tp_map_put(&p->place, key_of(((const struct tp_slice *)p->bytes.data)[i]), (uint32_t)i);
	return p;
}

void
tp_packed_free(struct tp_packed *p)
{
	for (size_t i = 0; i < SHARES; i++)
		tp_arena_free(p->of_share[i]);
	tp_buf_free(&p->bytes);
	tp_arena_free(p->arena);
}

struct tp_slice
tp_packed_text(const struct tp_packed *packed, struct tp_slice bytes)
{
	uint32_t at = packed != NULL ? tp_map_get(&packed->place, key_of(bytes)) : TP_MAP_NONE;

	return at != TP_MAP_NONE ? packed->texts[at] : TP_S("");
}

/* A share of the bytes for each task, in the order in which they are written. */
#include "render/packed.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/pool.h"
#include "render/pack.h"
#include "report/timeline.h"

enum { SHARES = 32 };

struct share {
	struct tp_task task;
	const struct tp_packed *of;
	struct tp_arena *arena;
	size_t first, end; /* of the bytes */
};

struct tp_packed {
	struct tp_pool *pool;
	struct tp_arena *arena;
	struct tp_map place; /* of bytes, by where they are */
	struct tp_buf bytes; /* struct tp_slice */
	struct tp_slice *texts;
	struct share shares[SHARES];
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
pack_share(void *with)
{
	struct share *s = with;
	const struct tp_slice *bytes = s->of->bytes.data;

	for (size_t i = s->first; i < s->end; i++)
		s->of->texts[i] = tp_pack_part(bytes[i], s->arena);
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
	p->pool = pool;
	tp_map_init(&p->place, arena);
	if (tp_pool_threads(pool) > 1)
		add_all(p, t);
	p->texts = tp_new_array(arena, struct tp_slice, p->bytes.count);
	for (size_t i = 0; i < p->bytes.count; i++)
		tp_map_put(&p->place, key_of(((const struct tp_slice *)p->bytes.data)[i]), (uint32_t)i);
	for (size_t i = 0; p->bytes.count != 0 && i < SHARES; i++) {
		p->shares[i] = (struct share){
			.task = {.run = pack_share, .with = &p->shares[i]},
			.of = p,
			.arena = tp_arena_child(arena),
			.first = p->bytes.count * i / SHARES,
			.end = p->bytes.count * (i + 1) / SHARES,
		};
		tp_pool_start(pool, &p->shares[i].task);
	}
	return p;
}

void
tp_packed_free(struct tp_packed *p)
{
	for (size_t i = 0; p->bytes.count != 0 && i < SHARES; i++)
		tp_pool_wait(p->pool, &p->shares[i].task);
	tp_buf_free(&p->bytes);
	tp_arena_free(p->arena);
}

struct tp_slice
tp_packed_text(struct tp_packed *p, struct tp_slice bytes)
{
	uint32_t at = p != NULL ? tp_map_get(&p->place, key_of(bytes)) : TP_MAP_NONE;
	size_t i = 0;

	if (at == TP_MAP_NONE)
		return TP_S("");
	while (at >= p->shares[i].end)
		i++;
	tp_pool_wait(p->pool, &p->shares[i].task);
	return p->texts[at];
}

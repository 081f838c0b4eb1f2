/* The commonest operations or devices of scopes, in words. */
#include "analyze/graph/graph.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "model/graph.h"
#include "model/profile.h"

#include <stdlib.h>

enum { TOLD = 3 };

struct kind {
	uint32_t row, name, count;
};

static int
by_row(const void *left, const void *right)
{
	const struct kind *a = left, *b = right;

	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

static void
count_one(struct tp_buf *kinds, struct tp_map *at, uint32_t row, uint32_t name)
{
	uint64_t key = tp_hash_pair(row, name);
	uint32_t index = tp_map_get(at, key);

	if (index == TP_MAP_NONE) {
		index = (uint32_t)kinds->count;
		tp_map_put(at, key, index);
		*(struct kind *)tp_buf_add(kinds, sizeof(struct kind)) = (struct kind){row, name, 0};
	}
	((struct kind *)kinds->data)[index].count++;
}

struct tp_slice
tp_graph_device_name(struct tp_slice name)
{
	static const struct tp_slice local = {"/job:localhost/replica:0/task:0/", 32};

	return tp_slice_starts(name, local) ? tp_slice_from(name, local.len - 1) : name;
}

struct tp_slice *
tp_graph_kinds(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v, const uint32_t *column,
	const uint32_t *shown, uint32_t rows)
{
	struct tp_slice *out = tp_new_array(ctx->keep, struct tp_slice, rows);
	struct tp_buf kinds = {0};
	struct tp_map at;

	tp_map_init(&at, ctx->scratch);
	for (uint32_t i = 0; i < v->graph->node_count; i++) {
		for (uint32_t s = v->scopes.scope[i]; s != TP_NONE; s = v->scopes.scopes[s].parent) {
			if (shown[s] != TP_NONE && column[i] != 0)
				count_one(&kinds, &at, shown[s], column[i]);
		}
	}
	struct kind *all = kinds.data;

	if (kinds.count != 0)
		qsort(all, kinds.count, sizeof *all, by_row);
	for (size_t i = 0, nth = 0; i < kinds.count; i++) {
		struct tp_slice *text = &out[all[i].row],
						name = tp_graph_device_name(tp_string(&ctx->profile->strings, all[i].name));

		nth = i > 0 && all[i - 1].row == all[i].row ? nth + 1 : 0;
		if (nth < TOLD)
			*text = tp_arena_printf(ctx->keep, "%.*s%s%.*s %u", TP_ARG(*text), nth > 0 ? ", " : "",
				TP_ARG(name), all[i].count);
		else if (nth == TOLD)
			*text = tp_arena_printf(ctx->keep, "%.*s …", TP_ARG(*text));
	}
	tp_buf_free(&kinds);
	return out;
}

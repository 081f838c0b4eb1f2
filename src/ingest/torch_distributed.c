/* distributedInfo may hold all of its keys or only some. */
#include "ingest/torch_distributed.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "codec/json_number.h"
#include "codec/json_pull.h"
#include "model/torch.h"

enum { MOST_GROUPS = 65536 };

static bool
key_is(const struct tp_pull *j, const char *key)
{
	return tp_slice_eq(j->key, tp_slice_of(key));
}

static int64_t
whole(const struct tp_pull *j)
{
	int64_t number;

	return (j->type == TP_PULL_NUMBER || j->type == TP_PULL_STRING) &&
			tp_decimal_integer(j->text, &number) && number >= 0
		? number
		: -1;
}

/* A text or number; a list as it is written. */
static bool
text(struct tp_pull *j, struct tp_arena *arena, struct tp_slice *out)
{
	struct tp_slice raw = {NULL, 0};

	if (j->type == TP_PULL_STRING || j->type == TP_PULL_NUMBER)
		raw = j->text;
	else if (j->type == TP_PULL_ARRAY && !tp_pull_raw(j, &raw))
		return false;
	*out = tp_utf8_clean(arena, tp_arena_copy(arena, raw));
	return tp_pull_skip(j);
}

static bool
take_group(struct tp_torch_group *g, struct tp_arena *arena, struct tp_pull *j)
{
	g->size = -1;
	while (tp_pull_item(j)) {
		bool goes_on;

		if (key_is(j, "pg_name")) {
			goes_on = text(j, arena, &g->name);
		} else if (key_is(j, "pg_desc")) {
			goes_on = text(j, arena, &g->description);
		} else if (key_is(j, "backend_config")) {
			goes_on = text(j, arena, &g->backend);
		} else if (key_is(j, "ranks")) {
			goes_on = text(j, arena, &g->ranks);
		} else {
			if (key_is(j, "pg_size"))
				g->size = whole(j);
			goes_on = tp_pull_skip(j);
		}
		if (!goes_on)
			return false;
	}
	return j->state == TP_PULL_MORE;
}

static bool
take_groups(struct tp_torch_distributed *d, struct tp_arena *arena, struct tp_pull *j)
{
	struct tp_buf groups = {0};
	bool goes_on = true;

	if (j->type != TP_PULL_ARRAY)
		return tp_pull_skip(j);
	while (goes_on && tp_pull_item(j)) {
		if (j->type == TP_PULL_OBJECT && groups.count < MOST_GROUPS)
			goes_on = take_group(tp_buf_add(&groups, sizeof(struct tp_torch_group)), arena, j);
		else
			goes_on = tp_pull_skip(j);
	}
	struct tp_torch_group *kept = tp_new_array(arena, struct tp_torch_group, groups.count);

	if (groups.count != 0)
		memcpy(kept, groups.data, groups.count * sizeof *kept);
	d->groups = kept;
	d->group_count = (uint32_t)groups.count;
	tp_buf_free(&groups);
	return goes_on && j->state == TP_PULL_MORE;
}

static bool
take_member(struct tp_torch_distributed *d, struct tp_arena *arena, struct tp_pull *j)
{
	if (key_is(j, "backend"))
		return text(j, arena, &d->backend);
	if (key_is(j, "nccl_version"))
		return text(j, arena, &d->nccl_version);
	if (key_is(j, "pg_config"))
		return take_groups(d, arena, j);
	if (key_is(j, "rank"))
		d->rank = whole(j);
	else if (key_is(j, "world_size"))
		d->world_size = whole(j);
	return tp_pull_skip(j);
}

bool
tp_torch_distributed_take(struct tp_torch_distributed *d, struct tp_arena *arena, struct tp_pull *j)
{
	if (j->type != TP_PULL_OBJECT)
		return tp_pull_skip(j);
	*d = (struct tp_torch_distributed){.recorded = true, .rank = -1, .world_size = -1};
	while (tp_pull_item(j)) {
		if (!take_member(d, arena, j))
			return false;
	}
	return j->state == TP_PULL_MORE;
}

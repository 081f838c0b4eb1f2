/* Metadata of traces: devices, what was asked of the profiler, versions, and whatever else was written beside the events. */
#include "ingest/torch_meta.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "codec/json_number.h"
#include "codec/json_pull.h"
#include "ingest/torch_event.h"
#include "model/profile.h"
#include "model/torch.h"

#include <stddef.h>

enum { MOST_FACTS = 64, MOST_GPUS = 4096, LONGEST_FACT = 400 };

enum form { U32, U64, TEXT };

static const struct {
	const char *key;
	enum form form;
	size_t at;
} gpu_keys[] = {
	{"id", U32, offsetof(struct tp_torch_gpu, id)},
	{"name", TEXT, offsetof(struct tp_torch_gpu, name)},
	{"totalGlobalMem", U64, offsetof(struct tp_torch_gpu, memory_bytes)},
	{"computeMajor", U32, offsetof(struct tp_torch_gpu, compute_major)},
	{"computeMinor", U32, offsetof(struct tp_torch_gpu, compute_minor)},
	{"numSms", U32, offsetof(struct tp_torch_gpu, sm_count)},
	{"warpSize", U32, offsetof(struct tp_torch_gpu, warp_size)},
	{"maxThreadsPerBlock", U32, offsetof(struct tp_torch_gpu, threads_per_block)},
	{"maxThreadsPerMultiprocessor", U32, offsetof(struct tp_torch_gpu, threads_per_sm)},
	{"regsPerBlock", U32, offsetof(struct tp_torch_gpu, registers_per_block)},
	{"regsPerMultiprocessor", U32, offsetof(struct tp_torch_gpu, registers_per_sm)},
	{"sharedMemPerBlock", U32, offsetof(struct tp_torch_gpu, shared_per_block)},
	{"sharedMemPerMultiprocessor", U32, offsetof(struct tp_torch_gpu, shared_per_sm)},
	{"maxSharedMemoryPerMultiProcessor", U32, offsetof(struct tp_torch_gpu, shared_per_sm)},
};

static const struct {
	const char *key;
	unsigned flag;
} flags[] = {
	{"record_shapes", TP_TORCH_SHAPES},
	{"profile_memory", TP_TORCH_MEMORY},
	{"with_stack", TP_TORCH_STACK},
	{"with_flops", TP_TORCH_FLOPS},
	{"with_modules", TP_TORCH_MODULES},
};

enum { MOST_GROUPS = 65536 };

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

		if (tp_pull_key_is(j, "pg_name")) {
			goes_on = text(j, arena, &g->name);
		} else if (tp_pull_key_is(j, "pg_desc")) {
			goes_on = text(j, arena, &g->description);
		} else if (tp_pull_key_is(j, "backend_config")) {
			goes_on = text(j, arena, &g->backend);
		} else if (tp_pull_key_is(j, "ranks")) {
			goes_on = text(j, arena, &g->ranks);
		} else {
			if (tp_pull_key_is(j, "pg_size"))
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
	d->group_count = (uint32_t)groups.count;
	d->groups = tp_buf_settle(&groups, sizeof *d->groups, arena);
	return goes_on && j->state == TP_PULL_MORE;
}

static bool
take_member(struct tp_torch_distributed *d, struct tp_arena *arena, struct tp_pull *j)
{
	if (tp_pull_key_is(j, "backend"))
		return text(j, arena, &d->backend);
	if (tp_pull_key_is(j, "nccl_version"))
		return text(j, arena, &d->nccl_version);
	if (tp_pull_key_is(j, "pg_config"))
		return take_groups(d, arena, j);
	if (tp_pull_key_is(j, "rank"))
		d->rank = whole(j);
	else if (tp_pull_key_is(j, "world_size"))
		d->world_size = whole(j);
	return tp_pull_skip(j);
}

/* distributedInfo, at its value, which may hold all of its keys or only some. False when the text ends inside. */
static bool
take_distributed(struct tp_torch_distributed *d, struct tp_arena *arena, struct tp_pull *j)
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

static bool
is_scalar(const struct tp_pull *j)
{
	return j->type == TP_PULL_STRING || j->type == TP_PULL_NUMBER || j->type == TP_PULL_TRUE ||
		j->type == TP_PULL_FALSE;
}

static void
take_gpu_value(struct tp_torch_gpu *gpu, const struct tp_pull *j, struct tp_arena *arena)
{
	for (size_t i = 0; i < sizeof gpu_keys / sizeof *gpu_keys; i++) {
		void *to = (char *)gpu + gpu_keys[i].at;
		int64_t number;

		if (!tp_pull_key_is(j, gpu_keys[i].key))
			continue;
		if (gpu_keys[i].form == TEXT) {
			if (j->type == TP_PULL_STRING)
				*(struct tp_slice *)to = tp_utf8_clean(arena, tp_arena_copy(arena, j->text));
		} else if (is_scalar(j) && tp_decimal_integer(j->text, &number) && number >= 0) {
			if (gpu_keys[i].form == U64)
				*(uint64_t *)to = (uint64_t)number;
			else if (number < UINT32_MAX)
				*(uint32_t *)to = (uint32_t)number;
		}
		return;
	}
}

static bool
take_gpus(struct tp_torch_meta *m, struct tp_pull *j, struct tp_arena *arena)
{
	if (j->type != TP_PULL_ARRAY)
		return tp_pull_skip(j);
	while (tp_pull_item(j)) {
		if (j->type != TP_PULL_OBJECT || m->gpus.count == MOST_GPUS) {
			if (!tp_pull_skip(j))
				return false;
			continue;
		}
		struct tp_torch_gpu *gpu = tp_buf_add(&m->gpus, sizeof *gpu);

		gpu->id = (uint32_t)m->gpus.count - 1;
		gpu->device = TP_NONE;
		while (tp_pull_item(j)) {
			take_gpu_value(gpu, j, arena);
			if (!tp_pull_skip(j))
				return false;
		}
	}
	return j->state == TP_PULL_MORE;
}

/* Messages that the profiler logged. Its INFO is about itself. */
static bool
take_messages(struct tp_pull *j, struct tp_diags *diags, const char *path, enum tp_diag_level level)
{
	while (tp_pull_item(j)) {
		if (j->type == TP_PULL_STRING && j->text.len != 0)
			tp_diag_at(
				diags, level, path, TP_NO_OFFSET, "the profiler reported: %.*s", TP_ARG(j->text));
		if (!tp_pull_skip(j))
			return false;
	}
	return j->state == TP_PULL_MORE;
}

static void
add_fact(struct tp_torch_meta *m, struct tp_torch_events *x, const struct tp_pull *j)
{
	if (m->facts.count == MOST_FACTS || j->text.len == 0 || j->text.len > LONGEST_FACT ||
		j->key.len > LONGEST_FACT)
		return;
	struct tp_torch_meta_fact *f = tp_buf_add(&m->facts, sizeof *f);

	f->key = tp_arena_copy(x->arena, j->key);
	f->value = tp_arena_copy(x->arena, j->text);
}

/* 1 or true when on; absent or 0 when off. */
static bool
take_flag(struct tp_torch_meta *m, const struct tp_pull *j)
{
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
		int64_t on = j->type == TP_PULL_TRUE;

		if (!tp_pull_key_is(j, flags[i].key))
			continue;
		if (j->type == TP_PULL_NUMBER)
			tp_decimal_integer(j->text, &on);
		if (on != 0)
			m->asked |= flags[i].flag;
		return true;
	}
	return false;
}

/* Of no use to a reader of the report. */
static bool
is_mute(const struct tp_pull *j)
{
	static const char *const keys[] = {"schemaVersion", "displayTimeUnit", "traceName"};

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		if (tp_pull_key_is(j, keys[i]))
			return true;
	}
	return false;
}

static void
take_scalar(struct tp_torch_meta *m, struct tp_torch_events *x, const struct tp_pull *j)
{
	if (tp_pull_key_is(j, "baseTimeNanoseconds")) {
		if (!tp_decimal_integer(j->text, &m->base_ns))
			m->base_ns = 0;
		return;
	}
	if (is_mute(j) || take_flag(m, j))
		return;
	m->nvidia |= tp_slice_starts(j->key, TP_S("cu"));
	m->amd |= tp_slice_starts(j->key, TP_S("hip_")) || tp_slice_starts(j->key, TP_S("roc"));
	add_fact(m, x, j);
	if (tp_pull_key_is(j, "Framework"))
		m->framework = tp_arena_copy(x->arena, j->text);
}

bool
tp_torch_meta_take(struct tp_torch_meta *m, struct tp_torch_events *x, struct tp_pull *j,
	struct tp_diags *diags, const char *path)
{
	if (tp_pull_key_is(j, "deviceProperties") || tp_pull_key_is(j, "computeProperties"))
		return take_gpus(m, j, x->arena);
	if (tp_pull_key_is(j, "distributedInfo"))
		return take_distributed(&m->distributed, x->arena, j);
	if (j->type == TP_PULL_ARRAY && tp_pull_key_is(j, "ERROR"))
		return take_messages(j, diags, path, TP_DIAG_WARNING);
	if (j->type == TP_PULL_ARRAY && tp_pull_key_is(j, "WARNING"))
		return take_messages(j, diags, path, TP_DIAG_NOTE);
	if (is_scalar(j))
		take_scalar(m, x, j);
	return tp_pull_skip(j);
}

void
tp_torch_meta_close(struct tp_torch_meta *m)
{
	tp_buf_free(&m->gpus);
	tp_buf_free(&m->facts);
}

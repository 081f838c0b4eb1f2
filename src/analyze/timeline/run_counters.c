/* Counters of a run: those that a trace holds, and memory as allocators told it. */
#include "analyze/timeline/run_events.h"

#include "analyze/timeline/timeline.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "model/allocator.h"
#include "model/torch.h"
#include "model/tracks.h"

/* Of each kind: a file that names ever more devices is not gone through once for each. */
enum { MOST = 64 };

struct finding {
	const struct tp_pass_ctx *ctx;
	const struct tp_run_clock *clock;
	struct tp_buf of, shown; /* struct tp_run_counter_of, struct tp_run_counter */
};

static struct tp_slice
group_of_host(const struct finding *f, uint32_t host)
{
	struct tp_line threads = {.host = host, .device = TP_NONE};

	return tp_timeline_group_name(f->ctx, &threads);
}

static void
find_of_tracks(struct finding *f)
{
	for (const struct tp_tracks *t = f->ctx->profile->tracks; t != NULL; t = t->next) {
		for (uint32_t i = 0; i < t->counter_count; i++) {
			const struct tp_track_counter *c = &t->counters[i];

			TP_PUSH(&f->of, struct tp_run_counter_of, .kind = TP_RUN_TRACK, .from = c,
				.shift_ps = f->clock->shift_of_host_ps[t->host]);
			TP_PUSH(&f->shown, struct tp_run_counter, c->process, c->name, c->unit, c->count);
		}
	}
}

static void
add_of_torch(struct finding *f, uint32_t trace, const struct tp_torch_memory *m, bool reserved)
{
	const struct tp_torch_trace *t = f->ctx->profile->torch->traces[trace];
	const char *what = reserved ? "Memory reserved" : "Memory allocated";

	TP_PUSH(&f->of, struct tp_run_counter_of, .kind = TP_RUN_TORCH_MEMORY, .from = t,
		.shift_ps =
			f->clock->shift_of_host_ps[t->host] - (int64_t)f->clock->late_of_trace_ps[trace],
		.device_type = m->device_type, .device_id = m->device_id, .reserved = reserved);
	TP_PUSH(&f->shown, struct tp_run_counter, group_of_host(f, t->host),
		m->device_type == 0 ? tp_arena_printf(f->ctx->keep, "%s, CPU", what)
							: tp_arena_printf(f->ctx->keep, "%s, device %d", what, m->device_id),
		TP_S("bytes"), t->memory_count);
}

static void
find_of_torch(struct finding *f)
{
	const struct tp_torch *torch = f->ctx->profile->torch;

	for (uint32_t i = 0; torch != NULL && i < torch->trace_count; i++) {
		const struct tp_torch_trace *t = torch->traces[i];
		struct tp_map seen;

		tp_map_init(&seen, f->ctx->scratch);
		for (uint32_t k = 0; k < t->memory_count && seen.count < MOST; k++) {
			const struct tp_torch_memory *m = &t->memory[k];
			uint64_t device = (uint64_t)(uint16_t)m->device_type << 16 | (uint16_t)m->device_id;
			uint32_t number;

			if (m->allocated_bytes >= 0 && tp_map_number(&seen, device << 1 | 1, &number))
				add_of_torch(f, i, m, false);
			if (m->reserved_bytes >= 0 && tp_map_number(&seen, device << 1 | 2ull << 33, &number))
				add_of_torch(f, i, m, true);
		}
	}
}

static void
find_of_allocators(struct finding *f)
{
	const struct tp_profile *p = f->ctx->profile;
	struct tp_map seen;

	tp_map_init(&seen, f->ctx->scratch);
	for (uint32_t i = 0; i < p->allocator_event_count && seen.count < MOST; i++) {
		const struct tp_allocator_event *e = &p->allocator_events[i];
		struct tp_slice name = tp_string(&p->strings, e->allocator);
		uint32_t number;

		if (!tp_map_number(&seen,
				tp_hash_pair(tp_hash_pair(e->host, e->allocator), (uint64_t)e->ordinal), &number))
			continue;
		TP_PUSH(&f->of, struct tp_run_counter_of, .kind = TP_RUN_ALLOCATOR,
			.shift_ps = f->clock->shift_of_host_ps[e->host], .host = e->host,
			.allocator = e->allocator, .ordinal = e->ordinal);
		TP_PUSH(&f->shown, struct tp_run_counter, group_of_host(f, e->host),
			name.len != 0
				? tp_arena_printf(f->ctx->keep, "Memory, %.*s", TP_ARG(name))
				: tp_arena_printf(f->ctx->keep, "Memory, device %lld", (long long)e->ordinal),
			TP_S("bytes"), p->allocator_event_count);
	}
}

void
tp_run_find_counters(const struct tp_pass_ctx *ctx, const struct tp_run_clock *clock,
	struct tp_run_of *of, struct tp_run_events *out)
{
	struct finding f = {.ctx = ctx, .clock = clock};

	find_of_tracks(&f);
	find_of_torch(&f);
	find_of_allocators(&f);
	out->counter_count = f.shown.count;
	out->counters = tp_buf_settle(&f.shown, sizeof(struct tp_run_counter), ctx->keep);
	of->counters = tp_buf_settle(&f.of, sizeof(struct tp_run_counter_of), ctx->keep);
}

static bool
point_of_torch(const struct tp_run_counter_of *c, uint64_t number, struct tp_run_point *out)
{
	const struct tp_torch_trace *t = c->from;
	const struct tp_torch_memory *m = &t->memory[number];
	int64_t bytes = c->reserved ? m->reserved_bytes : m->allocated_bytes;

	*out = (struct tp_run_point){m->time_ps, (double)bytes};
	return m->device_type == c->device_type && m->device_id == c->device_id && bytes >= 0;
}

static bool
point_of_allocator(const struct tp_profile *p, const struct tp_run_counter_of *c, uint64_t number,
	struct tp_run_point *out)
{
	const struct tp_allocator_event *e = &p->allocator_events[number];

	*out = (struct tp_run_point){e->time_ps, (double)e->stack_bytes + (double)e->heap_bytes};
	return e->host == c->host && e->allocator == c->allocator && e->ordinal == c->ordinal;
}

bool
tp_run_point(
	const struct tp_run_events *e, size_t counter, uint64_t number, struct tp_run_point *out)
{
	const struct tp_run_of *of = e->of;
	const struct tp_run_counter_of *c = &of->counters[counter];
	const struct tp_track_counter *track = c->from;
	bool is = true;

	switch (c->kind) {
	case TP_RUN_TRACK:
		*out = (struct tp_run_point){track->at_ps[number], track->values[number]};
		break;
	case TP_RUN_TORCH_MEMORY:
		is = point_of_torch(c, number, out);
		break;
	case TP_RUN_ALLOCATOR:
		is = point_of_allocator(of->profile, c, number, out);
		break;
	}
	return is && !__builtin_add_overflow(out->at_ps, c->shift_ps, &out->at_ps) &&
		tp_run_is_wanted(of, out->at_ps, out->at_ps);
}

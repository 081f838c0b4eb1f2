/* From events in the order of the file to columns by lane, once the file is read and its zero is known: slice by slice side by side, as
 * each knows from how many events before it has on each lane where its own go. */
#include "base/arena.h"
#include "base/order.h"
#include "base/pool.h"
#include "ingest/torch_join.h"
#include "ingest/torch_sort.h"
#include "model/build.h"

#include <stdlib.h>

TP_ORDER(by_number, int64_t, (*a > *b) - (*a < *b));

bool
tp_torch_middle(const struct tp_torch_whole *w, int64_t *start_ns)
{
	enum { SAMPLES = 1001 };
	int64_t samples[SAMPLES];
	size_t count = 0;
	size_t stride = w->event_count / SAMPLES + 1, first = 0, next = 0;
	const struct tp_torch_memory *memory = w->memory.data;

	for (size_t p = 0; p < w->part_count; p++) {
		const struct tp_block *b = w->parts[p].columns->events.first;

		for (; b != NULL; b = b->next) {
			const struct tp_torch_slot *slots = (const void *)b->rows;

			for (; next - first < b->count; next += stride)
				samples[count++] = slots[next - first].start_ns;
			first += b->count;
		}
	}
	if (count == 0 && w->memory.count != 0)
		samples[count++] = memory[w->memory.count / 2].time_ps;
	if (count == 0)
		return false;
	qsort(samples, count, sizeof *samples, by_number);
	*start_ns = samples[count / 2];
	return true;
}

/* Whether the difference is at most `most`; also of numbers whose difference is no int64. */
static bool
within(int64_t a, int64_t b, int64_t most)
{
	int64_t apart;

	return !__builtin_sub_overflow(a, b, &apart) && apart <= most && apart >= -most;
}

/* What each slice is asked for. */
struct asked {
	struct tp_torch_whole *w;
	int64_t at_ns; /* the middle, or the zero */
	struct tp_torch_trace *t;
	const uint32_t *number; /* of lanes */
	struct tp_torch_order to;
	struct tp_arena *keep; /* for what is made beside something else */
};

static void
find_begin(void *with, size_t index)
{
	const struct asked *a = with;
	struct tp_torch_part *p = &a->w->parts[index];
	int64_t begin = a->at_ns;

	TP_BLOCKS_EACH(&p->columns->events, const struct tp_torch_slot, s)
	{
		if (s->start_ns < begin && within(s->start_ns, a->at_ns, TP_TORCH_FARTHEST_NS / 2))
			begin = s->start_ns;
	}
	p->begin_ns = begin;
}

int64_t
tp_torch_begin(struct tp_torch_whole *w, int64_t middle_ns)
{
	const struct tp_torch_memory *memory = w->memory.data;
	struct asked asked = {.w = w, .at_ns = middle_ns};
	int64_t begin = middle_ns;

	tp_pool_each(w->pool, w->part_count, find_begin, &asked);
	for (size_t i = 0; i < w->part_count; i++)
		begin = w->parts[i].begin_ns < begin ? w->parts[i].begin_ns : begin;
	for (size_t i = 0; i < w->memory.count; i++) {
		if (memory[i].time_ps < begin &&
			within(memory[i].time_ps, middle_ns, TP_TORCH_FARTHEST_NS / 2))
			begin = memory[i].time_ps;
	}
	return begin;
}

static bool
is_kept(const struct tp_torch_slot *s, int64_t zero_ns)
{
	return within(s->start_ns, zero_ns, TP_TORCH_FARTHEST_NS) &&
		s->duration_ns <= TP_TORCH_FARTHEST_NS / 2;
}

/* Events that are kept, and their names. Room in the part's arrays is made by then. */
static void
count_part(void *with, size_t index)
{
	const struct asked *a = with;
	struct tp_torch_part *p = &a->w->parts[index];

	TP_BLOCKS_EACH(&p->columns->events, const struct tp_torch_slot, s)
	{
		if (!is_kept(s, a->at_ns)) {
			p->too_far++;
			continue;
		}
		p->lane_count[s->lane]++;
		p->kind_count[s->kind]++;
		if (p->op_of[s->name] != TP_NONE)
			continue;
		p->op_of[s->name] = 0;
		*tp_buf_new(&p->names, uint32_t) = s->name;
	}
}

static void
count_events(struct asked *a, struct tp_torch_trace *t)
{
	struct tp_torch_whole *w = a->w;
	struct tp_torch_lane *lanes = w->all.lanes.data;

	for (size_t i = 0; i < w->part_count; i++) {
		struct tp_torch_part *p = &w->parts[i];
		uint32_t strings = p->columns->strings->count;

		p->lane_count = tp_new_array(w->scratch, uint32_t, p->columns->lanes.count);
		p->op_of = tp_new_array(w->scratch, uint32_t, strings);
		memset(p->op_of, 0xff, strings * sizeof *p->op_of);
	}
	tp_pool_each(w->pool, w->part_count, count_part, a);
	for (size_t i = 0; i < w->part_count; i++) {
		const struct tp_torch_part *p = &w->parts[i];
		const uint32_t *names = p->names.data;

		for (size_t n = 0; n < p->names.count; n++)
			p->op_of[names[n]] = tp_build_op_named(w->out, p->string_of[names[n]]);
		for (size_t l = 0; l < p->columns->lanes.count; l++) {
			lanes[p->lane_of[l]].count += p->lane_count[l];
			t->count += p->lane_count[l];
		}
		for (int k = 0; k < TP_TORCH_KIND_COUNT; k++)
			t->kind_count[k] += p->kind_count[k];
		w->all.too_far += p->too_far;
	}
}

/* Lanes without events go; number[old] is the new number, or TP_NONE. */
static void
keep_lanes(struct tp_torch_whole *w, struct tp_torch_trace *t, uint32_t *number)
{
	struct tp_profile *p = tp_builder_profile(w->out);
	const struct tp_torch_columns *c = &w->all;
	const struct tp_torch_lane *lanes = c->lanes.data;
	struct tp_torch_lane *kept = tp_new_array(p->arena, struct tp_torch_lane, c->lanes.count);
	uint32_t first = 0;

	for (size_t i = 0; i < c->lanes.count; i++) {
		uint32_t name = tp_map_get(&c->names, (uint64_t)lanes[i].pid << 32 | lanes[i].tid);

		number[i] = TP_NONE;
		if (lanes[i].count == 0)
			continue;
		number[i] = t->lane_count++;
		kept[number[i]] = lanes[i];
		kept[number[i]].first = first;
		if (name != TP_MAP_NONE)
			kept[number[i]].name = tp_string(&p->strings, name);
		first += lanes[i].count;
	}
	t->lanes = kept;
}

/* lane_count becomes where the slice's next event on the lane goes. */
static void
place_parts(struct asked *a)
{
	struct tp_torch_whole *w = a->w;
	uint32_t *next = tp_new_array(w->scratch, uint32_t, a->t->lane_count);

	for (uint32_t l = 0; l < a->t->lane_count; l++)
		next[l] = a->t->lanes[l].first;
	for (size_t i = 0; i < w->part_count; i++) {
		struct tp_torch_part *p = &w->parts[i];

		for (size_t l = 0; l < p->columns->lanes.count; l++) {
			uint32_t count = p->lane_count[l], lane = a->number[p->lane_of[l]];

			if (count == 0)
				continue;
			p->lane_count[l] = next[lane];
			next[lane] += count;
		}
	}
}

static uint32_t
first_detail(const struct tp_torch_part *p, uint8_t kind)
{
	if (tp_torch_is_range(kind))
		return p->first_operator;
	if (tp_torch_is_call(kind))
		return p->first_call;
	if (tp_torch_is_work(kind))
		return p->first_work;
	return kind == TP_TORCH_PYTHON ? p->first_python : 0;
}

/* What the slice has on each lane, in order: what is left to do for a lane is to bring together what its slices have. */
static void
sort_part(const struct tp_torch_part *p, const uint32_t *starts, struct tp_torch_order to)
{
	for (size_t l = 0; l < p->columns->lanes.count; l++) {
		if (p->lane_count[l] > starts[l])
			tp_torch_sort(to, starts[l], p->lane_count[l] - starts[l]);
	}
}

/* Each event of a block to the next place of its lane. first: of each kind, its first detail in the whole. */
static void
scatter_block(const struct asked *a, const struct tp_torch_part *p, const struct tp_block *b,
	const uint32_t first[static TP_TORCH_KIND_COUNT])
{
	const struct tp_torch_slot *slots = (const void *)b->rows;
	struct tp_torch_order to = a->to;

	for (size_t i = 0; i < b->count; i++) {
		const struct tp_torch_slot *s = &slots[i];

		if (!is_kept(s, a->at_ns))
			continue;
		uint32_t at = p->lane_count[s->lane]++;

		to.start_ps[at] = (s->start_ns - a->at_ns) * 1000;
		to.duration_ps[at] = s->duration_ns * 1000;
		to.op[at] = p->op_of[s->name];
		to.detail[at] = s->detail == TP_NONE ? TP_NONE : s->detail + first[s->kind];
		to.kind[at] = s->kind;
	}
}

/* The blocks go on the way, if nobody needs them any more. */
static void
scatter_part(void *with, size_t index)
{
	const struct asked *a = with;
	struct tp_torch_part *p = &a->w->parts[index];
	struct tp_torch_columns *c = p->columns;
	uint32_t first[TP_TORCH_KIND_COUNT];
	struct tp_buf starts = {0};

	for (size_t l = 0; l < c->lanes.count; l++)
		*tp_buf_new(&starts, uint32_t) = p->lane_count[l];
	for (uint8_t k = 0; k < TP_TORCH_KIND_COUNT; k++)
		first[k] = first_detail(p, k);
	for (const struct tp_block *b = c->events.first, *next; b != NULL; b = next) {
		scatter_block(a, p, b, first);
		next = b->next;
		if (a->w->last)
			tp_blocks_drop_first(&c->events);
	}
	sort_part(p, starts.data, a->to);
	tp_buf_free(&starts);
}

static void
sort_lane(void *with, size_t index)
{
	const struct asked *a = with;

	tp_torch_sort(a->to, a->t->lanes[index].first, a->t->lanes[index].count);
}

static const void *
table(struct tp_torch_whole *w, struct tp_buf *list, uint32_t *count)
{
	struct tp_arena *arena = w->all.keep;
	const void *array = list->data != NULL ? list->data : tp_arena_alloc(arena, 0);

	*count = (uint32_t)list->count;
	tp_arena_own(arena, list->data);
	*list = (struct tp_buf){0};
	return array;
}

TP_ORDER(by_time, struct tp_torch_memory, TP_UP(time_ps));

static void
settle_memory(struct tp_torch_whole *w, int64_t zero_ns, const uint32_t *number)
{
	struct tp_torch_memory *m = w->memory.data;
	uint32_t kept = 0;
	bool sorted = true;

	for (size_t i = 0; i < w->memory.count; i++) {
		if (!within(m[i].time_ps, zero_ns, TP_TORCH_FARTHEST_NS)) {
			w->all.too_far++;
			continue;
		}
		m[kept] = m[i];
		m[kept].time_ps = (m[i].time_ps - zero_ns) * 1000;
		m[kept].lane = number[m[i].lane];
		sorted &= kept == 0 || m[kept - 1].time_ps <= m[kept].time_ps;
		kept++;
	}
	/* glibc's qsort merges, so records of one time stay in the order of the file unless memory is short. */
	if (!sorted)
		qsort(m, kept, sizeof *m, by_time);
	w->memory.count = kept;
}

/* ROCm writes how a kernel was launched at the call that launched it. */
static void
launches_of_calls(struct tp_torch_whole *w)
{
	const struct tp_torch_columns *c = &w->all;
	struct tp_torch_work *works = w->works.data;

	for (size_t i = 0; i < w->works.count && c->grid_of.count != 0; i++) {
		if (works[i].launch != TP_NONE || works[i].correlation < 0 || works[i].bytes >= 0)
			continue;
		uint32_t launch = tp_map_get(&c->grid_of, (uint64_t)works[i].correlation);

		if (launch != TP_MAP_NONE)
			works[i].launch = launch;
	}
}

static enum tp_torch_era
era_of(const struct tp_torch_columns *c)
{
	if (c->old_categories)
		return TP_TORCH_UP_TO_1_10;
	if (c->same_ids + c->other_ids != 0)
		return c->same_ids > c->other_ids ? TP_TORCH_UP_TO_2_1 : TP_TORCH_FROM_2_2;
	return c->fractions ? TP_TORCH_FROM_2_2 : TP_TORCH_UP_TO_2_1;
}

static void
settle_window(const struct tp_torch_columns *c, int64_t zero_ns, struct tp_torch_trace *t)
{
	t->has_window = c->has_window && within(c->window_start_ns, zero_ns, TP_TORCH_FARTHEST_NS) &&
		within(c->window_end_ns, zero_ns, TP_TORCH_FARTHEST_NS);
	if (!t->has_window)
		return;
	t->window_start_ps = (c->window_start_ns - zero_ns) * 1000;
	t->window_end_ps = (c->window_end_ns - zero_ns) * 1000;
}

/* What can be done side by side once events are in order. */
enum { TIMES, OPS, MEMORY, NARROWED };

static void
narrow(void *with, size_t index)
{
	const struct asked *a = with;

	if (index == TIMES)
		a->t->times = tp_times_of(a->to.start_ps, a->to.duration_ps, a->t->count, a->keep);
	else if (index == OPS)
		a->t->ops = tp_ops_of(a->to.op, a->t->count, a->w->all.keep);
	else
		settle_memory(a->w, a->at_ns, a->number);
}

static void
settle_rows(struct tp_torch_whole *w, int64_t zero_ns, struct tp_torch_trace *t, uint32_t *number)
{
	struct tp_arena *arena = w->all.keep, *wide = tp_arena_new();
	struct asked a = {.w = w, .at_ns = zero_ns, .t = t, .number = number};

	count_events(&a, t);
	keep_lanes(w, t, number);
	a.to = (struct tp_torch_order){
		.start_ps = tp_new_array(wide, int64_t, t->count),
		.duration_ps = tp_new_array(wide, int64_t, t->count),
		.op = tp_new_array(wide, uint32_t, t->count),
		.detail = tp_new_array(arena, uint32_t, t->count),
		.kind = tp_new_array(arena, uint8_t, t->count),
	};
	place_parts(&a);
	tp_pool_each(w->pool, w->part_count, scatter_part, &a);
	tp_pool_each(w->pool, t->lane_count, sort_lane, &a);
	a.keep = tp_arena_child(arena);
	tp_pool_each(w->pool, NARROWED, narrow, &a);
	tp_arena_free(wide);
	t->detail = a.to.detail;
	t->kind = a.to.kind;
}

void
tp_torch_settle(struct tp_torch_whole *w, int64_t zero_ns, struct tp_torch_trace *t)
{
	struct tp_torch_columns *c = &w->all;
	uint32_t *number = tp_new_array(w->scratch, uint32_t, c->lanes.count);

	settle_rows(w, zero_ns, t, number);
	t->memory = table(w, &w->memory, &t->memory_count);
	launches_of_calls(w);
	t->operators = table(w, &w->operators, &t->operator_count);
	t->attributes = table(w, &c->attributes, &t->attribute_count);
	t->pythons = table(w, &w->pythons, &t->python_count);
	t->calls = table(w, &w->calls, &t->call_count);
	t->works = table(w, &w->works, &t->work_count);
	t->launches = table(w, &c->launches, &t->launch_count);
	t->collectives = table(w, &c->collectives, &t->collective_count);
	t->era = era_of(c);
	settle_window(c, zero_ns, t);
}

/* From events in the order of the file to columns by lane, once the file is read and its zero is known. */
#include "base/arena.h"
#include "base/order.h"
#include "ingest/torch_columns.h"
#include "model/build.h"

#include <stdlib.h>

/* Events of a lane come nearly in order (in that of their ends, or some threads one after the other), so that merging the runs that
 * are there takes few rounds. Whether event b must stand before a; equal ones stay as they are. */
static inline bool
wrong(const struct tp_torch_order *c, uint32_t a, uint32_t b)
{
	return c->start_ps[a] != c->start_ps[b] ? c->start_ps[a] > c->start_ps[b]
											: c->duration_ps[a] < c->duration_ps[b];
}

static uint32_t
run_end(const struct tp_torch_order *c, const uint32_t *p, uint32_t from, uint32_t count)
{
	for (from++; from < count && !wrong(c, p[from - 1], p[from]); from++)
		;
	return from;
}

static void
merge(const struct tp_torch_order *c, const uint32_t *p, uint32_t from, uint32_t middle,
	uint32_t end, uint32_t *to)
{
	uint32_t left = from, right = middle;

	for (uint32_t i = from; i < end; i++) {
		bool take_right = left == middle || (right != end && wrong(c, p[left], p[right]));

		to[i] = take_right ? p[right++] : p[left++];
	}
}

/* One round: each two runs become one. Returns the number of runs left. */
static uint32_t
merge_runs(const struct tp_torch_order *c, const uint32_t *p, uint32_t count, uint32_t *to)
{
	uint32_t runs = 0;

	for (uint32_t from = 0, end; from < count; from = end) {
		uint32_t middle = run_end(c, p, from, count);

		end = middle < count ? run_end(c, p, middle, count) : middle;
		merge(c, p, from, middle, end, to);
		runs++;
	}
	return runs;
}

static void
gather(void *column, size_t size, const uint32_t *p, uint32_t count, void *spare)
{
	for (uint32_t i = 0; i < count; i++)
		memcpy((char *)spare + i * size, (char *)column + p[i] * size, size);
	memcpy(column, spare, count * size);
}

static bool
in_order(struct tp_torch_order c, uint32_t first, uint32_t count)
{
	for (uint32_t i = first; i + 1 < first + count; i++) {
		if (c.start_ps[i] > c.start_ps[i + 1] ||
			(c.start_ps[i] == c.start_ps[i + 1] && c.duration_ps[i] < c.duration_ps[i + 1]))
			return false;
	}
	return true;
}

void
tp_torch_sort(struct tp_torch_order all, uint32_t first, uint32_t count)
{
	if (in_order(all, first, count))
		return;
	struct tp_torch_order c = {
		.start_ps = all.start_ps + first,
		.duration_ps = all.duration_ps + first,
		.op = all.op + first,
		.detail = all.detail + first,
		.kind = all.kind + first,
	};
	struct tp_arena *scratch = tp_arena_new();
	uint32_t *p = tp_new_array(scratch, uint32_t, count);
	uint32_t *other = tp_new_array(scratch, uint32_t, count);
	int64_t *spare = tp_new_array(scratch, int64_t, count);

	for (uint32_t i = 0; i < count; i++)
		p[i] = i;
	for (bool more = true; more;) {
		uint32_t *merged = other;

		more = merge_runs(&c, p, count, merged) > 1;
		other = p;
		p = merged;
	}
	gather(c.op, sizeof *c.op, p, count, spare);
	gather(c.detail, sizeof *c.detail, p, count, spare);
	gather(c.kind, sizeof *c.kind, p, count, spare);
	gather(c.start_ps, sizeof *c.start_ps, p, count, spare);
	gather(c.duration_ps, sizeof *c.duration_ps, p, count, spare);
	tp_arena_free(scratch);
}

TP_ORDER(by_number, int64_t, (*a > *b) - (*a < *b));

bool
tp_torch_columns_middle(const struct tp_torch_columns *c, int64_t *start_ns)
{
	enum { SAMPLES = 1001 };
	int64_t samples[SAMPLES];
	size_t count = 0;
	uint32_t stride = c->count / SAMPLES + 1, at = 0;
	const struct tp_torch_memory *memory = c->memory.data;

	for (const struct tp_torch_chunk *k = c->first; k != NULL; k = k->next) {
		for (uint32_t i = 0; i < k->count; i++, at++) {
			if (at % stride == 0)
				samples[count++] = k->slots[i].start_ns;
		}
	}
	if (count == 0 && c->memory.count != 0)
		samples[count++] = memory[c->memory.count / 2].time_ps;
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

int64_t
tp_torch_columns_begin(const struct tp_torch_columns *c, int64_t middle_ns)
{
	const struct tp_torch_memory *memory = c->memory.data;
	int64_t begin = middle_ns;

	for (const struct tp_torch_chunk *k = c->first; k != NULL; k = k->next) {
		for (uint32_t i = 0; i < k->count; i++) {
			int64_t start = k->slots[i].start_ns;

			if (start < begin && within(start, middle_ns, TP_TORCH_FARTHEST_NS / 2))
				begin = start;
		}
	}
	for (size_t i = 0; i < c->memory.count; i++) {
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

static void
count_lanes(struct tp_torch_columns *c, int64_t zero_ns, struct tp_torch_trace *t)
{
	struct tp_torch_lane *lanes = c->lanes.data;

	for (const struct tp_torch_chunk *k = c->first; k != NULL; k = k->next) {
		for (uint32_t i = 0; i < k->count; i++) {
			const struct tp_torch_slot *s = &k->slots[i];

			if (!is_kept(s, zero_ns)) {
				c->too_far++;
				continue;
			}
			lanes[s->lane].count++;
			t->kind_count[s->kind]++;
			t->count++;
		}
	}
}

/* Lanes without events go; number[old] is the new number, or TP_NONE. */
static void
keep_lanes(struct tp_torch_columns *c, struct tp_torch_trace *t, uint32_t *number)
{
	struct tp_profile *p = tp_builder_profile(c->out);
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

/* Each event to the next place of its lane. The chunks go on the way. */
static void
scatter(struct tp_torch_columns *c, int64_t zero_ns, const struct tp_torch_trace *t,
	const uint32_t *number, struct tp_torch_order to)
{
	uint32_t *next = tp_new_array(c->scratch, uint32_t, t->lane_count);

	for (uint32_t l = 0; l < t->lane_count; l++)
		next[l] = t->lanes[l].first;
	while (c->first != NULL) {
		struct tp_torch_chunk *k = c->first;

		for (uint32_t i = 0; i < k->count; i++) {
			const struct tp_torch_slot *s = &k->slots[i];

			if (!is_kept(s, zero_ns))
				continue;
			uint32_t at = next[number[s->lane]]++;

			to.start_ps[at] = (s->start_ns - zero_ns) * 1000;
			to.duration_ps[at] = s->duration_ns * 1000;
			to.op[at] = tp_build_op_named(c->out, s->name);
			to.detail[at] = s->detail;
			to.kind[at] = s->kind;
		}
		c->first = k->next;
		tp_pages_free(k);
	}
	c->last = NULL;
}

static const void *
table(struct tp_torch_columns *c, struct tp_buf *list, uint32_t *count)
{
	struct tp_arena *arena = tp_builder_profile(c->out)->arena;
	const void *array = list->data != NULL ? list->data : tp_arena_alloc(arena, 0);

	*count = (uint32_t)list->count;
	tp_arena_own(arena, list->data);
	*list = (struct tp_buf){0};
	return array;
}

TP_ORDER(by_time, struct tp_torch_memory, TP_UP(time_ps));

static void
settle_memory(
	struct tp_torch_columns *c, int64_t zero_ns, struct tp_torch_trace *t, const uint32_t *number)
{
	struct tp_torch_memory *m = c->memory.data;
	uint32_t kept = 0;
	bool sorted = true;

	for (size_t i = 0; i < c->memory.count; i++) {
		if (!within(m[i].time_ps, zero_ns, TP_TORCH_FARTHEST_NS)) {
			c->too_far++;
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
	c->memory.count = kept;
	t->memory = table(c, &c->memory, &t->memory_count);
}

/* ROCm writes how a kernel was launched at the call that launched it. */
static void
launches_of_calls(struct tp_torch_columns *c)
{
	struct tp_torch_work *works = c->works.data;

	for (size_t i = 0; i < c->works.count && c->grid_of.count != 0; i++) {
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

void
tp_torch_columns_settle(struct tp_torch_columns *c, int64_t zero_ns, struct tp_torch_trace *t)
{
	struct tp_arena *arena = tp_builder_profile(c->out)->arena;
	uint32_t *number = tp_new_array(c->scratch, uint32_t, c->lanes.count);

	count_lanes(c, zero_ns, t);
	keep_lanes(c, t, number);
	struct tp_arena *wide = tp_arena_new();
	struct tp_torch_order to = {
		.start_ps = tp_new_array(wide, int64_t, t->count),
		.duration_ps = tp_new_array(wide, int64_t, t->count),
		.op = tp_new_array(wide, uint32_t, t->count),
		.detail = tp_new_array(arena, uint32_t, t->count),
		.kind = tp_new_array(arena, uint8_t, t->count),
	};

	scatter(c, zero_ns, t, number, to);
	for (uint32_t l = 0; l < t->lane_count; l++)
		tp_torch_sort(to, t->lanes[l].first, t->lanes[l].count);
	t->times = tp_times_of(to.start_ps, to.duration_ps, t->count, arena);
	t->ops = tp_ops_of(to.op, t->count, arena);
	tp_arena_free(wide);
	t->detail = to.detail;
	t->kind = to.kind;
	settle_memory(c, zero_ns, t, number);
	launches_of_calls(c);
	t->operators = table(c, &c->operators, &t->operator_count);
	t->attributes = table(c, &c->attributes, &t->attribute_count);
	t->pythons = table(c, &c->pythons, &t->python_count);
	t->calls = table(c, &c->calls, &t->call_count);
	t->works = table(c, &c->works, &t->work_count);
	t->launches = table(c, &c->launches, &t->launch_count);
	t->collectives = table(c, &c->collectives, &t->collective_count);
	t->era = era_of(c);
	settle_window(c, zero_ns, t);
}

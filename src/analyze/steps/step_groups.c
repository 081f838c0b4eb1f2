/* Spreading groups from root events along nesting and along flows between threads. */
#include "analyze/steps/step_hosts.h"

#include "analyze/steps/step_group_column.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stdlib.h>

struct place {
	uint32_t line, event;
};

/* Something that a flow leads to, and the run of a program that the flow comes from; TP_NONE: from none. */
struct next {
	struct place at;
	uint32_t run;
};

struct root {
	struct place at;
	int64_t level, start_ps;
};

/* An event that consumes a flow. */
struct waiting {
	uint64_t key;
	struct place at; /* of the first of a key, line TP_NONE: nobody waits for it any more */
};

/* Keys are hashes: few of those that wait begin with the same bits. */
enum { TAGS_OF_BUCKET = 32 };

/* Events of a line that are in no group yet, as a tree of least ends: node 1 is the whole line, node i has children 2i and
 * 2i + 1, leaf i is node leaves + i. Threads nest, so going through the events in order is quicker; but where damaged or
 * hostile data overlap, each would be passed once for every other, so after many passes in vain the tree takes over. */
struct ungrouped {
	uint64_t passed;       /* events gone by in vain */
	uint32_t leaves;       /* 0: no tree yet */
	int64_t *least_end_ps; /* INT64_MAX: none left */
};

struct grouping {
	const struct tp_profile *p;
	uint32_t host;
	struct tp_groups *out;
	struct tp_arena *scratch; /* of what is found */
	struct tp_arena *own;     /* of all else, which goes when all is grouped */
	struct tp_host_runs runs;
	struct ungrouped *ungrouped; /* by line; built when first asked for */
	struct waiting *waiting;     /* in order of key */
	uint32_t *bucket_end;        /* in it, by the first bits of keys */
	int bucket_bits;
	struct tp_buf todo; /* struct next */
};

static void
plant(struct ungrouped *u, const struct tp_line *line, const struct tp_group_column *of,
	struct tp_arena *scratch)
{
	for (u->leaves = 1; u->leaves < line->count;)
		u->leaves *= 2;
	u->least_end_ps = tp_new_array(scratch, int64_t, 2 * (size_t)u->leaves);
	for (uint32_t i = 0; i < u->leaves; i++)
		u->least_end_ps[u->leaves + i] = i < line->count && tp_group_at(of, i) < 0
			? tp_line_start_ps(line, i) + tp_line_duration_ps(line, i)
			: INT64_MAX;
	for (uint32_t n = u->leaves - 1; n > 0; n--)
		u->least_end_ps[n] = tp_earlier(u->least_end_ps[2 * n], u->least_end_ps[2 * n + 1]);
}

static uint32_t
next_within(const struct ungrouped *u, uint32_t from, int64_t end_ps)
{
	uint32_t n = u->leaves + from;

	if (from >= u->leaves)
		return TP_NONE;
	while (u->least_end_ps[n] > end_ps) {
		while (n & 1) /* what is right of a right child is right of its parent */
			n /= 2;
		if (n == 0)
			return TP_NONE;
		n++;
	}
	while (n < u->leaves)
		n = 2 * n + (u->least_end_ps[2 * n] > end_ps);
	return n - u->leaves;
}

/* The first event from `from` on that is in no group and ends no later than end_ps; TP_NONE when there is none. */
static uint32_t
next_ungrouped(struct ungrouped *u, const struct tp_line *line, const struct tp_group_column *of,
	uint32_t from, int64_t end_ps, struct tp_arena *scratch)
{
	for (uint32_t i = from;
		 u->leaves == 0 && i < line->count && tp_line_start_ps(line, i) <= end_ps; i++) {
		if (tp_group_at(of, i) < 0 &&
			tp_line_start_ps(line, i) + tp_line_duration_ps(line, i) <= end_ps)
			return i;
		if (++u->passed > 8 * (uint64_t)line->count)
			plant(u, line, of, scratch);
	}
	return u->leaves == 0 ? TP_NONE : next_within(u, from, end_ps);
}

/* The event is in a group now. */
static void
take_ungrouped(struct ungrouped *u, uint32_t event)
{
	uint32_t n = u->leaves + event;

	if (u->leaves == 0)
		return;
	u->least_end_ps[n] = INT64_MAX;
	for (n /= 2; n != 0; n /= 2) {
		int64_t least = tp_earlier(u->least_end_ps[2 * n], u->least_end_ps[2 * n + 1]);

		if (u->least_end_ps[n] == least)
			return;
		u->least_end_ps[n] = least;
	}
}

static bool
groupable(const struct tp_line *line, uint32_t host)
{
	return line->host == host &&
		(line->kind == TP_LINE_THREAD || line->kind == TP_LINE_STREAM ||
			line->kind == TP_LINE_STEPS);
}

static struct tp_group_column *
column(struct grouping *g, uint32_t line)
{
	if (g->out->of_event[line] == NULL)
		g->out->of_event[line] = tp_group_column_new(g->p->lines[line].count, g->scratch);
	return g->out->of_event[line];
}

/* Groups that the profiler gave; false when it gave none. */
static bool
take_precomputed(struct grouping *g)
{
	struct tp_map ids;
	uint32_t group;

	tp_map_init(&ids, g->scratch);
	for (uint32_t l = 0; l < g->p->line_count; l++) {
		const struct tp_line *line = &g->p->lines[l];

		if (!groupable(line, g->host))
			continue;
		for (size_t k = 0; k < line->tag_count; k++) {
			if (line->tags[k].key != TP_TAG_GROUP || line->tags[k].value < 0)
				continue;
			tp_map_number(&ids, (uint64_t)line->tags[k].value, &group);
			tp_group_put(column(g, l), line->tags[k].event, (int32_t)group);
		}
	}
	g->out->count = (int32_t)ids.count;
	return ids.count != 0;
}

TP_ORDER(by_level, struct root, TP_DOWN(level), TP_UP(start_ps), TP_UP(at.line), TP_UP(at.event));

static bool
takes_part(const struct grouping *g, const struct tp_line *line)
{
	return line->host == g->host && line->kind == TP_LINE_THREAD;
}

static size_t
bucket_of(const struct grouping *g, uint64_t key)
{
	return (size_t)(key >> 1 >> (63 - g->bucket_bits));
}

/* Of one key, those that come last are first. */
TP_ORDER(by_key, struct waiting, TP_UP(key), TP_DOWN(at.line), TP_DOWN(at.event));

static bool
has_consumers(const struct grouping *g, const struct tp_line *line)
{
	return takes_part(g, line) && (line->tag_keys & (uint64_t)1 << TP_TAG_CONSUMER) != 0;
}

/* Counts the consumers of each bucket, or puts them there. */
static void
take_consumers(struct grouping *g, bool put)
{
	for (uint32_t l = 0; l < g->p->line_count; l++) {
		const struct tp_line *line = &g->p->lines[l];

		for (size_t k = 0; has_consumers(g, line) && k < line->tag_count; k++) {
			if (line->tags[k].key != TP_TAG_CONSUMER)
				continue;
			uint64_t key = (uint64_t)line->tags[k].value;
			uint32_t *at = &g->bucket_end[bucket_of(g, key)];

			if (put)
				g->waiting[*at] = (struct waiting){key, {l, line->tags[k].event}};
			++*at;
		}
	}
}

static void
sort_consumers(struct grouping *g)
{
	size_t tags = 0, buckets = 1;
	uint32_t count = 0;

	for (uint32_t l = 0; l < g->p->line_count; l++)
		tags += has_consumers(g, &g->p->lines[l]) ? g->p->lines[l].tag_count : 0;
	for (; tags / buckets > TAGS_OF_BUCKET; buckets *= 2)
		g->bucket_bits++;
	g->bucket_end = tp_new_array(g->own, uint32_t, buckets);
	take_consumers(g, false);
	for (uint32_t i = 0; i < buckets; i++) {
		uint32_t own = g->bucket_end[i];

		g->bucket_end[i] = count;
		count += own;
	}
	g->waiting = tp_new_array(g->own, struct waiting, count);
	take_consumers(g, true);
	for (uint32_t i = 0, first = 0; i < buckets; first = g->bucket_end[i++]) {
		if (g->bucket_end[i] - first > 1)
			qsort(g->waiting + first, g->bucket_end[i] - first, sizeof *g->waiting, by_key);
	}
}

static void
find_roots(struct grouping *g, struct tp_buf *roots)
{
	for (uint32_t l = 0; l < g->p->line_count; l++) {
		const struct tp_line *line = &g->p->lines[l];

		for (size_t k = 0; takes_part(g, line) && k < line->tag_count; k++) {
			const struct tp_tag *tag = &line->tags[k];

			if (tag->key == TP_TAG_ROOT && tag->value > 0)
				TP_PUSH(roots, struct root, {l, tag->event}, tag->value,
					tp_line_start_ps(line, tag->event));
		}
	}
}

static size_t
first_tag_of(const struct tp_line *line, uint32_t event)
{
	return TP_FIRST_WHERE(i, line->tag_count, line->tags[i].event >= event);
}

/* Whoever waits for this flow is to be done, the last first, and waits no more: the group that comes first has them all. */
static void
hand_out(struct grouping *g, uint64_t key, uint32_t run)
{
	size_t bucket = bucket_of(g, key), end = g->bucket_end[bucket];
	size_t first = bucket != 0 ? g->bucket_end[bucket - 1] : 0;
	size_t low = first + TP_FIRST_WHERE(i, end - first, g->waiting[first + i].key >= key);

	if (low == end || g->waiting[low].key != key || g->waiting[low].at.line == TP_NONE)
		return;
	for (size_t w = low; w < end && g->waiting[w].key == key; w++)
		TP_PUSH(&g->todo, struct next, g->waiting[w].at, run);
	g->waiting[low].at.line = TP_NONE;
}

static uint32_t
run_of(const struct grouping *g, uint32_t line, uint32_t event)
{
	return g->runs.of_event[line] != NULL ? g->runs.of_event[line][event] : TP_NONE;
}

/* Whether events are in no group yet and end no later than end_ps: the one, or all of the block that it begins. */
static inline bool
is_nested(const struct tp_line *line, const struct tp_group_column *of, uint32_t i, int64_t end_ps)
{
	return tp_line_start_ps(line, i) <= end_ps &&
		tp_line_start_ps(line, i) + tp_line_duration_ps(line, i) <= end_ps &&
		tp_group_at(of, i) < 0;
}

static inline bool
is_nested_block(
	const struct tp_line *line, const struct tp_group_column *of, uint32_t i, int64_t end_ps)
{
	int32_t group;

	return line->count - i >= TP_BLOCK_EVENTS && tp_group_of_block(of, i, &group) && group < 0 &&
		tp_times_reach_ps(&line->host_times, i) <= end_ps;
}

/* Where such events from `first` on, one behind the other, end. */
static uint32_t
end_of_nested(
	const struct tp_line *line, const struct tp_group_column *of, uint32_t first, int64_t end_ps)
{
	uint32_t i = first;

	while (i < line->count) {
		if (i % TP_BLOCK_EVENTS == 0 && is_nested_block(line, of, i, end_ps))
			i += TP_BLOCK_EVENTS;
		else if (is_nested(line, of, i, end_ps))
			i++;
		else
			break;
	}
	return i;
}

/* Consumers of what the events first … end - 1 produce are to be done. tag: of the first, or before it; moved behind them. */
static void
hand_out_all(struct grouping *g, const struct tp_line *line, size_t *tag, uint32_t first,
	uint32_t end, uint32_t run)
{
	size_t k = *tag;

	while (k < line->tag_count && line->tags[k].event < first)
		k++;
	for (; k < line->tag_count && line->tags[k].event < end; k++) {
		if (line->tags[k].key == TP_TAG_PRODUCER)
			hand_out(g, (uint64_t)line->tags[k].value, run);
	}
	*tag = k;
}

/* Puts an event, and what is nested in it, into the group; consumers of what these produce are to be done. The end of a run
 * may set off the next one, which is another step's: what a flow leads to ends where a run begins that is not `run`, the one
 * that the flow came from. What a root itself holds may be of several. */
static void
mark(struct grouping *g, struct place at, int32_t group, bool root, uint32_t run)
{
	const struct tp_line *line = &g->p->lines[at.line];
	struct tp_group_column *of = column(g, at.line);
	struct ungrouped *left = &g->ungrouped[at.line];
	int64_t end = tp_line_start_ps(line, at.event) + tp_line_duration_ps(line, at.event);
	bool has_runs = g->runs.of_event[at.line] != NULL;
	uint32_t behind = at.event; /* those that are done */
	size_t tag = first_tag_of(line, at.event);

	for (uint32_t i = at.event; i != TP_NONE;
		 i = next_ungrouped(left, line, of, behind, end, g->own)) {
		uint32_t own = run_of(g, at.line, i);

		if (!root && own != TP_NONE && run != TP_NONE && own != run)
			break;
		if (root || own != TP_NONE)
			run = own;
		if (i > behind)
			tag = first_tag_of(line, i);
		behind = has_runs || left->leaves != 0 ? i + 1 : end_of_nested(line, of, i + 1, end);
		tp_group_fill(of, i, behind, group);
		take_ungrouped(left, i);
		hand_out_all(g, line, &tag, i, behind, run);
	}
}

static void
spread(struct grouping *g, struct place root, int32_t group)
{
	g->todo.count = 0;
	mark(g, root, group, true, TP_NONE);
	for (size_t i = 0; i < g->todo.count; i++) {
		struct next next = ((struct next *)g->todo.data)[i];

		if (tp_group_at(column(g, next.at.line), next.at.event) < 0)
			mark(g, next.at, group, false, next.run);
	}
}

/* GPU streams: the group of the host event with the same correlation id. */
static void
follow_launches(struct grouping *g)
{
	struct tp_map launched;

	tp_map_init(&launched, g->own);
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t l = 0; l < g->p->line_count; l++) {
			const struct tp_line *line = &g->p->lines[l];
			bool wanted = line->kind == (pass == 0 ? TP_LINE_THREAD : TP_LINE_STREAM);

			if (line->host != g->host || !wanted || (pass == 0 && g->out->of_event[l] == NULL))
				continue;
			for (size_t k = 0; k < line->tag_count; k++) {
				const struct tp_tag *tag = &line->tags[k];

				if (tag->key != TP_TAG_CORRELATION)
					continue;
				int32_t own = pass == 0 ? tp_group_at(g->out->of_event[l], tag->event) : -1;

				if (own >= 0)
					tp_map_put(&launched, (uint64_t)tag->value, (uint32_t)own);
				uint32_t group = tp_map_get(&launched, (uint64_t)tag->value);

				if (pass == 1 && group != TP_MAP_NONE)
					tp_group_put(column(g, l), tag->event, (int32_t)group);
			}
		}
	}
}

static void
finish(struct grouping *g)
{
	follow_launches(g);
	tp_buf_free(&g->todo);
	tp_arena_free(g->own);
}

static struct grouping
begin(const struct tp_marking_host *h, struct tp_groups *out, struct tp_arena *scratch)
{
	*out = (struct tp_groups){
		.of_event = tp_new_array(scratch, struct tp_group_column *, h->p->line_count)};
	return (struct grouping){.p = h->p, .host = h->host, .out = out, .scratch = scratch};
}

static void
prepare(struct grouping *g, struct tp_buf *roots)
{
	g->own = tp_arena_new();
	g->ungrouped = tp_new_array(g->own, struct ungrouped, g->p->line_count);
	g->runs = tp_host_runs_of(g->p, g->host, g->own);
	sort_consumers(g);
	find_roots(g, roots);
}

void
tp_group_events(const struct tp_marking_host *h, struct tp_groups *out, struct tp_arena *scratch)
{
	struct grouping g = begin(h, out, scratch);
	struct tp_buf roots = {0};

	if (take_precomputed(&g))
		return;
	prepare(&g, &roots);
	struct root *root = roots.data;

	if (roots.count != 0)
		qsort(root, roots.count, sizeof *root, by_level);
	for (size_t i = 0; i < roots.count; i++) {
		if (tp_group_at(column(&g, root[i].at.line), root[i].at.event) < 0)
			spread(&g, root[i].at, out->count++);
	}
	finish(&g);
	tp_buf_free(&roots);
}

void
tp_group_windows(const struct tp_marking_host *h, struct tp_groups *out)
{
	const struct tp_windows *windows = h->windows;
	struct grouping g = begin(h, out, h->scratch);
	const struct tp_line *line = &h->p->lines[windows->line];
	struct tp_buf roots = {0};
	uint32_t w = 0;

	out->count = (int32_t)windows->count;
	prepare(&g, &roots);
	const struct tp_group_column *of = column(&g, windows->line);

	for (uint32_t i = 0; i < line->count; i++) {
		int64_t end = tp_line_start_ps(line, i) + tp_line_duration_ps(line, i);

		while (w < windows->count && windows->list[w].end_ps <= tp_line_start_ps(line, i))
			w++;
		if (w == windows->count)
			break;
		/* What spans several windows wraps the loop and belongs to none. */
		bool wraps = w + 1 < windows->count && end > windows->list[w + 1].start_ps;

		if (tp_group_at(of, i) < 0 && tp_line_start_ps(line, i) >= windows->list[w].start_ps &&
			!wraps)
			spread(&g, (struct place){windows->line, i}, (int32_t)w);
	}
	finish(&g);
	tp_buf_free(&roots);
}

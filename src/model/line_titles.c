/* Titles of lines: the name, with the number of a thread or span where others have that name, too. */
#include "model/line_titles.h"

#include "base/arena.h"
#include "base/map.h"
#include "model/profile.h"
#include "model/torch.h"

static uint64_t
thread_key(const struct tp_line *line)
{
	uint64_t whose = tp_hash_pair(line->host, tp_hash_bytes(line->process));

	return tp_hash_pair(whose, tp_hash_bytes(line->name));
}

static bool
is_thread(const struct tp_line *line)
{
	bool kind =
		line->kind == TP_LINE_THREAD || line->kind == TP_LINE_TORCH || line->kind == TP_LINE_TRACK;

	return kind && line->device == TP_NONE && line->thread != 0;
}

/* Threads of a process that have one name get their numbers: "worker, thread 12". */
static void
add_threads(struct tp_profile *p)
{
	struct tp_map first; /* line with a key; the number of lines: several threads have it */

	tp_map_init(&first, p->arena);
	for (uint32_t i = 0; i < p->line_count; i++) {
		uint64_t key = thread_key(&p->lines[i]);
		uint32_t other = tp_map_get(&first, key);

		if (!is_thread(&p->lines[i]))
			continue;
		if (other == TP_MAP_NONE)
			tp_map_put(&first, key, i);
		else if (other < p->line_count && p->lines[other].thread != p->lines[i].thread)
			tp_map_put(&first, key, p->line_count);
	}
	for (uint32_t i = 0; i < p->line_count; i++) {
		struct tp_line *line = &p->lines[i];

		line->title = line->name.len != 0 ? line->name : TP_S("without a name");
		if (is_thread(line) && tp_map_get(&first, thread_key(line)) == p->line_count)
			line->title = tp_arena_printf(
				p->arena, "%.*s, thread %lld", TP_ARG(line->title), (long long)line->thread);
	}
}

/* Of a line of a worker, in any of its spans. */
static uint64_t
span_key(const struct tp_torch_trace *t, const struct tp_line *line)
{
	uint64_t place = tp_hash_pair(tp_hash_pair(line->host, line->device), line->kind);

	return tp_hash_pair(tp_hash_pair(t->worker_number, place), tp_hash_bytes(line->title));
}

/* Lines that a worker has in several spans get the span's number: "thread 12 (python), span 2". */
static void
add_spans(struct tp_profile *p)
{
	const struct tp_torch *torch = p->torch;
	struct tp_map first; /* trace with a key; the number of traces: several have it */

	if (torch == NULL)
		return;
	tp_map_init(&first, p->arena);
	for (uint32_t i = 0; i < torch->trace_count; i++) {
		for (uint32_t k = 0; k < torch->traces[i]->lane_count; k++) {
			uint64_t key = span_key(torch->traces[i], &p->lines[torch->traces[i]->lanes[k].line]);
			uint32_t other = tp_map_get(&first, key);

			if (other != i)
				tp_map_put(&first, key, other == TP_MAP_NONE ? i : torch->trace_count);
		}
	}
	for (uint32_t i = 0; i < torch->trace_count; i++) {
		for (uint32_t k = 0; k < torch->traces[i]->lane_count; k++) {
			struct tp_line *line = &p->lines[torch->traces[i]->lanes[k].line];

			if (tp_map_get(&first, span_key(torch->traces[i], line)) == torch->trace_count)
				line->title = tp_arena_printf(
					p->arena, "%.*s, span %u", TP_ARG(line->title), torch->traces[i]->span_number);
		}
	}
}

void
tp_title_lines(struct tp_profile *p)
{
	add_threads(p);
	add_spans(p);
}

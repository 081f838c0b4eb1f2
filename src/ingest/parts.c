/* By the names of files, as choosing goes by them: nothing is read for it. */
#include "ingest/parts.h"

#include "base/arena.h"
#include "base/order.h"
#include "ingest/discover.h"
#include "ingest/reader.h"
#include "model/torch.h"

#include <ctype.h>
#include <stdlib.h>

/* The number that begins at i, without zeros before it; *end is behind it. */
static struct tp_slice
number_at(struct tp_slice text, size_t i, size_t *end)
{
	while (i < text.len && text.ptr[i] == '0')
		i++;
	*end = i;
	while (*end < text.len && isdigit((unsigned char)text.ptr[*end]))
		++*end;
	return (struct tp_slice){text.ptr + i, *end - i};
}

/* rank2 before rank10. */
static int
by_number(struct tp_slice a, struct tp_slice b)
{
	size_t i = 0, k = 0;

	while (i < a.len && k < b.len) {
		unsigned char left = (unsigned char)a.ptr[i], right = (unsigned char)b.ptr[k];

		if (isdigit(left) && isdigit(right)) {
			struct tp_slice m = number_at(a, i, &i), n = number_at(b, k, &k);

			if (m.len != n.len)
				return m.len < n.len ? -1 : 1;
			if (!tp_slice_eq(m, n))
				return tp_slice_cmp(m, n);
			continue;
		}
		if (left != right)
			return left < right ? -1 : 1;
		i++, k++;
	}
	return (i < a.len) - (k < b.len);
}

TP_ORDER(by_worker_and_span, struct tp_part, by_number(a->worker, b->worker),
	tp_slice_cmp(a->worker, b->worker), TP_UP(span_number));

static bool
same(const struct tp_part *a, const struct tp_part *b)
{
	return tp_slice_eq(a->worker, b->worker) && a->span_number == b->span_number;
}

/* Every worker and span once, in order; a packed copy beside a trace is none of its own. */
static struct tp_part *
cells_of(const struct tp_run *run, struct tp_arena *arena, size_t *count)
{
	struct tp_part *cells = tp_new_array(arena, struct tp_part, run->file_count);
	size_t found = 0, kept = 0;

	for (const struct tp_run_file *f = run->files; f != NULL; f = f->next) {
		struct tp_slice worker, span;

		if (f->reader != &tp_reader_torch)
			continue;
		tp_torch_split_name(f->path, &worker, &span);
		cells[found++] = (struct tp_part){tp_arena_copy(arena, worker), f->span_number};
	}
	if (found != 0)
		qsort(cells, found, sizeof *cells, by_worker_and_span);
	for (size_t i = 0; i < found; i++) {
		if (kept == 0 || !same(&cells[kept - 1], &cells[i]))
			cells[kept++] = cells[i];
	}
	*count = kept;
	return cells;
}

static bool
begins_worker(const struct tp_part *cells, size_t i)
{
	return i == 0 || !tp_slice_eq(cells[i - 1].worker, cells[i].worker);
}

/* Whether the worker of cell i has another span. */
static bool
has_spans(const struct tp_part *cells, size_t count, size_t i)
{
	return !begins_worker(cells, i) || (i + 1 < count && !begins_worker(cells, i + 1));
}

struct tp_parts
tp_parts_of(const struct tp_run *run, struct tp_arena *arena)
{
	size_t count, n = 0, numbers = 0;
	struct tp_part *cells = cells_of(run, arena, &count);
	struct tp_part *parts = tp_new_array(arena, struct tp_part, 3 * count + 1);
	struct tp_parts found = {.parts = parts};

	for (size_t i = 0, spans = 0; i < count; i++) {
		spans = begins_worker(cells, i) ? 1 : spans + 1;
		found.workers += begins_worker(cells, i);
		found.most_spans = spans > found.most_spans ? spans : found.most_spans;
		numbers = cells[i].span_number > numbers ? cells[i].span_number : numbers;
	}
	for (size_t i = 0; i < count && found.workers > 1; i++) {
		if (begins_worker(cells, i))
			parts[n++] = (struct tp_part){.worker = cells[i].worker};
	}
	for (unsigned number = 1; number <= numbers && found.most_spans > 1; number++) {
		bool there = false;

		for (size_t i = 0; i < count && !there; i++)
			there = cells[i].span_number == number;
		if (there)
			parts[n++] = (struct tp_part){.span_number = number};
	}
	for (size_t i = 0; i < count && found.workers > 1; i++) {
		if (has_spans(cells, count, i))
			parts[n++] = cells[i];
	}
	found.count = n;
	return found;
}

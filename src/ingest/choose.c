/* Workers and spans of PyTorch traces, by the names of their files: numbered, chosen among, and listed. Nothing is read for it. */
#include "ingest/choose.h"

#include "base/arena.h"
#include "base/number.h"
#include "base/order.h"
#include "base/path.h"
#include "ingest/discover.h"
#include "ingest/reader.h"
#include "model/torch.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* A trace among the files of a run. */
struct candidate {
	struct tp_run_file *file;
	struct tp_slice folder, worker, span;
};

struct choosing {
	const struct tp_choice *choice;
	struct candidate *traces;
	size_t count, workers, most_spans; /* of one worker */
};

TP_ORDER(by_worker_and_span, struct candidate, tp_slice_cmp(a->folder, b->folder),
	tp_slice_cmp(a->worker, b->worker), tp_slice_cmp(a->span, b->span),
	tp_slice_cmp(a->file->path, b->file->path));

static bool
is_trace(const struct tp_run_file *f)
{
	return f->reader == &tp_reader_torch;
}

static bool
asks(const struct tp_choice *c)
{
	return c->worker_count != 0 || c->span_number != 0 ||
		(c->span != NULL && strcmp(c->span, "all") != 0);
}

/* A list of our own, so that the run can be chosen from again. */
static void
copy_files(struct choosing *c, const struct tp_run *run, struct tp_arena *arena, struct tp_run *out)
{
	struct tp_run_file **at = &out->files;

	*out = *run;
	c->traces = tp_new_array(arena, struct candidate, run->file_count);
	for (const struct tp_run_file *f = run->files; f != NULL; f = f->next) {
		*at = tp_new(arena, struct tp_run_file);
		**at = *f;
		if (is_trace(f)) {
			struct candidate *trace = &c->traces[c->count++];

			*trace = (struct candidate){.file = *at, .folder = tp_path_folder(f->path)};
			tp_torch_split_name(f->path, &trace->worker, &trace->span);
		}
		at = &(*at)->next;
	}
	*at = NULL;
}

/* The same worker: name and folder. */
static bool
goes_on(const struct candidate *before, const struct candidate *t)
{
	return tp_slice_eq(before->folder, t->folder) && tp_slice_eq(before->worker, t->worker);
}

/* A span's number is its place among the names of its worker's spans, in the order of text. */
static void
number_spans(struct choosing *c)
{
	unsigned number = 0;

	if (c->count != 0)
		qsort(c->traces, c->count, sizeof *c->traces, by_worker_and_span);
	for (size_t i = 0; i < c->count; i++) {
		struct candidate *t = &c->traces[i];

		if (i == 0 || !goes_on(t - 1, t)) {
			number = 1;
			c->workers++;
		} else if (!tp_slice_eq(t[-1].span, t->span)) {
			number++;
		}
		t->file->span_number = number;
		c->most_spans = number > c->most_spans ? number : c->most_spans;
	}
}

static bool
is_worker(const struct candidate *t, const char *name)
{
	return tp_slice_eq(t->worker, tp_slice_of(name));
}

static bool
wants_worker(const struct tp_choice *c, const struct candidate *t)
{
	for (size_t i = 0; i < c->worker_count; i++) {
		if (is_worker(t, c->workers[i]))
			return true;
	}
	return c->worker_count == 0;
}

static bool
wants_span(const struct tp_choice *c, const struct candidate *t)
{
	char number[12];

	if (c->span_number != 0)
		return t->file->span_number == c->span_number;
	if (c->span == NULL || strcmp(c->span, "all") == 0)
		return true;
	snprintf(number, sizeof number, "%u", t->file->span_number);
	return strcmp(c->span, number) == 0 || tp_slice_eq(t->span, tp_slice_of(c->span));
}

/* "rank0, rank1 and 62 more" of those traces' workers. */
static struct tp_slice
worker_names(const struct choosing *c, struct tp_arena *arena)
{
	enum { MOST_NAMES = 12, MOST_BYTES = 300 };
	struct tp_slice list = TP_S("");
	size_t told = 0;

	for (size_t i = 0; i < c->count; i++) {
		if (i > 0 && goes_on(&c->traces[i - 1], &c->traces[i]))
			continue;
		if (told == MOST_NAMES || list.len > MOST_BYTES)
			return tp_arena_printf(arena, "%.*s and %zu more", TP_ARG(list), c->workers - told);
		list = tp_arena_printf(
			arena, "%.*s%s%.*s", TP_ARG(list), told++ ? ", " : "", TP_ARG(c->traces[i].worker));
	}
	return list;
}

static enum tp_status
check_workers(
	const struct choosing *c, const struct tp_run *run, struct tp_arena *arena, struct tp_err *err)
{
	for (size_t w = 0; w < c->choice->worker_count; w++) {
		bool there = false;

		for (size_t i = 0; i < c->count && !there; i++)
			there = is_worker(&c->traces[i], c->choice->workers[w]);
		if (!there)
			return tp_fail(err, TP_ERR_USAGE, "no worker %.100s in run %.*s; there %s %.*s",
				c->choice->workers[w], TP_ARG(run->name), tp_plural(c->workers, "is", "are"),
				TP_ARG(worker_names(c, arena)));
	}
	return TP_OK;
}

static enum tp_status
fail_span(const struct choosing *c, const struct tp_run *run, struct tp_err *err)
{
	unsigned most = 0;

	for (size_t i = 0; i < c->count; i++) {
		const struct candidate *t = &c->traces[i];

		if (wants_worker(c->choice, t) && t->file->span_number > most)
			most = t->file->span_number;
	}
	return tp_fail(err, TP_ERR_USAGE,
		"no span %.100s in run %.*s; there %s %u%s: give a number from 1, or all", c->choice->span,
		TP_ARG(run->name), tp_plural(most, "is", "are"), most,
		c->choice->worker_count != 0 ? " of the requested worker" : "");
}

/* Marks what is not wanted; returns how many traces are left. */
static size_t
mark(struct choosing *c)
{
	size_t wanted = 0;

	for (size_t i = 0; i < c->count; i++) {
		struct candidate *t = &c->traces[i];

		t->file->left_out = !wants_worker(c->choice, t) || !wants_span(c->choice, t);
		wanted += !t->file->left_out;
	}
	return wanted;
}

static void
drop_marked(struct tp_run *run)
{
	for (struct tp_run_file **at = &run->files; *at != NULL;) {
		if ((*at)->left_out || !is_trace(*at)) {
			*at = (*at)->next;
			run->file_count--;
		} else {
			at = &(*at)->next;
		}
	}
}

/* "worker rank0 of 4, span 2 of 3" */
static struct tp_slice
say_choice(const struct choosing *c, struct tp_arena *arena)
{
	struct tp_slice text = TP_S("");

	for (size_t w = 0; w < c->choice->worker_count; w++)
		text = tp_arena_printf(arena, "%.*s%s%s", TP_ARG(text),
			w != 0                            ? ", "
				: c->choice->worker_count > 1 ? "workers "
											  : "worker ",
			c->choice->workers[w]);
	if (text.len != 0)
		text = tp_arena_printf(arena, "%.*s of %zu", TP_ARG(text), c->workers);
	if (c->choice->span != NULL && strcmp(c->choice->span, "all") != 0)
		text = tp_arena_printf(arena, "%.*s%sspan %s of %zu", TP_ARG(text), text.len ? ", " : "",
			c->choice->span, c->most_spans);
	return text;
}

enum tp_status
tp_choose_files(const struct tp_run *run, const struct tp_choice *choice, struct tp_arena *arena,
	struct tp_run *out, struct tp_err *err)
{
	struct choosing c = {.choice = choice};

	copy_files(&c, run, arena, out);
	number_spans(&c);
	if (!asks(choice))
		return TP_OK;
	if (c.count == 0)
		return tp_fail(err, TP_ERR_USAGE,
			"run %.*s holds no PyTorch traces, which --worker and --span select",
			TP_ARG(run->name));
	if (check_workers(&c, run, arena, err) != TP_OK)
		return err->status;
	if (mark(&c) == 0)
		return fail_span(&c, run, err);
	drop_marked(out);
	out->chosen = say_choice(&c, arena);
	return TP_OK;
}

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

TP_ORDER(by_worker_number, struct tp_part, by_number(a->worker, b->worker),
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
		qsort(cells, found, sizeof *cells, by_worker_number);
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

size_t
tp_run_hosts(const struct tp_run *run)
{
	size_t count = 0;

	for (const struct tp_run_file *f = run->files; f != NULL; f = f->next) {
		const struct tp_run_file *first = run->files;

		while (first != f &&
			(first->reader != &tp_reader_xspace || !tp_slice_eq(first->host, f->host)))
			first = first->next;
		count += f->reader == &tp_reader_xspace && first == f;
	}
	return count;
}

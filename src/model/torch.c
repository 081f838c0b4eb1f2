/* Questions about PyTorch traces: whose event that is, what a file's name says; and the order of traces, with the numbers of their
 * spans. */
#include "model/torch.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/order.h"
#include "base/path.h"
#include "base/utf8.h"
#include "model/profile.h"

#include <stdlib.h>

const struct tp_torch_gpu *
tp_torch_gpu_of(const struct tp_torch_trace *t, uint32_t gpu)
{
	for (uint32_t i = 0; i < t->gpu_count; i++) {
		if (t->gpus[i].id == gpu)
			return &t->gpus[i];
	}
	return NULL;
}

unsigned
tp_torch_asked_for(const struct tp_torch *torch)
{
	unsigned asked = 0;

	for (uint32_t i = 0; i < torch->trace_count; i++)
		asked |= torch->traces[i]->asked;
	return asked;
}

uint32_t
tp_torch_lane_of(const struct tp_torch_trace *t, uint32_t event)
{
	/* The last lane that begins at or before the event; lanes are never empty. */
	size_t behind = TP_FIRST_WHERE(i, t->lane_count, t->lanes[i].first > event);

	return behind != 0 ? (uint32_t)behind - 1 : 0;
}

struct tp_slice
tp_torch_name(const struct tp_profile *p, const struct tp_torch_trace *t, uint32_t event)
{
	return p->ops[tp_torch_op(t, event)].label;
}

static bool
is_number(struct tp_slice s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (s.ptr[i] < '0' || s.ptr[i] > '9')
			return false;
	}
	return s.len != 0;
}

/* The part of s before `mark`; all of it when that does not occur. */
static struct tp_slice
before(struct tp_slice s, struct tp_slice mark)
{
	const char *at = s.len ? memmem(s.ptr, s.len, mark.ptr, mark.len) : NULL;

	return at == NULL ? s : (struct tp_slice){s.ptr, (size_t)(at - s.ptr)};
}

void
tp_torch_split_name(struct tp_slice file, struct tp_slice *worker, struct tp_slice *span)
{
	struct tp_slice name = tp_path_name(file);
	struct tp_slice stem = before(name, TP_S(".pt.trace.json"));

	*span = TP_S("");
	*worker = stem;
	if (stem.len == name.len) {
		*worker = before(name, TP_S(".json"));
		return;
	}
	const char *dot = stem.len ? memrchr(stem.ptr, '.', stem.len) : NULL;

	if (dot == NULL || dot == stem.ptr)
		return;
	struct tp_slice last = tp_slice_from(stem, (size_t)(dot - stem.ptr) + 1);

	if (is_number(last)) {
		*span = last;
		worker->len = (size_t)(dot - stem.ptr);
	}
}

/* What two digits behind an underscore leave of the end of a name; all of it where it does not end in them. */
static struct tp_slice
without_two_digits(struct tp_slice s)
{
	bool ends =
		s.len > 3 && s.ptr[s.len - 3] == '_' && is_number((struct tp_slice){s.ptr + s.len - 2, 2});

	return ends ? (struct tp_slice){s.ptr, s.len - 3} : s;
}

/* What stands before a date at the end of a name, as in "rank-3.Mar_25_20_48_12"; all of it where there is none. */
static struct tp_slice
without_date(struct tp_slice s)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	enum { NUMBERS = 4, MONTH = 3 };
	struct tp_slice left = s;

	for (int i = 0; i < NUMBERS; i++) {
		struct tp_slice less = without_two_digits(left);

		if (less.len == left.len)
			return s;
		left = less;
	}
	if (left.len <= MONTH + 1)
		return s;
	const char *at = memmem(months, sizeof months - 1, left.ptr + left.len - MONTH, MONTH);

	return at != NULL && (at - months) % MONTH == 0
		? (struct tp_slice){left.ptr, left.len - MONTH - 1}
		: s;
}

/* Whether a name ends in a word that numbers something other than a process, as in "worker3_step_12". */
static bool
ends_in_counter(struct tp_slice name)
{
	static const char *const counters[] = {
		"step", "steps", "iter", "iteration", "epoch", "batch", "span"};
	size_t from = name.len;

	while (from > 0 && name.ptr[from - 1] != '_')
		from--;
	for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
		if (tp_slice_eq(tp_slice_from(name, from), tp_slice_of(counters[i])))
			return true;
	}
	return false;
}

void
tp_torch_split_worker(struct tp_slice worker, struct tp_slice *node, struct tp_slice *process)
{
	size_t end;

	worker = without_date(worker);
	*node = worker;
	*process = TP_S("");
	for (end = worker.len; end > 0 && worker.ptr[end - 1] >= '0' && worker.ptr[end - 1] <= '9';)
		end--;
	if (end == worker.len || end < 2 || worker.ptr[end - 1] != '_')
		return;
	struct tp_slice before = {worker.ptr, end - 1};

	if (ends_in_counter(before))
		return;
	*node = before;
	*process = tp_slice_from(worker, end);
}

typedef const struct tp_torch_trace *trace_ptr;

TP_ORDER(by_worker, trace_ptr, tp_slice_cmp((*a)->run, (*b)->run),
	tp_slice_cmp((*a)->worker, (*b)->worker), tp_slice_cmp((*a)->span, (*b)->span),
	((*a)->input > (*b)->input) - ((*a)->input < (*b)->input));

static bool
same_worker(const struct tp_torch_trace *a, const struct tp_torch_trace *b)
{
	return tp_slice_eq(a->run, b->run) && tp_slice_eq(a->worker, b->worker);
}

/* Where not all spans were read, those that were keep their numbers. */
static void
number_from(struct tp_torch_trace *t, uint32_t least)
{
	if (t->span_number < least)
		t->span_number = least;
}

/* Texts come from outside; as in the rest of a profile they become valid UTF-8 here. */
static void
clean_texts(struct tp_torch_trace *t, struct tp_arena *a)
{
	struct tp_slice *texts[] = {&t->worker, &t->span, &t->node, &t->process, &t->run, &t->framework,
		&t->distributed.backend, &t->distributed.nccl_version};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		*texts[i] = tp_utf8_clean(a, *texts[i]);
}

/* Whether workers in different folders have the same name. */
static bool
names_are_shared(struct tp_arena *a, struct tp_torch_trace *const *sorted, uint32_t count)
{
	struct tp_map first;

	tp_map_init(&first, a);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t key = tp_hash_bytes(sorted[i]->worker);
		uint32_t other = tp_map_get(&first, key);

		if (other == TP_MAP_NONE)
			tp_map_put(&first, key, i);
		else if (!tp_slice_eq(sorted[other]->run, sorted[i]->run))
			return true;
	}
	return false;
}

/* "run2/rank0" for each, with a number where folders have the same name too: figures are found by these names. */
static void
name_by_folder(struct tp_profile *p, struct tp_torch_trace *const *sorted, uint32_t count)
{
	struct tp_map taken;

	tp_map_init(&taken, p->arena);
	for (uint32_t i = 0; i < count; i++) {
		struct tp_torch_trace *t = sorted[i];
		struct tp_slice first =
			tp_arena_printf(p->arena, "%.*s/%.*s", TP_ARG(tp_path_name(t->run)), TP_ARG(t->worker));
		struct tp_slice name = first;
		uint32_t other;

		for (unsigned n = 2; (other = tp_map_get(&taken, tp_hash_bytes(name))) != TP_MAP_NONE &&
			 !tp_slice_eq(sorted[other]->run, t->run);
			 n++)
			name = tp_arena_printf(p->arena, "%.*s~%u", TP_ARG(first), n);
		if (other == TP_MAP_NONE)
			tp_map_put(&taken, tp_hash_bytes(name), i);
		t->worker = name;
		p->hosts[t->host].name = name;
	}
}

static bool
described(const struct tp_device *d)
{
	return d->type.len != 0 || d->memory_bytes > 0 || d->sm_count != 0 || d->compute_major != 0;
}

static void
describe(struct tp_device *d, const struct tp_device *by)
{
	if (described(d) || !described(by))
		return;
	d->type = by->type;
	d->vendor = by->vendor;
	d->memory_bytes = by->memory_bytes;
	d->sm_count = by->sm_count;
	d->compute_major = by->compute_major;
	d->compute_minor = by->compute_minor;
}

static struct tp_device *
gpu_on(struct tp_profile *p, uint32_t host, uint32_t ordinal)
{
	for (uint32_t i = 0; i < p->device_count; i++) {
		if (p->devices[i].host == host && p->devices[i].ordinal == ordinal)
			return &p->devices[i];
	}
	return NULL;
}

static void
match(struct tp_profile *p, uint32_t first_host, uint32_t host)
{
	for (uint32_t i = 0; i < p->device_count; i++) {
		struct tp_device *d = &p->devices[i];
		struct tp_device *first = d->host == host ? gpu_on(p, first_host, d->ordinal) : NULL;

		if (first == NULL)
			continue;
		d->again = true;
		describe(first, d);
		describe(d, first);
	}
}

/* Spans of a worker months apart have no clock in common, so that each is a host of its own; the GPU of a number is the same one
 * nonetheless, and what one span says of it holds in a span that says nothing. sorted: numbered by worker. */
static void
find_again(struct tp_profile *p, struct tp_torch_trace *const *sorted, uint32_t count)
{
	/* Twice, for the first may be described by the last. */
	for (int turn = 0; turn < 2; turn++) {
		for (uint32_t i = 0, first = 0; i < count; i++) {
			if (sorted[i]->worker_number != sorted[first]->worker_number)
				first = i;
			if (sorted[i]->host != sorted[first]->host)
				match(p, sorted[first]->host, sorted[i]->host);
		}
	}
}

struct tp_torch *
tp_torch_in_order(struct tp_profile *p, struct tp_torch_trace *const *traces, uint32_t count)
{
	struct tp_arena *a = p->arena;

	if (count == 0)
		return NULL;
	struct tp_torch_trace **sorted = tp_new_array(a, struct tp_torch_trace *, count);
	struct tp_torch *torch = tp_new(a, struct tp_torch);

	memcpy(sorted, traces, count * sizeof(struct tp_torch_trace *));
	qsort(sorted, count, sizeof(struct tp_torch_trace *), by_worker);
	for (uint32_t i = 0; i < count; i++) {
		/* Not written with ?:, for of that gcc 14.2 (Debian 13) reads sorted[i - 1] where i is 0 too. */
		if (i > 0 && same_worker(sorted[i - 1], sorted[i])) {
			number_from(sorted[i], sorted[i - 1]->span_number + 1);
		} else {
			number_from(sorted[i], 1);
			torch->worker_count++;
		}
		sorted[i]->worker_number = torch->worker_count - 1;
		clean_texts(sorted[i], a);
	}
	find_again(p, sorted, count);
	if (names_are_shared(a, sorted, count))
		name_by_folder(p, sorted, count);
	torch->traces = sorted;
	torch->trace_count = count;
	return torch;
}

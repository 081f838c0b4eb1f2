/* Programs that JAX calls return before they run, so that a marker around the call alone times the call. */
#include "analyze/steps/step_hosts.h"

#include "analyze/steps/step_group_column.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "model/profile.h"

#include <ctype.h>

/* Something else that runs between two steps ends the first when it takes this share of the first's own work. */
#define INTERRUPTS_SHARE 0.1

struct following {
	const struct tp_marking_host *h;
	const struct tp_profile *p; /* of h */
	const struct tp_groups *groups;
	const uint32_t *window_of_group;
	struct tp_windows *w;
	struct tp_followed *out;
	bool *called;             /* by program of out->runs: within a window */
	struct tp_arena *scratch; /* of h */
};

/* The window that an event belongs to by what led to it; TP_NONE: to none. */
static uint32_t
window_of(const struct following *f, uint32_t line, uint32_t event)
{
	const struct tp_group_column *of = f->groups->of_event[line];
	int32_t group = of != NULL ? tp_group_at(of, event) : -1;

	return group >= 0 ? f->window_of_group[group] : TP_NONE;
}

/* A name without its first `skip` bytes and all but letters and digits: "PjitFunction(train_step)" calls "jit_train_step", and
 * of what else is in a function's name each replaces some. */
static uint64_t
name_key(struct tp_slice name, size_t skip, struct tp_buf *letters)
{
	letters->count = 0;
	for (size_t i = skip; i < name.len; i++) {
		if (isalnum((unsigned char)name.ptr[i]))
			*(char *)tp_buf_add(letters, 1) = name.ptr[i];
	}
	return tp_hash_bytes((struct tp_slice){letters->data, letters->count});
}

static const char jitted[] = "PjitFunction(";

/* Whether any operation is the call of a jitted function, and which are. */
static bool
find_jitted(const struct tp_profile *p, uint8_t *of_op)
{
	bool any = false;

	for (uint32_t i = 0; i < p->op_count; i++)
		any |= of_op[i] = tp_slice_starts(p->ops[i].name, tp_slice_of(jitted));
	return any;
}

/* The names of jitted functions that are called within a window. */
static void
find_calls(const struct following *f, struct tp_map *calls, struct tp_buf *letters)
{
	uint8_t *is_call = tp_new_array(f->scratch, uint8_t, f->p->op_count);
	bool any = find_jitted(f->p, is_call);

	for (uint32_t l = 0; any && l < f->p->line_count; l++) {
		const struct tp_line *line = &f->p->lines[l];
		uint64_t bits = tp_op_column_bits(&line->ops, is_call);

		if (f->groups->of_event[l] == NULL)
			continue;
		for (uint32_t i = tp_line_next(line, bits, 0); i < line->count;
			 i = tp_line_next(line, bits, i + 1)) {
			uint32_t op = tp_line_op(line, i);

			if (!is_call[op] || window_of(f, l, i) == TP_NONE)
				continue;
			tp_map_put(calls, name_key(f->p->ops[op].name, sizeof jitted - 1, letters), 0);
			is_call[op] = false; /* one call says it */
		}
	}
}

/* Programs that are called within windows; where no name says it, all. */
static void
find_called(struct following *f)
{
	const struct tp_host_runs *runs = &f->out->runs;
	struct tp_map calls, index;
	struct tp_buf letters = {0};
	bool any = false;

	tp_map_init(&calls, f->scratch);
	tp_map_init(&index, f->scratch);
	find_calls(f, &calls, &letters);
	for (uint32_t k = 0; k < runs->program_count; k++)
		tp_map_put(&index, runs->program_ids[k], k);
	f->called = tp_new_array(f->scratch, bool, runs->program_count);
	for (uint32_t m = 0; m < f->p->program_count; m++) {
		const struct tp_program *program = &f->p->programs[m];
		uint32_t k = program->host == f->h->host ? tp_map_get(&index, program->id) : TP_MAP_NONE;

		if (k == TP_MAP_NONE || !tp_slice_starts(program->name, TP_S("jit_")))
			continue;
		f->called[k] |=
			tp_map_get(&calls, name_key(program->name, strlen("jit_"), &letters)) != TP_MAP_NONE;
		any |= f->called[k];
	}
	for (uint32_t k = 0; !any && k < runs->program_count; k++)
		f->called[k] = true;
	tp_buf_free(&letters);
}

static bool
is_device_work(const struct following *f, uint32_t l, uint32_t i)
{
	return f->p->lines[l].kind == TP_LINE_STREAM && window_of(f, l, i) != TP_NONE;
}

/* Work from start to end that a window launched. */
static void
measure(struct tp_followed *out, const struct tp_window *w, int64_t start_ps, int64_t end_ps)
{
	int64_t from = tp_later(start_ps, w->start_ps), to = tp_earlier(end_ps, w->end_ps);
	int64_t inside = to > from ? to - from : 0;

	out->inside_ps += (double)inside;
	out->outside_ps += (double)(end_ps - start_ps - inside);
}

/* From when to when the work of each window runs, and how much of it while the window lasts; end before start: it has
 * none. */
static struct tp_interval *
find_hulls(const struct following *f)
{
	struct tp_interval *hull = tp_new_array(f->scratch, struct tp_interval, f->w->count);

	for (uint32_t i = 0; i < f->w->count; i++)
		hull[i] = (struct tp_interval){INT64_MAX, INT64_MIN};
	for (uint32_t l = 0; l < f->p->line_count; l++) {
		const struct tp_line *line = &f->p->lines[l];

		for (uint32_t i = 0; line->host == f->h->host && i < line->count; i++) {
			if (!is_device_work(f, l, i))
				continue;
			uint32_t window = window_of(f, l, i);
			struct tp_interval *h = &hull[window];
			int64_t end = tp_line_start_ps(line, i) + tp_line_duration_ps(line, i);

			measure(f->out, &f->w->list[window], tp_line_start_ps(line, i), end);
			h->start_ps = tp_earlier(h->start_ps, tp_line_start_ps(line, i));
			h->end_ps = tp_later(h->end_ps, end);
		}
	}
	return hull;
}

/* From the first work of each window to the first of the next; a window without any becomes empty. False when work is out of
 * order. */
static bool
follow_work(struct following *f, struct tp_interval *hull)
{
	int64_t next_ps = INT64_MAX;

	for (uint32_t i = f->w->count; i-- > 0;) {
		if (hull[i].end_ps < hull[i].start_ps)
			hull[i].start_ps = hull[i].end_ps = next_ps;
		else if (hull[i].start_ps > next_ps)
			return false;
		else if (next_ps != INT64_MAX)
			hull[i].end_ps = next_ps;
		next_ps = hull[i].start_ps;
	}
	for (uint32_t i = 0; i < f->w->count; i++) {
		f->w->list[i].start_ps = hull[i].start_ps;
		f->w->list[i].end_ps = hull[i].end_ps;
	}
	f->out->timing = TP_TIMED_BY_WORK;
	return true;
}

/* The called program that takes most time, among those with as many runs for each window; without any, of all that are
 * called. TP_NONE: none is. */
static uint32_t
main_program(const struct following *f)
{
	const struct tp_host_runs *runs = &f->out->runs;
	double *total_ps = tp_new_array(f->scratch, double, runs->program_count);
	uint32_t *count = tp_new_array(f->scratch, uint32_t, runs->program_count);
	uint32_t best = TP_NONE;
	bool best_fits = false;

	for (uint32_t i = 0; i < runs->count; i++) {
		total_ps[runs->runs[i].kind] += (double)(runs->runs[i].end_ps - runs->runs[i].start_ps);
		count[runs->runs[i].kind]++;
	}
	for (uint32_t k = 0; k < runs->program_count; k++) {
		bool fits = count[k] % f->w->count == 0;

		if (f->called[k] &&
			(best == TP_NONE || fits > best_fits ||
				(fits == best_fits && total_ps[k] > total_ps[best]))) {
			best = k;
			best_fits = fits;
		}
	}
	return best;
}

/* Those of a program (TP_NONE: of all) in order, their kind: which of all runs they are. */
static struct tp_run *
runs_of(const struct following *f, uint32_t program, uint32_t *count)
{
	const struct tp_host_runs *runs = &f->out->runs;
	struct tp_run *list = tp_new_array(f->scratch, struct tp_run, runs->count);

	*count = 0;
	for (uint32_t i = 0; i < runs->count; i++) {
		if (program == TP_NONE || runs->runs[i].kind == program)
			list[(*count)++] = (struct tp_run){i, runs->runs[i].start_ps, runs->runs[i].end_ps};
	}
	tp_runs_sort(list, *count);
	return list;
}

/* Whether most windows hold a whole run, of those that they launched the first (each is 0: any): then they wait for what they
 * launch, and other runs are not theirs. */
static bool
hold_their_runs(const struct following *f, const struct tp_run *runs, uint32_t count, uint32_t each)
{
	uint32_t holding = 0;

	for (uint32_t i = 0, r = 0; i < f->w->count; i++) {
		while (each == 0 && r < count && runs[r].start_ps < f->w->list[i].start_ps)
			r++;
		r = each != 0 ? i * each : r;
		holding += r < count && runs[r].end_ps <= f->w->list[i].end_ps;
	}
	return 2 * holding >= f->w->count;
}

/* When programs run that no window calls. */
static struct tp_cover
cover_others(const struct following *f)
{
	const struct tp_host_runs *runs = &f->out->runs;
	struct tp_interval *list = tp_new_array(f->scratch, struct tp_interval, runs->count);
	size_t count = 0;

	for (uint32_t i = 0; i < runs->count; i++) {
		if (!f->called[runs->runs[i].kind])
			list[count++] = (struct tp_interval){runs->runs[i].start_ps, runs->runs[i].end_ps};
	}
	return tp_cover_united(list, count, f->scratch);
}

/* Windows from each so many runs to the next; the last, and those that something else follows, end with their own. */
static struct tp_window *
windows_of_runs(const struct following *f, const struct tp_run *runs, uint32_t count, uint32_t each,
	uint32_t *window_of_run)
{
	const struct tp_cover others = cover_others(f);
	struct tp_window *list = tp_new_array(f->scratch, struct tp_window, count / each);

	for (uint32_t i = 0; i < count / each; i++) {
		int64_t start = runs[(size_t)i * each].start_ps, end = start;

		for (uint32_t k = i * each; k < (i + 1) * each; k++) {
			window_of_run[runs[k].kind] = i;
			end = tp_later(end, runs[k].end_ps);
		}
		list[i] = (struct tp_window){.event = TP_NONE, .start_ps = start, .end_ps = end};
		list[i].number = i;
		list[i].numbered = true;
		if ((i + 1) * each >= count)
			break;
		int64_t next = runs[(size_t)(i + 1) * each].start_ps;
		bool interrupted =
			(double)tp_cover_within(&others, end, next) > INTERRUPTS_SHARE * (double)(end - start);

		if (!interrupted || next < end)
			list[i].end_ps = next;
	}
	return list;
}

/* Runs that begin within a window belong to it, whatever their program. */
static void
place_other_runs(const struct following *f, uint32_t *window_of_run)
{
	uint32_t count;
	const struct tp_run *list = runs_of(f, TP_NONE, &count);

	for (uint32_t i = 0, at = 0; i < count; i++) {
		while (at < f->w->count && f->w->list[at].end_ps <= list[i].start_ps)
			at++;
		if (at < f->w->count && window_of_run[list[i].kind] == TP_NONE &&
			f->w->list[at].start_ps <= list[i].start_ps)
			window_of_run[list[i].kind] = at;
	}
}

/* Nothing leads from a marker to the run that it launched when the run had to wait for the one before: but runs come in the
 * order in which they were launched. How many each window launched; 0: the capture lacks some. */
static uint32_t
runs_each(const struct following *f, const struct tp_run *runs, uint32_t count)
{
	uint32_t each = count / f->w->count;

	if (count % f->w->count != 0)
		return 0;
	for (uint32_t i = 0; i < f->w->count; i++) {
		if (runs[(size_t)i * each].start_ps < f->w->list[i].start_ps)
			return 0;
	}
	return each;
}

/* When all runs of the program run, whoever launched them: while windows last, and at other times since the first began. */
static void
measure_unmatched(const struct following *f, const struct tp_run *runs, uint32_t count)
{
	struct tp_interval *list = tp_new_array(f->scratch, struct tp_interval, count);

	for (uint32_t r = 0; r < count; r++)
		list[r] = (struct tp_interval){runs[r].start_ps, runs[r].end_ps};
	const struct tp_cover work = tp_cover_united(list, count, f->scratch);
	int64_t since_ps = f->w->list[0].start_ps;

	for (uint32_t i = 0; i < f->w->count; i++) {
		const struct tp_window *window = &f->w->list[i];

		f->out->inside_ps +=
			(double)tp_cover_within(&work, tp_later(window->start_ps, since_ps), window->end_ps);
		since_ps = tp_later(since_ps, window->end_ps);
	}
	f->out->outside_ps =
		(double)tp_cover_within(&work, f->w->list[0].start_ps, INT64_MAX) - f->out->inside_ps;
}

/* Whether windows only launch the program. Where the capture lacks runs, also when most windows have none. */
static bool
only_launch(const struct following *f, const struct tp_run *runs, uint32_t count, uint32_t each)
{
	for (uint32_t i = 0; i < each * f->w->count; i++)
		measure(f->out, &f->w->list[i / each], runs[i].start_ps, runs[i].end_ps);
	if (each == 0)
		measure_unmatched(f, runs, count);
	return !hold_their_runs(f, runs, count, each) &&
		(f->out->outside_ps > f->out->inside_ps || (each == 0 && 2 * count < f->w->count));
}

/* Steps by so many runs each. each is 0: one after the other, as many as come to a window. */
static bool
follow_runs(struct following *f, const struct tp_run *runs, uint32_t count, uint32_t each)
{
	uint32_t windows = f->w->count;
	uint32_t *window_of_run = tp_new_array(f->scratch, uint32_t, f->out->runs.count);
	bool match = each != 0;

	if (count < TP_INFERENCE_RUNS)
		return false;
	if (!match)
		each = count < windows ? 1 : (count + windows / 2) / windows;
	memset(window_of_run, 0xff, f->out->runs.count * sizeof *window_of_run);
	struct tp_window *list = windows_of_runs(f, runs, count, each, window_of_run);

	for (uint32_t i = 0; match && i < windows; i++) {
		list[i].event = f->w->list[i].event;
		list[i].number = f->w->list[i].number;
		list[i].numbered = f->w->list[i].numbered;
	}
	f->w->list = list;
	f->w->count = count / each;
	place_other_runs(f, window_of_run);
	f->out->timing = TP_TIMED_BY_RUN;
	f->out->window_of_run = window_of_run;
	return true;
}

/* From the start of each marker to that of the next; the last has none, and is left out. */
static void
follow_starts(struct following *f)
{
	for (uint32_t i = 0; i + 1 < f->w->count; i++)
		f->w->list[i].end_ps = f->w->list[i + 1].start_ps;
	f->w->list[f->w->count - 1].end_ps = f->w->list[f->w->count - 1].start_ps;
	f->out->timing = TP_TIMED_BY_START;
}

/* Operations of XLA on the CPU. */
static bool
follow_on_host(struct following *f)
{
	uint32_t count;

	f->out->runs = tp_host_runs_of(f->p, f->h->host, f->scratch);
	find_called(f);
	uint32_t program = main_program(f);

	if (program == TP_NONE)
		return false;
	const struct tp_run *runs = runs_of(f, program, &count);
	uint32_t each = runs_each(f, runs, count);

	if (!only_launch(f, runs, count, each))
		return false;
	f->out->program_id = f->out->runs.program_ids[program];
	if (!follow_runs(f, runs, count, each))
		follow_starts(f);
	return true;
}

static bool
follow_on_device(struct following *f)
{
	struct tp_interval *hull = find_hulls(f);

	if (f->out->outside_ps <= f->out->inside_ps)
		return false;
	if (!follow_work(f, hull))
		follow_starts(f);
	return true;
}

bool
tp_follow_launches(const struct tp_marking_host *h, const struct tp_groups *groups,
	const uint32_t *window_of_group, struct tp_windows *w, struct tp_followed *out)
{
	struct following f = {h, h->p, groups, window_of_group, w, out, NULL, h->scratch};

	*out = (struct tp_followed){0};
	return w->count != 0 && (h->has_device ? follow_on_device(&f) : follow_on_host(&f));
}

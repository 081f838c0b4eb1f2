/* Marks of TPU cores without a Steps line: from the runs of programs on the core's XLA Modules line; without such a line,
 * from the sequence of its operations. */
#include "analyze/steps/step_cores.h"

#include "analyze/steps/step_infer.h"
#include "analyze/steps/step_source_words.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "base/map.h"
#include "model/profile.h"

static struct tp_core_runs
room(uint32_t count, struct tp_arena *scratch)
{
	return (struct tp_core_runs){
		.runs = tp_new_array(scratch, struct tp_run, count),
		.host = tp_arena_array(scratch, count, sizeof(int64_t[2])),
	};
}

static bool
has_chip_clock(const struct tp_line *line)
{
	for (uint32_t i = 0; i < line->count; i++) {
		if (tp_line_chip_start_ps(line, i) != tp_line_start_ps(line, i) ||
			tp_line_chip_duration_ps(line, i) != tp_line_duration_ps(line, i))
			return true;
	}
	return false;
}

/* Program runs are on the host's clock, which is too coarse to measure with, unless the line has the chip's as well: then
 * a run lasts from the first of its operations to the end of the last. Runs without operations are left out. */
static struct tp_core_runs
runs_of_modules(const struct tp_profile *p, const struct tp_line *modules,
	const struct tp_line *ops, struct tp_strings *names, struct tp_arena *scratch)
{
	struct tp_core_runs all = room(modules->count, scratch);
	bool by_chip = has_chip_clock(modules);

	for (uint32_t m = 0, i = 0; m < modules->count; m++) {
		int64_t start = tp_line_start_ps(modules, m), end = start + tp_line_duration_ps(modules, m);
		int64_t next = m + 1 < modules->count ? tp_line_start_ps(modules, m + 1) : INT64_MAX;
		struct tp_run run = {
			tp_intern(names, p->ops[tp_line_op(modules, m)].name), INT64_MAX, INT64_MIN};
		struct tp_run host = {.start_ps = INT64_MAX, .end_ps = INT64_MIN};

		while (i < ops->count && tp_line_start_ps(ops, i) < start)
			i++;
		for (; i < ops->count && tp_line_start_ps(ops, i) < end && tp_line_start_ps(ops, i) < next;
			 i++) {
			tp_run_widen(&run, tp_line_chip_start_ps(ops, i),
				tp_line_chip_start_ps(ops, i) + tp_line_chip_duration_ps(ops, i));
			tp_run_widen(&host, tp_line_start_ps(ops, i),
				tp_line_start_ps(ops, i) + tp_line_duration_ps(ops, i));
		}
		if (run.end_ps < run.start_ps)
			continue;
		if (by_chip) {
			run.start_ps = tp_line_chip_start_ps(modules, m);
			run.end_ps = run.start_ps + tp_line_chip_duration_ps(modules, m);
			host = (struct tp_run){.start_ps = start, .end_ps = end};
		}
		all.host[all.count][0] = host.start_ps;
		all.host[all.count][1] = host.end_ps;
		all.runs[all.count++] = run;
	}
	return all;
}

/* What is known of the outermost operations of a core. */
struct outermost {
	uint32_t first,
		op_count;    /* operations of the profile that occur: from this one on, so many … */
	uint32_t *count; /* … and by them */
	double *time_ps, *gap_ps; /* of it; between it and the one before, its first time left out */
};

/* A core's operations lie together among those of the profile, of which there may be very many when there are many cores. */
static struct outermost
look_at_outermost(const struct tp_line *ops, struct tp_arena *scratch)
{
	uint32_t first = UINT32_MAX, last = 0;

	for (uint32_t i = 0; i < ops->count; i++) {
		first = tp_line_op(ops, i) < first ? tp_line_op(ops, i) : first;
		last = tp_line_op(ops, i) > last ? tp_line_op(ops, i) : last;
	}
	uint32_t op_count = ops->count != 0 ? last - first + 1 : 0;
	struct outermost all = {
		.first = first,
		.op_count = op_count,
		.count = tp_new_array(scratch, uint32_t, op_count),
		.time_ps = tp_new_array(scratch, double, op_count),
		.gap_ps = tp_new_array(scratch, double, op_count),
	};
	int64_t covered = INT64_MIN;

	for (uint32_t i = 0; i < ops->count; i++) {
		uint32_t o = tp_line_op(ops, i) - first;

		if (tp_line_chip_start_ps(ops, i) < covered)
			continue;
		if (all.count[o]++ != 0)
			all.gap_ps[o] += (double)tp_line_chip_start_ps(ops, i) - (double)covered;
		covered = tp_line_chip_start_ps(ops, i) + tp_line_chip_duration_ps(ops, i);
		all.time_ps[o] += (double)tp_line_chip_duration_ps(ops, i);
	}
	return all;
}

/* How often each program runs: as often as those of its outermost operations with most of its time do. */
struct program_counts {
	struct tp_map index; /* program → index into the others */
	uint32_t *runs;
	uint32_t *first; /* the operation that it begins with */
};

static struct program_counts
count_programs(const struct tp_profile *p, const struct outermost *seen, struct tp_arena *scratch)
{
	struct program_counts all = {
		.runs = tp_new_array(scratch, uint32_t, seen->op_count),
		.first = tp_new_array(scratch, uint32_t, seen->op_count),
	};
	double *weight = tp_new_array(scratch, double, seen->op_count);
	double *most = tp_new_array(scratch, double, seen->op_count);
	struct tp_map weights; /* (program, count) → index into weight */

	tp_map_init(&weights, scratch);
	tp_map_init(&all.index, scratch);
	for (uint32_t o = 0; o < seen->op_count; o++) {
		uint64_t program = p->ops[seen->first + o].program_id;

		if (seen->count[o] == 0)
			continue;
		uint32_t w, at;

		tp_map_number(&weights, tp_hash_pair(program, seen->count[o]), &w);
		if (tp_map_number(&all.index, program, &at))
			all.first[at] = TP_NONE;
		weight[w] += seen->time_ps[o];
		if (weight[w] > most[at]) {
			most[at] = weight[w];
			all.runs[at] = seen->count[o];
		}
	}
	return all;
}

/* The operation that each program begins with: of those that occur as often as it runs (or once less or more, for the
 * capture may cut its first or last run), the one with the longest gaps before it, else the one that came first. */
static struct program_counts
find_first_ops(const struct tp_profile *p, const struct tp_line *ops, struct tp_arena *scratch)
{
	struct outermost seen = look_at_outermost(ops, scratch);
	struct program_counts all = count_programs(p, &seen, scratch);

	for (uint32_t i = 0; i < ops->count; i++) {
		uint32_t o = tp_line_op(ops, i) - seen.first,
				 at = tp_map_get(&all.index, p->ops[tp_line_op(ops, i)].program_id);

		if (seen.count[o] == 0 || seen.count[o] + 1 < all.runs[at] ||
			seen.count[o] > all.runs[at] + 1)
			continue;
		if (all.first[at] == TP_NONE || seen.gap_ps[o] > seen.gap_ps[all.first[at] - seen.first])
			all.first[at] = tp_line_op(ops, i);
	}
	return all;
}

/* A run begins with the first operation of its program, or when another program's operations follow. */
static struct tp_core_runs
runs_of_ops(const struct tp_profile *p, const struct tp_line *ops, struct tp_strings *programs,
	struct tp_arena *scratch)
{
	const struct program_counts found = find_first_ops(p, ops, scratch);
	struct tp_core_runs all = room(ops->count, scratch);
	uint64_t program = 0;

	for (uint32_t i = 0; i < ops->count; i++) {
		const struct tp_op *op = &p->ops[tp_line_op(ops, i)];
		int64_t start = tp_line_chip_start_ps(ops, i),
				end = start + tp_line_chip_duration_ps(ops, i);
		uint32_t at = tp_map_get(&found.index, op->program_id), kind;
		bool first = at != TP_MAP_NONE && found.first[at] == tp_line_op(ops, i);

		if (all.count == 0 || first || op->program_id != program) {
			kind = tp_intern(
				programs, tp_arena_printf(scratch, "%llu", (unsigned long long)op->program_id));
			program = op->program_id;
			all.host[all.count][0] = tp_line_start_ps(ops, i);
			all.runs[all.count++] = (struct tp_run){kind, start, end};
		}
		tp_run_widen(&all.runs[all.count - 1], start, end);
		all.host[all.count - 1][1] = tp_line_start_ps(ops, i) + tp_line_duration_ps(ops, i);
	}
	return all;
}

struct tp_core_runs *
tp_runs_of_cores(const struct tp_pass_ctx *ctx, const struct tp_marked_cores *on, bool by_ops,
	struct tp_strings *kinds)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_core_runs *all = tp_new_array(ctx->scratch, struct tp_core_runs, on->count);
	const uint32_t *modules = tp_first_lines(p, TP_LINE_MODULES, ctx->scratch);

	for (uint32_t c = 0; c < on->count; c++) {
		uint32_t line = modules[on->cores[c].device];

		if (on->cores[c].self == NULL)
			all[c] = tp_given_runs(ctx, &on->cores[c], by_ops, kinds);
		else if (by_ops)
			all[c] = runs_of_ops(p, on->cores[c].ops, kinds, ctx->scratch);
		else if (line != TP_NONE)
			all[c] = runs_of_modules(p, &p->lines[line], on->cores[c].ops, kinds, ctx->scratch);
	}
	return all;
}

/* Which step of the reference core is which on this one: its number, or TP_NONE. */
struct pairing {
	const struct tp_pass_ctx *ctx;
	const struct tp_marked_cores *on;
	const struct tp_core_runs *runs;
	const struct tp_inferred_steps *steps;
	uint32_t reference;          /* the core with most steps */
	struct tp_map of_collective; /* id → step of the reference core in which it runs */
};

/* Calls of a collective carry the same id on every core. Without numbers: notes those of the reference core. */
static void
number_by_collective(struct pairing *pair, uint32_t c, uint32_t *numbers)
{
	const struct tp_line *ops = pair->on->cores[c].ops;
	const struct tp_inferred_steps *steps = &pair->steps[c];
	uint32_t s = 0;

	for (size_t k = 0; k < ops->tag_count; k++) {
		if (ops->tags[k].key != TP_TAG_ALL_REDUCE)
			continue;
		int64_t start = tp_line_chip_start_ps(ops, ops->tags[k].event);
		uint64_t id = (uint64_t)ops->tags[k].value;

		while (s < steps->count && steps->steps[s].end_ps <= start)
			s++;
		if (s == steps->count || start < steps->steps[s].start_ps)
			continue;
		if (numbers == NULL)
			tp_map_put(&pair->of_collective, id, s);
		else if (numbers[s] == TP_NONE)
			numbers[s] = tp_map_get(&pair->of_collective, id);
	}
}

/* Cores of one host share its clock: a step is the one of the reference core that runs in its middle. */
static void
number_by_time(const struct pairing *pair, uint32_t c, uint32_t *numbers)
{
	const struct tp_inferred_steps *mine = &pair->steps[c], *other = &pair->steps[pair->reference];
	const struct tp_core_runs *runs = &pair->runs[pair->reference];
	uint32_t o = 0;

	for (uint32_t s = 0; s < mine->count; s++) {
		const int64_t *host = pair->runs[c].host[mine->steps[s].run];
		int64_t middle = host[0] + (host[1] - host[0]) / 2;

		while (o + 1 < other->count && runs->host[other->steps[o + 1].run][0] <= middle)
			o++;
		numbers[s] = o;
	}
}

/* Steps that no collective numbers follow the one before, or precede the one after. */
static void
number_between(uint32_t *numbers, uint32_t count, uint32_t most)
{
	for (uint32_t s = 1; s < count; s++) {
		if (numbers[s] == TP_NONE && numbers[s - 1] != TP_NONE && numbers[s - 1] + 1 < most)
			numbers[s] = numbers[s - 1] + 1;
	}
	for (uint32_t s = count; s-- > 1;) {
		if (numbers[s - 1] == TP_NONE && numbers[s] != TP_NONE && numbers[s] != 0)
			numbers[s - 1] = numbers[s] - 1;
	}
}

/* By order when there are as many as on the reference core. When some are missing: by time on the same host, by collectives
 * on another, whose clock may differ; without any by order all the same, which the confidence shows. */
static uint32_t *
number_steps(struct pairing *pair, uint32_t c)
{
	uint32_t count = pair->steps[c].count, most = pair->steps[pair->reference].count, found = 0;
	uint32_t *numbers = tp_new_array(pair->ctx->scratch, uint32_t, count);

	if (count != most && pair->on->cores[c].host == pair->on->cores[pair->reference].host) {
		number_by_time(pair, c, numbers);
		return numbers;
	}
	memset(numbers, 0xff, count * sizeof *numbers);
	if (count != most)
		number_by_collective(pair, c, numbers);
	for (uint32_t s = 0; s < count; s++)
		found += numbers[s] != TP_NONE;
	if (found != 0)
		number_between(numbers, count, most);
	for (uint32_t s = 0; found == 0 && s < count; s++)
		numbers[s] = s;
	return numbers;
}

/* When a step that ends at that time by the chip's clock ends by the host's, by which it may take another time. */
static int64_t
host_end_ps(const struct tp_core_runs *runs, const struct tp_inferred_steps *all, uint32_t s,
	int64_t end_ps)
{
	int64_t host_ps = runs->host[all->steps[s].run][1];

	if (s + 1 < all->count && end_ps == all->steps[s + 1].start_ps)
		return runs->host[all->steps[s + 1].run][0];
	for (uint32_t r = all->steps[s].run; r < runs->count && runs->runs[r].start_ps < end_ps; r++)
		host_ps = runs->runs[r].end_ps == end_ps ? runs->host[r][1] : host_ps;
	return host_ps;
}

static void
mark_core(struct pairing *pair, uint32_t c, const struct tp_slice *names)
{
	struct tp_marked_core *core = &pair->on->cores[c];
	const struct tp_inferred_steps *mine = &pair->steps[c];
	const uint32_t *numbers = number_steps(pair, c);

	core->marks = tp_new_array(pair->ctx->scratch, struct tp_step_mark, mine->count);
	for (uint32_t s = 0; s < mine->count; s++) {
		const struct tp_inferred_step *step = &mine->steps[s];
		const int64_t *host = pair->runs[c].host[step->run];

		if (numbers[s] == TP_NONE)
			continue;
		/* Where a run is missing the next one that begins ends another step. */
		bool hole = s + 1 < mine->count && numbers[s + 1] != numbers[s] + 1;
		int64_t end_ps = hole ? step->work_end_ps : step->end_ps;

		core->marks[core->mark_count++] = (struct tp_step_mark){
			.name = names[numbers[s]],
			.start_ps = step->start_ps,
			.duration_ps = end_ps - step->start_ps,
			.host_start_ps = host[0],
			.host_duration_ps = tp_later(0, host_end_ps(&pair->runs[c], mine, s, end_ps) - host[0]),
			.unended = step->last,
			.work_ps = step->work_end_ps - step->start_ps,
		};
	}
}

static void
mark_cores(struct pairing *pair)
{
	uint32_t most = pair->steps[pair->reference].count;
	struct tp_slice *names = tp_new_array(pair->ctx->scratch, struct tp_slice, most);

	for (uint32_t s = 0; s < most; s++)
		names[s] = tp_arena_printf(pair->ctx->keep, "%u", s);
	tp_map_init(&pair->of_collective, pair->ctx->scratch);
	number_by_collective(pair, pair->reference, NULL);
	for (uint32_t c = 0; c < pair->on->count; c++)
		mark_core(pair, c, names);
}

/* "jit_f(123)" → "jit_f" */
static struct tp_slice
without_id(struct tp_slice name)
{
	const char *open = name.len != 0 ? memrchr(name.ptr, '(', name.len) : NULL;

	return open != NULL && open != name.ptr ? (struct tp_slice){name.ptr, (size_t)(open - name.ptr)}
											: name;
}

struct tp_marked_cores
tp_marks_of_program_runs(
	const struct tp_pass_ctx *ctx, uint32_t host, struct tp_steps *out, struct tp_slice *reason)
{
	struct tp_marked_cores on = tp_cores_with_ops(ctx, host), none = {0};
	struct tp_strings names;
	struct tp_repetition found;
	struct pairing pair = {.ctx = ctx, .on = &on};
	bool named = true;

	*reason = TP_S(why_tpu_no_steps);
	for (int by_ops = 0; by_ops < 2 && pair.steps == NULL; by_ops++) {
		struct tp_runs *lines = tp_new_array(ctx->scratch, struct tp_runs, on.count);

		named = by_ops == 0;
		tp_strings_init(&names, ctx->scratch);
		pair.runs = tp_runs_of_cores(ctx, &on, by_ops != 0, &names);
		for (uint32_t c = 0; c < on.count; c++)
			lines[c] = (struct tp_runs){pair.runs[c].runs, pair.runs[c].count};
		pair.steps = tp_infer_steps(lines, on.count, &found, ctx->scratch);
		out->inferred_from =
			!named ? TP_S(text_operations_repeat) : without_id(tp_string(&names, found.kind));
	}
	if (pair.steps == NULL)
		return none;
	if (found.group != 0 && named)
		out->inferred_group = without_id(tp_string(&names, found.group_kind));
	tp_steps_infer(ctx, out, &found, reason);
	if (!out->inferred)
		return none;
	for (uint32_t c = 0; c < on.count; c++) {
		if (pair.steps[c].count > pair.steps[pair.reference].count)
			pair.reference = c;
	}
	mark_cores(&pair);
	for (uint32_t c = 0; c < on.count; c++) {
		if (on.cores[c].self == NULL)
			tp_given_sums(ctx, &on.cores[c]);
	}
	return on;
}

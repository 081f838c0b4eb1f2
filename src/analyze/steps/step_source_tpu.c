/* Steps of TPU cores: what lies between the marks of each core; steps are matched over cores and hosts by the mark's name and
 * kept when every core has them. No clock is compared between cores.
 *
 * xprof pairs steps by their ordinal on each core instead, so one missing step shifts that core and loses the last step,
 * and it charges operations between steps to the step before. */
#include "analyze/steps/steps.h"

#include "analyze/core/say.h"
#include "analyze/steps/program_gaps.h"
#include "analyze/steps/step_cores.h"
#include "analyze/steps/step_hosts.h"
#include "analyze/steps/step_source_words.h"
#include "analyze/steps/steps_section.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>

struct table {
	struct tp_marked_cores on;
	struct tp_strings strings;
	uint32_t *step_of_string;     /* TP_NONE: the step of this name is not complete */
	struct tp_slice *names;       /* by step */
	uint32_t step_count;          /* of those that every core has */
	struct tp_step_lack *lacking; /* first: by core, how many different steps it has */
	size_t seen;                  /* of all */
	struct tp_step_cell *cells;   /* [step × core count + core] */
};

struct named_step {
	struct tp_slice name;
	int64_t number;
	bool numeric;
	uint32_t order; /* of first sight: the id of the string */
};

TP_ORDER(
	by_number, struct named_step, TP_DOWN(numeric), a->numeric ? TP_UP(number) : 0, TP_UP(order));

bool
tp_step_number(struct tp_slice name, int64_t *number)
{
	*number = 0;
	for (size_t i = 0; i < name.len && i < 18; i++) {
		if (name.ptr[i] < '0' || name.ptr[i] > '9')
			return false;
		*number = *number * 10 + (name.ptr[i] - '0');
	}
	return name.len != 0 && name.len < 18;
}

static struct named_step
named(struct tp_slice name, uint32_t order)
{
	struct named_step n = {.name = name, .order = order};

	n.numeric = tp_step_number(name, &n.number);
	return n;
}

/* Steps that every core has. Only these get cells, of which there are then no more than markers. */
static void
find_steps(const struct tp_pass_ctx *ctx, struct table *t)
{
	uint32_t count = 0;
	size_t most = 0;
	bool nameless = false;

	tp_strings_init(&t->strings, ctx->scratch);
	for (uint32_t c = 0; c < t->on.count; c++)
		most += t->on.cores[c].mark_count;
	struct named_step *list = tp_new_array(ctx->scratch, struct named_step, most);
	uint32_t *on_cores =
		tp_new_array(ctx->scratch, uint32_t, most + 1); /* by string: 0 … c have it */

	uint32_t *last_core = tp_new_array(ctx->scratch, uint32_t, most + 1); /* by string: plus 1 */

	t->lacking = tp_new_array(ctx->keep, struct tp_step_lack, t->on.count);
	t->step_of_string = tp_new_array(ctx->scratch, uint32_t, most + 1);
	memset(t->step_of_string, 0xff, (most + 1) * sizeof *t->step_of_string);
	for (uint32_t c = 0; c < t->on.count; c++) {
		const struct tp_marked_core *core = &t->on.cores[c];

		for (uint32_t i = 0; i < core->mark_count; i++) {
			uint32_t string = tp_intern(&t->strings, core->marks[i].name);

			nameless |= string == 0;
			t->lacking[c].has += last_core[string] != c + 1;
			last_core[string] = c + 1;
			if (on_cores[string] == c)
				on_cores[string] = c + 1;
			if (c + 1 == t->on.count && on_cores[string] == t->on.count &&
				t->step_of_string[string] == TP_NONE) {
				t->step_of_string[string] = count;
				list[count++] = named(core->marks[i].name, string);
			}
		}
	}
	t->seen = t->strings.count - !nameless; /* string 0 is the empty one */
	qsort(list, count, sizeof *list, by_number);
	t->names = tp_new_array(ctx->keep, struct tp_slice, count);
	t->step_count = count;
	for (uint32_t s = 0; s < count; s++) {
		t->names[s] = list[s].name;
		t->step_of_string[tp_intern(&t->strings, list[s].name)] = s;
	}
}

static void
place_steps(const struct tp_pass_ctx *ctx, struct table *t, const uint32_t **step_of_mark)
{
	for (uint32_t c = 0; c < t->on.count; c++) {
		const struct tp_marked_core *core = &t->on.cores[c];
		uint32_t *step_of = tp_new_array(ctx->scratch, uint32_t, core->mark_count);

		for (uint32_t i = 0; i < core->mark_count; i++) {
			const struct tp_step_mark *mark = &core->marks[i];
			uint32_t s = t->step_of_string[tp_intern(&t->strings, mark->name)];

			step_of[i] = TP_NONE;
			if (s == TP_NONE)
				continue;
			struct tp_step_cell *cell = &t->cells[(size_t)s * t->on.count + c];

			if (cell->there)
				continue; /* the same number again: a later run of the program; the first counts */
			cell->there = true;
			cell->unended = mark->unended;
			cell->start_ps = mark->start_ps;
			cell->duration_ps = mark->duration_ps;
			cell->host_start_ps = mark->host_start_ps;
			cell->host_duration_ps = mark->host_duration_ps;
			step_of[i] = s;
		}
		step_of_mark[c] = step_of;
	}
}

/* As long as a core sends to the SparseCore it transforms what it receives; the rest is waiting for it. Source of the rule:
 * BreakdownSparseCoreV0Infeed of xprof. */
static void
split_sparse(struct tp_step_cell *cell)
{
	double transform = tp_smaller(cell->sparse_infeed_ps, cell->sparse_outfeed_ps);

	cell->class_ps[TP_CLASS_SPARSE_CORE] -= transform;
	cell->class_ps[TP_CLASS_COMPUTE] += transform;
}

/* The longest mark of each step on the host of a core is what xprof counts from. Cores of a host are neighbours. */
static void
find_host_lengths(struct table *t, struct tp_step_cell *cells)
{
	for (uint32_t first = 0, end; first < t->on.count; first = end) {
		double longest = 0;

		for (end = first; end < t->on.count && t->on.cores[end].host == t->on.cores[first].host;
			 end++)
			longest = tp_larger(longest, (double)cells[end].duration_ps);
		for (uint32_t c = first; c < end; c++)
			cells[c].host_ps = longest;
	}
}

/* Whether b is the step after a; where names are no numbers, neighbours are. */
static bool
follows(struct tp_slice a, struct tp_slice b)
{
	int64_t first, second;

	return !tp_step_number(a, &first) || !tp_step_number(b, &second) || second == first + 1;
}

/* The mean time between a step's end and the next one's start, on the core where it is longest. A step that a core lacks is
 * no gap. */
static double
mean_gap(const struct tp_marked_cores *on)
{
	double longest = NAN;

	for (uint32_t c = 0; c < on->count; c++) {
		const struct tp_step_mark *marks = on->cores[c].marks;
		uint32_t gaps = 0;
		double sum = 0;

		for (uint32_t i = 0; i + 1 < on->cores[c].mark_count; i++) {
			if (!follows(marks[i].name, marks[i + 1].name))
				continue;
			gaps++;
			sum += tp_larger(0,
				(double)(marks[i + 1].start_ps - marks[i].start_ps) - (double)marks[i].duration_ps);
		}
		if (gaps != 0 && !(sum / gaps <= longest))
			longest = sum / gaps;
	}
	return longest;
}

/* Of the time that cores of a host are idle in a step the share that is input, for each core alike. */
static bool
move_idle(struct tp_step_cell *cells, size_t count, double input_ps)
{
	double parts[TP_TPU_PART_COUNT] = {0};

	tp_step_tpu_parts(cells, count, parts);
	if (!(input_ps > 0) || !(parts[TP_TPU_IDLE] > 0))
		return false;
	double share = input_ps < parts[TP_TPU_IDLE] ? input_ps / parts[TP_TPU_IDLE] : 1;

	for (size_t c = 0; c < count; c++) {
		double idle = cells[c].host_ps - cells[c].busy_ps;

		if (!(idle > 0))
			continue;
		cells[c].class_ps[TP_CLASS_INPUT_WAIT] += idle * share;
		cells[c].busy_ps += idle * share;
	}
	return true;
}

/* Input of TPU cores that no operation receives comes with the program's arguments, and cores are idle while the host prepares
 * it: idle time counts as infeed as long as the host's step of the same number waited for input or sent it. Source of the
 * rule: MayFixTpuStepAnalysis of xprof, which takes a step's ordinal for its number and adds up what overlaps on the host; we go
 * by the number that both mark and count each instant once. */
static void
take_host_input(const struct tp_pass_ctx *ctx, const struct table *t, struct tp_steps *out)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_host_op *ops = tp_read_host_names(p, false, ctx->scratch);
	struct tp_buf steps = {0};

	for (uint32_t h = 0; h < p->host_count; h++) {
		const struct tp_marking_host host = {
			.p = p, .host = h, .ops = ops, .scratch = ctx->scratch, .without_work = true};

		if (p->hosts[h].given != NULL)
			tp_given_steps_of_host(p, h, &steps);
		else
			tp_marked_steps_of_host(&host, NULL, &steps);
	}
	const struct tp_host_step *all = steps.data;
	struct tp_map index = tp_host_steps_by_number(all, steps.count, ctx->scratch);

	for (size_t s = 0; steps.count != 0 && s < t->step_count; s++) {
		int64_t number;

		if (!tp_step_number(t->names[s], &number))
			continue;
		/* Cores of a host are neighbours. */
		for (uint32_t first = 0, end; first < t->on.count; first = end) {
			uint32_t host = t->on.cores[first].host;
			uint32_t at = tp_map_get(&index, tp_hash_pair((uint64_t)number, host));

			for (end = first; end < t->on.count && t->on.cores[end].host == host;)
				end++;
			if (at == TP_MAP_NONE)
				continue;
			out->shows_input |= all[at].has_input;
			out->input_of_host |= move_idle(&t->cells[s * t->on.count + first], end - first,
				all[at].class_ps[TP_CLASS_INPUT_WAIT]);
		}
	}
	tp_buf_free(&steps);
}

static struct tp_step
summarise(struct table *t, uint32_t s)
{
	struct tp_step_cell *cells = &t->cells[(size_t)s * t->on.count];
	struct tp_step step = tp_step_over_cores(cells, t->on.count, t->names[s]);

	tp_step_tpu_parts(cells, t->on.count, step.tpu_ps);
	return step;
}

/* Keeps the cores that lack a step. */
static void
list_lacking(const struct table *t, struct tp_steps *out)
{
	for (uint32_t c = 0; c < t->on.count; c++) {
		if (t->lacking[c].has < t->seen)
			t->lacking[out->lacking_count++] = (struct tp_step_lack){c, t->lacking[c].has};
	}
	out->lacking = t->lacking;
}

static const struct tp_step_core *
list_cores(const struct table *t, struct tp_arena *keep)
{
	struct tp_step_core *list = tp_new_array(keep, struct tp_step_core, t->on.count);

	for (uint32_t c = 0; c < t->on.count; c++)
		list[c] = (struct tp_step_core){t->on.cores[c].device, t->on.cores[c].host};
	return list;
}

static bool
applies(const struct tp_profile *p)
{
	for (uint32_t i = 0; i < p->device_count; i++) {
		if (p->devices[i].kind == TP_DEVICE_TPU)
			return true;
	}
	return false;
}

static bool
find(const struct tp_pass_ctx *ctx, struct tp_steps *out, struct tp_slice *reason)
{
	struct table t = {.on = tp_marks_of_steps_lines(ctx, TP_NONE)};

	if (t.on.count == 0)
		t.on = tp_marks_of_program_runs(ctx, TP_NONE, out, reason);
	if (t.on.count == 0)
		return false;
	find_steps(ctx, &t);
	t.cells = tp_new_array(ctx->keep, struct tp_step_cell, (size_t)t.step_count * t.on.count);
	const uint32_t **step_of_mark = tp_new_array(ctx->scratch, const uint32_t *, t.on.count);

	place_steps(ctx, &t, step_of_mark);
	out->shows_input = tp_charge_ops(ctx, &t.on, step_of_mark, t.cells);
	for (size_t i = 0; i < (size_t)t.step_count * t.on.count; i++)
		split_sparse(&t.cells[i]);
	out->seen = t.seen;
	out->timelines = t.on.count;
	list_lacking(&t, out);
	out->cores = list_cores(&t, ctx->keep);
	out->cells = t.cells;
	out->gap_mean_ps = out->inferred ? NAN : mean_gap(&t.on); /* gaps belong to inferred steps */
	for (uint32_t s = 0; s < t.step_count; s++)
		find_host_lengths(&t, &t.cells[(size_t)s * t.on.count]);
	if (!out->shows_input && !out->inferred)
		take_host_input(ctx, &t, out);
	out->steps = tp_new_array(ctx->keep, struct tp_step, t.step_count);
	for (uint32_t s = 0; s < t.step_count; s++)
		out->steps[out->count++] = summarise(&t, s);
	out->incomplete = out->seen - out->count;
	out->program_gap_ps = tp_program_gap_ps(ctx, out);
	out->tells_programs = !isnan(out->program_gap_ps);
	if (out->count == 0)
		*reason = TP_S(why_tpu_incomplete);
	return out->count != 0;
}

/* After the last inferred step nothing shows how long it was; its own runs are enough when what follows takes less than
 * this share of a step. */
#define GAP_TO_IGNORE 0.01

/* The device writes whole steps only. */
static void
trim(struct tp_steps *s)
{
	if (s->count >= TP_INFERENCE_RUNS && s->steps[s->count - 1].unended &&
		s->repetition.gap_share > GAP_TO_IGNORE) {
		s->count--;
		s->trimmed++;
	}
}

const struct tp_step_source tp_step_source_tpu = {
	TPU_WORDS,
	.name = "markers",
	.applies = applies,
	.find = find,
	.trim = trim,
	.classes = 1u << TP_CLASS_COMPUTE | 1u << TP_CLASS_INPUT_WAIT | 1u << TP_CLASS_OUTPUT |
		1u << TP_CLASS_COLLECTIVE | 1u << TP_CLASS_SEND_RECV | 1u << TP_CLASS_SPARSE_CORE |
		1u << TP_CLASS_HOST_TRANSFER | 1u << TP_CLASS_IDLE,
	.of_cores = true,
	.gaps_are_idle = true,
	.input_rule = "TPR-INPUT-001",
	.tables = tp_step_tpu_tables,
};

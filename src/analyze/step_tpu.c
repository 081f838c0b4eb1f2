/* Steps of TPU cores: operations between the markers of each core's Steps line, by chip clock, charged to classes by self
 * time; steps are matched over cores and hosts by the marker's name and kept when every core has them.
 *
 * The peer pairs steps by their ordinal on each core instead, so one missing step shifts that core and loses the last step,
 * and it charges operations between steps to the step before. */
#include "analyze/steps.h"

#include "analyze/op_times.h"
#include "base/arena.h"
#include "base/map.h"
#include "model/profile.h"

#include <stdlib.h>

/* One step on one core. */
struct cell {
	bool there;
	int64_t start_ps, duration_ps;
	double class_ps[TP_CLASS_COUNT]; /* self time; idle not yet in */
	double copy_ps;                  /* of class compute */
	double busy_ps;
	double collective_compute_ps, collective_total_ps; /* collectives that carry an id */
};

struct core {
	uint32_t host;
	const struct tp_line *steps, *ops;
	const int64_t *self_ps;
};

struct table {
	struct core *cores;
	uint32_t core_count;
	struct tp_strings strings;
	uint32_t *step_of_string; /* TP_NONE: the step of this name is not complete */
	struct tp_slice *names;   /* by step */
	uint32_t step_count;      /* of those that every core has */
	size_t seen;              /* of all */
	struct cell *cells;       /* [step × core_count + core] */
	uint8_t *class_of_op;     /* enum tp_class, by operation of the profile */
	bool *copies;             /* likewise: whether it moves or formats data */
	struct tp_map fastest;    /* collective id → index into fastest_ps */
	double *fastest_ps;
};

/* By device the index of its first line of a kind; TP_NONE: it has none. */
static const uint32_t *
first_lines(const struct tp_profile *p, enum tp_line_kind kind, struct tp_arena *scratch)
{
	uint32_t *first = tp_new_array(scratch, uint32_t, p->device_count);

	memset(first, 0xff, p->device_count * sizeof *first);
	for (uint32_t i = p->line_count; i-- > 0;) {
		if (p->lines[i].device != TP_NONE && p->lines[i].kind == kind)
			first[p->lines[i].device] = i;
	}
	return first;
}

static void
find_cores(const struct tp_pass_ctx *ctx, struct table *t)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_op_times *times = tp_result(ctx, &tp_pass_op_times);

	const uint32_t *steps = first_lines(p, TP_LINE_STEPS, ctx->scratch);
	const uint32_t *ops = first_lines(p, TP_LINE_OPS, ctx->scratch);

	t->cores = tp_new_array(ctx->scratch, struct core, p->device_count);
	for (uint32_t d = 0; d < p->device_count; d++) {
		if (p->devices[d].kind != TP_DEVICE_TPU || steps[d] == TP_NONE || ops[d] == TP_NONE ||
			times == NULL)
			continue;
		t->cores[t->core_count++] = (struct core){
			p->devices[d].host, &p->lines[steps[d]], &p->lines[ops[d]], times->self_ps[ops[d]]};
	}
}

struct named_step {
	struct tp_slice name;
	int64_t number;
	bool numeric;
	uint32_t order; /* of first sight: the id of the string */
};

static int
by_number(const void *left, const void *right)
{
	const struct named_step *a = left, *b = right;

	if (a->numeric != b->numeric)
		return a->numeric ? -1 : 1;
	if (a->numeric && a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static struct named_step
named(struct tp_slice name, uint32_t order)
{
	struct named_step n = {.name = name, .numeric = name.len > 0 && name.len < 18, .order = order};

	for (size_t i = 0; i < name.len && n.numeric; i++) {
		n.numeric = name.ptr[i] >= '0' && name.ptr[i] <= '9';
		n.number = n.number * 10 + (name.ptr[i] - '0');
	}
	return n;
}

/* Steps that every core has. Only these get cells, of which there are then no more than markers. */
static void
find_steps(const struct tp_pass_ctx *ctx, struct table *t)
{
	const struct tp_profile *p = ctx->profile;
	uint32_t count = 0;
	size_t most = 0;
	bool nameless = false;

	tp_strings_init(&t->strings, ctx->scratch);
	for (uint32_t c = 0; c < t->core_count; c++)
		most += t->cores[c].steps->count;
	struct named_step *list = tp_new_array(ctx->scratch, struct named_step, most);
	uint32_t *on_cores =
		tp_new_array(ctx->scratch, uint32_t, most + 1); /* by string: 0 … c have it */

	t->step_of_string = tp_new_array(ctx->scratch, uint32_t, most + 1);
	memset(t->step_of_string, 0xff, (most + 1) * sizeof *t->step_of_string);
	for (uint32_t c = 0; c < t->core_count; c++) {
		const struct tp_line *line = t->cores[c].steps;

		for (uint32_t i = 0; i < line->count; i++) {
			uint32_t string = tp_intern(&t->strings, p->ops[line->op[i]].name);

			nameless |= string == 0;
			if (on_cores[string] == c)
				on_cores[string] = c + 1;
			if (c + 1 == t->core_count && on_cores[string] == t->core_count &&
				t->step_of_string[string] == TP_NONE) {
				t->step_of_string[string] = count;
				list[count++] = named(p->ops[line->op[i]].name, string);
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
place_steps(const struct tp_pass_ctx *ctx, struct table *t, const uint32_t **step_of_marker)
{
	const struct tp_profile *p = ctx->profile;

	for (uint32_t c = 0; c < t->core_count; c++) {
		const struct tp_line *line = t->cores[c].steps;
		uint32_t *step_of = tp_new_array(ctx->scratch, uint32_t, line->count);

		for (uint32_t i = 0; i < line->count; i++) {
			uint32_t s = t->step_of_string[tp_intern(&t->strings, p->ops[line->op[i]].name)];

			step_of[i] = TP_NONE;
			if (s == TP_NONE)
				continue;
			struct cell *cell = &t->cells[(size_t)s * t->core_count + c];

			if (cell->there)
				continue; /* the same number again: a later run of the program; the first counts */
			cell->there = true;
			cell->start_ps = line->chip_start_ps[i];
			cell->duration_ps = line->chip_duration_ps[i];
			step_of[i] = s;
		}
		step_of_marker[c] = step_of;
	}
}

static void
find_fastest(const struct tp_pass_ctx *ctx, struct table *t)
{
	size_t most = 0;

	tp_map_init(&t->fastest, ctx->scratch);
	for (uint32_t c = 0; c < t->core_count; c++)
		most += t->cores[c].ops->tag_count;
	t->fastest_ps = tp_new_array(ctx->scratch, double, most);
	for (uint32_t c = 0; c < t->core_count; c++) {
		const struct tp_line *line = t->cores[c].ops;

		for (size_t k = 0; k < line->tag_count; k++) {
			if (line->tags[k].key != TP_TAG_ALL_REDUCE)
				continue;
			double ps = (double)line->chip_duration_ps[line->tags[k].event];
			uint64_t id = (uint64_t)line->tags[k].value;
			uint32_t at = tp_map_get(&t->fastest, id);

			if (at == TP_MAP_NONE) {
				at = t->fastest.count;
				tp_map_put(&t->fastest, id, at);
				t->fastest_ps[at] = ps;
			}
			if (ps < t->fastest_ps[at])
				t->fastest_ps[at] = ps;
		}
	}
}

static void
charge_ops(struct table *t, uint32_t c, const uint32_t *step_of_marker)
{
	const struct core *core = &t->cores[c];
	const struct tp_line *ops = core->ops, *markers = core->steps;
	uint32_t m = 0;
	size_t tag = 0;

	for (uint32_t i = 0; i < ops->count; i++) {
		int64_t start = ops->chip_start_ps[i], id;

		/* The step that began last: markers may overlap by some nanoseconds. The peer charges the
		 * first operations of the later step to the earlier one then, finds it longer than itself
		 * and shows its compute as 0. */
		while (m + 1 < markers->count && markers->chip_start_ps[m + 1] <= start)
			m++;
		if (start < markers->chip_start_ps[m] || step_of_marker[m] == TP_NONE ||
			start - markers->chip_start_ps[m] >= markers->chip_duration_ps[m])
			continue;
		struct cell *cell = &t->cells[(size_t)step_of_marker[m] * t->core_count + c];
		double self = (double)core->self_ps[i];

		cell->class_ps[t->class_of_op[ops->op[i]]] += self;
		cell->busy_ps += self;
		if (t->copies[ops->op[i]])
			cell->copy_ps += self;
		if (tp_tag_find(ops, &tag, i, TP_TAG_ALL_REDUCE, &id)) {
			cell->collective_compute_ps += t->fastest_ps[tp_map_get(&t->fastest, (uint64_t)id)];
			cell->collective_total_ps += (double)ops->chip_duration_ps[i];
		}
	}
}

static double
smaller(double a, double b)
{
	return a < b ? a : b;
}

static double
larger(double a, double b)
{
	return a > b ? a : b;
}

/* The longest marker of this step on the host of this core, the first of its host: what the TPU page counts from. Cores
 * of a host are neighbours. */
static double
host_duration(const struct table *t, const struct cell *cells, uint32_t core)
{
	double longest = 0;

	for (uint32_t c = core; c < t->core_count && t->cores[c].host == t->cores[core].host; c++)
		longest = larger(longest, (double)cells[c].duration_ps);
	return longest;
}

/* ComputeTpuPerStepDataAcrossCores of the peer. */
static void
tpu_parts(const struct table *t, const struct cell *cells, double *parts)
{
	double compute = 0, shortest = 0, host_ps = 0;
	const struct cell *longest_collective = &cells[0];

	for (uint32_t c = 0; c < t->core_count; c++) {
		const double *k = cells[c].class_ps;

		if (c == 0 || t->cores[c].host != t->cores[c - 1].host)
			host_ps = host_duration(t, cells, c);
		double own = cells[c].busy_ps < host_ps ? cells[c].busy_ps : host_ps;

		own -= k[TP_CLASS_INPUT_WAIT] + k[TP_CLASS_OUTPUT] + k[TP_CLASS_HOST_TRANSFER];
		compute = c == 0 || own < compute ? own : compute;
		shortest = c == 0 || host_ps < shortest ? host_ps : shortest;
		parts[TP_TPU_INFEED] = larger(parts[TP_TPU_INFEED], k[TP_CLASS_INPUT_WAIT]);
		parts[TP_TPU_OUTFEED] += k[TP_CLASS_OUTPUT] / t->core_count;
		if (cells[c].collective_total_ps > longest_collective->collective_total_ps)
			longest_collective = &cells[c];
	}
	parts[TP_TPU_COMPUTE] = compute;
	parts[TP_TPU_ALL_REDUCE_COMPUTE] = longest_collective->collective_compute_ps;
	parts[TP_TPU_ALL_REDUCE_SYNC] =
		longest_collective->collective_total_ps - longest_collective->collective_compute_ps;
	parts[TP_TPU_IDLE] =
		larger(0, shortest - (compute + parts[TP_TPU_INFEED] + parts[TP_TPU_OUTFEED]));
}

static struct tp_step
summarise(const struct table *t, uint32_t s)
{
	const struct cell *cells = &t->cells[(size_t)s * t->core_count];
	struct tp_step step = {.name = t->names[s]};

	for (uint32_t c = 0; c < t->core_count; c++)
		step.time_ps = larger(step.time_ps, (double)cells[c].duration_ps);
	for (uint32_t c = 0; c < t->core_count; c++) {
		step.copy_ps += cells[c].copy_ps / t->core_count;
		for (int k = 0; k < TP_CLASS_COUNT; k++)
			step.class_ps[k] += cells[c].class_ps[k] / t->core_count;
	}
	/* Gaps on a core, and its wait for the slowest, are what is left of the step. */
	double covered = 0;

	for (int k = 0; k < TP_CLASS_COUNT; k++)
		covered += step.class_ps[k];
	step.class_ps[TP_CLASS_IDLE] = larger(0, step.time_ps - covered);
	/* Operations that overlap or outlast the step, as in damaged data, share what there is: parts sum to the step. */
	for (int k = 0; covered > step.time_ps && k < TP_CLASS_COUNT; k++)
		step.class_ps[k] *= step.time_ps / covered;
	step.copy_ps *= covered > step.time_ps ? step.time_ps / covered : 1;
	tpu_parts(t, cells, step.tpu_ps);
	step.input_ps = smaller(step.tpu_ps[TP_TPU_INFEED], step.time_ps);
	step.output_ps = smaller(step.tpu_ps[TP_TPU_OUTFEED], step.time_ps);
	return step;
}

bool
tp_steps_from_tpu(const struct tp_pass_ctx *ctx, struct tp_steps *out, struct tp_slice *reason)
{
	struct table t = {0};

	find_cores(ctx, &t);
	if (t.core_count == 0) {
		*reason = TP_S("no TPU core has a Steps line with events");
		return false;
	}
	find_steps(ctx, &t);
	t.cells = tp_new_array(ctx->scratch, struct cell, (size_t)t.step_count * t.core_count);
	const uint32_t **step_of_marker = tp_new_array(ctx->scratch, const uint32_t *, t.core_count);

	place_steps(ctx, &t, step_of_marker);
	find_fastest(ctx, &t);
	t.class_of_op = tp_new_array(ctx->scratch, uint8_t, ctx->profile->op_count);
	t.copies = tp_new_array(ctx->scratch, bool, ctx->profile->op_count);
	for (uint32_t i = 0; i < ctx->profile->op_count; i++) {
		struct tp_slice category = ctx->profile->ops[i].category;

		t.class_of_op[i] = (uint8_t)tp_class_of_category(category);
		t.copies[i] =
			t.class_of_op[i] == TP_CLASS_COMPUTE && tp_hue_of_category(category) == TP_HUE_MEMORY;
	}
	for (uint32_t c = 0; c < t.core_count; c++)
		charge_ops(&t, c, step_of_marker[c]);
	out->tpu = true;
	out->seen = t.seen;
	out->timelines = t.core_count;
	out->steps = tp_new_array(ctx->keep, struct tp_step, t.step_count);
	for (uint32_t s = 0; s < t.step_count; s++)
		out->steps[out->count++] = summarise(&t, s);
	out->incomplete = out->seen - out->count;
	if (out->count == 0)
		*reason = TP_S("no step is complete on every core");
	return out->count != 0;
}

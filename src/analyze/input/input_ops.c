/* Input operations of host threads, with self times by nesting. Sources of the rules: xprof's
 * xplane_to_op_metrics_db.cc (nesting) and op_stats_to_input_pipeline_analysis.cc (classes, breakdown). */
#include "analyze/input/input_ops.h"

#include "analyze/core/ctx.h"
#include "analyze/facts/op_times.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>

struct open_op {
	int64_t end_ps, covered_ps; /* until when its children have taken its time */
	int64_t self_ps;
	uint32_t total; /* index in totals; TP_NONE: no input */
};

struct finder {
	const struct tp_profile *p;
	uint8_t *op_code;      /* by op of the profile: enum tp_host_op */
	uint32_t *total_of_op; /* by op; TP_NONE: not seen yet */
	struct tp_map by_name, by_stage;
	struct tp_buf totals;       /* struct tp_input_op */
	struct tp_input_time *time; /* by host of the profile */
	struct tp_arena *scratch;
};

static bool
read_names(struct finder *f)
{
	bool any = false;

	f->op_code = tp_new_array(f->scratch, uint8_t, f->p->op_count);
	for (uint32_t i = 0; i < f->p->op_count; i++) {
		if (f->p->ops[i].xla)
			continue;
		f->op_code[i] = (uint8_t)tp_host_op_of_name(f->p->ops[i].name);
		any |= f->op_code[i] >= TP_HOST_OP_INPUT;
	}
	return any;
}

static uint32_t
total_of(struct finder *f, struct tp_map *map, uint64_t key, struct tp_slice name, unsigned code)
{
	uint32_t index = tp_map_get(map, key);

	if (index != TP_MAP_NONE)
		return index;
	index = (uint32_t)f->totals.count;
	TP_PUSH(&f->totals, struct tp_input_op, .name = name,
		.class = (enum tp_input_class)(code - TP_HOST_OP_INPUT));
	tp_map_put(map, key, index);
	return index;
}

static uint32_t
total_of_op(struct finder *f, uint32_t op)
{
	struct tp_slice name = f->p->ops[op].name;

	if (f->total_of_op[op] == TP_NONE)
		f->total_of_op[op] = total_of(f, &f->by_name, tp_hash_bytes(name), name, f->op_code[op]);
	return f->total_of_op[op];
}

static void
close_op(struct finder *f, const struct tp_line *line, const struct open_op *open)
{
	if (open->total == TP_NONE)
		return;
	struct tp_input_op *op = (struct tp_input_op *)f->totals.data + open->total;
	struct tp_input_time *time = &f->time[line->host];

	op->self_ps = tp_add_ps(op->self_ps, open->self_ps);
	time->self_ps[op->class] = tp_add_ps(time->self_ps[op->class], open->self_ps);
	time->events++;
}

static bool
takes_part(const struct finder *f, const struct tp_line *line)
{
	if (line->kind != TP_LINE_THREAD)
		return false;
	if (line->tag_keys & (uint64_t)1 << TP_TAG_STAGE)
		return true;
	for (uint32_t i = 0; i < line->count; i++) {
		if (f->op_code[tp_line_op(line, i)] >= TP_HOST_OP_INPUT)
			return true;
	}
	return false;
}

/* What the event counts as, and where; stages are known by their number, for many have the same name. */
static unsigned
code_of_event(
	struct finder *f, const struct tp_line *line, uint32_t i, size_t *tag, uint32_t *total)
{
	unsigned code = f->op_code[tp_line_op(line, i)];
	int64_t stage, category;

	*total = TP_NONE;
	if (line->tag_keys & (uint64_t)1 << TP_TAG_STAGE &&
		tp_tag_find(line, tag, i, TP_TAG_STAGE, &stage) &&
		tp_tag_find(line, tag, i, TP_TAG_STAGE_CATEGORY, &category)) {
		code = tp_host_op_of_stage(tp_string(&f->p->strings, (uint32_t)category));
		if (code >= TP_HOST_OP_INPUT)
			*total = total_of(f, &f->by_stage, tp_hash_pair((uint64_t)stage, line->host),
				f->p->ops[tp_line_op(line, i)].name, code);
	} else if (code >= TP_HOST_OP_INPUT) {
		*total = total_of_op(f, tp_line_op(line, i));
	}
	return code;
}

static void
note_infeed(struct tp_input_time *time, const struct tp_line *line, uint32_t i, uint32_t *last)
{
	if (*last != TP_NONE) {
		time->infeed_ps = tp_add_ps(time->infeed_ps, tp_line_duration_ps(line, *last));
		time->infeed_period_ps = tp_add_ps(
			time->infeed_period_ps, tp_line_start_ps(line, i) - tp_line_start_ps(line, *last));
	}
	*last = i;
}

static struct open_op *
top_of(struct tp_buf *stack)
{
	return stack->count != 0 ? (struct open_op *)stack->data + stack->count - 1 : NULL;
}

/* The event's time is not its parent's own; what children that overlap share, as in damaged data, counts once. */
static void
nest(struct open_op *parent, int64_t start, int64_t end)
{
	if (parent == NULL || end <= parent->covered_ps)
		return;
	parent->self_ps -= end - (start > parent->covered_ps ? start : parent->covered_ps);
	parent->covered_ps = end;
}

static void
take_thread(struct finder *f, const struct tp_line *line)
{
	struct tp_buf stack = {0}; /* of struct open_op */
	uint32_t last_infeed = TP_NONE, total;
	size_t tag = 0;

	for (uint32_t i = 0; i < line->count; i++) {
		if (code_of_event(f, line, i, &tag, &total) == TP_HOST_OP_NONE)
			continue;
		int64_t start = tp_line_start_ps(line, i), end = start + tp_line_duration_ps(line, i);

		while (top_of(&stack) != NULL && top_of(&stack)->end_ps < end) {
			close_op(f, line, top_of(&stack));
			stack.count--;
		}
		nest(top_of(&stack), start, end);
		TP_PUSH(&stack, struct open_op, end, start, tp_line_duration_ps(line, i), total);
		if (total == TP_NONE)
			continue;
		struct tp_input_op *op = (struct tp_input_op *)f->totals.data + total;

		op->count++;
		op->total_ps = tp_add_ps(op->total_ps, tp_line_duration_ps(line, i));
		if (op->class == TP_INPUT_ENQUEUE && tp_slice_has(op->name, TP_S("InfeedEnqueue")))
			note_infeed(&f->time[line->host], line, i, &last_infeed);
	}
	for (; top_of(&stack) != NULL; stack.count--)
		close_op(f, line, top_of(&stack));
	tp_buf_free(&stack);
}

int
tp_input_by_self(const void *left, const void *right)
{
	const struct tp_input_op *a = left, *b = right;

	if (a->self_ps != b->self_ps)
		return a->self_ps > b->self_ps ? -1 : 1;
	return tp_slice_cmp(a->name, b->name);
}

static void
gather(const struct tp_pass_ctx *ctx, struct finder *f, struct tp_input_ops *out)
{
	out->count = f->totals.count;
	out->ops = tp_buf_settle(&f->totals, sizeof *out->ops, ctx->keep);
	qsort(out->ops, out->count, sizeof *out->ops, tp_input_by_self);
	for (size_t i = 0; i < out->count; i++)
		out->self_ps = tp_add_ps(out->self_ps, out->ops[i].self_ps);
	out->hosts = tp_new_array(ctx->keep, struct tp_input_time, f->p->host_count);
	for (uint32_t h = 0; h < f->p->host_count; h++) {
		const struct tp_input_time *time = &f->time[h];

		if (time->events == 0)
			continue;
		out->hosts[out->host_count] = *time;
		out->hosts[out->host_count++].host = h;
		out->all.events += time->events;
		for (int c = 0; c < TP_INPUT_CLASS_COUNT; c++)
			out->all.self_ps[c] = tp_add_ps(out->all.self_ps[c], time->self_ps[c]);
		out->all.infeed_ps = tp_add_ps(out->all.infeed_ps, time->infeed_ps);
		out->all.infeed_period_ps = tp_add_ps(out->all.infeed_period_ps, time->infeed_period_ps);
	}
}

void
tp_input_ops_find(const struct tp_pass_ctx *ctx, struct tp_input_ops *out)
{
	struct finder f = {.p = ctx->profile, .scratch = ctx->scratch};
	bool any = read_names(&f);

	*out = (struct tp_input_ops){.all.host = TP_NONE};
	for (uint32_t l = 0; l < f.p->line_count && !any; l++)
		any = (f.p->lines[l].tag_keys & (uint64_t)1 << TP_TAG_STAGE) != 0;
	if (!any)
		return;
	f.total_of_op = tp_new_array(f.scratch, uint32_t, f.p->op_count);
	memset(f.total_of_op, 0xff, f.p->op_count * sizeof *f.total_of_op);
	f.time = tp_new_array(f.scratch, struct tp_input_time, f.p->host_count);
	tp_map_init(&f.by_name, f.scratch);
	tp_map_init(&f.by_stage, f.scratch);
	for (uint32_t l = 0; l < f.p->line_count; l++) {
		if (takes_part(&f, &f.p->lines[l]))
			take_thread(&f, &f.p->lines[l]);
	}
	gather(ctx, &f, out);
}

struct tp_input_breakdown
tp_input_break_down(const struct tp_input_time *time, double to_device_share)
{
	struct tp_input_breakdown b = {.transfer_share = NAN};
	double enqueue = (double)time->self_ps[TP_INPUT_ENQUEUE], others = 0, r = to_device_share;

	if (time->infeed_period_ps > 0)
		r = (double)time->infeed_ps / (double)time->infeed_period_ps;
	r = r > 1 ? 1 : r; /* stays unknown where only one transfer was seen */
	for (int c = 0; c < TP_INPUT_OTHER; c++)
		others += c == TP_INPUT_ENQUEUE ? 0 : (double)time->self_ps[c];
	/* A device that got its input without an operation of the host leaves nothing to scale by; xprof then says that
	 * the host did nothing at all. */
	bool scaled = r > 0 && enqueue > 0;
	double wanted = scaled ? enqueue * (1 - r) / r : others;

	b.ps[TP_INPUT_ENQUEUE] = enqueue;
	for (int c = 0; c < TP_INPUT_OTHER; c++) {
		if (c != TP_INPUT_ENQUEUE && others > 0)
			b.ps[c] = wanted * (double)time->self_ps[c] / others;
	}
	/* Time between transfers that no operation explains; else what stages of no known category took. */
	b.ps[TP_INPUT_OTHER] = scaled && others <= 0 ? wanted : (double)time->self_ps[TP_INPUT_OTHER];
	b.transfer_share = scaled ? r : NAN;
	for (int c = 0; c < TP_INPUT_CLASS_COUNT; c++)
		b.total_ps += b.ps[c];
	return b;
}

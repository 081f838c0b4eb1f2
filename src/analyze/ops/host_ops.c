/* One pass over host threads with a stack of open operations. Which events are operations follows xprof's
 * xplane_to_op_metrics_db.cc: those whose name is "name:Type", an iterator's or a copy's. Unlike there, an event that only
 * names an operation in its arguments is none: xprof counts each memory allocation that was made for an operation as
 * another occurrence of it, which doubles the counts and halves the means, and takes threads that only allocate for idle
 * ones. And operations of equal ends nest in each other as all others do, where there the inner one is lost. */
#include "analyze/ops/host_ops.h"
#include "analyze/core/pass.h"

#include "analyze/facts/framework_name.h"
#include "analyze/facts/op_times.h"
#include "analyze/ops/ops_words.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "model/profile.h"

#include <stdlib.h>

/* What an operation of the profile is, as far as it was looked at. */
enum { NOT_SEEN = UINT32_MAX, NO_FRAMEWORK = UINT32_MAX - 1 };

struct collecting {
	const struct tp_profile *p;
	uint32_t *row_of_op; /* by operation of the profile: its row, or one of the above */
	struct tp_map names; /* → row */
	struct tp_buf rows;  /* of struct tp_framework_total */
	struct tp_buf stack; /* of struct open_op */
	struct tp_host_ops *out;
};

struct open_op {
	uint32_t row;
	int64_t end_ps, covered_ps; /* covered: until when its children have taken its time */
};

static uint32_t
row_of(struct collecting *c, uint32_t op)
{
	uint32_t *known = &c->row_of_op[op];

	if (*known != NOT_SEEN)
		return *known;
	struct tp_framework_name n = tp_framework_name(c->p->ops[op].name);

	if (n.family == TP_FAMILY_NONE) {
		*known = NO_FRAMEWORK;
		return *known;
	}
	if (tp_map_number(&c->names, tp_hash_bytes(n.name), known))
		TP_PUSH(&c->rows, struct tp_framework_total, .name = n.name, .type = n.type,
			.sums.hue = n.family == TP_FAMILY_DATASET ? TP_HUE_INPUT : TP_HUE_HOST);
	return *known;
}

/* Enters an event that began after those of the stack: its time is its own and no longer its parent's. */
static void
enter(struct collecting *c, uint32_t row, int64_t start_ps, int64_t duration_ps)
{
	struct tp_framework_total *rows = c->rows.data;
	struct open_op *stack = c->stack.data;
	int64_t end_ps = start_ps + duration_ps;

	while (c->stack.count != 0 && end_ps > stack[c->stack.count - 1].end_ps)
		c->stack.count--;
	if (c->stack.count != 0) {
		struct open_op *parent = &stack[c->stack.count - 1];
		int64_t from = start_ps > parent->covered_ps ? start_ps : parent->covered_ps;

		if (end_ps > from) {
			rows[parent->row].sums.self_ps -= end_ps - from;
			parent->covered_ps = end_ps;
		}
	}
	struct tp_op_total *sums = &rows[row].sums;

	sums->occurrences++;
	sums->total_ps = tp_add_ps(sums->total_ps, duration_ps);
	sums->self_ps = tp_add_ps(sums->self_ps, duration_ps);
	TP_PUSH(&c->stack, struct open_op, row, end_ps, start_ps);
}

/* Rows are in the order in which their operations come first. */
static uint64_t
bits_with_rows(struct collecting *c, const struct tp_line *line)
{
	uint64_t bits = 0;

	for (uint32_t i = 0; line->ops.met != NULL && i < line->ops.met_count; i++)
		bits |= row_of(c, line->ops.met[i]) != NO_FRAMEWORK ? tp_met_bit(i) : 0;
	return bits;
}

static void
read_thread(struct collecting *c, const struct tp_line *line)
{
	int64_t first_ps = 0, last_ps = INT64_MIN;
	uint64_t bits = bits_with_rows(c, line);
	bool any = false;

	c->stack.count = 0;
	for (uint32_t i = tp_line_next(line, bits, 0); i < line->count;
		 i = tp_line_next(line, bits, i + 1)) {
		uint32_t row = row_of(c, tp_line_op(line, i));

		if (row == NO_FRAMEWORK)
			continue;
		int64_t start_ps = tp_line_start_ps(line, i),
				end_ps = start_ps + tp_line_duration_ps(line, i);

		first_ps = any ? first_ps : start_ps;
		last_ps = end_ps > last_ps ? end_ps : last_ps;
		any = true;
		enter(c, row, start_ps, tp_line_duration_ps(line, i));
	}
	if (!any)
		return;
	c->out->threads++;
	c->out->total_ps = tp_add_ps(c->out->total_ps, last_ps - first_ps);
}

TP_ORDER(by_self, struct tp_framework_total, TP_DOWN(sums.self_ps), tp_slice_cmp(a->name, b->name));

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_host_ops *out = tp_new(ctx->keep, struct tp_host_ops);
	struct collecting c = {
		.p = p, .out = out, .row_of_op = tp_new_array(ctx->scratch, uint32_t, p->op_count)};

	memset(c.row_of_op, 0xff, p->op_count * sizeof *c.row_of_op);
	tp_map_init(&c.names, ctx->scratch);
	for (uint32_t l = 0; l < p->line_count; l++) {
		if (p->lines[l].kind == TP_LINE_THREAD)
			read_thread(&c, &p->lines[l]);
	}
	out->count = c.rows.count;
	out->ops = tp_buf_settle(&c.rows, sizeof *out->ops, ctx->keep);
	tp_buf_free(&c.stack);
	if (out->count == 0)
		return tp_fail(err, TP_ABSENT, why_no_host_operations);
	qsort(out->ops, out->count, sizeof *out->ops, by_self);
	for (size_t i = 0; i < out->count; i++) {
		out->occurrences += out->ops[i].sums.occurrences;
		out->busy_ps = tp_add_ps(out->busy_ps, out->ops[i].sums.self_ps);
	}
	/* Operations that overlap without nesting may be longer together than their thread. */
	if (out->total_ps < out->busy_ps)
		out->total_ps = out->busy_ps;
	*result = out;
	return TP_OK;
}

/* The device's operations of the framework may be there all the same. */
static void
present_skipped(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	tp_host_ops_present(ctx, NULL, doc);
}

const struct tp_pass tp_pass_host_ops = {
	.name = "framework-ops",
	.title = "Framework operations",
	.summary = "TensorFlow, JAX and tf.data operations on the device and on host threads",
	.place = TP_PLACE_OPERATIONS + 1,
	.analyze = analyze,
	.metrics = tp_host_ops_metrics,
	.present = tp_host_ops_present,
	.present_skipped = present_skipped,
	.lacks = TP_LACKS({"framework-ops", "TensorFlow operations on the host", TP_LACK_TIMED,
		.tensorflow = "Set `tf.profiler.experimental.ProfilerOptions(host_tracer_level=2)`."}),
};

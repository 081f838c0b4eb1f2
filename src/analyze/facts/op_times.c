/* Self times by one pass over each line with a stack of open events. Source of the rule: xprof's
 * xplane_to_op_metrics_db.cc; an event is the child of the nearest one that contains it. */
#include "analyze/facts/op_times.h"
#include "analyze/core/pass.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/pool.h"
#include "base/saturate.h"
#include "base/texts.h"
#include "model/profile.h"

bool
tp_op_is_container(struct tp_slice category)
{
	return tp_texts_any(category, tp_slice_eq, TP_TEXTS("while", "call", "conditional"));
}

bool
tp_op_costs_by_event(struct tp_slice category)
{
	return tp_slice_eq(category, TP_S("custom-call"));
}

struct open_op {
	int64_t end_ps;
	int64_t covered_ps; /* until when its children have taken its time */
	int64_t self_ps;    /* so far */
	uint32_t event;
};

/* A line that counts, in the hands of one thread. */
struct measured {
	const struct tp_profile *p;
	const struct tp_line *line;
	bool xla_only;
	uint32_t *narrow;
	struct tp_buf wide; /* int64_t */
	struct tp_buf open; /* struct open_op */
};

static void
keep_self(struct measured *m, uint32_t event, int64_t self_ps)
{
	if ((uint64_t)self_ps < TP_FIRST_WIDE) {
		m->narrow[event] = (uint32_t)self_ps;
		return;
	}
	m->narrow[event] = TP_FIRST_WIDE + (uint32_t)m->wide.count;
	TP_PUSH(&m->wide, int64_t, self_ps);
}

/* Operations that end before this one does not hold it. */
static void
close_ops(struct measured *m, int64_t end_ps)
{
	const struct open_op *open = m->open.data;

	while (m->open.count != 0 && open[m->open.count - 1].end_ps < end_ps) {
		const struct open_op *last = &open[--m->open.count];

		keep_self(m, last->event, last->self_ps);
	}
}

/* self = duration − time of direct children, which counts once where damaged data make children overlap. Events that are
 * skipped keep self 0 and nest nothing. */
static void
measure(void *with, size_t index)
{
	struct measured *m = (struct measured *)with + index;
	const struct tp_line *line = m->line;
	bool nests = line->kind != TP_LINE_STREAM;

	for (uint32_t i = 0; i < line->count; i++) {
		int64_t start = tp_line_chip_start_ps(line, i);
		int64_t self = tp_line_chip_duration_ps(line, i), end = start + self;

		if (m->xla_only && !m->p->ops[tp_line_op(line, i)].xla)
			continue;
		if (!nests) {
			keep_self(m, i, self);
			continue;
		}
		close_ops(m, end);
		if (m->open.count != 0) {
			struct open_op *parent = (struct open_op *)m->open.data + m->open.count - 1;

			if (end > parent->covered_ps) {
				parent->self_ps -= end - (start > parent->covered_ps ? start : parent->covered_ps);
				parent->covered_ps = end;
			}
		}
		TP_PUSH(&m->open, struct open_op, end, start, self, i);
	}
	close_ops(m, INT64_MAX);
	tp_buf_free(&m->open);
}

static void
sum_events(const struct tp_profile *p, const struct tp_line *line, const struct tp_self_times *self,
	bool xla_only, struct tp_op_sum *sums)
{
	for (uint32_t i = 0; i < line->count; i++) {
		struct tp_op_sum *sum = &sums[tp_line_op(line, i)];

		if (xla_only && !p->ops[tp_line_op(line, i)].xla)
			continue;
		sum->occurrences++;
		sum->self_ps = tp_add_ps(sum->self_ps, tp_self_ps(self, i));
		sum->host = line->host;
		sum->device = line->device;
	}
	for (size_t t = 0; line->kind == TP_LINE_OPS && t < line->tag_count; t++) {
		const struct tp_tag *tag = &line->tags[t];
		uint32_t op = tp_line_op(line, tag->event);

		if ((tag->key != TP_TAG_FLOPS && tag->key != TP_TAG_BYTES) || tag->value <= 0 ||
			!tp_op_costs_by_event(p->ops[op].category))
			continue;
		uint64_t *sum = tag->key == TP_TAG_FLOPS ? &sums[op].flops : &sums[op].hbm_bytes;

		*sum = tp_plus(*sum, (uint64_t)tag->value);
	}
}

static void
add_costs(const struct tp_op *op, struct tp_op_sum *sum)
{
	if (tp_op_is_container(op->category) || sum->flops != 0 || sum->hbm_bytes != 0)
		return;
	sum->flops = tp_times(op->has_costs ? op->flops : op->matrix_flops, sum->occurrences);
	sum->hbm_bytes = tp_times(op->hbm_bytes, sum->occurrences);
}

/* Whether a line counts. */
static bool
counts(const struct tp_profile *p, const struct tp_line *line, bool on_host)
{
	if (on_host)
		return line->kind == TP_LINE_THREAD && tp_line_has_xla(p, line);
	return line->kind == TP_LINE_OPS || line->kind == TP_LINE_STREAM;
}

enum { FEW_EVENTS = 1 << 20 };

/* Lines side by side. */
static void
measure_lines(const struct tp_pass_ctx *ctx, bool on_host, const struct tp_self_times **self)
{
	const struct tp_profile *p = ctx->profile;
	struct measured *all = tp_new_array(ctx->scratch, struct measured, p->line_count);
	size_t count = 0;
	uint64_t events = 0;

	for (uint32_t l = 0; l < p->line_count; l++) {
		const struct tp_line *line = &p->lines[l];

		events += counts(p, line, on_host) ? line->count : 0;
		if (counts(p, line, on_host))
			all[count++] = (struct measured){.p = p,
				.line = line,
				.xla_only = on_host,
				.narrow = tp_new_array(ctx->keep, uint32_t, line->count)};
	}
	/* Who waits for others works on what takes longer, and the steps wait for that. */
	tp_pool_each(events < FEW_EVENTS ? NULL : ctx->options->pool, count, measure, all);
	for (size_t i = 0; i < count; i++) {
		struct tp_self_times *own = tp_new(ctx->keep, struct tp_self_times);

		own->narrow = all[i].narrow;
		own->wide = tp_buf_settle(&all[i].wide, sizeof(int64_t), ctx->keep);
		self[all[i].line - p->lines] = own;
	}
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_op_times *times = tp_new(ctx->keep, struct tp_op_times);
	const struct tp_self_times **self =
		tp_new_array(ctx->keep, const struct tp_self_times *, p->line_count);
	struct tp_op_sum *sums = tp_new_array(ctx->keep, struct tp_op_sum, p->op_count);

	(void)err;
	times->self = self;
	times->ops = sums;
	times->on_host = (ctx->facts & TP_HAS_DEVICE_OPS) == 0;
	measure_lines(ctx, times->on_host, self);
	for (uint32_t i = 0; i < p->line_count; i++) {
		if (self[i] != NULL)
			sum_events(p, &p->lines[i], self[i], times->on_host, sums);
	}
	for (uint32_t i = 0; i < p->op_count; i++)
		add_costs(&p->ops[i], &sums[i]);
	*result = times;
	return TP_OK;
}

const struct tp_pass tp_pass_op_times = {
	.name = "op-times",
	.title = "Self times",
	.summary = "time of each operation without those nested in it; the basis of other passes",
	.needs_any = TP_HAS_DEVICE_OPS | TP_HAS_HOST_XLA_OPS,
	.analyze = analyze,
	.lacks_nothing = "the operations pass says what is missing",
};

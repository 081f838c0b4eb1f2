/* Self times by one pass over each line with a stack of open events. Source of the rule: xprof's
 * xplane_to_op_metrics_db.cc; an event is the child of the nearest one that contains it. */
#include "analyze/facts/op_times.h"
#include "analyze/core/pass.h"

#include "base/arena.h"
#include "base/buf.h"
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
	uint32_t event;
	int64_t covered_ps; /* until when its children have taken its time */
};

/* self = duration − time of direct children, which counts once where damaged data make children overlap. Events that are
 * skipped keep self 0 and nest nothing. */
static int64_t *
self_times(const struct tp_profile *p, const struct tp_line *line, bool xla_only, bool nests,
	struct tp_arena *keep)
{
	int64_t *self = tp_new_array(keep, int64_t, line->count);
	struct tp_buf stack = {0}; /* struct open_op */

	for (uint32_t i = 0; i < line->count; i++) {
		int64_t start = tp_line_chip_start_ps(line, i),
				end = start + tp_line_chip_duration_ps(line, i);

		if (xla_only && !p->ops[tp_line_op(line, i)].xla)
			continue;
		self[i] = tp_line_chip_duration_ps(line, i);
		if (!nests)
			continue;
		struct open_op *open = stack.data;

		while (stack.count != 0) {
			uint32_t top = open[stack.count - 1].event;

			if (end <= tp_line_chip_start_ps(line, top) + tp_line_chip_duration_ps(line, top))
				break;
			stack.count--;
		}
		if (stack.count != 0 && end > open[stack.count - 1].covered_ps) {
			struct open_op *parent = &open[stack.count - 1];

			self[parent->event] -= end - (start > parent->covered_ps ? start : parent->covered_ps);
			parent->covered_ps = end;
		}
		TP_PUSH(&stack, struct open_op, i, start);
	}
	tp_buf_free(&stack);
	return self;
}

bool
tp_has_xla(const struct tp_profile *p, const struct tp_line *line)
{
	for (uint32_t i = 0; i < line->count; i++) {
		if (p->ops[tp_line_op(line, i)].xla)
			return true;
	}
	return false;
}

static void
sum_events(const struct tp_profile *p, const struct tp_line *line, const int64_t *self_ps,
	bool xla_only, struct tp_op_sum *sums)
{
	for (uint32_t i = 0; i < line->count; i++) {
		struct tp_op_sum *sum = &sums[tp_line_op(line, i)];

		if (xla_only && !p->ops[tp_line_op(line, i)].xla)
			continue;
		sum->occurrences++;
		sum->self_ps = tp_add_ps(sum->self_ps, self_ps[i]);
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

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_op_times *times = tp_new(ctx->keep, struct tp_op_times);
	const int64_t **self = tp_new_array(ctx->keep, const int64_t *, p->line_count);

	struct tp_op_sum *sums = tp_new_array(ctx->keep, struct tp_op_sum, p->op_count);

	(void)err;
	times->self_ps = self;
	times->ops = sums;
	times->on_host = (ctx->facts & TP_HAS_DEVICE_OPS) == 0;
	for (uint32_t i = 0; i < p->line_count; i++) {
		const struct tp_line *line = &p->lines[i];
		bool on_device = line->kind == TP_LINE_OPS || line->kind == TP_LINE_STREAM;
		bool wanted =
			times->on_host ? line->kind == TP_LINE_THREAD && tp_has_xla(p, line) : on_device;

		if (!wanted)
			continue;
		int64_t *own = self_times(p, line, times->on_host, line->kind != TP_LINE_STREAM, ctx->keep);

		sum_events(p, line, own, times->on_host, sums);
		self[i] = own;
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

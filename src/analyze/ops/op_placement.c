/* Shares of the framework's operations by how they ran. Source of the rules: xprof's op_stats_to_overview_page.cc, for
 * what is eager XLA's group_events.cc. xprof takes all time of an operation for eager when one occurrence was; here each
 * counts for itself. */
#include "analyze/ops/op_placement.h"
#include "analyze/core/pass.h"

#include "analyze/core/say.h"
#include "analyze/facts/framework_name.h"
#include "analyze/facts/op_times.h"
#include "analyze/ops/host_ops.h"
#include "analyze/ops/ops.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "model/profile.h"
#include "report/doc.h"

struct open_op {
	int64_t end_ps, covered_ps; /* until when its children have taken its time */
	int64_t self_ps;
	bool eager;        /* an operation of TensorFlow that was run eagerly */
	bool inside_eager; /* what is in it was run eagerly, as far as nesting tells */
	size_t holder; /* nearest of the stack that is an operation, itself included; SIZE_MAX: none */
};

struct placing {
	struct tp_op_placement *out;
	uint8_t *what;          /* by op: enum what */
	struct tp_map launches; /* (correlation, host) of what was launched eagerly */
	bool stated;            /* the profiler says of each operation whether it was run eagerly */
	bool derived;           /* it says what was called, and nesting the rest */
};

enum what { OTHER, OPERATION, TENSORFLOW, EAGER_EXECUTE }; /* only TensorFlow runs eagerly */

static enum what
what_is(const struct tp_op *op)
{
	static const enum what of_family[] = {
		[TP_FAMILY_NONE] = OTHER,
		[TP_FAMILY_TENSORFLOW] = TENSORFLOW,
		[TP_FAMILY_JAX] = OPERATION,
		[TP_FAMILY_DATASET] = OPERATION,
		[TP_FAMILY_COPY] = OPERATION,
	};

	if (tp_slice_eq(op->name, TP_S("EagerExecute")))
		return EAGER_EXECUTE;
	return op->xla ? OTHER : of_family[tp_framework_name(op->name).family];
}

static bool
has_tag(const struct tp_profile *p, enum tp_tag_key key)
{
	for (uint32_t l = 0; l < p->line_count; l++) {
		if (p->lines[l].tag_keys & (uint64_t)1 << key)
			return true;
	}
	return false;
}

static void
close_op(struct placing *w, const struct open_op *op)
{
	if (op->eager)
		w->out->host_eager_ps = tp_add_ps(w->out->host_eager_ps, op->self_ps);
}

static struct open_op *
top_of(struct tp_buf *stack)
{
	return stack->count != 0 ? (struct open_op *)stack->data + stack->count - 1 : NULL;
}

/* Opens an event in those that hold it; its time, when it is an operation, is not theirs. */
static void
push(struct tp_buf *stack, struct open_op op, int64_t start_ps, bool operation)
{
	struct open_op *top = top_of(stack);
	size_t holder = top != NULL ? top->holder : SIZE_MAX;

	if (operation && holder != SIZE_MAX) {
		struct open_op *outer = (struct open_op *)stack->data + holder;

		if (op.end_ps > outer->covered_ps) {
			outer->self_ps -=
				op.end_ps - (start_ps > outer->covered_ps ? start_ps : outer->covered_ps);
			outer->covered_ps = op.end_ps;
		}
	}
	op.covered_ps = start_ps;
	op.self_ps = op.end_ps - start_ps;
	op.holder = operation ? stack->count : holder;
	*tp_buf_new(stack, struct open_op) = op;
}

static void
pop_before(struct placing *w, struct tp_buf *stack, int64_t end_ps)
{
	for (struct open_op *top; (top = top_of(stack)) != NULL && top->end_ps < end_ps; stack->count--)
		close_op(w, top);
}

/* What is nested in EagerExecute was run eagerly, unless that ran a function; such operations run on the thread that asked
 * for them. */
static void
take_thread(struct placing *w, const struct tp_line *line)
{
	struct tp_buf stack = {0};
	size_t tag = 0;

	for (uint32_t i = 0; i < line->count; i++) {
		enum what what = (enum what)w->what[tp_line_op(line, i)];
		int64_t end = tp_line_start_ps(line, i) + tp_line_duration_ps(line, i), value, correlation;
		bool launch = tp_tag_find(line, &tag, i, TP_TAG_CORRELATION, &correlation);

		if (what == OTHER && !launch)
			continue;
		pop_before(w, &stack, end);
		bool inside = stack.count != 0 && top_of(&stack)->inside_eager, eager = inside;

		if (what == EAGER_EXECUTE)
			inside = tp_tag_find(line, &tag, i, TP_TAG_FUNCTION, &value) && value == 0;
		if (w->stated)
			eager = tp_tag_find(line, &tag, i, TP_TAG_EAGER, &value) && value != 0;
		if (launch && inside)
			tp_map_put(&w->launches, tp_hash_pair((uint64_t)correlation, line->host), 1);
		if (what != OTHER)
			push(&stack,
				(struct open_op){
					.end_ps = end, .eager = eager && what == TENSORFLOW, .inside_eager = inside},
				tp_line_start_ps(line, i), what != EAGER_EXECUTE);
	}
	pop_before(w, &stack, INT64_MAX);
	tp_buf_free(&stack);
}

/* Kernels that say what operation they are of. */
static void
take_stream(struct placing *w, const struct tp_line *line)
{
	size_t tag = 0;

	for (uint32_t i = 0; i < line->count; i++) {
		int64_t value, correlation;
		bool named = (tp_tag_find(line, &tag, i, TP_TAG_FRAMEWORK, &value) ||
						 tp_tag_find(line, &tag, i, TP_TAG_ANNOTATION, &value)) &&
			value != 0;

		if (!named)
			continue;
		bool eager = w->stated ? tp_tag_find(line, &tag, i, TP_TAG_EAGER, &value) && value != 0
							   : tp_tag_find(line, &tag, i, TP_TAG_CORRELATION, &correlation) &&
				tp_map_get(&w->launches, tp_hash_pair((uint64_t)correlation, line->host)) !=
					TP_MAP_NONE;

		w->out->device_ps = tp_add_ps(w->out->device_ps, tp_line_duration_ps(line, i));
		if (eager)
			w->out->device_eager_ps =
				tp_add_ps(w->out->device_eager_ps, tp_line_duration_ps(line, i));
	}
}

bool
tp_is_outside_compilation(struct tp_slice framework, struct tp_slice hlo)
{
	return tp_slice_ends(framework, TP_S(":XlaSendToHost")) ||
		tp_slice_ends(framework, TP_S(":XlaRecvFromHost")) ||
		(tp_slice_has(hlo, TP_S("send-done")) && tp_slice_has(hlo, TP_S("is_host_transfer=true")));
}

static void
take_device(const struct tp_ops *o, struct tp_op_placement *out)
{
	if (o == NULL || o->on_host)
		return;
	out->device_op_ps = o->busy_ps;
	for (size_t i = 0; i < o->count; i++) {
		const struct tp_op *op = o->ops[i].op;

		if (op != NULL && tp_is_outside_compilation(op->framework, op->name))
			out->outside_ps = tp_add_ps(out->outside_ps, o->ops[i].self_ps);
	}
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_host_ops *host = tp_result(ctx, &tp_pass_host_ops);
	struct placing w = {.out = tp_new(ctx->keep, struct tp_op_placement),
		.what = tp_new_array(ctx->scratch, uint8_t, p->op_count),
		.stated = has_tag(p, TP_TAG_EAGER)};

	(void)err;
	tp_map_init(&w.launches, ctx->scratch);
	for (uint32_t i = 0; i < p->op_count; i++) {
		w.what[i] = (uint8_t)what_is(&p->ops[i]);
		w.derived = w.derived || w.what[i] == EAGER_EXECUTE;
	}
	for (uint32_t l = 0; l < p->line_count && (w.stated || w.derived); l++) {
		if (p->lines[l].kind == TP_LINE_THREAD)
			take_thread(&w, &p->lines[l]);
	}
	for (uint32_t l = 0; l < p->line_count; l++) {
		if (p->lines[l].kind == TP_LINE_STREAM)
			take_stream(&w, &p->lines[l]);
	}
	take_device(tp_result(ctx, &tp_pass_ops), w.out);
	w.out->host_ps = host != NULL ? host->busy_ps : 0;
	*result = w.out;
	return TP_OK;
}

static void
metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_op_placement *o = result;
	struct tp_slice no_host = tp_result(ctx, &tp_pass_host_ops) == NULL
		? tp_skipped(ctx, &tp_pass_host_ops)
		: TP_S("operations on host threads took no time");

	tp_say_metric(doc, "host.op_eager_share", "Eager operations on the host",
		tp_share((double)o->host_eager_ps, (double)o->host_ps, no_host),
		"self time of eagerly executed framework operations on the host (not in a function), over "
		"that of all");
	tp_say_metric(doc, "device.op_eager_share", "Eager operations on devices",
		tp_share((double)o->device_eager_ps, (double)o->device_ps,
			TP_S("no GPU kernel names its framework operation")),
		"time of kernels launched by eagerly executed operations (not in a function), over that of "
		"all kernels whose operation is known");
	tp_say_metric(doc, "device.outside_compilation_share", "Outside compilation",
		tp_share((double)o->outside_ps, (double)o->device_op_ps,
			TP_S("no device operation was recorded")),
		"self time of device operations that send to the host or wait for it mid-program, over "
		"that of all");
}

static void
remark(struct tp_doc *doc, struct tp_block *section, const char *id, const char *metric,
	const char *markup)
{
	struct tp_value share = tp_doc_find_metric(doc, tp_slice_of(metric))->value;

	if (tp_known(share) && share.number > 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, id, TP_SAY(doc, markup, share));
}

/* In the section on operations, what there is of it; that there is none is told by the checks. */
static void
present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	struct tp_block *section = tp_doc_find_section(doc, "operations");

	(void)result;
	if (ctx->profile->torch != NULL || section == NULL)
		return;
	remark(doc, section, "operations/eager-on-host", "host.op_eager_share",
		"{} of framework operation time on the host is eager execution.");
	remark(doc, section, "operations/eager-on-devices", "device.op_eager_share",
		"{} of kernel time was launched by eager operations.");
	remark(doc, section, "operations/outside-compilation", "device.outside_compilation_share",
		"{} of device operation time is outside compilation: sending to the host mid-program and "
		"waiting for it.");
}

const struct tp_pass tp_pass_op_placement = {
	.name = "op-placement",
	.title = "How operations ran",
	.summary = "shares of eager operations and of outside compilation",
	.after = TP_AFTER(&tp_pass_ops, &tp_pass_host_ops),
	.place = TP_PLACE_PLACEMENT,
	.analyze = analyze,
	.metrics = metrics,
	.present = present,
	.lacks_nothing =
		"it covers eager operations and outside compilation, which most programs do not have",
};

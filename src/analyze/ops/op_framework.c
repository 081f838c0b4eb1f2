/* The rule is the peer's CreateTfMetricsDbFromDeviceOpMetricsDb: times and costs are sums, occurrences those of the device
 * operation that occurs most often, for several of them make up one call of the framework's operation. */
#include "analyze/ops/op_framework.h"

#include "analyze/facts/framework_name.h"
#include "analyze/facts/op_times.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>

struct summing {
	const struct tp_pass_ctx *ctx;
	struct tp_map index;  /* name → total */
	struct tp_buf totals; /* of struct tp_framework_total */
};

/* The total of the operation that text names; label: its name where that is none. */
static struct tp_framework_total *
total_of(struct summing *s, struct tp_slice text, struct tp_slice label)
{
	struct tp_framework_name n = text.len != 0
		? tp_framework_name(text)
		: (struct tp_framework_name){TP_FAMILY_NONE, label, {NULL, 0}};

	if (n.name.len == 0) /* ":", ":MatMul" */
		n.name = label;
	uint64_t key = tp_hash_bytes(n.name);
	uint32_t at = tp_map_get(&s->index, key);

	if (at != TP_MAP_NONE)
		return (struct tp_framework_total *)s->totals.data + at;
	tp_map_put(&s->index, key, (uint32_t)s->totals.count);
	struct tp_framework_total *f = tp_buf_add(&s->totals, sizeof *f);

	f->name = n.name;
	f->type = n.type.len != 0 ? n.type : TP_S("Unknown");
	return f;
}

static void
add(struct tp_framework_total *f, const struct tp_op_total *t)
{
	uint64_t most = f->sums.occurrences > t->occurrences ? f->sums.occurrences : t->occurrences;

	/* The colour of the first, which is that with the most time. */
	if (f->sums.occurrences == 0)
		f->sums.hue = t->hue;
	tp_op_add(&f->sums, t);
	f->sums.occurrences = most;
}

/* What a kernel or copy worked on: a GPU's event says it, for a kernel serves many operations. Old profiles write it with
 * shapes behind: "scope/Mul:Mul#shape=(half[8])#". */
static struct tp_slice
framework_of_event(
	const struct tp_profile *p, const struct tp_line *line, size_t *tag, uint32_t event)
{
	int64_t id;

	if (tp_tag_find(line, tag, event, TP_TAG_FRAMEWORK, &id))
		return tp_string(&p->strings, (uint32_t)id);
	if (!tp_tag_find(line, tag, event, TP_TAG_ANNOTATION, &id))
		return p->ops[line->op[event]].framework;
	struct tp_slice text = tp_string(&p->strings, (uint32_t)id);
	const char *hash = text.len != 0 ? memchr(text.ptr, '#', text.len) : NULL;

	if (hash != NULL)
		text.len = (size_t)(hash - text.ptr);
	/* Other annotations are of whatever code was running, not operations. */
	return tp_framework_name(text).family != TP_FAMILY_NONE ? text : (struct tp_slice){NULL, 0};
}

/* Occurrences of a kernel for each operation that it served, as if they were kernels of their own. */
struct serving {
	const struct tp_pass_ctx *ctx;
	const struct tp_ops *ops;
	struct tp_map index;  /* (framework operation, label) → total */
	struct tp_map labels; /* of operations on streams → index in ops */
	struct tp_buf totals; /* of struct tp_op_total */
};

static struct tp_op_total *
total_for(struct serving *s, struct tp_slice framework, struct tp_slice label)
{
	uint64_t name = tp_hash_bytes(label), key = tp_hash_pair(tp_hash_bytes(framework), name);
	uint32_t at = tp_map_get(&s->index, key), kernel = tp_map_get(&s->labels, name);

	if (at != TP_MAP_NONE)
		return (struct tp_op_total *)s->totals.data + at;
	if (kernel == TP_MAP_NONE)
		return NULL;
	tp_map_put(&s->index, key, (uint32_t)s->totals.count);
	const struct tp_op_total *of_all = &s->ops->ops[kernel];
	struct tp_op *op = tp_new(s->ctx->keep, struct tp_op);
	struct tp_op_total *t = tp_buf_add(&s->totals, sizeof *t);

	*op = *of_all->op;
	op->framework = framework;
	*t = (struct tp_op_total){
		.op = op,
		.category = of_all->category,
		.program = of_all->program,
		.program_id = of_all->program_id,
		.has_program = of_all->has_program,
		.hue = of_all->hue,
		.device = of_all->device,
		.min_ps = INT64_MAX,
		.wasted_ps = NAN,
	};
	return t;
}

static void
add_stream(struct serving *s, const struct tp_line *line, const int64_t *self_ps)
{
	const struct tp_profile *p = s->ctx->profile;
	size_t tag = 0;

	for (uint32_t i = 0; i < line->count; i++) {
		struct tp_slice framework = framework_of_event(p, line, &tag, i);
		struct tp_op_total *t = total_for(s, framework, p->ops[line->op[i]].label);
		int64_t time_ps = line->duration_ps[i];

		if (t == NULL)
			continue;
		t->occurrences++;
		t->self_ps = tp_add_ps(t->self_ps, self_ps[i]);
		t->total_ps = tp_add_ps(t->total_ps, time_ps);
		t->min_ps = time_ps < t->min_ps ? time_ps : t->min_ps;
		t->max_ps = time_ps > t->max_ps ? time_ps : t->max_ps;
	}
}

static bool
on_stream(const struct tp_profile *p, const struct tp_op_total *t)
{
	return t->device != TP_NONE && p->devices[t->device].kind == TP_DEVICE_GPU;
}

/* Kernels of a GPU by what they worked on, which their events say. */
static void
serve(struct serving *s)
{
	const struct tp_profile *p = s->ctx->profile;
	const struct tp_op_times *times = tp_result(s->ctx, &tp_pass_op_times);

	tp_map_init(&s->index, s->ctx->scratch);
	tp_map_init(&s->labels, s->ctx->scratch);
	for (uint32_t i = 0; i < s->ops->count; i++) {
		if (on_stream(p, &s->ops->ops[i]))
			tp_map_put(&s->labels, tp_hash_bytes(s->ops->ops[i].op->label), i);
	}
	for (uint32_t l = 0; s->labels.count != 0 && l < p->line_count; l++) {
		if (p->lines[l].kind == TP_LINE_STREAM && times->self_ps[l] != NULL)
			add_stream(s, &p->lines[l], times->self_ps[l]);
	}
}

static void
scope_ops(const struct tp_pass_ctx *ctx, const struct serving *kernels, struct tp_ops *o)
{
	const struct tp_op_total *served = kernels->totals.data;

	if (kernels->labels.count == 0) {
		o->scoped = o->ops;
		o->scoped_count = o->count;
		return;
	}
	struct tp_op_total *scoped =
		tp_new_array(ctx->keep, struct tp_op_total, o->count + kernels->totals.count);

	for (size_t i = 0; i < o->count; i++) {
		if (!on_stream(ctx->profile, &o->ops[i]))
			scoped[o->scoped_count++] = o->ops[i];
	}
	for (size_t i = 0; i < kernels->totals.count; i++)
		scoped[o->scoped_count++] = served[i];
	o->scoped = scoped;
}

static int
by_self(const void *left, const void *right)
{
	const struct tp_framework_total *a = left, *b = right;

	if (a->sums.self_ps != b->sums.self_ps)
		return a->sums.self_ps > b->sums.self_ps ? -1 : 1;
	return tp_slice_cmp(a->name, b->name);
}

void
tp_op_frameworks(const struct tp_pass_ctx *ctx, struct tp_ops *o)
{
	struct summing s = {.ctx = ctx};
	struct serving kernels = {.ctx = ctx, .ops = o};

	tp_map_init(&s.index, ctx->scratch);
	serve(&kernels);
	scope_ops(ctx, &kernels, o);
	tp_buf_free(&kernels.totals);
	for (size_t i = 0; i < o->scoped_count; i++) {
		const struct tp_op_total *t = &o->scoped[i];

		o->names_frameworks |= t->op->framework.len != 0;
		add(total_of(&s, t->op->framework, t->op->label), t);
	}
	o->framework_count = s.totals.count;
	o->frameworks =
		tp_buf_give(&s.totals, s.totals.count, sizeof(struct tp_framework_total), ctx->keep);
	tp_buf_free(&s.totals);
	qsort(o->frameworks, o->framework_count, sizeof *o->frameworks, by_self);
}

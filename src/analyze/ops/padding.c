/* Finding the convolutions and dots behind the operations that were measured. What an event names is an instruction of the
 * program's HLO: a product itself, or a fusion that holds one. */
#include "analyze/core/pass.h"
#include "analyze/ops/padding_judge.h"

#include "analyze/facts/op_times.h"
#include "analyze/ops/ops.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "base/buf.h"
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>

static void
group_by_program(struct tp_padding_judging *j)
{
	tp_map_init(&j->first_of_program, j->ctx->scratch);
	j->next = tp_new_array(j->ctx->scratch, uint32_t, j->ops->count);
	for (size_t i = j->ops->count; i-- > 0;) {
		const struct tp_op_total *t = &j->ops->ops[i];

		j->next[i] = TP_NONE;
		if (!t->has_program)
			continue;
		j->next[i] = tp_map_get(&j->first_of_program, t->program_id);
		tp_map_put(&j->first_of_program, t->program_id, (uint32_t)i);
	}
}

/* What a computation holds of products, with those of fusions within it. */
struct products {
	uint32_t worst; /* index of an instruction; TP_NONE: it holds none */
	uint32_t count;
	double fit;
};

static void
add_products(struct products *to, const struct products *more)
{
	uint32_t sum;

	if (more->worst == TP_NONE)
		return;
	if (to->worst == TP_NONE || more->fit < to->fit || (isnan(to->fit) && !isnan(more->fit))) {
		to->worst = more->worst;
		to->fit = more->fit;
	}
	to->count = __builtin_add_overflow(to->count, more->count, &sum) ? UINT32_MAX : sum;
}

/* Loops and calls are left out: what is in them has events of its own. */
static struct products
products_of(const struct tp_hlo_module *m, uint32_t at, const struct products *of_computation)
{
	const struct tp_hlo_instruction *i = &m->instructions[at];
	struct products p = {.worst = TP_NONE, .fit = NAN};

	if (tp_is_product(i))
		return (struct products){at, 1, tp_product_fit(m, i)};
	for (uint32_t k = 0; tp_slice_eq(i->opcode, TP_S("fusion")) && k < i->called.count; k++)
		add_products(&p, &of_computation[i->called.at[k]]);
	return p;
}

/* Callees stand before their callers, so one round is enough. */
static struct products *
products_of_computations(const struct tp_hlo_module *m, struct tp_arena *arena)
{
	struct products *all = tp_new_array(arena, struct products, m->computation_count);

	for (uint32_t c = 0; c < m->computation_count; c++) {
		const struct tp_hlo_computation *in = &m->computations[c];

		all[c] = (struct products){.worst = TP_NONE, .fit = NAN};
		for (uint32_t k = in->first; k < in->first + in->count; k++) {
			struct products p = products_of(m, k, all);

			add_products(&all[c], &p);
		}
	}
	return all;
}

/* The array with the most padding in a shape, and Σ padding in HBM of all its arrays; tuples are as deep as readers allow. */
static void
find_padding(const struct tp_shape *s, const struct tp_shape **worst, uint64_t *padding)
{
	for (uint32_t i = 0; i < s->member_count; i++)
		find_padding(&s->members[i], worst, padding);
	if (s->kind != TP_SHAPE_ARRAY || s->layout == NULL || s->layout->memory_space != 0)
		return;
	uint64_t more = tp_shape_padded_bytes(s) - tp_shape_bytes(s);
	uint64_t most = *worst ? tp_shape_padded_bytes(*worst) - tp_shape_bytes(*worst) : 0;

	*padding = tp_add_cost(*padding, more);
	if (*worst == NULL || more > most)
		*worst = s;
}

static uint64_t
padding_moved(const struct tp_hlo_module *m, const struct tp_hlo_instruction *i)
{
	const struct tp_shape *worst = NULL;
	uint64_t padding = 0;

	find_padding(&i->shape, &worst, &padding);
	for (uint32_t k = 0; k < i->operands.count; k++)
		find_padding(&m->instructions[i->operands.at[k]].shape, &worst, &padding);
	return padding;
}

void
tp_padding_add_fit(struct tp_padding_judging *j, const struct tp_hlo_module *m,
	const struct tp_hlo_instruction *i, const struct tp_hlo_module *product_in,
	const struct tp_hlo_instruction *product, uint32_t op, uint32_t products)
{
	const struct tp_op_total *t = &j->ops->ops[op];
	struct tp_padding_fit *f = tp_buf_add(&j->fits, sizeof *f);
	struct tp_slice type =
		t->device != TP_NONE ? j->ctx->profile->devices[t->device].type : j->device_type;
	uint64_t bytes = padding_moved(m, i);

	*f = (struct tp_padding_fit){.op = op, .products = products, .moved_known = true};
	tp_product_judge(product_in, product, j->ctx->keep, &f->product);
	f->matrix_share = tp_matrix_unit_share(&f->product, tp_matrix_unit_side(type));
	f->lost_ps = isfinite(f->product.fit) ? (double)t->self_ps * (1 - f->product.fit) : 0;
	if (__builtin_mul_overflow(bytes, t->occurrences, &f->lost_bytes))
		f->lost_bytes = UINT64_MAX;
}

/* Pieces of others, or nothing but a name for them. */
static bool
holds_no_buffer(const struct tp_hlo_instruction *i)
{
	return tp_slice_eq(i->opcode, TP_S("tuple")) || tp_slice_eq(i->opcode, TP_S("bitcast")) ||
		tp_slice_eq(i->opcode, TP_S("get-tuple-element")) ||
		tp_slice_ends(i->opcode, TP_S("-start"));
}

void
tp_padding_add_buffer(struct tp_padding_judging *j, const struct tp_hlo_instruction *i, uint32_t op)
{
	const struct tp_shape *worst = NULL;
	uint64_t padding = 0;

	if (holds_no_buffer(i) || tp_op_is_container(j->ops->ops[op].category))
		return;
	find_padding(&i->shape, &worst, &padding);
	if (worst == NULL ||
		tp_shape_padded_bytes(worst) - tp_shape_bytes(worst) < TP_PADDING_LARGE_BYTES)
		return;
	struct tp_padded_buffer *b = tp_buf_add(&j->buffers, sizeof *b);

	*b = (struct tp_padded_buffer){.op = op,
		.shape = tp_shape_text(worst, j->ctx->keep),
		.bytes = tp_shape_bytes(worst),
		.padded_bytes = tp_shape_padded_bytes(worst)};
}

static void
judge_program(struct tp_padding_judging *j, const struct tp_program *program, uint32_t op)
{
	struct tp_arena *arena = tp_arena_new();
	const struct tp_hlo_module *m;
	struct tp_err err;

	if (tp_hlo_read(program->hlo, arena, &m, &err) != TP_OK) {
		struct tp_padding_damage *d = tp_buf_add(&j->damaged, sizeof *d);

		*d = (struct tp_padding_damage){
			program->name, tp_arena_printf(j->ctx->keep, "%s", err.text)};
		tp_arena_free(arena);
		return;
	}
	const struct products *of_computation = products_of_computations(m, arena);

	j->any_module = true;
	for (; op != TP_NONE; op = j->next[op]) {
		const struct tp_hlo_instruction *i = tp_hlo_find(m, j->ops->ops[op].op->label);

		if (i == NULL)
			continue;
		struct products p = products_of(m, (uint32_t)(i - m->instructions), of_computation);

		j->known_ps = tp_add_ps(j->known_ps, j->ops->ops[op].self_ps);
		j->any_tile |= tp_shape_tiled(&i->shape);
		if (p.worst != TP_NONE)
			tp_padding_add_fit(j, m, i, m, &m->instructions[p.worst], op, p.count);
		else
			tp_padding_add_buffer(j, i, op);
	}
	tp_arena_free(arena);
}

/* By time lost; of equals the longer first, then by program and name. */
static int
by_loss(const void *left, const void *right, void *ops)
{
	const struct tp_padding_fit *a = left, *b = right;
	const struct tp_op_total *s = &((const struct tp_ops *)ops)->ops[a->op];
	const struct tp_op_total *t = &((const struct tp_ops *)ops)->ops[b->op];

	if (a->lost_ps != b->lost_ps)
		return a->lost_ps > b->lost_ps ? -1 : 1;
	if (s->self_ps != t->self_ps)
		return s->self_ps > t->self_ps ? -1 : 1;
	return a->op < b->op ? -1 : a->op > b->op;
}

static int
by_padding(const void *left, const void *right)
{
	const struct tp_padded_buffer *a = left, *b = right;
	uint64_t more_a = a->padded_bytes - a->bytes, more_b = b->padded_bytes - b->bytes;

	if (more_a != more_b)
		return more_a > more_b ? -1 : 1;
	return a->op < b->op ? -1 : a->op > b->op;
}

static bool
on_tpu(const struct tp_padding_judging *j)
{
	const struct tp_profile *p = j->ctx->profile;

	for (size_t i = 0; i < j->ops->count; i++) {
		uint32_t device = j->ops->ops[i].device;

		if (device != TP_NONE && p->devices[device].kind == TP_DEVICE_TPU)
			return true;
	}
	return false;
}

void
tp_padding_settle(struct tp_padding_judging *j, struct tp_padding *p)
{
	uint32_t *fit_of_op = tp_new_array(j->ctx->keep, uint32_t, j->ops->count);

	p->ops = j->ops;
	p->count = j->fits.count;
	p->fits = tp_buf_settle(&j->fits, sizeof *p->fits, j->ctx->keep);
	p->buffer_count = j->buffers.count;
	p->buffers = tp_buf_settle(&j->buffers, sizeof *p->buffers, j->ctx->keep);
	p->damaged_count = j->damaged.count;
	p->damaged = tp_buf_settle(&j->damaged, sizeof *p->damaged, j->ctx->keep);
	p->known_ps = j->known_ps;
	qsort_r(p->fits, p->count, sizeof *p->fits, by_loss, (void *)j->ops);
	qsort(p->buffers, p->buffer_count, sizeof *p->buffers, by_padding);
	memset(fit_of_op, 0xff, j->ops->count * sizeof *fit_of_op);
	for (size_t i = 0; i < p->count; i++) {
		fit_of_op[p->fits[i].op] = (uint32_t)i;
		p->lost_ps += p->fits[i].lost_ps;
		p->product_ps = tp_add_ps(p->product_ps, j->ops->ops[p->fits[i].op].self_ps);
		p->unknown += !isfinite(p->fits[i].product.fit);
	}
	p->fit_of_op = fit_of_op;
	/* HLO of a GPU or CPU has layouts, but no tiles. */
	p->state = !j->any_tile && (j->any_module || !on_tpu(j)) ? TP_PADDING_UNTILED
		: !j->any_module                                     ? TP_PADDING_NO_HLO
		: p->count == 0                                      ? TP_PADDING_NO_PRODUCT
															 : TP_PADDING_JUDGED;
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	struct tp_padding_judging j = {.ctx = ctx, .ops = tp_result(ctx, &tp_pass_ops)};
	struct tp_padding *p = tp_new(ctx->keep, struct tp_padding);
	struct tp_map seen;

	if (j.ops == NULL)
		return tp_fail(err, TP_ABSENT, "%.*s", TP_ARG(tp_skipped(ctx, &tp_pass_ops)));
	group_by_program(&j);
	tp_map_init(&seen, ctx->scratch);
	for (uint32_t i = 0; i < ctx->profile->program_count; i++) {
		const struct tp_program *program = &ctx->profile->programs[i];
		uint32_t op = tp_map_get(&j.first_of_program, program->id);

		/* Each host has its own copy of the same program. */
		if (op == TP_NONE || tp_map_get(&seen, program->id) != TP_MAP_NONE)
			continue;
		tp_map_put(&seen, program->id, i);
		judge_program(&j, program, op);
	}
	tp_padding_settle(&j, p);
	*result = p;
	return TP_OK;
}

const struct tp_padding_fit *
tp_padding_of(const struct tp_padding *p, size_t op)
{
	return p->fit_of_op[op] == TP_NONE ? NULL : &p->fits[p->fit_of_op[op]];
}

struct tp_slice
tp_padding_reason(const struct tp_padding *p)
{
	switch (p->state) {
	case TP_PADDING_NO_HLO:
		return TP_S("the profile holds no HLO of its programs that could be read, so layouts are "
					"not known");
	case TP_PADDING_UNTILED:
		return TP_S("this device keeps arrays without tiles, so nothing is padded");
	case TP_PADDING_NO_PRODUCT:
		return TP_S("no convolution or dot was measured");
	case TP_PADDING_JUDGED:
		break;
	}
	return TP_S("");
}

/* The share of busy time that goes to padding, of the time that a mean step is busy. */
double
tp_padding_saving_ps(const struct tp_pass_ctx *ctx, const struct tp_padding *p)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);

	if (s == NULL || !s->source->of_cores || p->ops->busy_ps <= 0)
		return NAN;
	double busy_ps = s->time.mean - s->class_mean_ps[TP_CLASS_IDLE];

	return fmin(p->lost_ps / (double)p->ops->busy_ps * busy_ps, s->class_mean_ps[TP_CLASS_COMPUTE]);
}

static const struct tp_pass *const after[] = {&tp_pass_ops, &tp_pass_steps, NULL};

static struct tp_slice
without_hlo(const struct tp_pass_ctx *ctx)
{
	const struct tp_padding *p = tp_result(ctx, &tp_pass_padding);

	return p != NULL && p->state == TP_PADDING_NO_HLO
		? TP_S("the profile holds no HLO of the programs that ran")
		: TP_S("");
}

static const struct tp_lack lacks[] = {
	{"padding", "How well products fill the tiles of the matrix unit", TP_LACK_ON_TPU,
		.why = without_hlo, .any = "It takes the HLO that memory plans take."},
	{0},
};

const struct tp_pass tp_pass_padding = {
	.name = "padding",
	.title = "Padding fit",
	.summary = "how well convolutions and dots fill the tiles of the layout, and what would fit",
	.needs_any = TP_HAS_DEVICE_OPS | TP_HAS_HOST_XLA_OPS,
	.after = after,
	.place = TP_PLACE_PADDING,
	.analyze = analyze,
	.metrics = tp_padding_metrics,
	.present = tp_padding_present,
	.lacks = lacks,
};

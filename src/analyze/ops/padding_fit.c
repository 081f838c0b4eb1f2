/* Judging one convolution or dot: its shapes by XLA's layout, its dimensions by the instruction's dimension numbers. */
#include "analyze/ops/padding_fit.h"

#include "analyze/facts/op_times.h"
#include "analyze/facts/peaks.h"
#include "base/arena.h"
#include "base/saturate.h"

#include <math.h>

const char *const tp_dim_meaning_names[TP_DIM_NONE + 1] = {
	[TP_DIM_BATCH] = "batch",
	[TP_DIM_FEATURE] = "feature",
	[TP_DIM_INPUT_FEATURE] = "input feature",
	[TP_DIM_OUTPUT_FEATURE] = "output feature",
	[TP_DIM_SPATIAL] = "spatial",
	[TP_DIM_CONTRACTING] = "contracting",
	[TP_DIM_ROWS] = "rows",
	[TP_DIM_COLUMNS] = "columns",
	[TP_DIM_NONE] = "no dimension",
};

const char *const tp_fit_role_names[TP_FIT_ROLES] = {
	[TP_FIT_OUTPUT] = "output",
	[TP_FIT_LHS] = "lhs",
	[TP_FIT_RHS] = "rhs",
};

bool
tp_is_product(const struct tp_hlo_instruction *i)
{
	return (tp_slice_eq(i->opcode, TP_S("convolution")) && i->details->convolution != NULL) ||
		(tp_slice_eq(i->opcode, TP_S("dot")) && i->details->dot != NULL);
}

static const struct tp_shape *
shape_of(const struct tp_hlo_module *m, const struct tp_hlo_instruction *i, enum tp_fit_role role)
{
	return role == TP_FIT_OUTPUT
		? &i->shape
		: &m->instructions[i->operands.at[role == TP_FIT_LHS ? 0 : 1]].shape;
}

/* NaN unless the layout is known and tiled: on other devices there is no padding to judge. */
static double
fit_of(const struct tp_padding_of *p)
{
	return p->tiled && p->padded_elements != 0 ? (double)p->elements / (double)p->padded_elements
											   : NAN;
}

double
tp_product_fit(const struct tp_hlo_module *m, const struct tp_hlo_instruction *i)
{
	double fit = NAN;

	for (enum tp_fit_role role = 0; role < TP_FIT_ROLES; role++) {
		struct tp_padding_of p;

		if (tp_shape_pad(shape_of(m, i, role), &p))
			fit = fmin(fit, fit_of(&p)); /* of a number and NaN the number */
	}
	return fit;
}

static bool
holds(const struct tp_hlo_list *list, uint32_t dimension)
{
	for (uint32_t i = 0; i < list->count; i++) {
		if (list->at[i] == dimension)
			return true;
	}
	return false;
}

static enum tp_dim_meaning
meaning_in_convolution(
	const struct tp_hlo_convolution *c, enum tp_fit_role role, uint32_t dimension)
{
	bool output = role == TP_FIT_OUTPUT;

	if (role == TP_FIT_RHS)
		return dimension == c->kernel_input_feature ? TP_DIM_INPUT_FEATURE
			: dimension == c->kernel_output_feature ? TP_DIM_OUTPUT_FEATURE
													: TP_DIM_SPATIAL;
	return dimension == (output ? c->output_batch : c->input_batch)    ? TP_DIM_BATCH
		: dimension == (output ? c->output_feature : c->input_feature) ? TP_DIM_FEATURE
																	   : TP_DIM_SPATIAL;
}

/* A dot's result has the batch dimensions first, then the rows of the left operand, then the columns of the right one. */
static enum tp_dim_meaning
meaning_in_dot(
	const struct tp_hlo_dot *d, enum tp_fit_role role, uint32_t dimension, uint32_t lhs_rank)
{
	uint32_t batch = d->lhs_batch.count, used = batch + d->lhs_contracting.count;
	uint32_t rows = lhs_rank > used ? lhs_rank - used : 0;

	if (role == TP_FIT_OUTPUT)
		return dimension < batch       ? TP_DIM_BATCH
			: dimension < batch + rows ? TP_DIM_ROWS
									   : TP_DIM_COLUMNS;
	bool lhs = role == TP_FIT_LHS;

	if (holds(lhs ? &d->lhs_batch : &d->rhs_batch, dimension))
		return TP_DIM_BATCH;
	if (holds(lhs ? &d->lhs_contracting : &d->rhs_contracting, dimension))
		return TP_DIM_CONTRACTING;
	return lhs ? TP_DIM_ROWS : TP_DIM_COLUMNS;
}

static void
judge_shape(const struct tp_hlo_module *m, const struct tp_hlo_instruction *i,
	enum tp_fit_role role, struct tp_arena *arena, struct tp_fit_shape *out)
{
	const struct tp_shape *s = shape_of(m, i, role);
	struct tp_padding_of p;

	*out = (struct tp_fit_shape){.text = tp_shape_text(s, arena), .fit = NAN};
	if (!tp_shape_pad(s, &p))
		return;
	struct tp_fit_dim *dims = tp_new_array(arena, struct tp_fit_dim, p.count);

	for (uint32_t k = 0; k < p.count; k++) {
		const struct tp_padded_dim *d = &p.dims[k];

		dims[k] = (struct tp_fit_dim){
			.axis = d->axis, .size = d->size, .padded = d->padded, .multiple = d->multiple};
		dims[k].meaning = d->dimension >= s->rank ? TP_DIM_NONE
			: i->details->convolution != NULL
			? meaning_in_convolution(i->details->convolution, role, d->dimension)
			: meaning_in_dot(i->details->dot, role, d->dimension, shape_of(m, i, TP_FIT_LHS)->rank);
	}
	out->dims = dims;
	out->count = p.count;
	out->fit = fit_of(&p);
}

/* Σ of a dot: over contracting dimensions; the result's rows and columns: what of the operands is neither that nor batch. */
static void
measure_dot(const struct tp_hlo_dot *d, const struct tp_shape *lhs, const struct tp_shape *rhs,
	struct tp_product_fit *out)
{
	out->contracted = out->rows = out->columns = 1;
	for (uint32_t i = 0; i < lhs->rank; i++) {
		if (holds(&d->lhs_contracting, i))
			out->contracted = tp_times(out->contracted, lhs->sizes[i]);
		else if (!holds(&d->lhs_batch, i))
			out->rows = tp_times(out->rows, lhs->sizes[i]);
	}
	for (uint32_t i = 0; i < rhs->rank; i++) {
		if (!holds(&d->rhs_contracting, i) && !holds(&d->rhs_batch, i))
			out->columns = tp_times(out->columns, rhs->sizes[i]);
	}
}

/* Kernels hold the input features of one group, but the output features of all. */
static void
measure_convolution(const struct tp_hlo_convolution *c, const struct tp_shape *kernel,
	const struct tp_shape *result, struct tp_product_fit *out)
{
	uint64_t groups = tp_times(c->feature_groups, c->batch_groups);
	uint64_t features = kernel->sizes[c->kernel_output_feature];

	out->contracted = kernel->sizes[c->kernel_input_feature];
	for (uint32_t i = 0; i < c->kernel_spatial.count; i++)
		out->contracted = tp_times(out->contracted, kernel->sizes[c->kernel_spatial.at[i]]);
	out->columns = features / groups > 0 || features == 0 ? features / groups : 1;
	out->rows = result->sizes[c->output_batch];
	for (uint32_t i = 0; i < c->output_spatial.count; i++)
		out->rows = tp_times(out->rows, result->sizes[c->output_spatial.at[i]]);
}

/* A window that is larger than the result slides over few places: such is the gradient of a kernel, whose window is the
 * layer's result. A layer that sees all of its input at once looks alike, so the framework's name must say it too. */
static bool
is_kernel_gradient(const struct tp_hlo_instruction *i)
{
	const struct tp_hlo_convolution *c = i->details->convolution;
	const struct tp_hlo_window *w = &i->details->window;

	if (c == NULL || w->count == 0 || w->count != c->output_spatial.count)
		return false;
	for (uint32_t k = 0; k < w->count; k++) {
		if (w->dims[k].size < 0 ||
			(uint64_t)w->dims[k].size <= i->shape.sizes[c->output_spatial.at[k]])
			return false;
	}
	return tp_slice_has(i->framework, TP_S("BackpropFilter")) ||
		tp_slice_has(i->framework, TP_S("transpose("));
}

void
tp_product_judge(const struct tp_hlo_module *m, const struct tp_hlo_instruction *i,
	struct tp_arena *arena, struct tp_product_fit *out)
{
	*out = (struct tp_product_fit){.name = tp_arena_copy(arena, i->name),
		.convolution = i->details->convolution != NULL,
		.kernel_gradient = is_kernel_gradient(i),
		.fit = NAN};
	for (enum tp_fit_role role = 0; role < TP_FIT_ROLES; role++) {
		struct tp_fit_shape *s = &out->shapes[role];

		judge_shape(m, i, role, arena, s);
		if (isfinite(s->fit) && !(s->fit >= out->fit)) {
			out->fit = s->fit;
			out->worst = role;
		}
	}
	if (out->convolution)
		measure_convolution(i->details->convolution, shape_of(m, i, TP_FIT_RHS), &i->shape, out);
	else
		measure_dot(i->details->dot, shape_of(m, i, TP_FIT_LHS), shape_of(m, i, TP_FIT_RHS), out);
}

/* How much of whole multiples of side the size fills. */
static double
filled(uint64_t size, unsigned side)
{
	return size == 0 ? 0 : (double)size / (ceil((double)size / side) * side);
}

double
tp_matrix_unit_share(const struct tp_product_fit *p, unsigned side)
{
	if (side == 0)
		return NAN;
	double across = fmax(filled(p->rows, side), filled(p->columns, side));

	return filled(p->contracted, side) * across;
}

unsigned
tp_matrix_unit_side(struct tp_slice device_type)
{
	static const struct {
		const char *shown;
		unsigned side;
	} units[] = {
		{"TPU v2", 128},
		{"TPU v3", 128},
		{"TPU v4i", 128},
		{"TPU v4", 128},
		{"TPU v5e", 128},
		{"TPU v5p", 128},
		{"TPU v6e", 256},
		{"TPU7x", 256},
	};
	bool slice;
	const struct tp_peak_row *row = tp_peak_row(device_type, &slice);

	for (size_t i = 0; row != NULL && i < sizeof units / sizeof *units; i++) {
		if (strcmp(row->shown, units[i].shown) == 0)
			return units[i].side;
	}
	return 0;
}

enum tp_dim_meaning
tp_layer_meaning(const struct tp_product_fit *p, enum tp_fit_role role, enum tp_dim_meaning meaning)
{
	/* The gradient's batch is the layer's input features, its features are the layer's batch, except in the result. */
	static const enum tp_dim_meaning of_layer[TP_FIT_ROLES][TP_DIM_SPATIAL] = {
		[TP_FIT_OUTPUT] =
			{[TP_DIM_BATCH] = TP_DIM_INPUT_FEATURE, [TP_DIM_FEATURE] = TP_DIM_OUTPUT_FEATURE},
		[TP_FIT_LHS] = {[TP_DIM_BATCH] = TP_DIM_FEATURE, [TP_DIM_FEATURE] = TP_DIM_BATCH},
		[TP_FIT_RHS] =
			{[TP_DIM_INPUT_FEATURE] = TP_DIM_BATCH, [TP_DIM_OUTPUT_FEATURE] = TP_DIM_FEATURE},
	};

	return p->kernel_gradient && meaning < TP_DIM_SPATIAL ? of_layer[role][meaning] : meaning;
}

struct tp_slice
tp_fit_dims_text(
	const struct tp_product_fit *p, enum tp_fit_role role, bool sizes_only, struct tp_arena *arena)
{
	const struct tp_fit_shape *s = &p->shapes[role];
	struct tp_slice out = {NULL, 0};

	for (uint32_t i = 0; i < s->count; i++) {
		const struct tp_fit_dim *d = &s->dims[i];
		const char *name = tp_dim_meaning_names[tp_layer_meaning(p, role, d->meaning)];
		const char *comma = out.len != 0 ? ", " : "";

		if (d->padded == d->size)
			continue;
		out = sizes_only ? tp_arena_printf(arena, "%.*s%s%s %llu", TP_ARG(out), comma, name,
							   (unsigned long long)d->padded)
						 : tp_arena_printf(arena, "%.*s%s%s %llu → %llu", TP_ARG(out), comma, name,
							   (unsigned long long)d->size, (unsigned long long)d->padded);
	}
	return out;
}

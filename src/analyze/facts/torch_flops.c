/* Floating-point operations of PyTorch's operators. A trace hardly ever holds them: with_flops=True works them out for the
 * profiler's own table, and writes none of them into the trace; only Inductor writes those of its kernels. So they are worked
 * out of the input shapes (record_shapes=True), by what an operator computes, as PyTorch's own counter does
 * (torch/utils/flop_counter.py): products, convolutions and attention, forward and backward; a multiplication and an addition
 * are two. Formulas by name, over the first inputs' sizes. */
#include "analyze/facts/torch_flops.h"

#include <stdbool.h>

enum { MOST_DIMS = 8, MOST_TENSORS = 4 };

/* Sizes of a tensor, or numbers of a list; count < 0: something else. */
struct dims {
	int64_t of[MOST_DIMS];
	int count;
};

struct inputs {
	struct dims tensors[MOST_TENSORS];
	struct tp_slice others;
};

/* a product that is negative or does not fit is not known */
struct product {
	uint64_t value;
	bool wrong;
};

static void
times(struct product *p, int64_t factor)
{
	p->wrong =
		p->wrong || factor < 0 || __builtin_mul_overflow(p->value, (uint64_t)factor, &p->value);
}

/* The numbers between the brackets at text, which must be the innermost; returns the bytes up to behind them. */
static size_t
read_numbers(struct tp_slice text, struct dims *out)
{
	size_t i = 1;

	out->count = 0;
	for (; i < text.len && text.ptr[i] != ']'; i++) {
		char c = text.ptr[i];

		if (c == '[' || c == '"' || out->count > MOST_DIMS) {
			out->count = -1;
			return i;
		}
		if (c < '0' || c > '9')
			continue;
		int64_t n = 0;

		for (; i < text.len && text.ptr[i] >= '0' && text.ptr[i] <= '9'; i++)
			n = n > INT64_MAX / 100 ? INT64_MAX / 100 : n * 10 + (text.ptr[i] - '0');
		if (out->count < MOST_DIMS)
			out->of[out->count] = n;
		out->count++;
		i--;
	}
	if (out->count > MOST_DIMS)
		out->count = -1;
	return i + 1;
}

/* "[[4,3],[],[[1],[2]]]": the first tensors; the list of lists is none. */
static void
read_shapes(struct tp_slice shapes, struct dims tensors[static MOST_TENSORS])
{
	size_t at = 1;

	for (int i = 0; i < MOST_TENSORS; i++) {
		tensors[i].count = -1;
		while (at < shapes.len && shapes.ptr[at] != '[')
			at++;
		if (at < shapes.len)
			at += read_numbers(tp_slice_from(shapes, at), &tensors[i]);
		if (tensors[i].count < 0)
			at = shapes.len;
	}
}

/* Text number `number` of a list of texts, without its quotes; empty: there is none. */
static struct tp_slice
other(struct tp_slice list, int number)
{
	size_t at = 0, from;

	for (int i = 0;; i++) {
		while (at < list.len && list.ptr[at] != '"')
			at++;
		from = ++at;
		while (at < list.len && list.ptr[at] != '"')
			at++;
		if (at >= list.len)
			return TP_S("");
		if (i == number)
			return (struct tp_slice){list.ptr + from, at - from};
		at++;
	}
}

/* The factors of a matrix product, of batches where the first has them: 2 × b × m × k × n. */
static void
matrix_product(const struct dims *a, const struct dims *b, struct product *p)
{
	p->wrong = p->wrong || a->count < 2 || a->count > 3 || b->count != a->count ||
		a->of[a->count - 1] != b->of[b->count - 2];
	if (p->wrong)
		return;
	for (int i = 0; i < a->count; i++)
		times(p, a->of[i]);
	times(p, b->of[b->count - 1]);
	times(p, 2);
}

static void
first_product(const struct inputs *in, struct product *p)
{
	matrix_product(&in->tensors[0], &in->tensors[1], p);
}

/* The first is what is added. */
static void
second_product(const struct inputs *in, struct product *p)
{
	matrix_product(&in->tensors[1], &in->tensors[2], p);
}

/* A number of the list for a dimension: one alone is for all. */
static int64_t
of_dimension(const struct dims *d, int i)
{
	return d->count < 1 ? -1 : d->of[d->count == 1 ? 0 : i < d->count ? i : d->count - 1];
}

/* Each place of the output, or of what a transposed one spreads, takes part with the whole filter. */
static void
times_filter(const struct dims *weight, struct product *p)
{
	p->wrong = p->wrong || weight->count < 3;
	for (int i = 0; i < weight->count; i++)
		times(p, weight->of[i]);
	times(p, 2);
}

/* convolution(input, weight, bias, stride, padding, dilation, transposed, …) */
static void
convolution(const struct inputs *in, struct product *p)
{
	const struct dims *x = &in->tensors[0], *weight = &in->tensors[1];
	struct dims stride = {.count = 0}, padding = {.count = 0}, dilation = {.count = 0};
	bool transposed = tp_slice_eq(other(in->others, 6), TP_S("True"));

	read_numbers(other(in->others, 3), &stride);
	read_numbers(other(in->others, 4), &padding);
	read_numbers(other(in->others, 5), &dilation);
	p->wrong = p->wrong || x->count < 3 || weight->count != x->count;
	if (p->wrong)
		return;
	times(p, x->of[0]);
	for (int i = 2; i < x->count; i++) {
		int64_t step = of_dimension(&stride, i - 2), pad = of_dimension(&padding, i - 2);
		int64_t apart = of_dimension(&dilation, i - 2), reach = 0;

		p->wrong = p->wrong || step < 1 || pad < 0 || pad > INT32_MAX || apart < 1 ||
			__builtin_mul_overflow(apart, weight->of[i] - 1, &reach) || x->of[i] > INT32_MAX;
		if (p->wrong)
			return;
		times(p, transposed ? x->of[i] : (x->of[i] + 2 * pad - reach - 1) / step + 1);
	}
	times_filter(weight, p);
}

/* convolution_backward(gradient, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding, groups,
 * mask): as much again for the gradient of the input and for that of the weight, those that the mask asks for. */
static void
convolution_backward(const struct inputs *in, struct product *p)
{
	struct tp_slice mask = other(in->others, 10);
	bool transposed = tp_slice_eq(other(in->others, 7), TP_S("True"));
	const struct dims *places = &in->tensors[transposed ? 1 : 0];
	int64_t asked = 0;

	for (size_t i = 0, n = 0; i < mask.len && n < 2; i++) {
		n += mask.ptr[i] == ',';
		asked += mask.ptr[i] == 'T' && n < 2;
	}
	p->wrong = p->wrong || mask.len == 0 || places->count < 3;
	if (p->wrong)
		return;
	times(p, places->of[0]);
	for (int i = 2; i < places->count; i++)
		times(p, places->of[i]);
	times_filter(&in->tensors[2], p);
	times(p, asked);
}

/* Of q [b, h, s, d], k [b, h', s', d] and v [b, h', s', d']: scores, then weighted values. Masks and causality do not count. */
static void
attend(const struct dims *q, const struct dims *k, const struct dims *v, int64_t of_keys,
	int64_t of_values, struct product *p)
{
	int64_t depth = 0, values = 0, sum = 0;

	p->wrong = p->wrong || q->count != 4 || k->count != 4 || v->count != 4 ||
		__builtin_mul_overflow(of_keys, q->of[3], &depth) ||
		__builtin_mul_overflow(of_values, v->of[3], &values) ||
		__builtin_add_overflow(depth, values, &sum);
	if (p->wrong)
		return;
	for (int i = 0; i < 3; i++)
		times(p, q->of[i]);
	times(p, k->of[2]);
	times(p, sum);
	times(p, 2);
}

static void
attention(const struct inputs *in, struct product *p)
{
	attend(&in->tensors[0], &in->tensors[1], &in->tensors[2], 1, 1, p);
}

/* The first is the gradient. Scores again, and gradients of scores, q, k and v. */
static void
attention_backward(const struct inputs *in, struct product *p)
{
	attend(&in->tensors[1], &in->tensors[2], &in->tensors[3], 3, 2, p);
}

static const struct {
	const char *name;
	void (*formula)(const struct inputs *in, struct product *p);
} formulas[] = {
	{"aten::mm", first_product},
	{"aten::bmm", first_product},
	{"aten::addmm", second_product},
	{"aten::baddbmm", second_product},
	{"aten::_scaled_mm", first_product},
	{"aten::_int_mm", first_product},
	{"aten::convolution", convolution},
	{"aten::convolution_backward", convolution_backward},
	{"aten::_scaled_dot_product_flash_attention", attention},
	{"aten::_scaled_dot_product_flash_attention_for_cpu", attention},
	{"aten::_scaled_dot_product_efficient_attention", attention},
	{"aten::_scaled_dot_product_cudnn_attention", attention},
	{"aten::_scaled_dot_product_flash_attention_backward", attention_backward},
	{"aten::_scaled_dot_product_flash_attention_for_cpu_backward", attention_backward},
	{"aten::_scaled_dot_product_efficient_attention_backward", attention_backward},
	{"aten::_scaled_dot_product_cudnn_attention_backward", attention_backward},
};
_Static_assert(sizeof formulas / sizeof *formulas < TP_TORCH_NO_FORMULA, "a number is left");
enum { FORMULAS = sizeof formulas / sizeof *formulas };

size_t
tp_torch_formula(struct tp_slice name)
{
	for (size_t i = 0; i < FORMULAS; i++) {
		if (tp_slice_eq(name, tp_slice_of(formulas[i].name)))
			return i;
	}
	return TP_TORCH_NO_FORMULA;
}

uint64_t
tp_torch_flops_by(size_t formula, struct tp_slice shapes, struct tp_slice others)
{
	struct inputs in = {.others = others};
	struct product p = {1, false};

	read_shapes(shapes, in.tensors);
	formulas[formula].formula(&in, &p);
	return p.wrong ? 0 : p.value;
}

uint64_t
tp_torch_flops(struct tp_slice name, struct tp_slice shapes, struct tp_slice inputs)
{
	size_t formula = tp_torch_formula(name);

	return formula == TP_TORCH_NO_FORMULA ? 0 : tp_torch_flops_by(formula, shapes, inputs);
}

/* One walk forward finds what operators called, one backward sums it up: callers stand before what they call. */
#include "analyze/torch/operators/torch_op_calls.h"

#include "analyze/facts/op_times.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "analyze/torch_steps/torch_role.h"
#include "base/arena.h"
#include "base/saturate.h"
#include "base/texts.h"
#include "model/profile.h"
#include "model/torch.h"

/* While the calls are worked out; arrays by index in t->operators. */
struct walk {
	const struct tp_profile *p;
	const struct tp_torch_trace *t;
	const struct tp_torch_correlation *links;
	struct tp_arena *keep;
	struct tp_torch_op_call *calls;
	uint32_t *called;    /* operators that it called itself */
	int64_t *covered_ps; /* until when calls of the runtime cover it; of a trace with such calls */
	struct tp_torch_kernel_names kernels;
	uint8_t *eligible; /* by op: bool + 1; 0: not asked for yet */
};

struct tp_torch_op_device
tp_torch_op_device(const struct tp_torch_op_call *c)
{
	return c->device != NULL ? *c->device : (struct tp_torch_op_device){0};
}

/* To be added to. */
static struct tp_torch_op_device *
device_of(const struct walk *w, struct tp_torch_op_call *c)
{
	if (c->device == NULL)
		c->device = tp_new(w->keep, struct tp_torch_op_device);
	return c->device;
}

static bool
uses_tensor_cores(struct walk *w, uint32_t work)
{
	return w->t->kind[work] == TP_TORCH_KERNEL &&
		tp_torch_kernel_cores(&w->kernels, w->t, work) == TP_TENSOR_CORE_USED;
}

static bool
is_eligible(struct walk *w, uint32_t event)
{
	uint8_t *known = &w->eligible[tp_torch_op(w->t, event)];

	if (*known == 0)
		*known = (uint8_t)(tp_torch_op_eligible(tp_torch_name(w->p, w->t, event)) + 1);
	return *known == 2;
}

/* The call of an operator event; NULL: it is none. */
static struct tp_torch_op_call *
call_of(const struct walk *w, uint32_t event)
{
	return event == TP_NONE || w->t->kind[event] != TP_TORCH_OPERATOR ||
			w->t->detail[event] == TP_NONE
		? NULL
		: &w->calls[w->t->detail[event]];
}

static struct tp_torch_op_call *
caller_of(const struct walk *w, uint32_t operator)
{
	return call_of(w, w->links->owner[operator]);
}

static void
count_called(struct walk *w)
{
	for (uint32_t e = 0; e < w->t->count; e++) {
		struct tp_torch_op_call *c = call_of(w, e);
		struct tp_torch_op_call *caller = c == NULL ? NULL : caller_of(w, e);

		if (c == NULL)
			continue;
		c->event = e;
		c->eligible = is_eligible(w, e);
		if (caller != NULL)
			w->called[caller - w->calls]++;
	}
}

static bool
same_name(const struct walk *w, uint32_t a, uint32_t b)
{
	return tp_torch_op(w->t, a) == tp_torch_op(w->t, b) ||
		tp_slice_eq(tp_torch_name(w->p, w->t, a), tp_torch_name(w->p, w->t, b));
}

/* Callers come first, so their heads are known. */
static void
find_head(struct walk *w, struct tp_torch_op_call *c)
{
	const struct tp_torch_op_call *caller = caller_of(w, c->event);
	struct tp_torch_op_call *head;

	c->head = c->event;
	if (caller == NULL)
		return;
	head = call_of(w, caller->head);
	if (w->called[caller - w->calls] == 1 && same_name(w, caller->event, c->event)) {
		c->head = caller->head;
		head->eligible = head->eligible || c->eligible;
	} else {
		head->inner_ps = tp_add_ps(head->inner_ps, tp_torch_duration_ps(w->t, c->event));
	}
}

/* A call of the driver within one of the runtime is part of that. */
static void
add_runtime(struct walk *w, uint32_t event)
{
	uint32_t range = w->links->parent[event];

	if (range != TP_NONE && w->t->kind[range] != TP_TORCH_OPERATOR)
		range = w->links->owner[range];
	struct tp_torch_op_call *c = call_of(w, range);

	if (c == NULL)
		return;
	int64_t *covered = &w->covered_ps[c - w->calls];
	int64_t start = tp_torch_start_ps(w->t, event), end = start + tp_torch_duration_ps(w->t, event);

	c = call_of(w, c->head);
	if (start < *covered)
		start = *covered;
	if (end <= start)
		return;
	struct tp_torch_op_device *device = device_of(w, c);

	device->runtime_ps = tp_add_ps(device->runtime_ps, end - start);
	*covered = end;
}

static void
add_work(struct walk *w, uint32_t work)
{
	struct tp_torch_op_call *c = call_of(w, w->links->owner[work]);
	int64_t ps = tp_torch_duration_ps(w->t, work);

	if (c == NULL)
		return;
	c = call_of(w, c->head);
	struct tp_torch_op_device *device = device_of(w, c);

	device->self_ps = tp_add_ps(device->self_ps, ps);
	if (w->t->kind[work] != TP_TORCH_KERNEL)
		device->copy_self_ps = tp_add_ps(device->copy_self_ps, ps);
	if (!uses_tensor_cores(w, work))
		return;
	device->tensor_self_ps = tp_add_ps(device->tensor_self_ps, ps);
	c->eligible = true;
}

/* To the caller, NULL where there is none. */
static void
add_device(struct walk *w, const struct tp_torch_op_call *c, struct tp_torch_op_call *caller)
{
	c->device->total_ps = tp_add_ps(c->device->total_ps, c->device->self_ps);
	c->device->tensor_total_ps = tp_add_ps(c->device->tensor_total_ps, c->device->tensor_self_ps);
	if (caller == NULL)
		return;
	struct tp_torch_op_device *to = device_of(w, caller);

	to->total_ps = tp_add_ps(to->total_ps, c->device->total_ps);
	to->tensor_total_ps = tp_add_ps(to->tensor_total_ps, c->device->tensor_total_ps);
}

static void
sum_up(struct walk *w)
{
	for (uint32_t e = w->t->count; e-- > 0;) {
		struct tp_torch_op_call *c = call_of(w, e);

		if (c == NULL || c->head != e)
			continue;
		struct tp_torch_op_call *caller = caller_of(w, e);

		if (caller != NULL) {
			caller = call_of(w, caller->head);
			caller->eligible = caller->eligible || c->eligible;
		}
		if (c->device != NULL)
			add_device(w, c, caller);
	}
}

struct tp_torch_op_call *
tp_torch_op_calls_of(const struct tp_profile *p, const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, struct tp_arena *keep, struct tp_arena *scratch)
{
	struct walk w = {
		.p = p,
		.t = t,
		.links = links,
		.keep = keep,
		.calls = tp_new_array(keep, struct tp_torch_op_call, t->operator_count),
		.called = tp_new_array(scratch, uint32_t, t->operator_count),
		.covered_ps = tp_new_array(scratch, int64_t, t->call_count != 0 ? t->operator_count : 0),
		.kernels = tp_torch_kernel_names_new(p, scratch),
		.eligible = tp_new_array(scratch, uint8_t, p->op_count),
	};

	for (uint32_t i = 0; i < t->operator_count; i++)
		w.calls[i].event = w.calls[i].head = TP_NONE;
	for (uint32_t i = 0; t->call_count != 0 && i < t->operator_count; i++)
		w.covered_ps[i] = INT64_MIN;
	count_called(&w);
	for (uint32_t e = 0; e < t->count; e++) {
		if (call_of(&w, e) != NULL)
			find_head(&w, call_of(&w, e));
		else if (tp_torch_is_call(t->kind[e]))
			add_runtime(&w, e);
	}
	for (uint32_t e = 0; e < t->count; e++) {
		if (tp_torch_is_work(t->kind[e]))
			add_work(&w, e);
	}
	sum_up(&w);
	return w.calls;
}

void
tp_torch_op_sums_add(struct tp_torch_op_sums *s, const struct tp_torch_op_sums *call)
{
	s->calls += call->calls;
	s->host_self_ps = tp_add_ps(s->host_self_ps, call->host_self_ps);
	s->host_total_ps = tp_add_ps(s->host_total_ps, call->host_total_ps);
	s->runtime_ps = tp_add_ps(s->runtime_ps, call->runtime_ps);
	s->device_self_ps = tp_add_ps(s->device_self_ps, call->device_self_ps);
	s->device_total_ps = tp_add_ps(s->device_total_ps, call->device_total_ps);
	s->copy_self_ps = tp_add_ps(s->copy_self_ps, call->copy_self_ps);
	s->tensor_self_ps = tp_add_ps(s->tensor_self_ps, call->tensor_self_ps);
	s->tensor_total_ps = tp_add_ps(s->tensor_total_ps, call->tensor_total_ps);
	s->flops = tp_plus(s->flops, call->flops);
	s->flops_calls += call->flops_calls;
	s->flops_host_ps = tp_add_ps(s->flops_host_ps, call->flops_host_ps);
	s->flops_device_ps = tp_add_ps(s->flops_device_ps, call->flops_device_ps);
	s->eligible = s->eligible || call->eligible;
}

/* Who called whom, for one walk down and up without recursion. Arrays by index in t->operators; TP_NONE: none. */
struct tree {
	uint32_t *caller, *first, *next; /* first called, next of the same caller */
	uint32_t root;                   /* first of those without a caller */
};

static struct tree
grow(const struct tp_torch_trace *t, const struct tp_torch_correlation *links,
	const struct tp_torch_op_call *calls, struct tp_arena *scratch)
{
	struct tree tree = {.caller = tp_new_array(scratch, uint32_t, t->operator_count),
		.first = tp_new_array(scratch, uint32_t, t->operator_count),
		.next = tp_new_array(scratch, uint32_t, t->operator_count),
		.root = TP_NONE};

	for (uint32_t i = 0; i < t->operator_count; i++)
		tree.first[i] = TP_NONE;
	for (uint32_t i = 0; i < t->operator_count; i++) {
		uint32_t *head = &tree.root;

		if (calls[i].event == TP_NONE)
			continue;
		uint32_t by = links->owner[calls[i].event];

		tree.caller[i] = by == TP_NONE ? TP_NONE : t->detail[by];
		if (tree.caller[i] != TP_NONE)
			head = &tree.first[tree.caller[i]];
		tree.next[i] = *head;
		*head = i;
	}
	return tree;
}

static uint8_t
enter(struct tp_torch_op_open *open, const struct tp_torch_op_rows *rows)
{
	uint8_t nested = 0;

	for (int k = 0; k < TP_TORCH_TABLES; k++) {
		uint32_t *calls = open->calls[k].data;

		if (rows->of[k] != TP_NONE && calls[rows->of[k]]++ != 0)
			nested |= (uint8_t)(1u << k);
	}
	return nested;
}

static void
leave(struct tp_torch_op_open *open, const struct tp_torch_op_rows *rows)
{
	for (int k = 0; k < TP_TORCH_TABLES; k++) {
		uint32_t *calls = open->calls[k].data;

		if (rows->of[k] != TP_NONE)
			calls[rows->of[k]]--;
	}
}

const uint8_t *
tp_torch_op_nested(const struct tp_torch_trace *t, const struct tp_torch_correlation *links,
	const struct tp_torch_op_call *calls, const struct tp_torch_op_rows *rows,
	struct tp_torch_op_open *open, struct tp_arena *scratch)
{
	uint8_t *nested = tp_new_array(scratch, uint8_t, t->operator_count);
	struct tree tree = grow(t, links, calls, scratch);
	uint32_t at = tree.root;

	while (at != TP_NONE) {
		nested[at] = enter(open, &rows[at]);
		if (tree.first[at] != TP_NONE) {
			at = tree.first[at];
			continue;
		}
		/* Up to the first that has a next. */
		for (leave(open, &rows[at]); tree.next[at] == TP_NONE && tree.caller[at] != TP_NONE;
			 leave(open, &rows[at]))
			at = tree.caller[at];
		at = tree.next[at];
	}
	return nested;
}

/* Operators that could use tensor cores. The first list is that of torch-tb-profiler (tensor_core.py), which ends with torch 1.9;
 * what newer versions call the same work follows. */
static const char *const products[] = {"_convolution", "conv1d", "conv2d", "conv3d", "conv_tbc",
	"conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "convolution", "cudnn_convolution",
	"cudnn_convolution_transpose", "cudnn_convolution_backward",
	"cudnn_convolution_transpose_backward", "cudnn_convolution_backward_input",
	"cudnn_convolution_transpose_backward_input", "cudnn_convolution_backward_weight",
	"cudnn_convolution_transpose_backward_weight", "prelu", "addmm", "addmm_", "addmv", "addr",
	"matmul", "mm", "mv", "linear", "addbmm", "baddbmm", "bmm", "chain_matmul", "linalg_multi_dot",
	"_thnn_fused_lstm_cell", "_thnn_fused_gru_cell", "lstm_cell", "gru_cell", "rnn_tanh_cell",
	"rnn_relu_cell",
	/* Since 1.11. */
	"convolution_backward", "miopen_convolution", "cudnn_convolution_relu",
	"cudnn_convolution_add_relu", "_cudnn_rnn", "_cudnn_rnn_backward", "miopen_rnn",
	"_addmm_activation", "linear_backward", "matmul_backward", "_int_mm", "_scaled_mm",
	"_grouped_mm", "_scaled_grouped_mm", "_weight_int8pack_mm", "_weight_int4pack_mm",
	"_sparse_semi_structured_mm", "_sparse_semi_structured_addmm", "scaled_dot_product_attention",
	"_scaled_dot_product_flash_attention", "_scaled_dot_product_flash_attention_backward",
	"_scaled_dot_product_efficient_attention", "_scaled_dot_product_efficient_attention_backward",
	"_scaled_dot_product_cudnn_attention", "_scaled_dot_product_cudnn_attention_backward",
	"_flash_attention_forward", "_flash_attention_backward", "_efficient_attention_forward",
	"_efficient_attention_backward", "_cudnn_attention_forward", "_cudnn_attention_backward",
	"_native_multi_head_attention", NULL};

/* Nodes of autograd; versions since 1.10 add a number. */
static const char *const nodes[] = {"CudnnConvolutionBackward", "CudnnConvolutionTransposeBackward",
	"BmmBackward", "MmBackward", "AddmmBackward", "AddmvBackward", "MvBackward", "AddbmmBackward",
	"ConvolutionBackward", "BaddbmmBackward", NULL};

bool
tp_torch_op_eligible(struct tp_slice name)
{
	if (tp_slice_starts(name, TP_S("aten::")))
		return tp_texts_any(tp_slice_from(name, strlen("aten::")), tp_slice_eq, products);
	while (name.len != 0 && name.ptr[name.len - 1] >= '0' && name.ptr[name.len - 1] <= '9')
		name.len--;
	return tp_texts_any(name, tp_slice_eq, nodes);
}

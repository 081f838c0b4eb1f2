/* Operators that could use tensor cores. The first list is that of torch-tb-profiler (tensor_core.py), which ends with torch 1.9;
 * what newer versions call the same work follows. */
#include "analyze/torch/operators/torch_op_calls.h"
#include "base/texts.h"

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

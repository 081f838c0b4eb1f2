/* Names that give the use of matrix units away. Libraries write the instruction's shape (16816: 16×8×16) or its name into
 * those of their kernels. The first list is xprof's (kernel_stats_utils.cc); it knows nothing newer than Ampere. */
#include "analyze/facts/tensor_core.h"

#include "base/texts.h"

#include <ctype.h>
#include <stddef.h>

static const char *const used[] = {
	/* Volta to Ampere, as xprof has them: shapes of instructions, and kernels of cuDNN. */
	"16816",
	"c1688",
	"conv1x1",
	"conv2d_c1_k1",
	"dgrad_1x1_stride_2x2",
	"direct_group",
	"first_layer_wgrad_kernel",
	"h1688",
	"h884",
	"hmma",
	"i16832",
	"i8816",
	"s884",
	"s1688",
	"xmma_gemm",
	"xmma_implicit_gemm",
	"xmma_sparse_conv",
	"xmma_sparse_gemm",
	"xmma_warp_specialized_implicit_gemm",
	/* The same generations, what xprof misses: cuDNN's implicit products of each direction, CUTLASS by its kind. */
	"xmma_fprop_implicit_gemm",
	"xmma_dgrad_implicit_gemm",
	"xmma_wgrad_implicit_gemm",
	"_tensor16x8x",
	"tensorop",
	"MmaTensorOp",
	"OpClassTensorOp",
	"wmma",
	"imma",
	"bmma",
	"qmma",
	/* Hopper. */
	"gmma",
	"Gmma",
	"GMMA",
	"nvjet",
	/* Blackwell. */
	"tcgen05",
	"utcmma",
	"utchmma",
	"utcqmma",
	"sm100_xmma",
	"sm120_xmma",
	/* Attention: two products in one kernel, on matrix units in all of these libraries. */
	"fmha",
	"Fmha",
	"flash_fwd_kernel",
	"flash_fwd_splitkv_kernel",
	"flash_bwd_dq_dk_dv",
	"flash_fprop",
	"flash_bprop",
	/* AMD: the instruction, Composable Kernel, MIOpen's implicit products for matrix cores ("gtcx"). */
	"mfma",
	"MFMA",
	"xdlops",
	"_xdl",
	"Xdl",
	"_gtcx",
	NULL,
};

/* These say that it was plain arithmetic, whatever else the name holds: "sm80_xmma_gemm_f32f32_…_ffma_…_cublas", which xprof
 * counts as a use of tensor cores. */
static const char *const plain[] = {"_simt_", "_ffma_", "_dfma_", NULL};

/* Products and attention that XLA, PyTorch, AOTriton and vLLM generate by way of Triton. */
static const char *const generated[] = {"gemm_fusion", "triton_gemm", "triton_mm",
	"triton_tem_fused", "_matmul_ogs_", "attn_fwd", "kernel_unified_attention", NULL};

/* Tensile (rocBLAS, hipBLASLt) writes the shape of the matrix instruction: "Cijk_Ailk_Bljk_HHS_BH_MT128x128x32_MI32x32x8x1_…".
 * Without one, the threads multiply themselves. */
static bool
is_tensile_with_matrix_instruction(struct tp_slice name)
{
	struct tp_slice rest = name, mark = TP_S("_MI");

	if (!tp_slice_starts(name, TP_S("Cijk_")))
		return false;
	for (;;) {
		const char *at = rest.len == 0 ? NULL : memmem(rest.ptr, rest.len, mark.ptr, mark.len);

		if (at == NULL)
			return false;
		rest = tp_slice_from(rest, (size_t)(at - rest.ptr) + mark.len);
		if (rest.len != 0 && isdigit((unsigned char)rest.ptr[0]))
			return true;
	}
}

enum tp_tensor_core
tp_kernel_tensor_core(struct tp_slice kernel)
{
	if (tp_texts_any(kernel, tp_slice_has, plain))
		return TP_TENSOR_CORE_NOT_USED;
	if (tp_texts_any(kernel, tp_slice_has, used) || is_tensile_with_matrix_instruction(kernel))
		return TP_TENSOR_CORE_USED;
	return tp_texts_any(kernel, tp_slice_has, generated) ? TP_TENSOR_CORE_NOT_TOLD
														 : TP_TENSOR_CORE_NOT_USED;
}

/* TensorFlow's as xprof has them, then primitives of JAX and instructions of XLA. */
static const struct {
	tp_text_fits *fits;
	const char *text;
} eligible[] = {
	{tp_slice_ends, "Conv2D"}, /* an end, so that fused operations count */
	{tp_slice_ends, "Conv2DBackpropFilter"},
	{tp_slice_ends, "Conv2DBackpropInput"},
	{tp_slice_ends, "Conv3D"},
	{tp_slice_ends, "DepthwiseConv2dNative"},
	{tp_slice_ends, "DepthwiseConv2dNativeBackpropFilter"},
	{tp_slice_ends, "DepthwiseConv2dNativeBackpropInput"},
	{tp_slice_has, "BatchMatMul"}, /* V2 and V3 too */
	{tp_slice_ends, "/MatMul"},
	{tp_slice_ends, "FusedMatMul"},
	{tp_slice_ends, "/CudnnRNN"},
	{tp_slice_has, "CudnnRNNV"},
	{tp_slice_has, "CudnnRNNForward"},
	{tp_slice_has, "CudnnRNNBackprop"},
	{tp_slice_ends, "XlaDot"},
	{tp_slice_ends, "XlaDotV2"},
	{tp_slice_ends, "/dot_general"},
	{tp_slice_ends, "/conv_general_dilated"},
	{tp_slice_starts, "gemm_fusion"},
	{tp_slice_starts, "cublas-gemm"},
	{tp_slice_starts, "cublas-lt-matmul"},
	{tp_slice_starts, "cudnn-conv"},
	{tp_slice_starts, "dot."},
	{tp_slice_starts, "convolution."},
};

bool
tp_op_tensor_core_eligible(struct tp_slice op, struct tp_slice type)
{
	for (size_t i = 0; i < sizeof eligible / sizeof *eligible; i++) {
		struct tp_slice text = tp_slice_of(eligible[i].text);

		/* xprof goes by names alone and so misses all but the first of a scope: "layer/MatMul_1". */
		if (eligible[i].fits(op, text) ||
			tp_slice_eq(type, tp_slice_from(text, text.ptr[0] == '/')))
			return true;
	}
	return false;
}

bool
tp_einsum_tensor_core_eligible(struct tp_slice equation)
{
	const char *arrow = equation.len == 0 ? NULL : memmem(equation.ptr, equation.len, "->", 2);
	size_t commas = 0;

	if (arrow == NULL ||
		tp_slice_has(tp_slice_from(equation, (size_t)(arrow - equation.ptr) + 2), TP_S("->")))
		return false;
	for (const char *at = equation.ptr; at < arrow; at++)
		commas += *at == ',';
	return commas == 1;
}

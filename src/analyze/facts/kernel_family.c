/* One list of patterns, the first that fits decides: those that name a purpose stand before those that name a way to compute. */
#include "analyze/facts/kernel_family.h"

#include <strings.h>

static const char COMMUNICATION[] = "Communication";
static const char ATTENTION[] = "Attention";
static const char CONVOLUTION[] = "Convolution";
static const char GEMM[] = "GEMM";
static const char NORM[] = "Normalization";
static const char SOFTMAX[] = "Softmax, loss";
static const char EMBEDDING[] = "Embedding";
static const char OPTIMIZER[] = "Optimizer, foreach";
static const char POOLING[] = "Pooling, resampling";
static const char INDEXING[] = "Gather, scatter";
static const char SORTING[] = "Sort, scan";
static const char RANDOM[] = "Random numbers";
static const char QUANTIZATION[] = "Quantization";
static const char COPY[] = "Copy, layout, fill";
static const char REDUCTION[] = "Reduction";
static const char ELEMENTWISE[] = "Elementwise";
static const char ROTARY[] = "Rotary embedding";
static const char KV_CACHE[] = "KV cache";
static const char MOE_ROUTING[] = "MoE routing";
static const char MOE_EXPERTS[] = "MoE experts";
static const char SAMPLING[] = "Sampling";
static const char FUSED[] = "Fused, of several kinds";

/* Anywhere in the name, capitals or not; with ^ at its start. Beside each whose names they are. */
static const struct {
	const char *pattern, *family;
} known[] = {
	/* NCCL and RCCL (ncclDevKernel_…, ncclKernel_…), MSCCL; vLLM's and TensorRT-LLM's own all-reduce */
	{"^nccl", COMMUNICATION},
	{"^rccl", COMMUNICATION},
	{"^mscclKernel", COMMUNICATION},
	{"nvshmem", COMMUNICATION},
	{"cross_device_reduce", COMMUNICATION},
	{"allreduce", COMMUNICATION},
	{"all_reduce", COMMUNICATION},
	{"all_gather", COMMUNICATION},
	{"reduce_scatter", COMMUNICATION},
	/* vLLM and SGLang: keys and values into their cache, where they lie in it, positions turned into angles */
	{"reshape_and_cache", KV_CACHE},
	{"store_kvcache", KV_CACHE},
	{"concat_and_cache_mla", KV_CACHE},
	{"kv_indices", INDEXING},
	{"token_ids", INDEXING},
	{"compute_position", INDEXING},
	{"rotary_embedding", ROTARY},
	{"rotary_kernel", ROTARY},
	{"ApplyRotary", ROTARY},
	{"_rope", ROTARY},
	{"ApplyRope", ROTARY},
	/* vLLM, SGLang and TensorRT-LLM, and the Triton kernels of expert models: which token goes to which expert, and what that does */
	{"moe_align", MOE_ROUTING},
	{"topkGating", MOE_ROUTING},
	{"topk_gating", MOE_ROUTING},
	{"count_and_sort_expert", MOE_ROUTING},
	{"grouped_topk", MOE_ROUTING},
	{"expandInputRows", MOE_ROUTING},
	{"_routing_", MOE_ROUTING},
	{"bitmatrix", MOE_ROUTING},
	{"_topk_forward", MOE_ROUTING},
	{"matmul_ogs", MOE_EXPERTS},
	{"matmul_scatter", MOE_EXPERTS},
	{"fused_moe", MOE_EXPERTS},
	{"moe_wna16", MOE_EXPERTS},
	{"moe_sum", MOE_EXPERTS},
	{"moe_gemm", MOE_EXPERTS},
	{"finalizeMoe", MOE_EXPERTS},
	/* vLLM (_topk_topp_kernel, _gumbel_sample_kernel), FlashInfer (TopKTopPSampling…), PyTorch (sampleMultinomial…) */
	{"topk_topp", SAMPLING},
	{"gumbel", SAMPLING},
	{"TopPSampling", SAMPLING},
	{"TopKSampling", SAMPLING},
	{"TopKTopP", SAMPLING},
	{"multinomial", SAMPLING},
	{"_sample_kernel", SAMPLING},
	{"SamplingFromProb", SAMPLING},
	/* FlashAttention (flash_fwd_kernel), cuDNN and xFormers (fmha), vLLM (paged_attention), AOTriton (attn_fwd), FlashInfer
	 * (BatchPrefillWithPagedKVCacheKernel) */
	{"PrefillWith", ATTENTION},
	{"DecodeWith", ATTENTION},
	{"flash", ATTENTION},
	{"fmha", ATTENTION},
	{"attention", ATTENTION},
	{"attn", ATTENTION},
	/* cuDNN around its attention's backward pass: dO·O, and dQ summed up in fp32 */
	{"compute_dot_do_o", ATTENTION},
	{"convert_dq_to", ATTENTION},
	/* FBGEMM (split_embedding_…, its indices), PyTorch */
	{"embedding", EMBEDDING},
	{"pooled_embs", EMBEDDING},
	{"bounds_check_indices", EMBEDDING},
	{"linearize_index", EMBEDDING},
	/* cuDNN (bn_fw_…, bn_bw_…), PyTorch (batch_norm_…, LayerNormForward…, RowwiseMoments…, GammaBeta…), vLLM and AITER (rmsnorm) */
	{"^bn_fw", NORM},
	{"^bn_bw", NORM},
	{"batchnorm", NORM},
	{"batch_norm", NORM},
	{"layernorm", NORM},
	{"layer_norm", NORM},
	{"rmsnorm", NORM},
	{"rms_norm", NORM},
	{"groupnorm", NORM},
	{"group_norm", NORM},
	{"RowwiseMoments", NORM},
	{"GammaBeta", NORM},
	{"welford", NORM},
	/* PyTorch (softmax_warp_…, cunn_SoftMax…, nll_loss, ClassNLLCriterion), TensorFlow */
	{"softmax", SOFTMAX},
	{"nll_loss", SOFTMAX},
	{"ClassNLLCriterion", SOFTMAX},
	{"cross_entropy", SOFTMAX},
	{"mse_", SOFTMAX},
	/* cuDNN: its convolutions, and what it does around them (offsets, FFT, Winograd, filters turned) */
	{"winograd", CONVOLUTION},
	{"convolve", CONVOLUTION},
	{"scudnn", CONVOLUTION},
	{"s884cudnn", CONVOLUTION},
	{"s1688cudnn", CONVOLUTION},
	{"fprop", CONVOLUTION},
	{"dgrad", CONVOLUTION},
	{"wgrad", CONVOLUTION},
	{"implicit_gemm", CONVOLUTION},
	{"OffsetsKernel", CONVOLUTION},
	{"^fft1d_", CONVOLUTION},
	{"^fft2d_", CONVOLUTION},
	{"mult_and_sum_complex", CONVOLUTION},
	{"flip_filter", CONVOLUTION},
	/* MIOpen: implicit GEMM (igemm_fwd_gtcx3_…), composable kernels (grouped_conv_…, …_bwd_weight), image to columns */
	{"^igemm_", CONVOLUTION},
	{"bwd_weight", CONVOLUTION},
	{"im2col", CONVOLUTION},
	{"col2im", CONVOLUTION},
	{"conv", CONVOLUTION},
	/* hipBLASLt and rocBLAS (Cijk_…), cuBLAS (…gemm…, gemv…, splitKreduce; nvjet_… since 12.8), CUTLASS, MAGMA, Triton (…matmul…,
	 * triton_tem_ of inductor) */
	{"^Cijk_", GEMM},
	{"^nvjet", GEMM},
	{"gemm", GEMM},
	{"gemv", GEMM},
	{"matmul", GEMM},
	{"^triton_tem_", GEMM},
	{"splitkreduce", GEMM},
	{"reducesplitk", GEMM},
	{"bmm", GEMM},
	/* PyTorch (multi_tensor_apply_kernel: one operation on many parameters), Apex, DeepSpeed */
	{"multi_tensor_apply", OPTIMIZER},
	{"fused_adam", OPTIMIZER},
	{"fusedsgd", OPTIMIZER},
	{"optimizer", OPTIMIZER},
	/* PyTorch, cuDNN, MIOpen */
	{"pool", POOLING},
	{"upsample", POOLING},
	{"interpolate", POOLING},
	{"avgpool", POOLING},
	/* CUB (DeviceRadixSort…, DeviceScan…, DeviceCompact…), Thrust, ModernGPU (merge), Triton */
	{"sort", SORTING},
	{"scan", SORTING},
	{"topk", SORTING},
	{"DeviceCompact", SORTING},
	{"DeviceSelect", SORTING},
	{"ReduceByKey", SORTING},
	{"^merge", SORTING},
	{"cumsum", SORTING},
	/* PyTorch (distribution_…, fused_dropout_…), TensorFlow (FillPhiloxRandom…), cuRAND */
	{"dropout", RANDOM},
	{"distribution_", RANDOM},
	{"philox", RANDOM},
	{"random", RANDOM},
	{"curand", RANDOM},
	/* FBGEMM, vLLM */
	{"quantize", QUANTIZATION},
	{"FP8", QUANTIZATION},
	{"_quant_", QUANTIZATION},
	/* PyTorch (arange: no index is read; indexSelect…, index_elementwise_kernel, _scatter_gather_…), FBGEMM (permute_…) */
	{"elementwise_kernel_with_index", ELEMENTWISE},
	{"index", INDEXING},
	{"gather", INDEXING},
	{"scatter", INDEXING},
	{"permute_", INDEXING},
	/* PyTorch (…copy_kernel_cuda, CatArrayBatchedCopy, FillFunctor), cuDNN (nchwToNhwc), MIOpen (batched_transpose, NCHW2CNHW) */
	{"copy", COPY},
	{"fillfunctor", COPY},
	{"transpose", COPY},
	{"nchwtonhwc", COPY},
	{"nhwctonchw", COPY},
	{"memcpy", COPY},
	{"memset", COPY},
	{"concat", COPY},
	{"dynamic_update_slice", COPY},
	/* PyTorch (reduce_kernel), cuBLAS (dot_kernel, reduce_1Block_kernel), inductor (triton_red_, triton_per_), XLA (input_reduce_fusion) */
	{"reduce", REDUCTION},
	{"^dot_kernel", REDUCTION},
	{"^triton_red_", REDUCTION},
	{"^triton_per_", REDUCTION},
	{"_sum_", REDUCTION},
	/* PyTorch (…elementwise_kernel), inductor (triton_poi_), XLA (loop_…_fusion), Eigen in TensorFlow, MIOpen (SubTensorOp…), cuBLAS (scal),
	 * cuDNN (scalePackedTensor), vLLM (act_and_mul) */
	{"elementwise", ELEMENTWISE},
	{"pointwise", ELEMENTWISE},
	{"^triton_poi_", ELEMENTWISE},
	{"^triton_for_", ELEMENTWISE},
	{"^loop_", ELEMENTWISE},
	{"EigenMetaKernel", ELEMENTWISE},
	{"SubTensorOp", ELEMENTWISE},
	{"^scal_kernel", ELEMENTWISE},
	{"scalePackedTensor", ELEMENTWISE},
	{"act_and_mul", ELEMENTWISE},
	{"clamp", ELEMENTWISE},
	/* XLA and inductor: what the name does not tell further */
	{"fusion", FUSED},
	{"^triton_", FUSED},
};

static bool
begins(struct tp_slice at, struct tp_slice pattern)
{
	return at.len >= pattern.len && strncasecmp(at.ptr, pattern.ptr, pattern.len) == 0;
}

static bool
fits(struct tp_slice name, const char *pattern)
{
	if (*pattern == '^')
		return begins(name, tp_slice_of(pattern + 1));
	for (size_t i = 0; i < name.len; i++) {
		if (begins(tp_slice_from(name, i), tp_slice_of(pattern)))
			return true;
	}
	return false;
}

struct tp_slice
tp_kernel_family(struct tp_slice short_name)
{
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (fits(short_name, known[i].pattern))
			return tp_slice_of(known[i].family);
	}
	return TP_S("Other");
}

struct tp_slice
tp_kernel_family_in(struct tp_slice short_name, struct tp_slice name)
{
	struct tp_slice family = tp_kernel_family(short_name);

	return tp_slice_eq(family, TP_S("Other")) ? tp_kernel_family(name) : family;
}

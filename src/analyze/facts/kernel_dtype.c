/* On which type of numbers a kernel's matrix products work, by its name. Several stand in one name where results have another type than
 * operands ("sm90_xmma_gemm_e4m3bf16_e4m3f32_f32_…": A and B in e4m3, C and D in bf16), so that the narrowest is asked for first. */
#include "analyze/facts/matrix_dtype.h"

#include "base/texts.h"

#include <ctype.h>

/* Anywhere in the name, capitals or not. */
static const struct {
	enum tp_dtype dtype;
	const char *pattern;
} known[] = {
	/* cuBLAS and CUTLASS (e4m3, e5m2, qmma: Blackwell's instruction for 8 bit), DeepGEMM and Triton (fp8), Tensile (_F8…) */
	{TP_DTYPE_FP8, "e4m3"},
	{TP_DTYPE_FP8, "e5m2"},
	{TP_DTYPE_FP8, "fp8"},
	{TP_DTYPE_FP8, "float8"},
	{TP_DTYPE_FP8, "qmma"},
	{TP_DTYPE_FP8, "_F8"},
	/* instructions of 8-bit integers by their shape or name; Tensile's Cijk_…_I8… */
	{TP_DTYPE_INT8, "i16832"},
	{TP_DTYPE_INT8, "i8816"},
	{TP_DTYPE_INT8, "imma"},
	{TP_DTYPE_INT8, "s8s8"},
	{TP_DTYPE_INT8, "int8"},
	{TP_DTYPE_INT8, "_I8"},
	{TP_DTYPE_TF32, "tf32"},
	{TP_DTYPE_16, "bf16"},
	{TP_DTYPE_16, "bfloat16"},
	{TP_DTYPE_16, "fp16"},
	{TP_DTYPE_16, "f16"},
	{TP_DTYPE_16, "half"},
	{TP_DTYPE_16, "16816"},
	{TP_DTYPE_16, "s884"},
	{TP_DTYPE_16, "h884"},
	{TP_DTYPE_16, "h1688"},
	{TP_DTYPE_16, "hmma"},
	{TP_DTYPE_16, "hgemm"},
	{TP_DTYPE_16, "_HHS_"},
	{TP_DTYPE_16, "_HSS_"},
	{TP_DTYPE_16, "_HB_"},
	{TP_DTYPE_16, "_BBS_"},
	{TP_DTYPE_16, "_BSS_"},
	/* cutlass_80_tensorop_s1688gemm: of fp32 operands as TF32; with 16-bit ones their type stands before it */
	{TP_DTYPE_TF32, "tensorop_s1688"},
	{TP_DTYPE_FP32, "_ffma_"},
	{TP_DTYPE_FP32, "sgemm"},
	{TP_DTYPE_FP32, "scudnn"},
	{TP_DTYPE_FP32, "_SB_"},
	{TP_DTYPE_FP32, "<float"},
};

static bool
has_in_any_case(struct tp_slice name, const char *pattern)
{
	size_t length = strlen(pattern);

	for (size_t i = 0; i + length <= name.len; i++) {
		size_t k = 0;

		while (k < length &&
			tolower((unsigned char)name.ptr[i + k]) == tolower((unsigned char)pattern[k]))
			k++;
		if (k == length)
			return true;
	}
	return false;
}

/* cuBLAS since 12.8: nvjet_[smNN_] and a letter for each type, A first: q 8-bit floats, t bf16, h fp16; of s, fp32, products are TF32. */
static enum tp_dtype
of_nvjet(struct tp_slice name)
{
	struct tp_slice rest = tp_slice_from(name, sizeof "nvjet_" - 1);

	if (tp_slice_starts(rest, TP_S("sm"))) {
		while (rest.len != 0 && rest.ptr[0] != '_')
			rest = tp_slice_from(rest, 1);
		rest = rest.len != 0 ? tp_slice_from(rest, 1) : rest;
	}
	switch (rest.len != 0 ? rest.ptr[0] : '\0') {
	case 'q':
		return TP_DTYPE_FP8;
	case 't':
	case 'h':
		return TP_DTYPE_16;
	case 's':
		return TP_DTYPE_TF32;
	default:
		return TP_DTYPE_NOT_TOLD;
	}
}

enum tp_dtype
tp_kernel_dtype(struct tp_slice kernel)
{
	if (tp_slice_starts(kernel, TP_S("nvjet_")))
		return of_nvjet(kernel);
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (has_in_any_case(kernel, known[i].pattern))
			return known[i].dtype;
	}
	return TP_DTYPE_NOT_TOLD;
}

/* What type of numbers a program's matrix products work on: devices have another peak for each. */
#ifndef TP_ANALYZE_MATRIX_DTYPE_H
#define TP_ANALYZE_MATRIX_DTYPE_H

#include "analyze/core/ctx.h"
#include "analyze/facts/peaks.h"

#include <stdbool.h>

enum tp_dtype {
	TP_DTYPE_NOT_TOLD,
	TP_DTYPE_16, /* bf16 and fp16, which compute at one rate */
	TP_DTYPE_FP8,
	TP_DTYPE_INT8,
	TP_DTYPE_TF32,
	TP_DTYPE_FP32,
	TP_DTYPE_COUNT,
};

struct tp_matrix_dtype {
	enum tp_dtype most;            /* NOT_TOLD: nothing says it */
	double amount[TP_DTYPE_COUNT]; /* of each type: ps, or FLOP */
	bool by_flop;                  /* FLOP of instructions, not time of kernels */
	double share;                  /* of most among those told */
};

/* struct tp_matrix_dtype; never skipped where there are events */
extern const struct tp_pass tp_pass_matrix_dtype;

/* "bf16/fp16", "fp8"; "" of what is not told. */
const char *tp_dtype_name(enum tp_dtype dtype);

/* Which peak counts; of what is not told that of 16 bit. */
enum tp_peak_kind tp_dtype_peak(enum tp_dtype dtype);

/* By what libraries write into the names of their kernels (kernel_dtype.c). */
enum tp_dtype tp_kernel_dtype(struct tp_slice kernel);

/* By how PyTorch writes the type of an operator's inputs, and HLO that of an array. A float is TF32 where XLA compiles for a GPU, whose
 * default precision lets products be so, and bf16 on a TPU, which rounds to it; for PyTorch it is fp32 unless its kernels say more. */
enum tp_dtype tp_dtype_of_torch(struct tp_slice type);
enum tp_dtype tp_dtype_of_hlo(struct tp_slice type, bool on_tpu);

#endif

/* Why an operation is not in the list: what is certain of it, the more special first. */
#include "analyze/graph/tpu_rule.h"

#include "base/arena.h"
#include "base/texts.h"

#include <ctype.h>
#include <stdlib.h>

#define OUTSIDE "outside the compiled program, or in the input pipeline"
/* By the beginning of the operation's name. */
static const struct {
	const char *why, *instead;
	const char *const *starts;
} kinds[] = {
	{"calls Python, which runs on the host", OUTSIDE, TP_TEXTS("PyFunc", "EagerPyFunc")},
	{"prints on the host", OUTSIDE, TP_TEXTS("Print")},
	{"looks up a table held by a host", OUTSIDE,
		TP_TEXTS("LookupTable", "HashTable", "MutableHashTable", "MutableDenseHashTable",
			"InitializeTable", "AnonymousHashTable")},
	{"works on strings, which TPUs do not support", OUTSIDE,
		TP_TEXTS("String", "AsString", "Substr", "Regex", "StaticRegex", "Unicode", "ReduceJoin")},
	{"calls cuDNN, a library for GPUs", "", TP_TEXTS("Cudnn")},
	{"calls NCCL, a library for GPUs", "", TP_TEXTS("Nccl")},
	{"runs TensorRT, a library for GPUs", "", TP_TEXTS("TRTEngineOp")},
	{"inserted by TensorFlow's optimiser for a CPU", "", TP_TEXTS("_Mkl")},
	{"inserted by TensorFlow's optimiser for a CPU or GPU", "", TP_TEXTS("_Fused")},
};

/* In byte order: operations that TensorFlow 2.21 compiles with XLA for CPUs and that the newest list, of 2021, has not: kernels
 * registered for the device XLA_CPU_JIT (tf.python.framework.kernels.get_all_registered_kernels, after a function was compiled),
 * without internal ones. */
static const char *const newer[] = {"ApproxTopK", "AssignVariableXlaConcatND", "BatchMatMulV3",
	"Bincount", "CollectiveAssignGroupV2", "Conv", "CumulativeLogsumexp", "DenseBincount",
	"DynamicPartition", "FakeQuantWithMinMaxVarsPerChannel",
	"FakeQuantWithMinMaxVarsPerChannelGradient", "NonMaxSuppressionV3", "QuantizeAndDequantizeV4",
	"ReadVariableXlaSplitND", "SegmentMaxV2", "SegmentMinV2", "SegmentProdV2", "SegmentSumV2",
	"StatelessParameterizedTruncatedNormal", "StochasticCastToInt", "ToBool", "TridiagonalMatMul",
	"UniformDequantize", "UniformQuantize", "UniformQuantizedAdd", "UniformQuantizedClipByValue",
	"UniformQuantizedConvolution", "UniformQuantizedDot", "UniformRequantize", "UniqueV2",
	"XlaAllReduce", "XlaCallModule", "XlaConcatND", "XlaCustomCall", "XlaCustomCallV2",
	"XlaOptimizationBarrier", "XlaReducePrecision", "XlaReduceScatter",
	"XlaRemoveDynamicDimensionSize", "XlaRngBitGenerator", "XlaSplitND", "XlaVariadicReduceV2"};

static int
by_name(const void *key, const void *member)
{
	return tp_slice_cmp(*(const struct tp_slice *)key, tp_slice_of(*(const char *const *)member));
}

/* "ResourceApplyMomentum" for "ApplyMomentum": the same on a resource variable. Empty: the list has none. */
static struct tp_slice
for_resource(struct tp_slice op, enum tp_tpu_list list, struct tp_arena *a)
{
	struct tp_slice before = tp_arena_printf(a, "Resource%.*s", TP_ARG(op)),
					after = tp_arena_printf(a, "%.*sVariableOp", TP_ARG(op));

	if (tp_tpu_listed(before, list))
		return before;
	return tp_tpu_listed(after, list) ? after : TP_S("");
}

/* "TopKV2" for "TopK": the newest version of it that the list has. Empty: it has none. */
static struct tp_slice
other_version(struct tp_slice op, enum tp_tpu_list list, struct tp_arena *a)
{
	struct tp_slice stem = op;

	if (op.len > 2 && op.ptr[op.len - 2] == 'V' && isdigit((unsigned char)op.ptr[op.len - 1]))
		stem.len -= 2;
	for (int version = 9; version > 1; version--) {
		struct tp_slice name = tp_arena_printf(a, "%.*sV%d", TP_ARG(stem), version);

		if (tp_tpu_listed(name, list))
			return name;
	}
	return tp_tpu_listed(stem, list) ? stem : TP_S("");
}

struct tp_tpu_reason
tp_tpu_reason(struct tp_slice op, enum tp_tpu_list list, struct tp_arena *a)
{
	const struct tp_tpu_op *known = tp_tpu_op(op);

	if (known != NULL && known->since > list)
		return (struct tp_tpu_reason){
			.why = tp_arena_printf(a, "not in this list yet: added in TensorBoard %s",
				tp_tpu_list_row(known->since)->first)};
	if (known != NULL)
		return (struct tp_tpu_reason){
			.why = tp_arena_printf(a, "no longer in the list since TensorBoard %s",
				tp_tpu_list_row(known->gone)->first)};
	struct tp_slice instead = for_resource(op, list, a);
	if (instead.len != 0)
		return (struct tp_tpu_reason){TP_S("changes a reference variable, which TPUs do not have"),
			tp_arena_printf(a, "%.*s, of resource variables", TP_ARG(instead))};
	instead = other_version(op, list, a);
	if (instead.len != 0)
		return (struct tp_tpu_reason){TP_S("the list has another version of it"), instead};
	if (bsearch(&op, newer, sizeof newer / sizeof *newer, sizeof *newer, by_name) != NULL)
		return (struct tp_tpu_reason){
			.why = TP_S("newer than the list: TensorFlow 2.21 compiles it with XLA for CPUs; for "
						"TPUs unknown")};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (tp_texts_any(op, tp_slice_starts, kinds[i].starts))
			return (struct tp_tpu_reason){tp_slice_of(kinds[i].why), tp_slice_of(kinds[i].instead)};
	}
	return (struct tp_tpu_reason){.why = TP_S("not in the list")};
}

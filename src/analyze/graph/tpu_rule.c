/* The rules: one walk through questions, the first that holds decides. */
#include "analyze/graph/tpu_rule.h"

#include "base/path.h"
#include "base/texts.h"

#include <ctype.h>
#include <strings.h>

/* Patterns of operations that never are work of the compiled program; of classes the more special first. */
static const struct {
	enum tp_tpu_class class;
	tp_text_fits *how;
	const char *const *texts;
} host_work[] = {
	/* MakeStatsSummary of these writes none. */
	{TP_TPU_COMPATIBLE, tp_slice_starts, TP_TEXTS("BoostedTrees")},
	{TP_TPU_ORDER, tp_slice_eq, TP_TEXTS("NoOp", "Placeholder", "PlaceholderV2")},
	/* DisableCopyOnRead: while a variable is saved */
	{TP_TPU_SAVE_RESTORE, tp_slice_eq,
		TP_TEXTS("Save", "SaveSlices", "SaveV2", "Restore", "RestoreSlice", "RestoreV2",
			"DTensorRestoreV2", "DisableCopyOnRead", "MergeV2Checkpoints", "ShardedFilename",
			"ShardedFilespec")},
	{TP_TPU_SUMMARY, tp_slice_ends,
		TP_TEXTS("Summary", "SummaryV2", "SummaryWriter", "SummaryFileWriter", "SummaryDbWriter")},
	{TP_TPU_SUMMARY, tp_slice_eq, TP_TEXTS("ImportEvent")},
	{TP_TPU_INPUT, tp_slice_has,
		TP_TEXTS("Dataset", "SeedGenerator", "MemoryCache", "IterationCounter", "ThreadPoolHandle",
			"StatsAggregatorHandle", "Iterator")},
	{TP_TPU_INPUT, tp_slice_eq,
		TP_TEXTS("DistributedSave", "RecordInput", "ReadFile", "WriteFile", "MatchingFiles",
			"ExtractJpegShape")},
	/* Optional: what an iterator may have; ReaderRe: Read, ReadUpTo, Reset, RestoreState; Parse: Example, SingleExample,
	 * SequenceExample, Tensor */
	{TP_TPU_INPUT, tp_slice_starts,
		TP_TEXTS("Optional", "ReaderRe", "ReaderNum", "ReaderSerializeState", "Queue", "Parse",
			"Decode")},
	{TP_TPU_INPUT, tp_slice_ends, TP_TEXTS("Reader", "ReaderV2", "Queue", "QueueV2")},
	{TP_TPU_SYSTEM, tp_slice_starts,
		TP_TEXTS("InfeedEnqueue", "OutfeedDequeue", "ConfigureTPUEmbedding", "FinalizeTPUEmbedding",
			"LoadTPUEmbedding", "RetrieveTPUEmbedding", "TPUPartitionedInput",
			"TPUPartitionedOutput", "TPUExecute", "_XlaRecvAtHost", "_XlaSendFromHost")},
	/* DistributedTPU: Configure, Shutdown, WaitFor */
	{TP_TPU_SYSTEM, tp_slice_ends,
		TP_TEXTS("DistributedTPU", "DistributedTPUSystem", "GlobalTPU", "GlobalTPUArray",
			"AllTPUEmbeddingParameters")},
	{TP_TPU_SYSTEM, tp_slice_has, TP_TEXTS("EnqueueTPUEmbedding")}, /* also Dynamic */
	{TP_TPU_SYSTEM, tp_slice_eq,
		TP_TEXTS("ShutdownTPUSystem", "ConnectTPUEmbeddingHosts", "CollateTPUEmbeddingMemory",
			"ExecuteTPUEmbeddingPartitioner", "IsTPUEmbeddingInitialized", "TPUReplicate",
			"_TPUReplicate", "TPURoundRobin", "TPUReshardVariables", "GetTpuTaskId",
			"TpuHandleToProtoKey", "TPUPartitionedCall", "TPUOrdinalSelector", "TPUCompile",
			"_TPUCompileMlir", "TPUCompileSucceededAssert")},
};

/* Where a text stands in s, letters in any case; s.len: nowhere. */
static size_t
find(struct tp_slice s, const char *text)
{
	size_t length = strlen(text);

	for (size_t at = 0; at + length <= s.len; at++) {
		if (strncasecmp(s.ptr + at, text, length) == 0)
			return at;
	}
	return s.len;
}

static bool
has(struct tp_slice s, const char *text)
{
	return find(s, text) < s.len;
}

/* What needs neither the list nor the kind of operation; TP_TPU_COMPATIBLE: none of that. */
static enum tp_tpu_class
by_place(const struct tp_tpu_node *node)
{
	struct tp_slice device = node->device;

	if (node->op.len == 0)
		return TP_TPU_NO_OP;
	if (device.len == 0)
		return TP_TPU_COMPATIBLE;
	if (has(device, "cpu:") || has(device, "gpu:") || !has(device, "tpu"))
		return TP_TPU_PLACED;
	return tp_slice_has(device, TP_S("TPU_SYSTEM")) ? TP_TPU_SYSTEM : TP_TPU_COMPATIBLE;
}

bool
tp_tpu_valid(const struct tp_tpu_node *node, enum tp_tpu_list list)
{
	return node->in_function || tp_slice_starts(node->name, TP_S("__function_library__")) ||
		by_place(node) != TP_TPU_COMPATIBLE || tp_tpu_listed(node->op, list);
}

/* TP_TPU_COMPATIBLE: it is none. */
static enum tp_tpu_class
work_of_host(struct tp_slice op)
{
	for (size_t i = 0; i < sizeof host_work / sizeof *host_work; i++) {
		if (tp_texts_any(op, host_work[i].how, host_work[i].texts))
			return host_work[i].class;
	}
	return TP_TPU_COMPATIBLE;
}

enum tp_tpu_class
tp_tpu_class_of(const struct tp_tpu_node *node, enum tp_tpu_list list)
{
	enum tp_tpu_class class = by_place(node);

	if (class == TP_TPU_COMPATIBLE && node->outside)
		class = TP_TPU_PLACED;
	if (class == TP_TPU_COMPATIBLE)
		class = work_of_host(node->op);
	if (class != TP_TPU_COMPATIBLE)
		return class;
	if (node->in_saver)
		return TP_TPU_SAVE_RESTORE;
	if (node->host != TP_TPU_COMPATIBLE)
		return node->host;
	if (node->calls)
		return TP_TPU_ORDER;
	return tp_tpu_listed(node->op, list) ? TP_TPU_COMPATIBLE : TP_TPU_INCOMPATIBLE;
}

enum tp_tpu_class
tp_tpu_called(const struct tp_tpu_node *node, enum tp_tpu_list list)
{
	enum tp_tpu_class class = tp_tpu_class_of(node, list);
	bool host = class == TP_TPU_INPUT || class == TP_TPU_PLACED;

	/* What TPUPartitionedCall and its like call runs on TPUs, wherever they stand themselves. */
	return host && !tp_slice_has(node->op, TP_S("TPU")) ? class : TP_TPU_COMPATIBLE;
}

bool
tp_tpu_is_for_tpu(const struct tp_tpu_node *node)
{
	struct tp_slice device = node->device;
	size_t at = find(device, "tpu");

	/* Not of a job called "output". */
	return (at < device.len && (at == 0 || !isalpha((unsigned char)device.ptr[at - 1]))) ||
		tp_slice_has(node->op, TP_S("TPU"));
}

bool
tp_tpu_is_saver(struct tp_slice name, struct tp_slice op)
{
	struct tp_slice last = tp_path_name(name);
	bool called = tp_slice_eq(last, TP_S("save")) || tp_slice_starts(last, TP_S("save_")) ||
		tp_slice_has(last, TP_S("_traced_save_")) || tp_slice_has(last, TP_S("_traced_restore_"));

	return called && work_of_host(op) == TP_TPU_SAVE_RESTORE;
}

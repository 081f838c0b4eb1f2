/* The rules: one walk through questions, the first that holds decides. */
#include "analyze/graph/tpu_rule.h"

#include <ctype.h>
#include <strings.h>

/* Patterns of operations that never are work of the compiled program, the more special first. */
static const struct {
	enum { IS, STARTS, ENDS, HAS } how;
	const char *text;
	enum tp_tpu_class class;
} host_work[] = {
	{STARTS, "BoostedTrees", TP_TPU_COMPATIBLE}, /* MakeStatsSummary writes none */
	{IS, "NoOp", TP_TPU_ORDER},
	{IS, "Placeholder", TP_TPU_ORDER},
	{IS, "PlaceholderV2", TP_TPU_ORDER},
	{IS, "Save", TP_TPU_SAVE_RESTORE},
	{IS, "SaveSlices", TP_TPU_SAVE_RESTORE},
	{IS, "SaveV2", TP_TPU_SAVE_RESTORE},
	{IS, "Restore", TP_TPU_SAVE_RESTORE},
	{IS, "RestoreSlice", TP_TPU_SAVE_RESTORE},
	{IS, "RestoreV2", TP_TPU_SAVE_RESTORE},
	{IS, "DTensorRestoreV2", TP_TPU_SAVE_RESTORE},
	{IS, "DisableCopyOnRead", TP_TPU_SAVE_RESTORE}, /* while a variable is saved */
	{IS, "MergeV2Checkpoints", TP_TPU_SAVE_RESTORE},
	{IS, "ShardedFilename", TP_TPU_SAVE_RESTORE},
	{IS, "ShardedFilespec", TP_TPU_SAVE_RESTORE},
	{ENDS, "Summary", TP_TPU_SUMMARY},
	{ENDS, "SummaryV2", TP_TPU_SUMMARY},
	{ENDS, "SummaryWriter", TP_TPU_SUMMARY},
	{ENDS, "SummaryFileWriter", TP_TPU_SUMMARY},
	{ENDS, "SummaryDbWriter", TP_TPU_SUMMARY},
	{IS, "ImportEvent", TP_TPU_SUMMARY},
	{HAS, "Dataset", TP_TPU_INPUT},
	{IS, "DistributedSave", TP_TPU_INPUT},
	{HAS, "SeedGenerator", TP_TPU_INPUT},
	{HAS, "MemoryCache", TP_TPU_INPUT},
	{HAS, "IterationCounter", TP_TPU_INPUT},
	{HAS, "ThreadPoolHandle", TP_TPU_INPUT},
	{HAS, "StatsAggregatorHandle", TP_TPU_INPUT},
	{STARTS, "Optional", TP_TPU_INPUT}, /* what an iterator may have */
	{HAS, "Iterator", TP_TPU_INPUT},
	{ENDS, "Reader", TP_TPU_INPUT},
	{ENDS, "ReaderV2", TP_TPU_INPUT},
	{STARTS, "ReaderRe", TP_TPU_INPUT}, /* Read, ReadUpTo, Reset, RestoreState */
	{STARTS, "ReaderNum", TP_TPU_INPUT},
	{STARTS, "ReaderSerializeState", TP_TPU_INPUT},
	{STARTS, "Queue", TP_TPU_INPUT},
	{ENDS, "Queue", TP_TPU_INPUT},
	{ENDS, "QueueV2", TP_TPU_INPUT},
	{IS, "RecordInput", TP_TPU_INPUT},
	{IS, "ReadFile", TP_TPU_INPUT},
	{IS, "WriteFile", TP_TPU_INPUT},
	{IS, "MatchingFiles", TP_TPU_INPUT},
	{STARTS, "Parse", TP_TPU_INPUT}, /* Example, SingleExample, SequenceExample, Tensor */
	{STARTS, "Decode", TP_TPU_INPUT},
	{IS, "ExtractJpegShape", TP_TPU_INPUT},
	{STARTS, "InfeedEnqueue", TP_TPU_SYSTEM},
	{STARTS, "OutfeedDequeue", TP_TPU_SYSTEM},
	{ENDS, "DistributedTPU", TP_TPU_SYSTEM}, /* Configure, Shutdown, WaitFor */
	{ENDS, "DistributedTPUSystem", TP_TPU_SYSTEM},
	{ENDS, "GlobalTPU", TP_TPU_SYSTEM},
	{ENDS, "GlobalTPUArray", TP_TPU_SYSTEM},
	{IS, "ShutdownTPUSystem", TP_TPU_SYSTEM},
	{STARTS, "ConfigureTPUEmbedding", TP_TPU_SYSTEM},
	{STARTS, "FinalizeTPUEmbedding", TP_TPU_SYSTEM},
	{IS, "ConnectTPUEmbeddingHosts", TP_TPU_SYSTEM},
	{IS, "CollateTPUEmbeddingMemory", TP_TPU_SYSTEM},
	{IS, "ExecuteTPUEmbeddingPartitioner", TP_TPU_SYSTEM},
	{IS, "IsTPUEmbeddingInitialized", TP_TPU_SYSTEM},
	{HAS, "EnqueueTPUEmbedding", TP_TPU_SYSTEM}, /* also Dynamic */
	{STARTS, "LoadTPUEmbedding", TP_TPU_SYSTEM},
	{STARTS, "RetrieveTPUEmbedding", TP_TPU_SYSTEM},
	{ENDS, "AllTPUEmbeddingParameters", TP_TPU_SYSTEM},
	{IS, "TPUReplicate", TP_TPU_SYSTEM},
	{IS, "_TPUReplicate", TP_TPU_SYSTEM},
	{STARTS, "TPUPartitionedInput", TP_TPU_SYSTEM},
	{STARTS, "TPUPartitionedOutput", TP_TPU_SYSTEM},
	{IS, "TPURoundRobin", TP_TPU_SYSTEM},
	{IS, "TPUReshardVariables", TP_TPU_SYSTEM},
	{IS, "GetTpuTaskId", TP_TPU_SYSTEM},
	{IS, "TpuHandleToProtoKey", TP_TPU_SYSTEM},
	{IS, "TPUPartitionedCall", TP_TPU_SYSTEM},
	{IS, "TPUOrdinalSelector", TP_TPU_SYSTEM},
	{IS, "TPUCompile", TP_TPU_SYSTEM},
	{IS, "_TPUCompileMlir", TP_TPU_SYSTEM},
	{IS, "TPUCompileSucceededAssert", TP_TPU_SYSTEM},
	{STARTS, "TPUExecute", TP_TPU_SYSTEM},
	{STARTS, "_XlaRecvAtHost", TP_TPU_SYSTEM},
	{STARTS, "_XlaSendFromHost", TP_TPU_SYSTEM},
};

static const char *const class_texts[TP_TPU_CLASS_COUNT] = {
	[TP_TPU_COMPATIBLE] = "compatible",
	[TP_TPU_INCOMPATIBLE] = "incompatible",
	[TP_TPU_SAVE_RESTORE] = "save and restore",
	[TP_TPU_SUMMARY] = "summaries",
	[TP_TPU_INPUT] = "input: files, queues, tf.data",
	[TP_TPU_SYSTEM] = "the host's side of a TPU",
	[TP_TPU_ORDER] = "fed values, calls, order only",
	[TP_TPU_PLACED] = "placed by hand on another device",
	[TP_TPU_NO_OP] = "without an operation",
};

const char *tp_tpu_class_text(enum tp_tpu_class class)
{
	return class_texts[class];
}

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
		struct tp_slice text = tp_slice_of(host_work[i].text);
		bool fits = false;

		switch (host_work[i].how) {
		case IS:
			fits = tp_slice_eq(op, text);
			break;
		case STARTS:
			fits = tp_slice_starts(op, text);
			break;
		case ENDS:
			fits = tp_slice_ends(op, text);
			break;
		case HAS:
			fits = tp_slice_has(op, text);
			break;
		}
		if (fits)
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
	const char *slash = name.len == 0 ? NULL : memrchr(name.ptr, '/', name.len);
	struct tp_slice last =
		slash == NULL ? name : tp_slice_from(name, (size_t)(slash - name.ptr) + 1);
	bool called = tp_slice_eq(last, TP_S("save")) || tp_slice_starts(last, TP_S("save_")) ||
		tp_slice_has(last, TP_S("_traced_save_")) || tp_slice_has(last, TP_S("_traced_restore_"));

	return called && work_of_host(op) == TP_TPU_SAVE_RESTORE;
}

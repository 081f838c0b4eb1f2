/* Names → classes. Sources of the rules: tf_op_utils.cc of XLA, op_stats_to_input_pipeline_analysis.cc and
 * xplane_to_tf_data_stats.cc of xprof. */
#include "analyze/input/input_names.h"

#include "analyze/facts/framework_name.h"
#include "base/texts.h"

#include <ctype.h>
#include <strings.h>

/* xprof's CategorizeInputOp: a file that is read below a stage that works ahead is read in advance. */
static unsigned
iterator(struct tp_slice name)
{
	static const char *const files[] = {"::TFRecord", "::TextLine", "::FixedLengthRecord",
		"::SSTable", "::RecordIO", "::ArrayRecord", NULL};
	static const char *const ahead[] = {
		"::MemoryReader", "::MemoryWriter", "::Interleave", "::Prefetch", "::ParallelMap", NULL};

	if (!tp_texts_any(name, tp_slice_ends, files))
		return TP_HOST_OP_INPUT + TP_INPUT_PREPROCESSING;
	return TP_HOST_OP_INPUT +
		(tp_texts_any(name, tp_slice_has, ahead) ? TP_INPUT_ADVANCED_READ : TP_INPUT_DEMANDED_READ);
}

unsigned
tp_host_op_of_name(struct tp_slice name)
{
	struct tp_framework_name op = tp_framework_name(name);
	bool enqueues = false;

	switch (op.family) {
	case TP_FAMILY_NONE:
		return TP_HOST_OP_NONE;
	case TP_FAMILY_DATASET:
		return iterator(name);
	case TP_FAMILY_TENSORFLOW:
		enqueues = tp_slice_starts(op.type, TP_S("InfeedEnqueue"));
		break;
	case TP_FAMILY_COPY:
		enqueues = tp_slice_eq(op.type, TP_S("MemcpyHToD"));
		break;
	case TP_FAMILY_JAX:
		break;
	}
	return enqueues ? TP_HOST_OP_INPUT + TP_INPUT_ENQUEUE : TP_HOST_OP_FRAMEWORK;
}

unsigned
tp_host_op_of_stage(struct tp_slice category)
{
	static const struct {
		const char *name;
		enum tp_input_class class;
	} categories[] = {
		{"enqueue", TP_INPUT_ENQUEUE},
		{"read", TP_INPUT_DEMANDED_READ},
		{"preprocessing", TP_INPUT_PREPROCESSING},
		{"unknown", TP_INPUT_OTHER},
	};

	for (size_t i = 0; i < sizeof categories / sizeof *categories; i++) {
		if (category.len == strlen(categories[i].name) &&
			strncasecmp(category.ptr, categories[i].name, category.len) == 0)
			return TP_HOST_OP_INPUT + categories[i].class;
	}
	return TP_HOST_OP_FRAMEWORK;
}

/* Where the last part of "Iterator::A::B" begins. */
static size_t
last_part(struct tp_slice s)
{
	for (size_t i = s.len; i >= 2; i--) {
		if (s.ptr[i - 1] == ':' && s.ptr[i - 2] == ':')
			return i;
	}
	return 0;
}

struct tp_slice
tp_iterator_name(struct tp_slice long_name)
{
	return tp_slice_from(long_name, last_part(long_name));
}

unsigned
tp_iterator_parts(struct tp_slice long_name)
{
	unsigned parts = 1;

	for (size_t i = 0; i + 1 < long_name.len; i++) {
		if (long_name.ptr[i] == ':' && long_name.ptr[i + 1] == ':') {
			parts++;
			i++;
		}
	}
	return parts;
}

/* "ParallelInterleaveV4", "BatchV2": what they do does not change with the version. */
static struct tp_slice
without_version(struct tp_slice name)
{
	size_t digits = 0;

	while (digits < name.len && isdigit((unsigned char)name.ptr[name.len - 1 - digits]))
		digits++;
	if (digits != 0 && digits + 1 < name.len && name.ptr[name.len - 1 - digits] == 'V')
		name.len -= digits + 1;
	return name;
}

/* xprof knows no parallel version of Batch; `batch(n, num_parallel_calls=…)` came with TensorFlow 2.5. */
static const struct {
	enum tp_iterator_kind kind;
	const char *const *names;
} kinds[] = {
	{TP_ITERATOR_ROOT, TP_TEXTS("Root")},
	{TP_ITERATOR_FILE,
		TP_TEXTS("TFRecord", "TextLine", "FixedLengthRecord", "SSTable", "RecordIO", "ArrayRecord",
			"LMDB", "CSV", "Spanner", "CapacitorProto", "ExternalDataset")},
	{TP_ITERATOR_MEMORY, TP_TEXTS("FromTensor", "Tensor", "TensorSlice", "Range")},
	{TP_ITERATOR_GENERATOR, TP_TEXTS("Generator")},
	{TP_ITERATOR_SERVICE, TP_TEXTS("DataService")},
	{TP_ITERATOR_REMOTE,
		TP_TEXTS("ReverbDataset", "ReverbEpisodeDataset", "DatasetSampleGame", "Courier")},
	{TP_ITERATOR_SERIAL, TP_TEXTS("Map", "FlatMap", "Interleave", "Batch")},
	{TP_ITERATOR_SEQUENTIAL,
		TP_TEXTS("PaddedBatch", "Unbatch", "Filter", "Scan", "Shuffle", "ShuffleAndRepeat",
			"Window", "GroupByWindow", "BucketByBoundaries")},
	{TP_ITERATOR_PARALLEL,
		TP_TEXTS("ParallelMap", "ParallelInterleave", "LegacyParallelInterleave", "ParallelBatch",
			"MapAndBatch", "ParseExample")},
	{TP_ITERATOR_BUFFER, TP_TEXTS("Prefetch")},
	{TP_ITERATOR_CACHE,
		TP_TEXTS("MemoryCache", "MemoryCacheImpl", "MemoryReader", "MemoryWriter", "FileCache",
			"FileReader", "FileWriter", "Snapshot")},
};

enum tp_iterator_kind
tp_iterator_kind(struct tp_slice long_name)
{
	struct tp_slice bare = without_version(tp_iterator_name(long_name));

	/* What distribution strategies call so runs no Python. */
	if (tp_slice_eq(long_name, TP_S("Iterator::Prefetch::Generator")))
		return TP_ITERATOR_FORWARD;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (tp_texts_any(bare, tp_slice_eq, kinds[i].names))
			return kinds[i].kind;
	}
	return TP_ITERATOR_OTHER;
}

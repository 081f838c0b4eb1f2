/* Names → classes. Sources of the rules: tf_op_utils.cc of XLA, op_stats_to_input_pipeline_analysis.cc and
 * xplane_to_tf_data_stats.cc of xprof. */
#include "analyze/input/input_names.h"

#include "base/texts.h"

#include <strings.h>

static bool
is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool
is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
starts_any_case(struct tp_slice s, const char *prefix)
{
	size_t length = strlen(prefix);

	return s.len >= length && strncasecmp(s.ptr, prefix, length) == 0;
}

/* [A-Za-z0-9.][A-Za-z0-9_./>-]* */
static bool
is_op_name(struct tp_slice s)
{
	for (size_t i = 0; i < s.len; i++) {
		char c = s.ptr[i];
		bool letter = is_lower(c) || is_upper(c) || is_digit(c) || c == '.';

		if (!letter && (i == 0 || c == '\0' || strchr("_/>-", c) == NULL))
			return false;
	}
	return s.len != 0;
}

/* [A-Z_][A-Za-z0-9_]* */
static bool
is_op_type(struct tp_slice s)
{
	for (size_t i = 0; i < s.len; i++) {
		char c = s.ptr[i];

		if (!is_upper(c) && c != '_' && (i == 0 || (!is_lower(c) && !is_digit(c))))
			return false;
	}
	return s.len != 0;
}

/* [a-z_][a-z0-9_]*, and whatever in brackets after it */
static bool
is_jax_type(struct tp_slice s)
{
	size_t i = 0;

	while (i < s.len && (is_lower(s.ptr[i]) || s.ptr[i] == '_' || (i != 0 && is_digit(s.ptr[i]))))
		i++;
	return i != 0 && (i == s.len || (s.ptr[i] == '[' && s.ptr[s.len - 1] == ']'));
}

/* The type that a name without one stands for: "model/layer/MatMul_1" → "MatMul". */
static struct tp_slice
type_of_name(struct tp_slice name)
{
	const char *slash = name.len ? memrchr(name.ptr, '/', name.len) : NULL;
	struct tp_slice type = slash ? tp_slice_from(name, (size_t)(slash - name.ptr) + 1) : name;
	size_t digits = 0;

	while (digits < type.len && is_digit(type.ptr[type.len - 1 - digits]))
		digits++;
	if (digits != 0 && digits < type.len && type.ptr[type.len - 1 - digits] == '_')
		type.len -= digits + 1;
	return type;
}

static unsigned
framework_op(struct tp_slice type)
{
	return tp_slice_starts(type, TP_S("InfeedEnqueue")) ? TP_HOST_OP_INPUT + TP_INPUT_ENQUEUE
														: TP_HOST_OP_FRAMEWORK;
}

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
	const char *colon = name.len ? memchr(name.ptr, ':', name.len) : NULL;

	if (colon == NULL)
		return starts_any_case(name, "MemcpyHToD") ? TP_HOST_OP_INPUT + TP_INPUT_ENQUEUE
			: starts_any_case(name, "MemcpyDToH") || starts_any_case(name, "MemcpyDToD") ||
				starts_any_case(name, "MemcpyHToH")
			? TP_HOST_OP_FRAMEWORK
			: TP_HOST_OP_NONE;
	struct tp_slice head = {name.ptr, (size_t)(colon - name.ptr)};
	struct tp_slice type = tp_slice_from(name, head.len + 1);

	if (tp_slice_eq(head, TP_S("Iterator")))
		return iterator(name);
	if (is_op_name(head) && is_op_type(type))
		return framework_op(type);
	if (is_jax_type(type.len != 0 ? type : type_of_name(head)))
		return TP_HOST_OP_FRAMEWORK;
	return type.len == 0 ? framework_op(type_of_name(head)) : TP_HOST_OP_NONE;
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
			starts_any_case(category, categories[i].name))
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

	while (digits < name.len && is_digit(name.ptr[name.len - 1 - digits]))
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

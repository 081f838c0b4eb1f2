/* Other traces in the same JSON, of XLA or of browsers, hold none of these words in quotes. */
#include "ingest/torch_probe.h"

#include <stddef.h>

static bool
holds_any(struct tp_slice head, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (tp_slice_has(head, tp_slice_of(words[i])))
			return true;
	}
	return false;
}

static bool
first_is(struct tp_slice head, char c)
{
	for (size_t i = 0; i < head.len; i++) {
		if ((unsigned char)head.ptr[i] > ' ')
			return head.ptr[i] == c;
	}
	return false;
}

/* What stands further behind is not looked for. */
enum { MOST = 64 << 10 };

int
tp_torch_probe(const char *name, struct tp_slice head)
{
	static const char *const endings[] = {
		".pt.trace.json", ".pt.trace.json.gz", ".pt.trace.json.zst"};
	static const char *const words[] = {"\"deviceProperties\"", "\"computeProperties\"",
		"\"distributedInfo\"", "\"baseTimeNanoseconds\"", "\"cpu_op\"", "\"Operator\"",
		"\"python_function\"", "\"user_annotation\"", "\"cuda_runtime\"", "\"gpu_memcpy\"",
		"\"Runtime\"", "\"Kernel\"", "\"kernel\"", "\"PyTorch Profiler"};

	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		if (tp_slice_ends(tp_slice_of(name), tp_slice_of(endings[i])))
			return 95;
	}
	head.len = head.len < MOST ? head.len : MOST;
	if (!first_is(head, '{') && !first_is(head, '['))
		return 0;
	if (!holds_any(head, words, sizeof words / sizeof *words))
		return 0;
	if (tp_slice_has(head, TP_S("\"traceEvents\"")) ||
		tp_slice_has(head, TP_S("\"schemaVersion\"")))
		return 93;
	return first_is(head, '[') && tp_slice_has(head, TP_S("\"ph\"")) ? 70 : 0;
}

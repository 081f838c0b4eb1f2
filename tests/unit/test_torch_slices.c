/* Traces cut into slices that are read side by side: wherever they are cut, the profile is the same. */
#include "unit.h"

#include "torch_slices.h"

#include "ingest/torch_slice.h"

#include <stdio.h>

/* Events of all kinds, with texts, lists and shared entries that slices number differently; and what looks like the end of an event but
 * is none. */
static const char *const events[] = {
	"{'ph': 'M', 'name': 'thread_name', 'pid': 7, 'tid': 7, 'args': {'name': 'main'}}",
	"{'ph': 'X', 'cat': 'Trace', 'ts': 1, 'dur': 900, 'name': 'PyTorch Profiler (0)', 'pid': 'Traces', 'tid': 'x'}",
	"{'ph': 'X', 'cat': 'user_annotation', 'name': 'ProfilerStep#0', 'pid': 7, 'tid': 7, 'ts': 1, 'dur': 800, 'args': {'External id': 1}}",
	"{'ph': 'X', 'cat': 'cpu_op', 'name': 'aten::mm', 'pid': 7, 'tid': 7, 'ts': 2.5, 'dur': 40, 'args': {'External id': 2, 'Input Dims': [[4, 5], [5, 6]], 'Input type': ['float', 'float'], 'Sequence number': 3}}",
	"{'ph': 'X', 'cat': 'cpu_op', 'name': 'aten::add},{\\'ph\\': 1', 'pid': 7, 'tid': 8, 'ts': 50, 'dur': 4, 'args': {'Call stack': 'a.py(3): f;b.py(4): g', 'list': [{'name': 1}, {'name': 2},{'ph': 'X'}]}}",
	"{'ph': 'X', 'cat': 'python_function', 'name': 'nn.Module: Linear', 'pid': 7, 'tid': 7, 'ts': 3, 'dur': 30, 'args': {'Python id': 1, 'Python parent id': null, 'Python module id': 4}}",
	"{'ph': 'X', 'cat': 'cuda_runtime', 'name': 'cudaLaunchKernel', 'pid': 7, 'tid': 7, 'ts': 4, 'dur': 2, 'args': {'correlation': 11, 'External id': 2}}",
	"{'ph': 'X', 'cat': 'kernel', 'name': 'gemm', 'pid': 0, 'tid': 'stream 7', 'ts': 9, 'dur': 5, 'args': {'correlation': 11, 'External id': 2, 'device': 0, 'stream': 7, 'grid': [4, 1, 1], 'block': [128, 1, 1], 'registers per thread': 32}}",
	"{'ph': 'X', 'cat': 'kernel', 'name': 'ncclDevKernel', 'pid': 0, 'tid': 'stream 9', 'ts': 20, 'dur': 7, 'args': {'correlation': 12, 'device': 0, 'Collective name': 'allreduce', 'dtype': 'Float', 'In msg nelems': 8, 'Process Group Ranks': '[0, 1]'}}",
	"{'ph': 'X', 'cat': 'gpu_memcpy', 'name': 'Memcpy HtoD', 'pid': 0, 'tid': 'stream 7', 'ts': 1, 'dur': 1, 'args': {'correlation': 13, 'device': 0, 'bytes': 64}}",
	"{'ph': 'i', 'cat': 'cpu_instant_event', 'name': '[memory]', 'pid': 7, 'tid': 7, 'ts': 6, 'args': {'Addr': 9, 'Bytes': 16, 'Total Allocated': 16, 'Device Type': 0}}",
	"{'ph': 'X', 'cat': 'cpu_op', 'name': 'no time', 'pid': 7, 'tid': 7, 'ts': 'x', 'dur': 4}",
	"{'ph': 'X', 'cat': 'cpu_op', 'name': 'negative', 'pid': 7, 'tid': 7, 'ts': 5, 'dur': -4}",
	"{'ph': 'X', 'cat': 'cpu_op', 'name': 'far', 'pid': 7, 'tid': 7, 'ts': 9000000000000000, 'dur': 4}",
	"17",
	"{'ph': 'X', 'cat': 'cpu_op', 'name': 'aten::mm', 'pid': 7, 'tid': 7, 'ts': 2.5, 'dur': 41, 'args': {'External id': NaN, 'Input Dims': [[4, 5], [5, 6]], 'Input type': ['float', 'float'], 'Sequence number': 4}}",
	"{'ph': 's', 'id': 1, 'pid': 7, 'tid': 7, 'ts': 3, 'cat': 'ac2g', 'name': 'ac2g'}",
};

enum { EVENTS = sizeof events / sizeof *events };

static char *
text_of(const char *before, const char *between, const char *behind)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fputs(before, out);
	/* Twice, so that what one slice has met another meets again. */
	for (size_t i = 0; i < 2 * EVENTS; i++)
		fprintf(out, "%s%s", i == 0 ? "" : between, events[i % EVENTS]);
	fputs(behind, out);
	fclose(out);
	for (char *at = text; *at != '\0'; at++)
		*at = *at == '\'' ? '"' : *at;
	return text;
}

static const struct {
	const char *before, *between, *behind;
} texts[] = {
	{"{'schemaVersion': 1, 'baseTimeNanoseconds': 5, 'deviceProperties': [{'id': 0, 'name': 'GPU'}], 'traceEvents': [\n  ",
		",\n  ", "\n  ], 'traceName': 'x', 'ERROR': ['one', 'two', 'one']}\n"},
	{"[", ",", "]"},
	{"{'traceEvents': [", " , ",
		"], 'traceEvents': [{'ph': 'X', 'name': 'again', 'ts': 4, 'dur': 1},{'ph': 'X', 'name': 'and again', 'ts': 5, 'dur': 1}], 'with_stack': 1}"},
	/* A list of events beside that of the trace. */
	{"{'traceEvents': [", ",",
		"], 'others': [{'ph': 'X', 'name': 'none', 'ts': 4},{'ph': 'X', 'ts': 4},{'ph': 'X'}]}"},
	/* Ends and breaks. */
	{"{'traceEvents': [", ",", ""},
	{"{'traceEvents': [", ",", ",{'ph': 'X', 'name"},
	{"{'traceEvents': [", ",", ",{'ph': 'X' 'ts': 3},{'ph': 'X', 'ts': 3},{'ph': 'X', 'ts': 4}]}"},
	{"{'traceEvents': [", ",",
		",}{'ph': 'X', 'ts': 3},{'ph': 'X', 'ts': 3},{'ph': 'X', 'ts': 4}]}"},
	{"{'traceEvents': [", ",", ",],{'ph': 'X', 'ts': 3},{'ph': 'X', 'ts': 3}]}"},
	{"{'traceEvents': [{'ph': 'X', 'name': 'a \\ud8 \\q', 'ts': 1},", ",", "]} more"},
};

static void
cut_anywhere_it_reads_the_same(void **state)
{
	struct tp_pool *pool = tp_pool_new(3);

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		char *text = text_of(texts[i].before, texts[i].between, texts[i].behind);
		struct tp_slice all = {text, strlen(text)};

		for (uint64_t bytes = 1; bytes < all.len; bytes = bytes * 5 / 4 + 1)
			assert_true(torch_slices_agree(all, bytes, bytes % 2 != 0 ? pool : NULL));
		free(text);
	}
	tp_pool_free(pool);
}

/* Cut off after each of its bytes. */
static void
what_is_cut_off_reads_the_same(void **state)
{
	char *text = text_of(texts[0].before, texts[0].between, texts[0].behind);

	(void)state;
	for (size_t length = 0; length < strlen(text); length += length % 7 + 1)
		assert_true(torch_slices_agree((struct tp_slice){text, length}, 100, NULL));
	free(text);
}

/* Else the tests above would hold of a reader that never cuts. */
static void
slices_begin_behind_events(void **state)
{
	char *text = text_of(texts[0].before, texts[0].between, texts[0].behind);
	struct tp_source in = {.path = "w.pt.trace.json", .bytes = {text, strlen(text)}};
	size_t found = 0;

	(void)state;
	for (uint64_t from = 0, at; tp_torch_slice_find(&in, from, in.bytes.len, &at); from = at + 1) {
		assert_true(at >= from);
		assert_int_equal(text[at - 1], '}');
		found++;
	}
	/* All but those beside the number; and two objects of a list within an event, which reading tells from events. */
	assert_in_range(found, 2 * EVENTS - 5, 2 * EVENTS + 4);
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cut_anywhere_it_reads_the_same),
		cmocka_unit_test(what_is_cut_off_reads_the_same),
		cmocka_unit_test(slices_begin_behind_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

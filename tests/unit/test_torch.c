/* The reader of PyTorch traces: names of files, kinds and lanes of events, exact times, what is odd or missing. */
#include "unit.h"

#include "base/arena.h"
#include "ingest/reader.h"
#include "model/build.h"
#include "model/torch.h"

#include <math.h>
#include <stdlib.h>

struct read {
	struct tp_arena *arena;
	struct tp_builder *builder;
	enum tp_status status;
	struct tp_err err;
	struct tp_profile *p;
	const struct tp_torch_trace *t; /* the last */
};

/* text: JSON with single quotes, as C would have to escape double ones. */
static void
add(struct read *r, const char *path, const char *text)
{
	char *json = (char *)tp_arena_copy(r->arena, tp_slice_of(text)).ptr;
	struct tp_input *input;
	struct tp_source source = {
		.path = path,
		.bytes = {json, strlen(text)},
		.input = tp_build_input(r->builder, &input),
	};
	uint32_t count;

	for (size_t i = 0; i < source.bytes.len; i++)
		json[i] = json[i] == '\'' ? '"' : json[i];
	input->path = tp_slice_of(path);
	r->status = tp_reader_torch.read(&source, r->builder, &r->err);
	struct tp_torch_trace *const *traces = tp_built_torch_traces(r->builder, &count);

	r->t = count != 0 ? traces[count - 1] : NULL;
}

static struct read
open_empty(void)
{
	struct read r = {.arena = tp_arena_new()};

	r.builder = tp_builder_new(r.arena);
	return r;
}

static struct read
read_text(const char *text)
{
	struct read r = open_empty();

	add(&r, "run/w.1.pt.trace.json", text);
	r.p = tp_builder_finish(r.builder);
	return r;
}

/* Events of an array behind one that begins at 0 µs. */
#define EVENTS(more)                                                                               \
	"{'traceEvents': "                                                                             \
	"[{'ph':'X','cat':'cpu_op','name':'first','pid':1,'tid':1,'ts':0,'dur':1}" more "]}"
#define TIMES(times) EVENTS(",{'ph':'X','cat':'cpu_op','name':'b','pid':1,'tid':1," times "}")

static void
close_read(struct read *r)
{
	tp_arena_free(r->arena);
}

static void
a_worker_is_what_stands_before_the_last_part_of_digits(void **state)
{
	static const struct {
		const char *file, *worker, *span;
	} names[] = {
		{"a/rank-34.Jul_15_10_52_41.1074.pt.trace.json.gz", "rank-34.Jul_15_10_52_41", "1074"},
		{"worker0.1623143089861.pt.trace.json.gz", "worker0", "1623143089861"},
		{"worker0.pt.trace.json", "worker0", ""},
		{"host_1001.1795228680701587750.pt.trace.json", "host_1001", "1795228680701587750"},
		{"graph_capture_rank_0.17737.pt.trace.json.gz", "graph_capture_rank_0", "17737"},
		{"a.b1.pt.trace.json", "a.b1", ""},
		{"12.pt.trace.json", "12", ""},
		{"sampled_rank-0.json.gz", "sampled_rank-0", ""},
		{"trace.json", "trace", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct tp_slice worker, span;

		tp_torch_split_name(tp_slice_of(names[i].file), &worker, &span);
		assert_text(worker, names[i].worker);
		assert_text(span, names[i].span);
	}
}

static void
a_process_is_digits_behind_the_last_underscore(void **state)
{
	static const struct {
		const char *worker, *node, *process;
	} names[] = {{"node0_1", "node0", "1"}, {"host_name_1001", "host_name", "1001"},
		{"rank-70.Mar_25_20_48_12", "rank-70", ""}, {"a_Mar_25_20_48_12", "a", ""},
		{"n.Max_25_20_48_12", "n.Max_25_20_48", "12"}, {"Mar_25_20_48_12", "Mar_25_20_48", "12"},
		{"rank0", "rank0", ""}, {"a_1_b", "a_1_b", ""}, {"a_b", "a_b", ""}, {"_1", "_1", ""},
		{"worker3_step_12", "worker3_step_12", ""}, {"capture_rank_0", "capture_rank", "0"},
		{"bs_32_rank0", "bs_32_rank0", ""}, {"footstep_12", "footstep", "12"}, {"", "", ""},
		{"12", "12", ""}};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct tp_slice node, process;

		tp_torch_split_worker(tp_slice_of(names[i].worker), &node, &process);
		assert_text(node, names[i].node);
		assert_text(process, names[i].process);
	}
}

static void
times_are_exact_beyond_the_53_bits_of_a_double(void **state)
{
	struct read r = read_text("{'baseTimeNanoseconds': 1711929600000000000, 'traceEvents': "
							  "[{'ph':'X','name':'a','ts':4371653808103.657,'dur':0.001},"
							  "{'ph':'X','name':'b','ts':4371653808103.658,'dur':12}]}");

	(void)state;
	assert_int_equal(r.status, TP_OK);
	assert_true(r.p->hosts[0].base_ns == INT64_C(1711929600000000000) + INT64_C(4371653808103657));
	assert_int_equal(tp_torch_start_ps(r.t, 0), 0);
	assert_int_equal(tp_torch_duration_ps(r.t, 0), 1000);
	assert_int_equal(tp_torch_start_ps(r.t, 1), 1000);
	assert_int_equal(tp_torch_duration_ps(r.t, 1), 12000000);
	close_read(&r);
}

static void
the_zero_of_times_may_stand_behind_the_events(void **state)
{
	struct read r =
		read_text("{'traceEvents': [{'ph':'X','name':'a','ts':2,'dur':1}],'baseTimeNanoseconds': "
				  "1000000, 'traceName': 'x'}");

	(void)state;
	assert_int_equal(r.p->hosts[0].base_ns, 1002000);
	close_read(&r);
}

static void
each_category_old_or_new_is_its_kind(void **state)
{
	static const struct {
		const char *category, *name;
		enum tp_torch_kind kind;
	} table[] = {
		{"cpu_op", "aten::add", TP_TORCH_OPERATOR},
		{"Operator", "aten::add", TP_TORCH_OPERATOR},
		{"CPU_OP", "aten::add", TP_TORCH_OPERATOR},
		{"Operator", "ProfilerStep#3", TP_TORCH_STEP},
		{"user_annotation", "ProfilerStep#3", TP_TORCH_STEP},
		{"gpu_user_annotation", "ProfilerStep#3", TP_TORCH_GPU_ANNOTATION},
		{"user_annotation", "mine", TP_TORCH_ANNOTATION},
		{"python_function", "f", TP_TORCH_PYTHON},
		{"cuda_runtime", "cudaFree", TP_TORCH_RUNTIME},
		{"Runtime", "cudaFree", TP_TORCH_RUNTIME},
		{"cuda_driver", "cuLaunchKernel", TP_TORCH_DRIVER},
		{"kernel", "k", TP_TORCH_KERNEL},
		{"Kernel", "k", TP_TORCH_KERNEL},
		{"Memcpy", "m", TP_TORCH_MEMCPY},
		{"gpu_memset", "m", TP_TORCH_MEMSET},
		{"cuda_sync", "s", TP_TORCH_SYNC},
		{"overhead", "o", TP_TORCH_OVERHEAD},
		{"mtia_runtime", "r", TP_TORCH_RUNTIME},
		{"mtia_ccp_events", "dma_request", TP_TORCH_MEMCPY},
		{"mtia_ccp_events", "event_wait", TP_TORCH_SYNC},
		{"mtia_ccp_events", "pe_exe", TP_TORCH_KERNEL},
		{"something_new", "n", TP_TORCH_OTHER},
		{"kern", "n", TP_TORCH_OTHER},
		{"kernels", "n", TP_TORCH_OTHER},
		{"kernel\\u0000and more than that", "n", TP_TORCH_OTHER},
		{"", "n", TP_TORCH_OTHER},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		char text[300];

		snprintf(text, sizeof text,
			"[{'ph':'X','cat':'%s','name':'%s','pid':1,'tid':1,'ts':1,'dur':1}]", table[i].category,
			table[i].name);
		struct read r = read_text(text);

		assert_int_equal(r.t->kind[0], table[i].kind);
		assert_int_equal(r.t->kind_count[table[i].kind], 1);
		close_read(&r);
	}
}

static void
lanes_are_threads_streams_and_marks_beside_them(void **state)
{
	struct read r = read_text(
		"[{'ph':'X','cat':'kernel','name':'k','pid':0,'tid':7,'ts':5,'dur':1,"
		"'args':{'device':0,'stream':7}},"
		"{'ph':'X','cat':'gpu_user_annotation','name':'g','pid':0,'tid':7,'ts':4,'dur':3},"
		"{'ph':'X','cat':'cpu_op','name':'o','pid':0,'tid':7,'ts':1,'dur':9},"
		"{'ph':'X','cat':'kernel','name':'k','pid':1,'tid':7,'ts':2,'dur':1},"
		"{'ph':'M','name':'thread_name','pid':0,'tid':7,"
		"'args':{'name':'stream 7 '}}]");

	(void)state;
	assert_int_equal(r.t->lane_count, 4);
	assert_int_equal(r.t->lanes[0].kind, TP_TORCH_LANE_STREAM);
	assert_text(r.t->lanes[0].name, "stream 7 ");
	assert_int_equal(r.t->lanes[1].kind, TP_TORCH_LANE_MARKS);
	assert_int_equal(r.t->lanes[2].kind, TP_TORCH_LANE_THREAD);
	assert_int_equal(r.t->lanes[2].gpu, TP_NONE);
	assert_int_equal(r.t->lanes[3].gpu, 1);
	assert_int_equal(tp_torch_lane_of(r.t, 3), 3);
	assert_int_equal(r.p->device_count, 2);
	assert_int_equal(r.p->lines[r.t->lanes[0].line].kind, TP_LINE_STREAM);
	assert_int_equal(r.p->lines[r.t->lanes[0].line].device, 0);
	assert_int_equal(r.p->lines[r.t->lanes[1].line].kind, TP_LINE_DERIVED);
	assert_int_equal(r.p->lines[r.t->lanes[2].line].kind, TP_LINE_TORCH);
	assert_int_equal(r.p->lines[r.t->lanes[3].line].device, 1);
	close_read(&r);
}

static void
a_kernel_carries_its_launch_and_a_copy_its_size(void **state)
{
	struct read r =
		read_text("[{'ph':'X','cat':'Kernel','name':'k','pid':0,'tid':'stream 7','ts':1,'dur':1,"
				  "'args':{'correlation':9,'external id':4,'registers per thread':38,'shared "
				  "memory':0,'grid':[160,1,2],'block':[1024,1,1],'blocks per SM':0.5,'est. "
				  "achieved occupancy %':8}},"
				  "{'ph':'X','cat':'gpu_memcpy','name':'c','pid':0,'tid':'stream 7','ts':3,'dur':1,"
				  "'args':{'correlation':10,'bytes':'4096'}}]");
	const struct tp_line *line = &r.p->lines[0];
	size_t from = 0;
	int64_t value;

	(void)state;
	assert_int_equal(r.t->era, TP_TORCH_UP_TO_1_10);
	assert_true(tp_tag_find(line, &from, 0, TP_TAG_KERNEL, &value));
	assert_text(
		tp_string(&r.p->strings, (uint32_t)value), "regs:38 shm:0 grid:160,1,2 block:1024,1,1");
	assert_true(tp_tag_find(line, &from, 0, TP_TAG_CORRELATION, &value));
	assert_int_equal(value, 9);
	assert_true(tp_tag_find(line, &from, 1, TP_TAG_COPY, &value));
	assert_text(tp_string(&r.p->strings, (uint32_t)value), "size:4096");
	assert_int_equal(r.t->works[r.t->detail[0]].external_id, 4);
	const struct tp_torch_launch *l = &r.t->launches[r.t->works[r.t->detail[0]].launch];

	assert_true(fabsf(l->occupancy - 0.08F) < 1e-6F && l->blocks_per_sm == 0.5F);
	assert_true(isnan(l->warps_per_sm));
	close_read(&r);
}

static void
on_rocm_the_launch_is_that_of_the_call(void **state)
{
	struct read r = read_text(
		"[{'ph':'X','cat':'kernel','name':'k','pid':2,'tid':0,'ts':9,'dur':1,"
		"'args':{'device':2,'stream':0,'correlation':4}},"
		"{'ph':'X','cat':'cuda_runtime','name':'hipLaunchKernel','pid':5,'tid':5,'ts':1,'dur':1,"
		"'args':{'correlation':4,'grid':[40,1,1],'block':[256,1,1],'shared memory':0}}]");

	(void)state;
	assert_int_equal(r.t->works[0].launch, r.t->calls[0].launch);
	assert_int_equal(r.t->launches[r.t->works[0].launch].grid[0], 40);
	assert_false(r.t->launches[r.t->works[0].launch].has_registers);
	close_read(&r);
}

static void
what_hip_is_asked_for_in_threads_is_told_in_blocks(void **state)
{
	struct read r = read_text("[{'ph':'X','cat':'cuda_runtime','name':'hipExtModuleLaunchKernel','"
							  "pid':5,'tid':5,'ts':1,'dur':1,"
							  "'args':{'correlation':4,'grid':[501760,1,3],'block':[256,1,2]}}]");
	const struct tp_torch_launch *l = &r.t->launches[r.t->calls[0].launch];

	(void)state;
	assert_int_equal(l->grid[0], 1960);
	assert_int_equal(l->grid[1], 1);
	assert_int_equal(l->grid[2], 2);
	close_read(&r);
}

static void
what_is_equal_is_stored_once(void **state)
{
	struct read r = read_text(
		EVENTS(",{'ph':'X','cat':'cpu_op','name':'a','ts':2,'dur':1,"
			   "'args':{'External id':1,'Input Dims':[[ 64, 3],\n ['a b']],'Sequence number':5}},"
			   "{'ph':'X','cat':'cpu_op','name':'a','ts':4,'dur':1,"
			   "'args':{'External id':2,'Input Dims':[[64,3],['a b']]}}"));

	(void)state;
	assert_int_equal(r.t->operator_count, 3);
	assert_int_equal(r.t->attribute_count, 2);
	assert_text(tp_string(&r.p->strings, r.t->attributes[1].shapes), "[[64,3],[\"a b\"]]");
	assert_int_equal(r.p->op_count, 2);
	close_read(&r);
}

static void
inputs_are_kept_where_they_tell_something(void **state)
{
	struct read r =
		read_text("[{'ph':'X','cat':'cpu_op','name':'record_param_comms','ts':1,'dur':1,"
				  "'args':{'Collective name':'send','Dst Rank':3,'Src Rank':2}},"
				  "{'ph':'X','cat':'cpu_op','name':'c10d::recv_','ts':2,'dur':1,"
				  "'args':{'Concrete Inputs':['', '', '5', '0']}},"
				  "{'ph':'X','cat':'cpu_op','name':'aten::add','ts':3,'dur':1,"
				  "'args':{'Concrete Inputs':['', '', '5', '0']}},"
				  "{'ph':'X','cat':'cpu_op','name':'aten::convolution','ts':4,'dur':1,"
				  "'args':{'Concrete Inputs':['', '[1, 1]']}},"
				  "{'ph':'X','cat':'cpu_op','name':'triton_poi_fused_0','ts':5,'dur':1,"
				  "'args':{'kernel_flop':4294967296}}]");
	const struct tp_torch_attributes *a[5];

	(void)state;
	assert_int_equal(r.t->operator_count, 5);
	for (uint32_t i = 0; i < 5; i++)
		a[i] = &r.t->attributes[r.t->operators[r.t->detail[i]].attributes];
	assert_int_equal(r.t->collectives[a[0]->collective].from_rank, 2);
	assert_int_equal(r.t->collectives[a[0]->collective].to_rank, 3);
	assert_int_equal(a[0]->peer, TP_NONE);
	assert_int_equal(a[1]->peer, 5);
	assert_int_equal(a[2]->peer, TP_NONE);
	assert_int_equal(a[2]->inputs, 0);
	assert_text(tp_string(&r.p->strings, a[3]->inputs), "[\"\",\"[1, 1]\"]");
	assert_true(a[4]->flops == UINT64_C(4294967296));
	close_read(&r);
}

static void
memory_records_keep_signs_and_what_is_missing(void **state)
{
	struct read r = read_text(
		EVENTS(",{'ph':'i','name':'[memory]','pid':1,'tid':1,'ts':3,"
			   "'args':{'Device Type':0,'Device Id':-1,'Bytes':-64}},"
			   "{'ph':'i','name':'[memory]','pid':1,'tid':9,'ts':2,"
			   "'args':{'Device Type':6,'Device Id':3,'Addr':140187366981632,'Bytes':64,'Total "
			   "Allocated':64,'Total Reserved':128}}"));
	const struct tp_torch_memory *m = r.t->memory;

	(void)state;
	assert_int_equal(r.t->memory_count, 2);
	assert_int_equal(m[0].time_ps, 2000000);
	assert_int_equal(m[0].lane, TP_NONE);
	assert_int_equal(m[0].device_type, 6);
	assert_int_equal(m[0].reserved_bytes, 128);
	assert_int_equal(m[1].bytes, -64);
	assert_int_equal(m[1].device_id, -1);
	assert_int_equal(m[1].lane, 0);
	assert_int_equal(m[1].allocated_bytes, -1);
	close_read(&r);
}

static void
events_without_a_sound_time_are_dropped_and_counted(void **state)
{
	static const char *const dropped[] = {
		TIMES("'ts':NaN,'dur':1"),
		TIMES("'dur':1"),
		TIMES("'ts':5,'dur':-1"),
		TIMES("'ts':1e300,'dur':1"),
		TIMES("'ts':9000000000000,'dur':1"),
		TIMES("'ts':5,'dur':9000000000000"),
	};

	(void)state;
	for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++) {
		struct read r = read_text(dropped[i]);

		assert_int_equal(r.status, TP_OK);
		assert_int_equal(r.t->count, 1);
		assert_int_equal(r.p->dropped_events, 1);
		assert_int_equal(r.p->diags.warnings, 1);
		close_read(&r);
	}
}

static void
a_time_without_a_duration_takes_none(void **state)
{
	struct read r = read_text(TIMES("'ts':'5.25'"));

	(void)state;
	assert_int_equal(r.t->count, 2);
	assert_int_equal(tp_torch_start_ps(r.t, 1), 5250000);
	assert_int_equal(tp_torch_duration_ps(r.t, 1), 0);
	assert_int_equal(r.p->diags.warnings, 0);
	close_read(&r);
}

static void
arguments_may_be_nested_to_any_depth(void **state)
{
	enum { LEVELS = 100000 };
	static const char head[] = "[{'ph':'X','name':'a','ts':1,'dur':1,'args':{'x':";
	static const char tail[] = "}},{'ph':'X','name':'b','ts':2,'dur':1}]";
	char *text = calloc(1, sizeof head + sizeof tail + (size_t)2 * LEVELS);
	char *at = stpcpy(text, head);

	(void)state;
	memset(at, '[', LEVELS);
	memset(at + LEVELS, ']', LEVELS);
	memcpy(at + (size_t)2 * LEVELS, tail, sizeof tail);
	struct read r = read_text(text);

	assert_int_equal(r.t->count, 2);
	assert_int_equal(r.p->diags.warnings, 0);
	close_read(&r);
	free(text);
}

static void
a_text_that_breaks_off_gives_the_events_before(void **state)
{
	struct read r = read_text(
		"[{'ph':'X','name':'a','ts':1,'dur':1},{'ph':'X','name':'b','ts':2,'dur':1},{'ph':'X','na");

	(void)state;
	assert_int_equal(r.status, TP_OK);
	assert_int_equal(r.t->count, 2);
	assert_true(r.p->inputs[0].partial);
	assert_int_equal(r.p->diags.warnings, 1);
	close_read(&r);
}

static void
a_trace_without_events_is_absent_and_no_trace_is_an_error(void **state)
{
	static const struct {
		const char *text;
		enum tp_status status;
	} empty[] = {
		{"{'schemaVersion': 1, 'traceEvents': []}", TP_ABSENT},
		{"[]", TP_ABSENT},
		{"{'traceEvents': [{'ph':'M','name':'process_name'}]}", TP_ABSENT},
		{"{'a': 1}", TP_ERR_FORMAT},
		{"5", TP_ERR_FORMAT},
		{"", TP_ERR_FORMAT},
		{"{'traceEvents': [{'ph'", TP_ERR_FORMAT},
	};

	(void)state;
	for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
		struct read r = read_text(empty[i].text);

		assert_int_equal(r.status, empty[i].status);
		assert_int_equal(r.p->host_count, 0);
		close_read(&r);
	}
}

static void
spans_of_a_worker_share_its_host_and_devices(void **state)
{
	static const char *const kernels[] = {
		"[{'ph':'X','cat':'kernel','name':'k','pid':0,'tid':7,'ts':1000,'dur':1}]",
		"[{'ph':'X','cat':'kernel','name':'k','pid':0,'tid':7,'ts':9000,'dur':1}]",
		"[{'ph':'X','cat':'kernel','name':'k','pid':0,'tid':7,'ts':9000,'dur':2}]",
	};
	struct read r = open_empty();

	(void)state;
	add(&r, "run/w.1.pt.trace.json", kernels[0]);
	add(&r, "run/w.2.pt.trace.json", kernels[1]);
	assert_int_equal(r.t->host, 0);
	assert_int_equal(tp_torch_start_ps(r.t, 0), INT64_C(8000) * 1000000);
	add(&r, "run/v.2.pt.trace.json", kernels[2]);
	assert_int_equal(r.t->host, 1);
	r.p = tp_builder_finish(r.builder);
	assert_int_equal(r.p->host_count, 2);
	assert_int_equal(r.p->device_count, 2);
	assert_int_equal(r.p->torch->trace_count, 3);
	assert_int_equal(r.p->torch->worker_count, 2);
	assert_int_equal(r.p->torch->traces[2]->span_number, 2);
	close_read(&r);
}

static void
a_copy_in_another_writing_does_not_count_twice(void **state)
{
	struct read r = open_empty();

	(void)state;
	add(&r, "run/w.1.pt.trace.json", "[{'ph':'X','name':'a','ts':7,'dur':1}]");
	add(&r, "run/v.pt.trace.json", "[ {'dur':1.0, 'ts':7, 'name':'a', 'ph':'X'} ]");
	r.p = tp_builder_finish(r.builder);
	assert_int_equal(r.p->torch->trace_count, 1);
	assert_int_equal(r.p->host_count, 1);
	assert_int_equal(r.p->diags.notes, 1);
	close_read(&r);
}

static void
a_trace_is_known_by_its_name_or_its_words(void **state)
{
	(void)state;
	assert_true(tp_reader_torch.probe("a/w.pt.trace.json.zst", TP_S("")) > 0);
	assert_int_equal(tp_reader_torch.probe("a/w.json", TP_S("")), 0);
	assert_true(tp_reader_torch.probe(
					"a/w.json", TP_S("{\"schemaVersion\": 1, \"deviceProperties\": []")) > 0);
	assert_true(
		tp_reader_torch.probe("a/w.json", TP_S(" [{\"ph\": \"X\", \"cat\": \"Operator\"")) > 0);
	assert_int_equal(tp_reader_torch.probe("a/w.json",
						 TP_S("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[{\"ph\":\"X\"")),
		0);
	assert_int_equal(tp_reader_torch.probe("a/w.json", TP_S("{\"kernel\": 1}")), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_worker_is_what_stands_before_the_last_part_of_digits),
		cmocka_unit_test(a_process_is_digits_behind_the_last_underscore),
		cmocka_unit_test(times_are_exact_beyond_the_53_bits_of_a_double),
		cmocka_unit_test(the_zero_of_times_may_stand_behind_the_events),
		cmocka_unit_test(each_category_old_or_new_is_its_kind),
		cmocka_unit_test(lanes_are_threads_streams_and_marks_beside_them),
		cmocka_unit_test(a_kernel_carries_its_launch_and_a_copy_its_size),
		cmocka_unit_test(on_rocm_the_launch_is_that_of_the_call),
		cmocka_unit_test(what_hip_is_asked_for_in_threads_is_told_in_blocks),
		cmocka_unit_test(what_is_equal_is_stored_once),
		cmocka_unit_test(inputs_are_kept_where_they_tell_something),
		cmocka_unit_test(memory_records_keep_signs_and_what_is_missing),
		cmocka_unit_test(events_without_a_sound_time_are_dropped_and_counted),
		cmocka_unit_test(a_time_without_a_duration_takes_none),
		cmocka_unit_test(arguments_may_be_nested_to_any_depth),
		cmocka_unit_test(a_text_that_breaks_off_gives_the_events_before),
		cmocka_unit_test(a_trace_without_events_is_absent_and_no_trace_is_an_error),
		cmocka_unit_test(spans_of_a_worker_share_its_host_and_devices),
		cmocka_unit_test(a_copy_in_another_writing_does_not_count_twice),
		cmocka_unit_test(a_trace_is_known_by_its_name_or_its_words),
	};

	return RUN(tests);
}

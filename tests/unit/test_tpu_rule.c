/* What runs on a TPU: the lists by version, TensorBoard's rule and ours, and reasons. */
#include "analyze/graph/tpu_rule.h"
#include "base/arena.h"

#include "unit.h"

#define NEWEST TP_TPU_LIST_NEWEST

static struct tp_tpu_node
node(const char *name, const char *op, const char *device)
{
	return (struct tp_tpu_node){
		.name = tp_slice_of(name), .op = tp_slice_of(op), .device = tp_slice_of(device)};
}

static enum tp_tpu_class
class_of(const char *op, const char *device)
{
	struct tp_tpu_node n = node("layer/op", op, device);

	return tp_tpu_class_of(&n, NEWEST);
}

static bool
valid(const char *op, const char *device)
{
	struct tp_tpu_node n = node("layer/op", op, device);

	return tp_tpu_valid(&n, NEWEST);
}

/* One fewer each than TensorBoard's source has entries, where "Assert" stands twice; two in 2.4. */
static void
lists_are_as_long_as_tensorboards(void **state)
{
	static const size_t sizes[TP_TPU_LIST_COUNT] = {295, 299, 315, 323, 348, 363, 475, 499};

	(void)state;
	for (unsigned list = 0; list < TP_TPU_LIST_COUNT; list++)
		assert_int_equal(tp_tpu_list_size((enum tp_tpu_list)list), sizes[list]);
}

static void
operations_come_and_go(void **state)
{
	(void)state;
	assert_int_equal(tp_tpu_op(TP_S("MatMul"))->since, TP_TPU_LIST_1_5);
	assert_int_equal(tp_tpu_op(TP_S("AddV2"))->since, TP_TPU_LIST_2_4);
	assert_int_equal(tp_tpu_op(TP_S("UpdateSlice"))->gone, TP_TPU_LIST_1_9);
	assert_true(tp_tpu_listed(TP_S("UpdateSlice"), TP_TPU_LIST_1_8));
	assert_false(tp_tpu_listed(TP_S("UpdateSlice"), TP_TPU_LIST_1_9));
	assert_false(tp_tpu_listed(TP_S("AddV2"), TP_TPU_LIST_1_11));
	assert_true(tp_tpu_listed(TP_S("AddV2"), NEWEST));
	assert_true(tp_tpu_listed(TP_S("Abort"), NEWEST)); /* the first and the last of the table */
	assert_true(tp_tpu_listed(TP_S("_UnaryOpsComposition"), NEWEST));
	assert_null(tp_tpu_op(TP_S("")));
	assert_null(tp_tpu_op(TP_S("matmul")));
	assert_null(tp_tpu_op(TP_S("MatMu")));
	assert_null(tp_tpu_op((struct tp_slice){"Abs\0", 4}));
}

static void
a_version_has_the_list_before_it(void **state)
{
	(void)state;
	assert_int_equal(tp_tpu_list_of("1.5"), TP_TPU_LIST_1_5);
	assert_int_equal(tp_tpu_list_of("1.13.1"), TP_TPU_LIST_1_11);
	assert_int_equal(tp_tpu_list_of("2"), TP_TPU_LIST_1_11);
	assert_int_equal(tp_tpu_list_of("2.4.1"), TP_TPU_LIST_2_4);
	assert_int_equal(tp_tpu_list_of("2.21.0"), NEWEST);
	assert_int_equal(tp_tpu_list_of("99999999999999999999999.1"), NEWEST);
	assert_int_equal(tp_tpu_list_of("1.4"), TP_TPU_LIST_COUNT);
	assert_int_equal(tp_tpu_list_of(""), TP_TPU_LIST_COUNT);
	assert_int_equal(tp_tpu_list_of("-2.5"), TP_TPU_LIST_COUNT);
	assert_int_equal(tp_tpu_list_of("2.x"), TP_TPU_LIST_COUNT);
	assert_int_equal(tp_tpu_list_of("newest"), TP_TPU_LIST_COUNT);
}

static void
devices_that_are_no_tpu_excuse(void **state)
{
	(void)state;
	assert_false(valid("ApplyAdam", ""));
	assert_true(valid("ApplyAdam", "/device:CPU:0"));
	assert_true(valid("ApplyAdam", "/job:worker/gpu:1"));
	assert_true(valid("ApplyAdam", "/job:ps"));
	assert_true(valid("ApplyAdam", "/job:tpu_worker/device:cpu:0"));
	assert_false(valid("ApplyAdam", "/job:worker/device:TPU:0"));
	assert_false(valid("ApplyAdam", "/job:tpu_worker"));
	assert_true(valid("ApplyAdam", "/device:TPU_SYSTEM:0"));
	assert_false(valid("ApplyAdam", "/device:tpu_system:0"));
	assert_true(valid("", ""));
	assert_true(valid("MatMul", ""));

	assert_int_equal(class_of("ApplyAdam", "/job:ps"), TP_TPU_PLACED);
	assert_int_equal(class_of("MatMul", "/device:CPU:0"), TP_TPU_PLACED);
	assert_int_equal(class_of("ApplyAdam", "/device:TPU_SYSTEM:0"), TP_TPU_SYSTEM);
	assert_int_equal(class_of("ApplyAdam", "/device:TPU:0"), TP_TPU_INCOMPATIBLE);
	assert_int_equal(class_of("", "/device:CPU:0"), TP_TPU_NO_OP);
}

static void
work_of_the_host_is_not_judged(void **state)
{
	static const struct {
		const char *op;
		enum tp_tpu_class class;
	} cases[] = {
		{"MatMul", TP_TPU_COMPATIBLE},
		{"ApplyMomentum", TP_TPU_INCOMPATIBLE},
		{"SaveV2", TP_TPU_SAVE_RESTORE},
		{"RestoreV2", TP_TPU_SAVE_RESTORE},
		{"ScalarSummary", TP_TPU_SUMMARY},
		{"TensorSummaryV2", TP_TPU_SUMMARY},
		{"WriteHistogramSummary", TP_TPU_SUMMARY},
		{"CreateSummaryFileWriter", TP_TPU_SUMMARY},
		{"ParallelMapDatasetV2", TP_TPU_INPUT},
		{"IteratorGetNext", TP_TPU_INPUT},
		{"TFRecordReaderV2", TP_TPU_INPUT},
		{"QueueDequeueManyV2", TP_TPU_INPUT},
		{"RandomShuffleQueueV2", TP_TPU_INPUT},
		{"DecodeJpeg", TP_TPU_INPUT},
		{"ParseExampleV2", TP_TPU_INPUT},
		{"InfeedEnqueueTuple", TP_TPU_SYSTEM},
		{"InfeedDequeueTuple", TP_TPU_COMPATIBLE},
		{"ConfigureDistributedTPU", TP_TPU_SYSTEM},
		{"TPUReplicate", TP_TPU_SYSTEM},
		{"TPUReplicateMetadata", TP_TPU_COMPATIBLE},
		{"Placeholder", TP_TPU_ORDER},
		{"NoOp", TP_TPU_ORDER},
		{"ReadVariableOp", TP_TPU_COMPATIBLE},
		{"PyFunc", TP_TPU_INCOMPATIBLE},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(class_of(cases[i].op, ""), cases[i].class);
}

static void
bodies_of_functions_are_judged_by_us_alone(void **state)
{
	struct tp_tpu_node inside = node("op", "PyFunc", ""),
					   named = node("__function_library__f/op", "PyFunc", ""),
					   call = node("op", "my_function", "");

	(void)state;
	inside.in_function = call.calls = true;
	assert_true(tp_tpu_valid(&inside, NEWEST));
	assert_true(tp_tpu_valid(&named, NEWEST));
	assert_false(tp_tpu_valid(&call, NEWEST));
	assert_int_equal(tp_tpu_class_of(&inside, NEWEST), TP_TPU_INCOMPATIBLE);
	assert_int_equal(tp_tpu_class_of(&named, NEWEST), TP_TPU_INCOMPATIBLE);
	assert_int_equal(tp_tpu_class_of(&call, NEWEST), TP_TPU_ORDER);
}

static void
savers_need_their_name_and_an_operation(void **state)
{
	struct tp_tpu_node n = node("save/filename", "StringFormat", "");

	(void)state;
	assert_true(tp_tpu_is_saver(TP_S("save"), TP_S("SaveV2")));
	assert_true(tp_tpu_is_saver(TP_S("tower/save_1"), TP_S("RestoreV2")));
	assert_true(tp_tpu_is_saver(TP_S("__inference__traced_save_123"), TP_S("MergeV2Checkpoints")));
	assert_false(tp_tpu_is_saver(TP_S("save"), TP_S("Conv2D")));
	assert_false(tp_tpu_is_saver(TP_S("saved_layer"), TP_S("SaveV2")));
	assert_false(tp_tpu_is_saver(TP_S("save/model"), TP_S("SaveV2")));
	assert_false(tp_tpu_is_saver(TP_S(""), TP_S("SaveV2")));
	assert_int_equal(tp_tpu_class_of(&n, NEWEST), TP_TPU_INCOMPATIBLE);
	n.in_saver = true;
	assert_int_equal(tp_tpu_class_of(&n, NEWEST), TP_TPU_SAVE_RESTORE);
	n.device = TP_S("/device:CPU:0");
	assert_int_equal(tp_tpu_class_of(&n, NEWEST), TP_TPU_PLACED);
}

static void
a_job_names_tpus_by_a_device_or_an_operation(void **state)
{
	static const struct {
		const char *op, *device;
		bool is;
	} cases[] = {
		{"MatMul", "/job:worker/device:TPU:0", true},
		{"MatMul", "/job:tpu_worker/device:CPU:0", true},
		{"MatMul", "tpu:0", true},
		{"MatMul", "/job:output/device:CPU:0", false},
		{"MatMul", "", false},
		{"TPUReplicateMetadata", "", true},
		{"Output", "/device:GPU:0", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tp_tpu_node n = node("x", cases[i].op, cases[i].device);

		assert_int_equal(tp_tpu_is_for_tpu(&n), cases[i].is);
	}
}

static void
reasons_name_what_is_certain(void **state)
{
	struct tp_arena *a = tp_arena_new();

	(void)state;
	assert_text(tp_tpu_reason(TP_S("AddV2"), TP_TPU_LIST_1_11, a).why,
		"not in this list yet: added in TensorBoard 2.4");
	assert_text(tp_tpu_reason(TP_S("UpdateSlice"), NEWEST, a).why,
		"no longer in the list since TensorBoard 1.9");
	assert_text(tp_tpu_reason(TP_S("ApplyMomentum"), NEWEST, a).instead,
		"ResourceApplyMomentum, of resource variables");
	assert_text(tp_tpu_reason(TP_S("AssignAdd"), NEWEST, a).instead,
		"AssignAddVariableOp, of resource variables");
	assert_text(tp_tpu_reason(TP_S("TopK"), NEWEST, a).instead, "TopKV2");
	assert_text(
		tp_tpu_reason(TP_S("NonMaxSuppressionV3"), NEWEST, a).instead, "NonMaxSuppressionV4");
	assert_text(
		tp_tpu_reason(TP_S("PyFunc"), NEWEST, a).why, "calls Python, which runs on the host");
	assert_text(tp_tpu_reason(TP_S("StringToNumber"), NEWEST, a).why,
		"works on strings, which TPUs do not support");
	assert_text(tp_tpu_reason(TP_S("MyOwnOp"), NEWEST, a).why, "not in the list");
	assert_text(tp_tpu_reason(TP_S("MyOwnOp"), NEWEST, a).instead, "");
	assert_text(tp_tpu_reason(TP_S(""), NEWEST, a).why, "not in the list");
	assert_text(tp_tpu_reason(TP_S("V2"), NEWEST, a).why, "not in the list");
	tp_arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_are_as_long_as_tensorboards),
		cmocka_unit_test(operations_come_and_go),
		cmocka_unit_test(a_version_has_the_list_before_it),
		cmocka_unit_test(devices_that_are_no_tpu_excuse),
		cmocka_unit_test(work_of_the_host_is_not_judged),
		cmocka_unit_test(bodies_of_functions_are_judged_by_us_alone),
		cmocka_unit_test(savers_need_their_name_and_an_operation),
		cmocka_unit_test(a_job_names_tpus_by_a_device_or_an_operation),
		cmocka_unit_test(reasons_name_what_is_certain),
	};

	return RUN(tests);
}

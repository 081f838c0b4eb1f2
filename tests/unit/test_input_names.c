/* Names of host events, and the breakdown of host time that is made of their classes. */
#include "analyze/input/input_ops.h"

#include <math.h>

#include "unit.h"

#define INPUT(class) (TP_HOST_OP_INPUT + TP_INPUT_##class)

static void
an_event_is_what_its_name_says(void **state)
{
	static const struct {
		const char *name;
		unsigned op;
	} names[] = {
		{"Iterator::Root", INPUT(PREPROCESSING)},
		{"Iterator::Root::Batch::TFRecord", INPUT(DEMANDED_READ)},
		{"Iterator::Root::Prefetch::TFRecord", INPUT(ADVANCED_READ)},
		{"Iterator::Root::ParallelMapV2::TextLine", INPUT(ADVANCED_READ)},
		{"Iterator::Root::TFRecord::Map", INPUT(PREPROCESSING)},
		{"Iterator::Root::FixedLengthRecordV2", INPUT(PREPROCESSING)},
		{"a/b/enqueue/0:InfeedEnqueueTuple", INPUT(ENQUEUE)},
		{"a/InfeedEnqueue_12:", INPUT(ENQUEUE)},
		{"MemcpyHToD", INPUT(ENQUEUE)},
		{"MEMCPYHtoD 3", INPUT(ENQUEUE)},
		{"MemcpyDToH", TP_HOST_OP_FRAMEWORK},
		{"scope/MatMul_1:MatMul", TP_HOST_OP_FRAMEWORK},
		{"a>b.c-d:_Send", TP_HOST_OP_FRAMEWORK},
		{"x:transpose[permutation=(0, 1)]", TP_HOST_OP_FRAMEWORK},
		{"any text:dot_general", TP_HOST_OP_FRAMEWORK},
		{"model/Relu_2:", TP_HOST_OP_FRAMEWORK},
		{"IteratorGetNext", TP_HOST_OP_NONE},
		{"Iterators: many", TP_HOST_OP_NONE},
		{"$train.py:12 step", TP_HOST_OP_NONE},
		{"ThunkExecutor::Execute", TP_HOST_OP_NONE},
		{"EagerLocalExecute: IteratorGetNext", TP_HOST_OP_NONE},
		{"a b:MatMul", TP_HOST_OP_NONE},
		{"a:MatMul(2)", TP_HOST_OP_NONE},
		{"MemcpyH2D", TP_HOST_OP_NONE},
		{":", TP_HOST_OP_FRAMEWORK},
		{"", TP_HOST_OP_NONE},
	};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		unsigned op = tp_host_op_of_name(tp_slice_of(names[i].name));

		if (op != names[i].op)
			fail_msg("\"%s\" is %u, not %u", names[i].name, op, names[i].op);
	}
}

static void
a_stage_is_what_its_category_says(void **state)
{
	(void)state;
	assert_int_equal(tp_host_op_of_stage(TP_S("Read")), INPUT(DEMANDED_READ));
	assert_int_equal(tp_host_op_of_stage(TP_S("ENQUEUE")), INPUT(ENQUEUE));
	assert_int_equal(tp_host_op_of_stage(TP_S("preprocessing")), INPUT(PREPROCESSING));
	assert_int_equal(tp_host_op_of_stage(TP_S("unknown")), INPUT(OTHER));
	assert_int_equal(tp_host_op_of_stage(TP_S("reading")), TP_HOST_OP_FRAMEWORK);
	assert_int_equal(tp_host_op_of_stage(TP_S("")), TP_HOST_OP_FRAMEWORK);
}

static void
a_version_changes_no_kind(void **state)
{
	(void)state;
	assert_int_equal(tp_iterator_kind(TP_S("Iterator::Root::ParallelMapV2")), TP_ITERATOR_PARALLEL);
	assert_int_equal(tp_iterator_kind(TP_S("Iterator::Root::ParallelMap")), TP_ITERATOR_PARALLEL);
	assert_int_equal(
		tp_iterator_kind(TP_S("Iterator::Root::FixedLengthRecordV2")), TP_ITERATOR_FILE);
	assert_int_equal(tp_iterator_kind(TP_S("Iterator::Root::V2")), TP_ITERATOR_OTHER);
	assert_int_equal(tp_iterator_kind(TP_S("Map")), TP_ITERATOR_SERIAL);
	assert_int_equal(tp_iterator_kind(TP_S("Iterator::Root")), TP_ITERATOR_ROOT);
}

static void
a_generator_for_a_device_runs_no_python(void **state)
{
	(void)state;
	assert_int_equal(tp_iterator_kind(TP_S("Iterator::Prefetch::Generator")), TP_ITERATOR_FORWARD);
	assert_int_equal(
		tp_iterator_kind(TP_S("Iterator::Root::Prefetch::Generator")), TP_ITERATOR_GENERATOR);
}

static void
parts_of_names(void **state)
{
	(void)state;
	assert_int_equal(tp_iterator_parts(TP_S("Iterator::Root")), 2);
	assert_int_equal(tp_iterator_parts(TP_S("Iterator::Root[0]::Map")), 3);
	assert_int_equal(tp_iterator_parts(TP_S("Iterator:::Root")), 2);
	assert_true(tp_slice_eq(tp_iterator_name(TP_S("Iterator::Root[0]::Map")), TP_S("Map")));
	assert_true(tp_slice_eq(tp_iterator_name(TP_S("Iterator::")), TP_S("")));
	assert_true(tp_slice_eq(tp_iterator_name(TP_S("none")), TP_S("none")));
}

static struct tp_input_time
time_of(int64_t enqueue, int64_t preprocessing, int64_t read, int64_t other)
{
	struct tp_input_time t = {0};

	t.self_ps[TP_INPUT_ENQUEUE] = enqueue;
	t.self_ps[TP_INPUT_PREPROCESSING] = preprocessing;
	t.self_ps[TP_INPUT_DEMANDED_READ] = read;
	t.self_ps[TP_INPUT_OTHER] = other;
	return t;
}

static void
what_is_no_transfer_fills_the_rest(void **state)
{
	struct tp_input_time t = time_of(10, 30, 10, 0);
	struct tp_input_breakdown b = tp_input_break_down(&t, 0.2);

	(void)state;
	assert_float_equal(b.ps[TP_INPUT_PREPROCESSING], 30, 1e-12);
	assert_float_equal(b.ps[TP_INPUT_DEMANDED_READ], 10, 1e-12);
	b = tp_input_break_down(&t, 0.1);
	assert_float_equal(b.ps[TP_INPUT_PREPROCESSING], 67.5, 1e-12);
	assert_float_equal(b.total_ps, 100, 1e-12);
	t.infeed_ps = 1;
	t.infeed_period_ps = 2; /* goes before the share of steps */
	assert_float_equal(tp_input_break_down(&t, 0.1).total_ps, 20, 1e-12);
	t.infeed_ps = 5; /* transfers that overlap leave nothing */
	assert_float_equal(tp_input_break_down(&t, 0.1).total_ps, 10, 1e-12);
}

static void
without_transfers_nothing_is_scaled(void **state)
{
	struct tp_input_time t = time_of(0, 30, 10, 5);
	struct tp_input_breakdown b = tp_input_break_down(&t, 0.2);

	(void)state;
	assert_float_equal(b.total_ps, 45, 1e-12);
	assert_true(isnan(b.transfer_share));
	t = time_of(10, 30, 10, 0);
	b = tp_input_break_down(&t, NAN);
	assert_float_equal(b.ps[TP_INPUT_PREPROCESSING], 30, 1e-12);
	assert_true(isnan(b.transfer_share));
	assert_float_equal(tp_input_break_down(&t, 0).total_ps, 50, 1e-12);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_event_is_what_its_name_says),
		cmocka_unit_test(a_stage_is_what_its_category_says),
		cmocka_unit_test(a_version_changes_no_kind),
		cmocka_unit_test(a_generator_for_a_device_runs_no_python),
		cmocka_unit_test(parts_of_names),
		cmocka_unit_test(what_is_no_transfer_fills_the_rest),
		cmocka_unit_test(without_transfers_nothing_is_scaled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

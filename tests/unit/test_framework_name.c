/* Names of framework operations and their types. */
#include "analyze/facts/framework_name.h"

#include "unit.h"

static void
expect(const char *text, enum tp_op_family family, const char *name, const char *type)
{
	struct tp_framework_name n = tp_framework_name(tp_slice_of(text));

	assert_int_equal(n.family, family);
	assert_true(tp_slice_eq(n.name, tp_slice_of(name)));
	assert_true(tp_slice_eq(n.type, tp_slice_of(type)));
}

static void
types_that_are_stated(void **state)
{
	(void)state;
	expect("model/dense/MatMul_1:MatMul", TP_FAMILY_TENSORFLOW, "model/dense/MatMul_1", "MatMul");
	expect("n/_3:_HostRecv", TP_FAMILY_TENSORFLOW, "n/_3", "_HostRecv");
	expect("Space>Op:Op2", TP_FAMILY_TENSORFLOW, "Space>Op", "Op2");
	expect("jit(f)/add:add", TP_FAMILY_JAX, "jit(f)/add", "add");
	expect("jit(f)/transpose:transpose[permutation=(0, 1)]", TP_FAMILY_JAX, "jit(f)/transpose",
		"transpose");
}

static void
types_that_the_name_ends_with(void **state)
{
	(void)state;
	expect("jit(f)/jit(main)/dot_general:", TP_FAMILY_JAX, "jit(f)/jit(main)/dot_general",
		"dot_general");
	expect("jit(f)/add_12:", TP_FAMILY_JAX, "jit(f)/add_12", "add");
	expect("model/MatMul_7:", TP_FAMILY_TENSORFLOW, "model/MatMul_7", "MatMul");
	expect("scope/12:", TP_FAMILY_TENSORFLOW, "scope/12", "12");
	expect("scope/_12:", TP_FAMILY_TENSORFLOW, "scope/_12", "");
	expect(":", TP_FAMILY_TENSORFLOW, "", "");
}

static void
other_things(void **state)
{
	(void)state;
	expect("Iterator::Batch::Map", TP_FAMILY_DATASET, "Iterator::Batch::Map", "Dataset");
	expect("MEMCPYHtoD 12", TP_FAMILY_COPY, "MEMCPYHtoD 12", "MemcpyHToD");
	expect(
		"ThreadpoolListener::StartRegion", TP_FAMILY_NONE, "ThreadpoolListener::StartRegion", "");
	expect("$file.py:12 call", TP_FAMILY_NONE, "$file.py:12 call", "");
	expect("IteratorGetNext", TP_FAMILY_NONE, "IteratorGetNext", "");
	expect("a b:MatMul", TP_FAMILY_NONE, "a b:MatMul", "");
	expect("jit(f)/x:y[", TP_FAMILY_NONE, "jit(f)/x:y[", "");
	expect("", TP_FAMILY_NONE, "", "");
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(types_that_are_stated),
		cmocka_unit_test(types_that_the_name_ends_with),
		cmocka_unit_test(other_things),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

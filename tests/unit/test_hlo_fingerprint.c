/* Fingerprints of modules: names, ids and layouts are not in them; opcodes, shapes and operands are. */
#include "unit.h"

#include "model/hlo.h"
#include "model/hlo_fingerprint.h"

enum { F32 = 11, BF16 = 16, COUNT = 3 };

/* p0, p1, and one operation on both; a module of one computation. */
struct program {
	uint64_t sizes[2];
	uint32_t operands[2];
	struct tp_hlo_instruction instructions[COUNT];
	struct tp_hlo_computation computation;
	struct tp_hlo_module module;
};

static void
make(struct program *p, const char *opcode, uint32_t type, uint64_t rows, bool swapped)
{
	static const char *const opcodes[] = {"parameter", "parameter"};

	*p = (struct program){.sizes = {rows, 8}, .operands = {swapped ? 1 : 0, swapped ? 0 : 1}};
	for (size_t i = 0; i < COUNT; i++)
		p->instructions[i] = (struct tp_hlo_instruction){
			.name = TP_S("anything"),
			.opcode = tp_slice_of(i < 2 ? opcodes[i] : opcode),
			.shape = {.kind = TP_SHAPE_ARRAY, .type = type, .rank = 2, .sizes = p->sizes},
		};
	p->instructions[2].operands = (struct tp_hlo_list){p->operands, 2};
	p->computation = (struct tp_hlo_computation){.count = COUNT, .root = 2};
	p->module = (struct tp_hlo_module){
		.name = TP_S("jit_f"),
		.computations = &p->computation,
		.computation_count = 1,
		.instructions = p->instructions,
		.instruction_count = COUNT,
	};
}

static uint64_t
print_of(const char *opcode, uint32_t type, uint64_t rows, bool swapped)
{
	struct program p;

	make(&p, opcode, type, rows, swapped);
	return tp_hlo_fingerprint(&p.module);
}

static void
test_names_do_not_count(void **state)
{
	struct program p;

	(void)state;
	make(&p, "subtract", F32, 4, false);
	uint64_t before = tp_hlo_fingerprint(&p.module);

	p.module.name = TP_S("jit_g");
	p.computation.name = TP_S("main.7");
	for (size_t i = 0; i < COUNT; i++) {
		p.instructions[i].name = TP_S("renumbered.12");
		p.instructions[i].id = (int64_t)i + 100;
		p.instructions[i].framework = TP_S("jit(g)/sub");
	}
	assert_true(tp_hlo_fingerprint(&p.module) == before);
	assert_true(before != 0);
}

static void
test_work_counts(void **state)
{
	uint64_t print = print_of("subtract", F32, 4, false);

	(void)state;
	assert_true(print_of("subtract", F32, 4, false) == print);
	assert_true(print_of("add", F32, 4, false) != print);
	assert_true(print_of("subtract", BF16, 4, false) != print);
	assert_true(print_of("subtract", F32, 5, false) != print);
	assert_true(print_of("subtract", F32, 4, true) != print);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_do_not_count),
		cmocka_unit_test(test_work_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

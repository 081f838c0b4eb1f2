/* What names of annotations say: every engine's, those that only begin like one, and hostile ones. */
#include "analyze/torch_steps/torch_iteration_name.h"
#include "base/arena.h"
#include "unit.h"

static void
engines_are_known_by_their_names(void **state)
{
	static const struct {
		const char *name, *engine;
		enum tp_iteration_phase phase;
		long prompt_requests, prompt_tokens, decode_requests, decode_tokens;
	} known[] = {
		{"execute_context_2(256)_generation_0(0)", "vLLM", TP_ITERATION_PREFILL, 2, 256, 0, 0},
		{"execute_context_0(0)_generation_8(8)", "vLLM", TP_ITERATION_DECODE, 0, 0, 8, 8},
		{"execute_context_1(64)_generation_31(31)", "vLLM", TP_ITERATION_MIXED, 1, 64, 31, 31},
		{"execute_new_0_cached_32", "vLLM", TP_ITERATION_DECODE, 0, -1, 32, 32},
		{"execute_32_context_0(sq0sk0sqsq0sqsk0)_generation_32(sq32sk53sqsq32sqsk53)", "vLLM",
			TP_ITERATION_DECODE, 0, 0, 32, 32},
		{"execute_8192_context_9(sq8155sk8430sqsq7475785sqsk7671310)_generation_37(sq37sk1sqsq37sqsk1)",
			"vLLM", TP_ITERATION_MIXED, 9, 8155, 37, 37},
		{"step[EXTEND bs=15 toks=15360]", "SGLang", TP_ITERATION_PREFILL, 15, 15360, -1, -1},
		{"step[EXTEND bs=2 toks=12 c_sqsq=80 c_sqsk=120 c_sk=20]", "SGLang", TP_ITERATION_PREFILL,
			2, 12, -1, -1},
		{"step[DECODE bs=32]", "SGLang", TP_ITERATION_DECODE, -1, -1, 32, 32},
		{"step[MIXED bs=3]", "SGLang", TP_ITERATION_MIXED, -1, -1, -1, -1},
		{"step[MIXED bs=66 c=2 g=64 c_sq=2048 c_sk=2048 c_sqsq=2097152 c_sqsk=2097152 g_sq=64 g_sk=65600 g_sqsq=64 g_sqsk=65600]",
			"SGLang", TP_ITERATION_MIXED, 2, 2048, 64, 64},
		{"step[TARGET_VERIFY bs=4]", "SGLang", TP_ITERATION_DECODE, -1, -1, 4, -1},
		{"step[VERIFY bs=4 g_sq=16 g_sqsq=64 g_sqsk=1600 g_sk=400 forward_id=7]", "SGLang",
			TP_ITERATION_DECODE, -1, -1, 4, -1},
		{"step[DRAFT bs=4]", "SGLang", TP_ITERATION_UNKNOWN, -1, -1, -1, -1},
		{"step[IDLE bs=0]", "SGLang", TP_ITERATION_UNKNOWN, -1, -1, -1, -1},
		{"[Executor] _forward_step 17: 2 ctx reqs, 3 gen reqs", "TensorRT-LLM", TP_ITERATION_MIXED,
			2, -1, 3, -1},
		{"[Executor] _forward_step 60000: 2 ctx reqs, 640 ctx tokens, 3 gen reqs", "TensorRT-LLM",
			TP_ITERATION_MIXED, 2, 640, 3, -1},
		{"[Executor] _forward_step: 0 ctx reqs, 3 gen reqs", "TensorRT-LLM", TP_ITERATION_DECODE, 0,
			-1, 3, 3},
		{"prefill[bs=1 tok=1024 ctx=1024 sqsq=1048576]", "ATOM", TP_ITERATION_PREFILL, 1, 1024, -1,
			-1},
		{"decode[bs=64 tok=64 d=64]", "ATOM", TP_ITERATION_DECODE, -1, -1, 64, 64},
	};

	(void)state;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct tp_iteration_name n = tp_iteration_name(tp_slice_of(known[i].name));

		assert_non_null(n.engine);
		assert_string_equal(n.engine, known[i].engine);
		assert_int_equal(n.phase, known[i].phase);
		assert_int_equal(n.prompt_requests, known[i].prompt_requests);
		assert_int_equal(n.prompt_tokens, known[i].prompt_tokens);
		assert_int_equal(n.decode_requests, known[i].decode_requests);
		assert_int_equal(n.decode_tokens, known[i].decode_tokens);
	}
}

/* A request may then get more than one token of an iteration, and none says how many. */
static void
guesses_of_a_draft_are_no_tokens(void **state)
{
	static const struct {
		const char *name;
		bool drafted;
	} names[] = {
		{"execute_context_0(0)_generation_8(8)", false},
		{"execute_context_0(0)_generation_8(32)", true},
		{"execute_context_2(256)_generation_0(0)", false},
		{"execute_32_context_0(sq0sk0sqsq0sqsk0)_generation_8(sq32sk53sqsq32sqsk53)", true},
		{"step[DECODE bs=4]", false},
		{"step[VERIFY bs=4]", true},
		{"step[TARGET_VERIFY bs=4]", true},
		{"mine", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_int_equal(tp_iteration_name(tp_slice_of(names[i].name)).drafted, names[i].drafted);
}

static void
others_are_told_by_their_words(void **state)
{
	static const struct {
		const char *name;
		enum tp_iteration_phase phase;
	} others[] = {
		{"forward", TP_ITERATION_FORWARD},
		{"Backward pass", TP_ITERATION_BACKWARD},
		{"forward-backward", TP_ITERATION_UNKNOWN},
		{"optimizer", TP_ITERATION_OPTIMIZER},
		{"my_prefill_3", TP_ITERATION_PREFILL},
		{"decode", TP_ITERATION_DECODE},
		{"train_step 17", TP_ITERATION_UNKNOWN},
		{"execute_context_2(256)_generation_", TP_ITERATION_UNKNOWN},
		{"execute_context_(256)_generation_0(0)", TP_ITERATION_UNKNOWN},
		{"execute_context_2(256)_generation_0(0) and more", TP_ITERATION_UNKNOWN},
		{"", TP_ITERATION_UNKNOWN},
	};

	(void)state;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		struct tp_iteration_name n = tp_iteration_name(tp_slice_of(others[i].name));

		assert_null(n.engine);
		assert_int_equal(n.phase, others[i].phase);
		assert_int_equal(n.decode_tokens, -1);
	}
}

/* A number without end is no count of tokens, and overflows nothing. */
static void
numbers_are_bounded(void **state)
{
	struct tp_iteration_name n = tp_iteration_name(
		TP_S("execute_context_0(0)_generation_99999999999999999999999999(99999999999999999999)"));

	(void)state;
	assert_string_equal(n.engine, "vLLM");
	assert_true(n.decode_requests > 0 && n.decode_tokens > 0);
}

static void
digits_are_masked(void **state)
{
	struct tp_arena *a = tp_arena_new();

	(void)state;
	assert_text(tp_iteration_pattern(TP_S("execute_context_2(256)_generation_0(0)"), a),
		"execute_context_#(#)_generation_#(#)");
	assert_text(tp_iteration_pattern(TP_S("123"), a), "#");
	assert_text(tp_iteration_pattern(TP_S("a\xff"
										  "12b"),
					a),
		"a\xff#b");
	assert_text(tp_iteration_pattern(TP_S(""), a), "");
	tp_arena_free(a);
}

static void
libraries_write_no_iterations(void **state)
{
	static const char *const theirs[] = {"nccl:all_reduce", "Optimizer.step#AdamW.step",
		"enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", "ProfilerStep#3",
		"## Call CompiledFxGraph abc ##", "DistributedDataParallel.forward", "capture_32_FULL"};

	(void)state;
	for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++)
		assert_true(tp_annotation_of_library(tp_slice_of(theirs[i])));
	assert_false(tp_annotation_of_library(TP_S("train")));
	assert_true(tp_annotation_is_hook(TP_S("Optimizer.step#AdamW.step")));
	assert_false(tp_annotation_is_hook(TP_S("nccl:all_reduce")));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(engines_are_known_by_their_names),
		cmocka_unit_test(guesses_of_a_draft_are_no_tokens),
		cmocka_unit_test(others_are_told_by_their_words),
		cmocka_unit_test(numbers_are_bounded),
		cmocka_unit_test(digits_are_masked),
		cmocka_unit_test(libraries_write_no_iterations),
	};

	return RUN(tests);
}

/* Redaction: which words are public, what becomes of the others in texts and ids, and the search that proves that none is left. */
#include "unit.h"

#include "base/arena.h"
#include "redact/leak.h"
#include "redact/public_words.h"
#include "redact/redaction.h"

enum { ALL = (1U << TP_REDACT_KINDS) - 1 };

static struct tp_arena *arena;

static struct tp_redaction *
redaction_of(const char *const *names)
{
	struct tp_redaction *r = tp_redaction_new(arena, ALL);

	tp_redaction_begin(r);
	for (; *names != NULL; names++)
		tp_redaction_sort(r, TP_NOUN_OP, TP_WRITTEN_PLAIN, tp_slice_of(*names));
	return r;
}

static struct tp_slice
text_of(struct tp_redaction *r, const char *text)
{
	return tp_redaction_text(r, TP_WRITTEN_PLAIN, tp_slice_of(text));
}

static void
words_of_everybody_are_public(void **state)
{
	static const char *const public_words[] = {"aten", "addmm", "AddmmBackward0", "fusion",
		"loop_add_fusion_3", "dynamic_update_slice", "FusedBatchNormV3", "conv_general_dilated",
		"ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_stages_64x4_tn",
		"ncclDevKernel_AllReduce_Sum_f32_RING_LL", "triton_poi_fused_add_mul_0", "jit_multiply",
		"Linear_0", "128x64", "bf16", "b01f_01io", "x", "Step", "Relu_grad"};
	static const char *const own_words[] = {"acme", "AcmeBackward", "acme_add_fusion",
		"cutlass_acme", "triton_poi_fused_acme_0", "jit_acme", "Acme_0", "0xacme", "modèle",
		"C8CB8CD7294749028C7E754561AF908F"};
	struct tp_public *p = tp_public_new(arena);

	(void)state;
	for (size_t i = 0; i < sizeof public_words / sizeof *public_words; i++) {
		if (!tp_public_has(p, tp_slice_of(public_words[i])))
			fail_msg("%s is not public", public_words[i]);
	}
	for (size_t i = 0; i < sizeof own_words / sizeof *own_words; i++) {
		if (tp_public_has(p, tp_slice_of(own_words[i])))
			fail_msg("%s is public", own_words[i]);
	}
}

static void
a_name_has_one_pseudonym_wherever_it_stands(void **state)
{
	struct tp_redaction *r =
		redaction_of((const char *const[]){"acme/layer/zorg_1", "zorg_2 of acme", NULL});

	(void)state;
	assert_text(text_of(r, "acme/layer/zorg_1:Add"), "op-1/layer/op-2_1:Add");
	assert_text(text_of(r, "zorg_2 of acme, not of acmes"), "op-2_2 of op-1, not of acmes");
	assert_text(tp_redaction_text(r, TP_WRITTEN_AS_ID, TP_S("operations/acme%20zorg%3Cx%3E")),
		"operations/op-1%20op-2%3Cx%3E");
	assert_int_equal(tp_redaction_count(r, TP_NOUN_OP, false), 2);
}

static void
letters_of_all_scripts_are_of_words(void **state)
{
	struct tp_redaction *r = redaction_of((const char *const[]){"modèle/слой", NULL});

	(void)state;
	assert_text(text_of(r, "modèle: 2 µs × слой…"), "op-1: 2 µs × op-2…");
	assert_text(tp_redaction_text(r, TP_WRITTEN_AS_ID, TP_S("x/mod%C3%A8le/y")), "x/op-1/y");
}

static void
a_host_is_replaced_as_a_whole(void **state)
{
	struct tp_redaction *r = tp_redaction_new(arena, ALL);

	(void)state;
	tp_redaction_begin(r);
	tp_redaction_know(r, TP_NOUN_HOST, TP_S("node-a"));
	tp_redaction_know(r, TP_NOUN_HOST, TP_S("node-a-1.acme.com"));
	tp_redaction_know(r, TP_NOUN_HOST, TP_S("host0"));
	assert_text(text_of(r, "node-a, node-a-1.acme.com, Node-A_12; node-ab; host0"),
		"host-1, host-2, host-1_12; node-ab; host0");
	assert_text(tp_redaction_text(r, TP_WRITTEN_AS_ID, TP_S("step.time.mean_ms@host=node-a")),
		"step.time.mean_ms@host=host-1");
	assert_text(text_of(r, "node-a-1.ac…"), "host-2…");
	tp_redaction_know(r, TP_NOUN_HOST, TP_S("NODE-A"));
	assert_text(text_of(r, "node-a is not NODE-A"), "host-1 is not host-3");
}

static void
a_scope_says_what_a_name_is_of(void **state)
{
	struct tp_redaction *r = tp_redaction_new(arena, ALL);

	(void)state;
	tp_redaction_begin(r);
	tp_redaction_sort(
		r, TP_NOUN_NAME, TP_WRITTEN_AS_ID, TP_S("run.cores@host=a%2Czorg,module=acme"));
	assert_text(text_of(r, "a,zorg runs acme"), "host-1 runs module-1");
}

static void
the_folder_of_a_path_is_one_name(void **state)
{
	struct tp_redaction *r = redaction_of((const char *const[]){
		"/data/runs/model/acme.py:12", "/usr/lib/python3/site-packages/torch/nn/f.py", NULL});

	(void)state;
	tp_redaction_look(r, TP_S("torch/nn/zorg.py(3): flux"));
	assert_text(text_of(r, "/data/runs/model/acme.py:12"), "/path-1/op-1.py:12");
	assert_text(text_of(r, "/usr/lib/python3/site-packages/torch/nn/zorg.py: flux"),
		"/path-2/torch/nn/zorg.py: flux");
	assert_text(text_of(r, "the data of the model"), "the data of the model");
}

static void
what_stands_in_a_public_space_is_public(void **state)
{
	struct tp_redaction *r = tp_redaction_new(arena, ALL);
	static const char kernel[] = "void at::native::(anonymous namespace)::zorg<acme::flux>()";

	(void)state;
	tp_redaction_begin(r);
	tp_redaction_look(r, tp_slice_of(kernel));
	tp_redaction_sort(r, TP_NOUN_KERNEL, TP_WRITTEN_PLAIN, tp_slice_of(kernel));
	assert_text(
		text_of(r, kernel), "void at::native::(anonymous namespace)::zorg<kernel-1::kernel-2>()");
	assert_text(text_of(r, "zor…"), "zor…");
	assert_text(text_of(r, "acm…"), "kernel-1…");
	/* Ids that are cut at two places stay two. */
	assert_text(tp_redaction_text(r, TP_WRITTEN_AS_ID, TP_S("acm%E2%80%A6")), "acm%E2%80%A6");
}

static void
a_pseudonym_that_is_there_already_is_not_given_again(void **state)
{
	struct tp_redaction *r = tp_redaction_new(arena, ALL);

	(void)state;
	tp_redaction_begin(r);
	tp_redaction_look(r, TP_S("op-1 and op-2"));
	tp_redaction_sort(r, TP_NOUN_OP, TP_WRITTEN_PLAIN, TP_S("acme"));
	assert_text(text_of(r, "op-1 and acme"), "op-1 and op-3");
	assert_int_equal(tp_redaction_count(r, TP_NOUN_OP, true), 3);
}

static void
only_what_was_asked_for_is_replaced(void **state)
{
	struct tp_redaction *r = tp_redaction_new(arena, 1U << TP_REDACT_PATHS);

	(void)state;
	tp_redaction_begin(r);
	tp_redaction_sort(r, TP_NOUN_OP, TP_WRITTEN_PLAIN, TP_S("acme zorg"));
	tp_redaction_sort(r, TP_NOUN_PATH, TP_WRITTEN_PLAIN, TP_S("acme"));
	assert_text(text_of(r, "acme zorg"), "op-1 zorg");
}

static bool
finds(const char *text)
{
	struct tp_redaction *r = redaction_of((const char *const[]){"acme zorg_1 modèle", NULL});
	struct tp_leak leak;

	tp_redaction_know(r, TP_NOUN_HOST, TP_S("node-a.io"));
	return tp_search_finds_in_file(tp_search_new(r, arena), tp_slice_of(text), &leak);
}

static void
the_search_finds_whole_words(void **state)
{
	(void)state;
	assert_true(finds("of acme."));
	assert_true(finds("ACME"));
	assert_true(finds("Zorg_77"));
	assert_true(finds("at node-a.io:80"));
	assert_false(finds("acmes, zorg1, node-a.iod, node-a"));
	assert_false(finds(""));
}

/* A label that is cut may be of any name that begins so: "Node…" of NodeNorm as much as of node-a.io. */
static void
the_search_wants_more_than_the_first_word_of_a_name_that_is_cut(void **state)
{
	(void)state;
	assert_false(finds("<title>NodeNorm_0</title>Node…"));
	assert_true(finds("node-a.i…"));
	assert_true(finds("acme…"));
}

static void
the_search_sees_through_escapes(void **state)
{
	(void)state;
	assert_true(finds("{\"a\": \"\\nacme\"}"));
	assert_true(finds("{\"a\": \"mod\\u00e8le\"}"));
	assert_true(finds("#x/mod%C3%A8le"));
	assert_true(finds("mod&#232;le"));
	assert_true(finds("C:\\acme"));
	assert_false(finds("{\"data\": \"Xy/acme+4=\", \"a\": 1}"));
	assert_false(finds("{\"data\":\"Xy/acme+4=\",\"a\":1}"));
	assert_true(finds("{\"data\":acme}"));
	assert_true(finds("{\"data\": acme"));
	assert_true(finds("{\"data\": \"Xy/acme-4=\", \"a\": 1}"));
	assert_true(finds("{\"data\": \"Xy/Zz+4=\", \"a\": \"acme\"}"));
	assert_true(finds("<!doctype html><td>ac<wbr>me</td>"));
	assert_true(finds("<!doctype html><td>&lt;acme&gt;</td>"));
	assert_true(finds("<!doctype html><script type=\"application/json\">[\"\\nacme\"]</script>"));
	assert_false(finds("<!doctype html><style>acme</style><script>zorg_1</script>"));
	assert_true(finds("<!doctype html><style>acme</style>zorg_1<script>acme</script>"));
}

static void
the_search_reads_strings_of_a_pdf(void **state)
{
	(void)state;
	assert_true(finds("%PDF-1.7 << /Title (of \\141cme) >>"));
	assert_true(finds("%PDF-1.7 << /Title (of (acme)) >>"));
	assert_true(finds("%PDF-1.7 << /Title <FEFF00610063006D0065> >>"));
	assert_true(finds("%PDF-1.7 << /Title <61636D65> >>"));
	assert_false(finds("%PDF-1.7 << /acme /zorg >> stream\nacme (zorg)\nendstream (x)"));
}

static void
the_first_leak_is_told_with_its_place(void **state)
{
	struct tp_redaction *r = redaction_of((const char *const[]){"acme", NULL});
	struct tp_leak leak;

	(void)state;
	assert_true(tp_search_finds(tp_search_new(r, arena), TP_S("not here: Acme"), &leak));
	assert_text(leak.name, "acme");
	assert_int_equal(leak.at, 10);
	assert_int_equal(tp_redaction_kind_of(r, leak.name), TP_REDACT_NAMES);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_of_everybody_are_public),
		cmocka_unit_test(a_name_has_one_pseudonym_wherever_it_stands),
		cmocka_unit_test(letters_of_all_scripts_are_of_words),
		cmocka_unit_test(a_host_is_replaced_as_a_whole),
		cmocka_unit_test(a_scope_says_what_a_name_is_of),
		cmocka_unit_test(the_folder_of_a_path_is_one_name),
		cmocka_unit_test(what_stands_in_a_public_space_is_public),
		cmocka_unit_test(a_pseudonym_that_is_there_already_is_not_given_again),
		cmocka_unit_test(only_what_was_asked_for_is_replaced),
		cmocka_unit_test(the_search_finds_whole_words),
		cmocka_unit_test(the_search_wants_more_than_the_first_word_of_a_name_that_is_cut),
		cmocka_unit_test(the_search_sees_through_escapes),
		cmocka_unit_test(the_search_reads_strings_of_a_pdf),
		cmocka_unit_test(the_first_leak_is_told_with_its_place),
	};

	arena = tp_arena_new();
	int failed = RUN(tests);

	tp_arena_free(arena);
	return failed;
}

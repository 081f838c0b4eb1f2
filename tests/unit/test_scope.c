/* Ids of figures for one host, device …: their order and what is percent-encoded. */
#include "unit.h"

#include "base/arena.h"
#include "report/doc.h"
#include "report/scope.h"

static struct tp_arena *arena;

static struct tp_slice
id(struct tp_scope scope)
{
	return tp_scope_id(arena, "step.time.mean_ms", scope);
}

static void
pairs_stand_in_one_order(void **state)
{
	(void)state;
	assert_text(id((struct tp_scope){0}), "step.time.mean_ms");
	assert_text(id((struct tp_scope){.host = TP_S("a")}), "step.time.mean_ms@host=a");
	assert_text(id((struct tp_scope){.step = TP_S("7"),
					.module = TP_S("m"),
					.program = TP_S("9"),
					.device = TP_S("TPU:0"),
					.span = TP_S("1"),
					.worker = TP_S("rank0"),
					.host = TP_S("a"),
					.run = TP_S("r")}),
		"step.time.mean_ms@run=r,host=a,worker=rank0,span=1,device=TPU:0,program=9,module=m,step="
		"7");
}

static void
what_would_end_a_pair_is_encoded(void **state)
{
	(void)state;
	assert_text(id((struct tp_scope){.host = TP_S("a,b=c@d%e")}),
		"step.time.mean_ms@host=a%2Cb%3Dc%40d%25e");
	assert_text(id((struct tp_scope){.host = TP_S("a\nb\x7f\xc3\xa9")}),
		"step.time.mean_ms@host=a%0Ab%7F\xc3\xa9");
	assert_text(id((struct tp_scope){.host = TP_S("")}), "step.time.mean_ms@host=");
}

static void
base_is_what_stands_before_the_scope(void **state)
{
	(void)state;
	assert_text(tp_scope_base(TP_S("a.b_ms@host=x@y")), "a.b_ms");
	assert_text(tp_scope_base(TP_S("a.b_ms")), "a.b_ms");
	assert_text(tp_scope_base(TP_S("")), "");
}

static void
narrowed_figure_has_label_and_unit(void **state)
{
	struct tp_doc *doc = tp_doc_new(arena);

	(void)state;
	tp_doc_metric(doc, TP_S("a.b_ms"), "Label", tp_missing(TP_S("x")), TP_S("how"), TP_S(""));
	tp_doc_metric_scopes(doc, "a.b_ms", "@host");
	tp_doc_metric_scopes(doc, "a.b_ms", "@host,device");
	tp_doc_metric_scopes(doc, "no.such", "@host");
	tp_doc_metric_for(doc, "a.b_ms", (struct tp_scope){.host = TP_S("h")}, tp_missing(TP_S("why")),
		TP_S("2 of 3"));
	const struct tp_metric *all = tp_doc_find_metric(doc, TP_S("a.b_ms"));
	const struct tp_metric *one = tp_doc_find_metric(doc, TP_S("a.b_ms@host=h"));

	assert_text(all->scopes, "@host @host,device");
	assert_non_null(one);
	assert_text(one->label, "Label");
	assert_text(one->how, "");
	assert_text(one->coverage, "2 of 3");
	assert_int_equal(one->value.unit, TP_UNIT_MS);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_stand_in_one_order),
		cmocka_unit_test(what_would_end_a_pair_is_encoded),
		cmocka_unit_test(base_is_what_stands_before_the_scope),
		cmocka_unit_test(narrowed_figure_has_label_and_unit),
	};

	arena = tp_arena_new();
	int failed = RUN(tests);

	tp_arena_free(arena);
	return failed;
}

/* Directions of metrics: each metric that there is has a rule, each rule is of some metric, and a scope changes nothing. */
#include "report/direction.h"

#include "unit.h"

#include "analyze/core/pass.h"
#include "analyze/page/passes.h"
#include "fixture.h"
#include "model/build.h"
#include "report/doc.h"

/* All metrics that there are: those of an empty profile. */
static const struct tp_metric *
all_metrics(struct tp_arena *arena)
{
	struct tp_profile *empty = tp_builder_finish(tp_builder_new(arena));
	struct tp_pass_options options = {.top = 10};
	struct tp_doc *doc = tp_doc_new(arena);
	struct tp_err err;

	assert_int_equal(tp_analyze(tp_passes, empty, &options, arena, doc, &err), TP_OK);
	assert_non_null(doc->metrics);
	return doc->metrics;
}

static void
each_metric_has_a_rule(void **state)
{
	for (const struct tp_metric *m = all_metrics(*state); m != NULL; m = m->next) {
		if (tp_direction_rule_for(m->id) == NULL)
			fail_msg("%.*s: report/direction.c does not say which way is better", TP_ARG(m->id));
	}
}

static bool
decides_some(const struct tp_direction_rule *rule, const struct tp_metric *metrics)
{
	for (const struct tp_metric *m = metrics; m != NULL; m = m->next) {
		if (tp_direction_rule_for(m->id) == rule)
			return true;
	}
	return false;
}

static void
each_rule_decides_some_metric(void **state)
{
	const struct tp_metric *metrics = all_metrics(*state);

	for (const struct tp_direction_rule *rule = tp_direction_rules; rule->ids != NULL; rule++) {
		if (!decides_some(rule, metrics))
			fail_msg("%s: no metric, or one that a rule above decides", rule->ids);
	}
}

static void
texts_have_no_direction(void **state)
{
	static const char *const ends[] = {".name", "_source", "bound_by", ".verdict"};

	for (const struct tp_metric *m = all_metrics(*state); m != NULL; m = m->next) {
		for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
			if (tp_slice_ends(m->id, tp_slice_of(ends[i])))
				assert_int_equal(m->better, TP_NO_DIRECTION);
		}
	}
}

static void
a_metric_goes_the_way_that_is_said(void **state)
{
	(void)state;
	assert_int_equal(tp_metric_direction(TP_S("step.time.p50_ms")), TP_LOWER_IS_BETTER);
	assert_int_equal(tp_metric_direction(TP_S("step.class.idle_share")), TP_LOWER_IS_BETTER);
	assert_int_equal(tp_metric_direction(TP_S("step.class.compute_share")), TP_NO_DIRECTION);
	assert_int_equal(tp_metric_direction(TP_S("memory.peak_bytes")), TP_LOWER_IS_BETTER);
	assert_int_equal(tp_metric_direction(TP_S("memory.peak_position")), TP_NO_DIRECTION);
	assert_int_equal(tp_metric_direction(TP_S("flops.utilization_share")), TP_HIGHER_IS_BETTER);
	assert_int_equal(tp_metric_direction(TP_S("roofline.step.flop_per_s")), TP_HIGHER_IS_BETTER);
	assert_int_equal(tp_metric_direction(TP_S("run.examples_per_s")), TP_HIGHER_IS_BETTER);
	assert_int_equal(tp_metric_direction(TP_S("data.coverage_share")), TP_HIGHER_IS_BETTER);
	assert_int_equal(tp_metric_direction(TP_S("step.count")), TP_NO_DIRECTION);
}

static void
a_scope_changes_nothing(void **state)
{
	(void)state;
	assert_int_equal(tp_metric_direction(TP_S("step.time.p50_ms@host=a,b_ms")), TP_LOWER_IS_BETTER);
	assert_int_equal(tp_metric_direction(TP_S("step.count@host=x_ms")), TP_NO_DIRECTION);
}

static void
what_no_rule_fits_has_no_direction(void **state)
{
	(void)state;
	assert_null(tp_direction_rule_for(TP_S("step.time")));
	assert_null(tp_direction_rule_for(TP_S("")));
	assert_int_equal(tp_metric_direction(TP_S("no.such_ms")), TP_NO_DIRECTION);
	/* What is before a star and what is behind it may not share letters. */
	assert_null(tp_direction_rule_for(TP_S("step.time._m")));
	assert_null(tp_direction_rule_for(TP_S("input.worst_shar")));
}

static void
a_document_says_it_once(void **state)
{
	struct tp_doc *doc = tp_doc_new(*state);

	tp_doc_metric(
		doc, TP_S("step.time.p50_ms"), "Median", tp_number(1, TP_UNIT_MS), TP_S(""), TP_S(""));
	tp_doc_metric_for(doc, "step.time.p50_ms", (struct tp_scope){.host = TP_S("a")},
		tp_number(1, TP_UNIT_MS), TP_S(""));
	assert_int_equal(doc->metrics->better, TP_LOWER_IS_BETTER);
	assert_int_equal(doc->metrics->next->better, TP_NO_DIRECTION);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		ARENA_TEST(each_metric_has_a_rule),
		ARENA_TEST(each_rule_decides_some_metric),
		ARENA_TEST(texts_have_no_direction),
		cmocka_unit_test(a_metric_goes_the_way_that_is_said),
		cmocka_unit_test(a_scope_changes_nothing),
		cmocka_unit_test(what_no_rule_fits_has_no_direction),
		ARENA_TEST(a_document_says_it_once),
	};

	return RUN(tests);
}

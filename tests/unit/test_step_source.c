/* Sources of steps say all that others ask of them without looking whether it is there. */
#include "unit.h"

#include "analyze/steps/step_source.h"

static const struct tp_step_source *const sources[] = {&tp_step_source_tpu, &tp_step_source_torch,
	&tp_step_source_markers, &tp_step_source_precomputed, &tp_step_source_annotations,
	&tp_step_source_kernels};
enum { SOURCES = sizeof sources / sizeof *sources };

static void
each_says_what_it_is(void **state)
{
	(void)state;
	for (size_t i = 0; i < SOURCES; i++) {
		const struct tp_step_source *s = sources[i];

		assert_non_null(s->name);
		assert_non_null(s->timeline);
		assert_non_null(s->timelines);
		assert_non_null(s->find);
		assert_non_null(s->input_rule);
		assert_non_null(s->input_unseen.so_what);
		assert_non_null(s->quality);
		assert_non_null(s->how);
		assert_true(s->of_cores || s->no_tpu_parts.len != 0);
	}
}

/* Steps of tool files stand in for others, and are from no events. */
static void
those_of_events_say_where_they_look(void **state)
{
	(void)state;
	for (size_t i = 0; i < SOURCES; i++) {
		const struct tp_step_source *s = sources[i];

		if (s == &tp_step_source_precomputed)
			continue;
		assert_non_null(s->applies);
		assert_non_null(s->from);
		assert_non_null(s->compared);
		assert_non_null(s->input_unseen.tile[0]);
		assert_non_null(s->input_unseen.tile[1]);
		assert_true(s->input_unseen.why.len != 0);
	}
}

/* What is said of inferred steps is asked only where they may be inferred: then all of it is there. */
static void
what_is_inferred_is_said_whole(void **state)
{
	(void)state;
	for (size_t i = 0; i < SOURCES; i++) {
		const struct tp_step_source *s = sources[i];
		size_t said = (s->inferred.say != NULL) + (s->inferred.nothing != NULL) +
			(s->inferred.chosen != NULL) + (s->inferred.runs != NULL) + (s->inferred.rest != NULL) +
			(s->inferred.from != NULL);

		assert_true(said == 0 || said == 6);
		assert_true(said == 0 || s->trim != NULL);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_says_what_it_is),
		cmocka_unit_test(those_of_events_say_where_they_look),
		cmocka_unit_test(what_is_inferred_is_said_whole),
	};

	return RUN(tests);
}

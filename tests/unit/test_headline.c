/* Headline figures: what a report can have beside each other has names of its own. */
#include "unit.h"

#include "report/headline.h"

static const char *
label_of(const char *id)
{
	for (size_t i = 0; i < tp_headline_count; i++) {
		if (strcmp(tp_headlines[i].id, id) == 0)
			return tp_headlines[i].label;
	}
	return "";
}

static void
planned_and_measured_peak_have_two_names(void **state)
{
	(void)state;
	assert_string_equal(label_of("memory.measured.peak_bytes"), "Memory peak, measured");
	assert_string_equal(label_of("memory.peak_bytes"), "Memory peak, planned");
	assert_string_equal(label_of("torch.memory.peak_bytes"), "Memory peak");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(planned_and_measured_peak_have_two_names),
	};

	return RUN(tests);
}

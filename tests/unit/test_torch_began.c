/* When a trace began, by its first bytes. */
#include "ingest/reader.h"

#include "unit.h"

static int64_t
began(const char *text)
{
	return tp_reader_torch.began_unix_ns(tp_slice_of(text));
}

static void
base_and_earliest_lasting_event_are_added(void **state)
{
	(void)state;
	assert_int_equal(began("{\"schemaVersion\":1,\"baseTimeNanoseconds\":1711929600000000000,"
						   "\"traceEvents\":[{\"ph\":\"M\",\"ts\":0.001,\"args\":{\"ts\":7}},"
						   "{\"ph\":\"X\",\"ts\":12.345,\"dur\":1},{\"ph\":\"X\",\"ts\":12.25}]}"),
		1711929600000012250);
}

static void
a_base_behind_the_events_counts(void **state)
{
	(void)state;
	assert_int_equal(began("{\"traceEvents\":[{\"ph\":\"X\",\"ts\":5}],"
						   "\"baseTimeNanoseconds\":1711929600000000000}"),
		1711929600000005000);
}

static void
microseconds_since_1970_need_no_base(void **state)
{
	(void)state;
	assert_int_equal(began("[{\"ph\":\"X\",\"ts\":1623143089861123}"), 1623143089861123000);
	assert_int_equal(began("{\"traceEvents\":[{\"ph\":\"X\",\"ts\":1623143089861123,\"dur\":3},{"
						   "\"ph\":\"X\",\"ts\":16231"),
		1623143089861123000);
}

static void
a_text_that_does_not_say_is_no_time(void **state)
{
	static const char *const texts[] = {"", "{", "[1,2]", "{\"traceEvents\":[]}",
		"{\"traceEvents\":[{\"ph\":\"X\",\"ts\":5}]}",
		"{\"baseTimeNanoseconds\":1711929600000000000}",
		"{\"traceEvents\":[{\"ph\":\"M\",\"ts\":1623143089861123}]}",
		"{\"baseTimeNanoseconds\":9223372036854775807,\"traceEvents\":[{\"ph\":\"X\",\"ts\":5}]}",
		"{\"traceEvents\":[{\"ph\":\"X\",\"ts\":NaN}]}"};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		assert_int_equal(began(texts[i]), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(base_and_earliest_lasting_event_are_added),
		cmocka_unit_test(a_base_behind_the_events_counts),
		cmocka_unit_test(microseconds_since_1970_need_no_base),
		cmocka_unit_test(a_text_that_does_not_say_is_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

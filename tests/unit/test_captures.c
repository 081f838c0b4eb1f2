/* Whether hosts were captured together. */
#include "analyze/facts/captures.h"

#include "base/arena.h"
#include "model/profile.h"
#include "unit.h"

#define SECOND 1000000000LL
#define START (1700000000LL * SECOND)

static struct tp_captures
captures_of(struct tp_host *hosts, uint32_t count)
{
	struct tp_arena *scratch = tp_arena_new();
	const struct tp_profile p = {.hosts = hosts, .host_count = count};
	struct tp_captures c = tp_captures_of(&p, scratch);

	tp_arena_free(scratch);
	return c;
}

static void
hosts_within_a_minute_are_one(void **state)
{
	struct tp_host hosts[] = {
		{.start_unix_ns = START + 30 * SECOND, .stop_unix_ns = START + 100 * SECOND},
		{.start_unix_ns = START, .stop_unix_ns = START + 2 * SECOND},
		{.start_unix_ns = START + 160 * SECOND}, {.start_unix_ns = 0}};

	(void)state;
	assert_int_equal(captures_of(hosts, 4).count, 1);
	assert_int_equal(captures_of(hosts, 4).longest_gap_ns, 0);
}

static void
others_are_several(void **state)
{
	struct tp_host hosts[] = {{.start_unix_ns = START + 7200 * SECOND},
		{.start_unix_ns = START, .stop_unix_ns = START + 2 * SECOND},
		{.start_unix_ns = START + SECOND, .stop_unix_ns = START + 3600 * SECOND}};

	(void)state;
	assert_int_equal(captures_of(hosts, 3).count, 2);
	assert_int_equal(captures_of(hosts, 3).longest_gap_ns, 3600 * SECOND);
}

static void
no_host_says_when(void **state)
{
	struct tp_host hosts[] = {{.start_unix_ns = 0}, {.start_unix_ns = 0}};

	(void)state;
	assert_int_equal(captures_of(hosts, 2).count, 0);
	assert_int_equal(captures_of(NULL, 0).count, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hosts_within_a_minute_are_one),
		cmocka_unit_test(others_are_several),
		cmocka_unit_test(no_host_says_when),
	};

	return RUN(tests);
}

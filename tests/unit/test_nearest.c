/* Names like one that is not there: which are offered, and in what order. */
#include "base/arena.h"
#include "base/nearest.h"
#include "fixture.h"
#include "unit.h"

static struct tp_slice
offered(struct tp_arena *a, const char *wish, const char *const *names)
{
	struct tp_nearest n = {.arena = a, .wish = tp_slice_of(wish)};

	for (; *names != NULL; names++)
		tp_nearest_offer(&n, tp_slice_of(*names));
	return tp_nearest_text(&n);
}
#define OFFERED(wish, ...) offered(*state, (wish), (const char *const[]){__VA_ARGS__, NULL})

static void
few_letters_may_differ(void **state)
{
	assert_text(OFFERED("fusoin", "fusion", "convolution"), "fusion");
	assert_text(OFFERED("fuson", "fusion"), "fusion");
	assert_text(OFFERED("fusionn", "fusion"), "fusion");
	assert_text(OFFERED("convolve", "convolution"), "");
	assert_text(
		OFFERED("all-reduce", "reduce", "all-reduce-start", "all-gather"), "all-reduce-start");
}

static void
neighbours_that_are_swapped_count_once(void **state)
{
	assert_text(OFFERED("gte", "get", "hlo", "report"), "get");
	assert_text(OFFERED("hol", "get", "hlo"), "hlo");
	assert_text(OFFERED("fsuoin", "fusion"), "fusion");
	assert_text(OFFERED("tge", "get"), "");
}

static void
the_nearest_come_first(void **state)
{
	assert_text(
		OFFERED("fusion.12", "fusion.1234", "fusion.125", "fusion.7", "fusion.12x", "copy.12"),
		"fusion.125, fusion.12x, fusion.1234, fusion.7");
}

static void
another_number_is_near(void **state)
{
	assert_text(OFFERED("fusion.99999", "fusion.1", "fusion", "fusion.a.b"), "fusion.1, fusion");
}

static void
what_holds_it_is_near(void **state)
{
	assert_text(
		OFFERED("scatter", "wrapped_scatter_computation", "copy"), "wrapped_scatter_computation");
	assert_text(OFFERED("x", "exp"), "");
}

/* A figure for each core begins with what was asked for, while others have only its stem. */
static void
what_goes_on_behind_it_comes_before_another_ending(void **state)
{
	assert_text(OFFERED("run.batch", "run.name", "run.hosts", "run.cores", "run.chips", "run.build",
					"run.batch.per_core"),
		"run.batch.per_core, run.name, run.hosts, run.cores, run.chips");
	assert_text(OFFERED("fusion.12", "fusion.9999", "wrapped_fusion.12.clone"),
		"wrapped_fusion.12.clone, fusion.9999");
}

static void
there_are_only_a_few_and_each_once(void **state)
{
	assert_text(OFFERED("add", "add.1", "add.1", "add.2", "add.3", "add.4", "add.5", "add.6"),
		"add.1, add.2, add.3, add.4, add.5");
}

static void
odd_names_do_no_harm(void **state)
{
	char name[4096];

	memset(name, 'a', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	assert_text(OFFERED("", "a", "", "."), "");
	assert_text(OFFERED("a", name, ""), "");
	assert_true(OFFERED(name, "a", name).len == sizeof name - 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		ARENA_TEST(few_letters_may_differ),
		ARENA_TEST(neighbours_that_are_swapped_count_once),
		ARENA_TEST(the_nearest_come_first),
		ARENA_TEST(another_number_is_near),
		ARENA_TEST(what_holds_it_is_near),
		ARENA_TEST(what_goes_on_behind_it_comes_before_another_ending),
		ARENA_TEST(there_are_only_a_few_and_each_once),
		ARENA_TEST(odd_names_do_no_harm),
	};

	return RUN(tests);
}

/* What repeats among units of device work: kinds of iterations with nothing in common at their ends, a period without gaps, and what is no
 * repetition. */
#include "analyze/torch_steps/torch_repeats.h"
#include "base/arena.h"
#include "unit.h"

#include <string.h>

enum { MOST = 4096, LENGTH = 1000, WITHIN = 10 };

struct made {
	struct tp_launch_unit units[MOST];
	uint32_t count;
	int64_t at_ps;
};

/* A kernel for each letter; before the first one a gap. */
static void
add(struct made *m, const char *names, int64_t gap_ps)
{
	m->at_ps += gap_ps;
	for (; *names != '\0'; names++) {
		m->units[m->count++] = (struct tp_launch_unit){.key = (uint64_t)*names,
			.shape = (uint64_t)*names,
			.start_ps = m->at_ps,
			.end_ps = m->at_ps + LENGTH,
			.work = 1};
		m->at_ps += LENGTH + WITHIN;
	}
}

static struct tp_repeats
repeats(struct made *m, struct tp_arena *a)
{
	return tp_repeats_of(m->units, m->count, a, a);
}

/* Prefill begins and ends with other kernels than decode, and each kind runs layers. */
static void
kinds_are_divided(void **state)
{
	struct tp_arena *a = tp_arena_new();
	struct made *m = tp_new(a, struct made);

	(void)state;
	for (int i = 0; i < 4; i++) {
		add(m, "PQabcabcabcS", 500);
		for (int k = 0; k < 10; k++)
			add(m, "fabcabcabcST", 500);
	}
	struct tp_repeats r = repeats(m, a);

	assert_int_equal(r.count, 44);
	for (uint32_t i = 0; i < r.count; i++)
		assert_int_equal(r.first[i], 12 * i);
	assert_true(r.separated > 0.99 && r.recurring > 0.99);
	tp_arena_free(a);
}

/* Nothing but the order tells: layers within a step recur less exactly than the step. */
static void
a_period_needs_no_gaps(void **state)
{
	struct tp_arena *a = tp_arena_new();
	struct made *m = tp_new(a, struct made);

	(void)state;
	for (int i = 0; i < 8; i++)
		add(m, "EabcabcabcLcbacbacbaO", 0);
	struct tp_repeats r = repeats(m, a);

	assert_in_range(r.count, 7, 8);
	for (uint32_t i = 0; i + 1 < r.count; i++)
		assert_int_equal(r.first[i + 1] - r.first[i], 21);
	tp_arena_free(a);
}

static void
what_does_not_repeat_is_none(void **state)
{
	struct tp_arena *a = tp_arena_new();
	struct made *m = tp_new(a, struct made);
	uint64_t random = 12345;

	(void)state;
	assert_int_equal(repeats(m, a).count, 0);
	add(m, "ab", 500);
	assert_int_equal(repeats(m, a).count, 0);
	for (int i = 0; i < 300; i++) {
		char name[2] = {(char)('a' + (random >> 33) % 26), '\0'};

		random = random * 6364136223846793005u + 1442695040888963407u;
		add(m, name, (int64_t)((random >> 33) % 700));
	}
	struct tp_repeats r = repeats(m, a);

	assert_true(r.count == 0 || r.separated * r.recurring < TP_TORCH_SURE);
	tp_arena_free(a);
}

/* Units at one time, and some that end before they begin another one's: nothing is read beyond them. */
static void
damaged_times_are_no_matter(void **state)
{
	struct tp_arena *a = tp_arena_new();
	struct made *m = tp_new(a, struct made);

	(void)state;
	for (int i = 0; i < 50; i++)
		add(m, "abcd", 0);
	for (uint32_t i = 0; i < m->count; i++)
		m->units[i].start_ps = m->units[i].end_ps = i % 7 == 0 ? INT64_MAX / 4 : 0;
	repeats(m, a);
	tp_arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_are_divided),
		cmocka_unit_test(a_period_needs_no_gaps),
		cmocka_unit_test(what_does_not_repeat_is_none),
		cmocka_unit_test(damaged_times_are_no_matter),
	};

	return RUN(tests);
}

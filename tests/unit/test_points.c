/* Packed points: what comes back is what was put, and a purge leaves what a plain list would. */
#include "unit.h"

#include "base/arena.h"
#include "fixture.h"
#include "plain_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 5000 };

/* Of a made sequence, the same each time. */
static uint64_t
next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 16;
}

static double
any_double(uint64_t *seed)
{
	uint64_t bits = next_random(seed) << 32 ^ next_random(seed);
	double number;

	memcpy(&number, &bits, sizeof number);
	return number;
}

/* Half like those of a run, half anything. */
static struct tp_event_point
any_point(uint64_t *seed, int64_t i)
{
	if (next_random(seed) % 2 == 0)
		return (struct tp_event_point){
			(int64_t)(next_random(seed) << 32 ^ next_random(seed)),
			any_double(seed),
			any_double(seed),
		};
	return (struct tp_event_point){
		i - (int64_t)(next_random(seed) % 50),
		1.7e9 + (double)i + 1e-3 * (double)(next_random(seed) % 100),
		(double)(float)sin((double)i),
	};
}

static void
no_points_end_at_once(void **state)
{
	struct tp_points points = {0};
	struct tp_points_work work = {0, 100};
	double latest_s = NAN;

	assert_true(plain_points_same(&points, NULL, 0));
	assert_int_equal(tp_points_purge(&points, INT64_MIN, &latest_s, &work, *state), 0);
	assert_true(isnan(latest_s));
}

static void
what_is_put_comes_back(void **state)
{
	static const double odd[] = {0.0, -0.0, NAN, -NAN, INFINITY, -INFINITY, 5e-324, 1e-45,
		1.7976931348623157e308, 3.4028234663852886e38, 0.1, 16777217.0};
	enum { ODD = sizeof odd / sizeof *odd };
	struct tp_event_point want[ODD * ODD];
	struct tp_points points = {0};

	for (size_t i = 0; i < ODD * ODD; i++) {
		want[i] = (struct tp_event_point){i % 3 == 0 ? INT64_MIN
				: i % 3 == 1                         ? INT64_MAX
													 : 0,
			odd[i / ODD], odd[i % ODD]};
		tp_points_add(&points, &want[i], *state);
	}
	assert_true(plain_points_same(&points, want, ODD * ODD));
}

/* What TensorBoard keeps of it takes sixty. */
static void
points_of_a_run_are_small(void **state)
{
	enum { POINTS = 100000, BYTES_EACH = 9 };
	struct tp_points points = {0};
	uint64_t seed = 1;

	for (int64_t i = 0; i < POINTS; i++) {
		double jitter_s = (double)(next_random(&seed) % 1000) * 1e-6,
			   loss = exp(-(double)i / POINTS) + (double)(next_random(&seed) % 1000) * 1e-3;
		struct tp_event_point p = {
			i * 10, 1.7e9 + 0.25 * (double)i + jitter_s, (double)(float)loss};

		tp_points_add(&points, &p, *state);
	}
	assert_in_range(tp_arena_used(*state), POINTS, POINTS * BYTES_EACH);
}

static void
a_purge_leaves_what_is_before_the_step(void **state)
{
	struct tp_event_point *want = tp_new_array(*state, struct tp_event_point, MOST);
	uint64_t seed = 7;

	for (int round = 0; round < 200; round++) {
		struct tp_points points = {0};
		struct tp_points_work work = {0, UINT64_MAX};
		size_t count = 0;

		for (int part = 0; part < 5; part++) {
			size_t more = next_random(&seed) % (MOST / 5);

			for (size_t i = 0; i < more; i++) {
				want[count] = any_point(&seed, (int64_t)count);
				tp_points_add(&points, &want[count++], *state);
			}
			int64_t step = part % 2 == 0 ? (int64_t)(next_random(&seed) % 2000)
										 : (int64_t)(next_random(&seed) << 32);
			double latest_s = NAN, want_latest_s = NAN;
			size_t kept = plain_points_purge(want, count, step, &want_latest_s);

			assert_int_equal(
				tp_points_purge(&points, step, &latest_s, &work, *state), count - kept);
			assert_true(latest_s == want_latest_s || (isnan(latest_s) && isnan(want_latest_s)));
			count = kept;
			assert_true(plain_points_same(&points, want, count));
		}
	}
}

static void
a_purge_ends_when_its_work_is_done(void **state)
{
	struct tp_points points = {0};
	struct tp_points_work work = {0, 1};
	double latest_s = NAN;

	for (int64_t i = 0; i < MOST; i++)
		tp_points_add(&points, &(struct tp_event_point){i, 1, 1}, *state);
	uint64_t purged = tp_points_purge(&points, 0, &latest_s, &work, *state);

	assert_in_range(purged, 1, MOST - 1);
	assert_int_equal(points.count, MOST - purged);
	assert_true(work.done > work.most);
	assert_int_equal(tp_points_purge(&points, 0, &latest_s, &work, *state), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		ARENA_TEST(no_points_end_at_once),
		ARENA_TEST(what_is_put_comes_back),
		ARENA_TEST(points_of_a_run_are_small),
		ARENA_TEST(a_purge_leaves_what_is_before_the_step),
		ARENA_TEST(a_purge_ends_when_its_work_is_done),
	};

	return RUN(tests);
}

/* Tasks side by side: all run once, those that start others too; and how many cores control groups leave. */
#include "unit.h"

#include "base/cores.h"
#include "base/pool.h"
#include "base/spread.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MANY = 200 };

struct counted {
	struct tp_pool *pool;
	atomic_uint runs[MANY];
};

static void
count(void *with, size_t index)
{
	struct counted *c = with;

	atomic_fetch_add(&c->runs[index], 1);
}

static void
each_runs_once(void **state)
{
	(void)state;
	for (unsigned threads = 0; threads < 6; threads++) {
		struct counted c = {.pool = threads != 0 ? tp_pool_new(threads) : NULL};

		tp_pool_each(c.pool, MANY, count, &c);
		for (size_t i = 0; i < MANY; i++)
			assert_int_equal(atomic_load(&c.runs[i]), 1);
		assert_int_equal(tp_pool_threads(c.pool), threads == 0 ? 1 : threads);
		tp_pool_free(c.pool);
	}
}

/* Numbers that the arena holds, each of them two. */
static void
make(void *with, size_t from, size_t to, struct tp_arena *keep)
{
	int **made = with;

	for (size_t i = from; i < to; i++) {
		made[i] = tp_new_array(keep, int, 2);
		made[i][0] += (int)i + 1;
	}
}

static void
what_ranges_make_stays(void **state)
{
	(void)state;
	for (unsigned threads = 0; threads < 4; threads++) {
		for (size_t items = 0; items <= MANY; items += items < 12 ? 1 : 47) {
			struct tp_pool *pool = threads != 0 ? tp_pool_new(threads) : NULL;
			struct tp_arena *arena = tp_arena_new();
			int *made[MANY] = {0};

			tp_spread(pool, arena, items, make, made);
			tp_pool_free(pool);
			for (size_t i = 0; i < items; i++)
				assert_int_equal(made[i][0], i + 1);
			assert_true(items == MANY || made[items] == NULL);
			tp_arena_free(arena);
		}
	}
}

static void
count_all(void *with)
{
	struct counted *c = with;

	tp_pool_each(c->pool, MANY, count, c);
}

static void
tasks_may_have_parts(void **state)
{
	enum { TASKS = 20 };

	(void)state;
	for (unsigned threads = 0; threads < 5; threads++) {
		struct counted c = {.pool = threads != 0 ? tp_pool_new(threads) : NULL};
		struct tp_task tasks[TASKS];

		for (int i = 0; i < TASKS; i++) {
			tasks[i] = (struct tp_task){.run = count_all, .with = &c};
			tp_pool_start(c.pool, &tasks[i]);
		}
		for (int i = TASKS; i-- > 0;)
			tp_pool_wait(c.pool, &tasks[i]);
		for (size_t i = 0; i < MANY; i++)
			assert_int_equal(atomic_load(&c.runs[i]), TASKS);
		tp_pool_free(c.pool);
	}
}

struct chain {
	struct tp_pool *pool;
	struct tp_task task;
	struct chain *next;
	unsigned place, *order;
};

static void
start_next(void *with)
{
	struct chain *c = with;

	c->order[c->place] = c->place;
	if (c->next != NULL)
		tp_pool_start(c->pool, &c->next->task);
}

static void
one_that_another_starts_may_be_waited_for_before(void **state)
{
	struct tp_pool *pool = tp_pool_new(3);
	struct chain chain[MANY];
	unsigned order[MANY] = {0};

	(void)state;
	for (unsigned i = 0; i < MANY; i++)
		chain[i] = (struct chain){pool, {.run = start_next, .with = &chain[i]},
			i + 1 < MANY ? &chain[i + 1] : NULL, i, order};
	tp_pool_start(pool, &chain[0].task);
	for (unsigned i = 0; i < MANY; i++) {
		tp_pool_wait(pool, &chain[i].task);
		assert_int_equal(order[i], i);
	}
	tp_pool_free(pool);
}

static void
put(const char *root, const char *path, const char *text)
{
	char whole[1024];

	snprintf(whole, sizeof whole, "%s/%s", root, path);
	for (char *at = whole + strlen(root) + 1; (at = strchr(at, '/')) != NULL; at++) {
		*at = '\0';
		mkdir(whole, 0700);
		*at = '/';
	}
	FILE *file = fopen(whole, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static unsigned
cores_with(const char *const files[][2], size_t file_count)
{
	char root[] = "/tmp/tp-cores-XXXXXX", command[64];

	assert_non_null(mkdtemp(root));
	for (size_t i = 0; i < file_count; i++)
		put(root, files[i][0], files[i][1]);
	unsigned cores = tp_cores_of_groups(root);

	snprintf(command, sizeof command, "rm -r %s", root);
	assert_int_equal(system(command), 0);
	return cores;
}

#define CORES(...)                                                                                 \
	cores_with((const char *const[][2]){__VA_ARGS__},                                              \
		sizeof((const char *const[][2]){__VA_ARGS__}) / sizeof(const char *[2]))

static void
quotas_of_groups_count_rounded_up(void **state)
{
	(void)state;
	assert_int_equal(
		CORES({"proc/self/cgroup", "0::/a/b\n"}, {"sys/fs/cgroup/a/b/cpu.max", "max 100000\n"}), 0);
	assert_int_equal(
		CORES({"proc/self/cgroup", "0::/a/b\n"}, {"sys/fs/cgroup/a/b/cpu.max", "150000 100000\n"}),
		2);
	/* One above is stricter. */
	assert_int_equal(
		CORES({"proc/self/cgroup", "0::/a/b\n"}, {"sys/fs/cgroup/a/b/cpu.max", "400000 100000\n"},
			{"sys/fs/cgroup/a/cpu.max", "300000 100000\n"}),
		3);
	/* Within a container the group's own folder is the root. */
	assert_int_equal(
		CORES({"proc/self/cgroup", "0::/\n"}, {"sys/fs/cgroup/cpu.max", "50000 100000\n"}), 1);
	assert_int_equal(CORES({"proc/self/cgroup", "7:memory:/m\n3:cpu,cpuacct:/c\n"},
						 {"sys/fs/cgroup/cpu/c/cpu.cfs_quota_us", "250000\n"},
						 {"sys/fs/cgroup/cpu/c/cpu.cfs_period_us", "100000\n"}),
		3);
	assert_int_equal(CORES({"proc/self/cgroup", "3:cpu,cpuacct:/c\n"},
						 {"sys/fs/cgroup/cpu/c/cpu.cfs_quota_us", "-1\n"},
						 {"sys/fs/cgroup/cpu/c/cpu.cfs_period_us", "100000\n"}),
		0);
	assert_int_equal(CORES({"proc/self/cgroup", "2:cpuset:/c\n"},
						 {"sys/fs/cgroup/cpu/c/cpu.cfs_quota_us", "250000\n"},
						 {"sys/fs/cgroup/cpu/c/cpu.cfs_period_us", "100000\n"}),
		0);
	assert_true(tp_cores() >= 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_runs_once),
		cmocka_unit_test(what_ranges_make_stays),
		cmocka_unit_test(tasks_may_have_parts),
		cmocka_unit_test(one_that_another_starts_may_be_waited_for_before),
		cmocka_unit_test(quotas_of_groups_count_rounded_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A queue behind one lock: tasks are long, so that nobody waits for it. */
#include "base/pool.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>

/* Nothing here recurses by what an input holds; the usual stacks of 8 MiB would count towards the limit of memory. */
enum { STACK_BYTES = 2 << 20 };

struct tp_pool {
	unsigned wanted; /* threads besides the caller's */
	pthread_t *threads;
	pthread_mutex_t lock; /* over all that follows, and the tasks' own members */
	unsigned running;
	bool refused; /* the system gives no more threads */
	pthread_cond_t changed;
	struct tp_task *first, **last; /* that nobody has taken */
	bool ending;
};

struct tp_pool *
tp_pool_new(unsigned threads)
{
	struct tp_pool *pool = tp_memory_take(sizeof *pool);

	*pool = (struct tp_pool){.wanted = threads > 1 ? threads - 1 : 0};
	pool->last = &pool->first;
	pool->threads = tp_memory_take((pool->wanted + 1) * sizeof *pool->threads);
	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->changed, NULL);
	return pool;
}

unsigned
tp_pool_threads(const struct tp_pool *pool)
{
	return pool != NULL ? pool->wanted + 1 : 1;
}

/* Takes the task out of the queue. Under the lock. */
static void
take(struct tp_pool *pool, struct tp_task *task)
{
	struct tp_task **at = &pool->first;

	while (*at != task)
		at = &(*at)->next;
	*at = task->next;
	if (pool->last == &task->next)
		pool->last = at;
	task->taken = true;
}

/* Under the lock, which is open while the task runs. */
static void
run(struct tp_pool *pool, struct tp_task *task)
{
	take(pool, task);
	pthread_mutex_unlock(&pool->lock);
	task->run(task->with);
	pthread_mutex_lock(&pool->lock);
	task->done = true;
	pthread_cond_broadcast(&pool->changed);
}

static void *
work(void *with)
{
	struct tp_pool *pool = with;

	pthread_mutex_lock(&pool->lock);
	while (!pool->ending) {
		if (pool->first != NULL)
			run(pool, pool->first);
		else
			pthread_cond_wait(&pool->changed, &pool->lock);
	}
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

/* One more thread, where fewer run than may. Under the lock. */
static void
add_thread(struct tp_pool *pool)
{
	pthread_attr_t attributes;

	if (pool->running == pool->wanted || pool->refused || pthread_attr_init(&attributes) != 0)
		return;
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	if (pthread_create(&pool->threads[pool->running], &attributes, work, pool) == 0)
		pool->running++;
	else
		pool->refused = true;
	pthread_attr_destroy(&attributes);
}

void
tp_pool_free(struct tp_pool *pool)
{
	if (pool == NULL)
		return;
	pthread_mutex_lock(&pool->lock);
	pool->ending = true;
	pthread_cond_broadcast(&pool->changed);
	pthread_mutex_unlock(&pool->lock);
	for (unsigned i = 0; i < pool->running; i++)
		pthread_join(pool->threads[i], NULL);
	pthread_cond_destroy(&pool->changed);
	pthread_mutex_destroy(&pool->lock);
	free(pool->threads);
	free(pool);
}

void
tp_pool_start(struct tp_pool *pool, struct tp_task *task)
{
	if (pool == NULL)
		return;
	pthread_mutex_lock(&pool->lock);
	task->next = NULL;
	task->queued = true;
	*pool->last = task;
	pool->last = &task->next;
	add_thread(pool);
	pthread_cond_broadcast(&pool->changed);
	pthread_mutex_unlock(&pool->lock);
}

void
tp_pool_wait(struct tp_pool *pool, struct tp_task *task)
{
	if (pool == NULL) {
		if (!task->done)
			task->run(task->with);
		task->done = true;
		return;
	}
	pthread_mutex_lock(&pool->lock);
	while (!task->done) {
		if (task->queued && !task->taken)
			run(pool, task);
		else if (pool->first != NULL)
			run(pool, pool->first);
		else
			pthread_cond_wait(&pool->changed, &pool->lock);
	}
	pthread_mutex_unlock(&pool->lock);
}

struct each {
	struct tp_task task;
	void (*run)(void *with, size_t index);
	void *with;
	size_t index;
};

static void
run_one(void *with)
{
	struct each *e = with;

	e->run(e->with, e->index);
}

/* All at the head of the queue, in their order. */
static void
start_first(struct tp_pool *pool, struct each *all, size_t count)
{
	pthread_mutex_lock(&pool->lock);
	for (size_t i = count; i-- > 0;) {
		all[i].task.next = pool->first;
		all[i].task.queued = true;
		if (pool->first == NULL)
			pool->last = &all[i].task.next;
		pool->first = &all[i].task;
	}
	for (size_t i = 1; i < count; i++)
		add_thread(pool);
	pthread_cond_broadcast(&pool->changed);
	pthread_mutex_unlock(&pool->lock);
}

void
tp_pool_each(struct tp_pool *pool, size_t count, void (*one)(void *with, size_t index), void *with)
{
	if (tp_pool_threads(pool) == 1 || count < 2) {
		for (size_t i = 0; i < count; i++)
			one(with, i);
		return;
	}
	struct each *all = tp_memory_take(count * sizeof *all);

	for (size_t i = 0; i < count; i++)
		all[i] = (struct each){{.run = run_one, .with = &all[i]}, one, with, i};
	start_first(pool, all, count);
	for (size_t i = 0; i < count; i++)
		tp_pool_wait(pool, &all[i].task);
	free(all);
}

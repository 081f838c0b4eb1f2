/* Work side by side: tasks that threads take from one queue. What tasks share they only read, but for what is their own; who
 * starts them puts together what they made, in an order that no thread has a say in. */
#ifndef TP_BASE_POOL_H
#define TP_BASE_POOL_H

#include <stdbool.h>
#include <stddef.h>

struct tp_pool;

/* The caller's, until it was waited for; zero but for the first two when it is started. */
struct tp_task {
	void (*run)(void *with);
	void *with;
	/* Its own. */
	struct tp_task *next;
	bool queued, taken, done;
};

/* threads: that work, with the one that waits; further ones start when there is something to do, and where the system gives
 * none it takes longer. */
struct tp_pool *tp_pool_new(unsigned threads);
void tp_pool_free(struct tp_pool *pool); /* NULL is allowed; no task may be left */

/* Wherever a pool is asked for, NULL is one of the caller's thread alone. */
unsigned tp_pool_threads(const struct tp_pool *pool);

/* Queues a task: it runs at the latest when it is waited for. From any thread. */
void tp_pool_start(struct tp_pool *pool, struct tp_task *task);

/* Returns once it is done. The thread that waits works on what else is queued in the meantime. One that another task is to start may be
 * waited for before that. */
void tp_pool_wait(struct tp_pool *pool, struct tp_task *task);

/* run(with, 0) … run(with, count - 1), before all else that is queued; returns once all are done. */
void tp_pool_each(
	struct tp_pool *pool, size_t count, void (*run)(void *with, size_t index), void *with);

#endif

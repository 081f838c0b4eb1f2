/* A thread that wakes four times a second and rewrites one line of the terminal. */
#include "cli/progress.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct tp_progress {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	char what[160];
	bool done;
};

static void *
show(void *with)
{
	struct tp_progress *p = with;
	bool shown = false;

	pthread_mutex_lock(&p->lock);
	for (unsigned quarters = 0; !p->done; quarters++) {
		struct timespec until;

		if (quarters > 4) {
			fprintf(stderr, "\r\033[Ktpreport: %s … %u s", p->what, quarters / 4);
			fflush(stderr);
			shown = true;
		}
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += 250000000;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&p->wake, &p->lock, &until);
	}
	pthread_mutex_unlock(&p->lock);
	if (shown)
		fputs("\r\033[K", stderr);
	return NULL;
}

struct tp_progress *
tp_progress_start(bool wanted)
{
	if (!wanted || !isatty(STDERR_FILENO))
		return NULL;
	struct tp_progress *p = calloc(1, sizeof *p);

	if (p == NULL)
		return NULL;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->wake, NULL);
	if (pthread_create(&p->thread, NULL, show, p) != 0) {
		free(p);
		return NULL;
	}
	return p;
}

void
tp_progress_say(struct tp_progress *p, const char *what)
{
	if (p == NULL)
		return;
	pthread_mutex_lock(&p->lock);
	snprintf(p->what, sizeof p->what, "%s", what);
	pthread_mutex_unlock(&p->lock);
}

void
tp_progress_stop(struct tp_progress *p)
{
	if (p == NULL)
		return;
	pthread_mutex_lock(&p->lock);
	p->done = true;
	pthread_cond_signal(&p->wake);
	pthread_mutex_unlock(&p->lock);
	pthread_join(p->thread, NULL);
	pthread_cond_destroy(&p->wake);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

/* A thread that wakes four times a second and rewrites one line of the terminal. */
#include "cli/progress.h"

#include "base/utf8.h"
#include "cli/terminal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct tp_progress {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	char what[400];
	bool done;
};

/* A longer line would be two on the terminal, of which the next one clears only the second. */
static void
show_line(const char *what, unsigned seconds)
{
	enum { AROUND = sizeof "tpreport:  … 9999 s", USUAL = 80 };
	unsigned columns = tp_terminal_columns(STDERR_FILENO);
	size_t room = columns == 0 ? USUAL : columns;
	struct tp_slice text = tp_slice_of(what);

	text.len = tp_utf8_fit(text, room > AROUND ? room - AROUND : 0);
	fputs("\r\033[Ktpreport: ", stderr);
	tp_put_safe(stderr, text, "?");
	fprintf(stderr, " … %u s", seconds);
	fflush(stderr);
}

static void *
show(void *with)
{
	struct tp_progress *p = with;
	bool shown = false;

	pthread_mutex_lock(&p->lock);
	for (unsigned quarters = 0; !p->done; quarters++) {
		struct timespec until;

		if (quarters > 4) {
			show_line(p->what, quarters / 4);
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
tp_progress_say(struct tp_progress *p, const char *what, const char *path)
{
	if (p == NULL)
		return;
	pthread_mutex_lock(&p->lock);
	snprintf(p->what, sizeof p->what, "%s%s", what, path);
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

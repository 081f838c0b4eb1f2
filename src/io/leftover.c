/* A handler has no other way to know what to remove than a variable of the whole program. */
#include "io/leftover.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static const char *_Atomic leftover;

static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU, SIGXFSZ};

static void
remove_and_end(int signal)
{
	const char *path = atomic_load(&leftover);

	if (path != NULL)
		unlink(path);
	/* SA_RESETHAND: as soon as this returns, the program ends as if it had no handler. */
	raise(signal);
}

/* What is ignored (as SIGHUP under nohup) stays ignored. */
static void
watch(int signal)
{
	struct sigaction old, ours = {.sa_handler = remove_and_end, .sa_flags = SA_RESETHAND};

	if (sigaction(signal, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
		sigaction(signal, &ours, NULL);
}

void
tp_leftover_is(const char *path)
{
	atomic_store(&leftover, path);
	for (size_t i = 0; path != NULL && i < sizeof ending / sizeof *ending; i++)
		watch(ending[i]);
}

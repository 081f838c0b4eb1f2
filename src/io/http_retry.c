/* When to ask a server again, and how long to wait before: twice as long each time, by chance a little more or less, so that
 * many who were sent away at once do not come back at once. */
#include "io/http.h"

#include <stdio.h>
#include <sys/random.h>
#include <time.h>

enum { MOST_TRIES = 7, MOST_TRIES_WITHOUT_SERVER = 3, FIRST_PAUSE_MS = 100, MOST_PAUSE_MS = 20000 };

static bool
is_busy(unsigned status)
{
	return status == 429 || status == 500 || status == 502 || status == 503 || status == 504 ||
		status == 408;
}

static unsigned
pause_ms(unsigned tries, struct tp_slice retry_after)
{
	unsigned ms = FIRST_PAUSE_MS << (tries < 8 ? tries : 8), said = 0;
	unsigned char chance = 0;
	char text[16];

	snprintf(text, sizeof text, "%.*s", TP_ARG(retry_after));
	if (sscanf(text, "%u", &said) == 1 && said <= MOST_PAUSE_MS / 1000 && said * 1000 > ms)
		ms = said * 1000;
	if (getrandom(&chance, 1, GRND_NONBLOCK) != 1)
		chance = 0;
	ms += ms * chance / 1024;
	return ms < MOST_PAUSE_MS ? ms : MOST_PAUSE_MS;
}

static void
wait_ms(unsigned ms)
{
	enum { SLICE_MS = 100 };

	for (unsigned part; ms != 0 && !tp_http_is_stopped(); ms -= part) {
		part = ms < SLICE_MS ? ms : SLICE_MS;
		nanosleep(&(struct timespec){0, (long)part * 1000000}, NULL);
	}
}

bool
tp_retry_again(struct tp_retry *retry, const struct tp_http_reply *reply, bool progressed)
{
	if (tp_http_is_stopped())
		return false;
	bool broken = !reply->whole && reply->fd_error == 0 && !reply->untrusted;

	if (reply->whole ? !is_busy(reply->status) : !broken)
		return false;
	if (progressed) {
		retry->tries = 0;
		return true;
	}
	unsigned most = reply->refused ? MOST_TRIES_WITHOUT_SERVER : MOST_TRIES;

	if (++retry->tries >= most)
		return false;
	unsigned ms = pause_ms(retry->tries - 1, tp_http_header(reply, "retry-after"));

	wait_ms(ms);
	return !tp_http_is_stopped();
}

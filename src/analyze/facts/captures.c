/* Hosts of one job are captured at one time, by clocks that differ by seconds at most. */
#include "analyze/facts/captures.h"

#include "base/arena.h"
#include "base/order.h"
#include "model/profile.h"

#include <stdlib.h>

#define ONE_CAPTURE_NS (60 * (int64_t)1000000000)

struct window {
	uint32_t host;
	int64_t start_ns, stop_ns;
};

TP_ORDER(by_start, struct window, TP_UP(start_ns), TP_UP(stop_ns));

/* by_host: the capture of each host, numbered from 0 in order of time; may be NULL. */
static struct tp_captures
find(const struct tp_profile *p, uint32_t *by_host, struct tp_arena *scratch)
{
	struct window *windows = tp_new_array(scratch, struct window, p->host_count);
	struct tp_captures c = {0};
	size_t count = 0;

	for (uint32_t h = 0; h < p->host_count; h++) {
		const struct tp_host *host = &p->hosts[h];
		bool stopped = host->stop_unix_ns > host->start_unix_ns;

		if (host->start_unix_ns > 0)
			windows[count++] = (struct window){
				h, host->start_unix_ns, stopped ? host->stop_unix_ns : host->start_unix_ns};
	}
	if (count == 0)
		return c;
	qsort(windows, count, sizeof *windows, by_start);
	int64_t until_ns = windows[0].stop_ns;

	c.count = 1;
	for (size_t i = 1; i < count; i++) {
		int64_t gap_ns = windows[i].start_ns - until_ns; /* both are after 1970 */

		c.count += gap_ns > ONE_CAPTURE_NS;
		if (gap_ns > ONE_CAPTURE_NS && gap_ns > c.longest_gap_ns)
			c.longest_gap_ns = gap_ns;
		until_ns = windows[i].stop_ns > until_ns ? windows[i].stop_ns : until_ns;
		if (by_host != NULL)
			by_host[windows[i].host] = (uint32_t)c.count - 1;
	}
	return c;
}

struct tp_captures
tp_captures_of(const struct tp_profile *p, struct tp_arena *scratch)
{
	return find(p, NULL, scratch);
}

const uint32_t *
tp_captures_by_host(const struct tp_profile *p, struct tp_arena *scratch)
{
	uint32_t *by_host = tp_new_array(scratch, uint32_t, p->host_count);

	find(p, by_host, scratch);
	return by_host;
}

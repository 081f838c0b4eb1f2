/* bench_json FILE [RUNS]: how fast trace events are tokenised, with jansson's whole parse as a yardstick. A benchmark, never
 * a test. The file may be compressed; then unpacking in its thread is part of the time. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "codec/json_number.h"
#include "codec/json_pull.h"
#include "io/blob.h"
#include "io/stream.h"

struct counts {
	uint64_t values, events, bytes;
	int64_t sum_ns;
};

static double
seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Every value; ts and dur of each event as nanoseconds. With skip, arguments are skipped. */
static struct counts
walk(struct tp_blob *stored, bool skip)
{
	struct tp_err err;
	struct tp_stream *s = tp_stream_open(tp_blob_bytes(stored), stored, "input", &err);
	struct counts c = {0};
	struct tp_pull j;
	int64_t ns;

	if (s == NULL)
		exit(1);
	tp_pull_open(&j, (struct tp_slice){NULL, 0}, tp_stream_more, s);
	while (tp_pull_next(&j)) {
		c.values++;
		c.events += j.depth == 3 && j.type == TP_PULL_OBJECT;
		if (j.depth == 3 && j.type == TP_PULL_NUMBER &&
			(tp_slice_eq(j.key, TP_S("ts")) || tp_slice_eq(j.key, TP_S("dur"))) &&
			tp_decimal_scaled(j.text, 3, &ns))
			c.sum_ns = (int64_t)((uint64_t)c.sum_ns + (uint64_t)ns);
		if (skip && j.depth == 4 && j.type == TP_PULL_OBJECT)
			tp_pull_skip(&j);
	}
	c.bytes = j.offset;
	if (j.state != TP_PULL_END)
		printf("ended at byte %llu: %s\n", (unsigned long long)j.offset, j.wrong ? j.wrong : "cut");
	tp_pull_close(&j);
	tp_stream_close(s);
	return c;
}

static void
told(const char *what, double wall_s, double cpu_s, double bytes)
{
	printf("%-28s %7.3f s wall %7.3f s CPU  %6.0f MB/s, %6.0f MB/s of CPU time\n", what, wall_s,
		cpu_s, bytes / wall_s / 1e6, bytes / cpu_s / 1e6);
}

int
main(int argc, char **argv)
{
	struct tp_err err;
	struct tp_blob *packed = argc > 1
		? tp_blob_open_as(argv[1], (struct tp_blob_wish){.form = TP_BLOB_STORED}, &err)
		: NULL;
	int runs = argc > 2 ? atoi(argv[2]) : 3;
	double bytes = 0;

	if (packed == NULL) {
		fprintf(stderr, "%s\n", argc > 1 ? err.text : "usage: bench_json FILE [RUNS]");
		return 2;
	}
	for (int run = 0; run < runs; run++) {
		for (int skip = 0; skip < 2; skip++) {
			double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
			struct counts c = walk(packed, skip != 0);

			bytes = (double)c.bytes;
			told(skip ? "walk, arguments skipped" : "walk, every value",
				seconds(CLOCK_MONOTONIC) - wall, seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu, bytes);
			if (run == 0)
				printf("  %.1f MB, %llu values, %llu events\n", bytes / 1e6,
					(unsigned long long)c.values, (unsigned long long)c.events);
		}
	}
	tp_blob_close(packed);
	struct tp_blob *blob = tp_blob_open(argv[1], &err);

	if (blob == NULL)
		return 1;
	double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
	json_t *root = json_loadb(tp_blob_bytes(blob).ptr, tp_blob_bytes(blob).len, 0, NULL);

	told(root != NULL ? "jansson, whole parse" : "jansson (refused it)",
		seconds(CLOCK_MONOTONIC) - wall, seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu, bytes);
	json_decref(root);
	tp_blob_close(blob);
	return 0;
}

/* json_count FILE…: what the walk over JSON finds in trace files, a line of counts each, to be compared with another
 * reader's: how it ended, events, values, bytes of keys and strings, the sum of ts in nanoseconds, odd values, repairs. */
#include <stdio.h>

#include "codec/json_number.h"
#include "codec/json_pull.h"
#include "io/blob.h"
#include "io/stream.h"

struct counts {
	uint64_t events, values, text_bytes;
	__int128 ts_ns;
};

/* An event is an object of traceEvents, or of the array that is all there is. */
static void
count(struct tp_pull *j, struct counts *c)
{
	unsigned in_events = 0; /* depth within the array of events */

	while (tp_pull_next(j)) {
		int64_t ns;

		if (j->type == TP_PULL_ARRAY &&
			(j->depth == 1 || (j->depth == 2 && tp_slice_eq(j->key, TP_S("traceEvents")))))
			in_events = j->depth + 1;
		if (j->type == TP_PULL_ARRAY_END && j->depth + 2 == in_events)
			in_events = 0;
		if (j->type == TP_PULL_OBJECT && j->depth == in_events)
			c->events++;
		if (j->depth == in_events && j->type == TP_PULL_NUMBER && tp_slice_eq(j->key, TP_S("ts")) &&
			tp_decimal_scaled(j->text, 3, &ns))
			c->ts_ns += ns;
		c->values += j->type != TP_PULL_OBJECT_END && j->type != TP_PULL_ARRAY_END;
		c->text_bytes += j->key.len + (j->type == TP_PULL_STRING ? j->text.len : 0);
	}
}

static int
report(const char *path)
{
	static const char *const states[] = {"more", "end", "truncated", "broken"};
	struct tp_err err;
	struct tp_blob *blob =
		tp_blob_open_as(path, (struct tp_blob_wish){.form = TP_BLOB_STORED}, &err);
	struct tp_stream *stream =
		blob != NULL ? tp_stream_open(tp_blob_bytes(blob), blob, path, &err) : NULL;
	struct counts c = {0};
	struct tp_pull j;

	if (stream == NULL) {
		fprintf(stderr, "%s: %s\n", path, err.text);
		tp_blob_close(blob);
		return 1;
	}
	tp_pull_open(&j, (struct tp_slice){NULL, 0}, tp_stream_more, stream);
	count(&j, &c);
	printf("%s %llu %llu %llu %lld %llu %llu\n", states[j.state], (unsigned long long)c.events,
		(unsigned long long)c.values, (unsigned long long)c.text_bytes,
		(long long)(c.ts_ns % 1000000000000000), (unsigned long long)j.non_finite_values,
		(unsigned long long)j.repairs);
	tp_pull_close(&j);
	tp_stream_close(stream);
	tp_blob_close(blob);
	return 0;
}

int
main(int argc, char **argv)
{
	int failed = 0;

	for (int i = 1; i < argc; i++)
		failed |= report(argv[i]);
	return failed;
}

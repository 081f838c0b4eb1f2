/* Lines out of events that were collected. */
#include "analyze/timeline/timeline_more.h"

#include "model/build.h"

/* Times beyond are none of one job: what is 26 days long. */
#define LATEST_US ((int64_t)1 << 41)

void
tp_timeline_made_line(struct tp_builder *b, enum tp_line_kind kind, struct tp_slice process,
	struct tp_slice name, struct tp_buf *events, int64_t zero_us)
{
	struct tp_line_columns c = {.kind = kind, .device = TP_NONE, .process = process, .name = name};
	struct tp_made_event *event = events->data;
	bool full = false;

	tp_build_line_open(b, &c);
	for (size_t i = 0; i < events->count; i++) {
		int64_t at_us = event[i].at_us - zero_us, us = event[i].us;

		event[i].number = TP_NONE;
		if (full || at_us < 0 || at_us > LATEST_US || us > LATEST_US)
			continue;
		full =
			c.count == c.capacity && !tp_build_line_room(b, &c, (double)i / (double)events->count);
		if (full)
			continue;
		event[i].number = c.first + c.count;
		c.start_ps[c.count] = at_us * 1000000;
		c.duration_ps[c.count] = us > 0 ? us * 1000000 : 0;
		c.op[c.count++] = event[i].op;
	}
	tp_build_line_close(b, &c);
}

/* The reader of profile loggers: events.out.tfevents.*.profile_logger as TPUEstimator writes them. Each record is a
 * tensorflow.Event whose only value has the phase in its tag: "profile/train_begin" (before 2019 without "profile/"); what
 * counts is when it was written. */
#include "model/phases.h"
#include "base/arena.h"
#include "base/buf.h"
#include "codec/pb_wire.h"
#include "ingest/reader.h"
#include "ingest/records.h"
#include "io/tfrecord.h"
#include "model/build.h"

#include <math.h>

/* Fields of the messages. */
enum { EVENT_WALL_TIME = 1, EVENT_SUMMARY = 5 };
enum { SUMMARY_VALUE = 1 };
enum { VALUE_TAG = 1 };

enum { MOST_HEAD = 1 << 16 };

static const struct tp_slice names[TP_PHASE_COUNT] = {
	[TP_PHASE_TRAIN] = {"train", 5},
	[TP_PHASE_EVAL] = {"eval", 4},
	[TP_PHASE_PREDICT] = {"predict", 7},
	[TP_PHASE_INIT_SYSTEM] = {"init_system", 11},
	[TP_PHASE_MODEL_FN] = {"model_fn", 8},
	[TP_PHASE_SETUP_INFEED] = {"setup_infeed", 12},
};

static bool
phase_of(struct tp_slice tag, struct tp_phase_mark *mark)
{
	if (tp_slice_starts(tag, TP_S("profile/")))
		tag = tp_slice_from(tag, strlen("profile/"));
	for (int p = 0; p < TP_PHASE_COUNT; p++) {
		struct tp_slice rest = tp_slice_from(tag, names[p].len);

		if (!tp_slice_starts(tag, names[p]))
			continue;
		mark->phase = (enum tp_phase)p;
		mark->end = tp_slice_eq(rest, TP_S("_end"));
		if (mark->end || tp_slice_eq(rest, TP_S("_begin")))
			return true;
	}
	return false;
}

/* The tag of the first value of a summary. */
static struct tp_slice
tag_of(struct tp_slice summary)
{
	for (struct tp_pb s = tp_pb_open(summary); tp_pb_next_bytes(&s, SUMMARY_VALUE);) {
		struct tp_pb v = tp_pb_open(s.bytes);

		if (tp_pb_next_bytes(&v, VALUE_TAG))
			return v.bytes;
	}
	return (struct tp_slice){NULL, 0};
}

static bool
read_mark(struct tp_slice record, struct tp_phase_mark *mark)
{
	struct tp_pb e = tp_pb_open(record);
	bool marks = false;

	mark->wall_ms = NAN;
	while (tp_pb_next(&e)) {
		if (e.field == EVENT_WALL_TIME && e.type == TP_PB_FIXED64)
			mark->wall_ms = tp_pb_double(&e) * 1000;
		if (e.field == EVENT_SUMMARY && e.type == TP_PB_BYTES)
			marks = phase_of(tag_of(e.bytes), mark);
	}
	return marks && isfinite(mark->wall_ms);
}

static enum tp_status
read(const struct tp_source *in, struct tp_builder *out, struct tp_err *err)
{
	struct tp_profile *p = tp_builder_profile(out);
	struct tp_tfrecord r;
	struct tp_buf marks = {0};
	struct tp_phases phases = {.from = tp_slice_of(in->path)};
	bool more;

	tp_records_open(in, &r);
	do {
		struct tp_phase_mark mark;

		more = tp_tfrecord_next(&r);
		tp_records_tell(in, out, &r);
		if (more && read_mark(r.record, &mark))
			*tp_buf_new(&marks, struct tp_phase_mark) = mark;
		else
			phases.others += more;
	} while (more);
	tp_tfrecord_close(&r);
	if (marks.count == 0)
		return tp_fail_at(err, TP_ERR_FORMAT, in->path, TP_NO_OFFSET,
			"%llu records, but none marks a phase of a job", (unsigned long long)r.records);
	struct tp_phases *kept = tp_build_next(out, phases);

	phases.count = (uint32_t)marks.count;
	phases.marks = tp_buf_settle(&marks, sizeof *phases.marks, p->arena);
	phases.records = r.records;
	phases.damaged = r.damaged;
	*kept = phases;
	return TP_OK;
}

static const char *const suffixes[] = {".profile_logger", NULL};

/* Whether a file's first records say that it is an event file with phases. */
static bool
marks_phases(struct tp_slice head)
{
	struct tp_tfrecord r;
	struct tp_phase_mark mark;

	/* Of other files all would be searched for a record. */
	head.len = head.len < MOST_HEAD ? head.len : MOST_HEAD;
	tp_tfrecord_open(&r, head);
	for (int i = 0; i < 3 && tp_tfrecord_next(&r); i++) {
		if (read_mark(r.record, &mark))
			return true;
	}
	return false;
}

static int
probe(const char *name, struct tp_slice head)
{
	if (head.len != 0)
		return marks_phases(head) ? 95 : 0;
	return tp_slice_ends(tp_slice_of(name), tp_slice_of(suffixes[0])) ? 90 : 0;
}

const struct tp_reader tp_reader_phases = {
	.name = "profile_logger",
	.summary = "phases of a TPUEstimator job: events.out.tfevents.*.profile_logger",
	.suffixes = suffixes,
	.probe = probe,
	.kind = TP_READS_OF_JOB,
	.form = TP_BLOB_PIECES,
	.read = read,
};

/* What a training program wrote into its event files (events.out.tfevents.*) over the whole run: scalars by step, marks of its
 * sessions, and how much of what else. All files of a folder are one run, in the order of their names. */
#ifndef TP_MODEL_EVENTS_H
#define TP_MODEL_EVENTS_H

#include "base/map.h"
#include "base/slice.h"
#include "model/points.h"

#include <stdbool.h>
#include <stdint.h>

/* Seconds before or after 1970 that are no time of any clock: the year 2255. */
#define TP_LATEST_S 9e9

struct Tp__RankScalar;

/* Values and records that are no scalars. */
enum tp_event_other {
	TP_EVENT_HISTOGRAMS,
	TP_EVENT_IMAGES,
	TP_EVENT_AUDIO,
	TP_EVENT_TEXTS,
	TP_EVENT_GRAPHS,
	TP_EVENT_META_GRAPHS,
	TP_EVENT_RUN_METADATA,
	TP_EVENT_LOG_MESSAGES,
	TP_EVENT_OTHERS, /* values of other plugins, tensors that are no scalar */
	TP_EVENT_OTHER_COUNT
};

/* All points of one tag. */
struct tp_event_series {
	struct tp_slice tag;
	struct tp_slice plugin; /* of its first metadata: "scalars"; empty: none */
	struct tp_points points;
	/* Of a summary, which has some of the points alone (proto/rank.proto): what all of them were; else NULL. */
	const struct Tp__RankScalar *given;
	uint64_t others; /* values of this tag that are no scalars, of this kind … */
	enum tp_event_other other_kind;
	int64_t other_first, other_last; /* … from this step to that, as written */
};

enum tp_event_mark_kind { TP_EVENT_START = 1, TP_EVENT_STOP = 2, TP_EVENT_CHECKPOINT = 3 };

struct tp_event_mark {
	enum tp_event_mark_kind kind;
	int64_t step;
	double wall_s;
	bool again;            /* START: of a run that was begun before */
	uint64_t purged;       /* START: points at this step or later that it made void … */
	double purged_until_s; /* … and when the latest of them was written; NaN: none was */
	struct tp_slice path;  /* CHECKPOINT: where it was written; may be empty */
};

/* A hyperparameter that the program noted: a text, a number, or true or false. */
struct tp_event_hparam {
	struct tp_slice name;
	enum tp_event_hparam_kind {
		TP_EVENT_HPARAM_TEXT,
		TP_EVENT_HPARAM_NUMBER,
		TP_EVENT_HPARAM_TRUTH
	} kind;
	struct tp_slice text;
	double number; /* TRUTH: 0 or 1 */
	struct tp_event_hparam *next;
};

struct tp_event_run {
	struct tp_slice folder;
	struct tp_strings tags;         /* id → series */
	struct tp_event_series *series; /* by id of the tag */
	uint32_t series_capacity;
	uint64_t points;             /* of all series */
	struct tp_event_mark *marks; /* in the order of the files; the first tens of thousands */
	uint32_t mark_count, mark_capacity;
	uint64_t marks_dropped; /* those beyond */
	uint32_t starts;
	uint64_t purged; /* points that restarts made void */
	struct tp_points_work purge_work;
	bool purge_given_up; /* too much work for what the files hold: later ones void nothing */
	int64_t latest_step; /* before version 2: of the record before; −1: of none */
	double version;      /* of the format, 2; 0: not said */
	double first_s,
		last_s; /* wall time of the earliest record, and of the latest but those that open a file; NaN: none */
	uint64_t records, damaged; /* damaged: intervals that were passed over */
	uint64_t others[TP_EVENT_OTHER_COUNT];
	uint32_t files;
	uint64_t left_out; /* of a summary: tags that it does not keep, … */
	double step_s;     /* … and wall time a step, by all points; NaN: not known */
	struct tp_event_hparam *hparams, *last_hparam; /* in the order of the file; NULL: none */
	uint32_t hparam_count;
	struct tp_event_run *next;
};

#endif

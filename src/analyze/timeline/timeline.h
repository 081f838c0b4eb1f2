/* The timeline: what ran when, on every line of the profile. */
#ifndef TP_ANALYZE_TIMELINE_H
#define TP_ANALYZE_TIMELINE_H

#include "analyze/core/ctx.h"
#include "model/profile.h"
#include "report/judge.h"
#include "report/timeline.h"

#include <math.h>
#include <stdint.h>

struct tp_block;
struct tp_doc;
struct tp_step;
struct tp_steps;

/* A step that is drawn, or all of the capture; times as in report/timeline.h. */
struct tp_timeline_span {
	struct tp_slice label, note;
	uint64_t from_ps, to_ps;
	const struct tp_step *step; /* NULL: it is none */
	bool slowest;               /* of several steps of different length */
};

enum {
	/* of a line, from its first that says what ran; what is nested deeper is left to those who can zoom */
	TP_TIMELINE_DRAWN_LANES = 3,
};

/* A line of the profile, its events in order of start. Up to its levels it is as tp_timeline_look_at found it, what follows depends on
 * steps. */
struct tp_timeline_line {
	const struct tp_line *line;
	uint32_t number;   /* of the line in the profile */
	int64_t offset_ps; /* of its host's clock, from that of the earliest */
	uint64_t shift_ps; /* what makes times of the profile times of the timeline, modulo 2^64 */
	uint64_t high_ps;  /* the end of its last event */
	unsigned lanes;
	unsigned upper_lanes;                  /* those above the lanes of functions of Python */
	const uint8_t *lane_of;                /* by event */
	bool whole;                            /* all its events are in the page */
	const struct tp_timeline_tile *levels; /* of cells, the finest first */
	size_t level_count;
	bool in_part;        /* those events that start in a stretch that is kept are in the page */
	unsigned first_lane; /* the outermost that can be drawn; of a device 0 */
	/* Of each span and lane that can be drawn, 0 of a line that is not: the time that events cover, and the last event that starts before it, counted
	 * from 1; 0: there is none */
	uint64_t covered_ps[TP_TIMELINE_WINDOWS][TP_TIMELINE_DRAWN_LANES];
	uint32_t before[TP_TIMELINE_WINDOWS][TP_TIMELINE_DRAWN_LANES];
};

enum {
	TP_TIMELINE_UNITS = 2, /* a straggler, and one that does not lag */
};

/* A device and its host, whose rows are drawn; device TP_NONE: none works there. */
struct tp_timeline_unit {
	uint32_t host, device;
	bool lags;              /* the others wait for it */
	struct tp_slice called; /* "core 13", as sections on the pod have it; empty: as its device */
};

/* How many units are drawn, and of how many that have lines. */
struct tp_timeline_drawn {
	size_t units, of;
	bool devices; /* else they are hosts */
};

/* A stretch of the timeline; to_ps 0: there is none. */
struct tp_stretch {
	uint64_t from_ps, to_ps;
};

/* How an event of a line is coloured: by its class of time; grey where it belongs to none. */
struct tp_timeline_look {
	enum tp_hue hue;
	int tint;
};

struct tp_timeline_found {
	const struct tp_profile *profile;
	const struct tp_timeline_look *looks; /* by operation; NULL: by what operations are */
	const bool *ranges;                   /* tp_timeline_ranges */
	struct tp_timeline_line *lines;       /* in order of their groups */
	size_t line_count;
	uint32_t
		read_count; /* lines that were read: those of the profile from there on are derived from them */
	int64_t base_ns, low_ps; /* what times count from: base_ns and zero_ps of struct tp_clock */
	uint64_t high_ps, events;
	/* Of an output that lets all of the capture be looked at: what events are called. */
	const uint32_t *name_of; /* by operation, counted from 1; 0: no event is of it */
	const uint32_t
		*setup_name_of; /* likewise, where an event of it is so long that it sets up a device */
	const struct tp_timeline_name *names;
	size_t name_count;
	/* What follows depends on steps. */
	struct tp_timeline_span spans[TP_TIMELINE_WINDOWS];
	size_t span_count;
	bool without_steps;             /* the only span is all of the capture */
	const struct tp_stretch *parts; /* that are kept in full, by time; none overlap */
	size_t part_count;
	struct tp_slice missing; /* the first window that was asked for and is not there; empty: none */
	uint32_t host, device;   /* whose steps the spans are; device TP_NONE: none worked */
	struct tp_timeline_unit units[TP_TIMELINE_UNITS]; /* that are drawn, that one among them */
	size_t unit_count;
	struct tp_stretch blank; /* the longest without any event */
};

/* Where an event of a line lies. */
struct tp_timeline_place {
	uint64_t from_ps, to_ps;
};

/* Times beyond are cut to it: sums of two stay below 2^64. */
#define TP_TIMELINE_LATEST_PS ((uint64_t)1 << 62)

static inline struct tp_timeline_place
tp_timeline_place_at(const struct tp_timeline_line *line, int64_t start_ps, int64_t duration_ps)
{
	uint64_t from = (uint64_t)start_ps + line->shift_ps;
	uint64_t length = (uint64_t)duration_ps;

	from = from > TP_TIMELINE_LATEST_PS ? TP_TIMELINE_LATEST_PS : from;
	length = length > TP_TIMELINE_LATEST_PS ? TP_TIMELINE_LATEST_PS : length;
	return (struct tp_timeline_place){from, from + length};
}

static inline struct tp_timeline_place
tp_timeline_place(const struct tp_timeline_line *line, uint32_t event)
{
	return tp_timeline_place_at(
		line, tp_line_start_ps(line->line, event), tp_line_duration_ps(line->line, event));
}

/* The same for those who go through the line in order, with a window over it. */
static inline struct tp_timeline_place
tp_timeline_place_in(const struct tp_timeline_line *line, struct tp_time_window *w, uint32_t event)
{
	return tp_timeline_place_at(
		line, tp_time_window_start_ps(w, event), tp_time_window_duration_ps(w, event));
}

/* The first event of a line that starts at that time or later. */
uint32_t tp_timeline_first_from(const struct tp_timeline_line *line, uint64_t at_ps);

/* Whether a step is as long as it is drawn. A TPU has a clock of its own, by which steps are measured; the timeline is by the host's, by which a step
 * may be longer. */
static inline bool
tp_timeline_same_length(double step_ps, double drawn_ps)
{
	return fabs(step_ps - drawn_ps) <= 0.001 * drawn_ps;
}

/* The spans, and whose they are (timeline_spans.c); which units are drawn, and of which of them a line is: unit_count if of none
 * (timeline_units.c); of the lines that are drawn, how much of them is covered (timeline_cover.c). */
void tp_timeline_find_spans(const struct tp_pass_ctx *ctx, struct tp_timeline_found *t);
void tp_timeline_find_units(const struct tp_pass_ctx *ctx, struct tp_timeline_found *t);
struct tp_timeline_drawn tp_timeline_drawn(
	const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t);
size_t tp_timeline_unit_of(const struct tp_timeline_found *t, const struct tp_timeline_line *line);
static inline bool
tp_timeline_is_drawn(const struct tp_timeline_found *t, const struct tp_timeline_line *line)
{
	return tp_timeline_unit_of(t, line) < t->unit_count;
}
void tp_timeline_cover(struct tp_timeline_found *t);

/* Where the `ProfilerStep` range on the host of the last span's step lies; to_ps 0: there is none. */
struct tp_stretch tp_timeline_host_range(const struct tp_timeline_found *t);

/* The step that is called so, or that "slowest" or "median" means; NULL: none. */
const struct tp_step *tp_timeline_step_called(const struct tp_steps *s, struct tp_slice wish);

/* By operation, whether it only says what the program named around others: no work of its own. In arena; NULL: none is. */
const bool *tp_timeline_ranges(const struct tp_profile *p, struct tp_arena *arena);

struct tp_timeline_look tp_timeline_look(
	const struct tp_timeline_found *t, const struct tp_line *line, uint32_t op);

/* The same of one event: Steps counts what calls of a device's runtime take long for as set-up, and other calls by the same name as launches. */
struct tp_timeline_look tp_timeline_look_of_event(const struct tp_timeline_found *t,
	const struct tp_line *line, uint32_t op, uint64_t duration_ps);

/* The number of what an event is called, in t->names. */
uint32_t tp_timeline_name_number(
	const struct tp_timeline_found *t, uint32_t op, uint64_t duration_ps);

/* What an event is called: "fusion.12". */
struct tp_slice tp_timeline_name(const struct tp_profile *p, uint32_t op);

/* "XLA ops"; "TPU:0". */
struct tp_slice tp_timeline_kind(const struct tp_line *line); /* "ops" */
struct tp_slice tp_timeline_line_name(const struct tp_line *line);
/* Lines of a device, of the threads of a host, or of a process are a group; what it is called. */
bool tp_timeline_same_group(const struct tp_line *a, const struct tp_line *b);
struct tp_slice tp_timeline_group_name(const struct tp_pass_ctx *ctx, const struct tp_line *line);

/* Names of all lines' events, and levels of long lines (timeline_levels.c), in ctx->keep. */
void tp_timeline_sum_up(const struct tp_pass_ctx *ctx, struct tp_timeline_found *t);

/* The rows and bars of its spans (timeline_windows.c), and tiles of all lines (timeline_tracks.c), in ctx->keep. */
void tp_timeline_draw(
	const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t, struct tp_timeline *out);
/* How many of the devices, or of the hosts, are drawn, and why rows of one of its steps are blank (timeline_blank.c). */
void tp_timeline_say_drawn(const struct tp_timeline *t, struct tp_timeline_drawn drawn,
	struct tp_doc *doc, struct tp_block *section);
void tp_timeline_fill(
	const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t, struct tp_timeline *out);

/* Of which lines all events are kept, and then which of the other lines' (keep.c). `seen`: what findings are about. */
void tp_timeline_keep_short_lines(const struct tp_pass_ctx *ctx, struct tp_timeline_found *t);
void tp_timeline_keep(const struct tp_pass_ctx *ctx, struct tp_timeline_found *t,
	const struct tp_stretch *seen, size_t seen_count);

/* The host whose clock a step is told by (timeline_clock.c). */
uint32_t tp_timeline_step_host(
	const struct tp_pass_ctx *ctx, const struct tp_steps *s, const struct tp_step *step);

/* Where a step lies; to_ps 0: before the first event, or nowhere. */
struct tp_stretch tp_timeline_step(const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t,
	const struct tp_steps *steps, const struct tp_step *step);

/* The stretch that is kept in full and holds a time; NULL: none does. */
const struct tp_stretch *tp_timeline_part(const struct tp_timeline_found *t, uint64_t at_ps);

/* Whether an event is in the page itself, not only in a cell. */
bool tp_timeline_keeps(
	const struct tp_timeline_found *t, const struct tp_timeline_line *line, uint32_t event);

/* The arrows between events that are kept in full (flows.c), once it is known which those are, and the counters of a group, which is its
 * tracks' lines from number `first` on (counter_tracks.c); of_host: from the first to the last event of their host. */
void tp_timeline_flows(
	const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t, struct tp_timeline *out);
void tp_timeline_counters(const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t,
	size_t first, struct tp_stretch of_host, struct tp_arena *keep,
	struct tp_timeline_group *group);

extern const struct tp_pass tp_pass_timeline_lines, tp_pass_timeline;

#endif

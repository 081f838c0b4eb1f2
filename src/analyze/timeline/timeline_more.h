/* Timelines beside that of the profile: nodes of a graph, as a dump of tfprof has them, and the whole run of the job. Each is made of
 * lines that stand in a profile of their own, so that nothing else counts them. */
#ifndef TP_ANALYZE_TIMELINE_MORE_H
#define TP_ANALYZE_TIMELINE_MORE_H

#include "analyze/timeline/timeline.h"
#include "base/buf.h"

struct tp_builder;
struct tp_steps;
struct tp_tfprof;

/* What a further timeline is made of. */
struct tp_timeline_source {
	struct tp_profile *profile;           /* its events are given back once the timeline is made */
	const struct tp_steps *steps;         /* NULL: there are none */
	const struct tp_timeline_look *looks; /* by operation; NULL: by what operations are */
};

/* What passes are given who work on such a source: its profile, and of all results its steps alone. */
struct tp_timeline_alone {
	struct tp_pass_ctx ctx; /* without options of its own */
	const struct tp_pass *passes[2];
	const void *results[2];
};
void tp_timeline_alone(const struct tp_pass_ctx *ctx, const struct tp_timeline_source *source,
	struct tp_timeline_alone *out);

/* From a dump: each device a group, its runs of nodes on a track by how they are recorded. False: it says of no run when it began. */
bool tp_timeline_of_tfprof(
	const struct tp_pass_ctx *ctx, const struct tp_tfprof *dump, struct tp_timeline_source *out);

/* Of event files and profile loggers: sessions and their phases, and of each run steps and gaps, evaluations and checkpoints. False:
 * nothing of this is known. */
bool tp_timeline_of_job(const struct tp_pass_ctx *ctx, struct tp_timeline_source *out);

/* An event of a line that is made; at_us: since 1970. */
struct tp_made_event {
	int64_t at_us, us;
	uint32_t op;
	uint32_t
		number; /* in the line, if the events were in order of start, the longer first; TP_NONE: it is left out */
};

/* Adds a line of events to a builder that has one host, and says what became of each; times count from zero_us. Of moments a length of 0
 * is what they are. */
void tp_timeline_made_line(struct tp_builder *b, enum tp_line_kind kind, struct tp_slice process,
	struct tp_slice name, struct tp_buf *events, int64_t zero_us);

extern const struct tp_pass tp_pass_timeline_more;

#endif

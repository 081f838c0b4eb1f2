/* The fixed texts of the section Whole run, where it is of a TPUEstimator job's sessions. {} and {id} take figures, as TP_SAY does; %s as
 * printf. Why a category of TensorBoard has no time: end_to_end_present.c, where they stand by kind of session. */
#ifndef TP_ANALYZE_JOB_END_TO_END_WORDS_H
#define TP_ANALYZE_JOB_END_TO_END_WORDS_H

/* What it says first, a clause each. */
static const char text_start_to_end[] = "{} of the {} from start to end; ";
static const char text_set_up[] = " of it is set-up, which is included in these.";
static const char text_between_unknown[] =
	"{}; time outside sessions is unknown because the clock was set back.";
static const char text_between[] = "{}; {} are between sessions.";
static const char text_one_session[] = "One session, from start to end.";
static const char text_one_session_unended[] = "One session, without an end.";
static const char text_no_session_part[] = "No session is part";
static const char text_unknown_share[] = "an unknown share";
static const char text_at_least[] = "at least {}";

/* What is not as it should be. */
static const char text_other_file[] =
	"`{}` is in another folder, so it belongs to another job and is left out. To report on it, "
	"give its path alone.";
static const char text_other_files[] =
	"{} files are in other folders, such as `{}`, so they belong to other jobs and are left out. "
	"To report on one of them, give its path alone.";
static const char text_restarted[] =
	"{} no end: the job was killed and restarted. The last mark or scalar before that is used as "
	"its end, dashed in the chart.";
static const char text_unended[] =
	"{} no end: the job was killed, or is still running. Its last mark or scalar is used as its "
	"end, dashed in the chart.";
static const char text_set_back[] =
	"{} earlier than the one before: the clock was set back, so that duration is unknown.";
static const char text_strays[] = "{} without a start is left out.";

/* Charts and tables; columns: end_to_end_columns.h. */
static const char text_lanes_alt[] =
	"Over wall time in UTC, every session and what it did before its first step: %u %s, %u of them "
	"without an end.";
static const char caption_kinds[] =
	"Sessions by kind, including their set-up; overlapping time counts once";
static const char caption_spans[] = "Sessions and their phases, in order of start";
static const char title_categories[] = "The ten categories of TensorBoard's end-to-end tool";
static const char caption_categories[] =
	"As computed by that tool: of repeated sessions the last, and training counts what precedes "
	"its steps a second time";

/* Why a figure is missing. */
static const char why_no_length[] = "the run has no length";
static const char why_set_back[] = "the clock was set back before its end";
static const char why_remainder[] = "it is the remainder";
static const char why_no_phase[] = "the profile logger marked no phase";

/* How figures are computed, and of what. */
static const char how_end_to_end[] =
	"The profile logger marks when a session, or a phase before its first step, starts and ends; a "
	"start belongs with the next end of the same phase. Phases that start within a session are "
	"part of it. A session without an end lasts until the last mark or scalar before the next "
	"start of its kind (evaluations: scalars in folders named eval, valid or test).";
static const char source_end_to_end[] = "From `{}`.";

#endif

/* The fixed texts of the section Whole run, of scalars; the parts of the time of a run: scalars_parts.c. {} and {id} take figures, as TP_SAY does; %s as
 * printf. */
#ifndef TP_ANALYZE_SCALARS_WORDS_H
#define TP_ANALYZE_SCALARS_WORDS_H

/* What it says first. */
static const char text_no_scalars[] = "The event files hold no scalars.";
static const char text_scalars[] = "The event files hold {} of {}.";
static const char text_step[] = "A step takes {events.step_time_ms} of wall time.";
static const char text_step_of[] = "A step of {} takes {events.step_time_ms} of wall time.";
static const char text_evaluation[] =
	"They are of an evaluation, by its folder's name: its points do not say how long training "
	"steps took.";
static const char text_no_step_times[] = "They do not record step times.";
static const char text_steps_unknown[] = "How much of {} was spent in steps is unknown: {}.";
static const char text_in_steps[] = "{events.goodput_share} of {} was spent in steps.";
static const char text_in_steps_rest[] =
	"{events.goodput_share} of {} was spent in steps; the rest is before, between and after steps.";
static const char text_own_files[] = "the log directory's own files";

/* What is odd, and what is not shown. */
static const char text_not_finite[] = "`{}` is NaN or infinite at {} of {}, first at step {}{}.";
static const char text_not_finite_more[] = "; %u more %s at some step";
static const char text_thinned[] =
	"For {}, the curve shows some points only: the first, the last, and the min and max of each "
	"interval of at most {}. All figures in the table are exact.";
static const char text_left_out[] = "{} not in the summaries, which list 500 of each folder.";
static const char text_captured[] = "The profile was captured between steps {} and {} of {}.";
static const char text_discarded[] =
	"{} written before a restart went back to an earlier step; they are left out because their "
	"steps were repeated.";
static const char text_clock_back[] = "In {} of {}, steps advance while the clock goes back.";
static const char text_both_back[] =
	"In {} of {}, step and clock both go back: several programs wrote to one folder. Overlapping "
	"time counts once.";
static const char text_steps_back[] =
	"In {} of {}, steps go back without a session mark: treated as a restart that repeats the "
	"steps before it.";

/* Curves. */
static const char text_pace_curve[] = "steps per second, from the points of %.*s";
static const char text_curves_alt[] = "Over %.*s%s, each scaled from min to max: %.*s.";
static const char text_above_lanes[] = ", below the job's sessions and gaps";
static const char title_by_step[] = "The same curves over steps";
static const char title_prefix[] = "Curves of %.*s/: %zu more %s";
static const char title_no_prefix[] = "Curves of tags without a slash: %zu more %s";
static const char text_only_in_table[] = "{} of them are only in the table.";
static const char text_beyond[] =
	"Of {} beyond the first charts, {} are drawn, by tag prefix; {} are only in the table.";
static const char text_single_step[] = "{} at a single step: only in the table.";
static const char text_no_tag[] = "(no tag)";

/* Tables. */
static const char caption_scalars[] = "Scalars by run and tag";
static const char caption_runs[] = "Runs: one per folder with event files";
static const char text_time_alt[] = "Where the wall time went: %.*s.";
static const char caption_gaps[] = "Gaps between steps, longest first";
static const char title_marks[] = "Sessions and checkpoints as marked";
static const char caption_marks[] = "Session log marks, in file order";
static const char caption_hyperparameters[] = "Hyperparameters as recorded by the program";
static const char text_others[] = "Other than scalars: {}.";
static const char title_others[] = "Other than scalars: %.*s";
static const char caption_others[] = "Non-scalar values by tag; graphs and log messages have none";

/* Why a figure is missing. */
static const char why_not_finite[] = "no value is finite";
static const char why_no_tag[] = "the tag is empty";
static const char why_one_point[] = "a single point takes no time";
static const char why_no_point_time[] = "a point has no time";
static const char why_no_name[] = "it has no name";
static const char why_no_plugin[] = "written without one, as in TensorFlow 1";
static const char why_no_date[] = "the recorded time is not a date";
static const char why_silent[] = "nothing was written in between";
static const char why_no_restart[] = "no restart";
static const char why_discards_none[] = "it discards none";
static const char why_no_path[] = "none is named";
static const char why_evaluation[] = "an evaluation, by its folder's name, is not a training step";
static const char why_thinned[] = "its summary keeps only some points of the tag with the most";
static const char why_no_tag_twice[] = "no tag has points at two steps in time order";
static const char why_set_back[] = "the clock was set back while it ran";
static const char why_no_time_passed[] = "no time passed";
static const char why_no_time[] = "nothing with a time was written after opening a file";

/* How figures are computed. */
static const char how_scalars[] =
	"Each folder with event files is a run; its files are ordered by name. A session that starts "
	"at a step discards points at that and later steps, as in TensorBoard, except the run's first "
	"session. Step time is the wall time between neighbouring points of the tag with the most "
	"points / the steps between them; points of an evaluation are no steps. Above five times the "
	"median, the excess over the median is a gap: evaluation, saving, a restart or waiting. Time "
	"in steps is the rest, of the wall time from the first record to the last that does not open a "
	"file.";

#endif

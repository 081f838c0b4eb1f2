/* The fixed texts of the sections with timelines. {} and {id} take figures, as TP_SAY does; %s as printf. What tracks of counters are called and
 * show stands beside each: counter_tracks.c. */
#ifndef TP_ANALYZE_TIMELINE_TIMELINE_WORDS_H
#define TP_ANALYZE_TIMELINE_TIMELINE_WORDS_H

/* What is drawn, … */
static const char text_drawn[] = "{} on its threads and devices: {}.";
static const char text_hardly_slowest[] =
	"No step stands out: step {}, the slowest, takes {}, as the median does.";
static const char text_slowest[] = "{} is the slowest: {}, against {} in the median.";
static const char text_findings[] = "Where findings show best:";
static const char text_gap[] =
	"No event was recorded for {} of {}, starting {} into the capture: the whole timeline is empty "
	"there.";
static const char text_alt[] = "What ran when: %.*s%s%.*s, %zu %s";
static const char text_straggler[] = "the straggler";
static const char text_slowest_core[] = "the slowest core";
static const char text_left_out_devices[] = "Of {} devices {} {} drawn.";
static const char text_left_out_hosts[] = "Of {} hosts {} {} drawn.";
static const char title_all[] = "All of the capture";
/* … and why a step is longer or shorter on it than its step time. */
static const char text_step_by_host_others[] =
	"Steps are measured by the chip’s clock. By the host’s clock, as drawn here, step {} takes {} "
	"on {}; other cores differ.";
static const char text_step_by_host[] =
	"Steps are measured by the chip’s clock. By the host’s clock, as drawn here, step {} takes {} "
	"on {}.";
static const char text_step_of_torch[] =
	"Its `ProfilerStep` range on the host takes {}, the step {}: a step starts once the device "
	"work of the step before has ended, and lasts until its own has.";
static const char text_host_ahead[] =
	"The host was done with it {} into it: from then on rows of threads show later steps.";
static const char text_host_before[] =
	"The host was done with it before it began: rows of threads show later steps.";
static const char text_step_of_range[] =
	"Its range on the host takes {}, the step {}: a step lasts until the device work that it "
	"launched has ended.";

/* Spans to look at. */
static const char text_asked_for[] = "as asked for";
static const char text_other_one[] = "the other one";
static const char text_near_median[] = "near the median";
static const char text_only_one[] = "the only one";
static const char text_like_every_other[] = "like every other";

/* The table of two steps. */
static const char caption_longest_by_chip[] =
	"Longest operations of the two steps on %.*s, by self time and the chip’s "
	"clock, as steps are measured";
static const char caption_longest[] = "Longest operations of the two steps on %.*s, by self time";
static const char text_the_device[] = "the device"; /* the only one */
static const char text_step_by_host_row[] = "The step by the host’s clock";
static const char text_twice[] = "less what ran at the same time on another stream";
static const char text_idle[] = "no operation (idle)";
static const char why_no_length[] = "the step has no length";

/* Of a graph that ran, and of the whole run. */
static const char text_nodes_ran[] = "When each node of the graph ran, on each device.";
static const char text_run_phases[] = "When each session and phase of the run began and ended.";
static const char title_all_of_dump[] = "All of the dump";
static const char title_all_of_run[] = "All of the run";
static const char title_nodes[] = "Nodes of the graph";
static const char text_nodes[] =
	"When nodes ran in the steps that {} traced: {} on the devices that ran them, each with what "
	"the host scheduled and what its streams executed.";
static const char title_job[] = "The whole run";
static const char text_job[] =
	"The whole run by its event files: sessions, steps and the gaps between them, evaluations and "
	"checkpoints.";

/* Why there is none. */
static const char why_no_event_in_steps[] = "no event lies in the steps";
static const char why_no_events[] = "the profile holds no events";
static const char why_not_asked[] = "no output asks for all events";
static const char why_no_event_length[] = "no event of the profile has a length";
static const char why_left_out[] = "--timeline none leaves it out";
static const char why_no_memory[] = "there was not enough memory for it (--memory-limit)";
static const char why_others_left_out[] = "timelines are left out";
static const char why_nothing_says_when[] = "no dump and no event file says when something ran";

/* Clocks of workers and hosts in files for other tools. */
static const char text_clocks_of_hosts[] =
	"%u hosts, each by its own clock: no collective compares them";
static const char text_clocks_aligned[] =
	"%u workers aligned to one clock, each by the ends of at least %llu collectives; median "
	"difference %.*s";
static const char why_clocks_not_aligned[] =
	"the clocks of the workers cannot be aligned: the ends of their collectives differ by %.*s in "
	"the median, and the limit is 1 ms; choose one worker with --worker";

#endif

/* The fixed texts of the section Steps, but those of each source of steps: step_source_words.h. {} and {id} take figures, as TP_SAY does; %s as
 * printf. */
#ifndef TP_ANALYZE_STEPS_WORDS_H
#define TP_ANALYZE_STEPS_WORDS_H

#include "analyze/steps/steps_section.h"

/* What it says first: how long steps take, as much as the sample can carry; … */
static const char text_only_step[] = "The only {} took {}.";
static const char text_equal_steps[] = "Every {} takes {} (std dev {}).";
static const char text_few_steps[] = "{} take {} to {}, median {}.";
static const char text_many_steps[] = "Half of all {}s take {} or less; 5 % take more than {}.";
static const char text_no_steps[] = "Step time is unknown.";
static const char text_because[] = "Because {}.";
/* … where steps are from; … */
static const char text_launched[] =
	"Markers only launch the work: {} of {} of it ran after they ended. So a step lasts ";
static const char text_launched_unseen[] =
	"Markers only launch the work, and for most of them no run was recorded. So a step lasts ";
static const char text_to_marker[] = "from marker to marker";
static const char text_to_work[] = "from the first work that a marker launched to that of the next";
static const char text_to_run_of[] = "from one run of `{}` to the next";
static const char text_to_run[] = "from one run of the program to the next";
static const char text_inferred[] = "inferred from {} of `{}`, confidence {}";
static const char text_group[] =
	"`{}` runs after every {} of them: if a step ends only there, it is {} of these. ";
/* … how many count, and why they differ. */
static const char text_counts[] = "{} of {} {}; the mean is {}.";
static const char text_lacking[] = " {} recorded only {}";
static const char text_lacking_next[] = ", {} only {}";
static const char text_lacking_more[] = ", and {} lack some";
static const char text_of_the_seen[] = "%zu of the %zu";
static const char text_none_counts[] = "steps that do not count";
static const char text_spread[] =
	" The spread comes from {} (std dev {}); no other class has a std dev above {}.";
static const char text_cut_step[] = " (dashed) is cut by the capture but is in the statistics";
static const char text_cut_steps[] = " (dashed) are cut by the capture but are in the statistics";
static const char text_without_cut[] = "; the mean of whole steps is {step.time.whole.mean_ms}.";

/* Charts. */
static const char text_mean_step[] = "mean step";
static const char text_stack_alt[] = "Where a step goes: the mean step of %.*s by class of time.";
static const char text_strip_alt[] =
	"%zu %s by class of time; median %.*s, 95th percentile %.*s.%s%s%s";
static const char text_column_of_several[] =
	" Each column is the slowest of several steps in a row.";
static const char text_dashed[] = " Dashed columns are steps cut by the capture.";
static const char text_missing_steps[] = " No figures of %s %s%s.";
static const char text_unused_collective[] = "of Collectives, waiting at most";
static const char text_unused_receive[] = "of Send, receive, waiting at most";
static const char text_unused_outside[] = "of Host compute, outside XLA operations";
static const char text_typical[] = "Step %.*s, typical";
static const char text_slowest[] = "Step %.*s, slowest";
static const char text_pair_alt[] =
	"By class of time: step %.*s, nearest the median, took %.*s; step %.*s, the slowest, %.*s.";
static const char text_roles_alt[] = "The mean step of %.*s, %.*s, by role.";

/* Tables; their columns: steps_columns.h. */
static const char caption_classes[] = "%s by class of time, mean over %.*s%s";
static const char text_a_step[] = "A step";
static const char text_an_inferred_step[] = "An inferred step";
static const char text_to_slowest[] = ", up to the end of the slowest";
static const char caption_slowest[] = "%.*s; slowest: step %.*s";
static const char title_tpu[] = "TPU page figures";
static const char caption_tpu[] =
	"Parts as counted by the profiler's TPU page: over different cores, so they need not sum to "
	"the step";
static const char caption_tpu_whole[] = "The same for the %zu %s that the capture does not cut";
static const char text_step_over_cores[] = "maximum over cores";
static const char title_each[] = "Step by step";
static const char caption_each[] = "%s in order, %s%s";
static const char text_each_step[] = "Each step";
static const char text_first_steps[] = "The first 2,000 steps";
static const char text_by_tpu_part[] = "with TPU page figures";
static const char text_by_class[] = "by class of time";
static const char text_input_one[] = "; waiting for input as a share of the step";
static const char text_input_cores[] =
	"; waiting for input as a share of the step, on the cores that wait least and most";
static const char text_input_hosts[] =
	"; waiting for input as a share of the step, on the hosts that wait least and most";
static const char title_slowest_column[] = "Slowest %s";
static const char text_cut_both[] = "at both ends";
static const char text_cut_start[] = "at its start";
static const char text_cut_end[] = "at its end";
static const char title_roles[] = "By role, as in PyTorch's TensorBoard plugin";
static const char caption_roles[] =
	"The mean step of %.*s by role: each instant counts for the first role in this order that is "
	"running";
static const char caption_roles_workers[] = "The mean step of each worker and span by role";
static const char caption_roles_first[] = "The first 2,000 steps by role";
static const char caption_roles_each[] = "Each step of each worker by role";

/* The slowest step. */
static const char text_none_stands_out[] = "No step stands out: the slowest, step {}, took {}.";
static const char title_slowest[] = "The slowest step, explained";
static const char text_longer[] = "Step {} took {}, *{} more* than ";
static const char text_near_median[] = "step {}, which took {}, near the median.";
static const char text_the_median[] = "the median of {}.";
static const char text_grew[] = " *{}* grew by {}";
static const char text_grew_too[] = ", *{}* by {}";
static const char text_grew_as_usual[] =
	"; then {} by {}, within its usual spread (robust std dev {})";
static const char text_then[] = "; then";
static const char text_first_as_usual[] = " {} by {} (robust std dev {})";
static const char text_next_as_usual[] = ", {} by {} ({})";
static const char text_last_as_usual[] = " and {} by {} ({})";
static const char text_all_as_usual[] = ", within their usual spread";
static const char text_others_grew_less[] = "; no other class by more than {}";
static const char text_no_other_grew[] = "; no other class grew";
static const char text_others_shrank[] = ". Others shrank by {} together.";
static const char text_nothing_grew[] = " No class of time grew.";
static const char text_one_grew[] =
	" {} grew by {} (robust std dev {}), while other classes shrank.";
static const char text_all_in[] = " All of that is in {}: {} more, against a robust std dev of {}.";
static const char text_most_in[] =
	" Most of that is in {}: {} more, against a robust std dev of {}.";
static const char text_no_class[] =
	" No class of time stands out: {} grew most, by {}, against a robust std dev of {}.";
static const char caption_operations[] =
	"%s, step %.*s vs. step %.*s, the one nearest the median%s";
static const char text_parallel[] =
	"; threads run in parallel, so events may differ by more than the steps";
static const char text_on_host[] =
	"On the host, `{}` grew most: it took {} during that step, against {} during step {}.";
static const char text_nothing_on_host[] = "No recorded host event took longer during that step.";

/* Why a figure is missing, … */
static const char why_no_steps[] = "no steps";
static const char why_no_length[] = "steps have no length";
static const char why_single_step[] = "a single step has no deviation";
static const char why_all_cut[] = "the capture cuts every step";
static const char why_no_capture[] = "the profile does not say when its capture began";
static const char why_input_recorded[] = "waiting is recorded: see input.wait_share";
static const char why_no_operation[] = "no device or XLA operation was recorded in steps";
static const char why_not_inferred[] = "steps are marked, not inferred";
static const char why_none_waits[] = "none waits for input";
static const char why_trace_no_steps[] = "the trace holds no steps and no operators";
static const char why_no_role[] = "the trace could not record it";
/* … or the whole section. */
static const char why_other_program[] =
	"a trace of another program does not say which events are steps";
static const char why_markers_no_length[] = "no step marker has a length";
static const char why_irregular[] =
	"the profile has no step markers, and what repeats most, %u runs of %.*s, is too irregular for "
	"steps: confidence %.2f, needed %.2f";
static const char why_tfprof[] =
	"a tfprof dump holds runs of graph nodes, not events of hosts and devices";
static const char why_no_event[] = "no event was read";
static const char why_tool_files[] = "tool files hold the profiler's results, not its events";
static const char why_no_markers[] = "there are no markers: they are inferred from what repeats";

/* How figures are computed; those of each source: step_source_words.h. */
static const char how_launched[] =
	"Host markers only launch work here; most of it runs after they end. So %s. Each instant "
	"counts for the class of the highest-ranking event running then: device work belongs to the "
	"step that launched it, host work to the step during which it runs; time without events is "
	"\"not recorded\", so the classes sum to the step. With more than five steps, the first and "
	"last are left out because the capture may cut them.";
static const char how_last_start[] =
	"a step lasts from the start of its marker to that of the next, and the last is left out";
static const char how_last_work[] =
	"a step lasts from the first GPU work launched by its marker to that of the next, and the last "
	"to the end of its own work";
static const char how_last_run[] =
	"a step lasts from the start of a program's run to that of the next (as many runs later as "
	"each marker has); the last step, and one followed by a program that no marker calls, end with "
	"their own runs. The program is the longest-running one that markers call equally often. Runs "
	"follow the order of their markers; if the capture lacks some, steps are renumbered";
static const char how_inferred_steps[] =
	"Steps are inferred, because %s marks them. %s starts a step with each of its %s. A step lasts "
	"until the next starts, so it includes the gap between them; it ends with its own runs only "
	"after the last, or where it is followed by something that runs in fewer than half of the "
	"steps and takes at least a tenth of one. The confidence is the product of four shares: time "
	"of runs within steps / time of all runs; 1 − median deviation of step length from the median "
	"/ median; runs found / runs if every %s had as many as the one with most; 1 − 1 / number of "
	"runs. Below %.1f no steps are shown. %s";
static const char how_input_of_host[] =
	" No operation receives input here: it arrives with the arguments. So idle time of a host's "
	"cores counts as input wait for as long as the host's step of the same number waited for input "
	"or sent it to the device, up to the idle time.";

#endif

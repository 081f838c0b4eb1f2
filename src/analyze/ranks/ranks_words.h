/* The fixed texts of the section Ranks. {} take figures, as TP_SAY does; %s as printf. */
#ifndef TP_ANALYZE_RANKS_WORDS_H
#define TP_ANALYZE_RANKS_WORDS_H

/* Who is there, and who is missing. */
static const char title_ranks[] = "Ranks";
static const char text_some_here[] = "{} of {} ranks are here; missing: {}.";
static const char text_all_here[] = "All {} ranks of the job are here.";
static const char text_merged[] = "{} were merged; how many ranks the job has is not recorded.";
static const char text_missing[] =
	"{} missing: {}. Where others waited for a missing rank, the wait is shown but not its cause.";
static const char text_failed[] = "`{}` could not be used.";
static const char text_left_out[] =
	"All figures cover the first steps of each rank: {} at the end did not fit into the summaries "
	"(tpreport summarize --size) or into memory (--memory-limit), or hold more collectives than "
	"are matched.";

/* The map, and tables. */
static const char title_map[] = "Step time, one row per rank, one column per step";
static const char text_map_alt[] = "Time of each step of each rank%s: %.*s.";
static const char text_slowest_of_several[] = ", the slowest of several neighbours";
static const char text_no_step[] = "no step";
static const char caption_ranks[] =
	"Ranks: steps; and per mean step all communication, waiting in collectives, and the delay "
	"behind the second-to-last rank";
static const char caption_hosts[] =
	"Hosts: the steps that all of them have, and their memory peaks";
static const char caption_operators[] = "Operators over all ranks";
static const char caption_operations[] = "Operations over all hosts";
static const char text_all_operators[] = "All operators";
static const char text_all_operations[] = "All operations";
static const char text_in_no_list[] = "Not in any list";
/* In a section of their own. */
static const char title_operations[] = "Operations";
static const char text_operations[] = "Operations took {} on all hosts together.";

/* Why a figure is missing. */
static const char why_no_steps[] = "the trace holds no steps and no operators";
static const char why_not_matched[] =
	"none of this worker's collectives could be matched with another worker's";
static const char why_no_rank[] = "the trace names no rank";
static const char why_not_numbered[] = "which ones is not recorded";
static const char why_no_host[] = "the trace names no host";
static const char why_no_memory[] = "the trace records no memory";
static const char why_no_host_steps[] = "no step is on all hosts, or none was found";
static const char why_no_allocator[] = "the host recorded no allocator";
static const char why_no_plan[] = "its profile holds no program's plan";
static const char why_no_program[] = "it is of no program, or of several";
static const char why_whole_lists[] = "every list is complete";

/* How figures are computed. */
static const char how_ranks[] =
	"Each rank's summary keeps its steps, its collectives and the sums of its operators. Figures "
	"over ranks are computed from these when the report is written, by the same rules as from all "
	"traces together, so the figures are the same. A summary lists the 200 operators with the most "
	"time; the rest are one sum, so that totals are exact. An operator missing from a full list "
	"took at most as long as the last one listed: the column “Not listed, at most” sums this over "
	"such ranks. A summary that would be larger than 64 KB (--size) leaves out steps at its end. "
	"Then all ranks end with the same number of steps. They also do where all together hold more "
	"than four million collectives (with more than 1,024 ranks, one million).";
static const char how_hosts[] =
	"Each host's summary keeps the steps of its cores with the sums of their operations by class "
	"of time, each call of a collective or of a channel, the time that its devices worked, and the "
	"sums of its operations. Figures over hosts are computed from these when the report is "
	"written, by the same rules as from all profiles together, so the figures are the same. A "
	"summary lists the 200 operations with the most time; the rest are one sum, so that totals are "
	"exact. An operation missing from a full list took at most as long as the last one listed: the "
	"column “Not listed, at most” sums this over such hosts. A summary that would be larger than "
	"64 KB (--size) leaves out steps at its end. Then all hosts end with the same number of steps. "
	"They also do where cores together hold more than four million such calls and steps (with more "
	"than 1,024 hosts, one million).";

#endif

/* The fixed texts of the section Distributed, where it compares cores or hosts. {} and {id} take figures, as TP_SAY does; %s as printf. */
#ifndef TP_ANALYZE_POD_WORDS_H
#define TP_ANALYZE_POD_WORDS_H

#include "analyze/pod/pod.h"

/* The parts of a core's step: in charts, and above columns. */
static const struct tp_pod_part_info part_infos[TP_POD_PART_COUNT] = {
	[TP_POD_HIGH_FLOPS] = {"high_flops", "High-FLOPS compute", "High FLOPS", TP_HUE_COMPUTE, 0,
		false},
	[TP_POD_LOW_FLOPS] = {"low_flops", "Low-FLOPS compute", "Low FLOPS", TP_HUE_COMPUTE, 1, false},
	[TP_POD_COPY] = {"copy", "Memory, copy", "Copy", TP_HUE_MEMORY, 0, false},
	[TP_POD_INFEED] = {"infeed", "Infeed", "Infeed", TP_HUE_INPUT, 0, false},
	[TP_POD_OUTFEED] = {"outfeed", "Outfeed", "Outfeed", TP_HUE_OUTPUT, 0, false},
	[TP_POD_COLLECTIVE_COMPUTE] = {"collective_compute", "Collectives, compute", "Coll. compute",
		TP_HUE_COLLECTIVE, 0, false},
	[TP_POD_COLLECTIVE_SYNC] = {"collective_sync", "Collectives, waiting", "Coll. waiting",
		TP_HUE_COLLECTIVE, 0, true},
	[TP_POD_SEND] = {"send", "Send", "Send", TP_HUE_COLLECTIVE, 1, false},
	[TP_POD_RECV] = {"recv", "Receive", "Receive", TP_HUE_COLLECTIVE, 2, true},
	[TP_POD_HOST_TRANSFER] = {"host_transfer", "Host transfer", "Host transfer", TP_HUE_MEMORY, 1,
		false},
	[TP_POD_SPARSE_CORE] = {"sparse_core", "Sparse core", "Sparse core", TP_HUE_MEMORY, 2, false},
	[TP_POD_OTHER] = {"other", "Host, launch, compile", "Host", TP_HUE_HOST, 0, false},
	[TP_POD_IDLE] = {"idle", "Idle", "Idle", TP_HUE_IDLE, 0, false},
};
static const char text_given_low_flops[] = "Copies, low-FLOPS compute";
/* Of a host's step, where it has another name. */
static const char *const host_parts[TP_POD_PART_COUNT] = {
	[TP_POD_LOW_FLOPS] = "Compute",
	[TP_POD_INFEED] = "Input wait",
	[TP_POD_OUTFEED] = "Output",
	[TP_POD_COLLECTIVE_SYNC] = "Collectives, copies between devices",
	[TP_POD_IDLE] = "Idle or not recorded",
};

/* What it says first: nobody is slow, … */
static const char text_two_even[] =
	"Neither {} holds up the other: the slower one costs {pod.straggler.cost_ms} per step.";
static const char text_slower_of_two[] =
	"It is the slower one in {pod.straggler.steps} of {}; the cost is a mean over all of them.";
static const char text_none_slow[] =
	"No {} holds up the others: the slowest one costs {pod.straggler.cost_ms} per step.";
static const char text_imbalance[] =
	"The slowest in each step takes {pod.imbalance_ms} longer than the median {}.";
/* … or somebody is. */
static const char text_straggler[] =
	"The step time is set by *{pod.straggler.name}*: it costs {pod.straggler.cost_share} of step "
	"time, {pod.straggler.cost_ms}{}. {} own time is {} per step, {} {}.";
static const char text_straggler_lag[] = ", its lag behind the next slowest %s";
static const char text_largest_difference[] =
	"The largest difference is {}: {} against {}; it is the slowest in {pod.straggler.steps} of "
	"{}.";

static const char text_other_files[] =
	"All of this comes from `{}`. Cores are also in {} of the run, which are not counted here: "
	"each host's file usually holds all cores of the pod, but none says so. --host NAME shows the "
	"file of another host.";

/* Charts of cores side by side. */
static const char text_step_strip[] =
	"Step %.*s%s (%.*s): one column per %s%s, by part of the step.";
static const char text_nearest_median[] = ", the one nearest the median";
static const char text_slowest_of_several[] = ", each the slowest of several neighbours";
static const char text_step_strip_alt[] = "%.*s There are %zu %s.";
static const char text_mean_strip_alt[] = "The mean step of each of %zu %s by part of the step.%s";
static const char text_column_of_several[] = " Each column is the slowest of several neighbours.";

/* Maps. */
static const char title_map[] = "Own time, %s%s";
static const char *const map_cells[] = {
	"one cell per core", "one cell per chip", "one cell per host"};
static const char text_map_alt[] = "%.*s; mean over steps of each %s: %.*s to %.*s.";
static const char *const map_of_each[] = {
	"core", "chip, by its slowest core", "host, by its slowest core"};
static const char text_map_mesh[] =
	"Chips as arranged: {} in x, {} in y, {} in z; {}chip numbers are inferred to run along x "
	"first, so that the chips of each host are adjacent.";
static const char text_map_numbered[] =
	"Layout: {}{}all in numerical order. The profile does not record which chips are neighbours.";
static const char text_map_unplaced[] =
	"Layout: {}cores in file order. The profile does not record their chips.";
static const char text_rows_are_hosts[] = "rows are hosts, ";
static const char text_cells_of_chip[] = "adjacent cells are the cores of a chip, ";
static const char title_maps[] = "Maps of the parts that differ";
static const char text_maps_alike[] =
	"Parts without a map, because they differ by less than {} of the mean step: {}.";
static const char text_link_map[] =
	"The slowest channels on the map of own time: {}. A dot marks the receiver.";
static const char text_link_map_alt[] =
	"The slowest channels, %.*s, as lines between cores, with a dot at the receiver; darker cells "
	"have more own time.";

/* Tables; their columns: pod_columns.h. */
static const char caption_levels[] =
	"Upper bound on what the slowest costs: per step, over the profile's %zu %s, and per hour of "
	"such steps";
static const char caption_against[] = "The slowest, %.*s, vs. %s; mean over %zu %s";
static const char text_own_row[] = "Own time: excluding waits for others";
static const char caption_each[] = "Each %s, slowest first; mean over %zu %s";
static const char title_only_step[] = "The only step: %.*s, %.*s";
static const char title_step[] = "The %.*s step: %.*s, %.*s";
static const char caption_step[] = "Step %.*s on each %s";
static const char title_every_step[] = "Every step on every core";
static const char caption_some_steps[] = "%zu of %zu steps, evenly chosen, on every core";
static const char title_turns[] = "Which %s was the slowest, step by step";
static const char caption_turns[] =
	"The %s with the longest own time in each step; cost: its lag behind the next";

/* Channels. */
static const char title_channels[] = "Channels";
static const char text_channels_aside[] = "{}, the slowest takes {}";
static const char text_channels_damaged[] = "A program's channels are unknown: {}.";
static const char text_channels_slowest[] =
	"The slowest of {} is *{}* (`{}`): {} in {}, {}; the median channel takes {}.{}";
static const char text_receiver_late[] =
	" Its receive takes only %.*s: the data arrives before the receiver asks for it.";
static const char text_channels_no_clock[] =
	"{}; their latency is unknown: receives end before their sends start, so the hosts' clocks "
	"differ.";
static const char text_channels_silent[] = "The program has {} that no event in a step shows.";
static const char text_latency_chart[] = "Latency of the slowest {} of {}, from core → to core.";
static const char text_latency_chart_alt[] =
	"Latency of the slowest %zu of %zu channels, from core to core: %.*s to %.*s.";
static const char caption_channels[] =
	"Channels between two cores, slowest first; means over the steps that count";
static const char title_channel_steps[] = "Every step on every channel";
static const char caption_channel_steps[] =
	"Channels step by step, longest mean latency first; means over a step's occurrences";

/* Collectives. */
static const char title_collectives[] = "Collectives";
static const char text_collectives_aside[] = "{}, `{}` takes {} per step";
static const char caption_collectives[] =
	"Collectives of the steps that count, longest first; times per step, mean over cores";

/* Why a figure is missing, … */
static const char why_no_length[] = "steps have no length";
static const char why_step_no_length[] = "the step has no length";
static const char why_two_even[] = "neither is slower than the other by 1 % of the mean step";
static const char why_none_slow[] = "none is slower than the others by 1 % of the mean step";
static const char why_no_other[] = "the others spend no time in it";
static const char why_no_time[] = "it took no time";
static const char why_clocks_differ[] =
	"a receive ended before its send started: the hosts' clocks differ";
static const char why_not_given[] = "the tool file does not say";
static const char why_no_id[] = "it carries no id to compare cores by";
static const char why_no_shape[] = "its shape is unknown";
static const char why_asynchronous[] =
	"it runs asynchronously, from its start operation to its done operation";
/* … or the whole section. */
static const char why_one_has_steps[] = "only one %s has steps";
static const char why_one_core_has_steps[] = "only one core has steps";
static const char why_steps_differ[] = "the hosts do not have the same steps";
static const char why_torch[] = "PyTorch workers are compared by their collectives";
static const char why_given_no_length[] = "the steps of the tool file have no length";

/* How figures are computed. */
static const char how_cores[] =
	"The parts of a core's step are the self times of its operations by HLO category, and idle; "
	"they sum to the core's step mark. High-FLOPS compute: convolutions, dots, and fusions that "
	"end in one; memory, copy: moving and formatting data; low-FLOPS compute: the rest. A "
	"collective's compute is the time of the fastest core in the same collective, matched by id; "
	"the rest is waiting. Own time is the step minus waiting for other cores: waits in "
	"collectives, and receives (without collective ids, all collectives). Idle time is own time: "
	"an idle core holds up the others just like a busy one. In each step the slowest core, chip "
	"and host has the longest own time (a chip's or host's is that of its slowest core); its lag "
	"behind the next slowest is the most the step could be shortened by. The one with the "
	"largest sum of these leads over steps is named: the smallest of core, chip and host that costs "
	"at least half as much as the costliest, from 1 % of the mean step on. It is called a straggler "
	"from the limit of TPR-POD-001 on.";
static const char how_hosts[] =
	"The parts of a host's step are the classes of time in Steps, for this host alone. Own time is "
	"the step minus collectives and copies between devices, in which a host waits for others. In "
	"each step the slowest host has the longest own time; its lag behind the next slowest is the "
	"most the step could be shortened by. The one with the largest sum of these leads "
	"over steps is named from 1 % of the mean step on, and called a straggler from the limit of "
	"TPR-POD-001 on.";
static const char how_precomputed[] =
	"These are the profiler's own figures per core and step, from a tool file. Copies and "
	"low-FLOPS compute are the rest of the step, including idle time, as in the profiler's pod "
	"viewer. Own time is the step minus waits in collectives and receives; if the file does not "
	"separate those waits, minus all collectives. In each step the slowest core, chip and host has "
	"the longest own time; its lag behind the next slowest is the most the step could be shortened "
	"by. The one with the largest sum of these leads over steps is named from 1 % of the mean step "
	"on, and called a straggler from the limit of TPR-POD-001 on, where a step is as long as on its longest core. A core's number is "
	"inferred: its chip's position × cores per chip + its position on the chip, as channels number "
	"cores; if two cores share a position, it is the file's number.";
static const char how_channels[] =
	"Channels, their pairs of cores and their data (without padding) are from the program's HLO: "
	"sends and receives with the same channel number. A replica's device, from the module's "
	"assignment, is inferred to be the core of that number. The n-th send of a step on one core "
	"matches the n-th receive of that step on the other. Latency is from the start of the send to "
	"the end of the receive on the hosts' clocks, bandwidth data / latency. Send delay is how long "
	"the receiver waited before the send started: the sender's share of the wait, not the link's. "
	"Hosts' clocks are not aligned; a channel whose receive ends before its send starts has no "
	"latency.";
static const char how_channels_precomputed[] =
	"The profiler's own figures, mean over occurrences in all steps; bandwidth is data / latency. "
	"Cores are found by chip number and position on the chip.";
static const char how_collectives[] =
	"Mean per step: time of the operation's events in steps, over steps and cores. Fastest: the "
	"same if every core took as long as the fastest one in the same collective, matched by id; "
	"waiting: the rest, waiting for the last core. Data: the result without padding; rate: data / "
	"fastest time, which may differ from the traffic on a link, depending on the algorithm.";
static const char how_collectives_precomputed[] =
	"The profiler's own figures: mean per step is the mean duration × occurrences, over steps and "
	"cores. The file does not separate waiting per operation. Rate: data / that time.";

static const char source_cores[] = "lines \"Steps\" and \"XLA Ops\" of every TPU core";
static const char source_hosts[] = "step markers and events of every host";

#endif

/* The fixed texts of the section Distributed, where it is of PyTorch's workers. {} and {id} take figures, as TP_SAY does; %s as printf. */
#ifndef TP_ANALYZE_TORCH_COMM_WORDS_H
#define TP_ANALYZE_TORCH_COMM_WORDS_H

#include "analyze/torch/comm/torch_comm_present.h"

/* The parts of a step, and of its communication. */
static const struct tp_torch_comm_part_info part_infos[TP_TORCH_COMM_PART_COUNT] = {
	[TP_TORCH_COMM_COMPUTATION] = {"computation", "Computation",
		"non-collective kernels run (in a trace without kernels: operators), and no "
		"communication",
		TP_HUE_COMPUTE, 0},
	[TP_TORCH_COMM_OVERLAP] = {"overlap", "Overlap",
		"computation and communication at the same time", TP_HUE_COMPUTE, 2},
	[TP_TORCH_COMM_EXPOSED] = {"communication", "Communication", "exposed communication",
		TP_HUE_COLLECTIVE, 0},
	[TP_TORCH_COMM_OTHER] = {"other", "Other", "neither computation nor communication", TP_HUE_HOST,
		2},
	[TP_TORCH_COMM_TRANSFER] = {"transfer", "Data transfer",
		"per collective the fastest worker's time, at the end of every worker's time in it",
		TP_HUE_COLLECTIVE, 0},
	[TP_TORCH_COMM_SYNC] = {"sync", "Synchronising",
		"per collective matched across workers, a worker's time minus the fastest worker's: waiting "
		"for the last one",
		TP_HUE_COLLECTIVE, TP_TINT_UNUSED},
	[TP_TORCH_COMM_UNMATCHED] = {"unmatched", "Not matched",
		"in sends, receives and collectives whose other workers are unknown", TP_HUE_COLLECTIVE, 3},
	[TP_TORCH_COMM_BARRIER] = {"barrier", "Barriers",
		"in barriers, which move no data, and in no other collective", TP_HUE_COLLECTIVE, 1},
};

/* What it says first: how much communication is exposed, … */
static const char text_exposed[] =
	"Exposed communication takes {} of a step ({torch.comm.communication_us}); {} of all "
	"communication, waits included, overlaps with computation.";
static const char text_no_communication[] = "No communication runs within the steps.";
static const char text_no_steps[] = "The traces hold collectives, but no steps or operators.";
static const char text_unmeasured[] =
	"The traces hold {}, but none of their kernels: their duration is unknown.";
static const char text_only_launched[] =
	"The {step.class.collective_ms} of collectives in a step are the host’s calls that launch "
	"them.";
/* … and what it waits for. */
static const char text_straggler[] =
	"{} for *{torch.comm.straggler.name}* {torch.comm.straggler.wait_us} per step: it is the last "
	"to enter {torch.comm.last_share} of collectives. Keeping up would save at most "
	"{torch.comm.straggler.saving_us} per step, as a mean over all workers and without what "
	"overlaps with computation.";
static const char text_split[] =
	"Of all communication, {torch.comm.transfer_us} per step is data transfer, "
	"{torch.comm.sync_us} waiting for other workers.";
static const char text_split_rest[] =
	" What calls that take {torch.comm.unmatched_us} per step wait for is unknown: they could not be "
	"matched.";

/* What is not in the report. */
static const char text_one_worker[] =
	"This is one worker of {}: the others' traces are not in this report. How much of its "
	"collectives is waiting, and for which worker, is unknown. For that, give the folder with all "
	"traces.";
static const char text_some_workers[] =
	"{} of {} workers of the job are in this report: transfer may be shorter and waiting longer "
	"than shown, because a missing worker may be faster or later.";
static const char text_unmatched[] =
	"{} could not be matched across workers because their traces differ: their time is neither "
	"transfer nor synchronising.";
static const char text_lone[] =
	"{} could not be matched: the other side is unknown (for gloo, use `record_shapes=True`), its "
	"trace is not in this report, or holds other messages.";
static const char text_without_kernels[] =
	"For {} the trace holds a host call but no kernel: the duration is not counted.";

/* Charts. */
static const char text_step_chart[] = "A step: computation, communication, both and neither";
static const char text_split_chart[] = "All communication of a step: transfer and waiting";
static const char text_chart[] = "%s, mean over steps, by worker%s.";
static const char text_of_several[] = "; of several neighbouring workers, the one with the most";

/* Tables; their columns: torch_comm_columns.h. */
static const char caption_workers[] =
	"Mean step of each worker: Computation to Other sum to the step, Transfer to Barriers to all "
	"its communication";
static const char caption_gpus[] = "Workers and their GPUs";
static const char caption_no_gpus[] = "Workers";
static const char caption_clocks[] = "Clocks of workers, aligned by messages in both directions";
static const char caption_late_one_host[] =
	"Stragglers in collectives; times per step. All workers share a host and its clock: apparent "
	"offsets show how unevenly collectives end, and are not used";
static const char caption_late[] =
	"Stragglers in collectives, clocks aligned by their ends; times per step";
static const char title_steps[] = "All steps of all workers";
static const char caption_steps[] = "Every step";
static const char caption_some_steps[] = "The first %zu of %zu steps";
static const char caption_operations[] =
	"Collectives by operation and process group, of %.*s: total size, time covered by calls (once "
	"where they overlap), means per call, and bus bandwidth over transfer time and with waits";
static const char title_each[] = "Collectives of each worker";
static const char caption_each[] = "Collectives by worker, operation and process group";
static const char caption_some_each[] =
	"Collectives by worker, operation and process group: the first %zu of %zu rows";
static const char text_longest_wait[] =
	"Messages from `{}` to `{}` wait longest: in total the {} waits {} for the other side to "
	"start. Pipeline stages always wait for their neighbours while the pipeline fills and drains: "
	"only longer waits mean a slow stage.";
static const char caption_messages[] =
	"Messages by sender and receiver, over all spans, longest waits first";
static const char caption_some_messages[] =
	"Messages by sender and receiver: the first %zu of %zu, longest waits first";

/* Why a figure is missing, … */
static const char why_none[] = "there is none";
static const char why_no_steps[] = "the trace holds no steps and no operators";
static const char why_no_kernels[] = "the traces hold collectives, but none of their kernels";
static const char why_other_absent[] =
	"the other worker's trace is not in this report: waiting for it is unknown";
static const char why_others_absent[] =
	"the traces of the other %lld workers are not in this report: waiting for them is unknown";
static const char why_not_measured[] = "the trace holds no kernels of its collectives";
static const char why_one_trace[] = "one worker's trace, which does not say how many there are";
static const char why_none_matched[] = "no collective could be matched across workers";
static const char why_worker_not_matched[] =
	"none of this worker's collectives could be matched with another worker's";
static const char why_no_end[] = "no collective that all workers leave together could be matched";
static const char why_no_sizes[] = "the traces give no sizes of collectives (record_shapes=True)";
static const char why_no_size[] = "the trace gives no size (record_shapes=True)";
static const char why_no_host[] = "the trace names no host";
static const char why_no_rank[] = "the trace names no rank";
static const char why_no_device_work[] = "no device work in the trace";
static const char why_no_data[] = "a barrier moves no data";
static const char why_grouped[] = "grouped: see *coalesced* and the messages";
static const char why_no_kernel[] = "the trace holds no kernel of it";
static const char why_not_matched[] = "not matched with other workers";
static const char why_no_host_call[] = "the trace holds no host call of it";
static const char why_no_bus[] = "size, number of workers or time is unknown";
static const char why_group_not_named[] = "the trace does not name the group";
static const char why_sender_absent[] = "the sender's trace is not in this report";
static const char why_receiver_absent[] = "the receiver's trace is not in this report";
static const char why_other_messages[] = "the traces do not hold the same messages";
static const char why_grouped_messages[] = "kernels of groups carry other messages too";
static const char why_no_clock[] = "the offset between the two clocks is unknown";
/* … or the whole section. */
static const char why_single[] = "a single process, without collectives";
static const char why_captured_apart[] =
	"workers that were captured at different times, without collectives";

/* How figures are computed. */
static const char how_torch_comm[] =
	"Communication is the device time of all collective kernels, or without any, the host's spans "
	"of collectives (gloo:…, nccl:…). Computation is the time of all other kernels, or in a trace "
	"without kernels, of operators, excluding user-named ranges, which may only wait. Both are "
	"unions of intervals, within steps, which last until the device work they launched ends. "
	"Collectives are matched across workers by process group, operation and order; if a worker's "
	"trace holds fewer, by the offset at which most ends agree. Those that then do not overlap in "
	"time are not matched. Transfer is the fastest worker's time, at the end of each worker's time "
	"in the collective; before that it is synchronising. Where collectives overlap, transfer takes "
	"precedence, and an operation's latency is the time that they cover, its mean that of each "
	"call. Barriers move no data and are separate. A send is matched with a receive by process "
	"group, sender, receiver and order, unless it would be received before it is sent; the peers "
	"come from the arguments (Src Rank, Dst Rank), the span's name or the enclosing c10d operator. "
	"Grouped messages last as long as the kernel that carries them. Each side waits from its start "
	"until the other's. Clocks are compared at the ends of the same all-reduce, all-gather, "
	"reduce-scatter, all-to-all or barrier, which all workers leave together: per group the median "
	"offset from the median worker, over several groups the best fit. Workers without common "
	"collectives are aligned by messages in both directions: none is received before it is sent, "
	"which bounds the offset from both sides. Aligned clocks are only used to find the straggler, "
	"and not if all workers share a host and so a clock. The last worker to enter a collective "
	"costs its delay behind the second-to-last; messages do not count, as pipeline stages wait for "
	"each other by design. Bus bandwidth is the traffic on the busiest link: bytes × 2 (n − 1) / n "
	"for an all-reduce, × (n − 1) / n for all-gather (of its output), reduce-scatter and "
	"all-to-all (of their input; with split sizes, of what is for others), × 1 for the others, "
	"over the transfer time.";

static const char source_device[] = "collective kernels, their launches and host spans";
static const char source_host[] = "host spans of collectives, and operators";

#endif
